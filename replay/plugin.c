// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/plugin.h"
#include "replay/plugin_guard.h"
#include "replay/reidle-governor.h"
#include "src/govbuild.h"

#include <assert.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define CANARY 0x5ca1ab1e0ddba115ULL

struct plugin {
	const struct reidle_governor *g;
	struct governor gov; /* as the rest of reidle sees it */
	char name[80];
	atomic_bool failed;
	pthread_mutex_t lock; /* failure */
	char failure[300];
	struct plugin *next;
};

/* all that were ever loaded: specs are copied about freely and own nothing */
static struct plugin *loaded;
static pthread_mutex_t loaded_lock = PTHREAD_MUTEX_INITIALIZER;

/* memory of one CPU; the plug-in's own lies behind it, and a canary behind that */
struct plugin_cpu {
	struct plugin *p;
	uint64_t decisions;
	int cpu, nstates;
	size_t canary_at;
	uint32_t disabled;
	char own[] __attribute__((aligned(16)));
};

bool plugin_is_path(const char *text)
{
	size_t n = strlen(text);

	return strchr(text, '/') || (n > 2 && !strcmp(text + n - 2, ".c")) ||
	       (n > 3 && !strcmp(text + n - 3, ".so"));
}

static const char *signal_word(int sig)
{
	switch (sig) {
	case SIGSEGV:
		return "crashed (segmentation fault)";
	case SIGBUS:
		return "crashed (bus error)";
	case SIGFPE:
		return "crashed (division by zero or overflow)";
	case SIGILL:
		return "crashed (illegal instruction)";
	case SIGABRT:
		return "aborted itself";
	default:
		return "did not return (endless loop)";
	}
}

/* the first failure is the one that is told */
static void fail(struct plugin_cpu *c, const char *where, const char *what)
{
	struct plugin *p = c->p;

	pthread_mutex_lock(&p->lock);
	if (!p->failed)
		snprintf(p->failure, sizeof(p->failure),
			"%s: the plug-in %s in %s, CPU %d, decision %llu", p->name, what, where,
			c->cpu, (unsigned long long)c->decisions);
	p->failed = true;
	pthread_mutex_unlock(&p->lock);
}

static uint64_t *canary(struct plugin_cpu *c)
{
	return (uint64_t *)(void *)(c->own + c->canary_at);
}

static bool check_canary(struct plugin_cpu *c, const char *where)
{
	if (*canary(c) == CANARY)
		return true;
	fail(c, where, "wrote past its memory");
	return false;
}

static int shallowest_enabled(const struct plugin_cpu *c)
{
	for (int i = 0; i < c->nstates; i++)
		if (!(c->disabled >> i & 1))
			return i;
	return 0;
}

static bool guarded_init(struct plugin_cpu *c, const struct reidle_machine *m, int *ret)
{
	struct plugin_guard *g = plugin_guard();

	if (PLUGIN_GUARDED(g)) {
		fail(c, "init()", signal_word(g->signal));
		return false;
	}
	*ret = c->p->g->init(c->own, m);
	plugin_unguard(g);
	return true;
}

static void plugin_init(void *cpu, const struct gov_machine *m, const struct gov_spec *spec)
{
	struct plugin_cpu *c = cpu;
	const struct state_table *t = m->table;
	struct reidle_machine rm = {.cpu = m->cpu,
		.hz = m->hz,
		.tick_ns = m->tick_ns,
		.nstates = t->nstates,
		.nparams = spec->gov->nparams,
		.param = spec->value};
	int ret = 0;

	/* the screen may have set its own handlers since the last replay */
	plugin_guard_handlers();
	c->p = spec->plugin;
	c->cpu = m->cpu;
	c->nstates = t->nstates;
	c->canary_at = (c->p->g->cpu_size + 7) & ~(size_t)7;
	*canary(c) = CANARY;
	for (int i = 0; i < t->nstates; i++) {
		rm.state[i].exit_latency_ns = t->state[i].exit_latency_ns;
		rm.state[i].target_residency_ns = t->state[i].target_residency_ns;
		rm.state[i].flags = t->state[i].polling ? REIDLE_STATE_POLLING : 0;
		copy_text(rm.state[i].name, sizeof(rm.state[i].name), t->state[i].name);
	}
	if (!c->p->failed && guarded_init(c, &rm, &ret) && check_canary(c, "init()") && ret)
		fail(c, "init()", "refused this machine");
}

