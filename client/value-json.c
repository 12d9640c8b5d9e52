/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON from values, by json-c. Numbers stay numbers, 64-bit ones too; D-Bus strings are UTF-8 already. This is the
 * only file that knows json-c. */

#include "value-json.h"

#include <json-c/json.h>

#include "utf8.h"

static const char *const json_mode_table[_JSON_MODE_MAX] = {
        [JSON_OFF] = "off",
        [JSON_SHORT] = "short",
        [JSON_PRETTY] = "pretty",
};

const char *json_mode_to_string(JsonMode mode) {
        return mode >= 0 && mode < _JSON_MODE_MAX ? json_mode_table[mode] : NULL;
}

JsonMode json_mode_from_string(const char *s) {
        for (JsonMode i = 0; i < _JSON_MODE_MAX; i++)
                if (streq(json_mode_table[i], s))
                        return i;
        return _JSON_MODE_INVALID;
}

static void json_put(struct json_object **p) {
        if (*p)
                json_object_put(*p);
}

static struct json_object *json_from_value(const Value *v);

/* Fills the container; false without memory. */
static bool json_fill(struct json_object *to, const Value *v) {
        for (size_t i = 0; i < value_length(v); i++) {
                struct json_object *item = json_from_value(value_at(v, i));
                const char *key = value_key(v, i);

                if (!item)
                        return false;
                if ((key ? json_object_object_add(to, key, item) : json_object_array_add(to, item)) < 0) {
                        json_object_put(item);
                        return false;
                }
        }
        return true;
}

static struct json_object *json_from_value(const Value *v) {
        __attribute__((cleanup(json_put))) struct json_object *container = NULL;
        _cleanup_free_ char *text = NULL;

        switch (value_kind(v)) {
        case VALUE_BOOLEAN:
                return json_object_new_boolean(value_unsigned(v) != 0);
        case VALUE_SIGNED:
                return json_object_new_int64(value_signed(v));
        case VALUE_UNSIGNED:
                return json_object_new_uint64(value_unsigned(v));
        case VALUE_DOUBLE:
                return json_object_new_double(value_double(v));
        case VALUE_STRING:
                text = utf8_text(value_string(v), SIZE_MAX, SIZE_MAX);
                return text ? json_object_new_string(text) : NULL;
        case VALUE_DESCRIPTOR: /* means nothing to another process */
                return json_object_new_boolean(true);
        case VALUE_ARRAY:
                container = json_object_new_array();
                break;
        case VALUE_OBJECT:
                container = json_object_new_object();
                break;
        }
        if (!container || !json_fill(container, v))
                return NULL;
        return steal_ptr(container);
}

int value_to_json(const Value *v, JsonMode mode, char **ret) {
        __attribute__((cleanup(json_put))) struct json_object *object = json_from_value(v);
        const char *text;
        char *copy;

        if (!object)
                return -ENOMEM;
        text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE |
                                                      (mode == JSON_PRETTY ? JSON_C_TO_STRING_PRETTY : 0));
        copy = text ? strdup(text) : NULL;
        if (!copy)
                return -ENOMEM;
        *ret = copy;
        return 0;
}

int value_print_json(const Value *v, JsonMode mode) {
        _cleanup_free_ char *text = NULL;
        int r = value_to_json(v, mode, &text);

        if (r < 0)
                return r;
        return puts(text) < 0 ? -errno : 0;
}

int value_print_rows_json(const Value *rows, const char *const *keys, JsonMode mode) {
        _cleanup_(value_freep) Value *named = NULL;
        int r = value_name_rows(rows, keys, &named);

        return r < 0 ? r : value_print_json(named, mode);
}
