// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle decisions: one row per decision; with -g what a governor taught by the recording would do. */
#include <stdlib.h>
#include <string.h>

#include "src/cmd_verify.h"
#include "src/cmd_decision_rows.h"
#include "src/output.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_subject.h"
#include "src/subcommand.h"

/* rows go out one by one: a recording has more of them than fit into a table's memory */
struct listing {
	const struct options *o;
	const struct recording *rec;
	struct decision_rows rows;
	FILE *out;
};

static bool shown(const struct listing *l, int cell)
{
	return l->rows.replayed || !decision_columns[cell].replay;
}

static void print_head(const struct listing *l)
{
	struct header h;

	header_begin(&h, l->out, l->o->format, "decisions");
	header_recording(&h, l->rec);
	if (l->rows.replayed)
		header_line(&h, "governor", "%s, taught by the recording; a choice that its inputs do not "
			"settle has a ?", l->rows.spec.label);
	header_line(&h, "rows", "%zu decisions; timer: sleep length given to the governor; tick: on or "
		"off before the decision; got: the tick ended it; cost: idle length short of or beyond "
		"the right residency; aborted decisions have no state, those that the recording cuts off "
		"no length", l->rows.n);
	header_warnings(&h, l->rec);
	header_command(&h, l->o);
	header_end(&h);
}

/* state names are as long as the machine's driver made them */
static int width_of(const struct listing *l, int cell)
{
	const struct machine *m = &l->rec->machine;
	int width = decision_columns[cell].width;

	if (cell != CELL_STATE && cell != CELL_IDEAL && cell != CELL_REPLAYED)
		return width;
	for (int i = 0; i < m->ntables; i++)
		for (int s = 0; s < m->tables[i].nstates; s++) {
			int n = (int)strlen(m->tables[i].state[s].name) + (cell == CELL_REPLAYED);

			width = n > width ? n : width;
		}
	return width;
}

static void text_line(const struct listing *l, const char *(*cell)(const struct listing *, size_t, int,
	char *, size_t), size_t row)
{
	char line[400], buf[220];
	size_t n = 0;

	for (int i = 0; i < CELL_COUNT; i++) {
		const struct decision_column *c = &decision_columns[i];

		if (!shown(l, i) || n + 240 > sizeof(line))
			continue;
		n += (size_t)snprintf(line + n, sizeof(line) - n, c->left ? "%-*s " : "%*s ", width_of(l, i),
			cell(l, row, i, buf, sizeof(buf)));
	}
	while (n && line[n - 1] == ' ')
		n--;
	fprintf(l->out, "%.*s\n", (int)n, line);
}

static const char *head_cell(const struct listing *l, size_t row, int cell, char *buf, size_t size)
{
	(void)l;
	copy_text(buf, size, row ? decision_columns[cell].unit : decision_columns[cell].head);
	return buf;
}

static const char *body_cell(const struct listing *l, size_t row, int cell, char *buf, size_t size)
{
	rows_cell(&l->rows, row, (enum decision_cell)cell, false, buf, size);
	/* a long name would push the columns after it aside */
	if (cell != CELL_BELIEVED)
		buf[width_of(l, cell)] = '\0';
	return buf;
}

static void print_text(const struct listing *l)
{
	text_line(l, head_cell, 0);
	text_line(l, head_cell, 1);
	for (size_t i = 0; i < l->rows.n && !ferror(l->out); i++)
		text_line(l, body_cell, i);
}

static void print_md(const struct listing *l)
{
	char buf[220];

	for (int i = 0; i < CELL_COUNT; i++)
		if (shown(l, i))
			fprintf(l->out, "| %s%s%s ", decision_columns[i].head,
				*decision_columns[i].unit ? " " : "", decision_columns[i].unit);
	fputs("|\n", l->out);
	for (int i = 0; i < CELL_COUNT; i++)
		if (shown(l, i))
			fputs(decision_columns[i].left ? "|:--" : "|--:", l->out);
	fputs("|\n", l->out);
	for (size_t r = 0; r < l->rows.n && !ferror(l->out); r++) {
		for (int i = 0; i < CELL_COUNT; i++)
			if (shown(l, i))
				fprintf(l->out, "| %s ", rows_cell(&l->rows, r, (enum decision_cell)i,
					false, buf, sizeof(buf)));
		fputs("|\n", l->out);
	}
}

