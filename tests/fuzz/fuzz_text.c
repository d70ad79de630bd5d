// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/text.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_parser(&parser_text, data, size);
	fuzz_parser(&parser_html, data, size);
	return 0;
}
