// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/archive.h"
#include "parsers/dump.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static bool known(const uint8_t *data, size_t size)
{
	return dump_is((const char *)data, size) > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err;
	uint8_t *bytes;
	char inner[100];
	size_t n;

	if (archive_wrapped(data, size) &&
		!archive_unwrap("input", data, size, known, &bytes, &n, inner, sizeof(inner), &err))
		free(bytes);
	return 0;
}
