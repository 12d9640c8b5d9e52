/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rows of [Scope]: resource control in the syntax of systemd.resource-control(5), stored in the units of a scope's D-Bus
 * properties. Nice= is no property of scopes; the recorder's process sets it before it executes the recorder. */

#include "parse-number.h"
#include "parse-size.h"
#include "session-name.h"
#include "setting-key.h"

#define WEIGHT_MAX 10000
#define HUNDREDTHS_MAX UINT64_C(10000000000) /* hundredths of a percent */

/* Reads "20%" or "12.5%" as hundredths of a percent. */
static int parse_percentage(const char *s, uint64_t *ret) {
        uint64_t v = 0, scale = 100;

        if (*s < '0' || *s > '9')
                return -EINVAL;
        for (; *s >= '0' && *s <= '9'; s++)
                v = v > HUNDREDTHS_MAX ? v : v * 10 + (uint64_t) (*s - '0') * 100;
        if (*s == '.')
                for (s++; *s >= '0' && *s <= '9' && scale > 1; s++) {
                        scale /= 10;
                        v += scale * (uint64_t) (*s - '0');
                }
        if (!streq(s, "%"))
                return -EINVAL;
        if (v > HUNDREDTHS_MAX)
                return -EINVAL;

        *ret = v;
        return 0;
}

static int parse_slice(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        const char *suffix = strrchr(value, '.');

        if (!unit_name_is_valid(value) || !suffix || !streq(suffix, ".slice"))
                return diagnosis_set(d, -EINVAL, "not the name of a slice, such as perf-recorder.slice");
        return free_and_strdup(field, value);
}

static int parse_cpu_quota(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t hundredths = 0;

        if (parse_percentage(value, &hundredths) < 0 || hundredths == 0)
                return diagnosis_set(d, -EINVAL, "not a percentage above 0 of one CPU's time, such as 20%%");
        *(uint64_t *) field = hundredths * (USEC_PER_SEC / 10000);
        return 0;
}

static int parse_weight(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        unsigned v = 0;

        if (parse_uint(value, &v) < 0 || v == 0 || v > WEIGHT_MAX)
                return diagnosis_set(d, -EINVAL, "not a weight from 1 to %d", WEIGHT_MAX);
        *(uint64_t *) field = v;
        return 0;
}

/* A size, or a percentage of the machine's memory. */
static int parse_memory(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t v = 0, hundredths;
        int r = parse_size(value, &v);

        if (r == -EINVAL && parse_percentage(value, &hundredths) >= 0 && hundredths <= 10000) {
                v = (uint64_t) sysconf(_SC_PHYS_PAGES) / 10000 * hundredths * (uint64_t) sysconf(_SC_PAGESIZE);
                r = 0;
        }
        if (r < 0 || v == 0)
                return diagnosis_set(d, -EINVAL, "not a size above 0, such as 64M, a percentage of the memory, or infinity");
        *(uint64_t *) field = v;
        return 0;
}

static int parse_nice(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        int v;

        if (parse_int(value, &v) < 0 || v < -20 || v > 19)
                return diagnosis_set(d, -EINVAL, "not a whole number from -20 to 19");
        *(int *) field = v;
        return 0;
}

static const SettingKey scope_keys[] = {
        SETTING_KEY("Slice", parse_slice, SETTING_STRING, scope.slice),
        SETTING_KEY("CPUQuota", parse_cpu_quota, SETTING_SCALAR, scope.cpu_quota_per_sec),
        SETTING_KEY("CPUWeight", parse_weight, SETTING_SCALAR, scope.cpu_weight),
        SETTING_KEY("MemoryMax", parse_memory, SETTING_SCALAR, scope.memory_max),
        SETTING_KEY("MemoryHigh", parse_memory, SETTING_SCALAR, scope.memory_high),
        SETTING_KEY("IOWeight", parse_weight, SETTING_SCALAR, scope.io_weight),
        SETTING_KEY("TasksMax", parse_setting_max_number, SETTING_SCALAR, scope.tasks_max),
        SETTING_KEY("Nice", parse_nice, SETTING_SCALAR, scope.nice),
};

const SettingSection scope_section = { "Scope", scope_keys, ELEMENTSOF(scope_keys) };
