/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which governor code a kernel had, from its version string: back-ports make the version alone too
 * little, so the answer comes with its confidence. No memory is owned; no units.
 */
#ifndef REIDLE_REPLAY_ORIGIN_H
#define REIDLE_REPLAY_ORIGIN_H

#include "replay/governor.h"

/**
 * origin_preset() - apply the preset that fits a kernel; fills version, model, confidence
 * @kernel: a release or a whole kernel string (uname -a); "" unknown
 * Return: 0, or -1 with err if nothing fits
 */
int origin_preset(struct gov_spec *s, const char *kernel, struct error *err);

#endif
