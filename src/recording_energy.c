// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_energy.h"

#include <math.h>
#include <stdlib.h>

static const double ratios[ENERGIES] = {ENERGY_RATIO, 0.6 * ENERGY_RATIO, 1.4 * ENERGY_RATIO};

static int energy_models(struct energy_model *out, const struct machine *m, const char *powers,
	double ratio, struct error *err)
{
	for (int i = 0; i < m->ntables; i++) {
		if (!powers)
			energy_from_table(&out[i], &m->tables[i], ratio);
		else if (energy_parse(&out[i], powers, &m->tables[i], err))
			return -1;
	}
	return 0;
}

int energies_of(double *out, const struct run *r, int64_t span_ns, const char *powers, char *why,
	size_t why_size, struct error *err)
{
	struct energy_model *model = xcalloc((size_t)r->machine.ntables, sizeof(*model));
	int ret = 0;

	for (int i = ENERGIES; i-- && !ret;) {
		ret = energy_models(model, &r->machine, powers, ratios[i], err);
		out[i] = ret || r->machine.source == MACHINE_GUESSED
				 ? NAN
				 : energy_of_run(r, model, span_ns);
	}
	if (why)
		copy_text(why, why_size, model[0].why);
	free(model);
	return ret;
}

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
