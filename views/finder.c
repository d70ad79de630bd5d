// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/finder.h"
#include "src/wakes.h"
#include "views/words.h"

#include <ctype.h>
#include <string.h>

void finder_init(struct finder *f, const char *text)
{
	f->text = text;
	f->exact = false;
	for (const char *p = text; *p; p++)
		f->exact = f->exact || isupper((unsigned char)*p);
}

bool finder_text(const struct finder *f, const char *text)
{
	return f->exact ? strstr(text, f->text) != NULL : strcasestr(text, f->text) != NULL;
}

bool finder_period(const struct finder *f, const struct session *s, int cpu, const struct period *p)
{
	if (!*f->text) {
		enum verdict v = timeline_verdict(&s->run[0]->tl, cpu,
			(size_t)(p - session_get(s, 0)->cpu[cpu].period));

		return v == VERDICT_ABOVE || v == VERDICT_BELOW;
	}
	return finder_text(f, trace_name(s->trace, p->wake_name)) ||
	       finder_text(f, wake_kind_name((enum wake_kind)p->wake)) ||
	       finder_text(f, machine_table(s->machine, cpu)->state[p->state].name) ||
	       finder_text(f, words_before(s->trace, cpu, p->enter_ns));
}
