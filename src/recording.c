// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording.h"

#include "parsers/dump.h"
#include "parsers/parser.h"
#include "replay/sojourn.h"
#include "src/recording_sample.h"
#include "src/wakes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BEGINNING (32U << 20) /* bytes; read in a tenth of a second */

static struct trace *read_trace(const char *path, const struct options *o, enum recording_need need,
	bool (*progress)(void *, double), void *ctx, struct error *err)
{
	struct parse_options po = {
		.want = EV_WANT_IDLE | EV_BIT(EV_MARKER), .partial = o->partial,
		.instance = o->instance, .head = need == NEED_BEGINNING ? BEGINNING : 0,
		.threads = o->jobs > 0 ? o->jobs : 1,
		.progress = progress, .ctx = ctx};
	struct trace *t;

	if (need == NEED_FIGURES)
		sample_options(&po, o);
	if (need >= NEED_WAKES)
		po.want |= wakes_want();
	if (need >= NEED_DECISIONS)
		po.want |= decisions_want() | sojourns_want();
	t = parse_file(path, &po, err);
	if (t && !(t->present & EV_BIT(EV_IDLE))) {
		error_set(err, EXIT_INPUT, "%s: no cpu_idle event in it: record power:cpu_idle "
			"(reidle record --print-command shows how)", path);
		trace_free(t);
		return NULL;
	}
	return t;
}

/* the path beside the recording with its .dat (or nothing) replaced; the caller frees */
static char *beside(const char *path, const char *ending)
{
	size_t len = strlen(path);

	if (len > 4 && !strcmp(path + len - 4, ".dat"))
		len -= 4;
	return xasprintf("%.*s%s", (int)len, path, ending);
}

static int machine_from_dump(struct machine *out, const char *path, enum machine_source source,
	struct error *err)
{
	struct dump d;

	if (dump_load(&d, path, err))
		return -1;
	if (dump_machine(out, &d, path, err)) {
		dump_free(&d);
		return -1;
	}
	out->source = source;
	dump_free(&d);
	return 0;
}

static int deepest_state(const struct trace *t)
{
	int deepest = 0;

	for (int i = 0; i < t->ncpus; i++)
		if (t->cpu[i].deepest > deepest)
			deepest = t->cpu[i].deepest;
	return deepest;
}

static bool is_machine_line(const struct trace *t, const struct event *e)
{
	return e->kind == EV_MARKER &&
	       !strncmp(trace_name(t, e->name), MACHINE_TEXT_TAG, strlen(MACHINE_TEXT_TAG));
}

/* the lines that `reidle record` wrote into the recording, in the order of each CPU; NULL: none */
static char *machine_lines(const struct trace *t)
{
	char *text = NULL;
	size_t size;
	FILE *f = NULL;

	for (int i = 0; i < t->ncpus && t->present & EV_BIT(EV_MARKER); i++)
		for (size_t k = 0; k < t->cpu[i].nevs; k++) {
			if (!is_machine_line(t, &t->cpu[i].ev[k]))
				continue;
			if (!f)
				f = open_memstream(&text, &size);
			fprintf(f, "%s\n", trace_name(t, t->cpu[i].ev[k].name));
		}
	if (f)
		fclose(f);
	return text;
}

/* a description that is not whole is said, and the next source taken */
static void read_inside(struct recording *r)
{
	struct error why;

	r->trace->machine_text = machine_lines(r->trace);
	if (!r->trace->machine_text)
		return;
	r->have_inside = !machine_text_read(&r->inside, r->trace->machine_text, &why);
	if (!r->have_inside)
		trace_warn(r->trace, "%s", why.text);
	else if (r->inside.emulated)
		r->trace->emulated = true;
}

/*
 * Where the recorded machine's table comes from, best first: --states, inside the recording, a file
 * beside it, a guess. A side file that cannot be read is said, not passed over.
 */
static int find_machine(struct recording *r, const char *path, const struct options *o,
	struct error *err)
{
	static const char *const endings[] = {".sysfs.txt", ".sysfs-before.txt", ".states"};

	if (o->states)
		return dump_load_table(&r->machine, o->states, r->trace->ncpus, err);
	if (r->have_inside) {
		machine_copy(&r->machine, &r->inside.machine);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		char *side = beside(path, endings[i]);
		int ret = 1;

		if (!access(side, R_OK))
			ret = machine_from_dump(&r->machine, side, MACHINE_FILE, err);
		free(side);
		if (ret <= 0)
			return ret;
	}
	machine_guess(&r->machine, deepest_state(r->trace), r->trace->ncpus);
	return 0;
}

/* the table must have every state that the recording entered */
static int check_machine(const struct recording *r, const char *path, struct error *err)
{
	for (int i = 0; i < r->trace->ncpus; i++) {
		const struct state_table *t = machine_table(&r->machine, i);
		int deepest = r->trace->cpu[i].deepest;

		if (deepest >= t->nstates)
			return error_set(err, EXIT_INPUT, "%s: CPU %d entered state %d, but its table "
				"(%s) ends at %d: give the right one with --states", path, i, deepest,
				r->machine.from, t->nstates - 1);
	}
	return 0;
}

