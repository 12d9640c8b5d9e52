/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Facts at the end of a file. */

#include "check-main.h"
#include "fd-file.h"
#include "file-facts.h"

static int file_with(const char *content) {
        int fd = open_memfd("facts", 0);

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(write_all(fd, content, strlen(content)), 0);
        return fd;
}

static void assert_fact(int fd, const char *name, const char *expected) {
        char value[64] = "";
        ssize_t n = file_fact_get(fd, name, value, sizeof(value) - 1);

        if (!expected)
                ck_assert_int_lt(n, 0);
        else {
                ck_assert_msg(n == (ssize_t) strlen(expected), "%s: %zd", name, n);
                ck_assert_str_eq(value, expected);
        }
}

START_TEST(test_facts) {
        _cleanup_(file_facts_done) FileFacts f = {};
        _cleanup_close_ int fd = file_with("PERFILE2");
        char little[2];

        ck_assert(!file_has_facts(fd));
        assert_fact(fd, "user.t.a", NULL);
        ck_assert_int_eq(file_facts_put(&f, fd, "user.t.both", "1 = one", 7), 0);
        ck_assert_int_eq(file_facts_add(&f, "user.t.a", "one", 3), 0);
        ck_assert_int_eq(file_facts_add(&f, "user.t.b", "two\nlines", 9), 0);
        ck_assert_int_eq(file_facts_add(&f, "user.t.empty", "", 0), 0);
        ck_assert_int_eq(file_facts_add(&f, "user.t.a", "uno", 3), 0);
        ck_assert_int_eq(file_facts_append(&f, fd), 0);
        ck_assert(file_has_facts(fd));
        assert_fact(fd, "user.t.both", "1 = one");
        assert_fact(fd, "user.t.a", "uno");
        assert_fact(fd, "user.t.b", "two lines");
        assert_fact(fd, "user.t.empty", "");
        assert_fact(fd, "user.t", NULL);
        ck_assert_int_eq(file_fact_get(fd, "user.t.a", little, sizeof(little)), -ERANGE);
        ck_assert_int_eq(ftruncate(fd, lseek(fd, 0, SEEK_END) - 1), 0);
        assert_fact(fd, "user.t.a", NULL);
}
END_TEST

START_TEST(test_read) {
        _cleanup_(file_facts_done) FileFacts f = {}, read = {}, none = {};
        _cleanup_close_ int fd = file_with("PERFILE2");

        ck_assert_int_eq(file_facts_read(&none, fd), -ENODATA);
        ck_assert_int_eq(file_facts_add(&f, "user.t.a", "one", 3), 0);
        ck_assert_int_eq(file_facts_append(&f, fd), 0);
        ck_assert_int_eq(file_facts_read(&read, fd), 0);
        ck_assert_uint_eq(read.size, f.size);
        ck_assert_int_eq(memcmp(read.text, f.text, f.size), 0);
}
END_TEST

START_TEST(test_limit) {
        _cleanup_(file_facts_done) FileFacts f = {};
        _cleanup_free_ char *value = calloc(FILE_FACTS_MAX, 1);

        memset(value, 'x', FILE_FACTS_MAX);
        ck_assert_int_eq(file_facts_add(&f, "a", value, FILE_FACTS_MAX), -E2BIG);
        ck_assert_int_eq(file_facts_add(&f, "a", value, FILE_FACTS_MAX - 3), 0);
        ck_assert_int_eq(file_facts_add(&f, "b", "", 0), -E2BIG);
}
END_TEST

/* Sizes that are too large, and no numbers. */
START_TEST(test_broken) {
        static const char *const ends[] = { "", "perffct\n", "00000005perffct\n", "ffffffffperffct\n", "-0000001perffct\n", "+       perffct\n" };

        for (size_t i = 0; i < ELEMENTSOF(ends); i++) {
                _cleanup_close_ int fd = file_with(ends[i]);

                ck_assert_msg(!file_has_facts(fd), "%s", ends[i]);
                assert_fact(fd, "a", NULL);
        }
}
END_TEST

CHECK_MAIN("file-facts", test_facts, test_read, test_limit, test_broken);
