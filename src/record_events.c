// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which trace events a replay can use, on which kernels and architectures they exist, and what is lost
 * without them. The losses are those of an ablation on emulated recordings (doc/recording.md).
 */
#include "src/record.h"

#include <stdlib.h>
#include <string.h>

#define TIMERS "the sleep length, the governor's main input, is known only where a timer ended the period"
#define WHEEL "timer-wheel timers do not bound the sleep length"
#define WOKEN "who was woken, and wake-up latencies, stay unknown"
#define ENTRY "the time the idle loop was entered, and what ended the period, are guessed"
#define LIMITS "changes of the latency limit go unseen"

const struct record_event record_events[] = {
	{"power", "cpu_idle", RECORD_LIGHT, ARCH_ANY, 0, 0, "there is nothing to replay"},
	{"power", "cpu_idle_miss", RECORD_LIGHT, ARCH_ANY, 600, 0,
		"the kernel's own above and below verdicts are not recorded"},
	{"sched", "sched_switch", RECORD_DEFAULT, ARCH_ANY, 0, 0, ENTRY},
	{"timer", "hrtimer_init", RECORD_DEFAULT, ARCH_ANY, 0, 615, TIMERS},
	{"timer", "hrtimer_setup", RECORD_DEFAULT, ARCH_ANY, 615, 0, TIMERS},
	{"timer", "hrtimer_start", RECORD_DEFAULT, ARCH_ANY, 0, 0, TIMERS},
	{"timer", "hrtimer_start_expired", RECORD_DEFAULT, ARCH_ANY, 702, 0, NULL},
	{"timer", "hrtimer_cancel", RECORD_DEFAULT, ARCH_ANY, 0, 0, TIMERS},
	{"timer", "hrtimer_expire_entry", RECORD_DEFAULT, ARCH_ANY, 0, 0, TIMERS},
	{"timer", "hrtimer_expire_exit", RECORD_DEFAULT, ARCH_ANY, 0, 0, NULL},
	{"timer", "hrtimer_rearm", RECORD_DEFAULT, ARCH_ANY, 702, 0, NULL},
	{"timer", "timer_start", RECORD_DEFAULT, ARCH_ANY, 0, 0, WHEEL},
	{"timer", "timer_cancel", RECORD_DEFAULT, ARCH_ANY, 0, 0, WHEEL},
	{"timer", "timer_expire_entry", RECORD_DEFAULT, ARCH_ANY, 0, 0, WHEEL},
	{"timer", "timer_expire_exit", RECORD_DEFAULT, ARCH_ANY, 0, 0, NULL},
	{"timer", "timer_base_idle", RECORD_DEFAULT, ARCH_ANY, 609, 0,
		"whether another CPU watches this CPU's timers is guessed"},
	{"timer", "tick_stop", RECORD_DEFAULT, ARCH_ANY, 0, 0,
		"whether the tick was stopped is inferred from the ticks that came"},
	{"irq", "irq_handler_entry", RECORD_DEFAULT, ARCH_ANY, 0, 0, ENTRY},
	{"irq", "irq_handler_exit", RECORD_DEFAULT, ARCH_ANY, 0, 0, ENTRY},
	{"irq", "softirq_entry", RECORD_DEFAULT, ARCH_ANY, 0, 0, ENTRY},
	{"irq", "softirq_exit", RECORD_DEFAULT, ARCH_ANY, 0, 0, ENTRY},
	{"irq_vectors", "local_timer_entry", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"irq_vectors", "local_timer_exit", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"irq_vectors", "reschedule_entry", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"irq_vectors", "reschedule_exit", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"irq_vectors", "call_function_entry", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"irq_vectors", "call_function_exit", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"irq_vectors", "call_function_single_entry", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"irq_vectors", "call_function_single_exit", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"irq_vectors", "irq_work_entry", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"irq_vectors", "irq_work_exit", RECORD_DEFAULT, ARCH_X86, 0, 0, ENTRY},
	{"powerpc", "timer_interrupt_entry", RECORD_DEFAULT, ARCH_PPC, 0, 0, NULL},
	{"powerpc", "timer_interrupt_exit", RECORD_DEFAULT, ARCH_PPC, 0, 0, NULL},
	{"powerpc", "doorbell_entry", RECORD_DEFAULT, ARCH_PPC, 0, 0, NULL},
	{"powerpc", "doorbell_exit", RECORD_DEFAULT, ARCH_PPC, 0, 0, NULL},
	{"ipi", "ipi_entry", RECORD_DEFAULT, ARCH_ARM64, 0, 0, ENTRY},
	{"ipi", "ipi_exit", RECORD_DEFAULT, ARCH_ARM64, 0, 0, ENTRY},
	{"ipi", "ipi_raise", RECORD_DEFAULT, ARCH_ARM64, 0, 0, WOKEN},
	{"ipi", "ipi_send_cpu", RECORD_DEFAULT, ARCH_ANY, 604, 0, NULL},
	{"ipi", "ipi_send_cpumask", RECORD_DEFAULT, ARCH_ANY, 604, 0, NULL},
	{"sched", "sched_waking", RECORD_DEFAULT, ARCH_ANY, 0, 0, WOKEN},
	{"sched", "sched_wakeup", RECORD_DEFAULT, ARCH_ANY, 0, 0, WOKEN},
	{"power", "pm_qos_add_request", RECORD_DEFAULT, ARCH_ANY, 0, 0, LIMITS},
	{"power", "pm_qos_update_request", RECORD_DEFAULT, ARCH_ANY, 0, 0, LIMITS},
	{"power", "pm_qos_remove_request", RECORD_DEFAULT, ARCH_ANY, 0, 0, LIMITS},
	{"power", "dev_pm_qos_add_request", RECORD_DEFAULT, ARCH_ANY, 0, 0, LIMITS},
	{"power", "dev_pm_qos_update_request", RECORD_DEFAULT, ARCH_ANY, 0, 0, LIMITS},
	{"power", "dev_pm_qos_remove_request", RECORD_DEFAULT, ARCH_ANY, 0, 0, LIMITS},
	{"power", "guest_halt_poll_ns", RECORD_DEFAULT, ARCH_X86, 506, 0, NULL},
	{"power", "cpu_frequency", RECORD_DEFAULT, ARCH_ANY, 0, 0, NULL},
	{"cpuhp", "cpuhp_enter", RECORD_DEFAULT, ARCH_ANY, 0, 0, NULL},
	/* irq_work and RCU hold the tick without a word of their own in the events above */
	{"rcu", "rcu_batch_start", RECORD_FULL, ARCH_ANY, 0, 0, NULL},
	{"rcu", "rcu_batch_end", RECORD_FULL, ARCH_ANY, 0, 0, NULL},
	{"irq", "softirq_raise", RECORD_FULL, ARCH_ANY, 0, 0, NULL},
	{NULL, NULL, RECORD_LIGHT, ARCH_ANY, 0, 0, NULL},
};

bool record_event_expected(const struct record_event *e, enum record_arch arch, int kernel)
{
	if (e->arch != ARCH_ANY && e->arch != arch)
		return false;
	return !kernel || (kernel >= e->since && (!e->until || kernel < e->until));
}

enum record_arch record_arch_of(const char *machine)
{
	static const struct {
		const char *prefix;
		enum record_arch arch;
	} known[] = {
		{"x86_64", ARCH_X86}, {"i686", ARCH_X86}, {"i386", ARCH_X86}, {"aarch64", ARCH_ARM64},
		{"ppc64", ARCH_PPC}, {"riscv64", ARCH_RISCV}, {"s390x", ARCH_S390},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strncmp(machine, known[i].prefix, strlen(known[i].prefix)))
			return known[i].arch;
	return ARCH_OTHER;
}

int record_kernel_of(const char *release)
{
	char *end;
	long major = strtol(release, &end, 10), minor;

	if (end == release || *end != '.' || major < 1 || major > 99)
		return 0;
	minor = strtol(end + 1, &end, 10);
	return minor >= 0 && minor < 100 ? (int)(100 * major + minor) : 0;
}
