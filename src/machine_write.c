// SPDX-License-Identifier: GPL-2.0-or-later
/* A state table as the lines of a table file (machine_file.c reads them back). */
#include "src/machine.h"

#include <ctype.h>
#include <string.h>

/* text of a dump may hold anything; a field may not hold tabs or line ends */
static void put_field(FILE *f, const char *text)
{
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) ? ' ' : *text, f);
}

static void put_line(FILE *f, const char *word, const char *text)
{
	fprintf(f, "%s\t", word);
	put_field(f, text);
	fputc('\n', f);
}

static const char *yes(bool b)
{
	return b ? "yes" : "no";
}

void table_write_tsv(const struct state_table *t, FILE *f)
{
	char timeout[32];

	fputs("table\t", f);
	put_field(f, t->id);
	fputc('\t', f);
	put_field(f, t->title);
	fputc('\n', f);
	if (t->cpus[0])
		put_line(f, "cpus", t->cpus);
	put_line(f, "source", t->source);
	if (t->note[0])
		put_line(f, "note", t->note);
	for (int i = 0; i < t->nstates; i++) {
		const struct idle_state *s = &t->state[i];

		table_timeout_text(s, timeout, sizeof(timeout));
		if (s->timeout == TIMEOUT_FIXED)
			timeout[strlen(timeout) - 2] = '\0'; /* the file has plain us */
		fprintf(f, "state\t%d\t", i);
		put_field(f, s->name);
		fprintf(f, "\t%.9g\t%.9g\t%s\t%s\t%s\t%s\n", (double)s->exit_latency_ns / NSEC_PER_USEC,
			(double)s->target_residency_ns / NSEC_PER_USEC, yes(s->polling), timeout,
			yes(s->timeout_sets_poll_limit), yes(s->disabled));
	}
}