static bool guarded_select(
	struct plugin_cpu *c, const struct reidle_input *in, struct reidle_choice *out)
{
	struct plugin_guard *g = plugin_guard();

	if (PLUGIN_GUARDED(g)) {
		fail(c, "select()", signal_word(g->signal));
		return false;
	}
	c->p->g->select(c->own, in, out);
	plugin_unguard(g);
	return true;
}

static bool sane(struct plugin_cpu *c, const struct reidle_choice *out)
{
	char text[80];

	if (out->state >= 0 && out->state < c->nstates)
		return check_canary(c, "select()");
	snprintf(text, sizeof(text), "chose state %d of %d", out->state, c->nstates);
	fail(c, "select()", text);
	return false;
}

static struct gov_choice plugin_select(
	void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	struct plugin_cpu *c = cpu;
	struct reidle_input ri = {.now_ns = in->now_ns,
		.limit_ns = in->limit_ns,
		.sleep_ns = in->sleep_ns,
		.tick_delta_ns = in->tick_delta_ns,
		.iowait = in->iowait,
		.disabled = in->disabled,
		.tick_stopped = in->tick_stopped,
		.utilized = in->utilized};
	struct reidle_choice rc = {.stop_tick = 1};

	(void)true_length_ns;
	c->decisions++;
	c->disabled = in->disabled;
	if (atomic_load_explicit(&c->p->failed, memory_order_relaxed) ||
		!guarded_select(c, &ri, &rc) || !sane(c, &rc))
		return (struct gov_choice){shallowest_enabled(c), false, 0, 0};
	return (struct gov_choice){rc.state, rc.stop_tick != 0, rc.read, rc.poll_limit_ns};
}

static bool guarded_reflect(struct plugin_cpu *c, const struct reidle_outcome *out, int *pending)
{
	struct plugin_guard *g = plugin_guard();

	if (PLUGIN_GUARDED(g)) {
		fail(c, "reflect()", signal_word(g->signal));
		return false;
	}
	*pending = c->p->g->reflect(c->own, out);
	plugin_unguard(g);
	return true;
}

static bool plugin_reflect(void *cpu, const struct gov_outcome *out)
{
	struct plugin_cpu *c = cpu;
	struct reidle_outcome ro = {.entered = out->entered,
		.residency_ns = out->residency_ns,
		.now_ns = out->now_ns,
		.poll_limit = out->poll_limit,
		.got_tick = out->got_tick};
	int pending = 0;

	if (ro.entered >= c->nstates)
		ro.entered = c->nstates - 1;
	if (!atomic_load_explicit(&c->p->failed, memory_order_relaxed) &&
		guarded_reflect(c, &ro, &pending))
		check_canary(c, "reflect()");
	return pending != 0;
}

/* what a plug-in thinks is its own; what it was given is not */
static void plugin_explain(const void *cpu, const struct gov_input *in,
	const struct gov_choice *out, struct explain *x)
{
	const struct plugin_cpu *c = cpu;
	char t[32], u[32];

	explain_line(x, "given", "sleep length %s, next clock event %s, tick %s",
		explain_time(t, sizeof(t), in->sleep_ns),
		explain_time(u, sizeof(u), in->tick_delta_ns),
		in->tick_stopped ? "stopped" : "running");
	explain_line(x, "looked at", "%s%s%s%s%s",
		out->read & GOV_READ_SLEEP ? "sleep length, " : "",
		out->read & GOV_READ_CLOCK ? "clock, " : "",
		out->read & GOV_READ_IOWAIT ? "iowait, " : "",
		out->read & GOV_READ_UTIL ? "utilization, " : "",
		out->read & GOV_READ_LIMIT ? "latency limit" : "its own memory");
	explain_line(x, "chosen", "state %d, tick %s, by %s", out->state,
		out->stop_tick ? "may be stopped" : "kept", c->p->name);
}

int plugin_failure(const struct gov_spec *s, struct error *err)
{
	struct plugin *p = s->plugin;
	int ret = 0;

	pthread_mutex_lock(&p->lock);
	if (p->failed)
		ret = error_set(err, EXIT_USAGE, "%s: its replay is void", p->failure);
	pthread_mutex_unlock(&p->lock);
	return ret;
}

