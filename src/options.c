// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum kind { FLAG, TEXT, LIST, NUMBER, REAL, WORD };

struct option_def {
	char letter; /* 0 none */
	const char *name;
	enum kind kind;
	size_t offset;
	const char *arg;  /* NULL for flags */
	const char *help;
	const char *words; /* WORD: "text|md|csv|json", value = index as int */
};

#define O(field) offsetof(struct options, field)

static const struct option_def defs[] = {
	{'g', "governor", LIST, O(governors), "GOV[,GOV...]", "governors to replay: NAME[@VERSION][:param=value]...", NULL},
	{'t', "table", TEXT, O(table), "NAME|FILE", "state table to replay on (default: the machine's own)", NULL},
	{'p', "param", LIST, O(params), "P=LO..HI[:STEP]", "sweep: a parameter and its values", NULL},
	{0, "states", TEXT, O(states), "FILE", "the recorded machine's own table, from a sysfs dump", NULL},
	{0, "set", LIST, O(set), "STATE.FIELD=VALUE", "edit the table: .latency=US .residency=US .polling=on|off", NULL},
	{0, "disable-state", LIST, O(disable), "STATE", "switch a state off (index or name)", NULL},
	{0, "enable-state", LIST, O(enable), "STATE", "switch a state on", NULL},
	{0, "latency-limit", TEXT, O(latency_limit), "US", "what-if latency limit", NULL},
	{0, "latency-model", TEXT, O(latency_model), "table|measured", "exit latencies of a what-if", NULL},
	{0, "hz", NUMBER, O(hz), "N", "tick rate of the recording, or of the what-if", NULL},
	{0, "ignore-probes", FLAG, O(ignore_probes), NULL, "do not use recorded probe events", NULL},
	{0, "warmup", NUMBER, O(warmup), "N", "decisions left out per CPU at the start and after holes (40)", NULL},
	{0, "cpus", TEXT, O(cpus), "LIST", "only these CPUs: 0-3,7", NULL},
	{0, "from", TEXT, O(from), "T", "start of the window: 4.1s, 350us, @clock", NULL},
	{0, "to", TEXT, O(to), "T", "end of the window", NULL},
	{0, "at", TEXT, O(at), "T", "the decision at this time", NULL},
	{0, "filter", TEXT, O(filter), "EXPR", "only what matches: cpu <= 3 && miss == above", NULL},
	{0, "by", TEXT, O(by), "cpu|cluster|core|package|all|period|wake", "grouping", NULL},
	{0, "topology", TEXT, O(topology), "SPEC|FILE", "core=8,... or lscpu -p text", NULL},
	{0, "instance", TEXT, O(instance), "NAME", "one trace instance (default: all)", NULL},
	{0, "sort", TEXT, O(sort), "COL", "sort rows by a column", NULL},
	{0, "power", TEXT, O(power), "FILE", "power per state, for energy", NULL},
	{0, "before", TEXT, O(before), "DUMP", "sysfs dump before", NULL},
	{0, "after", TEXT, O(after), "DUMP", "sysfs dump after", NULL},
	{0, "vs", LIST, O(versus), "FILE", "compare: the other set", NULL},
	{0, "import", TEXT, O(import), "FILE", "states: make a table from a sysfs dump or cpupower output", NULL},
	{0, "kernel", TEXT, O(kernel_dir), "DIR", "governor build: the kernel tree", NULL},
	{0, "include", LIST, O(include), "FILE", "governor build: a file with what the source lacks", NULL},
	{0, "governor-source", TEXT, O(governor_source), "FILE.c", "name the preset that fits a governor source", NULL},
	{0, "format", WORD, O(format), "text|md|csv|json", "output form", "text|md|csv|json"},
	{0, "style", TEXT, O(style), "NAME", "shape of the table (see doc/)", NULL},
	{'o', "output", TEXT, O(output), "FILE", "write there, whole or not at all", NULL},
	{0, "quiet", FLAG, O(quiet), NULL, "no words beside the data", NULL},
	{0, "partial", FLAG, O(partial), NULL, "use what is whole of a damaged file", NULL},
	{0, "fail-if", TEXT, O(fail_if), "EXPR", "exit 1 when it holds", NULL},
	{'j', "jobs", NUMBER, O(jobs), "N", "threads; the output does not depend on it", NULL},
	{0, "seconds", REAL, O(seconds), "N", "record: how long", NULL},
	{0, "light", FLAG, O(light), NULL, "record, report: idle events only", NULL},
	{0, "full", FLAG, O(full), NULL, "record: everything a replay can use; report: all events analysed", NULL},
	{0, "sample", NUMBER, O(sample), "EVENTS", "report: wakes and latencies from windows of about so many in all", NULL},
	{0, "probes", FLAG, O(probes), NULL, "record: the kernel's own inputs and choices", NULL},
	{0, "print-command", FLAG, O(print_command), NULL, "record: print the plain trace-cmd line instead", NULL},
	{0, "ascii", FLAG, O(ascii), NULL, "no characters beyond ASCII on the screen", NULL},
	{0, "color", TEXT, O(color), "auto|always|never", "colours on the screen", NULL},
	{0, "no-mouse", FLAG, O(no_mouse), NULL, "leave the mouse to the terminal", NULL},
	{0, "no-config", FLAG, O(no_config), NULL, "read no configuration file", NULL},
	{0, "headless", FLAG, O(headless), NULL, "the screen's loop without a terminal", NULL},
	{0, "size", TEXT, O(size), "WxH", "headless: size of the screen", NULL},
	{0, "script", TEXT, O(script), "FILE", "headless: commands and keys to run", NULL},
	{'h', "help", FLAG, O(help), NULL, "this text", NULL},
	{'V', "version", FLAG, O(version), NULL, "the version", NULL},
};

