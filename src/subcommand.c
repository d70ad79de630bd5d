// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/subcommand.h"

const struct subcommand *const subcommand_list[] = {
	NULL,
};
