// SPDX-License-Identifier: GPL-2.0-or-later
/* Small texts: tables, the machine in a recording, settings, expressions, powers, topologies, governors. */
#include "replay/energy.h"
#include "replay/governor.h"
#include "replay/sweep.h"
#include "src/config.h"
#include "src/expr.h"
#include "src/machine_text.h"
#include "src/options.h"
#include "src/selection.h"
#include "src/topology.h"
#include "tests/fuzz/feed.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 64
#define CPUS 16

/* what a machine is asked for */
static void look_at(struct machine *m)
{
	struct machine copy;
	int64_t sum = machine_judges(m);

	machine_copy(&copy, m);
	for (int cpu = 0; cpu < m->ncpus; cpu++)
		for (int s = 0; s < machine_table(m, cpu)->nstates; s++)
			sum += machine_timeout(machine_table(m, cpu), s, m->hz) +
			       machine_verdict(machine_table(m, cpu), s, sum % 1000000) +
			       machine_ideal(machine_table(m, cpu), sum % 1000000, LATENCY_ANY);
	machine_free(&copy);
}

static bool take_table(const uint8_t *data, size_t size)
{
	const char *path = feed_path(data, size);
	struct table_set set = {0};
	struct machine m;
	struct error err;
	bool taken = !tables_read_file(&set, path, &err);

	tables_free(&set);
	if (taken && !machine_load_table(&m, path, CPUS, &err)) {
		look_at(&m);
		machine_free(&m);
	}
	return taken;
}

static bool take_machine(const uint8_t *data, size_t size)
{
	char *text = feed_string(data, size);
	struct machine_text m;
	struct error err;
	bool taken = !machine_text_read(&m, text, &err);

	if (taken) {
		look_at(&m.machine);
		machine_text_free(&m);
	}
	free(text);
	return taken;
}

static bool take_config(const uint8_t *data, size_t size)
{
	struct config c = {0};
	struct keymap keys;
	struct theme theme;
	bool taken;

	config_read_file(&c, feed_path(data, size));
	keymap_init(&keys);
	theme_init(&theme, theme_colors("always", NULL, 256), false, 4);
	config_keys(&c, &keys);
	config_colors(&c, &theme);
	config_check(&c);
	taken = !*c.problem;
	config_free(&c);
	return taken;
}

static struct expr_value some_value(void *ctx, int field)
{
	(void)ctx;
	if (field % 3 == 2)
		return (struct expr_value){.known = false};
	return period_fields[field].type == EXPR_TEXT ? expr_text("kworker/3:1") : expr_number(field);
}

static bool take_expr(const uint8_t *data, size_t size)
{
	char *text = feed_string(data, size);
	struct error err;
	size_t column;
	struct expr *e = expr_compile(text, period_fields, FIELD_COUNT, &column, &err);

	if (e)
		expr_holds(e, some_value, NULL);
	expr_free(e);
	free(text);
	return e != NULL;
}

static bool take_power(const uint8_t *data, size_t size)
{
	struct state_table table = {.nstates = 4};
	char *text = feed_string(data, size);
	struct energy_model model;
	struct error err;
	bool taken;

	for (int i = 0; i < table.nstates; i++)
		snprintf(table.state[i].name, sizeof(table.state[i].name), i ? "C%d" : "POLL", i);
	taken = !energy_parse(&model, text, &table, &err);
	free(text);
	return taken;
}

static bool take_topology(const uint8_t *data, size_t size)
{
	char *text = feed_string(data, size);
	struct topology t;
	struct error err;
	bool taken = !topology_parse(&t, text, CPUS, &err);

	if (taken) {
		topology_find(&t, "socket");
		topology_free(&t);
	}
	free(text);
	return taken;
}

/* what -g and the axes of a sweep take */
static bool take_governor(const uint8_t *data, size_t size)
{
	char *text = feed_string(data, size);
	struct sweep_axes axes = {0};
	struct gov_spec spec, list[8];
	struct error err;
	bool recorded, taken = !governor_parse(&spec, text, "6.12.117", &err);
	int n = governor_parse_list(list, 8, text, "", &recorded, &err);

	if (!sweep_axis_add(&axes, text, &err) && sweep_cells(&axes) != SIZE_MAX)
		sweep_value(&axes, sweep_cells(&axes) - 1, 0);
	sweep_axes_free(&axes);
	free(text);
	return taken || n > 0;
}

