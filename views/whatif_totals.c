// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/whatif_totals.h"
#include "views/words.h"

#include <string.h>

static void count_up(const struct run *r, struct figure *f, bool right)
{
	uint64_t periods = 0, above = 0, below = 0, ticks = 0, aborted = 0;

	for (int i = 0; i < STATES_MAX; i++) {
		periods += r->total[i].usage;
		above += r->total[i].above;
		below += r->total[i].below;
	}
	for (int i = 0; i < r->ncpus; i++) {
		ticks += r->cpu[i].ticks;
		aborted += r->cpu[i].aborted;
	}
	*(right ? &f[0].right : &f[0].left) = (int64_t)above;
	*(right ? &f[1].right : &f[1].left) = (int64_t)below;
	*(right ? &f[5].right : &f[5].left) = (int64_t)periods;
	*(right ? &f[6].right : &f[6].left) = (int64_t)ticks;
	*(right ? &f[7].right : &f[7].left) = (int64_t)aborted;
	*(right ? &f[6].right_known : &f[6].left_known) = r->ticks_known;
	*(right ? &f[7].right_known : &f[7].left_known) = r->ticks_known;
}

static bool compared(const struct run *r)
{
	return r->change.changed + r->change.same > 0;
}

static void time_up(const struct run *r, struct figure *f, bool right)
{
	bool known = !r->recorded || r->wake_latency.known;

	*(right ? &f[2].right : &f[2].left) = r->latency_paid_ns;
	*(right ? &f[2].right_known : &f[2].left_known) = known;
	*(right ? &f[3].right : &f[3].left) = r->wake_latency.p99_ns;
	*(right ? &f[3].right_known : &f[3].left_known) = r->wake_latency.known;
	*(right ? &f[4].right : &f[4].left) = r->regret_ns;
	*(right ? &f[4].right_known : &f[4].left_known) = compared(r) || r->regret_ns;
}

int totals_figures(const struct session *s, struct figure *out)
{
	static const struct figure names[] = {
		{"above (too deep)", "above", FIGURE_COUNT, true, true, 0, 0},
		{"below (too shallow)", "below", FIGURE_COUNT, true, true, 0, 0},
		{"exit latency paid", "latency_paid_ns", FIGURE_TIME, false, false, 0, 0},
		{"wake latency p99", "wake_latency_p99_ns", FIGURE_TIME, false, false, 0, 0},
		{"cost of misses", "regret_ns", FIGURE_TIME, false, false, 0, 0},
		{"idle periods", "periods", FIGURE_COUNT, true, true, 0, 0},
		{"ticks in idle", "ticks", FIGURE_COUNT, false, false, 0, 0},
		{"aborted entries", "aborted", FIGURE_COUNT, false, false, 0, 0},
	};
	bool guessed = s->machine->source == MACHINE_GUESSED;

	memcpy(out, names, sizeof(names));
	count_up(session_get(s, s->left), out, false);
	time_up(session_get(s, s->left), out, false);
	if (session_ready(s, s->right)) {
		count_up(session_get(s, s->right), out, true);
		time_up(session_get(s, s->right), out, true);
	}
	for (int i = 0; i < 2 && guessed; i++)
		out[i].left_known = out[i].right_known = false;
	return (int)ARRAY_SIZE(names);
}

static const char *figure_text(char *buf, size_t size, const struct figure *f, bool known, int64_t v)
{
	char digits[32];

	if (!known)
		snprintf(buf, size, "–");
	else if (f->kind == FIGURE_TIME)
		words_length(buf, size, v, UNITS_AUTO);
	else
		snprintf(buf, size, "%s%s", v < 0 ? "-" : "",
			words_count(digits, sizeof(digits), (uint64_t)(v < 0 ? -v : v)));
	return buf;
}

static void draw_figure(struct canvas *c, int x, int y, const struct figure *f)
{
	bool both = f->left_known && f->right_known;
	int64_t d = f->right - f->left;
	enum role role = d < 0 ? ROLE_FINE : d > 0 ? ROLE_ABOVE : ROLE_TEXT;
	char buf[40], signed_buf[48];

	canvas_text(c, x, y, ROLE_LABEL, f->name);
	canvas_right(c, x + 33, y, ROLE_TEXT, figure_text(buf, sizeof(buf), f, f->left_known, f->left));
	canvas_right(c, x + 45, y, ROLE_TEXT, figure_text(buf, sizeof(buf), f, f->right_known, f->right));
	if (!both)
		return;
	snprintf(signed_buf, sizeof(signed_buf), "%s%s", d > 0 ? "+" : "",
		figure_text(buf, sizeof(buf), f, true, d));
	canvas_right(c, x + 57, y, d ? role : ROLE_DIM, signed_buf);
	if (d && f->left) {
		snprintf(buf, sizeof(buf), "%+.1f%%", 100.0 * (double)d / (double)f->left);
		canvas_right(c, x + 66, y, role, buf);
	}
}

