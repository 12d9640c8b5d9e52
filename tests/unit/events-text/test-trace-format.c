/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "trace-format.h"

#define FIELDS                                                            \
        "name: event\nID: 7\nformat:\n"                                   \
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
        "\n"                                                              \
        "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"          \
        "\tfield:int number;\toffset:16;\tsize:4;\tsigned:1;\n"           \
        "\tfield:__data_loc char[] text;\toffset:20;\tsize:4;\tsigned:0;\n" \
        "\tfield:unsigned long args[2];\toffset:24;\tsize:16;\tsigned:0;\n\nprint fmt: "

/* Makes the feature of one event with that format. */
static size_t make(char *to, size_t room, const char *print) {
        ByteBuffer b = {};
        char text[2048];
        size_t n = (size_t) snprintf(text, sizeof(text), "%s%s\n", FIELDS, print);

        byte_buffer_put(&b, "\27\10Dtracing", 10);
        byte_buffer_put(&b, "0.6\0\0\10\0\20\0\0", 10);
        byte_buffer_put(&b, "header_page\0\0\0\0\0\0\0\0\0", 20);
        byte_buffer_put(&b, "header_event\0\0\0\0\0\0\0\0\0", 21);
        byte_buffer_put_u32(&b, 0);
        byte_buffer_put_u32(&b, 1);
        byte_buffer_put(&b, "system", 7);
        byte_buffer_put_u32(&b, 1);
        byte_buffer_put_u64(&b, n);
        byte_buffer_put(&b, text, n);
        ck_assert_uint_le(b.size, room);
        memcpy(to, b.data, b.size);
        n = b.size;
        byte_buffer_done(&b);
        return n;
}

static const struct __attribute__((packed)) {
        char head[8], comm[8];
        int32_t number;
        uint32_t text;
        uint64_t args[2];
        char data[6];
} raw = { .comm = "demo", .number = -5, .text = 6u << 16 | 40, .args = { 0x1f, 3 }, .data = "hello" };

static void expect(const char *print, const char *expected) {
        _cleanup_(trace_format_freep) TraceFormat *f = NULL;
        _cleanup_(text_buffer_done) TextBuffer out = {};
        char data[4096];
        size_t n = make(data, sizeof(data), print);

        ck_assert_msg(trace_format_new(data, n, 7, &f) == 0, "%s", print);
        ck_assert(trace_format_print(f, &raw, sizeof(raw), &out));
        text_buffer_putc(&out, '\0');
        ck_assert_str_eq(out.data, expected);
        out.n = 0;
        ck_assert(!trace_format_print(f, &raw, 12, &out));
}

START_TEST(prints) {
        expect("\"comm=%s n=%d %s\", REC->comm, REC->number, __get_str(text)", "comm=demo n=-5 hello");
        expect("\"%lx %08lx %-8s|%5d\", REC->args[0], (unsigned long)REC->args[1], REC->comm, REC->number", "1f 00000003 demo    |   -5");
        expect("\"%s\", __print_flags(REC->args[0], \"|\", { 1, \"A\" }, { (1<<1), \"B\" }, { 0x4UL, \"C\" })", "A|B|C|0x18");
        expect("\"%s\", __print_symbolic(REC->args[1], { 0, \"none\" }, { 3, \"three\" })", "three");
        expect("\"%s\", __print_symbolic(REC->args[0], { 3, \"three\" })", "0x1f");
        expect("\"%s %u\", REC->args[1] & ((1 | 2) + 1) ? \"yes\" : \"no\", (REC->args[1] == 3 && !0) << 2", "no 4");
        expect("\"%u\", (u32)~REC->args[0]", "4294967264");
}
END_TEST

START_TEST(refused) {
        static const char *const bad[] = {
                "", "\"%p\", REC->args[0]", "\"%s\", REC->args[0]", "\"%d\", REC->comm", "\"%d\"", "\"%d\", REC->nothing", "\"%d\", REC->args[2]",
                "\"%d\", REC->number, REC->number", "\"%*d\", REC->number", "\"%100d\", REC->number", "\"%.999d\", REC->number", "\"%d\", __unknown(REC->number)", "\"%d\", -1", "\"%n\", REC->number",
                "\"%d\", ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1", "\"%d\", REC->number + \"x\"",
                "\"%s\", __print_symbolic(REC->number, { REC->number, \"x\" })", "\"\\x\"", "\"%d\", 1 ? \"a\" : 2",
        };
        char data[4096];

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                TraceFormat *f = NULL;
                size_t n = make(data, sizeof(data), bad[i]);

                ck_assert_msg(trace_format_new(data, n, 7, &f) == -EOPNOTSUPP, "%s", bad[i]);
        }
}
END_TEST

START_TEST(broken) {
        TraceFormat *f = NULL;
        char data[4096];
        size_t n = make(data, sizeof(data), "\"%d\", REC->number");

        ck_assert_int_eq(trace_format_new(data, n, 8, &f), -ENOENT);
        for (size_t i = 0; i < n; i++)
                ck_assert_int_lt(trace_format_new(data, i, 7, &f), 0);
        srandom(2);
        for (size_t i = 0; i < 20000; i++) {
                _cleanup_(text_buffer_done) TextBuffer out = {};
                char mutated[sizeof(data)];

                memcpy(mutated, data, n);
                for (size_t k = 0; k <= i % 4; k++)
                        mutated[(size_t) random() % n] = "()[]{},;:0129%&|<>?\"REC->\n"[random() % 26];
                f = NULL;
                if (trace_format_new(mutated, n, 7, &f) == 0)
                        (void) trace_format_print(f, &raw, sizeof(raw), &out);
                trace_format_free(f);
        }
}
END_TEST

TEST_RUN("trace-format", prints, refused, broken);
