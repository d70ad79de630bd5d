/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recording what a replay needs: which events and probes, how they are set up, and putting everything
 * back. The kernel's trace files are reached through libtracefs only, and never those of the top buffer:
 * a recording has an instance of its own. The caller owns every struct; sizes and times carry units.
 */
#ifndef REIDLE_SRC_RECORD_H
#define REIDLE_SRC_RECORD_H

#include "src/error.h"
#include "src/util.h"

/* how much to record; each level holds the one before */
enum record_level { RECORD_LIGHT, RECORD_DEFAULT, RECORD_FULL };

/* architectures that have events or registers of their own */
enum record_arch { ARCH_ANY, ARCH_X86, ARCH_ARM64, ARCH_PPC, ARCH_RISCV, ARCH_S390, ARCH_OTHER };

struct record_event {
	const char *system, *name;
	enum record_level level;
	enum record_arch arch; /* ARCH_ANY, or the only one that has it */
	int since, until;      /* kernel, 100 * major + minor: first with it, first without it; 0 none */
	const char *loss;      /* what a replay lacks without it; NULL: nothing worth a line */
};

/** record_events - every event that a replay can use, most needed first; ends with system NULL */
extern const struct record_event record_events[];

/**
 * record_event_expected() - should this kernel have the event
 * @kernel: 100 * major + minor, 0 unknown (then every event of the architecture is expected)
 */
bool record_event_expected(const struct record_event *e, enum record_arch arch, int kernel);

/** record_arch_of() - of a machine name of uname(2): "x86_64", "aarch64", "ppc64le"... */
enum record_arch record_arch_of(const char *machine);

/** record_kernel_of() - "6.12.117-amd64" to 612; 0 when it is no version */
int record_kernel_of(const char *release);

#define PROBE_FORMS 3

struct record_probe {
	char type;	      /* 'p' at the entry of the function, 'r' at its return */
	const char *name;     /* in the group "kprobes" */
	const char *function;
	/* arguments, best first; {1} and {2} stand for the registers of the first two arguments */
	const char *form[PROBE_FORMS];
	const char *loss; /* what a replay has to rebuild without it */
};

#define PROBE_GROUP "kprobes"
extern const struct record_probe record_probes[]; /* ends with name NULL */

/**
 * record_probe_form() - the arguments of one form with this architecture's registers
 * @out: text for the kernel's kprobe_events; @form: index below PROBE_FORMS
 * Return: false when there is no such form
 */
bool record_probe_form(char *out, size_t size, const struct record_probe *p, int form,
	enum record_arch arch);

/** record_registers() - "%di" and "%si" of the architecture, or "$arg1" and "$arg2" */
void record_registers(enum record_arch arch, const char **first, const char **second);

struct record_plan {
	enum record_level level;
	bool probes;
	double seconds;	       /* 0: until the command ends, or until a signal */
	const char *output;    /* file to make */
	const char **command;  /* may be NULL; ncommand words */
	size_t ncommand;
	int buffer_kb;	       /* per CPU */
	bool quiet;
};

#define RECORD_BUFFER_KB 16384

/**
 * record_print_command() - the same recording as plain shell lines for trace-cmd
 * Runs on any kernel and architecture: what is not there is skipped. Written to @f.
 */
void record_print_command(FILE *f, const struct record_plan *plan);

/**
 * record_run() - make the recording; words and progress go to stderr
 * Ends with the command, after plan->seconds, or on INT, TERM and HUP, which leave a whole file too.
 * Return: 0, or -1 with err; either way the kernel is left as it was found
 */
int record_run(const struct record_plan *plan, struct error *err);

#endif
