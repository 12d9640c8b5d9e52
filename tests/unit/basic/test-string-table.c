/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "string-table.h"

typedef enum Tide { TIDE_LOW, TIDE_HIGH, _TIDE_MAX, _TIDE_INVALID = -EINVAL } Tide;

static const char *const tide_table[_TIDE_MAX] = { [TIDE_LOW] = "low", [TIDE_HIGH] = "high" };

const char *tide_to_string(Tide value);
Tide tide_from_string(const char *s);
DEFINE_STRING_TABLE(tide, Tide);

START_TEST(test_names) {
        ck_assert_str_eq(tide_to_string(TIDE_LOW), "low");
        ck_assert_str_eq(tide_to_string(TIDE_HIGH), "high");
        ck_assert_ptr_null(tide_to_string(_TIDE_MAX));
        ck_assert_ptr_null(tide_to_string(_TIDE_INVALID));
}
END_TEST

START_TEST(test_values) {
        ck_assert_int_eq(tide_from_string("high"), TIDE_HIGH);
        ck_assert_int_eq(tide_from_string("hig"), _TIDE_INVALID);
        ck_assert_int_eq(tide_from_string(""), _TIDE_INVALID);
        ck_assert_int_eq(tide_from_string(NULL), _TIDE_INVALID);
}
END_TEST

CHECK_MAIN("string-table", test_names, test_values);
