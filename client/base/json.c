/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lenient reading, building and printing of json-c's objects. Strings hold the bytes that they were made of, so that a
 * path can be opened whatever its name; only what is printed must be UTF-8. */

#include "json.h"

#include <inttypes.h>

#include "format-text.h"
#include "strv.h"
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

/* A serializer of json-c: a negative answer stands for want of memory. */
static int json_print_as_utf8(json_object *v, struct printbuf *buffer, int level, int flags) {
        _cleanup_free_ char *text = utf8_text(json_string(v), SIZE_MAX, SIZE_MAX);
        _cleanup_(json_object_putp) json_object *clean = text ? json_object_new_string(text) : NULL;
        const char *quoted = clean ? json_object_to_json_string_ext(clean, flags) : NULL;

        return quoted ? printbuf_memappend(buffer, quoted, (int) strlen(quoted)) : -1;
}

json_object *json_new_string(const char *s) {
        json_object *v = json_object_new_string(s);

        if (v)
                json_object_set_serializer(v, json_print_as_utf8, NULL, NULL);
        return v;
}

json_object *json_ref(const json_object *v) {
        return json_object_get((json_object *) v);
}

int json_append(json_object *array, json_object *item) {
        if (item && json_object_array_add(array, item) >= 0)
                return 0;
        json_object_put(item);
        return -ENOMEM;
}

int json_set(json_object *object, const char *key, json_object *item) {
        if (item && json_object_object_add(object, key, item) >= 0)
                return 0;
        json_object_put(item);
        return -ENOMEM;
}

int json_parse(const char *text, json_object **ret) {
        json_tokener *tokener = json_tokener_new();
        json_object *v;
        bool whole;

        if (!tokener)
                return -ENOMEM;
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
        v = json_tokener_parse_ex(tokener, text, -1);
        whole = json_tokener_get_error(tokener) == json_tokener_success;
        json_tokener_free(tokener);
        if (whole && v) {
                *ret = v;
                return 0;
        }
        json_object_put(v);
        return -EBADMSG;
}

size_t json_length(const json_object *v) {
        switch (json_object_get_type(v)) {
        case json_type_array:
                return json_object_array_length(v);
        case json_type_object:
                return (size_t) json_object_object_length(v);
        default:
                return 0;
        }
}

const json_object *json_at(const json_object *array, size_t i) {
        return json_object_is_type(array, json_type_array) ? json_object_array_get_idx(array, i) : NULL;
}

const json_object *json_get(const json_object *object, const char *key) {
        return json_object_is_type(object, json_type_object) ? json_object_object_get(object, key) : NULL;
}

/* json-c's own reader returns the JSON of what is no string. */
const char *json_string(const json_object *v) {
        return json_object_is_type(v, json_type_string) ? json_object_get_string((json_object *) v) : "";
}

/* json-c's own reader converts strings and fractions. */
uint64_t json_unsigned(const json_object *v) {
        if (json_object_is_type(v, json_type_boolean))
                return (uint64_t) json_object_get_boolean(v);
        return json_object_is_type(v, json_type_int) ? json_object_get_uint64(v) : 0;
}

struct lh_entry *json_entries(const json_object *object) {
        return json_object_is_type(object, json_type_object) ? lh_table_head(json_object_get_object(object)) : NULL;
}

static char *json_format_entries(const json_object *v) {
        _cleanup_strv_free_ char **parts = NULL;

        for (struct lh_entry *e = json_entries(v); e; e = lh_entry_next(e)) {
                _cleanup_free_ char *item = json_format(json_entry_value(e));

                if (!item || strv_extendf(&parts, "%s=%s", json_entry_key(e), item) < 0)
                        return NULL;
        }
        return strv_join(parts, " ");
}

char *json_format(const json_object *v) {
        _cleanup_strv_free_ char **parts = NULL;

        switch (json_object_get_type(v)) {
        case json_type_boolean:
                return strdup(json_object_get_boolean(v) ? "yes" : "no");
        case json_type_int:
                if (json_object_get_int64(v) < 0)
                        return format_text("%" PRIi64, json_object_get_int64(v));
                return format_text("%" PRIu64, json_object_get_uint64(v));
        case json_type_double:
                return format_text("%g", json_object_get_double(v));
        case json_type_array:
                for (size_t i = 0; i < json_length(v); i++)
                        if (strv_consume(&parts, json_format(json_at(v, i))) < 0)
                                return NULL;
                return strv_join(parts, " ");
        case json_type_object:
                return json_format_entries(v);
        case json_type_string:
        case json_type_null:
        default:
                return strdup(json_string(v));
        }
}

/* json-c escapes no control characters above C0, which a terminal may interpret too. Only strings contain them. */
static void json_put(const char *text) {
        while (*text) {
                uint32_t c = 0;
                size_t n = MAX_OF(utf8_decode(text, SIZE_MAX, &c), (size_t) 1);

                if (c >= 0x7f && utf8_is_control(c))
                        (void) printf("\\u%04x", c);
                else
                        (void) fwrite(text, 1, n, stdout);
                text += n;
        }
        (void) putchar('\n');
}

int json_print(const json_object *v, JsonMode mode) {
        int flags = JSON_C_TO_STRING_NOSLASHESCAPE | (mode == JSON_PRETTY ? JSON_C_TO_STRING_PRETTY : 0);
        const char *text = json_object_to_json_string_ext((json_object *) v, flags);

        if (!text)
                return -ENOMEM;
        json_put(text);
        return ferror(stdout) ? -EIO : 0;
}

int json_print_rows(const json_object *rows, const char *const *keys, JsonMode mode) {
        _cleanup_(json_object_putp) json_object *named = json_object_new_array();

        if (!named)
                return -ENOMEM;
        for (size_t i = 0; i < json_length(rows); i++) {
                const json_object *row = json_at(rows, i);
                json_object *object = json_object_new_object();
                int r = json_append(named, object);

                for (size_t k = 0; r >= 0 && keys[k] && k < json_length(row); k++)
                        r = json_set(object, keys[k], json_ref(json_at(row, k)));
                if (r < 0)
                        return r;
        }
        return json_print(named, mode);
}
