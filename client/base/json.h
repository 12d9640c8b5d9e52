/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <json-c/json.h>

#include "cleanup.h"

/* json-c's objects hold what the service answered (bus-client-answer.h) and what is printed as JSON. A dictionary of
 * the bus is an object, an array or structure is an array, and integers keep all 64 bits. */

DEFINE_CLEANUP(json_object *, json_object_put);

/* A copy of s, of any bytes. json_print() replaces those that are no UTF-8 by U+FFFD. NULL without memory. */
json_object *json_new_string(const char *s);

/* One more reference to v, for the caller to put. */
json_object *json_ref(const json_object *v);

/* Take item over, also when they fail: -ENOMEM, or item was NULL. A key that is there already gets the new item. */
int json_append(json_object *array, json_object *item);
int json_set(json_object *object, const char *key, json_object *item);

/* Reads one value from text, which is valid UTF-8 or refused. *ret is the caller's to put. 0, -ENOMEM, -EBADMSG. */
int json_parse(const char *text, json_object **ret);

/* Lenient readers: v may be NULL or of another type than the caller expects, since an older or a newer service may send
 * less or more than this program knows. They then return NULL, "" or 0. */
size_t json_length(const json_object *v); /* items of an array or an object */
const json_object *json_at(const json_object *array, size_t i);
const json_object *json_get(const json_object *object, const char *key);
const char *json_string(const json_object *v);
uint64_t json_unsigned(const json_object *v); /* 0 also if v is negative; a boolean is 0 or 1 */

static inline const char *json_get_string(const json_object *object, const char *key) {
        return json_string(json_get(object, key));
}

static inline uint64_t json_get_unsigned(const json_object *object, const char *key) {
        return json_unsigned(json_get(object, key));
}

/* for (struct lh_entry *e = json_entries(object); e; e = lh_entry_next(e)): the entries in the order in which they were
 * added, with json_entry_key(e) and json_entry_value(e). NULL if it is no object. */
struct lh_entry *json_entries(const json_object *object);

static inline const char *json_entry_key(const struct lh_entry *e) {
        return lh_entry_k(e);
}

static inline const json_object *json_entry_value(const struct lh_entry *e) {
        return lh_entry_v(e);
}

/* One line of text, as systemctl show writes properties: yes and no, items separated by blanks. A new string, or NULL
 * without memory. */
char *json_format(const json_object *v);

typedef enum JsonMode {
        JSON_OFF,
        JSON_SHORT,  /* one line */
        JSON_PRETTY, /* indented, for people */
        _JSON_MODE_MAX,
        _JSON_MODE_INVALID = -EINVAL,
} JsonMode;

const char *json_mode_to_string(JsonMode mode);
JsonMode json_mode_from_string(const char *s);

/* Prints v and a newline on standard output, with all of utf8_is_control() in strings escaped. 0 or a negative errno. */
int json_print(const json_object *v, JsonMode mode);

/* The same of an array of arrays, as an array of objects: keys, ended by NULL, name the items of each row. */
int json_print_rows(const json_object *rows, const char *const *keys, JsonMode mode);
