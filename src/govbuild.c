// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/govbuild.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOURCE_MAX (4 << 20) /* a governor file is some 20 KiB */

char *govbuild_read(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t n = 0, cap = 0, got;

	if (!f)
		return NULL;
	do {
		if (cap - n < 4096) {
			cap = cap ? cap * 2 : 32768;
			text = xrealloc(text, cap, 1);
		}
		got = fread(text + n, 1, cap - n - 1, f);
		n += got;
	} while (got && n < SOURCE_MAX);
	if (ferror(f) || n >= SOURCE_MAX) {
		errno = n >= SOURCE_MAX ? EFBIG : EIO;
		free(text);
		text = NULL;
	} else {
		text[n] = '\0';
	}
	fclose(f);
	return text;
}

char *govbuild_stand_ins(struct error *err)
{
	const char *data = getenv("REIDLE_DATA");
	char *places[] = {
		data && *data ? xasprintf("%s/kernel", data) : NULL,
		xstrdup(REIDLE_SRCDIR "/replay/kernel"),
		xstrdup(REIDLE_DATADIR "/kernel"),
	};
	char *found = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		char *glue = places[i] ? xasprintf("%s/glue.c", places[i]) : NULL;

		if (glue && !found && !access(glue, R_OK))
			found = xstrdup(places[i]);
		free(glue);
		free(places[i]);
	}
	if (!found)
		error_set(err, EXIT_INTERNAL,
			"the stand-in kernel headers are not in %s/kernel: install reidle "
			"again, or name their folder's parent in REIDLE_DATA",
			REIDLE_DATADIR);
	return found;
}

int govbuild_find_cpuidle(struct govbuild *b, struct error *err)
{
	const char *slash = strrchr(b->source, '/');
	char *text;
	bool usable;

	if (b->kernel_dir)
		snprintf(b->cpuidle_h, sizeof(b->cpuidle_h), "%s/include/linux/cpuidle.h",
			b->kernel_dir);
	else /* drivers/cpuidle/governors/FILE.c */
		snprintf(b->cpuidle_h, sizeof(b->cpuidle_h),
			"%.*s/../../../include/linux/cpuidle.h",
			slash ? (int)(slash - b->source) : 1, slash ? b->source : ".");
	text = govbuild_read(b->cpuidle_h);
	if (!text && b->kernel_dir)
		return error_set(err, EXIT_USAGE, "%s: %s: --kernel takes the top of a kernel tree",
			b->cpuidle_h, strerror(errno));
	/* trees that count us lack fields that the glue sets: there the stand-in has both */
	usable = text && strstr(text, "target_residency_ns") &&
		 strstr(text, "cpuidle_register_governor");
	free(text);
	if (!usable)
		b->cpuidle_h[0] = '\0';
	return 0;
}

static int make_folders(char *path)
{
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			return -1;
		*p = '/';
	}
	return 0;
}

static int write_file(const char *path, const char *text, struct error *err)
{
	char *copy = xstrdup(path);
	FILE *f = make_folders(copy) ? NULL : fopen(path, "w");
	bool ok = f && fputs(text, f) >= 0;

	free(copy);
	if (f && fclose(f))
		ok = false;
	return ok ? 0 : error_set(err, EXIT_INTERNAL, "%s: %s", path, strerror(errno));
}

static bool kernel_header(const char *name)
{
	static const char *const rooms[] = {
		"linux/", "asm/", "asm-generic/", "trace/", "uapi/", "vdso/", "kvm/"};

	for (size_t i = 0; i < ARRAY_SIZE(rooms); i++)
		if (!strncmp(name, rooms[i], strlen(rooms[i])))
			return !strstr(name, "..");
	return false;
}

/* every kernel header that a text includes becomes the one stand-in */
static int stub_includes(const char *text, const char *tmp, struct error *err)
{
	for (const char *p = text; p; p = strchr(p, '\n')) {
		char name[200], path[PATH_MAX];

		p += *p == '\n';
		if (sscanf(p, " # include <%199[^>\n]>", name) != 1 || !kernel_header(name))
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", tmp, name) >= (int)sizeof(path))
			continue;
		if (access(path, F_OK) && write_file(path, "#include \"reidle-kernel.h\"\n", err))
			return -1;
	}
	return 0;
}

/* the same for the headers beside the source that it includes in quotes */
static int stub_local(
	const struct govbuild *b, const char *text, const char *tmp, struct error *err)
{
	const char *slash = strrchr(b->source, '/');
	int ret = 0;

	for (const char *p = text; p && !ret; p = strchr(p, '\n')) {
		char name[200], path[PATH_MAX], *local;

		p += *p == '\n';
		if (sscanf(p, " # include \"%199[^\"\n]\"", name) != 1)
			continue;
		snprintf(path, sizeof(path), "%.*s%s", slash ? (int)(slash + 1 - b->source) : 0,
			b->source, name);
		local = govbuild_read(path);
		if (local)
			ret = stub_includes(local, tmp, err);
		free(local);
	}
	return ret;
}

