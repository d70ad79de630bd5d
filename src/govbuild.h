/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles a kernel's governor file into a plug-in with the C compiler of this machine, against the
 * stand-in headers of replay/kernel. Paths are the caller's; returned text is the caller's to free.
 */
#ifndef REIDLE_SRC_GOVBUILD_H
#define REIDLE_SRC_GOVBUILD_H

#include "src/error.h"
#include "src/util.h"

struct govbuild {
	const char *source;	/* menu.c, teo.c, or a new governor */
	const char *kernel_dir; /* kernel tree whose cpuidle.h is used; NULL: the source's own tree
				   if it is in one */
	const char *const *include; /* files put before the source */
	size_t nincludes;
	char cpuidle_h[400]; /* filled: the header used, "" for the stand-in */
};

/**
 * govbuild() - compile into a shared object
 * @output: path; written at once or not at all
 * Return: 0, or -1 with err (usage: names what the source lacks and the remedy)
 */
int govbuild(struct govbuild *b, const char *output, struct error *err);

/**
 * govbuild_cached() - the same into the user's cache, unless the same content is there already
 * Return: path of the object, to be freed; NULL with err
 */
char *govbuild_cached(struct govbuild *b, struct error *err);

/* --- parts, shared by govbuild*.c --- */

/** govbuild_read() - a whole file, terminated; NULL with errno set */
char *govbuild_read(const char *path);
/** govbuild_stand_ins() - folder of the stand-in headers, to be freed; NULL with err when not
 * installed */
char *govbuild_stand_ins(struct error *err);
/** govbuild_find_cpuidle() - fill b->cpuidle_h */
int govbuild_find_cpuidle(struct govbuild *b, struct error *err);
/** govbuild_complain() - fill err from what the compiler wrote; returns -1 */
int govbuild_complain(const struct govbuild *b, const char *log, struct error *err);

#endif
