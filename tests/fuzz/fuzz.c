// SPDX-License-Identifier: GPL-2.0-or-later
/* A libFuzzer target of the feed that -DFEED=NAME names. libFuzzer's buffers have exactly the input's size. */
#include "tests/fuzz/feed.h"

#define JOIN(a, b) a##b
#define FEED_OF(name) JOIN(feed_, name)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FEED_OF(FEED).take(data, size);
	return 0;
}
