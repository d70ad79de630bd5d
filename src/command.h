/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of the screen in one table: from it come the keys, the help screen, the `:` prompt with
 * its completion, the config file's names and a section of the man page. A struct keymap is plain data.
 * A key has one meaning in all views; where a command means nothing, the view says so.
 */
#ifndef REIDLE_SRC_COMMAND_H
#define REIDLE_SRC_COMMAND_H

#include "src/command_keys.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* in the order of the header; the first nine have their number as key */
#define VIEWS(X)                                                                                   \
	X(TIMELINE, "timeline", "time")                                                            \
	X(DECISIONS, "decisions", "dec")                                                           \
	X(WHATIF, "what-if", "what")                                                               \
	X(HISTOGRAM, "histogram", "hist")                                                          \
	X(SWEEP, "sweep", "sweep")                                                                 \
	X(WAKES, "wakes", "wakes")                                                                 \
	X(RUNS, "runs", "runs")                                                                    \
	X(STATES, "states", "stat")                                                                \
	X(EXPLAIN, "explain", "expl")                                                              \
	X(EVENTS, "events", "ev")                                                                  \
	X(HELP, "help", "help")

enum view_id {
#define VIEW_ENUM(id, name, brief) VIEW_##id,
	VIEWS(VIEW_ENUM)
#undef VIEW_ENUM
	VIEW_COUNT
};

#define V_ALL 0xffffu
#define V(id) (1u << VIEW_##id)
#define V_LANES (V(TIMELINE) | V(WHATIF))
#define V_TIME (V_LANES | V(EVENTS))
#define V_TABLES (V(DECISIONS) | V(WAKES) | V(SWEEP) | V(RUNS) | V(WHATIF))

/* id, name, keys, views in which it does something, argument, help */
#define COMMANDS(X)                                                                                \
	X(TIMELINE, "timeline", "1", V_ALL, "", "lanes of idle states")            \
	X(DECISIONS, "decisions", "2", V_ALL, "", "a row per decision")                     \
	X(WHATIF, "what-if", "3", V_ALL, "[GOV]", "two runs side by side")                    \
	X(HISTOGRAM, "histogram", "4", V_ALL, "", "lengths and percentiles")                  \
	X(SWEEP, "sweep", "5", V_ALL, "[GOV PARAM=LO..HI]", "a grid of replays")              \
	X(WAKES, "wakes", "6", V_ALL, "", "what ended idle periods")                          \
	X(RUNS, "runs", "7", V_ALL, "", "runs: add, rename, remove")                      \
	X(STATES, "states", "8", V_ALL, "", "idle-state table, editable")                 \
	X(EXPLAIN, "explain", "9", V_ALL, "", "one decision step by step")                    \
	X(EVENTS, "events", "E", V_ALL, "", "raw events around the cursor")                         \
	X(NEXT_VIEW, "next-view", "Tab", V_ALL, "", "next view")                                    \
	X(PREV_VIEW, "previous-view", "S-Tab", V_ALL, "", "previous view")                          \
	X(OPEN, "open", "Enter", V_ALL, "", "open what is under it")                        \
	X(BACK, "back", "q Esc < Backspace", V_ALL, "", "back; quit at the first")             \
	X(QUIT, "quit", "Q", V_ALL, "", "quit at once")                                             \
	X(DOWN, "down", "j Down", V_ALL, "", "move down")                                           \
	X(UP, "up", "k Up", V_ALL, "", "move up")                                                   \
	X(FIRST, "first", "g Home", V_ALL, "", "first row")                                         \
	X(LAST, "last", "G End", V_ALL, "", "last row")                                             \
	X(HALF_DOWN, "half-down", "^D", V_ALL, "", "half a page down")                              \
	X(HALF_UP, "half-up", "^U", V_ALL, "", "half a page up")                                    \
	X(PAGE_DOWN, "page-down", "PgDn Space", V_ALL, "", "a page down")                           \
	X(PAGE_UP, "page-up", "PgUp", V_ALL, "", "a page up")                                       \
	X(FIND, "find", "/", V_ALL, "TEXT", "find as you type")           \
	X(NEXT, "next", "n", V_ALL, "", "next match, miss, change")                               \
	X(PREVIOUS, "previous", "N", V_ALL, "", "previous one")                   \
	X(FILTER, "filter", "&", V_ALL, "EXPR", "show what fits; empty: all")    \
	X(EXPORT, "export", "e", V_ALL, "[text|md|csv|json] FILE", "export the table shown")        \
	X(COPY, "copy", "y", V_ALL, "", "table to the clipboard")           \
	X(COMMAND, "command", ":", V_ALL, "", "command line; Tab completes")                        \
	X(GOTO, "goto", "@", V_ALL, "TIME | cpu N | #N", "go to a time, cpu, row")              \
	X(RECORDING, "recording", "", V_ALL, "N|NAME", "another recording of several")            \
	X(PREV_RECORDING, "prev-recording", "{", V_ALL, "", "previous recording")              \
	X(NEXT_RECORDING, "next-recording", "}", V_ALL, "", "next recording")                      \
	X(UNITS, "units", "u", V_ALL, "", "units: automatic, us, ns")                               \
	X(MOUSE, "mouse", "M", V_ALL, "", "mouse; Shift-drag selects text")               \
	X(REDRAW, "redraw", "^L", V_ALL, "", "redraw")                                              \
	X(STOP, "stop", "^C", V_ALL, "", "stop the job; else back")                         \
	X(SUSPEND, "suspend", "^Z", V_ALL, "", "suspend")                                           \
	X(HELP, "help", "? F1", V_ALL, "", "help for this view")                                    \
	X(SCREEN, "screen", "", V_ALL, "FILE", "write the screen as text")                          \
	X(ROLES, "roles", "", V_ALL, "FILE", "write the colour roles")         \
	X(LEFT, "left", "h Left", V_TIME, "", "cursor one column left")                            \
	X(RIGHT, "right", "l Right", V_TIME, "", "cursor one column right")                        \
	X(PAN_LEFT, "pan-left", "H S-Left", V_TIME, "", "half a screen left")                      \
	X(PAN_RIGHT, "pan-right", "L S-Right", V_TIME, "", "half a screen right")                  \
	X(ZOOM_IN, "zoom-in", "+ =", V_TIME, "", "zoom in at the cursor")                          \
	X(ZOOM_OUT, "zoom-out", "-", V_TIME, "", "zoom out at the cursor")                         \
	X(WHOLE, "whole", "0", V_TIME, "", "the whole recording")                                  \
	X(ZOOM, "zoom", "z", V_TIME, "[FROM TO]", "window from a to b, or times")   \
	X(FIT, "fit", "f", V_TIME, "", "centre, then fit, the period")                      \
	X(MARK_A, "mark-a", "a", V_TIME, "", "marker a; again: away")                \
	X(MARK_B, "mark-b", "b", V_TIME, "", "marker b; again: away")                \
	X(PREV_IDLE, "previous-idle", "[ ,", V_ALL, "", "previous idle period, same cpu")         \
	X(NEXT_IDLE, "next-idle", "] .", V_ALL, "", "next idle period, same cpu")                 \
	X(LANES, "lanes", "c", V_ALL, "[all|one|groups|pinned]", "lanes: which cpus, how dense")       \
	X(PIN, "pin", "p", V_LANES, "[CPUS]", "pin the cpu to the top, or not")                  \
	X(HEIGHT, "height", "v", V_LANES, "", "rows per lane: 1, 2, 3")                             \
	X(SORT, "sort", "s", V_ALL, "[COLUMN]", "sort by the next column")          \
	X(REVERSE, "reverse", "S", V_TABLES, "", "sort the other way round")                        \
	X(ADD, "add", "A", V_ALL, "GOV", "add a run: menu@6.12, teo, ...")           \
	X(OTHER, "other", "o", V_ALL, "[N]", "right run: next, or number N")             \
	X(BASE, "base", "O", V_ALL, "[N]", "left run: next, or number N")                \
	X(SWAP, "swap", "x", V(WHATIF), "", "swap left and right")                                  \
	X(QUANTITY, "quantity", "t", V(HISTOGRAM), "[NAME]", "length, prediction error, ...")                 \
	X(WEIGHT, "weight", "w", V(HISTOGRAM), "", "count or time")                                 \
	X(BY, "by", "d", V(HISTOGRAM) | V(WAKES) | V(TIMELINE), "[LEVEL]", "split by; cpus by core, package")           \
	X(METRIC, "metric", "m", V(SWEEP), "", "next metric")                                       \
	X(RUN, "run", "r", V(SWEEP) | V(RUNS), "", "run the row under the cursor")                                 \
	X(RUN_ALL, "run-all", "R", V(SWEEP), "", "run all that are not run yet")                    \
	X(REMOVE, "remove", "D Delete", V(RUNS) | V(SWEEP), "", "remove the run")                              \
	X(RENAME, "rename", "", V(RUNS), "NAME", "rename the run")                                  \
	X(SET, "set", "", V_ALL, "STATE.FIELD=VALUE", "edit the table replays run on")     \
	X(DISABLE, "disable", "X", V(STATES), "[STATE]", "disable or enable the state")             \
	X(TABLE, "table", "", V_ALL, "NAME|recorded", "table of later replays: skl, hsx, ...")         \
	X(LIMIT, "limit", "", V_ALL, "US|none", "latency limit of later replays")

