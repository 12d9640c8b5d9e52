/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any text as a settings file: values that reach the handler are within their limits, and others are rejected with a
 * reason. */

#include "fuzz.h"
#include "ini.h"

static int check_call(const char *section, const char *key, const char *value, unsigned line, Diagnosis *d, void *userdata) {
        unsigned *last_line = userdata;

        FUZZ_ASSERT(*section != '\0' && strlen(section) <= INI_NAME_MAX);
        FUZZ_ASSERT(line > *last_line);
        *last_line = line;
        if (!key)
                return 0;

        FUZZ_ASSERT(*key != '\0' && strlen(key) <= INI_NAME_MAX && !strpbrk(key, " \t=[]"));
        FUZZ_ASSERT(strlen(value) <= LINE_SIZE_MAX && !line_complaint(value, strlen(value)));
        FUZZ_ASSERT(*value != ' ' && *value != '\t');
        return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        unsigned last_line = 0;
        int r;

        r = ini_parse((const char *) data, size, check_call, &last_line, &d);
        FUZZ_ASSERT(r <= 0);
        FUZZ_ASSERT((r < 0) == (d.sentence != NULL));
        FUZZ_ASSERT(r == 0 || d.line > 0 || size > TEXT_SIZE_MAX);
        return 0;
}
