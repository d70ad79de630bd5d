// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat_event.h"
#include "parsers/dat_page.h"
#include "parsers/dat_spec.h"

#include <string.h>

#define FIELD_MAX (1U << 20) /* no record, and no page, is larger */

/* "field:unsigned long foo[8];" names foo: the last word before the semicolon, without brackets */
static bool declares(const char *line, const char *semicolon, const char *name)
{
	size_t len = strlen(name);
	const char *end = semicolon;

	if (end > line && end[-1] == ']')
		while (end > line && *end != '[')
			end--;
	return (size_t)(end - line) > len && !memcmp(end - len, name, len) &&
	       strchr(" \t*:", end[-(ptrdiff_t)len - 1]);
}

static bool number_after(const char *line, const char *end, const char *key, uint32_t max, uint32_t *out)
{
	const char *p = memmem(line, (size_t)(end - line), key, strlen(key));
	uint32_t v = 0;
	int digits = 0;

	if (!p)
		return false;
	for (p += strlen(key); p < end && *p >= '0' && *p <= '9' && digits < 8; p++, digits++)
		v = v * 10 + (uint32_t)(*p - '0');
	*out = v;
	return digits && v <= max;
}

static bool parse_field(const char *line, const char *end, const char *name, struct dat_field *out)
{
	const char *semicolon = memchr(line, ';', (size_t)(end - line));
	size_t n = (size_t)(end - line);
	uint32_t is_signed = 0;

	if (!semicolon || !declares(line, semicolon, name))
		return false;
	memset(out, 0, sizeof(*out));
	if (!number_after(semicolon, end, "offset:", FIELD_MAX, &out->off) ||
		!number_after(semicolon, end, "size:", FIELD_MAX, &out->size))
		return false;
	number_after(semicolon, end, "signed:", 1, &is_signed);
	out->is_signed = is_signed;
	out->is_loc = memmem(line, n, "__data_loc", 10) != NULL;
	out->is_rel_loc = memmem(line, n, "__rel_loc", 9) != NULL;
	return true;
}

bool dat_format_field(const char *text, size_t len, const char *name, struct dat_field *out)
{
	const char *end = text + len, *p = text;

	while ((p = memmem(p, (size_t)(end - p), "field:", 6))) {
		const char *line_end = memchr(p, '\n', (size_t)(end - p));

		if (!line_end)
			line_end = end;
		if (parse_field(p + 6 - 1, line_end, name, out))
			return true;
		p = line_end;
	}
	return false;
}

/* the line "KEY: value", value without the newline */
static bool header_line(const char *text, size_t len, const char *key, const char **value, size_t *n)
{
	const char *p = memmem(text, len, key, strlen(key)), *nl;

	if (!p)
		return false;
	p += strlen(key);
	nl = memchr(p, '\n', (size_t)(text + len - p));
	if (!nl)
		return false;
	*value = p;
	*n = (size_t)(nl - p);
	return true;
}

static bool readable(const struct dat_field *f)
{
	return f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8;
}

static void note_size(struct dat_slot *slot, const struct dat_field *f)
{
	uint32_t need = f->off + f->size;

	if (need > slot->min_size)
		slot->min_size = need;
}

/* a column's field: names may be optional ("?was_armed"); absent ones keep the spec's default */
static bool add_column(struct dat_slot *slot, const char *text, size_t len, enum dat_column column,
	const char *name)
{
	struct dat_field f;
	bool optional = *name == '?';

	if (!dat_format_field(text, len, name + optional, &f))
		return optional;
	if (f.is_loc || f.is_rel_loc ? f.size != 4 : !readable(&f))
		return optional;
	f.column = (uint8_t)column;
	slot->field[slot->nfields++] = f;
	note_size(slot, &f);
	return true;
}

/* names: any number of bytes; what is behind a fixed offset and open-ended (markers) has size 0 */
static bool add_name(struct dat_slot *slot, const char *text, size_t len)
{
	const char *name = slot->spec->name_field;
	bool optional;

	if (!name)
		return true;
	optional = *name == '?';
	if (!dat_format_field(text, len, name + optional, &slot->name)) {
		memset(&slot->name, 0, sizeof(slot->name));
		return optional;
	}
	if ((slot->name.is_loc || slot->name.is_rel_loc) && slot->name.size != 4)
		return false;
	slot->name.column = COL_NAME;
	note_size(slot, &slot->name);
	return true;
}

static bool fill_slot(struct dat_slot *slot, const struct dat_spec *spec, const char *text, size_t len)
{
	struct dat_field type;

	memset(slot, 0, sizeof(*slot));
	slot->spec = spec;
	slot->kind = spec->kind;
	slot->min_size = 2;
	if (!dat_format_field(text, len, "common_type", &type) || type.off || type.size != 2)
		return false;
	if (!add_column(slot, text, len, COL_FLAGS, "?common_flags") ||
		!add_column(slot, text, len, COL_PID, "?common_pid"))
		return false;
	for (int i = 0; i < SPEC_FIELDS; i++)
		if (spec->field[i] &&
			!add_column(slot, text, len, (enum dat_column)(COL_OBJ + i), spec->field[i]))
			return false;
	return add_name(slot, text, len);
}

/* cpu_idle as all kernels so far have it */
static void settle_quick(struct dat_slot *slot)
{
	static const uint8_t size[COLS] = {[COL_OBJ] = 4, [COL_A] = 4, [COL_FLAGS] = 1, [COL_PID] = 4};

	slot->quick = slot->kind == EV_IDLE && slot->nfields == 4;
	for (int i = 0; i < slot->nfields; i++) {
		const struct dat_field *f = &slot->field[i];

		slot->quick = slot->quick && f->size == size[f->column] && !f->is_loc && !f->is_rel_loc;
		slot->at[f->column] = f->off;
	}
}

