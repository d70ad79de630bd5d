// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/expr.h"

#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64  /* parentheses and negations inside each other */
#define NODES_MAX 4096

enum op { OP_OR, OP_AND, OP_NOT, OP_TRUE, OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_MATCH,
	OP_NO_MATCH };

struct operand {
	int field; /* -1: literal */
	enum expr_type type;
	double number;
	char *text;
};

struct node {
	enum op op;
	int left, right; /* OP_OR, OP_AND, OP_NOT: node numbers */
	struct operand a, b;
	regex_t regex;
	bool have_regex;
};

struct expr {
	struct node *node;
	size_t n, cap;
	int root;
	const struct expr_field *fields;
	size_t nfields;
};

struct reader {
	const char *text, *p;
	struct expr *e;
	size_t *column;
	struct error *err;
	int depth;
};

static int parse_or(struct reader *r);

static int fail_at(struct reader *r, const char *at, const char *what)
{
	if (r->column)
		*r->column = (size_t)(at - r->text);
	return error_set(r->err, EXIT_USAGE, "expression \"%.200s\": column %zu: %s", r->text,
		(size_t)(at - r->text) + 1, what);
}

static void skip_space(struct reader *r)
{
	while (isspace((unsigned char)*r->p))
		r->p++;
}

static bool accept(struct reader *r, const char *token)
{
	size_t n = strlen(token);

	skip_space(r);
	if (strncmp(r->p, token, n))
		return false;
	r->p += n;
	return true;
}

static int add_node(struct reader *r, enum op op)
{
	struct expr *e = r->e;

	if (e->n >= NODES_MAX)
		return fail_at(r, r->p, "too long");
	GROW(e->node, e->n, e->cap);
	memset(&e->node[e->n], 0, sizeof(e->node[0]));
	e->node[e->n].op = op;
	e->node[e->n].a.field = e->node[e->n].b.field = -1;
	return (int)e->n++;
}

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '%' || c == '@' || c == '-' ||
		c == '/' || c == ':';
}

static int find_field(const struct expr *e, const char *s, size_t n)
{
	for (size_t i = 0; i < e->nfields; i++)
		if (strlen(e->fields[i].name) == n && !memcmp(e->fields[i].name, s, n))
			return (int)i;
	return -1;
}

static int parse_quoted(struct reader *r, struct operand *o)
{
	const char *start = r->p;
	char quote = *r->p++, *out;

	o->text = out = xcalloc(strlen(r->p) + 1, 1);
	while (*r->p && *r->p != quote) {
		if (*r->p == '\\' && (r->p[1] == quote || r->p[1] == '\\'))
			r->p++;
		*out++ = *r->p++;
	}
	if (*r->p != quote)
		return fail_at(r, start, "the quoted text does not end");
	r->p++;
	o->type = EXPR_TEXT;
	return 0;
}

static int parse_number(struct reader *r, struct operand *o)
{
	static const struct {
		const char *unit;
		enum expr_type type;
		double scale;
	} units[] = {{"ns", EXPR_TIME, 1}, {"us", EXPR_TIME, 1e3}, {"ms", EXPR_TIME, 1e6},
		{"s", EXPR_TIME, 1e9}, {"%", EXPR_PERCENT, 1}, {"", EXPR_NUMBER, 1}};
	const char *start = r->p;
	char *end;
	size_t n = 0;

	o->number = strtod(r->p, &end);
	if (end == r->p || !isfinite(o->number))
		return fail_at(r, start, "a number is expected");
	while (isalpha((unsigned char)end[n]) || end[n] == '%')
		n++;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strlen(units[i].unit) == n && !memcmp(units[i].unit, end, n)) {
			o->number *= units[i].scale;
			o->type = units[i].type;
			r->p = end + n;
			return 0;
		}
	}
	return fail_at(r, end, "unknown unit: ns, us, ms, s or %");
}

/* a number starts like one and is not the head of a word such as "7.2rc" in a label */
static bool starts_number(const char *p)
{
	if (*p == '-' || *p == '+' || *p == '.')
		p++;
	return isdigit((unsigned char)*p);
}

static int parse_operand(struct reader *r, struct operand *o)
{
	size_t n = 0;

	o->field = -1;
	skip_space(r);
	if (*r->p == '"' || *r->p == '\'')
		return parse_quoted(r, o);
	if (starts_number(r->p))
		return parse_number(r, o);
	while (word_char(r->p[n]))
		n++;
	if (!n)
		return fail_at(r, r->p, *r->p ? "a field, number or text is expected"
					      : "ends where a field, number or text is expected");
	o->field = find_field(r->e, r->p, n);
	if (o->field >= 0) {
		o->type = r->e->fields[o->field].type;
	} else {
		o->type = EXPR_TEXT;
		o->text = xcalloc(n + 1, 1);
		memcpy(o->text, r->p, n);
	}
	r->p += n;
	return 0;
}

