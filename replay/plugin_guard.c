// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/plugin_guard.h"
#include "src/util.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STACK_SIZE (64 * 1024)
/* two periods of CPU time inside one call: no governor step takes a millionth of that */
#define WATCHDOG_NS 300000000L

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/* a signal handler finds its thread's guard here; there is no other way to hand it over */
static __thread struct plugin_guard *thread_guard;
static struct sigaction earlier[ARRAY_SIZE(faults)];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

struct thread_state {
	struct plugin_guard guard;
	timer_t timer;
	bool have_timer;
	void *stack;
};

static void leave(struct plugin_guard *g, int sig)
{
	g->active = 0;
	g->signal = sig;
	siglongjmp(g->env, 1);
}

/* a fault of our own code: as if this handler had never been there */
static void pass_on(int sig)
{
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		if (faults[i] == sig)
			sigaction(sig, &earlier[i], NULL);
	raise(sig);
}

static void on_fault(int sig)
{
	if (thread_guard && thread_guard->active)
		leave(thread_guard, sig);
	pass_on(sig);
}

static void on_watchdog(int sig)
{
	struct plugin_guard *g = thread_guard;

	if (!g || !g->active)
		return;
	if (g->seen == g->calls)
		leave(g, sig);
	g->seen = g->calls;
}

static void set_handler(int sig, void (*handler)(int), struct sigaction *old)
{
	/* not deferred: the jump out leaves the mask as it was */
	struct sigaction sa = {
		.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART};
	struct sigaction now;

	sigaction(sig, NULL, &now);
	if (now.sa_handler == handler)
		return;
	if (old)
		*old = now;
	sigaction(sig, &sa, NULL);
}

static void thread_end(void *p)
{
	struct thread_state *t = p;
	stack_t off = {.ss_flags = SS_DISABLE};

	thread_guard = NULL;
	if (t->have_timer)
		timer_delete(t->timer);
	sigaltstack(&off, NULL);
	munmap(t->stack, STACK_SIZE);
	free(t);
}

static void make_key(void)
{
	pthread_key_create(&key, thread_end);
}

/* ticks with the thread's CPU time, so that a busy machine is not taken for a loop */
static void start_watchdog(struct thread_state *t)
{
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGVTALRM};
	struct itimerspec every = {{0, WATCHDOG_NS}, {0, WATCHDOG_NS}};

	ev._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	t->have_timer = !timer_create(CLOCK_THREAD_CPUTIME_ID, &ev, &t->timer) &&
			!timer_settime(t->timer, 0, &every, NULL);
}

static void thread_start(void)
{
	struct thread_state *t = xcalloc(1, sizeof(*t));
	stack_t stack = {.ss_size = STACK_SIZE};

	pthread_once(&once, make_key);
	t->stack =
		mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack.ss_sp = t->stack;
	/* a stack of its own, so that endless recursion is contained too */
	if (t->stack != MAP_FAILED)
		sigaltstack(&stack, NULL);
	pthread_setspecific(key, t);
	thread_guard = &t->guard;
	start_watchdog(t);
}

void plugin_guard_handlers(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		set_handler(faults[i], on_fault, &earlier[i]);
	set_handler(SIGVTALRM, on_watchdog, NULL);
	pthread_mutex_unlock(&lock);
}

struct plugin_guard *plugin_guard(void)
{
	if (__builtin_expect(!thread_guard, 0)) {
		thread_start();
		plugin_guard_handlers();
	}
	return thread_guard;
}
