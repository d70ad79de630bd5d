// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/iowait.h"

#include <stdlib.h>

#define HASH_FUNCTION HASH_JEN
#include <uthash.h>

/* prev_state of sched_switch (include/linux/sched.h): kernel threads that only wait for work */
#define STATE_UNINTERRUPTIBLE 0x2
#define STATE_NOLOAD 0x400
#define STATE_IDLE_REPORTED 0x80 /* TASK_REPORT_IDLE: what NOLOAD becomes in the event */

struct iowait_task {
	int pid;
	int cpu; /* where it sleeps, -1 when it does not */
	UT_hash_handle hh;
};

void iowait_init(struct iowait *w, int ncpus)
{
	*w = (struct iowait){.ncpus = ncpus};
	w->waiting = xcalloc((size_t)ncpus + 1, sizeof(*w->waiting));
}

void iowait_free(struct iowait *w)
{
	struct iowait_task *t, *next;

	HASH_ITER(hh, w->task, t, next)
	{
		HASH_DEL(w->task, t);
		free(t);
	}
	free(w->waiting);
	*w = (struct iowait){0};
}

static void woken(struct iowait *w, int pid)
{
	struct iowait_task *t;

	HASH_FIND_INT(w->task, &pid, t);
	if (!t || t->cpu < 0)
		return;
	w->waiting[t->cpu]--;
	t->cpu = -1;
}

static void asleep(struct iowait *w, int pid, int cpu)
{
	struct iowait_task *t;

	HASH_FIND_INT(w->task, &pid, t);
	if (!t) {
		t = xcalloc(1, sizeof(*t));
		t->pid = pid;
		HASH_ADD_INT(w->task, pid, t);
	} else if (t->cpu >= 0) {
		w->waiting[t->cpu]--;
	}
	t->cpu = cpu;
	w->waiting[cpu]++;
}

void iowait_feed(struct iowait *w, int cpu, const struct event *e)
{
	if (e->kind == EV_WAKING) {
		woken(w, (int)e->a);
	} else if (e->kind == EV_SWITCH) {
		woken(w, (int)e->b);
		if (e->a > 0 && (e->aux & STATE_UNINTERRUPTIBLE) &&
			!(e->aux & (STATE_NOLOAD | STATE_IDLE_REPORTED)))
			asleep(w, (int)e->a, cpu);
	}
}
