/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A governor model: what it may know at an idle entry, what it answers, what it learns afterwards.
 * The engine owns the per-CPU memory (cpu_size bytes) and the parameters. Times are ns.
 * Nothing reachable from select() contains the future; only oracle.c is handed the true length.
 */
#ifndef REIDLE_REPLAY_GOVERNOR_H
#define REIDLE_REPLAY_GOVERNOR_H

#include "src/error.h"
#include "src/machine.h"

#define GOV_READ_SLEEP 0x1  /* the model asked for the sleep length */
#define GOV_READ_LIMIT 0x2
#define GOV_READ_IOWAIT 0x4
#define GOV_READ_UTIL 0x8
#define GOV_READ_CLOCK 0x10 /* its choice used the clock (teo up to 6.13) */

#define GOV_NO_LENGTH (-1)
#define GOV_EARLY (-2)

/* what the kernel would tell the governor (governors.md 0 and 5) */
struct gov_input {
	int64_t now_ns;		  /* local clock at select */
	int64_t limit_ns;	  /* cpuidle_governor_latency_req(); 0..LATENCY_ANY */
	int64_t sleep_ns;	  /* tick_nohz_get_sleep_length(); may be negative */
	int64_t tick_delta_ns;	  /* its second output; may be negative */
	bool tick_stopped;	  /* tick_nohz_tick_stopped() */
	uint32_t iowait;	  /* nr_iowait_cpu() */
	bool utilized;		  /* sched_cpu_util() above the threshold */
	uint32_t disabled;	  /* mask of disabled states, bit i = state i */
};

struct gov_choice {
	int state;
	bool stop_tick; /* as the governor answered; the engine decides whether it really stops */
	unsigned read;	/* GOV_READ_* */
	int64_t poll_limit_ns; /* set by the governor itself (haltpoll, after reflect); 0: the state's own */
};

/* what the kernel tells after the idle period */
struct gov_outcome {
	int entered;	      /* state the driver returned; < 0: aborted or rejected, no reflect call */
	int64_t residency_ns; /* last_residency_ns; 0 when entered < 0 */
	bool poll_limit;      /* poll_time_limit was set */
	bool got_tick;	      /* pending tick flag, consumed if the model reads it */
	int64_t now_ns;	      /* local clock at reflect */
};

/* static facts of the CPU; valid for the life of the memory */
struct gov_machine {
	const struct state_table *table;
	int hz;
	int64_t tick_ns;
	int cpu;
};

struct gov_param {
	const char *name; /* governors.md 10 */
	const char *help; /* with unit, and the commit title and version that changed it */
	enum { PARAM_INT, PARAM_ENUM, PARAM_BOOL, PARAM_FLOAT } type;
	double min, max;
	const char *const *words; /* PARAM_ENUM: NULL-terminated */
	double value;		  /* default where no preset sets it (references, plug-ins) */
};

#define GOV_PARAMS_MAX 24

/* one governor resolved: which model, which preset, which values */
struct gov_spec {
	const struct governor *gov;
	char text[160];	   /* as the user typed it */
	char label[120];   /* resolved, for output: "menu@6.12.117 (M5+)" plus changed parameters */
	char model[24];	   /* "M5+", "T9", "" */
	char version[16];  /* "6.12.117", "" */
	char confidence[120]; /* how it was chosen, "" when the user named it exactly */
	char checked[96];  /* how the model was checked against kernel code, "" for reference governors */
	double value[GOV_PARAMS_MAX]; /* indexed as gov->params; enums by word index */
	void *plugin;	   /* plug-ins only; lives as long as the program */
};

/* words and numbers of one decision, for explain; the model appends lines */
struct explain;

