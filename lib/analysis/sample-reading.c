/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Recordings are read into a table by a cursor, which has libraries behind it that those who count what happens now do not
 * need. */

#include "sample-table-parts.h"

#include "utf8.h"

#define HOST_NAME_SIZE ((size_t) 256)

/* Returns the CPUs that the machine may have, the first number of NRCPUS; 0: not known. */
static uint32_t count_cpus(const PerfDataReader *reader) {
        const void *data;
        uint32_t n = 0;
        size_t size;

        if (perf_data_reader_feature(reader, PERF_FEATURE_NRCPUS, &data, &size) >= 0 && size >= sizeof(n))
                memcpy(&n, data, sizeof(n));
        return n;
}

/* The idle time counts on its own, even where it is left out. */
static int table_begin_replay(SampleTable *t, PerfDataReader *reader, const SampleReading *reading, Replay **ret) {
        const unsigned by = t->plan.dimensions;
        ReplayNeeds needs = {
                .fields = reading->fields | (reading->labels ? PERF_SAMPLE_RAW : 0),
                .records = reading->records |
                        (by & SAMPLE_BY_PARALLELISM ? 1u << PERF_RECORD_SWITCH | 1u << PERF_RECORD_SWITCH_CPU_WIDE : 0),
                .chains = !(by & SAMPLE_WITHOUT_CHAIN),
                .together = by & (SAMPLE_EACH_BRANCH | SAMPLE_PERIOD_IS_WEIGHT),
        };
        SampleSelection selection = reading->selection ? *reading->selection : (SampleSelection) {};

        sample_facets_need(t->plan.facets | (by & SAMPLE_EACH_BRANCH ? FACET_BRANCH_FROM : 0) |
                                   (by & SAMPLE_PERIOD_IS_WEIGHT ? FACET_WEIGHT : 0), &needs);
        t->recording.no_idle = selection.no_idle;
        selection.no_idle = false;
        return replay_new(reader, &(ReplayOptions) {
                .selection = &selection, .others = reading->all ? MOMENT_OTHER_TIME : MOMENT_OTHER_TASK, .needs = &needs,
                .machine = &t->machine, .stacks = reading->stacks, .watcher = reading->watcher,
        }, ret);
}

static const void *replay_get_chain(void *source, uint32_t number, size_t *ret_n) {
        return replay_chain(source, number, ret_n);
}

static void replay_free_source(void *source) {
        replay_free(source);
}

int sample_table_begin(SampleTable *t, PerfDataReader *reader, const SampleReading *reading, Replay **ret) {
        const char *name;
        _cleanup_free_ char *host = utf8_line(perf_data_reader_feature_string(reader, PERF_FEATURE_HOSTNAME, &name) < 0 ? "" : name,
                                              SIZE_MAX, HOST_NAME_SIZE);
        int r;

        sample_table_forget_recording(t);
        t->recording.facets.chunks.used = true;
        t->recording.n_cpus = count_cpus(reader);
        r = host ? byte_pool_intern(&t->hosts, host, strlen(host) + 1, &t->recording.host) : -ENOMEM;
        if (r >= 0)
                r = sample_events_add(&t->events, reader, &t->recording.numbers);
        if (r >= 0)
                r = table_begin_replay(t, reader, reading, ret);
        if (r < 0)
                return r;
        t->recording.source = *ret;
        t->recording.get_chain = replay_get_chain;
        t->recording.free_source = replay_free_source;
        return 0;
}

SampleTotals sample_table_end(SampleTable *t) {
        SampleTotals totals = {};

        if (t->recording.source)
                totals = *replay_totals(t->recording.source);
        totals.lightened = t->recording.lightened;
        sample_totals_add(&t->totals, &totals);
        sample_table_forget_recording(t);
        return totals;
}

int sample_table_read(SampleTable *t, PerfDataReader *reader, const SampleReading *reading) {
        Replay *replay;
        Moment m;
        int r = sample_table_begin(t, reader, reading, &replay);

        while (r >= 0 && (r = replay_next(replay, &m)) == 1)
                if (moment_is_sample(&m))
                        r = sample_table_count(t, &m, NULL, &(uint32_t) { 0 });
        (void) sample_table_end(t);
        return r;
}
