/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Two time spans within the limits that Documentation/accounting/psi.rst gives, so that a setting that the kernel would
 * refuse is refused where it is written. */

#include "parse-pressure.h"

int parse_pressure(const char *s, usec_t *ret_threshold, usec_t *ret_window, Diagnosis *d) {
        const char *slash = strchr(s, '/');
        _cleanup_free_ char *first = NULL;
        usec_t threshold, window;

        if (!slash)
                return diagnosis_set(d, -EINVAL, "not THRESHOLD/WINDOW, two time spans such as 150ms/1s");
        first = strndup(s, (size_t) (slash - s));
        if (!first)
                return -ENOMEM;
        if (parse_timespan(first, &threshold) < 0 || parse_timespan(slash + 1, &window) < 0)
                return diagnosis_set(d, -EINVAL, "not THRESHOLD/WINDOW, two time spans such as 150ms/1s");
        if (window < PRESSURE_WINDOW_MIN || window > PRESSURE_WINDOW_MAX)
                return diagnosis_set(d, -EINVAL, "a window of pressure is from 500ms to 10s");
        if (threshold == 0 || threshold > window)
                return diagnosis_set(d, -EINVAL, "a threshold of pressure is above 0 and not above its window");
        *ret_threshold = threshold;
        *ret_window = window;
        return 0;
}
