/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SHA-256 of recordings, so that a table in a mail says which file it is about.
 * Results are 64 hex digits and a NUL, in the caller's array.
 */
#ifndef REIDLE_PARSERS_DIGEST_H
#define REIDLE_PARSERS_DIGEST_H

#include "src/util.h"

#define DIGEST_SIZE 65

void digest_bytes(char out[DIGEST_SIZE], const void *data, size_t size);
/** digest_file() - of a file of any size, in constant memory; false ("" in out) when it cannot be read */
bool digest_file(char out[DIGEST_SIZE], const char *path);

#endif
