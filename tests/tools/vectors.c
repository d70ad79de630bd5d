// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vectors FILE...: drives governor models through recorded inputs and compares each choice with the
 * one written there (format: tests/governors/make-vectors.py). Prints one line per file; exit 1 on
 * any difference.
 */
#include "replay/governor.h"
#include "src/util.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct drive {
	struct gov_spec spec;
	struct state_table table;
	struct gov_machine machine;
	void *cpu;
	unsigned long selections, different;
};

static void die(const char *path, unsigned long line, const char *why)
{
	fprintf(stderr, "%s:%lu: %s\n", path, line, why);
	exit(2);
}

static bool read_machine(struct drive *d, const char *p)
{
	int n, used;

	d->table = (struct state_table){0};
	if (sscanf(p, "m %d %d%n", &d->machine.hz, &n, &used) != 2 || n < 1 || n > STATES_MAX)
		return false;
	d->table.nstates = n;
	for (int i = 0; i < n; i++) {
		int polling;

		p += used;
		if (sscanf(p, "%" SCNd64 " %" SCNd64 " %d%n", &d->table.state[i].exit_latency_ns,
			    &d->table.state[i].target_residency_ns, &polling, &used) != 3)
			return false;
		d->table.state[i].polling = polling & 1;
	}
	d->machine.table = &d->table;
	d->machine.tick_ns = tick_ns(d->machine.hz);
	free(d->cpu);
	d->cpu = xcalloc(1, d->spec.gov->cpu_size);
	d->spec.gov->init(d->cpu, &d->machine, &d->spec);
	return true;
}

static bool select_line(struct drive *d, const char *p)
{
	struct gov_input in = {0};
	struct gov_choice c;
	int stopped, state, stop;

	if (sscanf(p,
		    "s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %d %" SCNu32 " %" SCNu32
		    " %d %d",
		    &in.now_ns, &in.limit_ns, &in.sleep_ns, &in.tick_delta_ns, &stopped, &in.iowait,
		    &in.disabled, &state, &stop) != 9)
		return false;
	in.tick_stopped = stopped;
	c = d->spec.gov->select(d->cpu, &in, -1);
	d->selections++;
	if (c.state != state || c.stop_tick != stop) {
		d->different++;
		if (d->different <= 3)
			printf("# %s selection %lu: %d %d expected, chose %d %d\n", d->spec.label,
				d->selections, state, stop, c.state, c.stop_tick);
	}
	return true;
}

static bool outcome_line(struct drive *d, const char *p)
{
	struct gov_outcome o = {0};
	int poll, tick, pending;

	if (sscanf(p, "o %d %" SCNd64 " %d %d %" SCNd64 " %d", &o.entered, &o.residency_ns, &poll,
		    &tick, &o.now_ns, &pending) != 6)
		return false;
	o.poll_limit = poll;
	o.got_tick = tick;
	if (d->spec.gov->reflect(d->cpu, &o) != pending)
		d->different++;
	return true;
}

static bool line(struct drive *d, const char *p)
{
	struct error err;

	if (p[0] == 'g') {
		if (governor_parse(&d->spec, p + 2, "", &err)) {
			fprintf(stderr, "%s\n", err.text);
			return false;
		}
		return true;
	}
	if (!d->spec.gov || (p[0] != 'm' && !d->cpu))
		return false;
	return p[0] == 'm'   ? read_machine(d, p)
	       : p[0] == 's' ? select_line(d, p)
			     : outcome_line(d, p);
}

int main(int argc, char **argv)
{
	unsigned long bad = 0;

	for (int i = 1; i < argc; i++) {
		FILE *f = !strcmp(argv[i], "-") ? stdin : fopen(argv[i], "r");
		struct drive d = {0};
		char buf[512];
		unsigned long n = 0;

		if (!f)
			die(argv[i], 0, "cannot be opened");
		while (fgets(buf, sizeof(buf), f)) {
			buf[strcspn(buf, "\n")] = '\0';
			if (!line(&d, buf))
				die(argv[i], n + 1, "not a vector line");
			n++;
		}
		printf("%s: %lu selections, %lu different\n", d.spec.label, d.selections,
			d.different);
		bad += d.different || !d.selections;
		free(d.cpu);
		fclose(f);
	}
	return bad ? 1 : 0;
}
