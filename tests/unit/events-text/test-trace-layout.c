/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A made format, and raw data that are cut at every byte. */

#include "perfdata-test.h"
#include "trace-layout.h"

#define LINE(type, offset, size, is_signed) "\tfield:" type ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #is_signed ";\n"

static const char format[] =
        "name: event\nID: 7\nformat:\n" LINE("unsigned short common_type", 0, 2, 0) "\n"
        LINE("char comm[8]", 8, 8, 0) LINE("int number", 16, 4, 1) LINE("__data_loc char[] text", 20, 4, 0)
        LINE("unsigned long args[2]", 24, 16, 0) LINE("void * place", 24, 8, 0) LINE("s16 small", 16, 2, 1)
        LINE("unsigned long mask", 32, 8, 0) LINE("u32 count", 16, 4, 0) LINE("int far", 70000, 4, 1) LINE("int ;", 4, 4, 1)
        "\tfield:nothing\n\nprint fmt: \"%s\", REC->comm\n";

static const struct __attribute__((packed)) {
        char head[8], comm[8];
        int32_t number;
        uint32_t text;
        uint64_t args[2];
        char data[6];
} raw = { .comm = "de\nmo", .number = -5, .text = 6u << 16 | 40, .args = { 0x1f, 3 }, .data = "hello" };

static ByteBuffer make(void) {
        ByteBuffer b = {};

        byte_buffer_put(&b, "\27\10Dtracing", 10);
        byte_buffer_put(&b, "0.6\0\0\10\0\20\0\0", 10);
        byte_buffer_put(&b, "header_page\0\0\0\0\0\0\0\0\0", 20);
        byte_buffer_put(&b, "header_event\0\0\0\0\0\0\0\0\0", 21);
        byte_buffer_put_u32(&b, 0);
        byte_buffer_put_u32(&b, 1);
        byte_buffer_put(&b, "system", 7);
        byte_buffer_put_u32(&b, 1);
        byte_buffer_put_u64(&b, strlen(format));
        byte_buffer_put(&b, format, strlen(format));
        return b;
}

static void expect(const TraceLayout *layout, const char *name, size_t size, const char *expected) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        const TraceLayoutField *f = trace_layout_find(layout, name);

        ck_assert_msg(f, "%s", name);
        trace_field_put(f, &raw, size, &out);
        text_buffer_putc(&out, '\0');
        ck_assert_str_eq(out.data, expected);
}

START_TEST(values) {
        _cleanup_(byte_buffer_done) ByteBuffer data = make();
        _cleanup_(trace_layout_done) TraceLayout layout = {};

        ck_assert_ok(trace_layout_init(&layout, data.data, data.size, 7));
        ck_assert_uint_eq(layout.n, 9);
        ck_assert(layout.fields[0].common && !layout.fields[1].common);
        ck_assert_ptr_null(trace_layout_find(&layout, "far"));
        expect(&layout, "comm", sizeof(raw), "de?mo");
        expect(&layout, "number", sizeof(raw), "-5");
        expect(&layout, "count", sizeof(raw), "4294967291");
        expect(&layout, "small", sizeof(raw), "-5");
        expect(&layout, "text", sizeof(raw), "hello");
        expect(&layout, "place", sizeof(raw), "0x1f");
        expect(&layout, "mask", sizeof(raw), "0x3");
        expect(&layout, "args", sizeof(raw), "ARRAY[1f, 00, 00, 00, 00, 00, 00, 00, 03, 00, 00, 00, 00, 00, 00, 00]");
        expect(&layout, "text", sizeof(raw) - 1, ""); /* it ends behind the data */
        expect(&layout, "number", 19, "");
        expect(&layout, "number", 20, "-5");
        expect(&layout, "comm", 0, "");
}
END_TEST

START_TEST(nothing) {
        _cleanup_(byte_buffer_done) ByteBuffer data = make();

        for (size_t size = 0; size <= data.size; size++) {
                _cleanup_(trace_layout_done) TraceLayout layout = {};

                ck_assert_int_eq(trace_layout_init(&layout, data.data, size, 7), size < data.size ? -ENOENT : 0);
        }
        for (size_t size = 0; size <= data.size; size += data.size) {
                _cleanup_(trace_layout_done) TraceLayout layout = {};

                ck_assert_int_eq(trace_layout_init(&layout, data.data, size, 8), -ENOENT);
        }
}
END_TEST

TEST_RUN("trace-layout", values, nothing);
