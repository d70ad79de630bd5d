// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat_spec.h"

#include <stdlib.h>
#include <string.h>

/* u32 in the format, but -1 means exit */
static bool adjust_idle(struct event *ev, int64_t extra, const char *text, uint32_t len)
{
	(void)extra, (void)text, (void)len;
	ev->a = (int32_t)ev->a;
	return true;
}

/* kernels without the field was_armed: 2, not known */
static bool adjust_start(struct event *ev, int64_t extra, const char *text, uint32_t len)
{
	(void)text, (void)len;
	ev->aux = (ev->aux & 0xff) | (extra == -1 ? 2U : (uint32_t)(extra != 0)) << 8;
	return true;
}

/* PM_QOS_CPU_DMA_LATENCY was class 1 of several until 5.7; since then it is the only one */
static bool adjust_qos(struct event *ev, int64_t extra, const char *text, uint32_t len)
{
	(void)ev, (void)text, (void)len;
	return extra == -1 || extra == 1;
}

#define QOS_RESUME_LATENCY 1

/* the per-CPU limit: requests of type RESUME_LATENCY for devices "cpuN" */
static bool adjust_dev_qos(struct event *ev, int64_t extra, const char *text, uint32_t len)
{
	int64_t cpu = 0;

	if ((extra != -1 && extra != QOS_RESUME_LATENCY) || len < 4 || len > 8 || memcmp(text, "cpu", 3))
		return false;
	for (uint32_t i = 3; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		cpu = cpu * 10 + (text[i] - '0');
	}
	ev->b = cpu;
	return true;
}

#define VECTOR(text, vector)                                                                       \
	{"irq_vectors", text "_entry", EV_VECTOR_ENTRY, .a = (vector)},                            \
	{                                                                                          \
		"irq_vectors", text "_exit", EV_VECTOR_EXIT, .a = (vector)                         \
	}
#define QOS(text, how)                                                                             \
	{"power", "pm_qos_" text, EV_PM_QOS, .field = {[1] = "value", [5] = "?pm_qos_class"},      \
		.aux = (how), .adjust = adjust_qos},                                               \
	{                                                                                          \
		"power", "dev_pm_qos_" text, EV_DEV_PM_QOS,                                        \
			.field = {[1] = "new_value", [5] = "?type"}, .name_field = "name",         \
			.aux = (how), .adjust = adjust_dev_qos                                     \
	}
#define FUNCTION .name_how = NAME_IS_FUNCTION, .name_field = "?function"

