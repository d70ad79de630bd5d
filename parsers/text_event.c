// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which events trace text may hold, and where their fields are. Names and fields are those of the
 * kernel's include/trace/events; text_fields.c reads the lines that are more than key=number.
 */
#include "parsers/text_event.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 256

static const struct text_def defs[] = {
	{"cpu_idle", EV_IDLE, 0, text_fields_idle},
	{"cpu_idle_miss", EV_MISS, 0, text_fields_miss},
	{"sched_switch", EV_SWITCH, 0, text_fields_switch},
	{"sched_waking", EV_WAKING, 0, text_fields_wakeup},
	{"sched_wakeup", EV_WAKEUP, 0, text_fields_wakeup},
	{"sched_wakeup_new", EV_WAKEUP, 0, text_fields_wakeup},
	{"hrtimer_init", EV_HRTIMER_INIT, 0, text_fields_hrtimer_init},
	{"hrtimer_setup", EV_HRTIMER_INIT, 0, text_fields_hrtimer_init},
	{"hrtimer_start", EV_HRTIMER_START, 0, text_fields_hrtimer_start},
	{"hrtimer_start_expired", EV_HRTIMER_START_EXPIRED, 0, text_fields_hrtimer},
	{"hrtimer_cancel", EV_HRTIMER_CANCEL, 0, text_fields_hrtimer},
	{"hrtimer_expire_entry", EV_HRTIMER_EXPIRE, 0, text_fields_hrtimer},
	{"hrtimer_expire_exit", EV_HRTIMER_EXPIRE_EXIT, 0, text_fields_hrtimer},
	{"hrtimer_rearm", EV_HRTIMER_REARM, 0, text_fields_rearm},
	{"timer_start", EV_TIMER_START, 0, text_fields_timer_start},
	{"timer_cancel", EV_TIMER_CANCEL, 0, text_fields_timer},
	{"timer_expire_entry", EV_TIMER_EXPIRE, 0, text_fields_timer},
	{"timer_expire_exit", EV_TIMER_EXPIRE_EXIT, 0, text_fields_timer},
	{"timer_base_idle", EV_TIMER_BASE_IDLE, 0, text_fields_base_idle},
	{"tick_stop", EV_TICK_STOP, 0, text_fields_tick_stop},
	{"irq_handler_entry", EV_IRQ_ENTRY, 0, text_fields_irq},
	{"irq_handler_exit", EV_IRQ_EXIT, 0, text_fields_irq},
	{"softirq_entry", EV_SOFTIRQ_ENTRY, 0, text_fields_softirq},
	{"softirq_exit", EV_SOFTIRQ_EXIT, 0, text_fields_softirq},
	{"softirq_raise", EV_SOFTIRQ_RAISE, 0, text_fields_softirq},
	{"local_timer_entry", EV_VECTOR_ENTRY, VECTOR_LOCAL_TIMER, text_fields_vector},
	{"local_timer_exit", EV_VECTOR_EXIT, VECTOR_LOCAL_TIMER, text_fields_vector},
	{"reschedule_entry", EV_VECTOR_ENTRY, VECTOR_RESCHEDULE, text_fields_vector},
	{"reschedule_exit", EV_VECTOR_EXIT, VECTOR_RESCHEDULE, text_fields_vector},
	{"call_function_entry", EV_VECTOR_ENTRY, VECTOR_CALL_FUNCTION, text_fields_vector},
	{"call_function_exit", EV_VECTOR_EXIT, VECTOR_CALL_FUNCTION, text_fields_vector},
	{"call_function_single_entry", EV_VECTOR_ENTRY, VECTOR_CALL_FUNCTION_SINGLE, text_fields_vector},
	{"call_function_single_exit", EV_VECTOR_EXIT, VECTOR_CALL_FUNCTION_SINGLE, text_fields_vector},
	{"irq_work_entry", EV_VECTOR_ENTRY, VECTOR_IRQ_WORK, text_fields_vector},
	{"irq_work_exit", EV_VECTOR_EXIT, VECTOR_IRQ_WORK, text_fields_vector},
	{"x86_platform_ipi_entry", EV_VECTOR_ENTRY, VECTOR_OTHER, text_fields_vector},
	{"x86_platform_ipi_exit", EV_VECTOR_EXIT, VECTOR_OTHER, text_fields_vector},
	{"thermal_apic_entry", EV_VECTOR_ENTRY, VECTOR_OTHER, text_fields_vector},
	{"thermal_apic_exit", EV_VECTOR_EXIT, VECTOR_OTHER, text_fields_vector},
	/* the decrementer of POWER is its local timer */
	{"timer_interrupt_entry", EV_VECTOR_ENTRY, VECTOR_LOCAL_TIMER, text_fields_vector},
	{"timer_interrupt_exit", EV_VECTOR_EXIT, VECTOR_LOCAL_TIMER, text_fields_vector},
	{"ipi_entry", EV_IPI_ENTRY, 0, text_fields_ipi},
	{"ipi_exit", EV_IPI_EXIT, 0, text_fields_ipi},
	{"ipi_send_cpu", EV_IPI_SEND, 0, text_fields_ipi_send},
	{"ipi_raise", EV_IPI_RAISE, 0, text_fields_ipi_raise},
	{"ipi_send_cpumask", EV_IPI_RAISE, 0, text_fields_ipi_raise},
	{"pm_qos_add_request", EV_PM_QOS, 0, text_fields_pm_qos},
	{"pm_qos_update_request", EV_PM_QOS, 1, text_fields_pm_qos},
	{"pm_qos_remove_request", EV_PM_QOS, 2, text_fields_pm_qos},
	{"dev_pm_qos_add_request", EV_DEV_PM_QOS, 0, text_fields_dev_pm_qos},
	{"dev_pm_qos_update_request", EV_DEV_PM_QOS, 1, text_fields_dev_pm_qos},
	{"dev_pm_qos_remove_request", EV_DEV_PM_QOS, 2, text_fields_dev_pm_qos},
	{"cpu_frequency", EV_FREQUENCY, 0, text_fields_frequency},
	{"guest_halt_poll_ns", EV_HALT_POLL, 0, text_fields_halt_poll},
	{"cpuhp_enter", EV_HOTPLUG, 0, text_fields_hotplug},
	{"cpuhp_multi_enter", EV_HOTPLUG, 0, text_fields_hotplug},
	{"print", EV_MARKER, 0, text_fields_marker},
	{"tracing_mark_write", EV_MARKER, 0, text_fields_marker},
	{"rcu_batch_start", EV_RCU_BATCH, 1, text_fields_rcu},
	{"rcu_batch_end", EV_RCU_BATCH, 0, text_fields_rcu},
	{"sleep_length", EV_PROBE_SLEEP, 0, text_fields_probe},
	{"latency_req", EV_PROBE_LIMIT, 0, text_fields_probe},
	{"got_tick", EV_PROBE_TICK, 0, text_fields_probe},
	{"cpuidle_select", EV_PROBE_SELECT, 0, text_fields_probe},
	{"cpuidle_reflect", EV_PROBE_REFLECT, 0, text_fields_reflect},
};

