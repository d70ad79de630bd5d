/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of gen_dat.c that lays out the file around the pages, for versions 6 and 7. */

static void write_header(struct writer *w)
{
	uint8_t byte[2] = {w->be, (uint8_t)w->word};

	put(w, "\x17\x08\x44tracing", 10);
	put(w, w->version == 6 ? "6" : "7", 2);
	put(w, byte, 2);
	put_number(w, w->page, 4);
}

static const char *kallsyms(const struct writer *w)
{
	return w->word == 8 ? "ffffffff81000000 T _text\nffffffff81123450 t tick_nohz_handler\n"
			      "ffffffff81123500 T next_one\n" :
			      "c1000000 T _text\nc1123450 t tick_nohz_handler\nc1123500 T next_one\n";
}

/* as tracefs prints it in per_cpu/cpuN/stats */
static void cpu_stats(const struct writer *w, const struct settings *s, struct piece *o)
{
	char text[200];

	for (int i = 0; i < s->cpus; i++) {
		int n = snprintf(text, sizeof(text), "\nCPU: %d\nentries: 100\noverrun: %ld\ncommit overrun: 0\n"
			"bytes: 4000\noldest event ts:  1.000000\nnow ts:  2.000000\ndropped events: 0\n"
			"read events: 100\n", i, s->stat);

		add_option(w, o, 2, text, (size_t)n + 1);
	}
}

/* of the host with that trace id: for each CPU one time, its offset and scaling */
static void time_shift(const struct writer *w, const struct settings *s, struct piece *o)
{
	struct piece shift = {NULL, 0, 0};

	add_number(w, &shift, 4711, 8);
	add_number(w, &shift, 0, 4);
	add_number(w, &shift, (uint64_t)s->cpus, 4);
	for (int i = 0; i < s->cpus; i++) {
		add_number(w, &shift, 1, 4);
		add_number(w, &shift, s->start, 8);
		add_number(w, &shift, (uint64_t)-5000000, 8);
		add_number(w, &shift, 1, 8);
	}
	add_option(w, o, 12, shift.p, shift.n);
	free(shift.p);
}

static void common_options(const struct writer *w, const struct settings *s, struct piece *o)
{
	static const char uname[] = "Linux made 6.12.30 x86_64";
	char text[80];
	struct piece tsc = {NULL, 0, 0};

	snprintf(text, sizeof(text), "local [%s]", s->clock);
	add_option(w, o, 4, text, strlen(text) + 1);
	add_option(w, o, 5, uname, sizeof(uname) - 1); /* without a NUL: readers must not need it */
	add_option(w, o, 9, "3.1.6", 6);
	add_option(w, o, 25, "some future option", 18);
	if (s->offset) {
		snprintf(text, sizeof(text), "%lld", (long long)s->offset);
		add_option(w, o, 7, text, strlen(text) + 1);
	}
	if (s->date) {
		snprintf(text, sizeof(text), "0x%lx", s->date);
		add_option(w, o, 1, text, strlen(text) + 1);
	}
	if (s->stat)
		cpu_stats(w, s, o);
	if (s->shift)
		time_shift(w, s, o);
	if (s->tsc) {
		add_number(w, &tsc, TSC_MULT, 4);
		add_number(w, &tsc, TSC_SHIFT, 4);
		add_number(w, &tsc, 12345, 8); /* stored, never applied */
		add_option(w, o, 14, tsc.p, tsc.n);
		free(tsc.p);
	}
}

/* version 6: "flyrecord", the table, then the pages of each CPU */
static void write_buffer_v6(struct writer *w, const struct settings *s, int buffer, struct totals *all)
{
	uint64_t table;
	char clock[40];

	put(w, "flyrecord", 10);
	table = w->at;
	for (int i = 0; i < 2 * s->cpus; i++)
		put_number(w, 0, 8);
	snprintf(clock, sizeof(clock), "[%s]", s->clock);
	put_number(w, strlen(clock) + 1, 8);
	put(w, clock, strlen(clock) + 1);
	align_to_page(w);
	for (int cpu = 0; cpu < s->cpus; cpu++) {
		uint64_t at = w->at, size = write_cpu(w, s, cpu, buffer, all);

		patch(w, table + 16 * (uint64_t)cpu, at, 8);
		patch(w, table + 16 * (uint64_t)cpu + 8, size, 8);
	}
}