static void push(struct text_list *l, const char *s)
{
	GROW(l->s, l->n, l->cap);
	l->s[l->n++] = s;
}

static const struct option_def *find(const char *arg, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(defs); i++)
		if (strlen(defs[i].name) == len && !memcmp(defs[i].name, arg, len))
			return &defs[i];
	return NULL;
}

static const struct option_def *find_letter(char c)
{
	for (size_t i = 0; i < ARRAY_SIZE(defs); i++)
		if (defs[i].letter == c)
			return &defs[i];
	return NULL;
}

static int set_word(int *out, const struct option_def *d, const char *value, struct error *err)
{
	size_t len = strlen(value);
	int k = 0;

	for (const char *w = d->words; w; w = strchr(w, '|'), k++) {
		w += *w == '|';
		if (strcspn(w, "|") == len && !memcmp(w, value, len)) {
			*out = k;
			return 0;
		}
	}
	return error_set(err, EXIT_USAGE, "--%s takes %s, not '%s'", d->name, d->arg, value);
}

static int set_number(const struct option_def *d, char *at, const char *value, struct error *err)
{
	char *end;
	double v;

	errno = 0;
	v = strtod(value, &end);
	if (end == value || *end || errno || !(v >= 0 && v <= 1e9))
		return error_set(err, EXIT_USAGE, "--%s takes a number, not '%s'", d->name, value);
	if (d->kind == REAL)
		*(double *)at = v;
	else if (v != (double)(int)v)
		return error_set(err, EXIT_USAGE, "--%s takes a whole number, not '%s'", d->name, value);
	else
		*(int *)at = (int)v;
	return 0;
}

static int set_value(struct options *o, const struct option_def *d, const char *value,
	struct error *err)
{
	char *at = (char *)o + d->offset;

	switch (d->kind) {
	case FLAG:
		*(bool *)at = true;
		return 0;
	case TEXT:
		*(const char **)at = value;
		return 0;
	case LIST:
		push((struct text_list *)at, value);
		return 0;
	case WORD:
		return set_word((int *)at, d, value, err);
	default:
		return set_number(d, at, value, err);
	}
}

/* one "-x", "-xVALUE", "--name", "--name=VALUE"; *i moves past a value in the next argument */
static int one_option(struct options *o, int argc, char **argv, int *i, struct error *err)
{
	const char *arg = argv[*i], *value = NULL;
	const struct option_def *d;

	if (arg[1] == '-') {
		size_t len = strcspn(arg + 2, "=");

		d = find(arg + 2, len);
		value = arg[2 + len] ? arg + 3 + len : NULL;
	} else {
		d = find_letter(arg[1]);
		value = arg[2] ? arg + 2 : NULL;
	}
	if (!d || (d->kind == FLAG && value))
		return error_set(err, EXIT_USAGE, "unknown option '%s' (reidle --help lists them)", arg);
	if (d->kind != FLAG && !value) {
		if (*i + 1 >= argc)
			return error_set(err, EXIT_USAGE, "%s needs %s", arg, d->arg);
		value = argv[++*i];
	}
	return set_value(o, d, value, err);
}