struct text_events {
	uint64_t want;
	uint8_t slot[SLOTS]; /* number in defs + 1 */
	uint8_t len[ARRAY_SIZE(defs)];
};

static unsigned int hash(const char *s, size_t n)
{
	unsigned int h = (unsigned int)n * 31 + (unsigned char)s[0];

	h = h * 31 + (unsigned char)s[n / 2];
	h = h * 31 + (unsigned char)s[n - 1];
	h = h * 31 + (n > 4 ? (unsigned char)s[n - 3] : 0);
	return h ^ h >> 8;
}

struct text_events *text_events_new(uint64_t want)
{
	struct text_events *all = xcalloc(1, sizeof(*all));

	all->want = want | EV_WANT_IDLE;
	for (size_t i = 0; i < ARRAY_SIZE(defs); i++) {
		unsigned int h;

		all->len[i] = (uint8_t)strlen(defs[i].name);
		h = hash(defs[i].name, all->len[i]);

		while (all->slot[h % SLOTS])
			h++;
		all->slot[h % SLOTS] = (uint8_t)(i + 1);
	}
	return all;
}

static const struct text_def *find(const struct text_events *all, struct text_span name)
{
	size_t n = (size_t)(name.end - name.s);

	if (!n)
		return NULL;
	for (unsigned int h = hash(name.s, n); all->slot[h % SLOTS]; h++) {
		unsigned int i = all->slot[h % SLOTS] - 1U;

		if (all->len[i] == n && text_same(defs[i].name, name.s, n))
			return &defs[i];
	}
	return NULL;
}

enum text_result text_event(const struct text_events *all, struct event *ev,
	const struct text_head *h, struct trace *t, bool strict, enum ev_kind *kind)
{
	const struct text_def *d = find(all, h->name);
	struct text_fields f;

	*kind = d ? d->kind : EV_NONE;
	if (!d)
		return strict && h->name.s == h->name.end && h->args.s == h->args.end ? TEXT_LACKING
										      : TEXT_OTHER;
	if (!(all->want & EV_BIT(d->kind)))
		return TEXT_OTHER;
	*ev = (struct event){.at_ns = h->at_ns, .pid = h->pid < 0 ? 0 : h->pid, .kind = d->kind,
		.ctx = h->ctx, .cpu = (uint16_t)h->cpu};
	f = (struct text_fields){ev, t, text_trim(h->args), d->variant, strict};
	if (!d->fields(&f))
		return TEXT_LACKING;
	return ev->kind == EV_NONE ? TEXT_OTHER : TEXT_EVENT;
}
