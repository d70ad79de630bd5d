// SPDX-License-Identifier: GPL-2.0-or-later
/* Raw events around the cursor, all of them, under the lane of its CPU. What lies beyond is read as one scrolls. */
#include "views/finder.h"
#include "views/flow.h"
#include "views/lanes.h"
#include "views/lanes_keys.h"
#include "views/rows.h"
#include "views/words.h"

#include <stdlib.h>
#include <string.h>

#define BEFORE 500 /* lines asked for at once */
#define AFTER 1500
#define LINES_MAX 60000 /* kept; what was scrolled away from goes first */
#define TASK_WIDTH 21

enum asked { ASKED_NOTHING, ASKED_AROUND, ASKED_EARLIER, ASKED_LATER };

struct state {
	struct event_chunk list;
	bool there; /* the list is of at_ns and cpu */
	enum asked asked;
	int64_t at_ns; /* what the list was last moved to */
	int cpu;       /* of the list; -1 all */
	bool one_cpu;
	bool centre; /* the cursor jumped: show what is around it */
	char error[200];
	struct rows rows;
	struct timeline_sum *col;
	int cap;
};

static const struct hint hints[] = {{CMD_DOWN, CMD_UP, "move"}, {CMD_PREV_IDLE, CMD_NEXT_IDLE, "idle"},
	{CMD_NEXT, CMD_PREVIOUS, "miss or match"}, {CMD_FIND, CMD_NONE, "find"}, {CMD_LANES, CMD_NONE, "one cpu"},
	{CMD_MARK_A, CMD_MARK_B, "mark"}, {CMD_OPEN, CMD_NONE, "in timeline"}, {CMD_EXPORT, CMD_NONE, "export"},
	{CMD_HELP, CMD_NONE, "help"}, {0}};

static void close_view(void *state)
{
	struct state *st = state;

	event_chunk_free(&st->list);
	free(st->col);
}

/* a column means the period it shows; one that was gone to means its own time */
static int64_t cursor_time(const struct session *s)
{
	size_t i = session_period(s, 0);

	return s->exact || i == TIMELINE_NONE ? s->at_ns : s->run[0]->tl.cpu[s->cpu].period[i].enter_ns;
}

/* how far back so many lines reach, by the mean of the whole recording */
static int64_t span_of(const struct session *s, int lines)
{
	const struct trace *t = s->trace;
	double all = (double)(t->end_ns - t->origin_ns), each = all / (t->events ? (double)t->events : 1);

	return max64((int64_t)(each * lines), NSEC_PER_USEC);
}

static void ask(struct state *st, struct session *s, enum asked what, int64_t at_ns)
{
	int before = what == ASKED_LATER ? 0 : what == ASKED_EARLIER ? AFTER : BEFORE;
	int64_t from = before ? at_ns - span_of(s, before) : at_ns;

	st->asked = what;
	s->feed.want = (struct event_request){.at_ns = at_ns, .from_ns = max64(from, s->trace->origin_ns),
		.before = (size_t)before, .after = what == ASKED_EARLIER ? 0 : AFTER, .cpu = st->cpu};
	s->feed.asked = true;
}

static void absorb_more(struct state *st, struct event_chunk *more, bool later)
{
	size_t n = more->n, total;

	event_chunk_join(&st->list, more, later);
	total = st->list.n;
	if (!later) {
		st->rows.at += n;
		st->rows.top += n;
	}
	if (total > LINES_MAX) {
		event_chunk_keep(&st->list, LINES_MAX, later);
		if (later) {
			st->rows.at -= total - st->list.n;
			st->rows.top -= total - st->list.n;
		}
	}
}

static void absorb(struct state *st, struct session *s)
{
	struct event_feed *f = &s->feed;
	enum asked asked = st->asked;

	f->answered = false;
	st->asked = ASKED_NOTHING;
	copy_text(st->error, sizeof(st->error), f->chunk.error);
	if (asked == ASKED_NOTHING || *st->error) {
		event_chunk_free(&f->chunk);
	} else if (asked == ASKED_AROUND) {
		event_chunk_free(&st->list);
		st->list = f->chunk;
		memset(&f->chunk, 0, sizeof(f->chunk));
		st->there = true;
		st->rows.at = event_chunk_at(&st->list, st->at_ns);
		st->centre = true;
	} else {
		absorb_more(st, &f->chunk, asked == ASKED_LATER);
	}
}

