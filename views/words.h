/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers, times and idle periods in words, the same in every view. All text goes into the caller's
 * buffer; the functions return it. Times are ns.
 */
#ifndef REIDLE_VIEWS_WORDS_H
#define REIDLE_VIEWS_WORDS_H

#include "views/view.h"

/** words_time() - "4.147 312 081": seconds since the origin with 3, 6 or 9 decimals in groups */
const char *words_time(char *buf, size_t size, int64_t rel_ns, int decimals);
/** words_decimals() - decimals that tell apart times @step_ns from each other */
int words_decimals(int64_t step_ns);
/** words_length() - "143.1 us", or in the one unit that @units asks for */
const char *words_length(char *buf, size_t size, int64_t ns, enum units units);
/** words_short() - the same with at most three digits and no blank: "143us", for axes and state lists */
const char *words_short(char *buf, size_t size, int64_t ns);
/** words_count() - "41 377" */
/** words_signed() - as words_short(), with a minus where below zero */
const char *words_signed(char *buf, size_t size, int64_t ns);
const char *words_count(char *buf, size_t size, uint64_t n);

/** words_before() - name of the task that ran before the CPU went idle at @enter_ns; "" unknown */
const char *words_before(const struct trace *t, int cpu, int64_t enter_ns);

/** words_running() - name of the task that runs at @at_ns; "a task" unknown */
const char *words_running(const struct trace *t, int cpu, int64_t at_ns);

/**
 * words_waker() - the CPU whose waking ended an idle period, and when it did
 * Return: the CPU, or -1 when no waking by another CPU is recorded for it
 */
int words_waker(const struct trace *t, int cpu, const struct period *p, int64_t *at_ns);

/** words_states() - legend of the states of a table on one line; returns the column after it */
int words_states(struct canvas *c, int x, int y, const struct state_table *t);

/**
 * words_period() - an idle period of run @r: what happened, what was chosen on what grounds, what
 * would have been ideal and why
 * @a: three lines where it is wide, six where it is narrow; in one or two, the gist of it
 */
void words_period(const struct session *s, int r, int cpu, size_t i, struct canvas *c, struct area a);

/**
 * words_ideal() - the ideal state beside the verdict on a period of run @r
 * The state entered where the kernel counts it as right, though another might fit the bare length.
 * Return: index, -1 when there is no verdict
 */
int words_ideal(const struct session *s, int r, int cpu, size_t i);

#endif