/* makes a literal fit the field beside it; returns what is wrong, or NULL */
static const char *adapt(const struct operand *field, struct operand *lit)
{
	if (lit->field >= 0 || field->field < 0)
		return NULL;
	if ((field->type == EXPR_TEXT) != (lit->type == EXPR_TEXT))
		return field->type == EXPR_TEXT ? "a text is expected (put it in quotes)"
						: "a number is expected";
	if (field->type == EXPR_TIME && lit->type == EXPR_NUMBER && lit->number)
		return "a time needs its unit: ns, us, ms or s";
	if (field->type == EXPR_TIME && lit->type == EXPR_PERCENT)
		return "a time is expected";
	if (field->type != EXPR_TIME && lit->type == EXPR_TIME)
		return "this field is no time";
	if (field->type == EXPR_NUMBER && lit->type == EXPR_PERCENT)
		return "this field is no share";
	if (field->type == EXPR_RATIO && lit->type == EXPR_PERCENT)
		lit->number /= 100;
	return NULL;
}

static int parse_op(struct reader *r, enum op *op)
{
	static const struct {
		const char *text;
		enum op op;
	} ops[] = {{"==", OP_EQ}, {"!=", OP_NE}, {"<=", OP_LE}, {">=", OP_GE}, {"<", OP_LT},
		{">", OP_GT}, {"!~", OP_NO_MATCH}, {"=~", OP_MATCH}, {"~", OP_MATCH}};

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (accept(r, ops[i].text)) {
			*op = ops[i].op;
			return 1;
		}
	}
	return 0;
}

/*
 * What makes the libc's compiler or matcher take time or memory without limit: a bound such as
 * {1,30000}, each + (it doubles what stands before it), references back to a group.
 */
static bool is_costly(const char *regex)
{
	size_t pluses = 0;

	for (const char *p = regex; *p; p++) {
		pluses += *p == '+';
		if (*p == '{' || (*p == '\\' && p[1] >= '1' && p[1] <= '9'))
			return true;
	}
	return pluses > 6 || strlen(regex) > 256;
}

static int compile_regex(struct reader *r, struct node *n, const char *at)
{
	char why[120];
	int ret;

	if (n->b.field >= 0 || n->b.type != EXPR_TEXT || n->a.type != EXPR_TEXT)
		return fail_at(r, at, "~ takes a text field and a regular expression");
	if (is_costly(n->b.text))
		return fail_at(r, at, "regular expression too costly: at most 256 characters and six +, no "
			"{bound}, no \\1");
	ret = regcomp(&n->regex, n->b.text, REG_EXTENDED | REG_NOSUB);
	if (ret) {
		regerror(ret, &n->regex, why, sizeof(why));
		return fail_at(r, at, why);
	}
	n->have_regex = true;
	return 0;
}

static int check_test(struct reader *r, struct node *n, const char *left_at, const char *right_at)
{
	const char *what;

	if (n->a.field < 0 && n->b.field < 0)
		return fail_at(r, left_at, "no such field");
	what = adapt(&n->a, &n->b);
	if (what)
		return fail_at(r, right_at, what);
	what = adapt(&n->b, &n->a);
	if (what)
		return fail_at(r, left_at, what);
	if ((n->a.type == EXPR_TEXT) != (n->b.type == EXPR_TEXT))
		return fail_at(r, right_at, "a text and a number do not compare");
	if (n->a.type == EXPR_TEXT && n->op >= OP_LT && n->op <= OP_GE)
		return fail_at(r, right_at, "texts compare with == != ~ !~ only");
	if (n->op == OP_MATCH || n->op == OP_NO_MATCH)
		return compile_regex(r, n, right_at);
	return 0;
}

static int parse_test(struct reader *r)
{
	const char *left_at, *right_at;
	struct operand a = {.field = -1}, b = {.field = -1};
	enum op op = OP_TRUE;
	int id, ret;

	skip_space(r);
	left_at = r->p;
	/* the node takes the operands at once, so that an error cannot leak their text */
	id = add_node(r, OP_TRUE);
	if (id < 0)
		return id;
	ret = parse_operand(r, &a);
	r->e->node[id].a = a;
	if (ret)
		return ret;
	skip_space(r);
	if (!parse_op(r, &op)) {
		if (a.field < 0)
			return fail_at(r, left_at, "no such field");
		return id;
	}
	skip_space(r);
	right_at = r->p;
	ret = parse_operand(r, &b);
	r->e->node[id].op = op;
	r->e->node[id].b = b;
	if (!ret)
		ret = check_test(r, &r->e->node[id], left_at, right_at);
	return ret ? ret : id;
}

