// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/whatif_totals.h"
#include "views/selfcheck.h"
#include "views/words.h"

#include <math.h>
#include <string.h>

enum { F_ABOVE, F_BELOW, F_PAID, F_P99, F_COST, F_ENERGY, F_PERIODS, F_TICKS, F_ABORTED, F_COUNT };

static struct figure_value exactly(int64_t v, bool known)
{
	return (struct figure_value){known, v, v};
}

static struct figure_value one_more(struct figure_value v, int64_t least, int64_t most)
{
	return (struct figure_value){true, v.least + least, v.most + most};
}

/* least and most, where a recording holds little: the truth lies between */
static void count_states(const struct session_run *r, const struct run *run, struct figure_value *v)
{
	v[F_ABOVE] = v[F_BELOW] = v[F_PERIODS] = exactly(0, true);
	for (int i = 0; i < STATES_MAX; i++) {
		const struct state_sum *t = &run->total[i];
		const struct state_span *s = &r->span[i];

		v[F_ABOVE] = one_more(v[F_ABOVE], (int64_t)(r->bounded ? s->above[0] : t->above),
			(int64_t)(r->bounded ? s->above[1] : t->above));
		v[F_BELOW] = one_more(v[F_BELOW], (int64_t)(r->bounded ? s->below[0] : t->below),
			(int64_t)(r->bounded ? s->below[1] : t->below));
		v[F_PERIODS] = one_more(v[F_PERIODS], (int64_t)(r->bounded ? s->usage[0] : t->usage),
			(int64_t)(r->bounded ? s->usage[1] : t->usage));
	}
}

static bool compared(const struct run *r)
{
	return r->change.changed + r->change.same > 0;
}

static void count_up(const struct session *s, int i, struct figure_value *v)
{
	const struct session_run *r = s->run[i];
	const struct run *run = session_get(s, i);
	bool powers = !isnan(r->energy[ENERGY_ASSUMED]);
	double energy = powers ? r->energy[ENERGY_ASSUMED] : 0;

	count_states(r, run, v);
	v[F_TICKS] = v[F_ABORTED] = exactly(0, run->ticks_known);
	for (int k = 0; k < run->ncpus && run->ticks_known; k++) {
		v[F_TICKS] = one_more(v[F_TICKS], (int64_t)run->cpu[k].ticks, (int64_t)run->cpu[k].ticks);
		v[F_ABORTED] = one_more(v[F_ABORTED], (int64_t)run->cpu[k].aborted,
			(int64_t)run->cpu[k].aborted);
	}
	v[F_PAID] = exactly(run->latency_paid_ns, run->wake_latency.known);
	v[F_P99] = exactly(run->wake_latency.p99_ns, run->wake_latency.known);
	v[F_COST] = exactly(run->regret_ns, !r->bounded && (compared(run) || run->regret_ns));
	v[F_ENERGY] = exactly((int64_t)(energy * 1e6 + 0.5), powers && !r->bounded);
	if (s->machine->source == MACHINE_GUESSED)
		v[F_ABOVE].known = v[F_BELOW].known = false;
}

int totals_figures(const struct session *s, struct figure *out)
{
	static const struct figure names[F_COUNT] = {
		[F_ABOVE] = {.name = "above (too deep)", .key = "above"},
		[F_BELOW] = {.name = "below (too shallow)", .key = "below"},
		[F_PAID] = {.name = "exit latency paid", .key = "latency_paid_ns", .kind = FIGURE_TIME},
		[F_P99] = {.name = "wake latency p99", .key = "wake_latency_p99_ns", .kind = FIGURE_TIME},
		[F_COST] = {.name = "cost of misses", .key = "regret_ns", .kind = FIGURE_TIME},
		[F_ENERGY] = {.name = "energy, relative", .key = "energy", .kind = FIGURE_SHARE},
		[F_PERIODS] = {.name = "idle periods", .key = "periods"},
		[F_TICKS] = {.name = "ticks in idle", .key = "ticks"},
		[F_ABORTED] = {.name = "aborted entries", .key = "aborted"},
	};
	struct figure_value left[F_COUNT] = {0}, right[F_COUNT] = {0};
	int n = 0;

	count_up(s, s->left, left);
	if (session_ready(s, s->right))
		count_up(s, s->right, right);
	for (int i = 0; i < F_COUNT; i++) {
		/* the recording's own energy is 1 by definition: alone it says nothing */
		if (i == F_ENERGY && !(right[i].known && left[i].known))
			continue;
		out[n] = names[i];
		out[n].left = left[i];
		out[n++].right = right[i];
	}
	return n;
}

static const char *amount(char *buf, size_t size, enum figure_kind kind, int64_t v)
{
	char digits[32];

	if (kind == FIGURE_TIME)
		words_length(buf, size, v, UNITS_AUTO);
	else if (kind == FIGURE_SHARE)
		snprintf(buf, size, "%.2f%%", (double)v / 1e4);
	else
		snprintf(buf, size, "%s%s", v < 0 ? "-" : "",
			words_count(digits, sizeof(digits), (uint64_t)(v < 0 ? -v : v)));
	return buf;
}