void dat_event_format(struct dat_events *e, const char *system, const char *text, size_t len,
	uint64_t want)
{
	const struct dat_spec *spec;
	const char *name, *id, *print;
	size_t nname, nid;
	uint32_t number;

	e->nformats++;
	print = memmem(text, len, "\nprint fmt", 10);
	if (print)
		len = (size_t)(print + 1 - text);
	if (!header_line(text, len, "name: ", &name, &nname) ||
		!header_line(text, len, "\nID: ", &id, &nid))
		return;
	spec = dat_spec_find(system, name, nname);
	if (!spec || e->nslots == DAT_SLOTS_MAX || !number_after(id, id + nid, "", 65535, &number))
		return;
	if (e->of_id[number] || !fill_slot(&e->slot[e->nslots], spec, text, len))
		return;
	settle_quick(&e->slot[e->nslots]);
	e->slot[e->nslots].wanted = want & EV_BIT(spec->kind);
	e->seen |= EV_BIT(spec->kind);
	e->of_id[number] = (uint8_t)++e->nslots;
	e->inside[e->nslots] = e->slot[e->nslots - 1].wanted;
	e->anywhere[e->nslots] = want & EV_BIT(spec->kind) & (EV_WANT_IDLE | EV_BIT(EV_MARKER));
}

static int64_t load_number(const uint8_t *p, const struct dat_field *f, bool be)
{
	switch (f->size) {
	case 1:
		return f->is_signed ? (int8_t)*p : *p;
	case 2:
		return f->is_signed ? (int16_t)load16(p, be) : load16(p, be);
	case 4:
		return f->is_signed ? (int64_t)(int32_t)load32(p, be) : (int64_t)load32(p, be);
	default:
		return (int64_t)load64(p, be);
	}
}

/* bytes behind a __data_loc; an empty span when it points outside of the record */
static const uint8_t *located(const struct dat_field *f, const uint8_t *data, uint32_t size, bool be,
	uint32_t *len)
{
	uint32_t loc = load32(data + f->off, be), off, n;

	HOLD(loc);
	off = loc & 0xffff;
	n = loc >> 16;
	if (f->is_rel_loc)
		off += f->off + 4;
	if (off > size || n > size - off)
		off = n = 0;
	*len = n;
	return data + off;
}

/* the first 64 CPUs of a mask of longs */
static int64_t mask_bits(const uint8_t *p, uint32_t len, bool be, int word)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i + (uint32_t)word <= len && i < 8; i += (uint32_t)word)
		bits |= (word == 8 ? load64(p + i, be) : (uint64_t)load32(p + i, be)) << (8 * i);
	return (int64_t)bits;
}

static const char *name_span(const struct dat_slot *slot, const uint8_t *data, uint32_t size, bool be,
	uint32_t *len)
{
	const struct dat_field *f = &slot->name;
	const uint8_t *p = data + f->off;

	if (f->is_loc || f->is_rel_loc)
		p = located(f, data, size, be, len);
	else
		*len = f->size && slot->spec->name_how != NAME_IS_REST ? f->size : size - f->off;
	*len = (uint32_t)strnlen((const char *)p, *len);
	return (const char *)p;
}

static uint32_t decode_name(const struct dat_slot *slot, const uint8_t *data, uint32_t size, bool be,
	struct names *names)
{
	uint32_t len;
	const char *p;
	uint64_t address;

	if (!slot->name.column)
		return 0;
	if (slot->spec->name_how == NAME_IS_FUNCTION || slot->spec->name_how == NAME_IS_STRING) {
		if (slot->name.size != 4 && slot->name.size != 8)
			return 0;
		address = slot->name.size == 8 ? load64(data + slot->name.off, be) :
						 load32(data + slot->name.off, be);
		return names_address(names,
			slot->spec->name_how == NAME_IS_FUNCTION ? NAME_FUNCTION : NAME_STRING, address);
	}
	p = name_span(slot, data, size, be, &len);
	while (slot->spec->name_how == NAME_IS_REST && len && p[len - 1] == '\n')
		len--;
	return names_text(names, p, len);
}

bool dat_event_decode(const struct dat_slot *slot, const uint8_t *data, uint32_t size, bool be, int word,
	struct names *names, struct event *ev)
{
	const struct dat_spec *spec = slot->spec;
	int64_t v[COLS] = {[COL_A] = spec->a, [COL_B] = spec->b, [COL_AUX] = spec->aux, [COL_EXTRA] = -1};

	for (int i = 0; i < slot->nfields; i++) {
		const struct dat_field *f = &slot->field[i];

		if (f->is_loc || f->is_rel_loc) {
			uint32_t len;
			const uint8_t *p = located(f, data, size, be, &len);

			v[f->column] = mask_bits(p, len, be, word);
		} else {
			v[f->column] = load_number(data + f->off, f, be);
		}
	}
	ev->obj = (uint64_t)v[COL_OBJ];
	ev->a = v[COL_A];
	ev->b = v[COL_B];
	ev->c = v[COL_C];
	ev->aux = (uint32_t)v[COL_AUX];
	ev->ctx = (uint8_t)v[COL_FLAGS];
	ev->pid = (int32_t)v[COL_PID];
	if (spec->adjust) {
		uint32_t len = 0;
		const char *text = slot->name.column ? name_span(slot, data, size, be, &len) : "";

		if (!spec->adjust(ev, v[COL_EXTRA], text, len))
			return false;
	}
	ev->name = decode_name(slot, data, size, be, names);
	return true;
}
