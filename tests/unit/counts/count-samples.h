/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "count-layout.h"

/* A layout of two CPUs and two threads, and of three events: a group of two, of which the second is counted on one CPU, and one that the
 * kernel does not have. */

static const int sample_cpus[] = { 0, 2 };
static const RecordThread sample_threads[] = { { 17, "bash" }, { 4711, "a long name of a thread" } };

static const CountEvent sample_events[] = {
        { .name = "task-clock", .unit = "msec", .scale = 1e-6, .supported = true, .group_members = 2,
          .attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK } },
        { .name = "page-faults:u", .scale = 1, .supported = true, .cpus = sample_cpus + 1, .n_cpus = 1,
          .attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .exclude_kernel = 1 } },
        { .name = "cycles", .scale = 1,
          .attr = { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES } },
};

static const CountLayout sample_layout = {
        .events = sample_events, .n_events = ELEMENTSOF(sample_events), .cpus = sample_cpus, .n_cpus = ELEMENTSOF(sample_cpus),
        .threads = sample_threads, .n_threads = ELEMENTSOF(sample_threads),
};

/* Counts of one round, each of which is another number. */
static const Count sample_counts[] = {
        { 1000001, 11, 11 }, { 1000002, 12, 12 }, { 1000003, 13, 6 }, { 1000004, 14, 0 },
        { 0, 0, 0 }, { 0, 0, 0 }, { 7, 17, 17 }, { 8, 18, 18 },
        { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 },
};
