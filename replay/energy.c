// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* acpi_idle writes twice the latency, _CST tables three times, pseries ten times: no measurement */
static int rule_factor(const struct state_table *t)
{
	static const int rule[] = {2, 3, 10};

	for (size_t k = 0; k < ARRAY_SIZE(rule); k++) {
		int fits = 0, states = 0;

		for (int i = 0; i < t->nstates; i++) {
			const struct idle_state *s = &t->state[i];

			if (s->exit_latency_ns <= 0)
				continue;
			states++;
			fits += s->target_residency_ns == rule[k] * s->exit_latency_ns;
		}
		if (states && fits == states)
			return rule[k];
	}
	return 0;
}

static bool has_residencies(const struct state_table *t)
{
	for (int i = 0; i < t->nstates; i++)
		if (t->state[i].target_residency_ns < 0)
			return false;
	return true;
}

static void unknown(struct energy_model *out, const char *why)
{
	out->known = false;
	copy_text(out->why, sizeof(out->why), why);
}

void energy_from_table(struct energy_model *out, const struct state_table *t, double ratio)
{
	int factor = rule_factor(t);

	*out = (struct energy_model){.ratio = ratio, .running = 1};
	if (!has_residencies(t)) {
		unknown(out, "no target residencies are known");
		return;
	}
	if (t->rule_made || factor) {
		unknown(out,
			"the residencies are made by a rule from the latencies: they say nothing "
			"about energy");
		return;
	}
	out->known = true;
	snprintf(out->why, sizeof(out->why),
		"break-even at each target residency; each state "
		"assumed to draw %.2g of the one before it",
		ratio);
	for (int i = 0; i < t->nstates; i++) {
		double before = i ? out->power[i - 1] : out->running;
		double cost = i ? out->transition[i - 1] : 0;
		bool polls = t->state[i].timeout != TIMEOUT_NONE || t->state[i].polling;

		out->power[i] = polls ? before : before * ratio;
		/* at its residency it costs as much as its neighbour */
		out->transition[i] =
			cost + (before - out->power[i]) * (double)t->state[i].target_residency_ns;
	}
}

/* --- given powers --- */

static int take_line(struct energy_model *out, bool *have, const char *line, int number,
	const struct state_table *t, struct error *err)
{
	char name[64];
	double power, transition = 0;
	int state, n = sscanf(line, "%63s %lf %lf", name, &power, &transition);

	if (n < 1 || name[0] == '#')
		return 0;
	if (n < 2 || !(power >= 0) || !(transition >= 0))
		return error_set(err, EXIT_USAGE,
			"power file, line %d: expected STATE POWER "
			"[TRANSITION], none negative",
			number);
	if (!strcmp(name, "running")) {
		out->running = power;
		return 0;
	}
	state = machine_find_state(t, name);
	if (state < 0)
		return error_set(err, EXIT_USAGE, "power file, line %d: no state '%s' in the table",
			number, name);
	out->power[state] = power;
	out->transition[state] = transition * NSEC_PER_USEC;
	have[state] = true;
	return 0;
}

int energy_parse(
	struct energy_model *out, const char *text, const struct state_table *t, struct error *err)
{
	bool have[STATES_MAX] = {0};
	int number = 1;

	*out = (struct energy_model){.known = true, .running = 1};
	copy_text(out->why, sizeof(out->why), "powers as given");
	for (const char *p = text; p && *p; number++) {
		char line[200];
		size_t n = strcspn(p, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)min64((int64_t)n, 199), p);
		if (take_line(out, have, line, number, t, err))
			return -1;
		p += n + (p[n] == '\n');
	}
	for (int i = 0; i < t->nstates; i++)
		if (!have[i])
			return error_set(err, EXIT_USAGE, "power file: nothing for state %d (%s)",
				i, t->state[i].name);
	return 0;
}

double energy_of_run(const struct run *r, const struct energy_model *model, int64_t span_ns)
{
	double sum = 0;

	for (int i = 0; i < r->ncpus; i++) {
		int table = i < r->machine.ncpus ? r->machine.table_of[i] : 0;
		const struct energy_model *m = &model[table];
		int64_t idle_ns = 0;

		if (!m->known)
			return NAN;
		for (int s = 0; s < STATES_MAX; s++) {
			const struct state_sum *x = &r->cpu[i].state[s];

			idle_ns += x->time_ns;
			sum += m->power[s] * (double)x->time_ns +
			       m->transition[s] * (double)x->usage;
		}
		sum += m->running * (double)max64(span_ns - idle_ns, 0);
	}
	return sum;
}

static const double ratios[ENERGIES] = {ENERGY_RATIO, 0.6 * ENERGY_RATIO, 1.4 * ENERGY_RATIO};

static int energy_models(struct energy_model *out, const struct machine *m, const char *powers,
	double ratio, struct error *err)
{
	for (int i = 0; i < m->ntables; i++) {
		if (!powers)
			energy_from_table(&out[i], &m->tables[i], ratio);
		else if (energy_parse(&out[i], powers, &m->tables[i], err))
			return -1;
	}
	return 0;
}

int energies_of(double *out, const struct run *r, int64_t span_ns, const char *powers, char *why,
	size_t why_size, struct error *err)
{
	struct energy_model *model = xcalloc((size_t)r->machine.ntables, sizeof(*model));
	int ret = 0;

	for (int i = ENERGIES; i-- && !ret;) {
		ret = energy_models(model, &r->machine, powers, ratios[i], err);
		out[i] = ret || r->machine.source == MACHINE_GUESSED
				 ? NAN
				 : energy_of_run(r, model, span_ns);
	}
	if (why)
		copy_text(why, why_size, model[0].why);
	free(model);
	return ret;
}
