// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/window_sums.h"
#include "views/cpulist.h"
#include "views/words.h"

#define LABEL 9
#define STATE_WIDTH 9

static void add(struct timeline_sum *to, const struct timeline_sum *from)
{
	for (int i = 0; i < STATES_MAX; i++)
		to->time_ns[i] += from->time_ns[i];
	to->above += from->above;
	to->below += from->below;
	to->wakes += from->wakes;
}

static void head(const struct session *s, struct canvas *c, struct area a)
{
	const struct state_table *t = machine_table(s->machine, s->cpu);
	int x = a.x + LABEL;
	char name[24];

	canvas_text(c, a.x + 1, a.y, ROLE_HEADING, "window");
	canvas_text(c, x, a.y, ROLE_HEADING, "  idle%     wakes     above     below");
	x += 37;
	for (int i = 0; i < t->nstates; i++, x += STATE_WIDTH) {
		snprintf(name, sizeof(name), "%d %.5s%%", i, t->state[i].name);
		canvas_right(c, x + STATE_WIDTH, a.y, theme_state(i), name);
	}
}

static void row(const struct session *s, struct canvas *c, int x, int y, const struct timeline_sum *sum,
	int64_t room_ns)
{
	double room = room_ns > 0 ? (double)room_ns : 1;
	int n = machine_table(s->machine, s->cpu)->nstates;
	char count[32];

	canvas_textf(c, x, y, ROLE_TEXT, "%7.2f", 100.0 * (double)timeline_idle_ns(sum) / room);
	canvas_right(c, x + 17, y, ROLE_TEXT, words_count(count, sizeof(count), sum->wakes));
	canvas_right(c, x + 27, y, sum->above ? ROLE_ABOVE : ROLE_DIM, words_count(count, sizeof(count), sum->above));
	canvas_right(c, x + 37, y, sum->below ? ROLE_BELOW : ROLE_DIM, words_count(count, sizeof(count), sum->below));
	x += 37;
	for (int i = 0; i < n; i++, x += STATE_WIDTH)
		canvas_textf(c, x, y, sum->time_ns[i] ? ROLE_TEXT : ROLE_DIM, "%*.2f", STATE_WIDTH,
			100.0 * (double)sum->time_ns[i] / room);
}

void window_sums_draw(const struct session *s, struct canvas *c, struct area a)
{
	int64_t from = max64(s->from_ns, s->trace->origin_ns), to = min64(session_to(s), s->trace->end_ns);
	int n = cpulist_count(s);
	struct timeline_sum all = {0};

	if (a.h < n + 4 || a.w < LABEL + 37 + STATE_WIDTH * machine_table(s->machine, s->cpu)->nstates)
		return;
	a.y++;
	head(s, c, a);
	for (int i = 0; i < n; i++) {
		struct timeline_sum sum;
		int cpu = cpulist_cpu(s, i);

		timeline_window(&s->run[0]->tl, cpu, from, to, &sum);
		add(&all, &sum);
		canvas_textf(c, a.x + 1, a.y + 1 + i, cpu == s->cpu ? ROLE_CURSOR : ROLE_LABEL, "cpu%d", cpu);
		row(s, c, a.x + LABEL, a.y + 1 + i, &sum, to - from);
	}
	canvas_text(c, a.x + 1, a.y + 1 + n, ROLE_LABEL, "all");
	row(s, c, a.x + LABEL, a.y + 1 + n, &all, (to - from) * n);
}
