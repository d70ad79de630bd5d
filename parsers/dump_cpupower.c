// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `cpupower idle-info` of all ages: with and without Residency lines, several CPUs, (DISABLED) marks,
 * -s (names only), -o (the old one line per state), copies re-indented or quoted in mails.
 */
#include "parsers/dump.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct cpupower {
	struct dump *dump;
	long cpu;
	int next;		 /* number of the next state block */
	struct dump_state *open; /* the block being read */
	char names[256];	 /* "Available idle states" of a CPU without blocks (-s) */
};

static const char *after(const char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncmp(line, key, n))
		return NULL;
	for (line += n; *line == ' ' || *line == '\t'; line++)
		;
	return line;
}

static int64_t number(const char *text)
{
	char *end;
	long long v = strtoll(text, &end, 10);

	return end == text || v < 0 ? -1 : v;
}

/* -s ends after the names: they make the states, parted at spaces as the tool prints them */
static void flush_names(struct cpupower *p)
{
	char *save = NULL;

	if (!p->next) {
		for (char *n = strtok_r(p->names, " ", &save); n; n = strtok_r(NULL, " ", &save)) {
			struct dump_state *s = dump_state_at(p->dump, p->cpu, p->next++);

			if (s)
				copy_text(s->name, sizeof(s->name), n);
		}
	}
	p->names[0] = '\0';
}

static void new_cpu(struct cpupower *p, const char *rest)
{
	flush_names(p);
	p->cpu = strtol(rest, NULL, 10);
	p->next = 0;
	p->open = NULL;
}

/* "POLL:" or "C6 (DISABLED) :" begins a block */
static void new_state(struct cpupower *p, char *line, size_t len)
{
	static const char mark[] = " (DISABLED) ";
	bool disabled = false;

	line[--len] = '\0';
	if (len > strlen(mark) && !strcmp(line + len - strlen(mark), mark)) {
		disabled = true;
		line[len - strlen(mark)] = '\0';
	}
	p->open = dump_state_at(p->dump, p->cpu, p->next++);
	if (!p->open)
		return;
	copy_text(p->open->name, sizeof(p->open->name), line);
	p->open->disable = disabled;
}

static int64_t bracketed(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	return at ? number(at + strlen(key)) : -1;
}

/* "C1: type[C1] ... latency[002] residency[00002] usage[...] duration[...]"; POLL is not printed */
static bool old_style(struct cpupower *p, const char *line)
{
	long state = *line == 'C' ? strtol(line + 1, NULL, 10) : 0;
	struct dump_state *s;

	if (state < 1 || !strstr(line, "type[") || !strstr(line, "latency["))
		return false;
	s = dump_state_at(p->dump, p->cpu, 0);
	if (s && !s->name[0]) {
		copy_text(s->name, sizeof(s->name), "POLL");
		s->latency_us = s->residency_us = 0;
	}
	s = dump_state_at(p->dump, p->cpu, state);
	if (s) {
		snprintf(s->name, sizeof(s->name), "C%ld", state);
		s->latency_us = bracketed(line, "latency[");
		s->residency_us = bracketed(line, "residency[");
		s->usage = bracketed(line, "usage[");
		s->time_us = bracketed(line, "duration[");
	}
	return true;
}

static bool state_field(struct dump_state *s, const char *line)
{
	const char *v;

	if ((v = after(line, "Flags/Description:")))
		copy_text(s->desc, sizeof(s->desc), v);
	else if ((v = after(line, "Latency:")))
		s->latency_us = number(v);
	else if ((v = after(line, "Residency:")))
		s->residency_us = number(v);
	else if ((v = after(line, "Usage:")))
		s->usage = number(v);
	else if ((v = after(line, "Duration:")))
		s->time_us = number(v);
	else
		return false;
	return true;
}

static void read_line(struct cpupower *p, char *line, size_t len)
{
	const char *v;

	if ((v = after(line, "CPUidle driver:")))
		copy_text(p->dump->driver, sizeof(p->dump->driver), v);
	else if ((v = after(line, "CPUidle governor:")))
		copy_text(p->dump->governor, sizeof(p->dump->governor), v);
	else if ((v = after(line, "analyzing CPU ")))
		new_cpu(p, v);
	else if ((v = after(line, "Available idle states:")))
		copy_text(p->names, sizeof(p->names), v);
	else if (after(line, "Number of idle states:") || old_style(p, line))
		return;
	else if ((!p->open || !state_field(p->open, line)) && len > 1 && line[len - 1] == ':')
		new_state(p, line, len);
}

void dump_cpupower_text(struct dump *d, const char *text, size_t size)
{
	struct cpupower p = {.dump = d};
	const char *end = text + size;
	char line[256];

	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		const char *stop = nl ? nl : end, *next = nl ? nl + 1 : end;
		size_t len;

		while (text < stop && (*text == '>' || isspace((unsigned char)*text)))
			text++;
		while (stop > text && isspace((unsigned char)stop[-1]))
			stop--;
		len = (size_t)(stop - text);
		/* nothing the tool prints is as long */
		if (len < sizeof(line) && !memchr(text, '\0', len)) {
			memcpy(line, text, len);
			line[len] = '\0';
			read_line(&p, line, len);
		}
		text = next;
	}
	flush_names(&p);
}
