// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/svg.h"

#include <stdlib.h>
#include <string.h>

#include "src/table.h"

#define PLOT_LEFT 60
#define PLOT_WIDTH 860
#define LANE_HEIGHT 22
#define LANE_GAP 6
#define LANES_MAX 64
#define BINS 24 /* powers of two of us: up to 8 s and more */
#define BIN_HEIGHT 180

const char *svg_colour(const struct state_table *t, int state)
{
	static const char *const deep[] = {"#c7e9f1", "#93cfe6", "#5fb0dd", "#3a8bd0", "#2a64b8", "#2b3f9a",
		"#3f2a86", "#4b1475", "#2d0a45"};
	const size_t n = ARRAY_SIZE(deep);
	bool polls = state < t->nstates && t->state[state].polling;

	if (polls)
		return "#f59e0b";
	if (t->nstates <= 2)
		return deep[3];
	/* spread over the palette, the deepest state darkest */
	return deep[(size_t)(state > 0 ? state - 1 : 0) * (n - 1) / (size_t)(t->nstates - 2) % n];
}

static void begin_svg(FILE *out, int height, const char *title)
{
	fprintf(out, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
		"xmlns=\"http://www.w3.org/2000/svg\"><title>", PLOT_LEFT + PLOT_WIDTH + 20, height,
		PLOT_LEFT + PLOT_WIDTH + 20, height);
	html_text(out, title);
	fputs("</title>\n", out);
}

static void svg_words(FILE *out, int x, int y, const char *anchor, const char *text)
{
	fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
	html_text(out, text);
	fputs("</text>\n", out);
}

/* --- timeline --- */

/* time in each state per column of one lane */
static int64_t (*lane_sums(const struct run *r, int cpu, int64_t from_ns, int64_t to_ns))[STATES_MAX]
{
	int64_t (*sum)[STATES_MAX] = xcalloc(PLOT_WIDTH, sizeof(*sum));
	double scale = (double)(to_ns - from_ns) / PLOT_WIDTH;

	for (size_t k = 0; k < r->cpu[cpu].nperiods; k++) {
		const struct period *p = &r->cpu[cpu].period[k];
		int64_t a = max64(p->enter_ns, from_ns), b = min64(p->exit_ns, to_ns);

		while (a < b) {
			int col = (int)((double)(a - from_ns) / scale);
			int64_t end = from_ns + (int64_t)(scale * (col + 1)) + 1;

			if (col >= PLOT_WIDTH)
				break;
			end = min64(end, b);
			sum[col][(int)p->state] += end - a;
			a = end;
		}
	}
	return sum;
}

static void draw_lane(FILE *out, const struct run *r, int cpu, int y, int64_t from_ns, int64_t to_ns)
{
	int64_t (*sum)[STATES_MAX] = lane_sums(r, cpu, from_ns, to_ns);
	double per_pixel = (double)(to_ns - from_ns) / PLOT_WIDTH / LANE_HEIGHT;
	double *base = xcalloc(PLOT_WIDTH, sizeof(*base));

	fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"lane\"/>\n", PLOT_LEFT, y,
		PLOT_WIDTH, LANE_HEIGHT);
	for (int s = STATES_MAX - 1; s >= 0; s--) {
		bool any = false;

		for (int x = 0; x < PLOT_WIDTH; x++) {
			double h = (double)sum[x][s] / per_pixel;

			if (h < 0.05)
				continue;
			if (!any)
				fprintf(out, "<path stroke=\"%s\" d=\"",
					svg_colour(machine_table(&r->machine, cpu), s));
			any = true;
			fprintf(out, "M%d.5 %.1fv-%.1f", PLOT_LEFT + x, y + LANE_HEIGHT - base[x], h);
			base[x] += h;
		}
		if (any)
			fputs("\"/>\n", out);
	}
	free(base);
	free(sum);
}

static void time_axis(FILE *out, const struct run *r, int64_t from_ns, int64_t to_ns, int y)
{
	char text[48];

	for (int i = 0; i <= 4; i++) {
		int64_t at = from_ns + (to_ns - from_ns) / 4 * i - r->trace->origin_ns;

		snprintf(text, sizeof(text), "%.6f s", (double)at / 1e9);
		svg_words(out, PLOT_LEFT + PLOT_WIDTH * i / 4, y, i == 0 ? "start" : i == 4 ? "end" : "middle",
			text);
	}
}

