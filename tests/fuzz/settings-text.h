/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "fuzz.h"
#include "ini.h"
#include "settings.h"

/* Reads a session file's text into settings; wrong values are skipped, each with a reason. */

static inline int settings_text_handle(const char *section, const char *key, const char *value, unsigned line, Diagnosis *d,
                                       void *userdata) {
        _cleanup_(diagnosis_done) Diagnosis found = {};
        int r;

        if (!key)
                return 0;
        r = session_settings_set(userdata, section, key, value, &found);
        FUZZ_ASSERT(r <= 0);
        FUZZ_ASSERT(r == 0 || (found.sentence && *found.sentence));
        FUZZ_ASSERT(r == 0 || !line_complaint(found.sentence, strlen(found.sentence)));
        return 0;
}

static inline SessionSettings *settings_from_text(const uint8_t *data, size_t size) {
        SessionSettings *s = NULL;

        FUZZ_ASSERT(session_settings_new(&s) == 0);
        (void) ini_parse((const char *) data, size, settings_text_handle, s, NULL);
        return s;
}