static int make_cpuidle_h(const struct govbuild *b, const char *tmp, struct error *err)
{
	char *path = xasprintf("%s/linux/cpuidle.h", tmp);
	char *text = b->cpuidle_h[0] ? govbuild_read(b->cpuidle_h)
				     : xstrdup("#include \"reidle-cpuidle.h\"\n");
	int ret;

	ret = !text ? error_set(err, EXIT_USAGE, "%s: %s", b->cpuidle_h, strerror(errno))
		    : write_file(path, text, err) || stub_includes(text, tmp, err);
	free(text);
	free(path);
	return ret ? -1 : 0;
}

static int make_headers(const struct govbuild *b, const char *tmp, struct error *err)
{
	char *text = govbuild_read(b->source);
	int ret;

	if (!text)
		return error_set(err, EXIT_INPUT, "%s: %s", b->source, strerror(errno));
	ret = make_cpuidle_h(b, tmp, err) || stub_includes(text, tmp, err) ||
	      stub_local(b, text, tmp, err);
	free(text);
	return ret ? -1 : 0;
}

struct words {
	char *w[64];
	int n;
};

static void word(struct words *a, const char *fmt, const char *text)
{
	if (a->n < (int)ARRAY_SIZE(a->w) - 1)
		a->w[a->n++] = xasprintf(fmt, text);
}

static struct words command_line(
	const struct govbuild *b, const char *stand_ins, const char *tmp, const char *output)
{
	/* the kernel's own choices where they change arithmetic; hidden names so that objects do
	 * not meet */
	static const char *const flags[] = {"-std=gnu11", "-O2", "-g", "-fPIC", "-shared",
		"-fvisibility=hidden", "-fwrapv", "-fno-strict-aliasing",
		"-Werror=implicit-function-declaration", "-Werror=implicit-int",
		"-Werror=incompatible-pointer-types", "-Wl,-z,defs", "-DCONFIG_CPU_IDLE",
		"-DCONFIG_NO_HZ_COMMON", "-DCONFIG_SMP"};
	const char *cc = getenv("CC");
	struct words a = {.n = 0};

	word(&a, "%s", cc && *cc && !strchr(cc, ' ') ? cc : "cc");
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		word(&a, "%s", flags[i]);
	if (!b->cpuidle_h[0])
		word(&a, "%s", "-DREIDLE_STAND_IN");
	word(&a, "-I%s", tmp);
	word(&a, "-I%s", stand_ins);
	/* after the system's: the folder has names of the C library too */
	word(&a, "%s", "-idirafter");
	word(&a, "%s/..", stand_ins);
	for (size_t i = 0; i < b->nincludes; i++) {
		word(&a, "%s", "-include");
		word(&a, "%s", b->include[i]);
	}
	word(&a, "%s", "-xc");
	word(&a, "%s", b->source);
	word(&a, "%s/glue.c", stand_ins);
	word(&a, "%s", "-o");
	word(&a, "%s", output);
	a.w[a.n] = NULL;
	return a;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_compiler(const struct govbuild *b, char **argv, const char *log, struct error *err)
{
	pid_t pid = fork();
	char *text;
	int ret;

	if (pid < 0)
		return error_set(
			err, EXIT_INTERNAL, "cannot start %s: %s", argv[0], strerror(errno));
	if (!pid) {
		int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0 || setenv("LC_ALL", "C", 1))
			_exit(126);
		execvp(argv[0], argv);
		_exit(127);
	}
	ret = wait_for(pid);
	if (!ret)
		return 0;
	if (ret == 127)
		return error_set(err, EXIT_USAGE,
			"%s: no C compiler %s on this machine: install gcc, or build "
			"elsewhere with \"reidle governor build\" and give the .so",
			b->source, argv[0]);
	text = govbuild_read(log);
	govbuild_complain(b, text ? text : "", err);
	free(text);
	return -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static int compile(struct govbuild *b, const char *tmp, const char *output, struct error *err)
{
	char *stand_ins, *object, *log;
	struct words a;
	int ret;

	if (make_headers(b, tmp, err))
		return -1;
	stand_ins = govbuild_stand_ins(err);
	if (!stand_ins)
		return -1;
	object = xasprintf("%s.new%ld", output, (long)getpid());
	log = xasprintf("%s/log", tmp);
	a = command_line(b, stand_ins, tmp, object);
	ret = run_compiler(b, a.w, log, err);
	while (a.n)
		free(a.w[--a.n]);
	if (!ret && rename(object, output))
		ret = error_set(err, EXIT_USAGE, "%s: %s", output, strerror(errno));
	if (ret)
		unlink(object);
	free(object);
	free(log);
	free(stand_ins);
	return ret;
}

int govbuild(struct govbuild *b, const char *output, struct error *err)
{
	const char *base = getenv("TMPDIR");
	char *tmp;
	int ret;

	if (access(b->source, R_OK))
		return error_set(err, EXIT_INPUT, "%s: %s", b->source, strerror(errno));
	if (govbuild_find_cpuidle(b, err))
		return -1;
	tmp = xasprintf("%s/reidle.XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(tmp)) {
		ret = error_set(err, EXIT_INTERNAL, "%s: %s", tmp, strerror(errno));
	} else {
		ret = compile(b, tmp, output, err);
		nftw(tmp, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
	free(tmp);
	return ret;
}
