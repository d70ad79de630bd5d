// SPDX-License-Identifier: GPL-2.0-or-later
/* Many CPUs: a shade per group, the group under the cursor in braille, the worst CPUs by name. */
#include "views/cpulist.h"
#include "views/lanes_keys.h"

#include <stdlib.h>

#define WORST 5

static int size_of(const struct cpu_groups *g, int group)
{
	return g->start[group + 1] - g->start[group];
}

static int group_idle(const struct lane *l, const int *cpu, int n)
{
	int64_t idle = 0, from = max64(l->s->from_ns, l->s->trace->origin_ns);
	int64_t to = min64(session_to(l->s), l->s->trace->end_ns);
	struct timeline_sum sum;

	for (int i = 0; i < n; i++) {
		timeline_window(&l->s->run[0]->tl, cpu[i], from, to, &sum);
		idle += timeline_idle_ns(&sum);
	}
	return to > from ? (int)(idle * 100 / (to - from) / n) : 0;
}

static void draw_group(struct lane *l, int x, int group)
{
	const struct cpu_groups *g = &l->s->groups;
	const int *cpu = g->cpu + g->start[group];
	bool here = g->of[l->s->cpu] == group;
	char label[16];

	lanes_depth(l, 0, cpu, size_of(g, group));
	canvas_textf(l->c, x, l->y, here ? ROLE_CURSOR : ROLE_LABEL, "%c%s", here ? '>' : ' ',
		cpu_groups_label(g, group, label, sizeof(label)));
	canvas_textf(l->c, x + 8, l->y, ROLE_DIM, "%3d%%", group_idle(l, cpu, size_of(g, group)));
	l->y++;
}

/* up to four CPUs from top to bottom; a dot is half a column in which the CPU mostly slept */
static void draw_braille(struct lane *l, int x, const int *cpu, int n)
{
	static const uint8_t dot[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
	int64_t half = max64(l->s->step_ns / 2, 1);
	struct timeline_sum *sum = xcalloc((size_t)l->ncols * 2, sizeof(*sum));
	uint8_t *cells = xcalloc((size_t)l->ncols, 1);
	bool row = cpu[n - 1] == cpu[0] + n - 1;

	if (n == 1)
		canvas_textf(l->c, x, l->y, ROLE_LABEL, "  %d", cpu[0]);
	else
		canvas_textf(l->c, x, l->y, ROLE_LABEL, row ? "  %d-%d" : "  %d..%d", cpu[0], cpu[n - 1]);
	for (int k = 0; k < n; k++) {
		timeline_columns(&l->s->run[0]->tl, cpu[k], l->s->from_ns, half, l->ncols * 2, sum);
		for (int i = 0; i < l->ncols * 2; i++)
			if (timeline_idle_ns(&sum[i]) * 2 > half)
				cells[i / 2] |= dot[i % 2][k];
	}
	for (int i = 0; i < l->ncols; i++)
		canvas_put(l->c, l->x + i, l->y, 0x2800u + cells[i], ROLE_BAR);
	free(sum);
	free(cells);
	l->y++;
}

static int opened_rows(const struct lane *l)
{
	const struct cpu_groups *g = &l->s->groups;
	int per = l->c->glyphs == GLYPHS_UTF8 ? 4 : 1;

	return (size_of(g, g->of[l->s->cpu]) + per - 1) / per;
}

static void draw_opened(struct lane *l, int x, int rows)
{
	const struct cpu_groups *g = &l->s->groups;
	int group = g->of[l->s->cpu], per = l->c->glyphs == GLYPHS_UTF8 ? 4 : 1;
	char label[16], list[48];

	x++;
	if (g->level >= 0)
		x = canvas_textf(l->c, x, l->y, ROLE_LABEL, "%s, ", cpu_groups_label(g, group, label, sizeof(label)));
	x = canvas_text(l->c, x, l->y, ROLE_LABEL, "cpus ");
	x = canvas_text(l->c, x, l->y, ROLE_LABEL, cpu_groups_list(g, group, list, sizeof(list)));
	canvas_text(l->c, x, l->y++, ROLE_DIM, per == 4 ? ": a row is 4 cpus, top to bottom; a dot is half a column asleep"
							 : ": # asleep");
	for (int k = g->start[group]; k < g->start[group + 1] && --rows > 0; k += per)
		draw_braille(l, l->x - LANE_LABEL, g->cpu + k,
			k + per < g->start[group + 1] ? per : g->start[group + 1] - k);
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

/* what the groups are, and the CPUs with the most misses */
static void draw_foot(const struct lane *l, int x)
{
	const struct cpu_groups *g = &l->s->groups;

	if (g->level >= 0)
		x = canvas_textf(l->c, x + 1, l->y, ROLE_DIM, "by %s", cpu_groups_name(g)) + 1;
	else if (g->topology.nlevels)
		x = canvas_text(l->c, x + 1, l->y, ROLE_DIM, "by neighbours") + 1;
	else
		x = canvas_text(l->c, x + 1, l->y, ROLE_DIM, "by neighbours: no topology (--topology)") + 1;
	draw_worst(l, x);
}

void lanes_groups(struct session *s, struct lane *l, struct area a, int rows)
{
	int groups = s->groups.n, opened = opened_rows(l) + 1, foot = rows >= 4;
	int bottom = a.y + a.h, visible = groups < rows - foot ? groups : rows - foot;

	/* the opened group gets room beside half of the others */
	if (rows < groups + foot + opened && groups > 4)
		visible = rows - foot - opened > groups / 2 ? rows - foot - opened : visible;
	cpulist_scroll(s, visible);
	for (int g = s->top; g < groups && g < s->top + visible; g++)
		draw_group(l, a.x, g);
	if (bottom - l->y > 2)
		draw_opened(l, a.x, bottom - l->y - 1);
	l->y = bottom - 1;
	if (foot)
		draw_foot(l, a.x);
}

bool lanes_by(struct session *s, const char *name)
{
	int level;

	if (name && *name && !cpu_groups_find(&s->groups, name, &level)) {
		session_say(s, true, "%s: there is %s", name, s->groups.topology.nlevels
			? "no such level in the topology" : "no topology in the recording; --topology gives one");
		return false;
	}
	if (name && *name)
		cpu_groups_level(&s->groups, level);
	else if (s->density == LANES_GROUPS)
		cpu_groups_next(&s->groups);
	s->density = LANES_GROUPS;
	session_say(s, false, "groups: %d by %s%s", s->groups.n, cpu_groups_name(&s->groups),
		s->groups.topology.nlevels ? "" : ": no topology in the recording; --topology gives one");
	return true;
}