/* a kernel's menu.c or teo.c, of any tree */
static bool take_source(const uint8_t *data, size_t size)
{
	char *text = feed_string(data, size);
	struct gov_spec spec;
	struct error err;
	bool taken = !governor_fingerprint(&spec, text, &err);

	free(text);
	return taken;
}

static void edit_machine(const char *word)
{
	struct state_table table = {.nstates = 3};
	struct machine m;
	struct error err;

	for (int i = 0; i < table.nstates; i++)
		snprintf(table.state[i].name, sizeof(table.state[i].name), i ? "C%d" : "POLL", i);
	machine_uniform(&m, &table, 2);
	machine_set(&m, word, &err);
	machine_set_disabled(&m, word, true, &err);
	machine_free(&m);
}

/* a command line, and what single options hold; words stand on lines of their own */
static bool take_options(const uint8_t *data, size_t size)
{
	char *text = feed_string(data, size), *rest = text, *word, *argv[WORDS_MAX];
	struct options o;
	struct error err;
	int64_t ns;
	int argc = 0;
	bool taken;

	while (argc < WORDS_MAX && (word = strsep(&rest, "\n"))) {
		free(options_cpus(word, CPUS, &err));
		options_time(&ns, word, 1000000000, &err);
		edit_machine(word);
		argv[argc++] = word;
	}
	taken = !options_parse(&o, argc, argv, &err);
	options_free(&o);
	free(text);
	return taken;
}

static const char *const table_words[] = {"\t", "\n", "table\t", "cpus\t0-3,7", "source\t", "note\t", "rule\t",
	"state\t0\t", "omit\t", "yes", "no", "tick", "poll_idle", "next_residency", "4294967295", "-1", "0.0001",
	"1e300", "\r", "#", NULL};
static const char *const machine_words[] = {"reidle1 ", "\n", " ", "=", "cpu", "state", "0-3", "8191", "8192",
	"4294967295", "18446744073709551615", "-1", "99999999999999999999", "%20", ",", "table", "latency", NULL};
static const char *const config_words[] = {"\n", "[keys]", "[colors]", "[screen]", "=", " = ", ";", "#", "bold",
	"208", "zoom-in", "PgDn", "^D", "theme", "height", "lanes", "[", "]", "\t", NULL};
static const char *const expr_words[] = {"(", ")", "!", "&&", "||", "==", "!=", "<", "<=", "~", "!~", "\"", "'",
	"cpu", "state", "length", "waker", "wake", "miss", "100us", "5%", "1e308", "kworker", "\\", "[", "*", "{9}",
	" ", NULL};
static const char *const power_words[] = {"\n", " ", "POLL", "C1", "running", "#", "1e308", "-1", "nan", "inf",
	"0x1p3", "0", NULL};
static const char *const topology_words[] = {"=", ",", "\n", "#", "# CPU,Core,Socket,Node", "core", "package",
	"-1", "4294967296", "/sys/devices/system/cpu/cpu", "/topology/core_id:", "/cache/index3/shared_cpu_list:",
	"0-7", "8191", NULL};
static const char *const governor_words[] = {"menu", "teo", "ladder", "haltpoll", "oracle", "fixed", "@", "6.12",
	"6.1.176", ":", "=", ",", "..", "99999999999999999999", "-1", "1e300", "recorded", "nan", NULL};
static const char *const source_words[] = {"{", "}", "(", ")", ";", "/*", "*/", "\"", "#define ", "#if 0\n",
	"static int ", "menu_select", "teo_select", "get_typical_interval", "data->", "\n", "\\\n", NULL};
static const char *const option_words[] = {"\n", "--", "-", "=", "--cpus", "0-3,7", "--from", "@8.2476", "350us",
	"--vs", "--format", "csv", "-g", "C1.latency=2", "1.residency=4294967296", "POLL.polling=on", "99999999999",
	"--hz", "-t", "--", "--jobs", "0-", "-3", NULL};

const struct feed feed_table = {"table", take_table, table_words, 2000};
const struct feed feed_machine = {"machine", take_machine, machine_words, 4000};
const struct feed feed_config = {"config", take_config, config_words, 0};
const struct feed feed_expr = {"expr", take_expr, expr_words, 0};
const struct feed feed_power = {"power", take_power, power_words, 0};
const struct feed feed_topology = {"topology", take_topology, topology_words, 0};
const struct feed feed_governor = {"governor", take_governor, governor_words, 0};
const struct feed feed_source = {"source", take_source, source_words, 8000};
const struct feed feed_options = {"options", take_options, option_words, 0};
