/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rows of [Storage]. perf-recorderd.conf has the same keys except Symbols=, as defaults for sessions, and uses the parsers of
 * this file. The recorder only gets Symbols= and Compress=. */

#include "parse-number.h"
#include "parse-size.h"
#include "setting-key.h"

int parse_storage_size(uint64_t *ret, const char *value, Diagnosis *d) {
        uint64_t v = 0;

        if (*value != '\0' && (parse_size(value, &v) < 0 || v == 0))
                return diagnosis_set(d, -EINVAL, "not a size above 0, such as 500M, or infinity");
        *ret = v;
        return 0;
}

int parse_storage_files(uint64_t *ret, const char *value, Diagnosis *d) {
        uint64_t v = 0;

        if (streq(value, "infinity"))
                v = UINT64_MAX;
        else if (*value != '\0' && (parse_uint64(value, &v) < 0 || v == 0))
                return diagnosis_set(d, -EINVAL, "not a whole number above 0 or infinity");
        *ret = v;
        return 0;
}

int parse_storage_age(usec_t *ret, const char *value, Diagnosis *d) {
        usec_t v = 0;

        if (*value != '\0' && (parse_timespan(value, &v) < 0 || v == 0))
                return diagnosis_set(d, -EINVAL, "not a time span above 0, such as 2w, or infinity");
        *ret = v;
        return 0;
}

int parse_storage_free(uint64_t *ret, const char *value, Diagnosis *d) {
        uint64_t v = UINT64_MAX;

        if (*value != '\0' && (parse_size(value, &v) < 0 || v == UINT64_MAX))
                return diagnosis_set(d, -EINVAL, "not a size, such as 2G, or 0");
        *ret = v;
        return 0;
}

static int parse_max_size(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        return parse_storage_size(field, value, d);
}

static int parse_max_files(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        return parse_storage_files(field, value, d);
}

static int parse_max_age(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        return parse_storage_age(field, value, d);
}

static int parse_keep_free(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        return parse_storage_free(field, value, d);
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
        SETTING_KEY("MaxUse", parse_max_size, SETTING_SCALAR, storage.max_use),
        SETTING_KEY("MaxFiles", parse_max_files, SETTING_SCALAR, storage.max_files),
        SETTING_KEY("MaxAge", parse_max_age, SETTING_SCALAR, storage.max_age),
        SETTING_KEY("KeepFree", parse_keep_free, SETTING_SCALAR, storage.keep_free),
        SETTING_KEY("Compress", parse_setting_compression, SETTING_SCALAR, storage.compression),
        SETTING_KEY("Symbols", parse_symbols, SETTING_SCALAR, symbols),
};

const SettingSection storage_section = { "Storage", storage_keys, ELEMENTSOF(storage_keys) };
