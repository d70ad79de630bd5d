// SPDX-License-Identifier: GPL-2.0-or-later
/* Moving the kernel's pages to files while the recording runs, and counting what was lost. */
#include "src/record_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int drain_cpu(struct record_session *s, int cpu, bool last, struct error *err)
{
	int n;

	while ((n = tracefs_cpu_write(s->cpu[cpu], s->piece[cpu], true)) > 0)
		s->bytes += n;
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return error_set(err, EXIT_INPUT, "record: %s: %s", s->piece_path[cpu], strerror(errno));
	if (!last)
		return 0;
	while ((n = tracefs_cpu_flush_write(s->cpu[cpu], s->piece[cpu])) > 0)
		s->bytes += n;
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return error_set(err, EXIT_INPUT, "record: %s: %s", s->piece_path[cpu], strerror(errno));
	return 0;
}

int record_session_drain(struct record_session *s, bool last, struct error *err)
{
	for (int i = 0; i < s->ncpus; i++)
		if (s->cpu[i] && drain_cpu(s, i, last, err))
			return -1;
	return 0;
}

uint64_t record_session_lost(const struct record_session *s)
{
	static const char *const counter[] = {"\noverrun: ", "\ndropped events: ", "\ncommit overrun: "};
	uint64_t lost = 0;

	for (int i = 0; i < s->ncpus; i++) {
		char name[40], *stats;

		snprintf(name, sizeof(name), "per_cpu/cpu%d/stats", i);
		stats = tracefs_instance_file_read(s->instance, name, NULL);
		for (size_t k = 0; stats && k < ARRAY_SIZE(counter); k++) {
			const char *at = strstr(stats, counter[k]);

			if (at)
				lost += strtoull(at + strlen(counter[k]), NULL, 10);
		}
		free(stats);
	}
	return lost;
}
