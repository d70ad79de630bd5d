/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginning of a big trace.dat, as parse_options.head asks for. Times in ns, sizes in bytes. */
#ifndef REIDLE_PARSERS_DAT_HEAD_H
#define REIDLE_PARSERS_DAT_HEAD_H

#include "parsers/dat.h"
#include "src/trace.h"

/** dat_head() - limit what will be read of every buffer; nothing without head, or when all is little */
void dat_head(struct dat *d);
/** dat_head_end() - after reading: give the trace one end, and say in it whether it was cut short */
void dat_head_end(const struct dat *d, struct trace *t);

#endif
