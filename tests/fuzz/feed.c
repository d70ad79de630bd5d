// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const struct feed *const feed_list[] = {&feed_dat, &feed_mapped, &feed_replay, &feed_raw, &feed_text, &feed_html,
	&feed_dump, &feed_archive, &feed_file, &feed_table, &feed_machine, &feed_config, &feed_expr,
	&feed_power, &feed_topology, &feed_governor, &feed_source, &feed_options, &feed_steps, NULL};

const struct feed *feed_find(const char *name)
{
	for (int i = 0; feed_list[i]; i++)
		if (!strcmp(feed_list[i]->name, name))
			return feed_list[i];
	return NULL;
}

char *feed_string(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

int feed_fd(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("input", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size) {
		perror("memfd");
		exit(2);
	}
	return fd;
}

const char *feed_path(const uint8_t *data, size_t size)
{
	static char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", feed_fd(data, size));
	return path;
}
