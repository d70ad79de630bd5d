// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void release(struct output *out)
{
	free(out->path);
	free(out->temp);
	free(out->held);
	memset(out, 0, sizeof(*out));
}

/* devices and pipes cannot be renamed over; they are written as they come */
static bool is_plain(const char *path)
{
	struct stat st;

	return stat(path, &st) || S_ISREG(st.st_mode);
}

int output_open(struct output *out, const char *path, struct error *err)
{
	mode_t mask;
	int fd;

	memset(out, 0, sizeof(*out));
	if (!path || !strcmp(path, "-")) {
		out->f = stdout;
		return 0;
	}
	out->path = xstrdup(path);
	if (is_plain(path)) {
		out->temp = xasprintf("%s.XXXXXX", path);
		fd = mkstemp(out->temp);
		if (fd >= 0) {
			mask = umask(0);
			umask(mask);
			if (fchmod(fd, 0666 & ~mask) == 0)
				out->f = fdopen(fd, "w");
			if (!out->f)
				close(fd);
		}
	} else {
		out->f = fopen(path, "w");
	}
	if (out->f)
		return 0;
	error_set(err, EXIT_USAGE, "%s: cannot write: %s", path, strerror(errno));
	release(out);
	return -1;
}

void output_hold(struct output *out)
{
	FILE *f = out->f == stdout ? open_memstream(&out->held, &out->held_size) : NULL;

	if (f)
		out->f = f;
}

int output_close(struct output *out, struct error *err)
{
	const char *what = out->path ? out->path : "stdout";
	bool failed = fflush(out->f) || ferror(out->f);
	int ret = 0;

	if (out->path || out->f != stdout)
		failed = fclose(out->f) || failed;
	if (out->held)
		failed = fwrite(out->held, 1, out->held_size, stdout) != out->held_size || fflush(stdout) || failed;
	if (!failed && out->temp)
		failed = rename(out->temp, out->path);
	if (failed) {
		ret = error_set(err, EXIT_INTERNAL, "%s: cannot write: %s", what, strerror(errno));
		if (out->temp)
			unlink(out->temp);
	}
	release(out);
	return ret;
}

void output_abort(struct output *out)
{
	if (out->f && out->f != stdout)
		fclose(out->f);
	if (out->temp)
		unlink(out->temp);
	release(out);
}
