/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REIDLE_TESTS_FAULT_H
#define REIDLE_TESTS_FAULT_H

#include "tests/fuzz/feed.h"

/** fault_find() - a feed that leaks, grows, is slow, hangs or crashes, by that name; NULL */
const struct feed *fault_find(const char *name);

#endif
