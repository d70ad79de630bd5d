/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors of outside causes: bad input, bad usage, missing permission.
 * The caller owns the struct; a callee fills it and returns -1; only main.c prints and exits.
 * Broken invariants are assert()s, not errors.
 */
#ifndef REIDLE_SRC_ERROR_H
#define REIDLE_SRC_ERROR_H

/* exit status of the program (cli.md) */
enum exit_code { EXIT_FINE = 0, EXIT_HOLDS = 1, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_INTERNAL = 4 };

struct error {
	enum exit_code code;
	char text[480]; /* one line: what, where in the file, what to do */
};

/**
 * error_set() - fill an error
 * @err: filled; may be NULL
 * @code: exit status the program will end with
 * @fmt: printf format of one line without newline; control characters of foreign text are escaped
 * Return: always -1, so that callers can `return error_set(...)`.
 */
int error_set(struct error *err, enum exit_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** error_prefix() - put "context: " before the text of a filled error; returns -1 */
int error_prefix(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
