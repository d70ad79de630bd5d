// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/digest.h"

#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK (1U << 18)

static void finish(char out[DIGEST_SIZE], struct sha256_ctx *ctx)
{
	uint8_t bytes[SHA256_DIGEST_SIZE];

	sha256_digest(ctx, sizeof(bytes), bytes);
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

void digest_bytes(char out[DIGEST_SIZE], const void *data, size_t size)
{
	struct sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, size, data);
	finish(out, &ctx);
}

bool digest_file(char out[DIGEST_SIZE], const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t *block = xcalloc(1, BLOCK);
	struct sha256_ctx ctx;
	ssize_t n = -1;

	*out = '\0';
	sha256_init(&ctx);
	if (fd >= 0)
		while ((n = read(fd, block, BLOCK)) > 0)
			sha256_update(&ctx, (size_t)n, block);
	if (!n)
		finish(out, &ctx);
	if (fd >= 0)
		close(fd);
	free(block);
	return !n;
}
