/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A timeline keeps moments as they come. */

#include "sample-timeline.h"

#include "array.h"
#include "record-layout.h"
#include "utf8.h"

int timeline_begin_recording(Timeline *t, const PerfDataReader *reader) {
        return time_axis_begin_recording(&t->axis, reader);
}

static int keep_mark(Timeline *t, TimelineMarkKind kind, const PerfSample *of, bool thread, uint64_t value) {
        if (of->time == 0)
                return 0; /* what was true at the beginning did not happen */
        if (ARRAY_RESERVE(t->marks, t->allocated_marks, t->n_marks + 1) < 0)
                return -ENOMEM;
        t->marks[t->n_marks++] = (TimelineMark) {
                .kind = kind, .pid = thread ? of->pid : TIMELINE_NO_THREAD, .tid = thread ? of->tid : TIMELINE_NO_THREAD,
                .time = time_axis_of(&t->axis, of->time), .value = value,
        };
        return 0;
}

static int keep_exec(Timeline *t, const PerfRecordComm *comm, const PerfSample *trailer) {
        char name[THREAD_NAME_SIZE];
        uint32_t number;
        int r;

        if (!(comm->header.misc & PERF_RECORD_MISC_COMM_EXEC))
                return 0;
        (void) utf8_line_to(name, sizeof(name), comm->name);
        r = byte_pool_intern(&t->names, name, strlen(name) + 1, &number);
        return r < 0 ? r : keep_mark(t, TIMELINE_EXEC, trailer, true, number);
}

static int timeline_keep_record(Timeline *t, const struct perf_event_header *record, const PerfSample *trailer) {
        bool out;

        switch (record->type) {
        case PERF_RECORD_LOST:
                return keep_mark(t, TIMELINE_LOST, trailer, false, ((const PerfRecordLost *) record)->lost);
        case PERF_RECORD_LOST_SAMPLES:
                return keep_mark(t, TIMELINE_LOST, trailer, false, ((const PerfRecordLostSamples *) record)->lost);
        case PERF_RECORD_THROTTLE:
                return keep_mark(t, TIMELINE_THROTTLED, trailer, false, 0);
        case PERF_RECORD_UNTHROTTLE:
                return keep_mark(t, TIMELINE_UNTHROTTLED, trailer, false, 0);
        case PERF_RECORD_COMM:
                return keep_exec(t, (const void *) record, trailer);
        case PERF_RECORD_SWITCH:
        case PERF_RECORD_SWITCH_CPU_WIDE:
                out = record->misc & PERF_RECORD_MISC_SWITCH_OUT;
                return keep_mark(t, out ? TIMELINE_SWITCHED_OUT : TIMELINE_SWITCHED_IN, trailer, true, 0);
        default:
                return 0;
        }
}

int timeline_take(Timeline *t, const Moment *m, uint32_t row) {
        if (!moment_is_sample(m))
                return timeline_keep_record(t, m->record, m->sample);
        if (row == SAMPLE_NO_ROW || t->without_samples)
                return 0;
        if (t->moments)
                return sample_moments_add(t->moments, time_axis_of(&t->axis, m->time), row);
        if (ARRAY_RESERVE(t->samples, t->allocated, t->n + 1) < 0)
                return -ENOMEM;
        t->samples[t->n++] = (TimelineSample) {
                .time = time_axis_of(&t->axis, m->time), .period = m->sample->period, .row = row,
        };
        return 0;
}

void timeline_done(Timeline *t) {
        free(t->samples);
        free(t->marks);
        byte_pool_done(&t->names);
        *t = (Timeline) {};
}

static int timeline_compare_samples(const void *a, const void *b, void *userdata) {
        const TimelineSample *x = a, *y = b;
        const SampleRow *rows = userdata, *i = rows + x->row, *j = rows + y->row;

        if (i->thread != j->thread)
                return i->thread < j->thread ? -1 : 1;
        if (x->time != y->time)
                return x->time < y->time ? -1 : 1;
        return x->row < y->row ? -1 : x->row > y->row;
}

void timeline_sort_samples(Timeline *t, const SampleTable *table) {
        SampleRow *rows = (SampleRow *) sample_table_rows(table, &(size_t) { 0 });

        if (t->n > 0)
                qsort_r(t->samples, t->n, sizeof(*t->samples), timeline_compare_samples, rows);
}

static int compare_threads(const TimelineMark *m, uint32_t pid, uint32_t tid) {
        if (m->pid != pid)
                return m->pid < pid ? -1 : 1;
        return m->tid < tid ? -1 : m->tid > tid;
}

static int compare_marks(const void *a, const void *b) {
        const TimelineMark *x = a, *y = b;
        int order = compare_threads(x, y->pid, y->tid);

        return order != 0 ? order : x->time < y->time ? -1 : x->time > y->time;
}

void timeline_sort_marks(Timeline *t) {
        if (t->n_marks > 0)
                qsort(t->marks, t->n_marks, sizeof(*t->marks), compare_marks);
}

const TimelineMark *timeline_marks(const Timeline *t, uint32_t pid, uint32_t tid, size_t *ret_n) {
        size_t first = LOWER_BOUND(t->n_marks, i, compare_threads(t->marks + i, pid, tid) < 0);
        size_t end = LOWER_BOUND(t->n_marks, i, compare_threads(t->marks + i, pid, tid) <= 0);

        *ret_n = end - first;
        return t->n_marks > 0 ? t->marks + first : NULL;
}

uint64_t timeline_first(const Timeline *t) {
        uint64_t first = UINT64_MAX;

        for (size_t i = 0; i < t->n; i++)
                first = MIN_OF(first, t->samples[i].time);
        for (size_t i = 0; i < t->n_marks; i++)
                first = MIN_OF(first, t->marks[i].time);
        return first == UINT64_MAX ? 0 : first;
}