static void csv_cell(FILE *out, const char *s)
{
	if (!strpbrk(s, ",\"\n")) {
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

static void print_csv(const struct listing *l)
{
	char buf[220];

	for (int i = 0; i < CELL_COUNT; i++)
		if (shown(l, i))
			fprintf(l->out, "%s%s", i ? "," : "", decision_columns[i].key);
	fputc('\n', l->out);
	for (size_t r = 0; r < l->rows.n && !ferror(l->out); r++) {
		for (int i = 0; i < CELL_COUNT; i++) {
			if (!shown(l, i))
				continue;
			if (i)
				fputc(',', l->out);
			csv_cell(l->out, rows_cell(&l->rows, r, (enum decision_cell)i, true, buf,
				sizeof(buf)));
		}
		fputc('\n', l->out);
	}
}

static bool is_number(int cell)
{
	return !decision_columns[cell].left;
}

static bool is_flag(int cell)
{
	return cell == CELL_TICK || cell == CELL_GOT_TICK || cell == CELL_STOP;
}

static json_t *json_cell(int cell, const char *s)
{
	if (is_flag(cell))
		return *s ? json_boolean(*s == '1') : json_null();
	if (is_number(cell) && *s && strcmp(s, "none"))
		return json_integer(strtoll(s, NULL, 10));
	return is_number(cell) ? json_null() : json_text(s);
}

static json_t *json_row(const struct listing *l, size_t r)
{
	const struct decision_row *row = &l->rows.row[r];
	const struct decision *d = &l->rec->decisions.cpu[row->cpu].d[row->index];
	json_t *o = json_object();
	char buf[220];

	for (int i = 0; i < CELL_COUNT; i++)
		if (shown(l, i))
			json_object_set_new(o, decision_columns[i].key,
				json_cell(i, rows_cell(&l->rows, r, (enum decision_cell)i, true, buf,
					sizeof(buf))));
	json_object_set_new(o, "chosen", d->chosen < 0 ? json_null() : json_integer(d->chosen));
	json_object_set_new(o, "aborted", json_boolean(d->flags & DEC_ABORTED));
	json_object_set_new(o, "forced", json_boolean(d->flags & DEC_FORCED));
	if (l->rows.replayed)
		json_object_set_new(o, "undetermined",
			json_boolean(l->rows.choice[row->cpu][row->index].undetermined));
	return o;
}

/* one document, but its rows are written as they are made */
static void print_json(const struct listing *l)
{
	json_t *doc = json_recording_document("decisions", l->rec);
	char *head;
	size_t len;

	json_object_set_new(
		doc, "governor", l->rows.replayed ? json_text(l->rows.spec.label) : json_null());
	head = json_dumps(doc, JSON_INDENT(1));
	json_decref(doc);
	if (!head)
		return;
	len = strlen(head);
	while (len && (head[len - 1] == '}' || head[len - 1] == '\n')) {
		bool last = head[len - 1] == '}';

		len--;
		if (last)
			break;
	}
	fprintf(l->out, "%.*s,\n \"decisions\": [", (int)len, head);
	free(head);
	for (size_t r = 0; r < l->rows.n && !ferror(l->out); r++) {
		json_t *row = json_row(l, r);

		fputs(r ? ",\n  " : "\n  ", l->out);
		json_dumpf(row, l->out, JSON_COMPACT);
		json_decref(row);
	}
	fputs("\n ]\n}\n", l->out);
}

static void print(const struct listing *l)
{
	if (l->o->format == FORMAT_JSON) {
		print_json(l);
		return;
	}
	if (l->o->format == FORMAT_CSV) {
		print_csv(l);
		return;
	}
	if (!l->o->quiet)
		print_head(l);
	if (l->o->format == FORMAT_MD)
		print_md(l);
	else
		print_text(l);
}

static int fill_and_print(struct listing *l, const struct selection *sel, struct error *err)
{
	struct replay_options opt = verify_options(l->o);
	struct output out;
	struct gov_spec spec;

	if (rows_gather(&l->rows, l->rec, sel, l->o->sort, err))
		return -1;
	if (l->o->governors.n && (verify_governor(&spec, l->o, l->rec, err) ||
				       rows_replay(&l->rows, &spec, &opt, err)))
		return -1;
	if (output_open(&out, l->o->output, err))
		return -1;
	l->out = out.f;
	print(l);
	return output_close(&out, err);
}

static int run(const struct options *o, struct error *err)
{
	struct recording rec;
	struct listing l = {.o = o, .rec = &rec};
	struct selection sel;
	int ret = -1;

	if (o->files.n != 1)
		return error_set(err, EXIT_USAGE, "decisions takes one recording");
	ret = recording_open(&rec, o->files.s[0], o, NEED_DECISIONS, progress_for(o),
		(void *)o->files.s[0], err);
	close_progress(o);
	if (ret)
		return -1;
	ret = -1;
	if (!recording_select(&sel, &rec, o, err)) {
		ret = fill_and_print(&l, &sel, err);
		rows_free(&l.rows);
		selection_free(&sel);
	}
	recording_close(&rec);
	return ret;
}

const struct subcommand cmd_decisions = {
	.name = "decisions",
	.usage = "FILE [-g GOV]",
	.summary = "one row per decision; with -g also the replayed choice",
	.run = run,
};
