// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_energy.h"

#include <stdlib.h>

char *energy_read_powers(const char *path, struct error *err)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!f || getdelim(&text, &size, '\0', f) < 0) {
		error_set(err, EXIT_USAGE, "--power %s: cannot be read", path);
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}