void svg_timeline(FILE *out, const struct run *r, int64_t from_ns, int64_t to_ns, int64_t mark_ns,
	const char *title)
{
	int lanes = r->ncpus < LANES_MAX ? r->ncpus : LANES_MAX;
	int height = lanes * (LANE_HEIGHT + LANE_GAP) + 30;
	char text[32];

	if (to_ns <= from_ns)
		return;
	begin_svg(out, height, title);
	for (int i = 0; i < lanes; i++) {
		int y = i * (LANE_HEIGHT + LANE_GAP) + 4;

		snprintf(text, sizeof(text), "CPU %d", i);
		svg_words(out, PLOT_LEFT - 6, y + 15, "end", text);
		draw_lane(out, r, i, y, from_ns, to_ns);
	}
	time_axis(out, r, from_ns, to_ns, height - 8);
	if (mark_ns >= from_ns && mark_ns < to_ns) {
		double x = PLOT_LEFT + (double)(mark_ns - from_ns) * PLOT_WIDTH / (double)(to_ns - from_ns);

		fprintf(out, "<path class=\"mark\" d=\"M%.1f 0V%d\"/>\n", x, height - 24);
	}
	fputs("</svg>\n", out);
}

/* --- histogram --- */

static int bin_of(int64_t length_ns)
{
	int64_t us = length_ns / NSEC_PER_USEC;
	int bin = 0;

	while (us > 0 && bin < BINS - 1) {
		us /= 2;
		bin++;
	}
	return bin;
}

static uint64_t count_lengths(const struct run *r, uint64_t n[BINS][STATES_MAX])
{
	uint64_t most = 1, sum;

	for (int i = 0; i < r->ncpus; i++)
		for (size_t k = 0; k < r->cpu[i].nperiods; k++) {
			const struct period *p = &r->cpu[i].period[k];

			if (!(p->flags & PERIOD_CUT_END))
				n[bin_of(p->exit_ns - p->enter_ns)][(int)p->state]++;
		}
	for (int b = 0; b < BINS; b++) {
		sum = 0;
		for (int s = 0; s < STATES_MAX; s++)
			sum += n[b][s];
		most = sum > most ? sum : most;
	}
	return most;
}

static void bin_label(char *text, size_t size, int bin)
{
	double us = bin ? (double)(1LL << (bin - 1)) : 0;

	if (us >= 1e6)
		snprintf(text, size, "%.0f s", us / 1e6);
	else if (us >= 1e3)
		snprintf(text, size, "%.0f ms", us / 1e3);
	else
		snprintf(text, size, "%.0f us", us);
}

void svg_lengths(FILE *out, const struct run *r, const char *title)
{
	uint64_t n[BINS][STATES_MAX] = {0}, most = count_lengths(r, n);
	int width = PLOT_WIDTH / BINS;
	char text[48];

	begin_svg(out, BIN_HEIGHT + 34, title);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)most);
	svg_words(out, PLOT_LEFT - 6, 14, "end", text);
	svg_words(out, PLOT_LEFT - 6, BIN_HEIGHT + 4, "end", "0");
	for (int b = 0; b < BINS; b++) {
		double y = BIN_HEIGHT + 4;

		for (int s = 0; s < STATES_MAX; s++) {
			double h = (double)n[b][s] * BIN_HEIGHT / (double)most;

			if (!n[b][s])
				continue;
			y -= h;
			fprintf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"/>\n",
				PLOT_LEFT + b * width, y, width - 2, h,
				svg_colour(machine_table(&r->machine, 0), s));
		}
		if (b % 2)
			continue;
		bin_label(text, sizeof(text), b);
		svg_words(out, PLOT_LEFT + b * width, BIN_HEIGHT + 20, "start", text);
	}
	fprintf(out, "<path stroke=\"#888\" d=\"M%d %dh%d\"/>\n</svg>\n", PLOT_LEFT, BIN_HEIGHT + 5,
		PLOT_WIDTH);
}

void svg_legend(FILE *out, const struct run *r)
{
	const struct state_table *t = machine_table(&r->machine, 0);

	fputs("<p class=legend>", out);
	for (int s = 0; s < t->nstates; s++) {
		fprintf(out, "<span style=\"background:%s\"></span> ", svg_colour(t, s));
		html_text(out, t->state[s].name);
		fputs(" &nbsp; ", out);
	}
	fputs("<span class=run></span> running</p>\n", out);
}
