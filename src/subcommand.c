// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/subcommand.h"

extern const struct subcommand cmd_explain;
extern const struct subcommand cmd_governor;
extern const struct subcommand cmd_governors;
extern const struct subcommand cmd_record;
extern const struct subcommand cmd_report;
extern const struct subcommand cmd_states;
extern const struct subcommand cmd_wakes;
extern const struct subcommand cmd_decisions;
extern const struct subcommand cmd_doctor;
extern const struct subcommand cmd_verify;
extern const struct subcommand cmd_whatif;
extern const struct subcommand cmd_sweep;
extern const struct subcommand cmd_compare;
extern const struct subcommand cmd_summary;
extern const struct subcommand cmd_events;

const struct subcommand *const subcommand_list[] = {
	&cmd_report,
	&cmd_explain,
	&cmd_governor,
	&cmd_governors,
	&cmd_record,
	&cmd_states,
	&cmd_wakes,
	&cmd_decisions,
	&cmd_doctor,
	&cmd_verify,
	&cmd_whatif,
	&cmd_sweep,
	&cmd_compare,
	&cmd_summary,
	&cmd_events,
	NULL,
};
