// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracecmd_walk FILE [percpu]: what libtracecmd needs for the work of a report: every record once, idle
 * periods paired. In order of time (tracecmd_iterate_events), or per CPU. For the bench only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>

#define CPUS 8192

static struct {
	int idle_id, state_at;
	unsigned long long enter[CPUS], records, periods, time;
} sum;

static void one(struct tep_record *r)
{
	unsigned short id;
	unsigned int state;

	sum.records++;
	memcpy(&id, r->data, sizeof(id));
	if (id != sum.idle_id || r->cpu >= CPUS)
		return;
	memcpy(&state, (char *)r->data + sum.state_at, sizeof(state));
	if (state != 0xffffffffU) {
		sum.enter[r->cpu] = r->ts;
	} else if (sum.enter[r->cpu]) {
		sum.periods++;
		sum.time += r->ts - sum.enter[r->cpu];
		sum.enter[r->cpu] = 0;
	}
}

static int callback(struct tracecmd_input *handle, struct tep_record *r, int cpu, void *unused)
{
	(void)handle, (void)cpu, (void)unused;
	one(r);
	return 0;
}

int main(int argc, char **argv)
{
	struct tracecmd_input *handle = argc > 1 ? tracecmd_open(argv[1], TRACECMD_FL_LOAD_NO_PLUGINS) : NULL;
	struct tep_handle *tep = handle ? tracecmd_get_tep(handle) : NULL;
	struct tep_event *event = tep ? tep_find_event_by_name(tep, "power", "cpu_idle") : NULL;
	struct tep_record *r;

	if (!event)
		return 1;
	sum.idle_id = event->id;
	sum.state_at = tep_find_field(event, "state")->offset;
	if (argc > 2) {
		for (int cpu = 0; cpu < tep_get_cpus(tep); cpu++)
			while ((r = tracecmd_read_data(handle, cpu))) {
				one(r);
				tracecmd_free_record(r);
			}
	} else {
		tracecmd_iterate_events(handle, NULL, 0, callback, NULL);
	}
	printf("%llu records, %llu periods, %llu ns\n", sum.records, sum.periods, sum.time);
	tracecmd_close(handle);
	return 0;
}
