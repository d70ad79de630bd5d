/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expression language of --filter, --fail-if and the screen's filter:
 *	cpu <= 3 && miss == above && state == "C6" && length < 100us && waker ~ "kworker"
 * Compiled once against a list of fields, then evaluated through a callback that reads one field.
 * expr_compile() returns what expr_free() releases; texts read during evaluation stay the caller's.
 *
 * or:    and { "||" and }           and:  not { "&&" not }       not: [ "!" ] test
 * test:  "(" or ")"  |  FIELD ( "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~" ) operand  |  FIELD
 * operand: FIELD, a number with an optional unit (ns us ms s %), "text", or a bare word
 * "~" is an extended regular expression found anywhere. A field alone holds when it is not zero or
 * empty. A comparison with an unknown value does not hold, except "!=" and "!~".
 */
#ifndef REIDLE_SRC_EXPR_H
#define REIDLE_SRC_EXPR_H

#include "src/error.h"
#include "src/util.h"

enum expr_type {
	EXPR_NUMBER,
	EXPR_TIME,    /* ns; literals need a unit unless 0 */
	EXPR_RATIO,   /* 0..1; "5%" is 0.05 */
	EXPR_PERCENT, /* 0..100; "5%" is 5 */
	EXPR_TEXT,
};

struct expr_field {
	const char *name;
	enum expr_type type;
	const char *help; /* one line */
};

struct expr_value {
	bool known;
	double number;
	const char *text; /* EXPR_TEXT */
};

struct expr;

/** expr_read - value of one field: @field is its index in the list given to expr_compile() */
typedef struct expr_value (*expr_read)(void *ctx, int field);

/**
 * expr_compile() - check and translate an expression
 * @text: the expression; not kept
 * @fields: nfields of them; must outlive the expression
 * @column: set to the offset in bytes where an error is, for a caret; may be NULL
 * Return: the expression, or NULL with err (usage: what was wrong at which column)
 */
struct expr *expr_compile(const char *text, const struct expr_field *fields, size_t nfields,
	size_t *column, struct error *err);
void expr_free(struct expr *e);

/** expr_holds() - evaluate; may run in several threads on one expression */
bool expr_holds(const struct expr *e, expr_read read, void *ctx);

/** expr_uses() - does the expression read that field */
bool expr_uses(const struct expr *e, int field);

static inline struct expr_value expr_number(double v)
{
	return (struct expr_value){.known = true, .number = v};
}

static inline struct expr_value expr_text(const char *s)
{
	return (struct expr_value){.known = s != NULL, .text = s};
}

#endif