static int edit_machine(struct recording *r, const struct options *o, struct error *err)
{
	r->machine_edited = o->table || o->set.n || o->disable.n || o->enable.n;
	if (o->table) {
		if (dump_load_table(&r->replay_on, o->table, r->trace->ncpus, err))
			return -1;
	} else {
		machine_copy(&r->replay_on, &r->machine);
	}
	for (size_t i = 0; i < o->set.n; i++)
		if (machine_set(&r->replay_on, o->set.s[i], err))
			return -1;
	for (size_t i = 0; i < o->disable.n; i++)
		if (machine_set_disabled(&r->replay_on, o->disable.s[i], true, err))
			return -1;
	for (size_t i = 0; i < o->enable.n; i++)
		if (machine_set_disabled(&r->replay_on, o->enable.s[i], false, err))
			return -1;
	return 0;
}

static int build_decisions(struct recording *r, const struct options *o, struct error *err)
{
	struct decision_options d = {.hz = o->hz,
		.ignore_probes = o->ignore_probes, .threads = o->jobs > 0 ? o->jobs : 1};

	if (decisions_build(&r->decisions, r->trace, &r->machine, &d, err))
		return -1;
	r->have_decisions = true;
	return 0;
}

/*
 * Times of an emulated machine say nothing about exit latencies, so it has to be known. A file
 * NAME.note beside the recording may say it (its first line goes into headers); a machine without
 * a host name was started from a bare initramfs, as test machines in emulators are.
 */
static void read_note(struct recording *r, const char *path)
{
	char *side = beside(path, ".note");
	FILE *f = fopen(side, "r");

	free(side);
	if (f) {
		if (fgets(r->note, sizeof(r->note), f))
			r->note[strcspn(r->note, "\r\n")] = '\0';
		fclose(f);
	}
	for (char *c = r->note; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '?';
	if (strstr(r->note, "emulated") || strstr(r->trace->uname, "(none)"))
		r->trace->emulated = true;
}

static int analyse(struct recording *r, const struct options *o, enum recording_need need,
	struct error *err)
{
	if (r->trace->nwindows)
		return recording_sample(r, o, err);
	if (need >= NEED_WAKES)
		wakes_attribute(r->trace, &r->machine);
	return need >= NEED_DECISIONS ? build_decisions(r, o, err) : 0;
}

static int open_parts(struct recording *r, const char *path, const struct options *o,
	enum recording_need need, bool (*progress)(void *, double), void *ctx, struct error *err)
{
	r->trace = read_trace(path, o, need, progress, ctx, err);
	if (!r->trace)
		return -1;
	read_inside(r);
	if (find_machine(r, path, o, err) || check_machine(r, path, err) ||
		edit_machine(r, o, err))
		return -1;
	read_note(r, path);
	copy_text(r->kernel, sizeof(r->kernel),
		r->have_inside && *r->inside.kernel ? r->inside.kernel :
		*r->trace->uname		    ? r->trace->uname :
						      r->trace->kernel);
	copy_text(r->governor, sizeof(r->governor), r->machine.governor);
	if (analyse(r, o, need, err))
		return -1;
	run_of_recording(&r->run0, r->trace, &r->machine,
		r->have_decisions ? r->decisions.event_cost_ns : 0);
	if (r->sample)
		r->run0.sample = &r->sample->run;
	return 0;
}

int recording_open(struct recording *r, const char *path, const struct options *o,
	enum recording_need need, bool (*progress)(void *, double), void *ctx, struct error *err)
{
	memset(r, 0, sizeof(*r));
	if (!open_parts(r, path, o, need, progress, ctx, err))
		return 0;
	recording_close(r);
	return -1;
}

void recording_count(struct run *run0, const struct recording *r)
{
	for (int i = 0; i < run0->ncpus && r->have_decisions; i++) {
		const struct decisions_cpu *c = &r->decisions.cpu[i];

		run0->cpu[i].decisions = c->n;
		run0->cpu[i].aborted = 0;
		for (size_t k = 0; k < c->n; k++)
			run0->cpu[i].aborted += (c->d[k].flags & DEC_ABORTED) != 0;
	}
}

void recording_close(struct recording *r)
{
	run_free(&r->run0);
	sample_free(r->sample);
	if (r->have_decisions)
		decisions_free(&r->decisions);
	machine_free(&r->replay_on);
	machine_free(&r->machine);
	if (r->have_inside)
		machine_text_free(&r->inside);
	trace_free(r->trace);
	memset(r, 0, sizeof(*r));
}

int recording_select(struct selection *s, const struct recording *r, const struct options *o,
	struct error *err)
{
	int64_t from = INT64_MIN, to = INT64_MAX;
	bool *cpus;

	if (o->from && options_time(&from, o->from, r->trace->origin_ns, err))
		return -1;
	if (o->to && options_time(&to, o->to, r->trace->origin_ns, err))
		return -1;
	if (from >= to)
		return error_set(err, EXIT_USAGE, "--from %s is not before --to %s", o->from ? o->from : "",
			o->to ? o->to : "");
	if (from > r->trace->end_ns || to < r->trace->origin_ns)
		return error_set(err, EXIT_INPUT, "%s: nothing lies between --from and --to: it is %.6f s long "
			"(@%.6f to @%.6f)", r->trace->path, (double)(r->trace->end_ns - r->trace->origin_ns) / 1e9,
			(double)r->trace->origin_ns / 1e9, (double)r->trace->end_ns / 1e9);
	cpus = options_cpus(o->cpus, r->trace->ncpus, err);
	if (!cpus)
		return -1;
	return selection_make(s, cpus, r->trace->ncpus, from, to, o->filter, err);
}
