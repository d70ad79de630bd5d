// SPDX-License-Identifier: GPL-2.0-or-later
/* Feeds that do what no reader may: a test sees that the mutation run notices each of them. */
#include "tests/fuzz/fault.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOO_MUCH (300UL << 20)

static void *volatile kept;

static bool leak(const uint8_t *data, size_t size)
{
	(void)data;
	kept = malloc(size + 8);
	return true;
}

static bool grow(const uint8_t *data, size_t size)
{
	(void)data;
	kept = malloc(TOO_MUCH + 4 * size);
	free(kept);
	return true;
}

static bool spin(clock_t seconds)
{
	clock_t end = clock() + seconds * CLOCKS_PER_SEC;

	while (clock() < end)
		;
	return true;
}

static bool slow(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return spin(3);
}

static bool hang(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return spin(1000);
}

static bool crash(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	abort();
}

const struct feed *fault_find(const char *name)
{
	static const struct feed faults[] = {{"leak", leak, NULL, 0}, {"grow", grow, NULL, 0},
		{"slow", slow, NULL, 0}, {"hang", hang, NULL, 0}, {"crash", crash, NULL, 0}};

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (!strcmp(faults[i].name, name))
			return &faults[i];
	return NULL;
}