/* near an end of the list, what lies beyond is read before one gets there */
static void read_ahead(struct state *st, struct session *s)
{
	size_t near = (size_t)st->rows.shown + 1;

	if (st->asked || *st->error || !st->there)
		return;
	if (st->rows.at + near >= st->list.n && st->list.to_ns <= s->trace->end_ns)
		ask(st, s, ASKED_LATER, st->list.to_ns);
	else if (st->rows.at < near && st->list.from_ns > s->trace->origin_ns)
		ask(st, s, ASKED_EARLIER, st->list.from_ns);
}

static void follow(struct state *st, struct session *s)
{
	int64_t at = cursor_time(s);
	int cpu = st->one_cpu ? s->cpu : -1;

	if (s->feed.answered)
		absorb(st, s);
	if (st->there && cpu == st->cpu && at == st->at_ns) {
		read_ahead(st, s);
		return;
	}
	if ((st->asked == ASKED_AROUND || *st->error) && cpu == st->cpu && at == st->at_ns)
		return;
	*st->error = '\0';
	st->at_ns = at;
	if (st->there && cpu == st->cpu && at >= st->list.from_ns && at < st->list.to_ns) {
		st->rows.at = event_chunk_at(&st->list, at);
		st->centre = true;
		return;
	}
	st->cpu = cpu;
	st->there = false;
	ask(st, s, ASKED_AROUND, at);
}

static bool work(void *state, struct session *s)
{
	follow(state, s);
	return s->feed.asked && !s->feed.busy;
}

static void draw_title(const struct state *st, const struct session *s, struct canvas *c, struct area a)
{
	char buf[40], n[32];
	struct flow f;

	flow_init(&f, c, (struct area){a.x + 1, a.y, a.w - 1, 1});
	flow_piece(&f, ROLE_HEADING, "events of %s", st->one_cpu ? "" : "all cpus");
	if (st->one_cpu)
		flow_join(&f, ROLE_HEADING, "cpu%d", s->cpu);
	if (s->marked[0] && s->marked[1])
		flow_piece(&f, ROLE_MARK, "b-a %s",
			words_length(buf, sizeof(buf), s->mark_ns[1] - s->mark_ns[0], s->units));
	if (*st->error)
		flow_piece(&f, ROLE_ALERT, "%s", st->error);
	else if (s->feed.busy || s->feed.asked)
		flow_piece(&f, ROLE_MARK, "reading, %s lines  ^C stops", words_count(n, sizeof(n), s->feed.seen));
	else
		flow_piece(&f, ROLE_DIM, "%s lines here%s%s", words_count(n, sizeof(n), st->list.n),
			*st->list.note ? ", " : "", st->list.note);
	flow_piece(&f, ROLE_CURSOR, "▼ %s", words_time(buf, sizeof(buf), st->at_ns - s->trace->origin_ns, 9));
}

/* the same window and cursor as in the timeline; returns the lines it took */
static int draw_lane(struct state *st, struct session *s, struct canvas *c, struct area a)
{
	struct lane l = {.c = c, .s = s, .x = a.x + LANE_LABEL, .y = a.y};

	l.ncols = lanes_room(s, &st->col, &st->cap, a.w - LANE_LABEL);
	l.col = st->col;
	lanes_axis(&l);
	l.y++;
	lanes_marks(&l);
	l.y++;
	lanes_fill(&l, 0, s->cpu);
	canvas_textf(c, a.x, l.y, ROLE_CURSOR, ">cpu%d", s->cpu);
	canvas_textf(c, a.x + 8, l.y, ROLE_DIM, "%3d%%", lanes_idle(&l));
	lanes_states(&l, 0, s->cpu);
	canvas_attr(c, l.x + session_column(s, s->at_ns), l.y, 1, ATTR_REVERSE);
	l.y++;
	canvas_text(c, a.x + 6, l.y, ROLE_DIM, "miss");
	lanes_misses(&l, 0, s->cpu);
	canvas_rule(c, l.y + 1);
	return 5;
}

/* what stands in front of the CPU, or of the time where there is no CPU in brackets */
static int task_length(const struct event_line *l)
{
	const char *bracket = l->body ? memmem(l->text, l->body, " [", 2) : NULL;

	return bracket ? (int)(bracket - l->text) : 0;
}

