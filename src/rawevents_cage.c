// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/rawevents_render.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define THIS_ARCH AUDIT_ARCH_PPC64LE
#endif

#define ALLOW(number)                                                                              \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),                                       \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZED 1
#define CLANG_SANITIZED 1 /* its runtime makes calls that the cage forbids, and ends the child for the refusal */
#endif
#endif

/* memory, the pipe, the recording that is already open, and the end: all else fails with EPERM */
static void allow_few_calls(void)
{
#if defined(THIS_ARCH) && !defined(CLANG_SANITIZED)
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_read), ALLOW(SYS_pread64), ALLOW(SYS_write), ALLOW(SYS_writev),
		ALLOW(SYS_mmap), ALLOW(SYS_mprotect), ALLOW(SYS_munmap), ALLOW(SYS_mremap), ALLOW(SYS_madvise),
		ALLOW(SYS_brk), ALLOW(SYS_futex), ALLOW(SYS_exit), ALLOW(SYS_exit_group),
		ALLOW(SYS_rt_sigreturn), ALLOW(SYS_rt_sigprocmask), ALLOW(SYS_close),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
	};
	struct sock_fprog program = {.len = ARRAY_SIZE(code), .filter = code};

	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#endif
}

static void limit(int what, rlim_t value)
{
	struct rlimit r = {value, value};

	setrlimit((__rlimit_resource_t)what, &r);
}

#if !defined(ADDRESS_SANITIZED)
/* the recording, and all that the screen has made of it, is the child's from birth: in bytes */
static rlim_t memory_in_use(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!f)
		return 2UL << 30;
	if (fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	fclose(f);
	return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}
#endif

void renderer_cage(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, 600);
#if !defined(ADDRESS_SANITIZED)
	limit(RLIMIT_AS, memory_in_use() + (2UL << 30));
#endif
	allow_few_calls();
}
