/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <perf-recorder/errors.h>

#include "bus-error.h"
#include "check-main.h"

/* Each name of the contract has a failure, and each failure has a name. */
START_TEST(test_names) {
        static const struct {
                Failure failure;
                const char *name;
        } rows[] = {
                { FAILURE_NO_SUCH_SESSION, PR_ERROR_NO_SUCH_SESSION },
                { FAILURE_MASKED,          PR_ERROR_NO_SUCH_SESSION },
                { FAILURE_NOT_RUNNING,     PR_ERROR_NOT_RUNNING },
                { FAILURE_ALREADY_RUNNING, PR_ERROR_ALREADY_RUNNING },
                { FAILURE_BAD_SETTING,     PR_ERROR_BAD_SETTING },
                { FAILURE_RECORDER,        PR_ERROR_RECORDER_FAILED },
                { FAILURE_TIMEOUT,         PR_ERROR_TIMEOUT },
                { FAILURE_BUSY,            PR_ERROR_BUSY },
                { FAILURE_NO_SPACE,        PR_ERROR_NO_SPACE },
                { FAILURE_RATE_LIMIT,      PR_ERROR_RATE_LIMITED },
                { FAILURE_ARGUMENT,        SD_BUS_ERROR_INVALID_ARGS },
                { FAILURE_LIMIT,           SD_BUS_ERROR_LIMITS_EXCEEDED },
                { FAILURE_OTHER,           SD_BUS_ERROR_FAILED },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                ck_assert_str_eq(bus_error_name(rows[i].failure), rows[i].name);
        for (Failure f = FAILURE_NONE; f <= _FAILURE_MAX; f++)
                ck_assert_ptr_nonnull(bus_error_name(f));
}
END_TEST

START_TEST(test_set) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL, f = SD_BUS_ERROR_NULL,
                                                     g = SD_BUS_ERROR_NULL;

        ck_assert_int_lt(bus_error_setf(&e, FAILURE_NO_SUCH_SESSION, "no session %s", "x"), 0);
        ck_assert_str_eq(e.name, PR_ERROR_NO_SUCH_SESSION);
        ck_assert_str_eq(e.message, "no session x");
        ck_assert_int_lt(bus_error_set(&f, FAILURE_BUSY, NULL), 0);
        ck_assert_str_eq(f.message, failure_sentence(FAILURE_BUSY));
        ck_assert_int_lt(bus_error_set(&g, FAILURE_RECORDER, "it failed: \xff"), 0);
        ck_assert_str_eq(g.message, "it failed: \xef\xbf\xbd");
}
END_TEST

START_TEST(test_quote) {
        char buf[16];

        ck_assert_str_eq(bus_error_quote(buf, sizeof(buf), "cycles"), "cycles");
        ck_assert_str_eq(bus_error_quote(buf, sizeof(buf), "a\nb\xc3\xa4"), "a bä");
        ck_assert_str_eq(bus_error_quote(buf, sizeof(buf), "0123456789abcde"), "0123456789abcde");
        ck_assert_str_eq(bus_error_quote(buf, sizeof(buf), "0123456789abcdef"), "0123456789ab...");
        ck_assert_str_eq(bus_error_quote(buf, sizeof(buf), ""), "");
}
END_TEST

CHECK_MAIN("bus-error", test_names, test_set, test_quote);