static int draw_task(struct canvas *c, int x, int y, enum role role, const struct event_line *l)
{
	char task[64];
	size_t blanks = strspn(l->text, " "), n = (size_t)task_length(l);

	snprintf(task, sizeof(task), "%.*s", n > blanks ? (int)(n - blanks) : 0, l->text + blanks);
	task[strcspn(task, "\t")] = '\0';
	while (*task && task[strlen(task) - 1] == ' ')
		task[strlen(task) - 1] = '\0';
	canvas_foreign(c, x, y, role, task, TASK_WIDTH - 1);
	return x + TASK_WIDTH;
}

/* the name stands in a column of its own where there is room for that */
static void draw_body(struct canvas *c, int x, int y, enum role role, const char *body, int end, bool tight)
{
	size_t name = strcspn(body, " "), gap = strspn(body + name, " ");
	char head[80];

	if (tight && name < sizeof(head) - 1) {
		snprintf(head, sizeof(head), "%.*s", (int)name, body);
		x = canvas_foreign(c, x, y, role, head, end - x) + 1;
		body += name + gap;
	}
	canvas_foreign(c, x, y, role, body, end - x);
}

static void draw_event(const struct state *st, const struct session *s, struct canvas *c, struct area a,
	int y, const struct event_line *l)
{
	enum role role = l->cpu == s->cpu ? ROLE_TEXT : ROLE_DIM;
	char buf[40];
	int x = a.x + 1;

	for (int i = 0; i < 2; i++)
		if (s->marked[i] && s->mark_ns[i] == l->at_ns)
			canvas_put(c, x, y, (uint32_t)"ab"[i], ROLE_MARK);
	x++;
	if (a.w >= 60)
		x = canvas_text(c, x, y, l->at_ns == st->at_ns ? ROLE_CURSOR : role,
			words_time(buf, sizeof(buf), l->at_ns - s->trace->origin_ns, 9)) + 1;
	if (a.w < 60 || a.w >= 96) {
		canvas_right(c, x + 10, y, ROLE_DIM, words_length(buf, sizeof(buf), l->at_ns - st->at_ns, s->units));
		x += 11;
	}
	x = canvas_textf(c, x, y, role, "%3d", l->cpu) + 1;
	if (a.w >= 120)
		x = draw_task(c, x, y, role, l);
	if (role == ROLE_TEXT && !strncmp(l->text + l->body, "cpu_idle", 8))
		role = ROLE_HEADING;
	draw_body(c, x, y, role, l->text + l->body, a.x + a.w, a.w < 100);
}

/* the line under the cursor again, whole */
static void draw_whole(const struct state *st, struct canvas *c, struct area a)
{
	const char *p = st->rows.at < st->list.n ? st->list.line[st->rows.at].text : "";

	canvas_rule(c, a.y);
	p += strspn(p, " ");
	for (int y = a.y + 1; y < a.y + a.h && *p; y++) {
		int n = (int)strlen(p) < a.w - 2 ? (int)strlen(p) : a.w - 2;
		char part[400];

		n = n < (int)sizeof(part) ? n : (int)sizeof(part) - 1;
		snprintf(part, sizeof(part), "%.*s", n, p);
		canvas_foreign(c, a.x + 1, y, ROLE_TEXT, part, a.w - 2);
		p += n;
	}
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	int whole = a.h >= 20 ? a.w >= 120 ? 2 : 3 : 0, lane = 0, rows;

	follow(st, s);
	draw_title(st, s, c, a);
	if (a.h >= 14)
		lane = draw_lane(st, s, c, (struct area){a.x, a.y + 1, a.w, 4});
	rows = a.h - 1 - lane - whole;
	if (st->centre)
		st->rows.top = st->rows.at > (size_t)rows / 3 ? st->rows.at - (size_t)rows / 3 : 0;
	st->centre = false;
	rows_fit(&st->rows, st->list.n, 1 + lane, rows);
	for (int i = 0; i < rows && st->rows.top + (size_t)i < st->list.n; i++) {
		draw_event(st, s, c, a, a.y + 1 + lane + i, &st->list.line[st->rows.top + (size_t)i]);
		if (st->rows.top + (size_t)i == st->rows.at)
			rows_cursor(c, a, a.y + 1 + lane + i);
	}
	if (st->there && !st->list.n)
		canvas_text(c, a.x + 2, a.y + 2 + lane, ROLE_NOTE, "no events here");
	if (whole)
		draw_whole(st, c, (struct area){a.x, a.y + a.h - whole, a.w, whole});
}

