/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen: draws a session into an area of a canvas, takes named commands, gives its table for export.
 * The app owns each view's state (size bytes, zeroed, then opened). To add one: one file, one line in
 * view_list, one line in VIEWS of src/command.h.
 */
#ifndef REIDLE_VIEWS_VIEW_H
#define REIDLE_VIEWS_VIEW_H

#include "src/canvas.h"
#include "src/table.h"
#include "views/session.h"

struct area {
	int x, y, w, h;
};

/* one entry of the line of keys; second is CMD_NONE for a single one */
struct hint {
	enum command_id first, second;
	const char *text;
};

struct view_ops {
	enum view_id id;
	size_t size; /* bytes of its state */
	const struct hint *hints; /* ends with an empty one */
	void (*open)(void *state, struct session *s); /* when the recording is loaded; may be NULL */
	void (*close)(void *state);		      /* may be NULL */
	/** draw: the session may be adjusted to what fits (window, first row) */
	void (*draw)(void *state, struct session *s, struct canvas *c, struct area a);
	/** command: false when it means nothing here */
	bool (*command)(void *state, struct session *s, enum command_id id, const char *arg);
	/** table: the table shown; false when there is none */
	bool (*table)(void *state, const struct session *s, struct table *out);
	/** lines: the table's rows as they are best read as plain text, instead of its columns; may be NULL */
	void (*lines)(void *state, const struct session *s, FILE *f);
	/**
	 * work: a slice of what takes long, at most some 10 ms; true when it did something, so that the
	 * last slice is drawn too. May be NULL
	 */
	bool (*work)(void *state, struct session *s);
	/** place: move the session's cursor to the view's own, for the view that opens next; may be NULL */
	void (*place)(void *state, struct session *s);
	/** click: x, y inside the last area; may be NULL */
	void (*click)(void *state, struct session *s, int x, int y, bool release);
};

extern const struct view_ops *const view_list[VIEW_COUNT]; /* NULL: not there */

extern const struct view_ops timeline_view, decisions_view, whatif_view, histogram_view, sweep_view,
	wakes_view, runs_view, states_view, explain_view, events_view, help_view;

#endif
