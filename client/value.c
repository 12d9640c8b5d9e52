/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tree that answers of the service are read into, so that neither verbs nor output know of bus messages. A value
 * owns what is below it. Readers are lenient: what is missing, or of another kind, reads as nothing ("" or 0), since a
 * newer or older service may send more or less than this program knows. */

#include "value.h"

#include <fcntl.h>
#include <inttypes.h>

#include "strv.h"

struct Value {
        ValueKind kind;
        union {
                bool boolean;
                int64_t signed_number;
                uint64_t unsigned_number;
                double real;
                char *string;
                int descriptor;
                struct {
                        Value **items;
                        char **keys; /* objects only */
                        size_t n;
                };
        };
};

static Value *value_new(ValueKind kind) {
        Value *v = calloc(1, sizeof(*v));

        if (v)
                v->kind = kind;
        return v;
}

Value *value_new_boolean(bool b) {
        Value *v = value_new(VALUE_BOOLEAN);

        if (v)
                v->boolean = b;
        return v;
}

Value *value_new_signed(int64_t n) {
        Value *v = value_new(VALUE_SIGNED);

        if (v)
                v->signed_number = n;
        return v;
}

Value *value_new_unsigned(uint64_t n) {
        Value *v = value_new(VALUE_UNSIGNED);

        if (v)
                v->unsigned_number = n;
        return v;
}

Value *value_new_double(double d) {
        Value *v = value_new(VALUE_DOUBLE);

        if (v)
                v->real = d;
        return v;
}

Value *value_new_string(const char *s) {
        _cleanup_(value_freep) Value *v = value_new(VALUE_STRING);

        if (!v)
                return NULL;
        v->string = strdup(s);
        if (!v->string)
                return NULL;
        return steal_ptr(v);
}

Value *value_new_descriptor(int fd) {
        Value *v = value_new(VALUE_DESCRIPTOR);

        if (!v)
                return NULL;
        v->descriptor = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        return v->descriptor < 0 ? value_free(v) : v;
}

Value *value_new_array(void) {
        return value_new(VALUE_ARRAY);
}

Value *value_new_object(void) {
        return value_new(VALUE_OBJECT);
}

static bool is_container(const Value *v) {
        return v && (v->kind == VALUE_ARRAY || v->kind == VALUE_OBJECT);
}

Value *value_free(Value *v) {
        if (!v)
                return NULL;
        if (v->kind == VALUE_STRING)
                free(v->string);
        if (v->kind == VALUE_DESCRIPTOR)
                safe_close(v->descriptor);
        if (is_container(v)) {
                for (size_t i = 0; i < v->n; i++) {
                        value_free(v->items[i]);
                        if (v->keys)
                                free(v->keys[i]);
                }
                free(v->items);
                free(v->keys);
        }
        free(v);
        return NULL;
}

/* The array with room for one more: it doubles at powers of two, so that no capacity needs to be kept. NULL without
 * memory; the array is then as it was. */
static void *make_room(void *array, size_t n) {
        return n & (n - 1) ? array : reallocarray(array, n > 0 ? n * 2 : 1, sizeof(void *));
}

static int add_item(Value *v, Value **item) {
        Value **items = make_room(v->items, v->n);

        if (!items)
                return -ENOMEM;
        v->items = items;
        v->items[v->n++] = steal_ptr(*item);
        return 0;
}

int value_append(Value *array, Value *item) {
        _cleanup_(value_freep) Value *owned = item;

        return item ? add_item(array, &owned) : -ENOMEM;
}

int value_set(Value *object, const char *key, Value *item) {
        _cleanup_(value_freep) Value *owned = item;
        _cleanup_free_ char *copy = NULL;
        char **keys;

        if (!item)
                return -ENOMEM;
        for (size_t i = 0; i < object->n; i++)
                if (streq(object->keys[i], key)) {
                        value_free(object->items[i]);
                        object->items[i] = steal_ptr(owned);
                        return 0;
                }
        copy = strdup(key);
        keys = copy ? make_room(object->keys, object->n) : NULL;
        if (!keys)
                return -ENOMEM;
        object->keys = keys;
        if (add_item(object, &owned) < 0)
                return -ENOMEM;
        object->keys[object->n - 1] = steal_ptr(copy);
        return 0;
}

/* A container without its items. */
static Value *copy_flat(const Value *v) {
        switch (v->kind) {
        case VALUE_BOOLEAN:
                return value_new_boolean(v->boolean);
        case VALUE_SIGNED:
                return value_new_signed(v->signed_number);
        case VALUE_UNSIGNED:
                return value_new_unsigned(v->unsigned_number);
        case VALUE_DOUBLE:
                return value_new_double(v->real);
        case VALUE_STRING:
                return value_new_string(v->string);
        case VALUE_DESCRIPTOR:
                return value_new_descriptor(v->descriptor);
        case VALUE_ARRAY:
        case VALUE_OBJECT:
                return value_new(v->kind);
        }
        return NULL;
}