/* field = {obj, a, b, c, aux, extra} */
static const struct dat_spec spec_list[] = {
	{"power", "cpu_frequency", EV_FREQUENCY, .field = {"cpu_id", "state"}},
	{"power", "cpu_idle", EV_IDLE, .field = {"cpu_id", "state"}, .adjust = adjust_idle},
	{"power", "cpu_idle_miss", EV_MISS, .field = {"cpu_id", "state", "below"}},
	{"cpuhp", "cpuhp_enter", EV_HOTPLUG, .field = {NULL, "target", "cpu"}},
	{"cpuhp", "cpuhp_multi_enter", EV_HOTPLUG, .field = {NULL, "target", "cpu"}},
	{NULL, "cpuidle_reflect", EV_PROBE_REFLECT, .field = {NULL, "index", "?res", NULL, "?flags"},
		.b = INT64_MIN},
	{NULL, "cpuidle_select", EV_PROBE_SELECT, .field = {NULL, "ret"}},
	{NULL, "got_tick", EV_PROBE_TICK, .field = {NULL, "ret"}},
	{"power", "guest_halt_poll_ns", EV_HALT_POLL, .field = {NULL, "new", "old", NULL, "grow"}},
	{"timer", "hrtimer_cancel", EV_HRTIMER_CANCEL, .field = {"hrtimer"}},
	{"timer", "hrtimer_expire_entry", EV_HRTIMER_EXPIRE, .field = {"hrtimer", "now"}, FUNCTION},
	{"timer", "hrtimer_expire_exit", EV_HRTIMER_EXPIRE_EXIT, .field = {"hrtimer"}},
	{"timer", "hrtimer_init", EV_HRTIMER_INIT,
		.field = {"hrtimer", "clockid", NULL, NULL, "mode"}},
	{"timer", "hrtimer_rearm", EV_HRTIMER_REARM, .field = {NULL, "next_event", "?deferred"}},
	{"timer", "hrtimer_setup", EV_HRTIMER_INIT,
		.field = {"hrtimer", "clockid", NULL, NULL, "mode"}},
	{"timer", "hrtimer_start", EV_HRTIMER_START,
		.field = {"hrtimer", "expires", "?softexpires", NULL, "?mode", "?was_armed"},
		FUNCTION, .adjust = adjust_start},
	{"timer", "hrtimer_start_expired", EV_HRTIMER_START_EXPIRED, .field = {"hrtimer"}},
	{"ipi", "ipi_entry", EV_IPI_ENTRY, .name_how = NAME_IS_STRING, .name_field = "reason"},
	{"ipi", "ipi_exit", EV_IPI_EXIT, .name_how = NAME_IS_STRING, .name_field = "reason"},
	{"ipi", "ipi_raise", EV_IPI_RAISE, .field = {NULL, "target_cpus"}, .name_how = NAME_IS_STRING,
		.name_field = "reason"},
	{"ipi", "ipi_send_cpu", EV_IPI_SEND, .field = {NULL, "cpu"}},
	{"ipi", "ipi_send_cpumask", EV_IPI_RAISE, .field = {NULL, "cpumask"}},
	{"irq", "irq_handler_entry", EV_IRQ_ENTRY, .field = {NULL, "irq"}, .name_field = "?name"},
	{"irq", "irq_handler_exit", EV_IRQ_EXIT, .field = {NULL, "irq"}},
	{NULL, "latency_req", EV_PROBE_LIMIT, .field = {NULL, "ret"}},
	{"ftrace", "print", EV_MARKER, .name_how = NAME_IS_REST, .name_field = "buf"},
	{"rcu", "rcu_batch_end", EV_RCU_BATCH, .a = 0},
	{"rcu", "rcu_batch_start", EV_RCU_BATCH, .a = 1},
	{"sched", "sched_switch", EV_SWITCH, .field = {NULL, "prev_pid", "next_pid", NULL, "prev_state"},
		.name_field = "next_comm"},
	{"sched", "sched_waking", EV_WAKING, .field = {NULL, "pid", "target_cpu"}, .name_field = "comm"},
	{"sched", "sched_wakeup", EV_WAKEUP, .field = {NULL, "pid", "target_cpu"}, .name_field = "comm"},
	{"sched", "sched_wakeup_new", EV_WAKEUP, .field = {NULL, "pid", "target_cpu"},
		.name_field = "comm"},
	{NULL, "sleep_length", EV_PROBE_SLEEP, .field = {NULL, "ret", "?delta"}, .b = INT64_MIN},
	{"irq", "softirq_entry", EV_SOFTIRQ_ENTRY, .field = {NULL, "vec"}},
	{"irq", "softirq_exit", EV_SOFTIRQ_EXIT, .field = {NULL, "vec"}},
	{"irq", "softirq_raise", EV_SOFTIRQ_RAISE, .field = {NULL, "vec"}},
	{"timer", "tick_stop", EV_TICK_STOP, .field = {NULL, "success", "?dependency"}},
	{"timer", "timer_base_idle", EV_TIMER_BASE_IDLE, .field = {NULL, "is_idle", "cpu"}},
	{"timer", "timer_cancel", EV_TIMER_CANCEL, .field = {"timer"}},
	{"timer", "timer_expire_entry", EV_TIMER_EXPIRE, .field = {"timer", "now", "?baseclk"}, FUNCTION},
	{"timer", "timer_expire_exit", EV_TIMER_EXPIRE_EXIT, .field = {"timer"}},
	{"timer", "timer_start", EV_TIMER_START,
		.field = {"timer", "expires", "?bucket_expiry", "?now", "?flags"}, FUNCTION, .b = -1},
	/* the decrementer of POWER is its local timer */
	{"powerpc", "timer_interrupt_entry", EV_VECTOR_ENTRY, .a = VECTOR_LOCAL_TIMER},
	{"powerpc", "timer_interrupt_exit", EV_VECTOR_EXIT, .a = VECTOR_LOCAL_TIMER},
	QOS("add_request", 0),
	QOS("update_request", 1),
	QOS("remove_request", 2),
	VECTOR("local_timer", VECTOR_LOCAL_TIMER),
	VECTOR("reschedule", VECTOR_RESCHEDULE),
	VECTOR("call_function", VECTOR_CALL_FUNCTION),
	VECTOR("call_function_single", VECTOR_CALL_FUNCTION_SINGLE),
	VECTOR("irq_work", VECTOR_IRQ_WORK),
	VECTOR("x86_platform_ipi", VECTOR_OTHER),
	VECTOR("error_apic", VECTOR_OTHER),
	VECTOR("spurious_apic", VECTOR_OTHER),
	VECTOR("threshold_apic", VECTOR_OTHER),
	VECTOR("deferred_error_apic", VECTOR_OTHER),
	VECTOR("thermal_apic", VECTOR_OTHER),
};

const struct dat_spec *dat_spec_find(const char *system, const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(spec_list); i++) {
		const struct dat_spec *s = &spec_list[i];

		if (strlen(s->name) == len && !memcmp(s->name, name, len) &&
			(!s->system || !strcmp(s->system, system)))
			return s;
	}
	return NULL;
}
