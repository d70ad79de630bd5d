// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the command, prints the one error line, ends with the exit status of cli.md. */
#include "src/app.h"
#include "src/options.h"
#include "src/subcommand.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* one line of the list, or two where the usage is long */
static void help_line(const struct subcommand *c)
{
	char head[120];

	snprintf(head, sizeof(head), "reidle %s %s", c->name, c->usage);
	if (strlen(head) > 34)
		printf("  %s\n%37s%s\n", head, "", c->summary);
	else
		printf("  %-34s %s\n", head, c->summary);
}

/* @c: NULL for all commands */
static void help(const struct subcommand *c)
{
	if (!c)
		printf("reidle %s: replay recorded CPU idle wake-ups through other governors\n\n"
		       "  reidle [OPTIONS] RECORDING...      the screen\n", REIDLE_VERSION);
	for (const struct subcommand *const *each = subcommand_list; *each; each++)
		if (!c || *each == c)
			help_line(*each);
	puts("\nOptions (each command takes those that mean something to it):");
	options_help(stdout);
}

static const struct subcommand *find(const char *name)
{
	for (const struct subcommand *const *c = subcommand_list; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

/* a check that is passed over would always be fine */
static int no_fail_if(const struct subcommand *c, struct error *err)
{
	return error_set(err, EXIT_USAGE, "%s takes no --fail-if; report, verify, whatif, sweep and compare do",
		c->name);
}

static int run(int argc, char **argv, struct error *err)
{
	const struct subcommand *c = NULL;
	struct options o;
	int ret = options_parse(&o, argc, argv, err);

	if (!ret && o.files.n)
		c = find(o.files.s[0]);
	if (ret) {
		;
	} else if (o.help) {
		help(c);
		ret = EXIT_FINE;
	} else if (o.version) {
		puts("reidle " REIDLE_VERSION);
		ret = EXIT_FINE;
	} else if (c) {
		/* the command's own name is the first plain argument */
		memmove(o.files.s, o.files.s + 1, --o.files.n * sizeof(*o.files.s));
		ret = o.fail_if && !c->fail_if ? no_fail_if(c, err) : c->run(&o, err);
	} else {
		ret = app_run(&o, err);
	}
	options_free(&o);
	return ret;
}

int main(int argc, char **argv)
{
	struct error err = {.code = EXIT_INTERNAL, .text = "failed without a word"};
	int ret;

	signal(SIGPIPE, SIG_DFL);
	ret = run(argc, argv, &err);
	if (ret < 0) {
		fflush(stdout);
		fprintf(stderr, "reidle: %s\n", err.text);
		return err.code;
	}
	if (fflush(stdout) || ferror(stdout)) {
		fputs("reidle: cannot write the output\n", stderr);
		return EXIT_INTERNAL;
	}
	return ret;
}
