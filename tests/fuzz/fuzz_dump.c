// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dump.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err;
	struct machine m;
	struct dump d;

	if (dump_is((const char *)data, size) && !dump_parse(&d, "input", (const char *)data, size, &err)) {
		if (!dump_machine(&m, &d, "input", &err))
			machine_free(&m);
		dump_free(&d);
	}
	return 0;
}
