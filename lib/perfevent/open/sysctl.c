/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's settings for recordings: kernel/perf_event_paranoid, perf_event_mlock_kb, perf_event_max_sample_rate,
 * perf_event_max_stack. They are read each time, as they may change while we run. */

#include "sysctl.h"

#include "fd-file.h"
#include "parse-number.h"

int sysctl_read(const char *name, int fallback) {
        _cleanup_free_ char *path = path_join("/proc/sys", name), *text = NULL;
        int v;

        if (!path || read_file(path, 64, &text, NULL) < 0)
                return fallback;
        text[strcspn(text, "\n")] = 0;
        return parse_int(text, &v) < 0 ? fallback : v;
}
