// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/names.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t h)
{
	h ^= h >> 32;
	h *= 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 29;
}

static uint64_t hash_text(const char *text, size_t len)
{
	uint64_t h = len, word;

	for (; len >= 8; text += 8, len -= 8) {
		memcpy(&word, text, 8);
		h = mix(h ^ word);
	}
	word = 0;
	memcpy(&word, text, len);
	return mix(h ^ word) | 1;
}

static bool same(const struct name *n, const struct name *key)
{
	return n->address == key->address && n->type == key->type && n->len == key->len &&
	       !memcmp(n->text ? n->text : "", key->text ? key->text : "", n->len);
}

static uint32_t slot_of(const struct names *t, const struct name *key)
{
	uint32_t i = (uint32_t)mix(key->address) & (t->nbuckets - 1);

	while (t->bucket[i] && !same(&t->name[t->bucket[i] - 1], key))
		i = (i + 1) & (t->nbuckets - 1);
	return i;
}

static void rehash(struct names *t)
{
	t->nbuckets = t->nbuckets ? t->nbuckets * 2 : 64;
	free(t->bucket);
	t->bucket = xcalloc(t->nbuckets, sizeof(*t->bucket));
	for (uint32_t i = 0; i < t->n; i++)
		t->bucket[slot_of(t, &t->name[i])] = i + 1;
}

static uint32_t find_or_add(struct names *t, const struct name *key)
{
	struct name *n;
	uint32_t i;

	if (t->n * 2 >= t->nbuckets)
		rehash(t);
	i = slot_of(t, key);
	if (t->bucket[i])
		return t->bucket[i];
	GROW(t->name, t->n, t->cap);
	n = &t->name[t->n++];
	*n = *key;
	if (key->text) {
		n->text = xcalloc(key->len + 1, 1);
		memcpy(n->text, key->text, key->len);
	}
	return t->bucket[i] = t->n;
}

uint32_t names_text(struct names *t, const char *text, size_t len)
{
	struct name key = {.type = NAME_TEXT, .len = (uint32_t)len, .text = (char *)text};

	if (!len)
		return 0;
	key.address = hash_text(text, len);
	return find_or_add(t, &key);
}

uint32_t names_address(struct names *t, enum name_type type, uint64_t address)
{
	struct name key = {.type = type, .address = address};

	return address ? find_or_add(t, &key) : 0;
}

void names_free(struct names *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		free(t->name[i].text);
	free(t->name);
	free(t->bucket);
	memset(t, 0, sizeof(*t));
}
