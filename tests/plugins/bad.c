// SPDX-License-Identifier: GPL-2.0-or-later
/* A plug-in that goes wrong at its tenth selection, in the way that -DHOW=... says. */
#include "reidle-governor.h"

#include <stdlib.h>
#include <string.h>

enum { CRASH, DIVIDE, LOOP, RECURSE, ABORT, NONSENSE, NEGATIVE, OVERRUN, REFLECT, OLD_ABI, REFUSE };

struct bad_cpu {
	int n;
};

static volatile int zero;

static int deeper(int n)
{
	volatile char fill[256];

	memset((void *)fill, n, sizeof(fill));
	return deeper(n + 1) + fill[n % 256];
}

static int bad_init(void *cpu, const struct reidle_machine *m)
{
	(void)cpu;
	(void)m;
	return HOW == REFUSE;
}

static void go_wrong(struct bad_cpu *b, struct reidle_choice *out)
{
	switch (HOW) {
	case CRASH:
		*(volatile int *)8 = 1;
		break;
	case DIVIDE:
		out->state = 1000 / zero;
		break;
	case LOOP:
		while (!zero)
			;
		break;
	case RECURSE:
		out->state = deeper(0);
		break;
	case ABORT:
		abort();
	case NONSENSE:
		out->state = 17;
		break;
	case NEGATIVE:
		out->state = -1;
		break;
	case OVERRUN:
		((volatile char *)b)[sizeof(*b) + 4] = 1;
		break;
	}
}

static void bad_select(void *cpu, const struct reidle_input *in, struct reidle_choice *out)
{
	struct bad_cpu *b = cpu;

	(void)in;
	if (++b->n == 10)
		go_wrong(b, out);
}

static int bad_reflect(void *cpu, const struct reidle_outcome *out)
{
	struct bad_cpu *b = cpu;

	(void)out;
	if (HOW == REFLECT && b->n == 10)
		*(volatile int *)16 = 1;
	return 0;
}

const struct reidle_governor *reidle_governor(void)
{
	static const struct reidle_governor g = {
		.abi = HOW == OLD_ABI ? 0 : REIDLE_GOVERNOR_ABI,
		.name = "bad",
		.cpu_size = sizeof(struct bad_cpu),
		.init = bad_init,
		.select = bad_select,
		.reflect = bad_reflect,
	};

	return &g;
}
