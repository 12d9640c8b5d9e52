/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Parts of an attribute that a kernel since Linux 5.8, or a PMU, may lack, and what is recorded then. The kernel
 * returns only EINVAL, so one feature after the other is given up until it accepts the attribute, the newest first, as
 * perf record does (evsel__detect_missing_features() of 6.1). A feature that the user named is not given up: the
 * recording fails. */

#include "attr.h"

#include <time.h>

void attr_drop_missing(struct perf_event_attr *attr, const AttrMissing *missing) {
        if (missing->read_lost)
                attr->read_format &= ~(uint64_t) PERF_FORMAT_LOST;
        if (missing->build_id)
                attr->build_id = false;
        if (missing->weight_struct && (attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT)) {
                attr->sample_type &= ~(uint64_t) PERF_SAMPLE_WEIGHT_STRUCT;
                attr->sample_type |= PERF_SAMPLE_WEIGHT;
        }
        if (missing->exclude_guest)
                attr->exclude_guest = attr->exclude_host = false;
        if (missing->branch_flags)
                attr->branch_sample_type &= ~(uint64_t) (PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES);
        if (missing->group_read && attr->inherit)
                attr->read_format &= ~(uint64_t) (PERF_FORMAT_GROUP | PERF_FORMAT_ID);
}

/* Returns the reason if a feature that the user asked for may be missing. This is stricter than perf, which takes
 * another clock. */
static const char *asked_for(const struct perf_event_attr *attr, bool keep_guest) {
        if (attr->use_clockid && attr->clockid != CLOCK_MONOTONIC && attr->clockid != CLOCK_MONOTONIC_RAW)
                return "it can't be timed by this clock (-k); monotonic and monotonic_raw are for all events";
        if (attr->sample_type & PERF_SAMPLE_CODE_PAGE_SIZE)
                return "this kernel may have no page sizes of code in samples (--code-page-size, since Linux 5.11)";
        if (attr->sample_type & PERF_SAMPLE_DATA_PAGE_SIZE)
                return "this kernel may have no page sizes of data in samples (--data-page-size, since Linux 5.11)";
        if (keep_guest && (attr->exclude_guest || attr->exclude_host))
                return "this counter can't tell guest from host (modifiers G and H)";
        return NULL;
}

bool attr_give_up_feature(AttrMissing *missing, const struct perf_event_attr *attr, bool keep_guest, const char **ret_why) {
        const struct {
                bool *missing, used;
        } features[] = { /* since Linux … */
                { &missing->read_lost, attr->read_format & PERF_FORMAT_LOST },               /* 6.0 */
                { &missing->build_id, attr->build_id },                                      /* 5.12 */
                { &missing->weight_struct, attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT },  /* 5.12 */
                /* PMUs that count for the whole machine, such as power or msr, exclude nothing (PERF_PMU_CAP_NO_EXCLUDE). */
                { &missing->exclude_guest, !keep_guest && (attr->exclude_guest || attr->exclude_host) },
                { &missing->branch_flags, /* some CPUs */
                  attr->branch_sample_type & (PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES) },
                { &missing->group_read, attr->inherit && (attr->read_format & PERF_FORMAT_GROUP) },
        };

        for (size_t i = 0; i < ELEMENTSOF(features); i++)
                if (features[i].used && !*features[i].missing)
                        return *features[i].missing = true;
        *ret_why = asked_for(attr, keep_guest);
        return false;
}
