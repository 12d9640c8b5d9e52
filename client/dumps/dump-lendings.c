/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The service sends them as structures, a file has them as text. Either may be anybody's words: the list of lib/words makes them
 * lines. */

#include "dump-lendings.h"

#include <inttypes.h>

#include <perf-recorder/dump-facts.h>

#include "file-facts.h"
#include "format-text.h"

int dump_lendings_read(int fd, json_object **ret) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        _cleanup_(lendings_done) Lendings l = {};
        char text[LENDINGS_TEXT_MAX + 1];
        ssize_t n = file_fact_get(fd, PR_DUMP_XATTR_LENT, text, sizeof(text) - 1);
        int r = rows ? 0 : -ENOMEM;

        if (n < 0)
                return -ENODATA;
        text[n] = '\0';
        if (r >= 0)
                r = lendings_parse(text, &l);
        for (size_t i = 0; r >= 0 && i < l.n; i++) {
                _cleanup_(json_object_putp) json_object *row = json_object_new_array();

                r = row ? json_append(row, json_object_new_uint64(l.all[i].first)) : -ENOMEM;
                if (r >= 0)
                        r = json_append(row, json_object_new_uint64(l.all[i].last));
                if (r >= 0)
                        r = json_append(row, json_new_string(counter_kind_to_string(l.all[i].kind)));
                if (r >= 0)
                        r = json_append(row, json_new_string(l.all[i].who));
                if (r >= 0)
                        r = json_append(rows, steal_ptr(row));
        }
        if (r < 0)
                return r == -ENOMEM ? r : -ENODATA;
        *ret = steal_ptr(rows);
        return 0;
}

int dump_lendings_add(const json_object *rows, Lendings *l) {
        for (size_t i = 0; i < json_length(rows); i++) {
                const json_object *row = json_at(rows, i);
                _cleanup_(lendings_done) Lendings one = {};
                _cleanup_free_ char *text = format_text("%" PRIu64 " %" PRIu64 " %s %s", json_unsigned(json_at(row, 0)),
                                                        json_unsigned(json_at(row, 1)), json_string(json_at(row, 2)),
                                                        json_string(json_at(row, 3)));

                if (!text)
                        return -ENOMEM;
                if (lendings_parse(text, &one) >= 0 && lendings_merge(l, &one) < 0)
                        return -ENOMEM;
        }
        return 0;
}

int dump_lendings_to_json(const json_object *rows, json_object **ret) {
        static const char *const keys[] = { "first_usec", "last_usec", "what", "who" };
        _cleanup_(json_object_putp) json_object *all = json_object_new_array();
        int r = all ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < json_length(rows); i++) {
                const json_object *row = json_at(rows, i);
                _cleanup_(json_object_putp) json_object *object = json_object_new_object();

                r = object ? 0 : -ENOMEM;
                for (size_t k = 0; r >= 0 && k < ELEMENTSOF(keys); k++)
                        if (k != 1 || json_unsigned(json_at(row, k)) > 0) /* it was not over */
                                r = json_set(object, keys[k], json_ref(json_at(row, k)));
                if (r >= 0)
                        r = json_append(all, steal_ptr(object));
        }
        if (r < 0)
                return r;
        *ret = steal_ptr(all);
        return 0;
}
