/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal: opened once, put back on every way out, crashes included. The only user of curses and
 * the only place with state of its own (what to restore). Canvases stay the caller's.
 */
#ifndef REIDLE_SRC_TERM_H
#define REIDLE_SRC_TERM_H

#include "src/canvas.h"
#include "src/command_keys.h"

enum term_kind { TERM_NOTHING, TERM_KEY, TERM_RESIZE, TERM_CLICK, TERM_RELEASE, TERM_WHEEL_UP,
	TERM_WHEEL_DOWN, TERM_GONE };

struct term_event {
	enum term_kind kind;
	int key;  /* TERM_KEY: command_keys.h */
	int x, y; /* mouse */
};

/**
 * term_open() - take the terminal over
 * Return: NULL, or why not and what to do, as one line
 */
const char *term_open(bool mouse);
/** term_close() - put it back, print what libraries wrote to stderr meanwhile; harmless when closed */
void term_close(void);

/** term_ncolors() - by terminfo; <= 0 none */
int term_ncolors(void);
/** term_glyphs() - what the locale and $TERM can show */
enum glyph_set term_glyphs(bool ascii);
/** term_theme() - make the theme's colours known to the terminal */
void term_theme(const struct theme *t);
void term_size(int *w, int *h);
void term_draw(const struct canvas *c, const struct theme *t);
/** term_redraw() - the next term_draw() repaints all */
void term_redraw(void);
/** term_wait() - next event, within @timeout_ms (< 0: for ever) */
void term_wait(struct term_event *ev, int timeout_ms);
void term_mouse(bool on);
/** term_suspend() - as ^Z does; returns when continued */
void term_suspend(void);
/** term_clipboard() - hand text to the terminal's clipboard (OSC 52); false when it is too long */
bool term_clipboard(const char *text, size_t size);
/** term_stray_lines() - lines that something wrote to stderr while the screen is up */
int term_stray_lines(void);

#endif
