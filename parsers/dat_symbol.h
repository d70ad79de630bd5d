/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of kernel addresses, from the kallsyms and printk-format texts of a recording.
 * Only the addresses asked for are looked up, in one pass over the text. Caller owns all arrays.
 */
#ifndef REIDLE_PARSERS_DAT_SYMBOL_H
#define REIDLE_PARSERS_DAT_SYMBOL_H

#include "src/util.h"

struct symbol {
	uint64_t address;
	uint64_t found;	  /* start of the symbol that holds it; 0 none */
	const char *name; /* into the text, not terminated; NULL unknown */
	uint32_t len;
};

/** symbol_sort() - by address, doubles dropped; returns the new count */
size_t symbol_sort(struct symbol *s, size_t n);
/** symbol_functions() - text: "ffffffff81000000 T name [module]" lines; s sorted */
void symbol_functions(struct symbol *s, size_t n, const char *text, size_t len);
/** symbol_strings() - text: "0xffff... : \"string\"" lines; s sorted */
void symbol_strings(struct symbol *s, size_t n, const char *text, size_t len);
/** symbol_find() - the entry of an address; NULL when it was not asked for */
const struct symbol *symbol_find(const struct symbol *s, size_t n, uint64_t address);

#endif