static void write_v6(struct writer *w, const struct settings *s, struct totals *all)
{
	struct totals *unused = calloc((size_t)s->cpus, sizeof(*unused));
	struct piece head = {NULL, 0, 0};
	uint64_t where[3] = {0};

	write_header(w);
	header_info(w, &head);
	ftrace_formats(w, &head);
	event_formats(w, &head);
	add_text(w, &head, kallsyms(w), 4);
	add_text(w, &head, "", 4);
	add_text(w, &head, "1000 task-1000\n", 8);
	add_number(w, &head, (uint64_t)s->cpus, 4);
	add(&head, "options  ", 10);
	common_options(w, s, &head);
	for (int i = 1; i < s->nbuffers; i++) {
		struct piece option = {NULL, 0, 0};

		add_number(w, &option, 0, 8);
		add_string(&option, buffer_name(i));
		where[i] = w->at + head.n + 6;
		add_option(w, &head, 3, option.p, option.n);
		free(option.p);
	}
	add_number(w, &head, 0, 2);
	put(w, head.p, head.n);
	free(head.p);
	write_buffer_v6(w, s, 0, all);
	for (int i = 1; i < s->nbuffers; i++) {
		patch(w, where[i], w->at, 8);
		write_buffer_v6(w, s, i, unused);
	}
	free_totals(s, unused);
}

static uint64_t text_section(struct writer *w, int id, const char *text, int length_size)
{
	struct piece o = {NULL, 0, 0};
	uint64_t at;

	add_text(w, &o, text, length_size);
	at = section(w, id, &o, true);
	free(o.p);
	return at;
}

static uint64_t built_section(struct writer *w, int id,
	void (*build)(const struct writer *, struct piece *))
{
	struct piece o = {NULL, 0, 0};
	uint64_t at;

	build(w, &o);
	at = section(w, id, &o, true);
	free(o.p);
	return at;
}

/* version 7: the section of one buffer; its option says where each CPU's pages are */
static void write_buffer_v7(struct writer *w, const struct settings *s, int buffer, struct totals *all,
	struct piece *option)
{
	uint64_t at = w->at;

	put_number(w, 3, 2);
	put_number(w, packs(w), 2);
	put_number(w, 0, 4);
	put_number(w, 0, 8);
	align_to_page(w);
	add_number(w, option, at, 8);
	add_string(option, buffer_name(buffer));
	add_string(option, s->clock);
	add_number(w, option, w->page, 4);
	add_number(w, option, (uint64_t)s->cpus, 4);
	for (int cpu = 0; cpu < s->cpus; cpu++) {
		uint64_t data = w->at, size = write_cpu(w, s, cpu, buffer, all);

		add_number(w, option, (uint64_t)cpu, 4);
		add_number(w, option, data, 8);
		add_number(w, option, size, 8);
	}
	patch(w, at + 8, w->at - at - 16, 8);
}

static void write_v7(struct writer *w, const struct settings *s, struct totals *all)
{
	struct totals *unused = calloc((size_t)s->cpus, sizeof(*unused));
	struct piece options = {NULL, 0, 0};
	uint64_t start;

	write_header(w);
	put(w, w->codec, strlen(w->codec) + 1);
	put(w, "1.5.4", 6);
	start = w->at;
	put_number(w, 0, 8);
	add_offset_option(w, &options, 16, built_section(w, 16, header_info));
	add_offset_option(w, &options, 17, built_section(w, 17, ftrace_formats));
	add_offset_option(w, &options, 18, built_section(w, 18, event_formats));
	add_offset_option(w, &options, 19, text_section(w, 19, kallsyms(w), 4));
	add_offset_option(w, &options, 20, text_section(w, 20, "", 4));
	add_offset_option(w, &options, 21, text_section(w, 21, "1000 task-1000\n", 8));
	common_options(w, s, &options);
	for (int i = 0; i < s->nbuffers; i++) {
		struct piece option = {NULL, 0, 0};

		write_buffer_v7(w, s, i, i ? unused : all, &option);
		add_option(w, &options, 3, option.p, option.n);
		free(option.p);
	}
	add_offset_option(w, &options, 0, 0);
	patch(w, start, section(w, 0, &options, false), 8);
	free(options.p);
	free_totals(s, unused);
}
