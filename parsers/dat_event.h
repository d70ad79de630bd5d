/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the event formats of a file to the columns of struct event: which id is which kind, and
 * at which offset of a record each column lies. Names and field lines are all that is read of a format:
 * "print fmt" never is. Owns its slots; release with dat_events_free().
 */
#ifndef REIDLE_PARSERS_DAT_EVENT_H
#define REIDLE_PARSERS_DAT_EVENT_H

#include "parsers/bytes.h"
#include "parsers/names.h"
#include "src/trace.h"

enum dat_column { COL_OBJ, COL_A, COL_B, COL_C, COL_AUX, COL_EXTRA, COL_FLAGS, COL_PID, COL_NAME, COLS };

struct dat_field {
	uint32_t off, size;
	uint8_t column;
	bool is_signed;
	bool is_loc;	 /* __data_loc: offset and length of the bytes are in the record */
	bool is_rel_loc; /* __rel_loc: as before, counted from the end of the field */
};

struct dat_spec;

/* how records of one event id become struct event */
struct dat_slot {
	const struct dat_spec *spec;
	uint8_t kind;
	bool wanted;
	uint32_t min_size; /* records shorter than this are damaged */
	uint8_t nfields;
	struct dat_field field[COLS]; /* those with a number */
	struct dat_field name;	      /* column 0: none */
	bool quick; /* obj and a are of 4 bytes, and there is nothing else but flags and pid */
	uint32_t at[COLS]; /* of a quick slot: offsets by column */
};

#define DAT_SLOTS_MAX 250

struct dat_events {
	uint8_t of_id[65536]; /* slot + 1; 0: of no interest */
	struct dat_slot slot[DAT_SLOTS_MAX];
	int nslots;
	/* by slot + 1: is it wanted anywhere; only inside of windows; [0]: never */
	bool anywhere[DAT_SLOTS_MAX + 1], inside[DAT_SLOTS_MAX + 1];
	uint64_t seen; /* kinds, EV_BITs */
	int nformats;
};

/**
 * dat_event_format() - take notice of one format
 * @system: "sched"; "ftrace" for the formats of ftrace itself
 * @text: "name: ...\nID: ...\nformat:\n..." of len bytes; what cannot be understood is ignored
 * @want: kinds to decode
 */
void dat_event_format(struct dat_events *e, const char *system, const char *text, size_t len,
	uint64_t want);

/**
 * dat_event_decode() - one record
 * @be, @word: byte order, size of the kernel's long
 * @ev: kind, cpu and at_ns are left alone; the rest is filled, name numbered in @names
 * Return: false when the record is of an unwanted variety (say, a QoS request for something else than CPUs)
 */
bool dat_event_decode(const struct dat_slot *slot, const uint8_t *data, uint32_t size, bool be, int word,
	struct names *names, struct event *ev);

/** dat_event_quick() - the same for quick slots: most records wanted are idle events */
static inline void dat_event_quick(const struct dat_slot *slot, const uint8_t *data, bool be,
	struct event *ev)
{
	ev->obj = load32(data + slot->at[COL_OBJ], be);
	ev->a = (int32_t)load32(data + slot->at[COL_A], be);
	ev->ctx = data[slot->at[COL_FLAGS]];
	ev->pid = (int32_t)load32(data + slot->at[COL_PID], be);
}

/** dat_format_field() - find "field:... NAME;" in a format's text; false when absent or out of bounds */
bool dat_format_field(const char *text, size_t len, const char *name, struct dat_field *out);

#endif
