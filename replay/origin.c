// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/origin.h"
#include "replay/preset.h"

#include <ctype.h>
#include <string.h>

struct origin {
	int v[3];
	bool found, patch_known;
	const char *who; /* distribution, "" none seen */
};

/* the first X.Y[.Z] that starts a word */
static const char *find_version(const char *text, int v[3])
{
	for (const char *p = text; *p; p++)
		if (isdigit((unsigned char)*p) && (p == text || isspace((unsigned char)p[-1])) &&
			preset_version(p, v))
			return p;
	return NULL;
}

/* "6.1.0-28-amd64": the ABI's number, then the flavour, which is never Ubuntu's */
static bool debian_abi(const char *release)
{
	static const char *const flavours[] = {"amd64", "arm64", "armmp", "686", "powerpc64le",
		"s390x", "riscv64", "loong64", "mips64", "4kc", "5kc", "octeon", "loongson",
		"marvell", "rt-", "cloud-"};
	int major, minor, abi, n = 0;

	if (sscanf(release, "%d.%d.0-%d-%n", &major, &minor, &abi, &n) != 3 || !n)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(flavours); i++)
		if (!strncmp(release + n, flavours[i], strlen(flavours[i])))
			return true;
	return false;
}

/* kernel strings of distributions, and whether the third number is that of kernel.org */
static struct origin read_origin(const char *kernel)
{
	struct origin o = {.who = ""};
	const char *at = find_version(kernel, o.v), *debian = strstr(kernel, "Debian ");

	if (!at)
		return o;
	o.found = true;
	o.patch_known = o.v[2] >= 0;
	if (debian && preset_version(debian + 7, o.v)) {
		o.who = "Debian";
		o.patch_known = o.v[2] >= 0;
	} else if (strstr(at, "+deb")) {
		o.who = "Debian";
	} else if (strstr(at, ".el8") || strstr(at, ".el9") || strstr(at, ".el10")) {
		o.who = "RHEL";
		o.patch_known = false;
	} else if (strstr(at, "-android")) {
		o.who = "Android";
	} else if (strstr(kernel, "Ubuntu") || strstr(at, "-generic") ||
		   strstr(at, "-lowlatency")) {
		o.who = "Ubuntu";
		o.patch_known = false;
	} else if (debian_abi(at)) {
		/* Debian up to 12: the third number of the release is always 0 */
		o.who = "Debian";
		o.patch_known = false;
	}
	return o;
}

static void say(struct gov_spec *s, const struct origin *o, const char *kernel)
{
	size_t size = sizeof(s->confidence);
	int v[3];
	const char *read;
	char series[16];

	preset_version(s->version, v);
	snprintf(series, sizeof(series), "%d.%d", v[0] % 1000, v[1] % 1000);
	read = preset_read_release(series);
	(void)kernel;
	if (!strcmp(o->who, "RHEL"))
		snprintf(s->confidence, size,
			"low: RHEL takes over whole subsystems from later kernels; "
			"check with --governor-source");
	else if (!strcmp(o->who, "Android"))
		snprintf(s->confidence, size,
			"low: Android kernels mix generations; check with "
			"--governor-source");
	else if (!o->patch_known)
		snprintf(s->confidence, size,
			"fair: %s%sthe stable release is not in the kernel's name; "
			"taken as %s",
			o->who, o->who[0] ? ": " : "", s->version);
	else if (read && !strcmp(read, s->version))
		snprintf(s->confidence, size, "high: the code of %s was read", s->version);
	else if (read)
		snprintf(s->confidence, size, "good: by the known back-ports to %s.y; %s was read",
			series, read);
	else
		snprintf(s->confidence, size,
			"fair: as released in %s.0; back-ports to %s.y are not known", series,
			series);
}

static bool beyond(const int v[3], const char *limit, int sign)
{
	int l[3];

	preset_version(limit, l);
	if (v[0] != l[0])
		return (v[0] < l[0] ? -1 : 1) == sign;
	return v[1] != l[1] && (v[1] < l[1] ? -1 : 1) == sign;
}

int origin_preset(struct gov_spec *s, const char *kernel, struct error *err)
{
	const struct preset_family *f = preset_family(s->gov);
	struct origin o = read_origin(kernel);
	char version[40];
	const char *instead = NULL;

	if (!o.found || beyond(o.v, preset_newest(), 1))
		instead = preset_newest();
	else if (beyond(o.v, preset_oldest(f), -1))
		instead = preset_oldest(f);
	if (instead) {
		if (preset_apply(s, instead, err))
			return -1;
		snprintf(s->confidence, sizeof(s->confidence),
			o.found ? "low: kernel %d.%d is outside what is known; taken as %s"
				: "low: the recording does not say its kernel; newest known form "
				  "taken",
			o.v[0], o.v[1], s->version);
		return 0;
	}
	if (o.patch_known)
		snprintf(version, sizeof(version), "%d.%d.%d", o.v[0], o.v[1], o.v[2]);
	else
		snprintf(version, sizeof(version), "%d.%d", o.v[0], o.v[1]);
	if (preset_apply(s, version, err))
		return -1;
	say(s, &o, kernel);
	return 0;
}
