// SPDX-License-Identifier: GPL-2.0-or-later
/* dump_tsv DUMP [AFTER]: a dump, or the difference of two, in the columns of the expected deltas. */
#include "parsers/dump.h"

static void print_state(int cpu, int i, const struct dump_state *s)
{
	printf("%d\t%d\t%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\n", cpu, i, s->name,
		(long long)s->residency_us, (long long)s->latency_us, (long long)s->usage,
		(long long)s->time_us, (long long)s->above, (long long)s->below,
		(long long)s->rejected);
}

int main(int argc, char **argv)
{
	struct dump a = {0}, b = {0}, d = {0};
	struct error err;

	if (argc < 2 || dump_load(argc > 2 ? &a : &d, argv[1], &err) < 0)
		goto fail;
	if (argc > 2 && (dump_load(&b, argv[2], &err) < 0 || dump_subtract(&d, &a, &b, &err) < 0))
		goto fail;
	puts("cpu\tstate\tname\tresidency_us\tlatency_us\tusage\ttime_us\tabove\tbelow\trejected");
	for (int i = 0; i < d.ncpus; i++)
		for (int k = 0; d.cpu[i] && k < d.cpu[i]->nstates; k++)
			if (d.cpu[i]->state[k].present)
				print_state(i, k, &d.cpu[i]->state[k]);
	dump_free(&a);
	dump_free(&b);
	dump_free(&d);
	return 0;
fail:
	fprintf(stderr, "%s\n", argc < 2 ? "usage: dump_tsv DUMP [AFTER]" : err.text);
	return 1;
}
