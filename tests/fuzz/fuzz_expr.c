// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "src/expr.h"
#include "src/selection.h"
#include "tests/fuzz/fuzz.h"

static struct expr_value some_value(void *ctx, int field)
{
	(void)ctx;
	if (field % 3 == 2)
		return (struct expr_value){.known = false};
	return period_fields[field].type == EXPR_TEXT ? expr_text("kworker/3:1") : expr_number(field);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct error err;
	size_t column;
	struct expr *e;

	memcpy(text, data, size);
	text[size] = '\0';
	e = expr_compile(text, period_fields, FIELD_COUNT, &column, &err);
	if (e)
		expr_holds(e, some_value, NULL);
	expr_free(e);
	free(text);
	return 0;
}
