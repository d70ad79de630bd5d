/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One writer for every table that reidle prints: mail text, markdown, CSV. A struct table owns all
 * text given to it (copied); release with table_free(). Cells hold raw values (ns, counts, ratios);
 * a column says by what they are divided for people, CSV prints them raw and in full precision.
 */
#ifndef REIDLE_SRC_TABLE_H
#define REIDLE_SRC_TABLE_H

#include "src/util.h"

/* html is made by summary only */
enum out_format { FORMAT_TEXT, FORMAT_MD, FORMAT_CSV, FORMAT_JSON, FORMAT_HTML };

#define TABLE_WIDTH 78 /* columns of a mail; wider tables are folded into blocks */
#define WEAK_N 30      /* fewer values than this behind a cell: marked */

#define COL_LEFT 0x1 /* text column */
#define COL_KEY 0x2  /* repeated in every block of a folded table; leading columns only */
#define COL_SIGN 0x4 /* print the plus sign */
#define COL_GROUP 0x8 /* blank where the cell above says the same (text form) */
#define COL_BREAK 0x10 /* a good place to begin a new block of a folded table */

#define MARK_WEAK 0x1	     /* fewer than WEAK_N values: "?" */
#define MARK_SIGNIFICANT 0x2 /* "*" */

enum table_rules { RULES_DASH, RULES_BOX, RULES_TILDE, RULES_NONE };

enum cell_kind { CELL_NONE, CELL_TEXT, CELL_INT, CELL_REAL };

struct cell {
	enum cell_kind kind;
	unsigned mark;
	int64_t i;
	double d;
	char *text;
};

struct table_column {
	char *head, *unit, *key; /* unit "" when there is none; key is the CSV name, unit included */
	double scale;		 /* shown = raw / scale */
	int decimals;
	unsigned flags;
};

struct table {
	char *caption;
	struct table_column *col;
	size_t ncols, col_cap;
	struct cell *cell; /* rows one after the other, ncols each */
	size_t ncells, cell_cap;
	bool *rule; /* [row]: a rule above it; one more entry than rows may be used */
	size_t nrules, rule_cap;
	char **note;
	size_t nnotes, note_cap;
	enum table_rules rules;
};

/** table_init() - an empty table; @caption: line above it, printf format, "" none */
void table_init(struct table *t, const char *caption, ...) __attribute__((format(printf, 2, 3)));
void table_free(struct table *t);

/**
 * table_column() - add a column; all columns come before the first row
 * @head: for people; @unit: second head line ("ms", "" none); @key: CSV name ("time_ns")
 * @scale: shown value = raw / scale; @decimals: digits after the point (text and md), -1: as many
 *	as make four digits, at most two
 */
void table_column(struct table *t, const char *head, const char *unit, const char *key, double scale,
	int decimals, unsigned flags);

/* cells, from left to right, row after row; a full row starts the next one */
void table_text(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_int(struct table *t, int64_t value);
void table_real(struct table *t, double value); /* NAN becomes an empty cell */
void table_none(struct table *t);
/** table_mark() - add MARK_* to the cell added last */
void table_mark(struct table *t, unsigned mark);
/** table_rule() - a rule above the row that comes next */
void table_rule(struct table *t);
/** table_note() - a legend line under the table; the same line is kept once */
void table_note(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline size_t table_rows(const struct table *t)
{
	return t->ncols ? t->ncells / t->ncols : 0;
}

/**
 * table_sort() - order the rows by a column: numbers highest first, texts from A; rules go
 * @column: its head or its CSV name. Return: false when there is no such column
 */
bool table_sort(struct table *t, const char *column);

/**
 * table_write() - print it
 * @format: text (ASCII, spaces, at most TABLE_WIDTH columns by folding), md, csv or html; not json
 */
void table_write(const struct table *t, enum out_format format, FILE *out);

/**
 * table_wrap() - words of a text in lines of at most TABLE_WIDTH columns
 * @first: put before the first line, @next: before the others
 */
void table_wrap(FILE *out, const char *first, const char *next, const char *text);

/** table_html() - the table as an element; table_write() calls it for FORMAT_HTML */
void table_html(const struct table *t, FILE *out);

/** html_text() - text with what HTML gives a meaning escaped */
void html_text(FILE *out, const char *s);

/** table_cell_text() - a cell as people read it, into buf; returns buf */
const char *table_cell_text(const struct table *t, size_t row, size_t col, char *buf, size_t size);

#endif
