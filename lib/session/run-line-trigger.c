/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From [Trigger] to options of perf-recorder-worker. perf has none of these. */

#include "run-line-trigger.h"

#include <inttypes.h>
#include "parse-number.h"

/* If only one of the two keys is set, the other has the recorder's default. */
#define LIMIT_BURST 5
#define LIMIT_INTERVAL USEC_PER_MINUTE

static int add_pressure(char ***line, const char *resource, const char *pressure, const char *group) {
        if (!pressure)
                return 0;
        return strv_extendf(line, "--trigger-pressure=%s:%s%s%s", resource, pressure, group ? ":" : "", group ?: "");
}

int run_line_add_triggers(char ***line, const TriggerSettings *t, const char *group) {
        bool has_interval = t->limit_interval != USEC_INFINITY, has_burst = t->limit_burst != TRIGGER_LIMIT_UNSET;
        int k = t->signal > 0 ? strv_extendf(line, "--trigger-signal=%s", signal_name(t->signal)) : 0;

        STRV_FOREACH(event, t->events)
                if (k >= 0)
                        k = strv_extendf(line, "--trigger-event=%s", *event);
        STRV_FOREACH(file, t->bpf)
                if (k >= 0)
                        k = strv_extendf(line, "--trigger-bpf=%s", *file);
        if (k >= 0)
                k = add_pressure(line, "cpu", t->cpu_pressure, group);
        if (k >= 0)
                k = add_pressure(line, "memory", t->memory_pressure, group);
        if (k >= 0)
                k = add_pressure(line, "io", t->io_pressure, group);
        if (k >= 0 && t->delay > 0)
                k = strv_extendf(line, "--trigger-delay=%" PRIu64 "us", t->delay);
        if (k >= 0 && (has_interval || has_burst))
                k = strv_extendf(line, "--trigger-limit=%u/%" PRIu64 "us", has_burst ? t->limit_burst : LIMIT_BURST,
                                 has_interval ? t->limit_interval : LIMIT_INTERVAL);
        if (k >= 0 && t->also)
                k = strv_extend(line, "--trigger-announce");
        if (k >= 0 && t->overlap)
                k = strv_extend(line, "--trigger-overlap");
        if (k >= 0 && t->shutdown == 0)
                k = strv_extend(line, "--no-trigger-shutdown");
        return k;
}
