/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <perf-recorder/errors.h>

#include "bus-error.h"
#include "check-main.h"

/* Each contract name is there for the errno that operation.h says. */
START_TEST(test_names) {
        static const struct {
                int error;
                const char *name;
        } rows[] = {
                { ENOENT,    PR_ERROR_NO_SUCH_SESSION },
                { ESRCH,     PR_ERROR_NOT_RUNNING },
                { EALREADY,  PR_ERROR_ALREADY_RUNNING },
                { EBADMSG,   PR_ERROR_BAD_SETTING },
                { EPROTO,    PR_ERROR_RECORDER_FAILED },
                { ETIMEDOUT, PR_ERROR_TIMEOUT },
                { EBUSY,     PR_ERROR_BUSY },
                { ENOSPC,    PR_ERROR_NO_SPACE },
                { EINVAL,    SD_BUS_ERROR_INVALID_ARGS },
                { EMFILE,    SD_BUS_ERROR_LIMITS_EXCEEDED },
                { EIO,       SD_BUS_ERROR_FAILED },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                ck_assert_str_eq(bus_error_name(-rows[i].error), rows[i].name);
                ck_assert_str_eq(bus_error_name(rows[i].error), rows[i].name);
        }
}
END_TEST

START_TEST(test_set) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL, f = SD_BUS_ERROR_NULL,
                                                     g = SD_BUS_ERROR_NULL;

        ck_assert_int_eq(bus_error_setf(&e, -ENOENT, "no session %s", "x"), -ENOENT);
        ck_assert_str_eq(e.name, PR_ERROR_NO_SUCH_SESSION);
        ck_assert_str_eq(e.message, "no session x");
        ck_assert_int_eq(bus_error_set(&f, -EIO, NULL), -EIO);
        ck_assert_str_eq(f.message, strerror(EIO));
        ck_assert_int_eq(bus_error_set(&g, -EPROTO, "it failed: \xff"), -EPROTO);
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
