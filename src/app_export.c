// SPDX-License-Identifier: GPL-2.0-or-later
/* What leaves the screen: the table of a view in a file or on the clipboard, the screen as text. */
#include "src/app_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
