// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/file_window.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* a signal handler finds its thread's windows, and whom it stands in for, here: there is no other way */
static __thread struct file_window *thread_windows;
static struct sigaction earlier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int users; /* windows open in all threads; under the lock */

/* from the page that is gone on; what comes before it in the window may still be in use */
static bool fill_with_zeros(struct file_window *w, uint8_t *at)
{
	uint8_t *page = at - ((uintptr_t)at & ((uintptr_t)sysconf(_SC_PAGESIZE) - 1));
	int before = errno;
	void *p = mmap(page, (size_t)(w->map + w->len - page), PROT_READ,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	errno = before;
	w->lost = true;
	return p != MAP_FAILED;
}

/* not ours: as if this handler were not there */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	if (earlier.sa_flags & SA_SIGINFO) {
		earlier.sa_sigaction(sig, info, context);
	} else if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
		earlier.sa_handler(sig);
	} else {
		sigaction(sig, &earlier, NULL);
		if (info->si_code <= 0) /* sent by somebody; a fault comes again by itself */
			raise(sig);
	}
}

static void on_bus(int sig, siginfo_t *info, void *context)
{
	uint8_t *at = info->si_addr;

	for (struct file_window *w = thread_windows; w && info->si_code > 0; w = w->next)
		if (w->map && at >= w->map && at < w->map + w->len && fill_with_zeros(w, at))
			return;
	pass_on(sig, info, context);
}

static void begin(struct file_window *w)
{
	struct sigaction sa = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

	pthread_mutex_lock(&lock);
	if (!users++)
		sigaction(SIGBUS, &sa, &earlier);
	pthread_mutex_unlock(&lock);
	w->open = true;
	w->next = thread_windows;
	thread_windows = w;
}

static void unmap(struct file_window *w)
{
	if (w->map)
		munmap(w->map, w->len);
	w->map = NULL;
}

const uint8_t *window_map(struct file_window *w, int fd, uint64_t off, size_t len)
{
	size_t before = (size_t)(off & ((uint64_t)sysconf(_SC_PAGESIZE) - 1));
	void *p;

	if (!w->open)
		begin(w);
	unmap(w);
	w->lost = false;
	p = mmap(NULL, len + before, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, (off_t)(off - before));
	if (p == MAP_FAILED)
		return NULL;
	w->len = len + before;
	w->map = p;
	return w->map + before;
}

/* the handler that stood there before comes back, unless somebody has put another one on top */
void window_close(struct file_window *w)
{
	struct sigaction now;

	if (!w->open)
		return;
	unmap(w);
	w->open = false;
	for (struct file_window **p = &thread_windows; *p; p = &(*p)->next)
		if (*p == w) {
			*p = w->next;
			break;
		}
	pthread_mutex_lock(&lock);
	if (!--users && !sigaction(SIGBUS, NULL, &now) && now.sa_sigaction == on_bus)
		sigaction(SIGBUS, &earlier, NULL);
	pthread_mutex_unlock(&lock);
}
