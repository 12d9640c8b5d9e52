/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "script-raw.h"

static void expect(TextBuffer *b, const char *text) {
        text_buffer_putc(b, '\0');
        ck_assert_str_eq(b->data, text);
        b->n = 0;
}

START_TEST(bytes) {
        _cleanup_(text_buffer_done) TextBuffer b = {};

        script_raw_bytes(&b, "Hello, w\033\0\0", 11);
        expect(&b, "\n      BPF output: 0000: 48 65 6c 6c 6f 2c 20 77  Hello, w\n"
                   "                  0008: 1b 00 00                 ...     \n");
        script_raw_bytes(&b, "Hi\0", 3);
        expect(&b, "\n      BPF output: 0000: 48 69 00                 Hi.     \n      BPF string: \"Hi\"\n");
        script_raw_bytes(&b, NULL, 0);
        expect(&b, "\n");
}
END_TEST

START_TEST(registers) {
        static const uint64_t values[] = { 0x10, 0x20 };
        _cleanup_(text_buffer_done) TextBuffer b = {};

        script_raw_registers(&b, "x86_64", 2, UINT64_C(1) << 63 | 3, NULL, 0);
        expect(&b, "");
        script_raw_registers(&b, "x86_64", 2, UINT64_C(1) << 63 | UINT64_C(1) << 62, values, 2);
        expect(&b, " ABI:2 unknown:0x10 unknown:0x20 ");
        script_raw_registers(&b, "x86_64", 2, 1 << 7 | 1 << 8, values, 2);
        expect(&b, " ABI:2    SP:0x10    IP:0x20 ");
        script_raw_registers(&b, "aarch64", 2, 1 << 8 | UINT64_C(1) << 32, values, 2); /* the file's machine, not this one */
        expect(&b, " ABI:2    x8:0x10    pc:0x20 ");
}
END_TEST

TEST_RUN("script-raw", bytes, registers);
