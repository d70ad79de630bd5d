/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen program: reads recordings in the background, draws the current view, runs commands from
 * keys, prompt or script. A struct app owns everything it opened; app_free() releases it.
 */
#ifndef REIDLE_SRC_APP_H
#define REIDLE_SRC_APP_H

#include "src/canvas.h"
#include "src/options.h"

struct app;

/**
 * app_run() - the screen, or with --headless its loop without a terminal
 * Return: exit code, or -1 with err (no terminal: usage)
 */
int app_run(const struct options *o, struct error *err);

/** app_new() - begin to read the recording named in the options; they must outlive the app */
struct app *app_new(const struct options *o, struct error *err);
void app_free(struct app *a);
/** app_settle() - wait until nothing is being read or replayed; -1 with err when reading failed */
int app_settle(struct app *a, struct error *err);
/**
 * app_step() - one step of a script: ":" and a command line, a key by name, or a command by name
 * Return: 0, or -1 with err (unknown step, failed command)
 */
int app_step(struct app *a, const char *step, struct error *err);
/** app_draw() - header, view, keys, into a canvas of any size */
void app_draw(struct app *a, struct canvas *c);
/** app_glyphs() - what the canvas should be made with */
enum glyph_set app_glyphs(const struct app *a);
bool app_quits(const struct app *a);

#endif
