/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rows of [Storage]. perf-recorderd.conf has the same keys except Symbols=, as defaults for sessions, and uses the parsers of
 * this file. The recorder only gets Symbols= and Compress=. */

#include "parse-number.h"
#include "parse-size.h"
#include "setting-key.h"

int parse_setting_max_size(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t v;

        if (parse_size(value, &v) < 0 || v == 0)
                return diagnosis_set(d, -EINVAL, "not a size above 0, such as 500M, or infinity");
        *(uint64_t *) field = v;
        return 0;
}

int parse_setting_max_number(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t v = UINT64_MAX;

        if (!streq(value, "infinity") && (parse_uint64(value, &v) < 0 || v == 0))
                return diagnosis_set(d, -EINVAL, "not a whole number above 0 or infinity");
        *(uint64_t *) field = v;
        return 0;
}

int parse_setting_max_age(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        usec_t v;

        if (parse_timespan(value, &v) < 0 || v == 0)
                return diagnosis_set(d, -EINVAL, "not a time span above 0, such as 2w, or infinity");
        *(usec_t *) field = v;
        return 0;
}

int parse_setting_keep_free(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t v;

        if (parse_size(value, &v) < 0 || v == UINT64_MAX)
                return diagnosis_set(d, -EINVAL, "not a size, such as 2G, or 0");
        *(uint64_t *) field = v;
        return 0;
}

/* A size, "yes" for the default, or "no" for 0. */
static int parse_symbols(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        int yes = parse_boolean(value);
        uint64_t v = yes > 0 ? SYMBOLS_UNSET : 0;

        if (yes < 0 && (parse_size(value, &v) < 0 || v == UINT64_MAX))
                return diagnosis_set(d, -EINVAL, "not a size, such as 64M, nor yes or no");
        *(uint64_t *) field = v;
        return 0;
}

static const SettingKey storage_keys[] = {
        SETTING_KEY_LIVE("MaxUse", parse_setting_max_size, SETTING_SCALAR, storage.max_use, VALUE),
        SETTING_KEY_LIVE("MaxFiles", parse_setting_max_number, SETTING_SCALAR, storage.max_files, VALUE),
        SETTING_KEY_LIVE("MaxAge", parse_setting_max_age, SETTING_SCALAR, storage.max_age, VALUE),
        SETTING_KEY_LIVE("KeepFree", parse_setting_keep_free, SETTING_SCALAR, storage.keep_free, VALUE),
        SETTING_KEY("Compress", parse_setting_compression, SETTING_SCALAR, storage.compression),
        SETTING_KEY("Symbols", parse_symbols, SETTING_SCALAR, symbols),
};

const SettingSection storage_section = { "Storage", storage_keys, ELEMENTSOF(storage_keys) };
