/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "settings-report.h"

START_TEST(test_lines) {
        _cleanup_(settings_report_done) SettingsReport r = {};

        ck_assert_int_eq(settings_report_add_line(&r, "Record", "Event", "cycles", 2), 0);
        ck_assert_int_eq(settings_report_add_line(&r, "Record", "Event", "cpu-clock", 3), 0);
        ck_assert_int_eq(settings_report_add_line(&r, "Trigger", "Event", "faults", 5), 0);

        ck_assert_uint_eq(settings_report_line(&r, "Record", "Event", NULL), 3);
        ck_assert_uint_eq(settings_report_line(&r, "Record", "Event", "cycles"), 2);
        ck_assert_uint_eq(settings_report_line(&r, NULL, "Event", NULL), 5);
        ck_assert_uint_eq(settings_report_line(&r, "Record", "Event", "faults"), 0);
        ck_assert_uint_eq(settings_report_line(&r, "Scope", "Event", NULL), 0);
}
END_TEST

START_TEST(test_limit) {
        _cleanup_(settings_report_done) SettingsReport r = {};

        for (unsigned i = 1; i < 20000; i++)
                ck_assert_int_eq(settings_report_add_line(&r, "Record", "Event", "cycles", i), 0);
        ck_assert_uint_lt(r.n_lines, 10000);
}
END_TEST

CHECK_MAIN("settings-report", test_lines, test_limit);
