/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>

/* Kinds of events that recorders and readers treat differently. */

/* Returns whether the event has no samples: recorders have it report processes and mappings. */
static inline bool attr_is_dummy(const struct perf_event_attr *a) {
        return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;
}

/* Returns whether the event needs a counter of the CPU. */
static inline bool attr_is_counter(const struct perf_event_attr *a) {
        return a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE || a->type == PERF_TYPE_RAW;
}