enum command_id {
	CMD_NONE,
#define COMMAND_ENUM(id, name, keys, views, arg, help) CMD_##id,
	COMMANDS(COMMAND_ENUM)
#undef COMMAND_ENUM
	CMD_COUNT
};

struct command {
	enum command_id id;
	const char *name;
	const char *keys; /* blank-separated */
	uint32_t views;	  /* bits of V() */
	const char *arg;
	const char *help;
};

/** command_get() - CMD_NONE < id < CMD_COUNT */
const struct command *command_get(enum command_id id);
/** command_find() - by full name, or by a beginning that only one has; NULL */
const struct command *command_find(const char *name, size_t len);
/** command_complete() - the @n-th name that begins with @prefix; NULL past the last */
const char *command_complete(const char *prefix, int n);

const char *view_name(enum view_id view);
const char *view_brief(enum view_id view);

#define KEYMAP_MAX 160

struct keymap {
	struct {
		int key;
		enum command_id command;
	} bind[KEYMAP_MAX];
	int n;
};

/** keymap_init() - the keys of the table */
void keymap_init(struct keymap *m);
/**
 * keymap_bind() - give a command these keys instead (config file)
 * A key taken from another command is that command's no longer.
 * Return: false when a key or the command is not known
 */
bool keymap_bind(struct keymap *m, const char *command, const char *keys);
enum command_id keymap_find(const struct keymap *m, int key);
/** keymap_keys() - the names of a command's keys, blank-separated, in @buf */
const char *keymap_keys(const struct keymap *m, enum command_id id, char *buf, size_t size);
/** keymap_first() - the name of its first key, "" when it has none */
const char *keymap_first(const struct keymap *m, enum command_id id, char *buf, size_t size);

/** command_manual() - the key section of the man page in mdoc, on @f */
void command_manual(FILE *f);

#endif
