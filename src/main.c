// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/error.h"

#include <stdio.h>

int main(void)
{
	fputs("reidle: not yet\n", stderr);
	return EXIT_INTERNAL;
}
