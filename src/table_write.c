// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/table.h"

#include <stdlib.h>
#include <string.h>

#define CELL_MAX 256

/* a table being set in columns: widths, and the gap that makes it fit */
struct layout {
	const struct table *t;
	size_t *width;
	size_t nkeys;
	size_t gap;
	FILE *out;
};

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t cell_width(const struct table *t, size_t row, size_t col)
{
	char buf[CELL_MAX];

	return strlen(table_cell_text(t, row, col, buf, sizeof(buf)));
}

/* the columns [from, to) of one block, with what stands between and around them */
static size_t block_width(const struct layout *l, size_t from, size_t to)
{
	size_t sum = 0, n = 0;

	for (size_t i = 0; i < to; i++) {
		if (i >= l->nkeys && i < from)
			continue;
		sum += l->width[i];
		n++;
	}
	if (l->t->rules == RULES_BOX)
		return sum + 3 * n + 1;
	return sum + (n ? (n - 1) * l->gap : 0);
}

static void layout_init(struct layout *l, const struct table *t, FILE *out)
{
	*l = (struct layout){.t = t, .out = out, .gap = 2};
	l->width = xcalloc(t->ncols, sizeof(*l->width));
	while (l->nkeys < t->ncols && t->col[l->nkeys].flags & COL_KEY)
		l->nkeys++;
	for (size_t i = 0; i < t->ncols; i++) {
		l->width[i] = max_size(strlen(t->col[i].head), strlen(t->col[i].unit));
		for (size_t r = 0; r < table_rows(t); r++)
			l->width[i] = max_size(l->width[i], cell_width(t, r, i));
	}
	if (block_width(l, l->nkeys, t->ncols) > TABLE_WIDTH)
		l->gap = 1;
}

static void pad(FILE *out, size_t n, char c)
{
	while (n--)
		fputc(c, out);
}

/* one line of cells; trailing blanks are kept off so that mails do not wrap */
struct line {
	char buf[2048];
	size_t len;
};

static void line_add(struct line *s, const char *text, size_t n)
{
	if (s->len + n >= sizeof(s->buf))
		n = sizeof(s->buf) - 1 - s->len;
	memcpy(s->buf + s->len, text, n);
	s->len += n;
}

static void line_fill(struct line *s, size_t n, char c)
{
	while (n--)
		line_add(s, &c, 1);
}

static void line_end(struct line *s, FILE *out)
{
	while (s->len && s->buf[s->len - 1] == ' ')
		s->len--;
	s->buf[s->len] = '\0';
	fprintf(out, "%s\n", s->buf);
	s->len = 0;
}

static void put_cell(const struct layout *l, struct line *s, size_t col, const char *text, bool first)
{
	bool box = l->t->rules == RULES_BOX;
	size_t n = strlen(text), fill = l->width[col] - n;
	bool left = l->t->col[col].flags & COL_LEFT;

	if (box)
		line_add(s, first ? "| " : " | ", first ? 2 : 3);
	else if (!first)
		line_fill(s, l->gap, ' ');
	if (!left)
		line_fill(s, fill, ' ');
	line_add(s, text, n);
	if (left)
		line_fill(s, fill, ' ');
}

/* what stands in a row: a data cell, or the head (row -1) or its unit (row -2) */
static const char *row_text(const struct table *t, long row, size_t col, char *buf, size_t size)
{
	const struct cell *above;

	if (row == -1)
		return t->col[col].head;
	if (row == -2)
		return t->col[col].unit;
	table_cell_text(t, (size_t)row, col, buf, size);
	if (row > 0 && t->col[col].flags & COL_GROUP) {
		above = &t->cell[(size_t)(row - 1) * t->ncols + col];
		if (above->text && !strcmp(above->text, buf))
			return "";
	}
	return buf;
}

static void write_line(const struct layout *l, long row, size_t from, size_t to)
{
	struct line s = {.len = 0};
	char buf[CELL_MAX];

	for (size_t i = 0; i < to; i++) {
		if (i >= l->nkeys && i < from)
			continue;
		put_cell(l, &s, i, row_text(l->t, row, i, buf, sizeof(buf)), i == 0);
	}
	if (l->t->rules == RULES_BOX)
		line_add(&s, " |", 2);
	line_end(&s, l->out);
}

static void write_rule(const struct layout *l, size_t from, size_t to)
{
	static const char chars[] = {[RULES_DASH] = '-', [RULES_BOX] = '-', [RULES_TILDE] = '~'};

	if (l->t->rules == RULES_NONE)
		return;
	pad(l->out, block_width(l, from, to), chars[l->t->rules]);
	fputc('\n', l->out);
}

static void write_block(const struct layout *l, size_t from, size_t to)
{
	const struct table *t = l->t;
	bool units = false;

	for (size_t i = 0; i < to; i++)
		units |= (i < l->nkeys || i >= from) && *t->col[i].unit;
	if (t->rules == RULES_BOX || t->rules == RULES_TILDE)
		write_rule(l, from, to);
	write_line(l, -1, from, to);
	if (units)
		write_line(l, -2, from, to);
	write_rule(l, from, to);
	for (size_t r = 0; r < table_rows(t); r++) {
		if (r && r < t->nrules && t->rule[r])
			write_rule(l, from, to);
		write_line(l, (long)r, from, to);
	}
	if (t->rules == RULES_BOX || t->rules == RULES_TILDE)
		write_rule(l, from, to);
}

