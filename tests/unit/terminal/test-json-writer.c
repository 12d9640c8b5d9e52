/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Commas, indentation, and the greatest numbers. */

#include <math.h>

#include "json-writer.h"
#include "perfdata-test.h"

static char *written(bool pretty) {
        TextBuffer out = {};
        JsonWriter w = { .out = &out, .pretty = pretty };

        json_writer_begin(&w, NULL, '{');
        json_writer_begin(&w, "none", '[');
        json_writer_end(&w, ']');
        json_writer_begin(&w, "list", '[');
        json_writer_number(&w, NULL, UINT64_MAX);
        json_writer_signed(&w, NULL, INT64_MIN);
        json_writer_percent(&w, NULL, NAN);
        json_writer_end(&w, ']');
        json_writer_address(&w, "at", 0x4010);
        json_writer_text(&w, "name", "a\"b");
        json_writer_end(&w, '}');
        text_buffer_putc(&out, '\0');
        ck_assert_int_eq(out.error, 0);
        return out.data;
}

START_TEST(one_line) {
        _cleanup_free_ char *text = written(false);

        ck_assert_str_eq(text, "{\"none\":[],\"list\":[18446744073709551615,-9223372036854775808,0.000000],\"at\":\"0x4010\","
                               "\"name\":\"a\\\"b\"}");
}
END_TEST

START_TEST(indented) {
        _cleanup_free_ char *text = written(true);

        ck_assert_str_eq(text, "{\n  \"none\":[],\n  \"list\":[\n    18446744073709551615,\n    -9223372036854775808,\n    0.000000\n  ],\n"
                               "  \"at\":\"0x4010\",\n  \"name\":\"a\\\"b\"\n}");
}
END_TEST

TEST_RUN("json-writer", one_line, indented);