static const char *figure_text(char *buf, size_t size, const struct figure *f, const struct figure_value *v)
{
	if (!v->known)
		snprintf(buf, size, "–");
	else if (v->least != v->most)
		snprintf(buf, size, "%lld..%lld", (long long)v->least, (long long)v->most);
	else
		amount(buf, size, f->kind, v->least);
	return buf;
}

static void draw_difference(struct canvas *c, int x, int y, const struct figure *f)
{
	int64_t least = f->right.least - f->left.most, most = f->right.most - f->left.least;
	enum role role = most < 0 ? ROLE_FINE : least > 0 ? ROLE_ABOVE : ROLE_TEXT;
	char buf[48], text[56];

	if (least != most) {
		snprintf(buf, sizeof(buf), "%+lld..%+lld", (long long)least, (long long)most);
		canvas_right(c, x + 66, y, role, buf);
		return;
	}
	snprintf(text, sizeof(text), "%s%s", most > 0 ? "+" : "", amount(buf, sizeof(buf), f->kind, most));
	canvas_right(c, x + 57, y, most ? role : ROLE_DIM, text);
	if (most && f->left.least && f->kind != FIGURE_SHARE) {
		snprintf(buf, sizeof(buf), "%+.1f%%", 100.0 * (double)most / (double)f->left.least);
		canvas_right(c, x + 66, y, role, buf);
	}
}

