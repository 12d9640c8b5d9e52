/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "fd-file.h"
#include "id128.h"
#include "scratch.h"

#define PLAIN "0123456789abcdef0123456789abcdef"

static void expect(const char *text, int result) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "id"), *id = NULL;

        scratch_write_text(dir, "id", text);
        ck_assert_int_eq(id128_read(path, &id), result);
        ck_assert_pstr_eq(id, result < 0 ? NULL : PLAIN);
}

START_TEST(test_read) {
        expect(PLAIN "\n", 0);
        expect(PLAIN, 0);
        expect("01234567-89ab-cdef-0123-456789abcdef\n", 0);
        expect("", -EINVAL);
        expect("uninitialized\n", -EINVAL);
        expect(PLAIN "0\n", -EINVAL);
        expect("0123456789ABCDEF0123456789abcdef\n", -EINVAL);
        expect(PLAIN "\n" PLAIN "\n", -EFBIG);
}
END_TEST

START_TEST(test_boot) {
        _cleanup_free_ char *id = NULL, *none = NULL;

        ck_assert_int_eq(id128_read(BOOT_ID_FILE, &id), 0);
        ck_assert_uint_eq(strspn(id, "0123456789abcdef"), ID128_SIZE);
        ck_assert_int_eq(id128_read("/nonexistent", &none), -ENOENT);
}
END_TEST

CHECK_MAIN("id128", test_read, test_boot);
