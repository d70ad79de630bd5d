/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wrappers around inputs: gz, xz, bz2, zst, zip, tar, as recordings and dumps are passed around.
 * Unpacking is bounded (ARCHIVE_BASE + ARCHIVE_RATIO x the packed size). Buffers are the caller's to free.
 */
#ifndef REIDLE_PARSERS_ARCHIVE_H
#define REIDLE_PARSERS_ARCHIVE_H

#include "src/error.h"
#include "src/util.h"

#define ARCHIVE_BASE (64UL << 20)
#define ARCHIVE_RATIO 100
#define ARCHIVE_ENTRIES_MAX 100000

/** archive_wrapped() - do the bytes begin (or, for tar, look) like one of the wrappers */
bool archive_wrapped(const uint8_t *data, size_t size);

/** @path: inside the wrapper; @data: valid during the call, NUL behind size. Return: true ends the walk */
typedef bool archive_entry_fn(void *ctx, const char *path, const uint8_t *data, size_t size);

/**
 * archive_each() - call for each regular file inside (once for a plain gz, xz, bz2, zst)
 * @name: of the wrapper, for messages
 * @entry: gets the path inside ("" for a plain one) and the bytes
 * Return: 0, or -1 with err (damaged, too large)
 */
int archive_each(const char *name, const uint8_t *data, size_t size, archive_entry_fn *entry,
	void *ctx, struct error *err);

/**
 * archive_unwrap() - the first file inside that is wanted; wrappers inside are opened, one level deep
 * @want: does a parser know these bytes
 * @out, @out_size: the bytes, owned by the caller
 * @inner: the path inside ("" for a plain gz), cut to @inner_size
 * Return: 0, or -1 with err naming how many files were looked at
 */
int archive_unwrap(const char *name, const uint8_t *data, size_t size,
	bool (*want)(const uint8_t *data, size_t size), uint8_t **out, size_t *out_size,
	char *inner, size_t inner_size, struct error *err);

#endif
