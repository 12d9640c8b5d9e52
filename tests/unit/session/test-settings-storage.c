/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The keys of [Storage]. */

#include "check-main.h"
#include "setting-case.h"

START_TEST(test_values) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        ck_assert_uint_eq(s->storage.max_use, 0);
        ck_assert_uint_eq(s->storage.keep_free, UINT64_MAX);
        assert_set(s, "Storage", "MaxUse", "500M");
        ck_assert_uint_eq(s->storage.max_use, 500 << 20);
        assert_set(s, "Storage", "MaxUse", "infinity");
        ck_assert_uint_eq(s->storage.max_use, UINT64_MAX);
        assert_set(s, "Storage", "MaxFiles", "10");
        ck_assert_uint_eq(s->storage.max_files, 10);
        assert_set(s, "Storage", "MaxFiles", "infinity");
        ck_assert_uint_eq(s->storage.max_files, UINT64_MAX);
        assert_set(s, "Storage", "MaxAge", "2w");
        ck_assert_uint_eq(s->storage.max_age, 14 * 24 * 60 * USEC_PER_MINUTE);
        assert_set(s, "Storage", "KeepFree", "0");
        ck_assert_uint_eq(s->storage.keep_free, 0);
        ck_assert_int_eq(s->storage.compression, -1);
        assert_set(s, "Storage", "Compress", "zstd:3");
        ck_assert_int_eq(s->storage.compression, 3);
        assert_set(s, "Storage", "Compress", "no");
        ck_assert_int_eq(s->storage.compression, 0);
        ck_assert(!s->has_record);
}
END_TEST

START_TEST(test_symbols) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        ck_assert_uint_eq(s->symbols, SYMBOLS_UNSET);
        assert_set(s, "Storage", "Symbols", "128M");
        ck_assert_uint_eq(s->symbols, 128 << 20);
        assert_set(s, "Storage", "Symbols", "no");
        ck_assert_uint_eq(s->symbols, 0);
        assert_set(s, "Storage", "Symbols", "yes");
        ck_assert_uint_eq(s->symbols, SYMBOLS_UNSET);
        assert_refused("Storage", "Symbols", "infinity", "not a size, such as 64M, nor yes or no");
        assert_refused("Storage", "Symbols", "some", "not a size, such as 64M, nor yes or no");
}
END_TEST

START_TEST(test_empty_is_not_set) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings(), *defaults = new_settings();

        assert_set(s, "Storage", "MaxUse", "500M");
        assert_set(s, "Storage", "KeepFree", "1G");
        ck_assert(!session_settings_equal(s, defaults));
        assert_set(s, "Storage", "MaxUse", "");
        assert_set(s, "Storage", "KeepFree", "");
        ck_assert(session_settings_equal(s, defaults));
}
END_TEST

START_TEST(test_refused) {
        assert_refused("Storage", "MaxUse", "0", "not a size above 0, such as 500M, or infinity");
        assert_refused("Storage", "MaxUse", "10%", "not a size above 0, such as 500M, or infinity");
        assert_refused("Storage", "MaxFiles", "0", "not a whole number above 0 or infinity");
        assert_refused("Storage", "MaxAge", "0", "not a time span above 0, such as 2w, or infinity");
        assert_refused("Storage", "MaxAge", "soon", "not a time span above 0, such as 2w, or infinity");
        assert_refused("Storage", "KeepFree", "infinity", "not a size, such as 2G, or 0");
}
END_TEST

CHECK_MAIN("settings-storage", test_values, test_symbols, test_empty_is_not_set, test_refused);
