// SPDX-License-Identifier: GPL-2.0-or-later
/* Going to a time, a cpu, a row, a window; choosing runs; what the command line asks for at the start. */
#include "src/app_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool time_of(struct app *a, const char *text, int64_t *out)
{
	struct error err;
	char copy[64];

	/* a bare number is in seconds: what the screen itself shows */
	snprintf(copy, sizeof(copy), "%s%s", text, text[strspn(text, "@.0123456789")] ? "" : "s");
	if (*text == '@')
		copy_text(copy, sizeof(copy), text);
	if (!options_time(out, copy, a->s.trace->origin_ns, &err))
		return true;
	session_say(&a->s, true, "%s", err.text);
	return false;
}

static bool goto_cpu(struct app *a, const char *text)
{
	char *end;
	long cpu = strtol(text, &end, 10);

	if (end == text || *end || cpu < 0 || cpu >= a->s.trace->ncpus) {
		session_say(&a->s, true, "no cpu '%s': there are 0-%d", text, a->s.trace->ncpus - 1);
		return false;
	}
	a->s.cpu = (int)cpu;
	return true;
}

static bool goto_row(struct app *a, const char *text)
{
	const struct timeline_cpu *c = &a->s.run[0]->tl.cpu[a->s.cpu];
	char *end;
	unsigned long long i = strtoull(text, &end, 10);

	if (end == text || *end || i >= c->n) {
		session_say(&a->s, true, "no idle period #%s on cpu%d: there are 0-%zu", text, a->s.cpu,
			c->n ? c->n - 1 : 0);
		return false;
	}
	session_select(&a->s, 0, a->s.cpu, (size_t)i);
	return true;
}

#define NEAR_NS NSEC_PER_MSEC /* a typed time rarely has all nine decimals: the period just after is meant */

static bool goto_time(struct app *a, const char *text)
{
	const struct timeline_cpu *c = &a->s.run[0]->tl.cpu[a->s.cpu];
	int64_t at;
	size_t i;

	if (!time_of(a, text, &at))
		return false;
	if (at < a->s.trace->origin_ns || at >= a->s.trace->end_ns) {
		session_say(&a->s, true, "%s is outside of the recording", text);
		return false;
	}
	i = timeline_at(c, at);
	if (i < c->n && c->period[i].enter_ns > at && c->period[i].enter_ns - at < NEAR_NS)
		at = c->period[i].enter_ns;
	a->s.at_ns = at;
	a->s.exact = true;
	session_see(&a->s);
	return true;
}

bool app_goto(struct app *a, const char *arg)
{
	char copy[PROMPT_TEXT], *save = NULL, *word;
	bool ok = *arg != '\0';

	copy_text(copy, sizeof(copy), arg);
	for (word = strtok_r(copy, " ", &save); word && ok; word = strtok_r(NULL, " ", &save)) {
		if (!strcmp(word, "cpu"))
			ok = goto_cpu(a, (word = strtok_r(NULL, " ", &save)) ? word : "");
		else if (!strncmp(word, "cpu", 3))
			ok = goto_cpu(a, word + 3);
		else if (*word == '#')
			ok = goto_row(a, word + 1);
		else
			ok = goto_time(a, word);
		if (!word)
			break;
	}
	return ok;
}

bool app_zoom(struct app *a, const char *arg)
{
	char from[64], to[64];
	int64_t f, t;

	if (sscanf(arg, "%63s %63s", from, to) != 2) {
		session_say(&a->s, true, "zoom takes two times: zoom 4.1 4.2");
		return false;
	}
	if (!time_of(a, from, &f) || !time_of(a, to, &t))
		return false;
	if (t <= f) {
		session_say(&a->s, true, "zoom: the second time must be later");
		return false;
	}
	session_window(&a->s, f, t);
	if (a->s.at_ns < f || a->s.at_ns >= t) {
		a->s.at_ns = f;
		a->s.exact = false;
	}
	return true;
}

