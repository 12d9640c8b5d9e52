/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The order of a sample's fields is that of the comment on PERF_RECORD_SAMPLE in linux/perf_event.h. All fields up to
 * the call chain have a fixed size, except the counts of a group, whose number is in the sample. So have those from the
 * control group on, except AUX data. */

#include "sample-layout.h"

/* Takes the next place if the sample has that field. */
static int place(const struct perf_event_attr *attr, uint64_t field, unsigned *next) {
        return attr->sample_type & field ? (int) (*next)++ : -1;
}

void sample_layout_init(SampleLayout *l, const struct perf_event_attr *attr) {
        bool reads = attr->sample_type & PERF_SAMPLE_READ, cgroup = attr->sample_type & PERF_SAMPLE_CGROUP;
        bool page = attr->sample_type & PERF_SAMPLE_DATA_PAGE_SIZE, code_page = attr->sample_type & PERF_SAMPLE_CODE_PAGE_SIZE;
        unsigned next = 0;
        uint64_t format = attr->read_format;
        int identifier, id;

        identifier = place(attr, PERF_SAMPLE_IDENTIFIER, &next);
        l->ip = place(attr, PERF_SAMPLE_IP, &next);
        l->tid = place(attr, PERF_SAMPLE_TID, &next);
        l->time = place(attr, PERF_SAMPLE_TIME, &next);
        (void) place(attr, PERF_SAMPLE_ADDR, &next);
        id = place(attr, PERF_SAMPLE_ID, &next);
        (void) place(attr, PERF_SAMPLE_STREAM_ID, &next);
        l->cpu = place(attr, PERF_SAMPLE_CPU, &next);
        l->period = place(attr, PERF_SAMPLE_PERIOD, &next);
        l->id = identifier >= 0 ? identifier : id;
        l->callchain_floats = attr->sample_type & PERF_SAMPLE_CALLCHAIN && reads && format & PERF_FORMAT_GROUP;
        l->callchain = -1;
        if (reads && !l->callchain_floats)
                next += 1 + !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING) +
                        !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
        if (!l->callchain_floats)
                l->callchain = place(attr, PERF_SAMPLE_CALLCHAIN, &next);
        l->words = next;
        l->cgroup_floats = cgroup && attr->sample_type & PERF_SAMPLE_AUX;
        l->cgroup = cgroup && !l->cgroup_floats ? (unsigned) (1 + page + code_page) : 0;
}