static const struct event_line *line_here(const struct state *st)
{
	return st->rows.at < st->list.n ? &st->list.line[st->rows.at] : NULL;
}

static bool show(const struct state *st, struct session *s)
{
	const struct event_line *l = line_here(st);

	if (l) {
		s->cpu = l->cpu < s->trace->ncpus ? l->cpu : s->cpu;
		s->at_ns = max64(min64(l->at_ns, s->trace->end_ns - 1), s->trace->origin_ns);
		s->exact = true;
		session_see(s);
	}
	s->go = VIEW_TIMELINE;
	return true;
}

static bool mark(const struct state *st, struct session *s, int which)
{
	const struct event_line *l = line_here(st);

	if (l) {
		s->marked[which] = !(s->marked[which] && s->mark_ns[which] == l->at_ns);
		s->mark_ns[which] = l->at_ns;
	}
	return true;
}

static bool find(struct state *st, struct session *s, int dir, bool from_here)
{
	size_t at = st->rows.at + (from_here ? 0 : (size_t)dir);
	struct finder f;

	finder_init(&f, s->find);
	for (; at < st->list.n; at += (size_t)dir)
		if (finder_text(&f, st->list.line[at].text)) {
			st->rows.at = at;
			return true;
		}
	session_say(s, false, "no %s line with %s among those read (%s reads on)", dir > 0 ? "later" : "earlier",
		s->find, dir > 0 ? "G" : "g");
	return true;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;

	*st->error = '\0'; /* whatever stopped the reading, a key may try again */
	switch (id) {
	case CMD_OPEN:
		return show(st, s);
	case CMD_MARK_A:
	case CMD_MARK_B:
		return mark(st, s, id == CMD_MARK_B);
	case CMD_FIND:
		copy_text(s->find, sizeof(s->find), arg);
		return !*arg || find(st, s, 1, true);
	case CMD_NEXT:
	case CMD_PREVIOUS:
		return *s->find ? find(st, s, id == CMD_NEXT ? 1 : -1, false) : lanes_command(s, 0, id, arg);
	case CMD_LANES:
		st->one_cpu = !st->one_cpu;
		return true;
	case CMD_FILTER:
	case CMD_PIN:
	case CMD_HEIGHT:
		return false;
	default:
		return rows_command(&st->rows, id) || lanes_command(s, 0, id, arg);
	}
}

/* with both markers set, what lies between them; else all that is here */
static bool exported(const struct session *s, const struct event_line *l)
{
	if (!s->marked[0] || !s->marked[1])
		return true;
	return l->at_ns >= min64(s->mark_ns[0], s->mark_ns[1]) && l->at_ns <= max64(s->mark_ns[0], s->mark_ns[1]);
}

static void lines(void *state, const struct session *s, FILE *f)
{
	const struct state *st = state;

	for (size_t i = 0; i < st->list.n; i++)
		if (exported(s, &st->list.line[i]))
			fprintf(f, "%s\n", st->list.line[i].text);
}

static bool table(void *state, const struct session *s, struct table *out)
{
	struct state *st = state;

	if (!st->list.n)
		return false;
	table_init(out, "%s  events", s->file);
	table_column(out, "time", "s", "time_ns", 1e9, 9, 0);
	table_column(out, "cpu", "", "cpu", 1, 0, 0);
	table_column(out, "task", "", "task", 1, 0, COL_LEFT);
	table_column(out, "event", "", "event", 1, 0, COL_LEFT);
	for (size_t i = 0; i < st->list.n; i++) {
		const struct event_line *l = &st->list.line[i];
		int task = task_length(l), blanks = (int)strspn(l->text, " ");

		if (!exported(s, l))
			continue;
		table_int(out, l->at_ns - s->trace->origin_ns);
		table_int(out, l->cpu);
		table_text(out, "%.*s", task > blanks ? task - blanks : 0, l->text + blanks);
		table_text(out, "%s", l->text + l->body);
	}
	return true;
}

static void click(void *state, struct session *s, int x, int y, bool release)
{
	(void)s;
	(void)x;
	if (!release)
		rows_click(&((struct state *)state)->rows, y);
}

const struct view_ops events_view = {
	.id = VIEW_EVENTS,
	.size = sizeof(struct state),
	.hints = hints,
	.close = close_view,
	.draw = draw,
	.command = command,
	.table = table,
	.lines = lines,
	.work = work,
	.click = click,
};
