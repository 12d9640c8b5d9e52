/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The times of -D, as perf record takes them: one number is the time to wait, -1 waits for a control word, and ranges
 * (perf 6.2) enable and disable the events and end the recording with the last of them. */

#include "enable-times.h"

#include "parse-number.h"

#define MSEC_MAX (UINT64_C(1000) * 60 * 60 * 24 * 365)

void enable_times_done(EnableTimes *t) {
        free(t->ranges);
        *t = (EnableTimes) {};
}

static int enable_times_parse_msec(const char *s, usec_t *ret) {
        uint64_t msec;
        int r = parse_uint64(s, &msec);

        if (r < 0)
                return r;
        if (msec > MSEC_MAX)
                return -ERANGE;
        *ret = msec * USEC_PER_MSEC;
        return 0;
}

static int enable_times_parse_range(char *word, usec_t after, EnableRange *ret, Diagnosis *d) {
        char *dash = strchr(word, '-');
        EnableRange range;

        if (dash)
                *dash = '\0';
        if (!dash || enable_times_parse_msec(word, &range.from) < 0 || enable_times_parse_msec(dash + 1, &range.to) < 0) {
                if (dash)
                        *dash = '-';
                return diagnosis_set(d, -EINVAL, "`%s' is no range of milliseconds, as 10-20", word);
        }
        *dash = '-';
        if (range.from >= range.to)
                return diagnosis_set(d, -EINVAL, "`%s' ends before it begins", word);
        if (after > 0 && range.from <= after)
                return diagnosis_set(d, -EINVAL, "`%s' does not begin after the previous range", word);
        *ret = range;
        return 0;
}

static int enable_times_parse_ranges(EnableTimes *t, const char *value, Diagnosis *d) {
        _cleanup_free_ char *copy = strdup(value);
        char *rest = copy, *word;
        usec_t after = 0;

        if (!copy)
                return -ENOMEM;
        t->ranges = calloc(ENABLE_RANGES_MAX, sizeof(EnableRange));
        if (!t->ranges)
                return -ENOMEM;
        while ((word = strsep(&rest, ","))) {
                int r;

                if (t->n_ranges == ENABLE_RANGES_MAX)
                        return diagnosis_set(d, -E2BIG, "There are more than %d ranges", ENABLE_RANGES_MAX);
                r = enable_times_parse_range(word, after, &t->ranges[t->n_ranges], d);
                if (r < 0)
                        return r;
                after = t->ranges[t->n_ranges++].to;
        }
        return 0;
}

static int enable_times_set_one(EnableTimes *t, usec_t from) {
        t->ranges = malloc(sizeof(EnableRange));
        if (!t->ranges)
                return -ENOMEM;
        t->ranges[t->n_ranges++] = (EnableRange) { .from = from, .to = USEC_INFINITY };
        return 0;
}

int enable_times_parse(EnableTimes *t, const char *value, Diagnosis *d) {
        EnableTimes parsed = {};
        usec_t from = 0;
        int r = 0;

        if (streq(value, "-1"))
                r = enable_times_set_one(&parsed, USEC_INFINITY);
        else if (enable_times_parse_msec(value, &from) >= 0)
                r = from > 0 ? enable_times_set_one(&parsed, from) : 0;
        else if (strchr(value, '-'))
                r = enable_times_parse_ranges(&parsed, value, d);
        else
                r = diagnosis_set(d, -EINVAL, "`%s' is neither a number of milliseconds, nor -1, nor ranges as 10-20,30-40", value);
        if (r < 0) {
                enable_times_done(&parsed);
                return r;
        }
        enable_times_done(t);
        *t = parsed;
        return 0;
}
