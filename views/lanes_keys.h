/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the views with lanes have in common beside drawing: the commands that move cursor and window,
 * the groups of many CPUs, and the table of the window. Nothing is owned.
 */
#ifndef REIDLE_VIEWS_LANES_KEYS_H
#define REIDLE_VIEWS_LANES_KEYS_H

#include "views/lanes.h"

/**
 * lanes_room() - fit the session's window to @width columns of time
 * @col, @cap: the view's buffer, grown as needed; Return: columns, >= 1
 */
int lanes_room(struct session *s, struct timeline_sum **col, int *cap, int width);
/** lanes_command() - moving, zooming, marking, in run @run; false when it is another command */
bool lanes_command(struct session *s, int run, enum command_id id, const char *arg);
/** lanes_next() - to the next (1) or previous (-1) period that fits find and filter, else the next miss */
void lanes_next(struct session *s, int run, int dir);
/** lanes_seek() - a slice of a find that is not there yet; true when there is more to look at */
bool lanes_seek(struct session *s);
/** lanes_search() - find @text from here on; "cpu7" goes there */
bool lanes_search(struct session *s, int run, const char *text);
/** lanes_filter() - set the filter that all views share; false and a message when it is not right */
bool lanes_filter(struct session *s, const char *text);
/** lanes_groups() - shades per group, the opened group below, the CPUs with the most misses */
void lanes_groups(struct session *s, struct lane *l, struct area a, int rows);
/** lanes_by() - show groups by a level of the topology, the next one without @level; false: no such */
bool lanes_by(struct session *s, const char *level);
/** lanes_table() - per CPU and state the sums of the window (of a-b when both markers are set) */
void lanes_table(const struct session *s, int run, struct table *out);

#endif
