/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Seeded changes of bytes: the same seed makes the same changes on every machine. */
#ifndef REIDLE_TESTS_CHANGE_H
#define REIDLE_TESTS_CHANGE_H

#include "tests/fuzz/feed.h"

struct bytes {
	uint8_t *data; /* malloc'd */
	size_t size;
};

struct change {
	uint64_t rng;
	const struct feed *feed;
	const struct bytes *seed; /* files that parts may come from */
	size_t nseeds;
};

/** change_below() - a random number below n; 0 when n is 0 */
size_t change_below(struct change *c, size_t n);
/** change_some() - one to six changes */
void change_some(struct change *c, struct bytes *b);

#endif
