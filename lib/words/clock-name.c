/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names of clocks, as perf record 6.1 knows them (clockid.c). Which events the kernel times by which clock is its own to
 * say: hardware counters, whose interrupts come at any moment, have monotonic and monotonic_raw only. */

#include "clock-name.h"

#include "parse-number.h"

static const struct {
        const char *name;
        clockid_t clock;
} clock_names[] = {
        { "realtime", CLOCK_REALTIME },       { "boottime", CLOCK_BOOTTIME },
        { "monotonic", CLOCK_MONOTONIC },     { "monotonic_raw", CLOCK_MONOTONIC_RAW },
        { "tai", CLOCK_TAI },                 { "real", CLOCK_REALTIME },
        { "boot", CLOCK_BOOTTIME },           { "mono", CLOCK_MONOTONIC },
        { "raw", CLOCK_MONOTONIC_RAW },
};

int clock_name_parse(const char *s, clockid_t *ret, Diagnosis *d) {
        const char *name = strncasecmp(s, "CLOCK_", 6) == 0 ? s + 6 : s;
        struct timespec resolution;
        int clock = -1;

        if (parse_int(s, &clock) < 0)
                for (size_t i = 0; i < ELEMENTSOF(clock_names); i++)
                        if (strcasecmp(clock_names[i].name, name) == 0)
                                clock = clock_names[i].clock;
        if (clock < 0)
                return diagnosis_set(d, -EINVAL, "unknown clockid %s: realtime, monotonic, monotonic_raw, boottime, tai or a "
                                     "number, see clock_gettime(2)", s);
        if (clock_getres(clock, &resolution) < 0)
                return diagnosis_set(d, -EINVAL, "There is no clock %d here, see clock_gettime(2)", clock);
        *ret = clock;
        return 0;
}
