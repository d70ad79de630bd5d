/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each kernel's governor does, as data: one row per change, in the public parameters of
 * governors.md 10. Rows of two-part versions are mainline; rows of three are what a stable series
 * took over later. Constant data; no units beyond those of the parameters.
 */
#ifndef REIDLE_REPLAY_PRESET_H
#define REIDLE_REPLAY_PRESET_H

#include "replay/governor.h"

enum preset_check {
	CHECK_READ,   /* the source was read, nothing was run */
	CHECK_PIECED, /* put together from patches and mails */
	CHECK_KERNEL, /* driven beside the kernel's own object without a difference */
};

struct preset_row {
	const char *version; /* first release: "6.6"; of a stable series: "6.12.48" */
	const char *model;   /* "M5"; NULL in stable rows */
	const char *changes; /* "name=value ..." on top of the rows before; the first row has all */
	const char *title;   /* commit titles */
	const char *commit;  /* "" not known */
	enum preset_check checked;
};

struct preset_family {
	const struct governor *gov;
	const struct preset_row *row; /* mainline in order, then stable series in order */
	int nrows;
};

/** preset_family() - the rows of a governor; NULL for those that no kernel has */
const struct preset_family *preset_family(const struct governor *gov);

/**
 * preset_apply() - set all parameters, model, version and checked
 * @version: "6.12", "6.12.0", "6.12.117"; without the third part the newest release that was read
 * Return: 0, or -1 with err (usage) if the version is not known
 */
int preset_apply(struct gov_spec *s, const char *version, struct error *err);

/** preset_newest() - newest release read of all */
const char *preset_newest(void);
/** preset_oldest() - first version that the governor's rows cover */
const char *preset_oldest(const struct preset_family *f);
/** preset_read_release() - release of series "6.12" that was read ("6.12.117"), or NULL */
const char *preset_read_release(const char *series);

/**
 * preset_version() - numbers of a version
 * @v: major, minor, patch; patch -1 when absent
 * Return: characters used, 0 if it does not start with MAJOR.MINOR
 */
int preset_version(const char *text, int v[3]);

#endif
