// SPDX-License-Identifier: GPL-2.0-or-later
/* The recording as plain shell lines, for machines on which nothing may be installed. */
#include "src/record.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* one shell word, in single quotes where it needs any */
static void print_word(FILE *f, const char *s)
{
	const char *p = s;

	while (isalnum((unsigned char)*p) || (*p && strchr("_-./:=+,@%", *p)))
		p++;
	if (*s && !*p) {
		fputs(s, f);
		return;
	}
	fputc('\'', f);
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", f);
		else
			fputc(*s, f);
	}
	fputc('\'', f);
}

/* the side file that the readers look for beside NAME.dat */
static void print_side(FILE *f, const char *output, const char *which)
{
	size_t n = strlen(output);
	char *name = n > 4 && !strcmp(output + n - 4, ".dat")
			     ? xasprintf("%.*s.sysfs-%s.txt", (int)n - 4, output, which)
			     : xasprintf("%s.sysfs-%s.txt", output, which);

	fputs("snapshot > ", f);
	print_word(f, name);
	fputc('\n', f);
	free(name);
}

static void print_registers(FILE *f)
{
	static const struct {
		const char *glob;
		enum record_arch arch;
	} machine[] = {
		{"x86_64", ARCH_X86}, {"aarch64", ARCH_ARM64}, {"ppc64*", ARCH_PPC},
		{"riscv64", ARCH_RISCV}, {"s390x", ARCH_S390}, {"*", ARCH_OTHER},
	};
	const char *first, *second;

	fputs("case $(uname -m) in # registers of a function's first two arguments\n", f);
	for (size_t i = 0; i < ARRAY_SIZE(machine); i++) {
		record_registers(machine[i].arch, &first, &second);
		fprintf(f, "%s) a='%s' b='%s' ;;\n", machine[i].glob, first, second);
	}
	fputs("esac\n", f);
}

/* {1} and {2} become $a and $b of print_registers(), the kernel's own $ is kept from the shell */
static void print_form(FILE *f, const struct record_probe *p, int form)
{
	fprintf(f, "echo \"%c:%s/%s %s ", p->type, PROBE_GROUP, p->name, p->function);
	for (const char *s = p->form[form]; *s; s++) {
		if (!strncmp(s, "{1}", 3) || !strncmp(s, "{2}", 3)) {
			fputs(s[1] == '1' ? "$a" : "$b", f);
			s += 2;
		} else if (*s == '$') {
			fputs("\\$", f);
		} else {
			fputc(*s, f);
		}
	}
	fputs("\" >> $T/kprobe_events", f);
}

static void print_probes(FILE *f)
{
	fputs("\n# What the kernel's governor is told and what it answers. Optional: leave these lines out\n"
	      "# and the inputs are rebuilt from the other events. Where a line fails, the next stands in.\n",
		f);
	print_registers(f);
	for (const struct record_probe *p = record_probes; p->name; p++) {
		for (int i = 0; i < PROBE_FORMS && p->form[i]; i++) {
			if (i)
				fputs(" 2>/dev/null ||\n", f);
			print_form(f, p, i);
		}
		fputc('\n', f);
	}
}

static void print_trace_cmd(FILE *f, const struct record_plan *plan)
{
	bool probes = plan->level != RECORD_LIGHT;

	fputs("\n# -i: events that this kernel or architecture does not have are skipped\n", f);
	fprintf(f, "trace-cmd record -i -C mono -b %d -o ", plan->buffer_kb);
	print_word(f, plan->output);
	for (const struct record_event *e = record_events; e->system; e++)
		if (e->level <= plan->level)
			fprintf(f, " -e %s:%s", e->system, e->name);
	for (const struct record_probe *p = record_probes; probes && p->name; p++)
		fprintf(f, " -e %s:%s", PROBE_GROUP, p->name);
	fputc(' ', f);
	for (size_t i = 0; i < plan->ncommand; i++) {
		fputs(i ? " " : "", f);
		print_word(f, plan->command[i]);
	}
	if (!plan->ncommand)
		fprintf(f, "sleep %g", plan->seconds > 0 ? plan->seconds : 10);
	fputc('\n', f);
}

void record_print_command(FILE *f, const struct record_plan *plan)
{
	bool probes = plan->level != RECORD_LIGHT;

	fputs("# A recording fit for replay, with trace-cmd alone: run as root on the machine to record.\n"
	      "T=/sys/kernel/tracing\n"
	      "[ -d $T/events ] || T=/sys/kernel/debug/tracing\n"
	      "\n# State tables, counters and limits: not in the trace, so kept beside it.\n"
	      "snapshot() {\n"
	      "\tfor d in cpuidle 'cpu[0-9]*/cpuidle' 'cpu[0-9]*/topology' \\\n"
	      "\t\t'cpu[0-9]*/power/pm_qos_resume_latency_us'; do\n"
	      "\t\tgrep -rs . /sys/devices/system/cpu/$d\n"
	      "\tdone\n"
	      "}\n",
		f);
	if (probes)
		print_probes(f);
	fputc('\n', f);
	print_side(f, plan->output, "before");
	print_trace_cmd(f, plan);
	print_side(f, plan->output, "after");
	for (const struct record_probe *p = record_probes; probes && p->name; p++)
		fprintf(f, "echo '-:%s/%s' >> $T/kprobe_events\n", PROBE_GROUP, p->name);
}
