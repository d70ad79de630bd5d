// SPDX-License-Identifier: GPL-2.0-or-later
/* fingerprint FILE.c...: label and confidence of each governor source. */
#include "replay/governor.h"
#include "src/govbuild.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
	int bad = 0;

	for (int i = 1; i < argc; i++) {
		char *text = govbuild_read(argv[i]);
		struct gov_spec s;
		struct error err = {.text = "cannot be read"};

		if (!text || governor_fingerprint(&s, text, &err)) {
			printf("%s\n", err.text);
			bad = 1;
		} else {
			printf("%s: %s\n", s.label, s.confidence);
		}
		free(text);
	}
	return bad;
}