/* the first column of the next block: what does not fit, or a better place before it */
static size_t next_block(const struct layout *l, size_t from)
{
	const struct table *t = l->t;
	size_t to = from < t->ncols ? from + 1 : from;

	while (to < t->ncols && block_width(l, from, to + 1) <= TABLE_WIDTH)
		to++;
	for (size_t i = to; to < t->ncols && i > from; i--)
		if (t->col[i].flags & COL_BREAK)
			return i;
	return to;
}

static void write_text(const struct table *t, FILE *out)
{
	struct layout l;
	size_t from, to;

	layout_init(&l, t, out);
	if (*t->caption)
		fprintf(out, "%s\n", t->caption);
	for (from = l.nkeys; from < t->ncols || from == l.nkeys; from = to) {
		to = next_block(&l, from);
		if (from > l.nkeys)
			fputc('\n', out);
		write_block(&l, from, to);
		if (to == t->ncols)
			break;
	}
	for (size_t i = 0; i < t->nnotes; i++)
		table_wrap(out, "  ", "  ", t->note[i]);
	free(l.width);
}

static void md_text(FILE *out, const char *s)
{
	for (; *s; s++) {
		if (strchr("|\\*_<>`", *s))
			fputc('\\', out);
		fputc(*s, out);
	}
}

static void write_md(const struct table *t, FILE *out)
{
	char buf[CELL_MAX];

	if (*t->caption) {
		fputs("**", out);
		md_text(out, t->caption);
		fputs("**\n\n", out);
	}
	for (size_t i = 0; i < t->ncols; i++) {
		fputs("| ", out);
		md_text(out, t->col[i].head);
		if (*t->col[i].unit)
			fprintf(out, " (%s)", t->col[i].unit);
		fputc(' ', out);
	}
	fputs("|\n", out);
	for (size_t i = 0; i < t->ncols; i++)
		fputs(t->col[i].flags & COL_LEFT ? "|---" : "|---:", out);
	fputs("|\n", out);
	for (size_t r = 0; r < table_rows(t); r++) {
		for (size_t i = 0; i < t->ncols; i++) {
			fputs("| ", out);
			md_text(out, table_cell_text(t, r, i, buf, sizeof(buf)));
			fputc(' ', out);
		}
		fputs("|\n", out);
	}
	if (t->nnotes)
		fputc('\n', out);
	for (size_t i = 0; i < t->nnotes; i++) {
		fputs("- ", out);
		md_text(out, t->note[i]);
		fputc('\n', out);
	}
}

static void csv_text(FILE *out, const char *s)
{
	if (!s[strcspn(s, ",\"\n")]) {
		fputs(s, out);
		return;
	}
	fputc('"', out);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', out);
		fputc(*s, out);
	}
	fputc('"', out);
}

static void csv_cell(FILE *out, const struct cell *c)
{
	switch (c->kind) {
	case CELL_NONE:
		break;
	case CELL_TEXT:
		csv_text(out, c->text);
		break;
	case CELL_INT:
		fprintf(out, "%lld", (long long)c->i);
		break;
	case CELL_REAL:
		fprintf(out, "%.12g", c->d);
	}
}

static void write_csv(const struct table *t, FILE *out)
{
	if (*t->caption)
		fprintf(out, "# %s\n", t->caption);
	for (size_t i = 0; i < t->nnotes; i++)
		fprintf(out, "# %s\n", t->note[i]);
	for (size_t i = 0; i < t->ncols; i++) {
		if (i)
			fputc(',', out);
		csv_text(out, t->col[i].key);
	}
	fputc('\n', out);
	for (size_t i = 0; i < t->ncells; i++) {
		csv_cell(out, &t->cell[i]);
		fputc((i + 1) % t->ncols ? ',' : '\n', out);
	}
}

void table_write(const struct table *t, enum out_format format, FILE *out)
{
	if (!t->ncols)
		return;
	if (format == FORMAT_CSV)
		write_csv(t, out);
	else if (format == FORMAT_MD)
		write_md(t, out);
	else if (format == FORMAT_HTML)
		table_html(t, out);
	else
		write_text(t, out);
}

void table_wrap(FILE *out, const char *first, const char *next, const char *text)
{
	size_t col = (size_t)fprintf(out, "%s", first), n;
	bool begin = true;

	while (*(text += strspn(text, " "))) {
		n = strcspn(text, " ");
		if (!begin && col + 1 + n > TABLE_WIDTH) {
			fputc('\n', out);
			col = (size_t)fprintf(out, "%s", next);
			begin = true;
		}
		if (!begin)
			fputc(' ', out);
		fwrite(text, 1, n, out);
		col += n + !begin;
		begin = false;
		text += n;
	}
	fputc('\n', out);
}
