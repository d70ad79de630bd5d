// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

/* what a signal handler needs to put the terminal back: nothing in it may be computed late */
static struct {
	bool open;
	struct termios termios;
	char restore[256];
	size_t restore_len;
	int real_stderr, stray; /* -1: not redirected */
	SCREEN *screen;
} saved = {.real_stderr = -1, .stray = -1};

static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGHUP, SIGQUIT};

static int restore_byte(int byte)
{
	if (saved.restore_len < sizeof(saved.restore))
		saved.restore[saved.restore_len++] = (char)byte;
	return byte;
}

static void restore_cap(const char *name)
{
	char *s = tigetstr(name);

	if (s && s != (char *)-1)
		tputs(s, 1, restore_byte);
}

static void build_restore(void)
{
	static const char mouse_off[] = "\033[?1006l\033[?1003l\033[?1002l\033[?1000l";

	saved.restore_len = 0;
	for (const char *p = mouse_off; *p; p++)
		restore_byte(*p);
	restore_cap("sgr0");
	restore_cap("cnorm");
	restore_cap("rmkx");
	restore_cap("rmcup");
}

static void write_all(int fd, const char *s, size_t n)
{
	while (n) {
		ssize_t k = write(fd, s, n);

		if (k <= 0)
			return;
		s += k;
		n -= (size_t)k;
	}
}

/* only calls that are safe in a signal handler */
static void replay_stderr(void)
{
	char buf[4096];
	ssize_t n;

	if (saved.stray < 0)
		return;
	dup2(saved.real_stderr, STDERR_FILENO);
	lseek(saved.stray, 0, SEEK_SET);
	while ((n = read(saved.stray, buf, sizeof(buf))) > 0)
		write_all(STDERR_FILENO, buf, (size_t)n);
	close(saved.stray);
	close(saved.real_stderr);
	saved.stray = saved.real_stderr = -1;
}

static void on_fatal(int sig)
{
	if (saved.open) {
		write_all(STDOUT_FILENO, saved.restore, saved.restore_len);
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved.termios);
		replay_stderr();
		saved.open = false;
	}
	raise(sig); /* SA_RESETHAND: core dump and exit status stay true */
}

static void catch_fatal(void)
{
	struct sigaction sa = {.sa_handler = on_fatal, .sa_flags = (int)SA_RESETHAND};

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaction(fatal[i], &sa, NULL);
}

static void redirect_stderr(void)
{
	FILE *f;

	if (!isatty(STDERR_FILENO))
		return;
	f = tmpfile();
	if (!f)
		return;
	saved.stray = fcntl(fileno(f), F_DUPFD_CLOEXEC, 3);
	fclose(f);
	saved.real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	fflush(stderr);
	dup2(saved.stray, STDERR_FILENO);
}

static bool can_address(void)
{
	char *cup = tigetstr("cup");

	return cup && cup != (char *)-1;
}

const char *term_open(bool mouse)
{
	const char *delay = getenv("ESCDELAY");
	int err;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return "no terminal: use report, whatif, ... or --headless";
	if (setupterm(NULL, STDOUT_FILENO, &err) != OK)
		return "this TERM is not known: set TERM (xterm-256color, screen, linux, ...), or use "
		       "report, whatif, ...";
	if (!can_address())
		return "this TERM cannot place text: set TERM, or use report, whatif, ...";
	tcgetattr(STDIN_FILENO, &saved.termios);
	build_restore();
	catch_fatal();
	redirect_stderr();
	/* newterm() reads the description again, for itself */
	del_curterm(cur_term);
	saved.screen = newterm(NULL, stdout, stdin);
	if (!saved.screen) {
		replay_stderr();
		return "the terminal cannot be opened: check TERM";
	}
	saved.open = true;
	if (!delay || !*delay)
		set_escdelay(25);
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	curs_set(0);
	if (has_colors()) {
		start_color();
		use_default_colors();
	}
	mouseinterval(0);
	term_mouse(mouse);
	return NULL;
}

void term_close(void)
{
	if (!saved.open)
		return;
	saved.open = false;
	term_mouse(false);
	endwin();
	replay_stderr();
	delscreen(saved.screen);
}

int term_ncolors(void)
{
	return tigetnum("colors");
}

enum glyph_set term_glyphs(bool ascii)
{
	const char *term = getenv("TERM");

	if (ascii || strcmp(nl_langinfo(CODESET), "UTF-8"))
		return GLYPHS_ASCII;
	return term && !strcmp(term, "linux") ? GLYPHS_LINUX : GLYPHS_UTF8;
}

void term_theme(const struct theme *t)
{
	if (!has_colors())
		return;
	for (int i = 0; i < ROLE_COUNT; i++)
		init_pair((short)(i + 1), t->role[i].fg, -1);
}

void term_size(int *w, int *h)
{
	getmaxyx(stdscr, *h, *w);
}

static attr_t curses_attr(unsigned attr)
{
	return (attr & ATTR_BOLD ? A_BOLD : 0) | (attr & ATTR_REVERSE ? A_REVERSE : 0) |
	       (attr & ATTR_UNDERLINE ? A_UNDERLINE : 0) | (attr & ATTR_DIM ? A_DIM : 0);
}

