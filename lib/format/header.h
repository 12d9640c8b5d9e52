/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "cleanup.h"
#include "format.h"

/* An event as the file describes it. The pointers are the caller's and stay valid as long as whoever was given the
 * event needs it: a writer until it is freed, a feature call until it returns. */
typedef struct PerfDataEvent {
        struct perf_event_attr attr; /* as it was opened */
        const uint64_t *ids;         /* one per descriptor of the event (PERF_EVENT_IOC_ID) */
        size_t n_ids;
        const char *name;            /* as perf evlist shows it */
        unsigned group_members;      /* the leader of a group {a,b}: events in it, itself included; else 0 or 1 */
        const char *group_name;      /* of a leader; NULL: "{anon_group}" */
} PerfDataEvent;

/* Everything that precedes the data, as perf lays it out: header, ids, attributes. The header says that there is no data
 * and no feature yet. A new block of *ret_size bytes, the file's first. -ENOMEM, -E2BIG (more ids than 64 MiB hold). */
int perf_data_header_build(const PerfDataEvent *events, size_t n_events, void **ret, size_t *ret_size);

static inline bool perf_data_header_has_feature(const PerfFileHeader *h, unsigned feature) {
        return feature < PERF_FEATURE_WORDS * 64 && (h->features[feature / 64] >> (feature % 64) & 1);
}

static inline void perf_data_header_set_feature(PerfFileHeader *h, unsigned feature) {
        h->features[feature / 64] |= UINT64_C(1) << (feature % 64);
}