struct governor {
	const char *name;
	const char *summary;
	const struct gov_param *params;
	int nparams;
	size_t cpu_size; /* bytes of per-CPU memory; zeroed before init */
	void (*init)(void *cpu, const struct gov_machine *m, const struct gov_spec *spec);
	/**
	 * select: like the kernel's select(). @true_length_ns is only non-negative for models with
	 * sees_future set (oracle); all others get -1.
	 */
	struct gov_choice (*select)(void *cpu, const struct gov_input *in, int64_t true_length_ns);
	/** reflect: the outcome of the last choice; returns the tick flag as it is left (pending or not) */
	bool (*reflect)(void *cpu, const struct gov_outcome *out);
	/** explain: called right after select() on the same memory; may be NULL */
	void (*explain)(const void *cpu, const struct gov_input *in, const struct gov_choice *c,
		struct explain *out);
	/**
	 * predicted: the idle length, ns, that the last select() went by; GOV_EARLY: sooner than the
	 * timer, no length; GOV_NO_LENGTH: it goes by none. Called as explain(); may be NULL
	 */
	int64_t (*predicted)(const void *cpu, const struct gov_input *in, const struct gov_choice *c);
	bool sees_future; /* oracle only */
	bool reference;	  /* oracle, shallowest, deepest, fixed: tick rule of replay.md 5 */
};

extern const struct governor *const governor_list[]; /* NULL-terminated */

/** governor_find() - by name; NULL if unknown */
const struct governor *governor_find(const char *name);

/**
 * governor_parse() - resolve one NAME[@VERSION][:param=value]...
 * @kernel: kernel of the recording for a missing @VERSION: a release ("6.12.117") or, better, the whole
 *          kernel string, which names the distribution; "" unknown
 * Return: 0, or -1 with err (usage: names what is known)
 */
int governor_parse(struct gov_spec *out, const char *text, const char *kernel, struct error *err);

/**
 * governor_parse_list() - comma-separated; `recorded` yields no entry but sets *recorded
 * @out: array of at most max; Return: number, or -1 with err
 */
int governor_parse_list(struct gov_spec *out, int max, const char *text, const char *kernel,
	bool *recorded, struct error *err);

/**
 * governor_for_recording() - what the recording's kernel ran
 * @gov_name: as sysfs has it; "" unknown: the kernel's default is taken, and confidence says so
 * @kernel: as governor_parse()
 */
int governor_for_recording(struct gov_spec *out, const char *gov_name, const char *kernel,
	struct error *err);

/**
 * governor_set_value() - change one parameter of a resolved spec; the label stays (governor_relabel())
 * @name: of the governor; @value: a number, or one of the parameter's words
 * Return: 0, or -1 with err (usage: names the parameters, words or range)
 */
int governor_set_value(struct gov_spec *s, const char *name, const char *value, struct error *err);

/** governor_relabel() - make the label again after value[] was changed directly */
void governor_relabel(struct gov_spec *s);

/**
 * governor_fingerprint() - the preset and switches that a governor's source file has
 * @source: text of a kernel's menu.c or teo.c, of any tree
 * @out: the nearest preset, its values as the source has them; confidence says how near
 * Return: 0, or -1 with err (usage: neither menu nor teo)
 */
int governor_fingerprint(struct gov_spec *out, const char *source, struct error *err);

/**
 * governor_failure() - did a plug-in crash, hang or answer nonsense during a replay
 * Ask after every replay with @s: from the failure on, its choices are made up (shallowest state).
 * Return: 0, or -1 with err (names the plug-in, the CPU and the decision)
 */
int governor_failure(const struct gov_spec *s, struct error *err);

/** governor_param() - index of a parameter, -1 if the governor has none of that name */
int governor_param(const struct governor *g, const char *name);

/** governor_value_text() - value of parameter i as the user would type it; returns buf */
char *governor_value_text(const struct gov_spec *s, int i, char *buf, size_t size);

/* --- explain output --- */
/** explain_line() - one line "label: text" */
void explain_line(struct explain *x, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

struct explain_item {
	char label[40];
	char text[200];
};

struct explain {
	struct explain_item *item;
	int nitems, cap;
};

/** explain_time() - a length as people read it, "86.0 us"; KTIME_MAX and beyond "no end"; returns buf */
char *explain_time(char *buf, size_t size, int64_t ns);

void explain_free(struct explain *x);

#endif