bool app_limit(struct app *a, const char *arg)
{
	char *end;
	double us = strtod(arg, &end);

	if (!strcmp(arg, "none"))
		a->s.limit_ns = -1;
	else if (end == arg || *end || us < 0 || us > 2e9) {
		session_say(&a->s, true, "limit takes microseconds, or none (as recorded)");
		return false;
	} else {
		a->s.limit_ns = (int64_t)(us * 1000);
	}
	session_edited(&a->s);
	session_say(&a->s, false, "latency limit of replays: %s%s", arg, a->s.limit_ns < 0 ? "" : " us");
	return true;
}

bool app_table(struct app *a, const char *arg)
{
	struct machine m;
	struct error err;

	if (!strcmp(arg, "recorded")) {
		machine_copy(&m, a->s.machine);
	} else if (machine_load_table(&m, arg, a->s.trace->ncpus, &err)) {
		session_say(&a->s, true, "%s", err.text);
		return false;
	}
	machine_free(&a->s.table);
	a->s.table = m;
	a->s.edited = strcmp(arg, "recorded") != 0;
	session_edited(&a->s);
	session_say(&a->s, false, "replays run on %s", arg);
	return true;
}

/* the histogram goes over the other recordings too; false: it is one of this one's runs */
static bool choose_overlay(struct app *a, const char *arg)
{
	struct session *s = &a->s;
	int k = s->overlay < 0 ? 0 : s->overlay + 1;

	if (arg)
		k = isdigit((unsigned char)*arg) ? -1 : app_find(a, arg);
	else if (s->overlay < 0 && s->right + 1 < s->nruns)
		return false;
	for (; !arg && k < s->npeers && (k == s->self || !s->peer[k]->nruns); k++)
		;
	s->overlay = k >= 0 && k < s->npeers && k != s->self ? k : -1;
	if (s->overlay >= 0)
		session_say(s, false, "overlay: %s", s->peer[s->overlay]->file);
	return s->overlay >= 0;
}

bool app_choose(struct app *a, enum command_id id, const char *arg)
{
	int *which = id == CMD_OTHER ? &a->s.right : &a->s.left, n = a->s.nruns;
	char *end;
	long i = arg ? strtol(arg, &end, 10) : (*which + 1) % n;

	if (id == CMD_OTHER && app_view(a) == VIEW_HISTOGRAM && choose_overlay(a, arg))
		return true;
	if (arg && (end == arg || *end || i < 0 || i >= n)) {
		session_say(&a->s, true, "no run %s: there are 0-%d (view runs)", arg, n - 1);
		return false;
	}
	*which = (int)i;
	session_say(&a->s, false, "%s: run %d %s", id == CMD_OTHER ? "right" : "left", *which,
		a->s.run[*which]->name);
	return true;
}

void app_begin_runs(struct app *a)
{
	struct error err;

	for (size_t i = 0; i < a->o->governors.n; i++) {
		char *copy = xstrdup(a->o->governors.s[i]), *save = NULL;

		for (char *g = strtok_r(copy, ",", &save); g; g = strtok_r(NULL, ",", &save)) {
			if (!strcmp(g, "recorded"))
				continue;
			if (session_add(&a->s, g, &err) < 0)
				session_say(&a->s, true, "%s", err.text);
			else if (!a->s.right)
				a->s.right = a->s.nruns - 1;
		}
		free(copy);
	}
}

static void begin_cpus(struct app *a)
{
	struct error err;
	bool *cpus;

	if (!a->o->cpus)
		return;
	cpus = options_cpus(a->o->cpus, a->s.trace->ncpus, &err);
	if (!cpus) {
		session_say(&a->s, true, "%s", err.text);
		return;
	}
	free(a->s.pinned);
	a->s.pinned = cpus;
	a->s.density = LANES_PINNED;
}

void app_begin(struct app *a)
{
	const struct trace *t = a->s.trace;
	int64_t from = t->origin_ns, to = t->end_ns;

	if (a->o->latency_limit && app_limit(a, a->o->latency_limit))
		*a->s.message = '\0';
	begin_cpus(a);
	if ((a->o->from && !time_of(a, a->o->from, &from)) || (a->o->to && !time_of(a, a->o->to, &to)))
		return;
	if (to > from)
		session_window(&a->s, from, to);
	a->s.at_ns = from;
	if (a->o->at)
		goto_time(a, a->o->at);
	if (t->nwarnings && !*a->s.message)
		session_say(&a->s, false, "%s", t->warning[0]);
}
