/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a command's data goes: stdout, or a file that appears whole or not at all (-o).
 * The caller owns the struct between output_open() and output_close() or output_abort().
 */
#ifndef REIDLE_SRC_OUTPUT_H
#define REIDLE_SRC_OUTPUT_H

#include "src/error.h"
#include "src/util.h"

struct output {
	FILE *f;
	char *path; /* NULL: stdout */
	char *temp; /* written beside path, renamed over it at the end */
	char *held; /* output_hold(): what goes to stdout at the end */
	size_t held_size;
};

/**
 * output_open() - begin
 * @path: file to be made, or NULL or "-" for stdout
 * Return: 0, or -1 with err (EXIT_USAGE: where it cannot be written and why)
 */
int output_open(struct output *out, const char *path, struct error *err);

/**
 * output_hold() - keep what goes to stdout until output_close(), so that an error prints no data
 * For tables, which are small; call it right after output_open().
 */
void output_hold(struct output *out);

/** output_close() - flush and put the file in its place; -1 with err when it did not get there */
int output_close(struct output *out, struct error *err);

/** output_abort() - forget what was written; a file that was there stays as it was */
void output_abort(struct output *out);

#endif