static const struct reidle_governor *ask_for_governor(void *dl, const char *path, struct error *err)
{
	struct plugin_guard *g = plugin_guard();
	const struct reidle_governor *(*entry)(void);
	const struct reidle_governor *rg;

	*(void **)&entry = dlsym(dl, "reidle_governor");
	if (!entry) {
		error_set(err, EXIT_USAGE,
			"%s: no reidle_governor() in it: see reidle-governor.h, or build a "
			"kernel file with \"reidle governor build\"",
			path);
		return NULL;
	}
	if (PLUGIN_GUARDED(g)) {
		error_set(err, EXIT_USAGE, "%s: the plug-in %s when loaded", path,
			signal_word(g->signal));
		return NULL;
	}
	rg = entry();
	plugin_unguard(g);
	if (!rg)
		error_set(err, EXIT_USAGE, "%s: no governor registers itself in it", path);
	return rg;
}

static int check_governor(const struct reidle_governor *g, const char *path, struct error *err)
{
	if (g->abi != REIDLE_GOVERNOR_ABI)
		return error_set(err, EXIT_USAGE,
			"%s: made for interface %u, this reidle has %u: compile it again", path,
			g->abi, REIDLE_GOVERNOR_ABI);
	if (!g->name || !g->init || !g->select || !g->reflect || g->cpu_size > (64 << 20))
		return error_set(
			err, EXIT_USAGE, "%s: its struct reidle_governor is not filled in", path);
	if (g->nparams > GOV_PARAMS_MAX)
		return error_set(err, EXIT_USAGE, "%s: %u parameters, at most %d", path, g->nparams,
			GOV_PARAMS_MAX);
	return 0;
}

static void describe(struct plugin *p, struct gov_spec *s)
{
	const struct reidle_governor *g = p->g;
	struct gov_param *params = xcalloc(g->nparams + 1, sizeof(*params));

	for (uint32_t i = 0; i < g->nparams; i++) {
		params[i] = (struct gov_param){g->param[i].name, g->param[i].help, PARAM_FLOAT,
			g->param[i].min, g->param[i].max, NULL, g->param[i].value};
		s->value[i] = g->param[i].value;
	}
	p->gov = (struct governor){
		.name = g->name,
		.summary = g->summary ? g->summary : "",
		.params = params,
		.nparams = (int)g->nparams,
		.cpu_size = sizeof(struct plugin_cpu) + ((g->cpu_size + 7) & ~(size_t)7) +
			    sizeof(uint64_t),
		.init = plugin_init,
		.select = plugin_select,
		.reflect = plugin_reflect,
		.explain = plugin_explain,
	};
}

static int load(struct gov_spec *s, const char *path, const char *object, struct error *err)
{
	char *with_slash = strchr(object, '/') ? xstrdup(object) : xasprintf("./%s", object);
	void *dl = dlopen(with_slash, RTLD_NOW | RTLD_LOCAL);
	const struct reidle_governor *g;
	struct plugin *p;

	free(with_slash);
	if (!dl)
		return error_set(err, EXIT_INPUT, "%s: cannot be loaded: %s", path, dlerror());
	g = ask_for_governor(dl, path, err);
	if (!g || check_governor(g, path, err)) {
		dlclose(dl);
		return -1;
	}
	p = xcalloc(1, sizeof(*p));
	p->g = g;
	pthread_mutex_init(&p->lock, NULL);
	copy_text(p->name, sizeof(p->name), path);
	describe(p, s);
	pthread_mutex_lock(&loaded_lock);
	p->next = loaded;
	loaded = p;
	pthread_mutex_unlock(&loaded_lock);
	s->gov = &p->gov;
	s->plugin = p;
	snprintf(s->checked, sizeof(s->checked), "plug-in");
	return 0;
}

int plugin_open(struct gov_spec *s, const char *path, struct error *err)
{
	struct govbuild b = {.source = path};
	size_t n = strlen(path);
	char *object;
	int ret;

	if (n < 2 || strcmp(path + n - 2, ".c"))
		return load(s, path, path, err);
	object = govbuild_cached(&b, err);
	if (!object)
		return -1;
	ret = load(s, path, object, err);
	free(object);
	return ret;
}
