/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Raw data of a made format: fields that are 0 are left out of lines, and not of JSON; texts cannot control a terminal. */

#include "call-event.h"

#include "check-main.h"

#define LINE(type, offset, size, is_signed) "\tfield:" type ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #is_signed ";\n"

static const char format[] =
        "name: event\nID: 7\nformat:\n" LINE("unsigned short common_type", 0, 2, 0) "\n"
        LINE("char comm[8]", 8, 8, 0) LINE("pid_t pid", 16, 4, 1) LINE("__data_loc char[] file", 20, 4, 0)
        LINE("void * call_site", 24, 8, 0) LINE("unsigned long function", 24, 8, 0) LINE("s16 small", 32, 2, 1)
        LINE("u8 nothing", 34, 1, 0) LINE("unsigned int values[2]", 24, 8, 0) LINE("long none", 36, 8, 1)
        LINE("int far", 70, 4, 1) "\nprint fmt: \"\"\n";

static const struct __attribute__((packed)) {
        char head[8], comm[8];
        int32_t pid;
        uint32_t file;
        uint64_t address;
        int16_t small;
        uint8_t nothing, padding;
        int64_t none;
        char data[6];
} raw = { .comm = "we\033b", .pid = 9, .file = 6u << 16 | 44, .address = 0xffffffff81000000, .small = -3, .data = "a\xc3\xa9 b" };

static const char *name_of(void *userdata, uint32_t tid) {
        return tid == 9 ? userdata : NULL;
}

static void make(CallEvent *e) {
        *e = (CallEvent) { .name = strdup("system:event") };
        ck_assert_int_eq(trace_layout_parse(&e->layout, format, sizeof(format) - 1), 0);
}

START_TEST(test_text) {
        _cleanup_(call_event_done) CallEvent e = {};
        _cleanup_(text_buffer_done) TextBuffer b = {};

        make(&e);
        call_event_put(&b, &e, &raw, sizeof(raw), name_of, (void *) "web");
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, "comm: \"we?b\", pid: 9 (web), file: \"a\u00e9 b\", call_site: 0xffffffff81000000, "
                         "function: 0xffffffff81000000, small: -3, values: ARRAY[00, 00, 00, 81, ff, ff, ff, ff]");
        b.n = 0;
        call_event_put(&b, &e, &raw, 20, NULL, NULL); /* the data end there */
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, "comm: \"we?b\", pid: 9");
        b.n = 0;
        call_event_put(&b, &e, NULL, 0, NULL, NULL);
        ck_assert_uint_eq(b.n, 0);
}
END_TEST

START_TEST(test_places) {
        _cleanup_(text_buffer_done) TextBuffer b = {};

        call_place_put(&b, "mem\033set", "/usr/lib/libc.so.6", 0x32);
        ck_assert_str_eq(b.data, "mem?set+0x32");
        call_place_put(&b, NULL, "/usr/lib/libc.so.6", 0x1d4868);
        ck_assert_str_eq(b.data, "/usr/lib/libc.so.6@0x1d4868");
        call_place_put(&b, NULL, NULL, 0x7000);
        ck_assert_str_eq(b.data, "0x7000");
}
END_TEST

START_TEST(test_json) {
        _cleanup_(call_event_done) CallEvent e = {};
        _cleanup_(text_buffer_done) TextBuffer b = {};
        JsonWriter w = { .out = &b };

        make(&e);
        json_writer_begin(&w, NULL, '{');
        call_event_put_json(&w, &e, &raw, sizeof(raw));
        json_writer_end(&w, '}');
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, "{\"fields\":{\"comm\":\"we?b\",\"pid\":9,\"file\":\"a\u00e9 b\",\"call_site\":18446744071578845184,"
                         "\"function\":18446744071578845184,\"small\":-3,\"nothing\":0,\"none\":0}}");
}
END_TEST

CHECK_MAIN("call-event", test_text, test_places, test_json);
