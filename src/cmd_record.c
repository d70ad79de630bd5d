// SPDX-License-Identifier: GPL-2.0-or-later
/* `reidle record`: the first step, a recording that a replay can use. */
#include "src/record.h"
#include "src/subcommand.h"

static int make_plan(struct record_plan *plan, const struct options *o, struct error *err)
{
	if (o->light && o->full)
		return error_set(err, EXIT_USAGE, "record: --light or --full, not both");
	if (o->files.n)
		return error_set(err, EXIT_USAGE,
			"record: '%s' is unexpected: -o FILE names the recording, -- COMMAND what to run",
			o->files.s[0]);
	*plan = (struct record_plan){
		.level = o->light ? RECORD_LIGHT : o->full ? RECORD_FULL : RECORD_DEFAULT,
		.probes = o->probes,
		.seconds = o->seconds,
		.output = o->output ? o->output : "reidle.dat",
		.command = o->command.s,
		.ncommand = o->command.n,
		.buffer_kb = RECORD_BUFFER_KB,
		.quiet = o->quiet,
	};
	return 0;
}

static int record_main(const struct options *o, struct error *err)
{
	struct record_plan plan;

	if (make_plan(&plan, o, err))
		return -1;
	if (o->print_command) {
		record_print_command(stdout, &plan);
		return EXIT_FINE;
	}
	if (!plan.ncommand && plan.seconds <= 0 && !plan.quiet)
		fputs("reidle: recording until Ctrl-C\n", stderr);
	return record_run(&plan, err);
}

const struct subcommand cmd_record = {
	.name = "record",
	.usage = "[-o FILE] [--seconds N] [--light|--full] [--probes] [--print-command] [-- COMMAND]",
	.summary = "record what a replay needs",
	.run = record_main,
};
