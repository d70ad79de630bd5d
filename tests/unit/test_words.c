// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The words about an idle period never contradict each other: verdict, ideal state, the kernel's own flag,
 * and what timeline, explain and decisions say of the same decision. On 200 decisions of each sample drawn
 * at random, on all those where the bare length would suggest another verdict, and on every shipped table.
 */
#include "src/app.h"
#include "src/app_parts.h"
#include "views/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM 200
#define BORDERLINE 40
#define US NSEC_PER_USEC

static uint64_t seed = 20241111;

static uint64_t rnd(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static const char *const samples[] = {"samples/skl-612-pp.dat", "samples/p9-61-truth.dat", "samples/p9-61-w100.dat"};

struct screen {
	struct options o;
	const char *files[1];
	struct app *a;
	struct canvas c;
	char *text;
};

static void begin(struct screen *t, const char *recording)
{
	struct error err = {0};

	memset(t, 0, sizeof(*t));
	t->files[0] = recording;
	t->o.files = (struct text_list){.s = t->files, .n = 1, .cap = 1};
	t->o.no_config = t->o.headless = true;
	t->a = app_new(&t->o, &err);
	if (!t->a || app_settle(t->a, &err))
		fail_msg("%s", err.text);
	canvas_init(&t->c, 120, 70, GLYPHS_UTF8);
}

static void end(struct screen *t)
{
	free(t->text);
	canvas_free(&t->c);
	app_free(t->a);
}

static const char *show(struct screen *t, const char *view)
{
	struct error err = {0};

	if (app_step(t->a, view, &err) || app_settle(t->a, &err))
		fail_msg("%s", err.text);
	app_draw(t->a, &t->c);
	free(t->text);
	t->text = canvas_dump(&t->c, false);
	return t->text;
}

/* the index in "ideal   3 C3  words"; words are what follows it on the line */
static int ideal_in(const char *screen, char *words, size_t size)
{
	const char *p = strstr(screen, "\n ideal  "), *end;
	int state = -1;

	*words = '\0';
	if (!p)
		return -1;
	end = strchr(p + 1, '\n');
	snprintf(words, size, "%.*s", (int)(end - p - 1), p + 1);
	sscanf(p, " ideal %d", &state);
	return state;
}

static void expect(bool ok, const char *what, int cpu, size_t i, const char *words)
{
	if (!ok)
		fail_msg("cpu%d period %zu: %s: %s", cpu, i, what, words);
}

/* one decision on three views */
static void check_one(struct screen *t, int cpu, size_t i)
{
	struct session *s = &t->a->s;
	const struct period *p = &session_get(s, 0)->cpu[cpu].period[i];
	enum verdict v = timeline_verdict(&s->run[0]->tl, cpu, i);
	bool hair, above = p->flags & PERIOD_MISS_ABOVE, below = p->flags & PERIOD_MISS_BELOW;
	char words[400], explained[400], marked[40];
	const char *arrow;
	int ideal;

	session_select(s, 0, cpu, i);
	ideal = ideal_in(show(t, "timeline"), words, sizeof(words));
	if (v == VERDICT_NONE) {
		expect(strstr(t->text, "no verdict") || strstr(t->text, "forced"), "no verdict", cpu, i, words);
		return;
	}
	expect(!!strstr(words, "too deep") == (v == VERDICT_ABOVE), "above", cpu, i, words);
	expect(!!strstr(words, "too shallow") == (v == VERDICT_BELOW), "below", cpu, i, words);
	expect((strstr(words, "  right") != NULL) == (v == VERDICT_OK), "right", cpu, i, words);
	expect(v != VERDICT_ABOVE || ideal < p->entered, "above: the ideal is shallower", cpu, i, words);
	expect(v != VERDICT_BELOW || ideal > p->entered, "below: the ideal is deeper", cpu, i, words);
	expect(v != VERDICT_OK || ideal == p->entered, "right: the ideal is the one entered", cpu, i, words);
	hair = strstr(words, "(the kernel: ");
	if (s->trace->present & EV_BIT(EV_MISS))
		expect(hair == (above != (v == VERDICT_ABOVE) || below != (v == VERDICT_BELOW)),
			"the kernel's own flag", cpu, i, words);
	if (!session_decision(s, cpu, i))
		return;
	ideal_in(show(t, "explain"), explained, sizeof(explained));
	expect(!strcmp(words, explained), "explain says the same", cpu, i, explained);
	arrow = strstr(t->text, "<- ideal");
	while (arrow && arrow > t->text && arrow[-1] != '\n')
		arrow--;
	snprintf(marked, sizeof(marked), "%s", machine_table(s->machine, cpu)->state[ideal].name);
	expect(arrow && !strncmp(arrow + 3, marked, strlen(marked)), "explain marks the same state", cpu, i,
		arrow ? arrow : "no arrow");
}

static void random_decisions(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(samples); k++) {
		struct screen t;

		begin(&t, samples[k]);
		for (int n = 0; n < RANDOM; n++) {
			int cpu = (int)rnd((uint64_t)t.a->s.trace->ncpus);

			if (t.a->s.trace->cpu[cpu].nperiods)
				check_one(&t, cpu, rnd(t.a->s.trace->cpu[cpu].nperiods));
		}
		end(&t);
	}
}