static char *join(int argc, char **argv)
{
	char *s = xstrdup("reidle");

	for (int i = 1; i < argc; i++) {
		bool plain = argv[i][0] && !argv[i][strcspn(argv[i], " \t\n'\"\\$&|<>()*?;!")];
		char *t = plain ? xasprintf("%s %s", s, argv[i]) : xasprintf("%s '%s'", s, argv[i]);

		free(s);
		s = t;
	}
	return s;
}

static int check(const struct options *o, struct error *err)
{
	const char *c = o->color, *m = o->latency_model;

	if (c && strcmp(c, "auto") && strcmp(c, "always") && strcmp(c, "never"))
		return error_set(err, EXIT_USAGE, "--color takes auto, always or never, not '%s'", c);
	if (m && strcmp(m, "table") && strcmp(m, "measured"))
		return error_set(err, EXIT_USAGE, "--latency-model takes table or measured, not '%s'", m);
	return 0;
}

int options_parse(struct options *o, int argc, char **argv, struct error *err)
{
	bool versus = false;

	memset(o, 0, sizeof(*o));
	o->warmup = 40;
	o->command_line = join(argc, argv);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--")) {
			while (++i < argc)
				push(&o->command, argv[i]);
			break;
		}
		if (argv[i][0] != '-' || !argv[i][1]) {
			push(versus ? &o->versus : &o->files, argv[i]);
		} else {
			/* all plain arguments after --vs belong to the other set */
			versus |= !strcmp(argv[i], "--vs");
			if (one_option(o, argc, argv, &i, err))
				return -1;
		}
	}
	return check(o, err);
}

void options_free(struct options *o)
{
	struct text_list *lists[] = {&o->files, &o->governors, &o->params, &o->set, &o->disable,
		&o->enable, &o->versus, &o->include, &o->command};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		free(lists[i]->s);
	free((char *)o->command_line);
	memset(o, 0, sizeof(*o));
}

void options_help(FILE *f)
{
	char head[80];

	for (size_t i = 0; i < ARRAY_SIZE(defs); i++) {
		const struct option_def *d = &defs[i];

		snprintf(head, sizeof(head), "%s%c%s--%s%s%s", d->letter ? "-" : "  ",
			d->letter ? d->letter : ' ', d->letter ? ", " : " ", d->name, d->arg ? " " : "",
			d->arg ? d->arg : "");
		fprintf(f, "  %-38s %s\n", head, d->help);
	}
}

bool options_describe(size_t i, struct option_text *out)
{
	if (i >= ARRAY_SIZE(defs))
		return false;
	*out = (struct option_text){defs[i].letter, defs[i].name, defs[i].arg, defs[i].help};
	return true;
}

static const struct {
	const char *name;
	double ns;
} units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};

int options_time(int64_t *out, const char *text, int64_t origin_ns, struct error *err)
{
	bool absolute = *text == '@';
	const char *number = text + absolute;
	double ns = 1e9;
	char *end;
	long double v;

	errno = 0;
	v = strtold(number, &end);
	if (end == number || errno)
		goto bad;
	if (*end) {
		size_t u;

		for (u = 0; u < ARRAY_SIZE(units) && strcmp(end, units[u].name); u++)
			;
		if (u == ARRAY_SIZE(units))
			goto bad;
		ns = units[u].ns;
	}
	v *= ns;
	if (!(v > -9e18L && v < 9e18L))
		goto bad;
	*out = (int64_t)(v + (v < 0 ? -0.5L : 0.5L)) + (absolute ? 0 : origin_ns);
	return 0;
bad:
	return error_set(err, EXIT_USAGE, "'%s' is no time: write 4.1472s, 350us, or @8.247607329 for "
		"the recording's own clock", text);
}

bool *options_cpus(const char *text, int ncpus, struct error *err)
{
	bool *map = xcalloc((size_t)ncpus, sizeof(*map));
	char *end;

	for (int i = 0; i < ncpus; i++)
		map[i] = !text;
	while (text) {
		long lo = strtol(text, &end, 10), hi = lo;

		if (end != text && *end == '-') {
			text = end + 1;
			hi = strtol(text, &end, 10);
		}
		if (end == text || (*end && *end != ',') || lo < 0 || hi < lo || lo >= ncpus) {
			error_set(err, EXIT_USAGE, "--cpus takes a list like 0-3,7 of CPUs 0-%d",
				ncpus - 1);
			free(map);
			return NULL;
		}
		for (long i = lo; i <= hi && i < ncpus; i++)
			map[i] = true;
		text = *end ? end + 1 : NULL;
	}
	return map;
}
