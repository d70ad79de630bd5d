/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line as data (cli.md): every option that any command takes, parsed once.
 * Strings point into argv; lists are owned and released by options_free(). Options do not depend on order.
 */
#ifndef REIDLE_SRC_OPTIONS_H
#define REIDLE_SRC_OPTIONS_H

#include "src/error.h"
#include "src/table.h"
#include "src/util.h"

struct text_list {
	const char **s;
	size_t n, cap;
};

struct options {
	struct text_list files;	     /* arguments that are no options */
	struct text_list governors;  /* each -g, unsplit */
	struct text_list params;     /* each -p */
	struct text_list set;	     /* each --set STATE.field=value */
	struct text_list disable, enable; /* each --disable-state, --enable-state */
	struct text_list versus;     /* files after --vs */
	struct text_list include;    /* each --include */
	struct text_list command;    /* after -- */
	const char *table;	     /* -t */
	const char *states;	     /* --states */
	const char *before, *after;
	const char *latency_limit, *latency_model;
	const char *cpus, *from, *to, *at, *filter, *by, *topology, *instance, *sort;
	const char *style, *output, *fail_if;
	const char *size, *script;   /* --headless */
	const char *import, *kernel_dir, *governor_source, *power;
	enum out_format format;
	int hz, warmup, jobs;
	double seconds;		     /* record */
	int sample;		     /* events; 0: report decides */
	bool ignore_probes, partial, quiet, ascii, no_mouse, no_config, headless;
	bool light, full, probes, print_command, help, version;
	const char *color;	     /* auto, always, never */
	const char *command_line;    /* as typed, for headers; owned */
};

/**
 * options_parse() - parse what follows the command's name
 * Return: 0, or -1 with err (usage: names the option and what it takes)
 */
int options_parse(struct options *o, int argc, char **argv, struct error *err);
void options_free(struct options *o);
/** options_help() - the option table as text, for --help and the man page */
void options_help(FILE *f);

struct option_text {
	char letter; /* 0 none */
	const char *name, *arg, *help; /* arg: NULL for a flag */
};

/** options_describe() - the @i-th option of the table, for the man page and completion; false past it */
bool options_describe(size_t i, struct option_text *out);

/**
 * options_time() - a time of the command line in ns
 * @origin_ns: start of the recording; "4.1472s", "350us", "12ms" count from it; "@8.2476" is absolute
 */
int options_time(int64_t *out, const char *text, int64_t origin_ns, struct error *err);

/** options_cpus() - "0-3,7" to a map of ncpus flags (owned by the caller); NULL text: all set */
bool *options_cpus(const char *text, int ncpus, struct error *err);

#endif