static void draw_shares(const struct session *s, struct canvas *c, int x, int y, int r)
{
	const struct run *run = session_get(s, r);
	int64_t all = 0;

	for (int i = 0; i < STATES_MAX; i++)
		all += run->total[i].time_ns;
	x = canvas_textf(c, x, y, ROLE_LABEL, "%-9.9s", s->run[r]->name);
	for (int i = 0; i < STATES_MAX; i++)
		if (run->total[i].usage && all)
			x = canvas_textf(c, x + 1, y, theme_state(i), "%d:%.1f%%", i,
				100.0 * (double)run->total[i].time_ns / (double)all);
}

static void draw_changes(const struct session *s, struct canvas *c, int x, int y)
{
	const struct run_change *ch = &session_get(s, s->right)->change;
	char buf[4][32];

	if (s->left != 0 || !compared(session_get(s, s->right)))
		return;
	canvas_textf(c, x, y, ROLE_TEXT, "changed %s  better %s  worse %s  same %s",
		words_count(buf[0], sizeof(buf[0]), ch->changed),
		words_count(buf[1], sizeof(buf[1]), ch->better),
		words_count(buf[2], sizeof(buf[2]), ch->worse),
		words_count(buf[3], sizeof(buf[3]), ch->same));
}

/* wide: figures left, the rest to their right; narrow: shares and changes first, then figures */
void totals_draw(const struct session *s, struct canvas *c, struct area a)
{
	struct figure f[FIGURES_MAX];
	int n = totals_figures(s, f), y = a.y, x = a.x + 1;
	int tail = a.h >= 8 ? 3 : 0;
	bool ready = session_ready(s, s->right);
	char left[24], right[24];

	snprintf(left, sizeof(left), "%.11s", s->run[s->left]->name);
	snprintf(right, sizeof(right), "%.11s", s->run[s->right]->name);
	canvas_right(c, x + 33, y, ROLE_HEADING, left);
	canvas_right(c, x + 45, y, ROLE_HEADING, right);
	canvas_right(c, x + 57, y, ROLE_HEADING, "difference");
	for (int i = 0; i < n && i + 1 < a.h - tail; i++)
		draw_figure(c, x, y + 1 + i, &f[i]);
	if (!tail)
		return;
	y = a.y + a.h - 3;
	draw_shares(s, c, x, y, s->left);
	if (ready)
		draw_shares(s, c, x, y + 1, s->right);
	if (ready)
		draw_changes(s, c, x, y + 2);
}

static void table_figure(struct table *t, const struct figure *f, bool known, int64_t v)
{
	if (!known)
		table_none(t);
	else if (f->kind == FIGURE_TIME)
		table_real(t, (double)v / 1e6);
	else
		table_int(t, v);
}

void totals_table(const struct session *s, struct table *out)
{
	struct figure f[FIGURES_MAX];
	int n = totals_figures(s, f);

	table_init(out, "%s  %s against %s, wake times as recorded", s->file,
		session_get(s, s->left)->label, session_get(s, s->right)->label);
	table_column(out, "figure", "", "figure", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "unit", "", "unit", 1, 0, COL_LEFT);
	table_column(out, s->run[s->left]->name, "", "left", 1, 3, 0);
	table_column(out, s->run[s->right]->name, "", "right", 1, 3, 0);
	table_column(out, "difference", "", "difference", 1, 3, COL_SIGN);
	table_column(out, "change", "%", "change", 0.01, 1, COL_SIGN);
	for (int i = 0; i < n; i++) {
		bool both = f[i].left_known && f[i].right_known;

		table_text(out, "%s", f[i].name);
		table_text(out, "%s", f[i].kind == FIGURE_TIME ? "ms" : "");
		table_figure(out, &f[i], f[i].left_known, f[i].left);
		table_figure(out, &f[i], f[i].right_known, f[i].right);
		table_figure(out, &f[i], both, f[i].right - f[i].left);
		if (both && f[i].left)
			table_real(out, (double)(f[i].right - f[i].left) / (double)f[i].left);
		else
			table_none(out);
	}
	table_note(out, "requested state, not hardware residency; replayed with wake times as recorded");
	if (s->trace->emulated)
		table_note(out, "the recording was made on an emulated machine");
}