static void draw_figure(struct canvas *c, int x, int y, const struct figure *f)
{
	char buf[48];

	canvas_text(c, x, y, ROLE_LABEL, f->name);
	canvas_right(c, x + 33, y, ROLE_TEXT, figure_text(buf, sizeof(buf), f, &f->left));
	canvas_right(c, x + 45, y, ROLE_TEXT, figure_text(buf, sizeof(buf), f, &f->right));
	if (f->left.known && f->right.known)
		draw_difference(c, x, y, f);
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

/* what the assumed ratio of two states' powers does; false: the powers were given */
static bool energy_range(const double *energy, double *least, double *most)
{
	*least = fmin(energy[ENERGY_LOWER], energy[ENERGY_HIGHER]);
	*most = fmax(energy[ENERGY_LOWER], energy[ENERGY_HIGHER]);
	return *most > *least;
}

static void draw_changes(const struct session *s, struct canvas *c, int x, int y)
{
	const struct session_run *r = s->run[s->right];
	const struct run_change *ch = &session_get(s, s->right)->change;
	double least, most;
	char buf[4][32];

	if (s->left != 0 || !compared(session_get(s, s->right)) || r->bounded)
		return;
	x = canvas_textf(c, x, y, ROLE_TEXT, "changed %s better %s worse %s same %s",
		words_count(buf[0], sizeof(buf[0]), ch->changed),
		words_count(buf[1], sizeof(buf[1]), ch->better),
		words_count(buf[2], sizeof(buf[2]), ch->worse),
		words_count(buf[3], sizeof(buf[3]), ch->same));
	if (isnan(r->energy[ENERGY_ASSUMED]))
		return;
	x = canvas_textf(c, x + 2, y, ROLE_TEXT, "energy %.2f%%", 100 * r->energy[ENERGY_ASSUMED]);
	if (energy_range(r->energy, &least, &most))
		canvas_textf(c, x + 1, y, ROLE_DIM, "(%.1f..%.1f)", 100 * least, 100 * most);
}

/* to the right of the figures, where there is room for them */
#define BLOCK_X 70
#define BLOCK_W 30

static void draw_check_block(const struct session *s, struct canvas *c, int x, int y)
{
	const struct self_check *k = &s->check.result;

	canvas_text(c, x, y, ROLE_HEADING, "self check, recorded governor");
	if (s->check.status != RUN_READY) {
		canvas_foreign(c, x, y + 1, ROLE_DIM,
			s->check.status == RUN_FAILED ? s->check.why : "being replayed", BLOCK_W);
		return;
	}
	canvas_textf(c, x, y + 1, ROLE_TEXT, "%.2f%% of sojourns alike", 100 * k->same_sequences);
	canvas_textf(c, x, y + 2, ROLE_TEXT, "time off %.3f%% of the span", 100 * k->time_error);
	canvas_textf(c, x, y + 3, ROLE_TEXT, "usage off %.2f%%", 100 * k->usage_error);
	canvas_text(c, x, y + 4, ROLE_DIM, "less than that is no finding");
}

/* how many lines below the figures: check where it has no block, shares of both, changes */
static int tail_lines(struct area a, bool block)
{
	return a.h >= 8 ? 3 + !block : a.h >= 4 ? !block : 0;
}

static void draw_tail(const struct session *s, struct canvas *c, struct area a, int lines, bool block)
{
	int x = a.x + 1, y = a.y + a.h - lines;
	bool ready = session_ready(s, s->right);
	char check[160];

	if (!block && lines)
		canvas_foreign(c, x, y++, ROLE_DIM, selfcheck_line(s, true, check, sizeof(check)), a.w - 2);
	if (lines < 3)
		return;
	draw_shares(s, c, x, y, s->left);
	if (ready)
		draw_shares(s, c, x, y + 1, s->right);
	if (ready)
		draw_changes(s, c, x, y + 2);
}

void totals_draw(const struct session *s, struct canvas *c, struct area a)
{
	struct figure f[FIGURES_MAX];
	bool block = a.w >= BLOCK_X + BLOCK_W && a.h >= 8;
	int n = totals_figures(s, f), x = a.x + 1, tail = tail_lines(a, block);
	char left[24], right[24];

	snprintf(left, sizeof(left), "%.11s", s->run[s->left]->name);
	snprintf(right, sizeof(right), "%.11s", s->run[s->right]->name);
	canvas_right(c, x + 33, a.y, ROLE_HEADING, left);
	canvas_right(c, x + 45, a.y, ROLE_HEADING, right);
	canvas_right(c, x + 57, a.y, ROLE_HEADING, "difference");
	for (int i = 0; i < n && i + 1 < a.h - tail; i++)
		draw_figure(c, x, a.y + 1 + i, &f[i]);
	if (block)
		draw_check_block(s, c, a.x + BLOCK_X, a.y);
	draw_tail(s, c, a, tail, block);
}

static void table_figure(struct table *t, const struct figure *f, bool known, int64_t v)
{
	if (!known)
		table_none(t);
	else if (f->kind == FIGURE_TIME)
		table_real(t, (double)v / 1e6);
	else if (f->kind == FIGURE_SHARE)
		table_real(t, (double)v / 1e4);
	else
		table_int(t, v);
}

static void table_row(struct table *t, const struct figure *f, bool ranged)
{
	bool both = f->left.known && f->right.known;
	int64_t least = f->right.least - f->left.most, most = f->right.most - f->left.least;

	table_text(t, "%s", f->name);
	table_text(t, "%s", f->kind == FIGURE_TIME ? "ms" : f->kind == FIGURE_SHARE ? "%" : "");
	table_figure(t, f, f->left.known, f->left.least);
	if (ranged)
		table_figure(t, f, f->left.known, f->left.most);
	table_figure(t, f, f->right.known, f->right.least);
	if (ranged)
		table_figure(t, f, f->right.known, f->right.most);
	table_figure(t, f, both, least);
	if (ranged) {
		table_figure(t, f, both, most);
		return;
	}
	if (both && f->left.least)
		table_real(t, (double)most / (double)f->left.least);
	else
		table_none(t);
}

static void table_columns(const struct session *s, struct table *out, bool ranged)
{
	table_column(out, "figure", "", "figure", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "unit", "", "unit", 1, 0, COL_LEFT);
	table_column(out, s->run[s->left]->name, ranged ? "least" : "", ranged ? "left_least" : "left", 1, -1, 0);
	if (ranged)
		table_column(out, "", "most", "left_most", 1, -1, 0);
	table_column(out, s->run[s->right]->name, ranged ? "least" : "", ranged ? "right_least" : "right", 1,
		-1, 0);
	if (ranged)
		table_column(out, "", "most", "right_most", 1, -1, 0);
	table_column(out, "difference", ranged ? "least" : "", ranged ? "difference_least" : "difference", 1, -1,
		COL_SIGN);
	if (ranged)
		table_column(out, "", "most", "difference_most", 1, -1, COL_SIGN);
	else
		table_column(out, "change", "%", "change", 0.01, 1, COL_SIGN);
}

void totals_notes(const struct session *s, struct table *out)
{
	const double *energy = s->run[s->right]->energy;
	bool told = session_ready(s, s->right) && !s->run[s->right]->bounded;
	double least, most;
	char check[300];

	if (told && !isnan(energy[ENERGY_ASSUMED]))
		table_note(out, "energy: of the recording's; %s", s->powers ? "powers as given" :
			"break-even at each target residency, each state drawing 0.5 of the one before it");
	if (told && energy_range(energy, &least, &most))
		table_note(out, "with 0.3 or 0.7 in its place energy is %.2f or %.2f %%", 100 * least, 100 * most);
	if (s->run[s->left]->bounded || s->run[s->right]->bounded)
		table_note(out, "the recording holds idle events alone; least: what no reading of the inputs "
			"changes, most: what some reading gives");
	table_note(out, "%s", selfcheck_line(s, false, check, sizeof(check)));
	table_note(out, "requested state, not hardware residency; replayed with wake times as recorded");
	if (s->trace->emulated)
		table_note(out, "the recording was made on an emulated machine");
}

void totals_table(const struct session *s, struct table *out)
{
	bool ranged = s->run[s->left]->bounded || s->run[s->right]->bounded;
	struct figure f[FIGURES_MAX];
	int n = totals_figures(s, f);

	table_init(out, "%s  %s against %s, wake times as recorded", s->file,
		session_get(s, s->left)->label, session_get(s, s->right)->label);
	table_columns(s, out, ranged);
	for (int i = 0; i < n; i++)
		table_row(out, &f[i], ranged);
	totals_notes(s, out);
}
