/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the table of events of text_event.c and the readers of their fields in text_fields.c.
 * A reader fills the columns of the event (src/trace.h says which) and returns false when what it
 * needs is not in the line; it clears the kind of an event that is none of ours. The trace takes interned names; nothing else is owned.
 */
#ifndef REIDLE_PARSERS_TEXT_EVENT_H
#define REIDLE_PARSERS_TEXT_EVENT_H

#include "parsers/text.h"

struct text_fields {
	struct event *ev;
	struct trace *t;
	struct text_span args;
	uint32_t variant; /* of the event's row in the table */
	bool strict;	  /* the line may go on below: what could still come must be there */
};

struct text_def {
	const char *name;
	enum ev_kind kind;
	uint32_t variant;
	bool (*fields)(struct text_fields *f);
};

bool text_fields_idle(struct text_fields *f);
bool text_fields_miss(struct text_fields *f);
bool text_fields_switch(struct text_fields *f);
bool text_fields_wakeup(struct text_fields *f);
bool text_fields_hrtimer_init(struct text_fields *f);
bool text_fields_hrtimer_start(struct text_fields *f);
bool text_fields_hrtimer(struct text_fields *f);
bool text_fields_rearm(struct text_fields *f);
bool text_fields_timer_start(struct text_fields *f);
bool text_fields_timer(struct text_fields *f);
bool text_fields_base_idle(struct text_fields *f);
bool text_fields_tick_stop(struct text_fields *f);
bool text_fields_irq(struct text_fields *f);
bool text_fields_softirq(struct text_fields *f);
bool text_fields_vector(struct text_fields *f);
bool text_fields_ipi(struct text_fields *f);
bool text_fields_ipi_send(struct text_fields *f);
bool text_fields_ipi_raise(struct text_fields *f);
bool text_fields_pm_qos(struct text_fields *f);
bool text_fields_dev_pm_qos(struct text_fields *f);
bool text_fields_frequency(struct text_fields *f);
bool text_fields_halt_poll(struct text_fields *f);
bool text_fields_hotplug(struct text_fields *f);
bool text_fields_marker(struct text_fields *f);
bool text_fields_rcu(struct text_fields *f);
bool text_fields_probe(struct text_fields *f);
bool text_fields_reflect(struct text_fields *f);

#endif