static void draw_cell(int x, int y, const struct screen_cell *cell, const struct theme *t)
{
	wchar_t text[2] = {(wchar_t)cell->ch, 0};
	cchar_t out;

	if (!cell->ch)
		return;
	setcchar(&out, text, curses_attr(t->role[cell->role].attr | cell->attr),
		t->colors == COLORS_MONO ? 0 : (short)(cell->role + 1), NULL);
	mvadd_wchnstr(y, x, &out, 1);
}

void term_draw(const struct canvas *c, const struct theme *t)
{
	for (int y = 0; y < c->h; y++)
		for (int x = 0; x < c->w; x++)
			draw_cell(x, y, &c->cell[y * c->w + x], t);
	if (c->cursor_x >= 0) {
		move(c->cursor_y, c->cursor_x);
		curs_set(1);
	} else {
		curs_set(0);
	}
	refresh();
}

void term_redraw(void)
{
	clearok(curscr, TRUE);
}

static int curses_key(wint_t key)
{
	static const struct {
		wint_t curses;
		int key;
	} map[] = {{KEY_UP, KEYS_UP}, {KEY_DOWN, KEYS_DOWN}, {KEY_LEFT, KEYS_LEFT},
		{KEY_RIGHT, KEYS_RIGHT}, {KEY_SLEFT, KEYS_S_LEFT}, {KEY_SRIGHT, KEYS_S_RIGHT},
		{KEY_HOME, KEYS_HOME}, {KEY_END, KEYS_END}, {KEY_PPAGE, KEYS_PGUP},
		{KEY_NPAGE, KEYS_PGDN}, {KEY_DC, KEYS_DELETE}, {KEY_BTAB, KEYS_S_TAB},
		{KEY_F(1), KEYS_F1}, {KEY_BACKSPACE, KEYS_BACKSPACE}, {KEY_ENTER, KEYS_ENTER}};

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (map[i].curses == key)
			return map[i].key;
	return KEYS_NONE;
}

static void mouse_event(struct term_event *ev)
{
	MEVENT m;

	if (getmouse(&m) != OK)
		return;
	ev->x = m.x;
	ev->y = m.y;
	if (m.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
		ev->kind = TERM_CLICK;
	else if (m.bstate & BUTTON1_RELEASED)
		ev->kind = TERM_RELEASE;
	else if (m.bstate & BUTTON4_PRESSED)
		ev->kind = TERM_WHEEL_UP;
	else if (m.bstate & BUTTON5_PRESSED)
		ev->kind = TERM_WHEEL_DOWN;
}

static bool hung_up(void)
{
	struct pollfd p = {.fd = STDIN_FILENO};

	return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL));
}

void term_wait(struct term_event *ev, int timeout_ms)
{
	wint_t key = 0;
	int got;

	memset(ev, 0, sizeof(*ev));
	timeout(timeout_ms);
	got = get_wch(&key);
	if (got == ERR) {
		if (hung_up())
			ev->kind = TERM_GONE;
	} else if (got == KEY_CODE_YES && key == KEY_RESIZE) {
		ev->kind = TERM_RESIZE;
	} else if (got == KEY_CODE_YES && key == KEY_MOUSE) {
		mouse_event(ev);
	} else {
		ev->kind = TERM_KEY;
		if (got == KEY_CODE_YES)
			ev->key = curses_key(key);
		else
			ev->key = key == '\n' ? KEYS_ENTER : key == '\b' ? KEYS_BACKSPACE : (int)key;
	}
}

void term_mouse(bool on)
{
	mousemask(on ? BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED | BUTTON4_PRESSED |
					BUTTON5_PRESSED
		     : 0,
		NULL);
}

void term_suspend(void)
{
	endwin();
	raise(SIGTSTP);
	term_redraw();
	refresh();
}

/* terminals drop what is longer than this, tmux and xterm alike */
#define CLIPBOARD_MAX 74994

bool term_clipboard(const char *text, size_t size)
{
	static const char code[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)text;

	if (size > CLIPBOARD_MAX)
		return false;
	fputs("\033]52;c;", stdout);
	for (size_t i = 0; i < size; i += 3) {
		uint32_t b = (uint32_t)p[i] << 16 | (i + 1 < size ? (uint32_t)p[i + 1] << 8 : 0) |
			     (i + 2 < size ? p[i + 2] : 0);

		putchar(code[b >> 18]);
		putchar(code[b >> 12 & 63]);
		putchar(i + 1 < size ? code[b >> 6 & 63] : '=');
		putchar(i + 2 < size ? code[b & 63] : '=');
	}
	putchar('\a');
	fflush(stdout);
	return true;
}

int term_stray_lines(void)
{
	char buf[4096];
	off_t at = 0;
	ssize_t n;
	int count = 0;

	if (saved.stray < 0)
		return 0;
	while ((n = pread(saved.stray, buf, sizeof(buf), at)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			count += buf[i] == '\n';
		at += n;
	}
	return count;
}
