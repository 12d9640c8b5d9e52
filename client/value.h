/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A tree of what the service answered, free of bus types: verbs read it, value-json.c prints it. */

typedef enum ValueKind {
        VALUE_BOOLEAN,
        VALUE_SIGNED,
        VALUE_UNSIGNED,
        VALUE_DOUBLE,
        VALUE_STRING,
        VALUE_DESCRIPTOR, /* owned */
        VALUE_ARRAY,  /* an array or a structure */
        VALUE_OBJECT, /* a dictionary with string keys, in the order it came */
} ValueKind;

typedef struct Value Value;

Value *value_new_boolean(bool b);
Value *value_new_signed(int64_t n);
Value *value_new_unsigned(uint64_t n);
Value *value_new_double(double d);
Value *value_new_string(const char *s); /* copied */
Value *value_new_descriptor(int fd);     /* takes a duplicate; NULL: none is to be had */
Value *value_new_array(void);
Value *value_new_object(void);
Value *value_copy(const Value *v); /* all that is below it too; a descriptor is duplicated */
Value *value_free(Value *v);
DEFINE_CLEANUP(Value *, value_free);

/* Take item over, also when they fail: -ENOMEM, or item was NULL. A key that is there already is replaced. */
int value_append(Value *array, Value *item);
int value_set(Value *object, const char *key, Value *item);

/* An array of arrays into an array of objects: keys, ended by NULL, name the items of each row. */
int value_name_rows(const Value *rows, const char *const *keys, Value **ret);

ValueKind value_kind(const Value *v);
size_t value_length(const Value *v); /* items of an array or object; 0 of anything else and of NULL */
const Value *value_at(const Value *v, size_t i);         /* the item, of an object too; NULL: none */
const char *value_key(const Value *object, size_t i);    /* NULL: none */
const Value *value_get(const Value *object, const char *key); /* NULL: none */

/* What is there, or what stands for nothing: "" and 0. v may be NULL. */
const char *value_string(const Value *v);
uint64_t value_unsigned(const Value *v); /* of any kind of number that is not negative, and of a boolean */
int64_t value_signed(const Value *v);
double value_double(const Value *v);
int value_descriptor(const Value *v); /* a duplicate, the caller's; -EBADF: none; what fcntl(2) answers */
const char *value_get_string(const Value *object, const char *key);
uint64_t value_get_unsigned(const Value *object, const char *key);

/* One line of text, as systemctl show writes properties: yes and no, items separated by blanks. A new string, or NULL
 * without memory. */
char *value_format(const Value *v);