Value *value_copy(const Value *v) {
        _cleanup_(value_freep) Value *copy = copy_flat(v);

        if (!copy)
                return NULL;
        for (size_t i = 0; i < value_length(v); i++) {
                Value *item = value_copy(v->items[i]);

                if ((v->keys ? value_set(copy, v->keys[i], item) : value_append(copy, item)) < 0)
                        return NULL;
        }
        return steal_ptr(copy);
}

int value_name_rows(const Value *rows, const char *const *keys, Value **ret) {
        _cleanup_(value_freep) Value *named = value_new_array();

        if (!named)
                return -ENOMEM;
        for (size_t i = 0; i < value_length(rows); i++) {
                const Value *row = rows->items[i];
                Value *object = value_new_object();
                int r = value_append(named, object);

                for (size_t k = 0; r >= 0 && keys[k] && k < value_length(row); k++)
                        r = value_set(object, keys[k], value_copy(row->items[k]));
                if (r < 0)
                        return r;
        }
        *ret = steal_ptr(named);
        return 0;
}

ValueKind value_kind(const Value *v) {
        return v->kind;
}

size_t value_length(const Value *v) {
        return is_container(v) ? v->n : 0;
}

const Value *value_at(const Value *v, size_t i) {
        return i < value_length(v) ? v->items[i] : NULL;
}

const char *value_key(const Value *object, size_t i) {
        return object && object->kind == VALUE_OBJECT && i < object->n ? object->keys[i] : NULL;
}

const Value *value_get(const Value *object, const char *key) {
        if (!object || object->kind != VALUE_OBJECT)
                return NULL;
        for (size_t i = 0; i < object->n; i++)
                if (streq(object->keys[i], key))
                        return object->items[i];
        return NULL;
}

const char *value_string(const Value *v) {
        return v && v->kind == VALUE_STRING ? v->string : "";
}

uint64_t value_unsigned(const Value *v) {
        if (!v)
                return 0;
        switch (v->kind) {
        case VALUE_BOOLEAN:
                return v->boolean;
        case VALUE_SIGNED:
                return v->signed_number > 0 ? (uint64_t) v->signed_number : 0;
        case VALUE_UNSIGNED:
                return v->unsigned_number;
        default:
                return 0;
        }
}

int64_t value_signed(const Value *v) {
        if (v && v->kind == VALUE_SIGNED)
                return v->signed_number;
        return (int64_t) MIN_OF(value_unsigned(v), (uint64_t) INT64_MAX);
}

double value_double(const Value *v) {
        return v && v->kind == VALUE_DOUBLE ? v->real : 0;
}

int value_descriptor(const Value *v) {
        int fd;

        if (!v || v->kind != VALUE_DESCRIPTOR)
                return -EBADF;
        fd = fcntl(v->descriptor, F_DUPFD_CLOEXEC, 3);
        return fd < 0 ? -errno : fd;
}

const char *value_get_string(const Value *object, const char *key) {
        return value_string(value_get(object, key));
}

uint64_t value_get_unsigned(const Value *object, const char *key) {
        return value_unsigned(value_get(object, key));
}

static char *format_container(const Value *v) {
        _cleanup_strv_free_ char **parts = NULL;

        for (size_t i = 0; i < v->n; i++) {
                _cleanup_free_ char *item = value_format(v->items[i]);

                if (!item)
                        return NULL;
                if (strv_extendf(&parts, "%s%s%s", v->keys ? v->keys[i] : "", v->keys ? "=" : "", item) < 0)
                        return NULL;
        }
        return strv_join(parts, " ");
}

char *value_format(const Value *v) {
        char *s = NULL;
        int n = 0;

        switch (v->kind) {
        case VALUE_BOOLEAN:
                return strdup(v->boolean ? "yes" : "no");
        case VALUE_SIGNED:
                n = asprintf(&s, "%" PRIi64, v->signed_number);
                break;
        case VALUE_UNSIGNED:
                n = asprintf(&s, "%" PRIu64, v->unsigned_number);
                break;
        case VALUE_DOUBLE:
                n = asprintf(&s, "%g", v->real);
                break;
        case VALUE_STRING:
                return strdup(v->string);
        case VALUE_DESCRIPTOR:
                n = asprintf(&s, "%i", v->descriptor);
                break;
        case VALUE_ARRAY:
        case VALUE_OBJECT:
                return format_container(v);
        }
        return n < 0 ? NULL : s;
}
