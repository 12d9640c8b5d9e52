/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sizes to the base 1024, both ways. */

#include "check-main.h"
#include "parse-size.h"

START_TEST(test_parse) {
        static const struct {
                const char *s;
                int r;
                uint64_t v;
        } cases[] = {
                { "0", 0, 0 },
                { "4096", 0, 4096 },
                { "512B", 0, 512 },
                { "512K", 0, 512 * 1024 },
                { "1.5M", 0, 1536 * 1024 },
                { "8 M", 0, 8 * 1024 * 1024 },
                { "0.25G", 0, 256 * 1024 * 1024 },
                { "2T", 0, UINT64_C(2) << 40 },
                { "3P", 0, UINT64_C(3) << 50 },
                { "15E", 0, UINT64_C(15) << 60 },
                { "0.3333333333333333333333K", 0, 341 },
                { "infinity", 0, UINT64_MAX },
                { "18446744073709551614", 0, UINT64_MAX - 1 },
                { "18446744073709551615", -ERANGE, 0 },
                { "16E", -ERANGE, 0 },
                { "99999999999999999999", -ERANGE, 0 },
                { "", -EINVAL, 0 },
                { "K", -EINVAL, 0 },
                { "-1", -EINVAL, 0 },
                { ".5K", -EINVAL, 0 },
                { "1k", -EINVAL, 0 },
                { "1KB", -EINVAL, 0 },
                { "1K 1", -EINVAL, 0 },
                { "0x10", -EINVAL, 0 },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                uint64_t v = 4711;

                ck_assert_msg(parse_size(cases[i].s, &v) == cases[i].r, "%s", cases[i].s);
                ck_assert_uint_eq(v, cases[i].r < 0 ? 4711 : cases[i].v);
        }
}
END_TEST

START_TEST(test_format) {
        static const struct {
                uint64_t v;
                const char *s;
        } cases[] = {
                { 0, "0B" },
                { 512, "512B" },
                { 1023, "1023B" },
                { 1024, "1K" },
                { 1536, "1.5K" },
                { 1536 * 1024, "1.5M" },
                { 1024 * 1024 + 1, "1M" },
                { UINT64_C(1) << 60, "1E" },
                { UINT64_MAX - 1, "15.9E" },
                { UINT64_MAX, "infinity" },
        };
        char buf[32];

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                ck_assert_ptr_eq(format_size(buf, sizeof(buf), cases[i].v), buf);
                ck_assert_str_eq(buf, cases[i].s);
        }
        ck_assert_str_eq(format_size(buf, 3, 1536), "1.");
}
END_TEST

CHECK_MAIN("parse-size", test_parse, test_format);
