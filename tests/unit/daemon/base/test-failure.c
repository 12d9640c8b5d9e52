/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "cleanup.h"
#include "failure.h"

START_TEST(test_each_has_a_sentence) {
        for (Failure f = FAILURE_NONE; f < _FAILURE_MAX; f++)
                ck_assert_msg(failure_sentence(f) && *failure_sentence(f), "%u", (unsigned) f);
        ck_assert_str_eq(failure_sentence(_FAILURE_MAX), failure_sentence(FAILURE_OTHER));
}
END_TEST

START_TEST(test_of_errno) {
        static const struct {
                int error;
                Failure failure;
        } rows[] = {
                { 0, FAILURE_NONE }, { 3, FAILURE_NONE },
                { -ENOMEM, FAILURE_NO_MEMORY }, { -EMFILE, FAILURE_LIMIT }, { -ENOBUFS, FAILURE_LIMIT },
                { -ENOSPC, FAILURE_NO_SPACE }, { -EDQUOT, FAILURE_NO_SPACE }, { -ETIMEDOUT, FAILURE_TIMEOUT },
                { -EBUSY, FAILURE_BUSY }, { -EINVAL, FAILURE_ARGUMENT }, { -EACCES, FAILURE_ACCESS }, { -EPERM, FAILURE_ACCESS },
                { -EBADMSG, FAILURE_BAD_SETTING }, { -EOPNOTSUPP, FAILURE_NOT_SUPPORTED }, { -ERFKILL, FAILURE_MASKED },
                { -ENOENT, FAILURE_OTHER }, { -ESRCH, FAILURE_OTHER }, { -EIO, FAILURE_OTHER },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                ck_assert_msg(failure_of(rows[i].error) == rows[i].failure, "%s", strerror(-rows[i].error));
}
END_TEST

CHECK_MAIN("failure", test_each_has_a_sentence, test_of_errno);
