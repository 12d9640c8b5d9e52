/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The number and the time are behind the last ">", since terms and symbols of events may have one. */

#include "parse-counter.h"

#include "parse-number.h"

int parse_counter(const char *s, char **ret_event, uint64_t *ret_threshold, usec_t *ret_window, Diagnosis *d) {
        const char *above = strrchr(s, '>'), *slash = above ? strchr(above, '/') : NULL;
        _cleanup_free_ char *event = NULL, *number = NULL;
        uint64_t threshold;
        usec_t window;

        if (!slash || above == s)
                return diagnosis_set(d, -EINVAL, "not EVENT>NUMBER/TIME, such as context-switches>200000/1s");
        event = strndup(s, (size_t) (above - s));
        number = strndup(above + 1, (size_t) (slash - above - 1));
        if (!event || !number)
                return -ENOMEM;
        if (parse_uint64(number, &threshold) < 0 || parse_timespan(slash + 1, &window) < 0)
                return diagnosis_set(d, -EINVAL, "not EVENT>NUMBER/TIME, such as context-switches>200000/1s");
        if (window < COUNTER_WINDOW_MIN || window > COUNTER_WINDOW_MAX)
                return diagnosis_set(d, -EINVAL, "the time of a counter is from 100ms to 1h");
        *ret_event = steal_ptr(event);
        *ret_threshold = threshold;
        *ret_window = window;
        return 0;
}