/* the verdict is "right", but the bare length fits a deeper state; or the kernel's flag is another */
static bool borderline(const struct session *s, int cpu, size_t i)
{
	const struct timeline *tl = &s->run[0]->tl;
	const struct period *p = &tl->cpu[cpu].period[i];
	enum verdict v = timeline_verdict(tl, cpu, i);
	bool above = p->flags & PERIOD_MISS_ABOVE, below = p->flags & PERIOD_MISS_BELOW;

	if (v == VERDICT_NONE)
		return false;
	if (above != (v == VERDICT_ABOVE) || below != (v == VERDICT_BELOW))
		return true;
	return v == VERDICT_OK && p->entered != machine_ideal(tl->cpu[cpu].table,
		max64(p->exit_ns - p->enter_ns - tl->event_cost_ns, 0), LATENCY_ANY);
}

static void borderline_decisions(void **state)
{
	int found = 0;

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(samples); k++) {
		struct screen t;
		int checked = 0;

		begin(&t, samples[k]);
		for (int cpu = 0; cpu < t.a->s.trace->ncpus; cpu++)
			for (size_t i = 0; i < t.a->s.trace->cpu[cpu].nperiods; i++)
				if (borderline(&t.a->s, cpu, i)) {
					found++;
					if (checked++ < BORDERLINE)
						check_one(&t, cpu, i);
				}
		end(&t);
	}
	print_message("%d decisions lie on a border\n", found);
	assert_true(found > 20);
}

/* at every length at which anything changes, one ns to both sides */
static void check_table(const char *id, const struct state_table *t)
{
	for (int entered = 0; entered < t->nstates; entered++)
		for (int a = 0; a < t->nstates; a++)
			for (int b = -1; b < t->nstates; b++)
				for (int64_t off = -1; off <= 1; off++) {
					int64_t length = max64(t->state[a].target_residency_ns +
						(b < 0 ? 0 : t->state[b].exit_latency_ns) + off, 0);
					enum verdict v = machine_verdict(t, entered, length);
					int ideal;
					enum verdict_reason r = machine_reason(t, entered, v, length, LATENCY_ANY, &ideal);
					bool fine = r != REASON_EDGE && r != REASON_LIMIT &&
						(v != VERDICT_ABOVE || ideal < entered) &&
						(v != VERDICT_BELOW || ideal > entered) &&
						(v != VERDICT_OK || ideal == entered || r > REASON_DEEPEST);

					if (!fine)
						fail_msg("%s: entered %d for %lld ns: verdict %d, ideal %d, reason %d", id, entered,
							(long long)length, v, ideal, r);
				}
}

static bool monotone(const struct state_table *t)
{
	for (int i = 1; i < t->nstates; i++)
		if (t->state[i].target_residency_ns < t->state[i - 1].target_residency_ns)
			return false;
	return true;
}

static void all_tables(void **state)
{
	static const char *const ids[] = {"skl", "skx", "icx", "spr", "hsx", "pseries-p9", "pseries-p10", "zen"};
	int checked = 0;

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(ids); k++) {
		struct machine m;
		struct error err;

		if (machine_load_table(&m, ids[k], 2, &err))
			continue;
		for (unsigned mask = 0; mask < 1u << m.tables[0].nstates && monotone(&m.tables[0]); mask++) {
			for (int i = 0; i < m.tables[0].nstates; i++)
				m.tables[0].state[i].disabled = mask >> i & 1;
			check_table(ids[k], &m.tables[0]);
		}
		checked++;
		machine_free(&m);
	}
	assert_true(checked >= 5);
}

/* the reasons themselves */
static void reasons(void **state)
{
	struct machine m;
	struct error err;
	struct state_table *t;
	int ideal;

	(void)state;
	assert_false(machine_load_table(&m, "skl", 1, &err));
	t = &m.tables[0];
	/* C3 70/100, C6 85/200: 210 us fit C6, but 210 - 70 do not */
	assert_int_equal(machine_reason(t, 3, VERDICT_OK, 210 * US, LATENCY_ANY, &ideal), REASON_EXIT_TIME);
	assert_int_equal(ideal, 4);
	assert_int_equal(machine_reason(t, 3, VERDICT_OK, 150 * US, LATENCY_ANY, &ideal), REASON_PLAIN);
	assert_int_equal(machine_reason(t, 3, VERDICT_BELOW, 300 * US, 80 * US, &ideal), REASON_LIMIT);
	assert_int_equal(machine_reason(t, 3, VERDICT_BELOW, 300 * US, LATENCY_ANY, &ideal), REASON_PLAIN);
	assert_int_equal(machine_reason(t, 8, VERDICT_OK, NSEC_PER_SEC, LATENCY_ANY, &ideal), REASON_DEEPEST);
	/* another length decided: the verdict stands, and the state it means goes with it */
	assert_int_equal(machine_reason(t, 3, VERDICT_BELOW, 269 * US, LATENCY_ANY, &ideal), REASON_EDGE);
	assert_int_equal(ideal, 4);
	assert_int_equal(machine_reason(t, 3, VERDICT_ABOVE, 100 * US, LATENCY_ANY, &ideal), REASON_EDGE);
	assert_int_equal(ideal, 2);
	t->state[0].disabled = true;
	assert_int_equal(machine_reason(t, 1, VERDICT_OK, US, LATENCY_ANY, &ideal), REASON_SHALLOWEST);
	t->state[3].disabled = true;
	assert_int_equal(machine_reason(t, 3, VERDICT_OK, 150 * US, LATENCY_ANY, &ideal), REASON_DISABLED);
	machine_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons),
		cmocka_unit_test(all_tables),
		cmocka_unit_test(random_decisions),
		cmocka_unit_test(borderline_decisions),
	};

	setenv("LC_ALL", "C.UTF-8", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
