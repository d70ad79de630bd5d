// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/table.h"

void html_text(FILE *out, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*s, out);
		}
	}
}

static void html_head(const struct table *t, FILE *out)
{
	fputs("<tr>", out);
	for (size_t i = 0; i < t->ncols; i++) {
		fprintf(out, "<th%s>", t->col[i].flags & COL_LEFT ? " class=l" : "");
		html_text(out, t->col[i].head);
		if (*t->col[i].unit) {
			fputs("<br>", out);
			html_text(out, t->col[i].unit);
		}
		fputs("</th>", out);
	}
	fputs("</tr>\n", out);
}

void table_html(const struct table *t, FILE *out)
{
	char buf[256];

	fputs("<table>\n", out);
	if (*t->caption) {
		fputs("<caption>", out);
		html_text(out, t->caption);
		fputs("</caption>\n", out);
	}
	html_head(t, out);
	for (size_t r = 0; r < table_rows(t); r++) {
		fprintf(out, "<tr%s>", r && r < t->nrules && t->rule[r] ? " class=rule" : "");
		for (size_t i = 0; i < t->ncols; i++) {
			fprintf(out, "<td%s>", t->col[i].flags & COL_LEFT ? " class=l" : "");
			html_text(out, table_cell_text(t, r, i, buf, sizeof(buf)));
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</table>\n", out);
	if (!t->nnotes)
		return;
	fputs("<p class=note>", out);
	for (size_t i = 0; i < t->nnotes; i++) {
		if (i)
			fputs("; ", out);
		html_text(out, t->note[i]);
	}
	fputs("</p>\n", out);
}
