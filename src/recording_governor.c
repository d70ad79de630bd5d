// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/models.h"
#include "src/govbuild.h"
#include "src/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int governor_source(struct gov_spec *out, const char *path, struct error *err)
{
	char *text = govbuild_read(path);
	int ret;

	if (!text)
		return error_set(err, EXIT_INPUT, "%s: %s", path, strerror(errno));
	ret = governor_fingerprint(out, text, err);
	free(text);
	return ret ? error_prefix(err, "%s: ", path) : 0;
}

int governor_fits(const struct gov_spec *s, const struct machine *m, struct error *err)
{
	int most = 0;

	if (s->gov != &governor_fixed)
		return 0;
	for (int i = 0; i < m->ntables; i++)
		if (m->tables[i].nstates > most)
			most = m->tables[i].nstates;
	if (s->value[0] < most)
		return 0;
	return error_set(err, EXIT_USAGE, "%s: no such state: the table ends at %d", s->text, most - 1);
}

int recording_governor(struct gov_spec *out, const struct recording *r, const struct options *o,
	struct error *err)
{
	if (o->governor_source)
		return governor_source(out, o->governor_source, err);
	return governor_for_recording(out, r->governor, r->kernel, err);
}
