/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>

#include "settings.h"

/* Helpers of the tests of settings: fresh settings, and assignments that must work or must fail with this sentence. */

static inline SessionSettings *new_settings(void) {
        SessionSettings *s = NULL;

        ck_assert_int_eq(session_settings_new(&s), 0);
        return s;
}

static inline void assert_set(SessionSettings *s, const char *section, const char *key, const char *value) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_msg(session_settings_set(s, section, key, value, &d) == 0, "%s=%s: %s", key, value, d.sentence);
}

/* Checks that the value is refused with this sentence, which follows the value, and that nothing has changed. */
static inline void assert_refused(const char *section, const char *key, const char *value, const char *sentence) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings(), *defaults = new_settings();
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_msg(session_settings_set(s, section, key, value, &d) < 0, "%s=%s", key, value);
        ck_assert_str_eq(d.key, key);
        if (*d.sentence == '"') {
                _cleanup_free_ char *prefix = NULL;

                ck_assert_int_gt(asprintf(&prefix, "\"%s\" is ", value), 0);
                ck_assert_msg(startswith(d.sentence, prefix) != NULL, "%s", d.sentence);
                ck_assert_str_eq(d.sentence + strlen(prefix), sentence);
        } else
                ck_assert_str_eq(d.sentence, sentence);
        ck_assert_msg(session_settings_equal(s, defaults), "%s=%s", key, value);
        ck_assert(!s->has_record);
}
