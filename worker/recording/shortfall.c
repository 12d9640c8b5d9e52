/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The warnings at the end of a recording that lacks something. perf record reports nothing of this (perf report does
 * report lost samples), so that a profile with holes looks like one without. */

#include "shortfall.h"

#include <inttypes.h>

#define PERCENT_OF(part, whole) (100.0 * (double) (part) / (double) (whole))

static int shortfall_describe_lost(const Shortfall *s, char ***lines) {
        if (s->lost == 0)
                return 0;
        if (s->lost_records == PR_COUNTERS_UNKNOWN)
                return strv_extendf(lines, "Lost %" PRIu64 " records, samples or what processes did: there was no room for them in "
                                    "time; larger ring buffers (-m) lose less", s->lost);
        return strv_extendf(lines, "Lost %" PRIu64 " samples (%.1f %%): there was no room for them in time; "
                            "larger ring buffers (-m), fewer events or a lower rate lose less",
                            s->lost, PERCENT_OF(s->lost, s->lost + s->samples));
}

/* Software events never share a counter. Events of threads on a PMU of some CPUs count only while the thread runs on
 * these, which looks the same as sharing, so nothing can be said of them. */
static bool member_may_share(const EventSet *set, const SetMember *m) {
        if (m->attr.type == PERF_TYPE_SOFTWARE || m->attr.type == PERF_TYPE_TRACEPOINT || m->attr.type == PERF_TYPE_BREAKPOINT)
                return false;
        return !m->spec || m->spec->n_cpus == 0 || set->n_tids == 0 || set->tids[0] < 0;
}

/* The two times are read one after the other, so they differ by up to a percent. They are both 0 for events that were never
 * enabled. */
static int shortfall_describe_multiplexed(const EventSet *set, size_t member, char ***lines) {
        uint64_t enabled, running;

        if (!member_may_share(set, &set->members[member]))
                return 0;
        event_set_read_times(set, member, &enabled, &running);
        if (running >= enabled - enabled / 100)
                return 0;
        return strv_extendf(lines, "Event %s counted %.1f %% of the time: it shared the counters of the CPU with other events; "
                            "fewer events at a time count all of it", set->members[member].name, PERCENT_OF(running, enabled));
}

int shortfall_describe(const Shortfall *s, const EventSet *set, char ***lines) {
        int r = shortfall_describe_lost(s, lines);

        if (r >= 0 && s->lost_records > 0 && s->lost_records != PR_COUNTERS_UNKNOWN)
                r = strv_extendf(lines, "%" PRIu64 " records of what processes did were lost: some samples may have no symbols; "
                                 "larger ring buffers (-m) lose less", s->lost_records);
        if (r >= 0 && s->throttled > 0)
                r = strv_extendf(lines, "Sampling was throttled %" PRIu64 " times: the kernel held it back, as "
                                 "kernel.perf_event_max_sample_rate and kernel.perf_cpu_time_max_percent say; "
                                 "a lower rate (-F) avoids it", s->throttled);
        for (size_t i = 0; i < set->n_members && r >= 0; i++)
                r = shortfall_describe_multiplexed(set, i, lines);
        return r;
}
