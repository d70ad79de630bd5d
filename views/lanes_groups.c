// SPDX-License-Identifier: GPL-2.0-or-later
/* Many CPUs: a shade per group, the group under the cursor in braille, the worst CPUs by name. */
#include "views/cpulist.h"
#include "views/lanes_keys.h"

#include <stdlib.h>

#define WORST 5

static int last_of(const struct session *s, int group)
{
	int last = (group + 1) * cpulist_group_size(s) - 1;

	return last < s->trace->ncpus ? last : s->trace->ncpus - 1;
}

static int group_idle(const struct lane *l, int first, int last)
{
	int64_t idle = 0, from = max64(l->s->from_ns, l->s->trace->origin_ns);
	int64_t to = min64(session_to(l->s), l->s->trace->end_ns);
	struct timeline_sum sum;

	for (int cpu = first; cpu <= last; cpu++) {
		timeline_window(&l->s->run[0]->tl, cpu, from, to, &sum);
		idle += timeline_idle_ns(&sum);
	}
	return to > from ? (int)(idle * 100 / (to - from) / (last - first + 1)) : 0;
}

static void draw_group(struct lane *l, int x, int group)
{
	int first = group * cpulist_group_size(l->s), last = last_of(l->s, group);
	bool here = l->s->cpu >= first && l->s->cpu <= last;

	lanes_depth(l, 0, first, last);
	canvas_textf(l->c, x, l->y, here ? ROLE_CURSOR : ROLE_LABEL, "%c%d-%d", here ? '>' : ' ', first,
		last);
	canvas_textf(l->c, x + 8, l->y, ROLE_DIM, "%3d%%", group_idle(l, first, last));
	l->y++;
}

/* four CPUs from top to bottom; a dot is half a column in which the CPU mostly slept */
static void draw_braille(struct lane *l, int x, int first, int last)
{
	static const uint8_t dot[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
	int64_t half = max64(l->s->step_ns / 2, 1);
	struct timeline_sum *sum = xcalloc((size_t)l->ncols * 2, sizeof(*sum));
	uint8_t *cells = xcalloc((size_t)l->ncols, 1);

	canvas_textf(l->c, x, l->y, ROLE_LABEL, "  %d-%d", first, last);
	for (int cpu = first; cpu <= last; cpu++) {
		timeline_columns(&l->s->run[0]->tl, cpu, l->s->from_ns, half, l->ncols * 2, sum);
		for (int i = 0; i < l->ncols * 2; i++)
			if (timeline_idle_ns(&sum[i]) * 2 > half)
				cells[i / 2] |= dot[i % 2][cpu - first];
	}
	for (int i = 0; i < l->ncols; i++)
		canvas_put(l->c, l->x + i, l->y, 0x2800u + cells[i], ROLE_BAR);
	free(sum);
	free(cells);
	l->y++;
}

static void draw_opened(struct lane *l, int x, int rows)
{
	int size = cpulist_group_size(l->s), first = l->s->cpu / size * size;
	int last = last_of(l->s, l->s->cpu / size), per = l->c->glyphs == GLYPHS_UTF8 ? 4 : 1;

	canvas_textf(l->c, x + 1, l->y++, ROLE_DIM,
		per == 4 ? "cpus %d-%d: one row is 4 cpus, top to bottom; a dot is half a column asleep"
			 : "cpus %d-%d: # asleep",
		first, last);
	for (int cpu = first; cpu <= last && --rows > 0; cpu += per)
		draw_braille(l, x, cpu, cpu + per - 1 < last ? cpu + per - 1 : last);
}

static double miss_share(const struct session *s, int cpu)
{
	const struct timeline_sum *sum = &s->run[0]->tl.cpu[cpu].total;

	return sum->wakes ? 100.0 * (double)(sum->above + sum->below) / (double)sum->wakes : 0;
}

static void draw_worst(const struct lane *l, int x)
{
	int best[WORST] = {-1, -1, -1, -1, -1};
	double share[WORST] = {0};

	for (int cpu = 0; cpu < l->s->trace->ncpus; cpu++) {
		double v = miss_share(l->s, cpu);
		int at = WORST;

		while (at > 0 && v > share[at - 1])
			at--;
		for (int k = WORST - 1; k > at; k--) {
			best[k] = best[k - 1];
			share[k] = share[k - 1];
		}
		if (at < WORST) {
			best[at] = cpu;
			share[at] = v;
		}
	}
	if (l->s->machine->source == MACHINE_GUESSED)
		return;
	x = canvas_text(l->c, x + 1, l->y, ROLE_DIM, "most misses: ");
	for (int k = 0; k < WORST && best[k] >= 0; k++)
		x = canvas_textf(l->c, x, l->y, ROLE_TEXT, "%scpu %d %.1f%%", k ? "   " : "", best[k], share[k]);
}

void lanes_groups(struct session *s, struct lane *l, struct area a, int rows)
{
	int groups = cpulist_groups(s), size = cpulist_group_size(s), opened = l->c->glyphs ==
		GLYPHS_UTF8 ? size / 4 + 1 : size + 1;
	int bottom = a.y + a.h, visible = groups < rows - 1 ? groups : rows - 1;

	if (rows < groups + 1 + opened && groups > 4)
		visible = rows - 1 - opened > groups / 2 ? rows - 1 - opened : visible;
	cpulist_scroll(s, visible);
	for (int g = s->top; g < groups && g < s->top + visible; g++)
		draw_group(l, a.x, g);
	if (bottom - l->y > 2)
		draw_opened(l, a.x, bottom - l->y - 1);
	l->y = bottom - 1;
	draw_worst(l, a.x);
}