static int parse_not(struct reader *r)
{
	int id = -1, inner;

	skip_space(r);
	if (++r->depth > DEPTH_MAX)
		return fail_at(r, r->p, "nested too deeply");
	if (*r->p == '!' && r->p[1] != '=' && r->p[1] != '~') {
		r->p++;
		id = add_node(r, OP_NOT);
		inner = id < 0 ? id : parse_not(r);
		if (inner < 0)
			return inner;
		r->e->node[id].left = inner;
	} else if (accept(r, "(")) {
		id = parse_or(r);
		if (id >= 0 && !accept(r, ")"))
			return fail_at(r, r->p, "a ) is missing");
	} else {
		id = parse_test(r);
	}
	r->depth--;
	return id;
}

static int parse_chain(struct reader *r, enum op op, const char *token, int (*next)(struct reader *))
{
	int left = next(r), right, id;

	while (left >= 0 && accept(r, token)) {
		right = next(r);
		if (right < 0)
			return right;
		id = add_node(r, op);
		if (id < 0)
			return id;
		r->e->node[id].left = left;
		r->e->node[id].right = right;
		left = id;
	}
	return left;
}

static int parse_and(struct reader *r)
{
	return parse_chain(r, OP_AND, "&&", parse_not);
}

static int parse_or(struct reader *r)
{
	return parse_chain(r, OP_OR, "||", parse_and);
}

struct expr *expr_compile(const char *text, const struct expr_field *fields, size_t nfields,
	size_t *column, struct error *err)
{
	struct expr *e = xcalloc(1, sizeof(*e));
	struct reader r = {.text = text, .p = text, .e = e, .column = column, .err = err};

	e->fields = fields;
	e->nfields = nfields;
	e->root = parse_or(&r);
	skip_space(&r);
	if (e->root >= 0 && *r.p)
		e->root = fail_at(&r, r.p, "&& or || is expected");
	if (e->root >= 0)
		return e;
	expr_free(e);
	return NULL;
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->n; i++) {
		free(e->node[i].a.text);
		free(e->node[i].b.text);
		if (e->node[i].have_regex)
			regfree(&e->node[i].regex);
	}
	free(e->node);
	free(e);
}

static struct expr_value operand_value(const struct operand *o, expr_read read, void *ctx)
{
	if (o->field >= 0)
		return read(ctx, o->field);
	return o->text ? expr_text(o->text) : expr_number(o->number);
}

static bool compare(const struct node *n, struct expr_value a, struct expr_value b)
{
	bool text = n->a.type == EXPR_TEXT;

	switch (n->op) {
	case OP_EQ:
		return text ? !strcmp(a.text, b.text) : a.number == b.number;
	case OP_NE:
		return text ? strcmp(a.text, b.text) != 0 : a.number != b.number;
	case OP_LT:
		return a.number < b.number;
	case OP_LE:
		return a.number <= b.number;
	case OP_GT:
		return a.number > b.number;
	case OP_GE:
		return a.number >= b.number;
	case OP_MATCH:
		return !regexec(&n->regex, a.text, 0, NULL, 0);
	default:
		return regexec(&n->regex, a.text, 0, NULL, 0) != 0;
	}
}

static bool node_holds(const struct expr *e, int id, expr_read read, void *ctx)
{
	const struct node *n = &e->node[id];
	struct expr_value a, b;

	switch (n->op) {
	case OP_OR:
		return node_holds(e, n->left, read, ctx) || node_holds(e, n->right, read, ctx);
	case OP_AND:
		return node_holds(e, n->left, read, ctx) && node_holds(e, n->right, read, ctx);
	case OP_NOT:
		return !node_holds(e, n->left, read, ctx);
	case OP_TRUE:
		a = read(ctx, n->a.field);
		return a.known && (n->a.type == EXPR_TEXT ? *a.text != '\0' : a.number != 0);
	default:
		a = operand_value(&n->a, read, ctx);
		b = operand_value(&n->b, read, ctx);
		if (!a.known || !b.known)
			return n->op == OP_NE || n->op == OP_NO_MATCH;
		return compare(n, a, b);
	}
}

bool expr_holds(const struct expr *e, expr_read read, void *ctx)
{
	return node_holds(e, e->root, read, ctx);
}

bool expr_uses(const struct expr *e, int field)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->node[i].a.field == field || e->node[i].b.field == field)
			return true;
	return false;
}
