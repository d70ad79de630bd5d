// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The probes of --probes: what the kernel gave its governor, what the governor answered, and what the
 * kernel told it afterwards. With them a replay has no input to rebuild.
 */
#include "src/record_session.h"

#include <string.h>

/*
 * $argN in a return probe, dereferenced at the return, came with 6.9 ("tracing/probes: Support $argN in
 * return probe"): only there can the second output of tick_nohz_get_sleep_length() be had.
 * Offsets in struct cpuidle_device (include/linux/cpuidle.h, the same 5.5..7.3 on 64-bit machines): the
 * bits registered, enabled and poll_time_limit at 0, last_residency_ns at 24.
 */
const struct record_probe record_probes[] = {
	{'r', "sleep_length", "tick_nohz_get_sleep_length",
		{"ret=$retval:s64 delta=+0($arg1):s64", "ret=$retval:s64", NULL},
		"the sleep length is rebuilt from the timers"},
	{'r', "latency_req", "cpuidle_governor_latency_req", {"ret=$retval:s64", NULL, NULL},
		"the latency limit is what pm_qos events and the snapshot say"},
	{'r', "got_tick", "tick_nohz_idle_got_tick", {"ret=$retval:u8", NULL, NULL},
		"whether the tick ended a period is inferred"},
	{'r', "cpuidle_select", "cpuidle_select", {"ret=$retval:s32", NULL, NULL},
		"aborted decisions are invisible, and choices are seen only as the state entered"},
	{'p', "cpuidle_reflect", "cpuidle_reflect",
		{"index={2}:s32 res=+24({1}):u64 flags=+0({1}):u32", "index={2}:s32", NULL},
		"the kernel's residency is the recorded length less an estimated cost"},
	{0, NULL, NULL, {NULL, NULL, NULL}, NULL},
};

void record_registers(enum record_arch arch, const char **first, const char **second)
{
	static const char *const reg[][2] = {
		[ARCH_X86] = {"%di", "%si"}, [ARCH_ARM64] = {"%x0", "%x1"},
		[ARCH_PPC] = {"%gpr3", "%gpr4"}, [ARCH_RISCV] = {"%a0", "%a1"},
		[ARCH_S390] = {"%r2", "%r3"}, [ARCH_OTHER] = {"$arg1", "$arg2"},
	};
	int i = arch == ARCH_ANY ? ARCH_OTHER : arch;

	*first = reg[i][0];
	*second = reg[i][1];
}

bool record_probe_form(char *out, size_t size, const struct record_probe *p, int form,
	enum record_arch arch)
{
	const char *reg[2], *s = form < PROBE_FORMS ? p->form[form] : NULL;
	size_t n = 0;

	if (!s)
		return false;
	record_registers(arch, &reg[0], &reg[1]);
	out[0] = '\0';
	while (*s && n + 1 < size) {
		if (s[0] == '{' && (s[1] == '1' || s[1] == '2') && s[2] == '}') {
			n += (size_t)snprintf(out + n, size - n, "%s", reg[s[1] - '1']);
			s += 3;
		} else {
			out[n++] = *s++;
			out[n] = '\0';
		}
	}
	return true;
}

/* create one probe in the best form that the kernel takes; false when it takes none */
static bool make_probe(const struct record_session *s, const struct record_probe *p)
{
	char form[200], line[400];

	for (int i = 0; record_probe_form(form, sizeof(form), p, i, s->arch); i++) {
		snprintf(line, sizeof(line), "%c:%s/%s %s %s\n", p->type, PROBE_GROUP, p->name,
			p->function, form);
		if (tracefs_instance_file_append(NULL, "kprobe_events", line) >= 0)
			return true;
	}
	return false;
}

void record_probes_set(struct record_session *s)
{
	for (int i = 0; record_probes[i].name; i++) {
		const struct record_probe *p = &record_probes[i];
		bool there = tracefs_event_file_exists(s->instance, PROBE_GROUP, p->name, "enable");

		/* a probe that is there already is used, but not ours to remove */
		if (!there && make_probe(s, p))
			s->probes_made |= 1U << i;
		if (!tracefs_event_enable(s->instance, PROBE_GROUP, p->name))
			s->probes_on |= 1U << i;
		else
			record_say(s, "no probe on %s(): %s", p->function, p->loss);
	}
	if (s->shared)
		s->probes_made = s->probes_on;
}

void record_probes_remove(struct record_session *s)
{
	for (int i = 0; record_probes[i].name; i++) {
		char line[80];

		if (!(s->probes_made & 1U << i))
			continue;
		/* refused while another recorder has it enabled; that one removes it in its turn */
		snprintf(line, sizeof(line), "-:%s/%s\n", PROBE_GROUP, record_probes[i].name);
		tracefs_instance_file_append(NULL, "kprobe_events", line);
	}
	s->probes_made = 0;
}
