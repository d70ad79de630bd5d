/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A governor taught by the recording up to any decision, to ask it there and hear why. The teacher
 * keeps its memory between questions, so that walking forwards is cheap; teacher_free() releases it.
 */
#ifndef REIDLE_VIEWS_TEACHER_H
#define REIDLE_VIEWS_TEACHER_H

#include "replay/pupil.h"
#include "views/session.h"

struct teacher {
	struct gov_spec spec;
	struct pupil pupil;
	bool ready; /* spec and pupil are there */
	char text[160]; /* what was asked for */
	int cpu;
	size_t next; /* decision that comes next */
};

/**
 * teacher_ask() - what the governor chooses at decision @i of a CPU, and its steps
 * @text: governor as the user names it; "" the recorded one
 * @x: filled with the governor's own lines; release with explain_free()
 * Return: 0, or -1 with err
 */
int teacher_ask(struct teacher *t, const struct session *s, const char *text, int cpu, size_t i,
	struct gov_choice *choice, struct explain *x, struct error *err);
/**
 * teacher_reach() - a slice of the way to decision @i, after which teacher_ask() has little to do
 * Return: true when it is there
 */
bool teacher_reach(struct teacher *t, const struct session *s, const char *text, int cpu, size_t i);
void teacher_free(struct teacher *t);

#endif
