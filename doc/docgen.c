// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * docgen man TEMPLATE | bash | zsh | fish: the man page and the completions out of the program's own
 * tables of commands, options and keys, so that they cannot fall behind it.
 */
#include "src/command.h"
#include "src/options.h"
#include "src/subcommand.h"

#include <string.h>

/* words of an option's argument, "text|md|csv|json", that a shell may offer */
static bool is_choice(const char *arg)
{
	return arg && strchr(arg, '|') && !strchr(arg, '[') && !strstr(arg, "FILE");
}

static bool takes_file(const char *arg)
{
	return arg && (strstr(arg, "FILE") || strstr(arg, "DUMP") || strstr(arg, "DIR"));
}

/* mdoc: escape backslashes, and keep a leading dot or quote from being a request */
static void man_text(const char *s)
{
	if (*s == '.' || *s == '\'')
		fputs("\\&", stdout);
	for (; *s; s++) {
		if (*s == '\\')
			fputs("\\e", stdout);
		else if (*s == '-')
			fputs("\\-", stdout);
		else
			putchar(*s);
	}
}

static void man_sentence(const char *s)
{
	size_t n = strlen(s);

	man_text(s);
	puts(n && s[n - 1] == '.' ? "" : ".");
}

static void man_commands(void)
{
	for (const struct subcommand *const *c = subcommand_list; *c; c++) {
		printf(".It Nm Cm %s Li \"", (*c)->name);
		man_text((*c)->usage);
		puts("\"");
		man_sentence((*c)->summary);
	}
}

static void man_options(void)
{
	struct option_text o;

	for (size_t i = 0; options_describe(i, &o); i++) {
		fputs(".It ", stdout);
		if (o.letter)
			printf("Fl %c , ", o.letter);
		printf("Fl Fl %s", o.name);
		if (o.arg) {
			fputs(" Ar \"", stdout);
			man_text(o.arg);
			putchar('"');
		}
		putchar('\n');
		man_sentence(o.help);
	}
}

static int man(const char *template)
{
	FILE *f = fopen(template, "r");
	char line[1024];

	if (!f) {
		perror(template);
		return 1;
	}
	while (fgets(line, sizeof(line), f)) {
		if (!strcmp(line, "@commands@\n"))
			man_commands();
		else if (!strcmp(line, "@options@\n"))
			man_options();
		else if (!strcmp(line, "@keys@\n"))
			command_manual(stdout);
		else
			fputs(line, stdout);
	}
	fclose(f);
	return 0;
}

static void words_of_options(void)
{
	struct option_text o;

	for (size_t i = 0; options_describe(i, &o); i++) {
		if (o.letter)
			printf("-%c ", o.letter);
		printf("--%s ", o.name);
	}
}

/* "-g|--governor)" and what follows it */
static void bash_case(const struct option_text *o, const char *then)
{
	if (o->letter)
		printf("\t-%c|--%s) %s ;;\n", o->letter, o->name, then);
	else
		printf("\t--%s) %s ;;\n", o->name, then);
}

static void bash(void)
{
	struct option_text o;
	char then[300];

	fputs("# bash completion for reidle\n_reidle()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tCOMPREPLY=()\n\tcase $prev in\n", stdout);
	for (size_t i = 0; options_describe(i, &o); i++) {
		if (is_choice(o.arg)) {
			snprintf(then, sizeof(then),
				"COMPREPLY=($(IFS='|'; compgen -W '%s' -- \"$cur\")); return", o.arg);
			bash_case(&o, then);
		} else if (takes_file(o.arg)) {
			bash_case(&o, "COMPREPLY=($(compgen -f -- \"$cur\")); return");
		} else if (o.arg) {
			bash_case(&o, "return");
		}
	}
	fputs("\tesac\n\tif [[ $cur == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W '", stdout);
	words_of_options();
	fputs("' -- \"$cur\"))\n\t\treturn\n\tfi\n"
	      "\t[ \"$COMP_CWORD\" -gt 1 ] || COMPREPLY=($(compgen -W '", stdout);
	for (const struct subcommand *const *c = subcommand_list; *c; c++)
		printf("%s ", (*c)->name);
	fputs("' -- \"$cur\"))\n\tCOMPREPLY+=($(compgen -f -- \"$cur\"))\n}\n"
	      "complete -o filenames -F _reidle reidle\n", stdout);
}

/* text in single quotes for a shell, without the characters that zsh's _arguments reads as syntax */
static void quoted(const char *s, const char *special)
{
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", stdout);
		else if (strchr(special, *s))
			printf("\\%c", *s);
		else
			putchar(*s);
	}
}

static void zsh_argument(const struct option_text *o)
{
	if (!o->arg)
		return;
	putchar(':');
	quoted(o->arg, ":[]\\");
	putchar(':');
	if (is_choice(o->arg)) {
		putchar('(');
		for (const char *s = o->arg; *s; s++)
			putchar(*s == '|' ? ' ' : *s);
		putchar(')');
	} else if (takes_file(o->arg)) {
		fputs("_files", stdout);
	}
}

static void zsh(void)
{
	struct option_text o;

	puts("#compdef reidle\nlocal -a commands\ncommands=(");
	for (const struct subcommand *const *c = subcommand_list; *c; c++) {
		printf("\t'%s:", (*c)->name);
		quoted((*c)->summary, ":\\");
		puts("'");
	}
	puts(")\n_reidle_first() {\n\t_describe -t commands command commands\n\t_files\n}\n_arguments \\");
	for (size_t i = 0; options_describe(i, &o); i++) {
		if (o.letter) {
			printf("\t'-%c[", o.letter);
			quoted(o.help, "[]\\:");
			putchar(']');
			zsh_argument(&o);
			puts("' \\");
		}
		printf("\t'*--%s[", o.name);
		quoted(o.help, "[]\\:");
		putchar(']');
		zsh_argument(&o);
		puts("' \\");
	}
	puts("\t'1: :_reidle_first' \\\n\t'*: :_files'");
}

static void fish(void)
{
	struct option_text o;

	for (const struct subcommand *const *c = subcommand_list; *c; c++) {
		printf("complete -c reidle -n __fish_use_subcommand -a %s -d '", (*c)->name);
		quoted((*c)->summary, "");
		puts("'");
	}
	for (size_t i = 0; options_describe(i, &o); i++) {
		fputs("complete -c reidle", stdout);
		if (o.letter)
			printf(" -s %c", o.letter);
		printf(" -l %s", o.name);
		if (is_choice(o.arg)) {
			fputs(" -x -a '", stdout);
			for (const char *s = o.arg; *s; s++)
				putchar(*s == '|' ? ' ' : *s);
			putchar('\'');
		} else if (o.arg) {
			fputs(takes_file(o.arg) ? " -r" : " -x", stdout);
		}
		fputs(" -d '", stdout);
		quoted(o.help, "");
		puts("'");
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} shell[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

	if (argc == 3 && !strcmp(argv[1], "man"))
		return man(argv[2]);
	for (size_t i = 0; i < ARRAY_SIZE(shell) && argc == 2; i++) {
		if (strcmp(argv[1], shell[i].name))
			continue;
		shell[i].print();
		return 0;
	}
	fputs("usage: docgen man TEMPLATE | bash | zsh | fish\n", stderr);
	return 2;
}
