/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The order of records is that of perf stat record 6.1. Readers find an event by the id of a STAT record, and the place of its
 * count by the CPU and the number of the thread, so that one id is enough for an event. One that is not supported has it, too, so
 * that a stream can name it; readers see by the missing STAT records that it was not counted. */

#include "count-records.h"

#include "array.h"

static uint64_t id_of(size_t event) {
        return 1 + event;
}

int count_records_events(const CountLayout *l, PerfDataEvent **ret) {
        PerfDataEvent *events = calloc(1, l->n_events * (sizeof(*events) + sizeof(uint64_t)) + 1);
        uint64_t *ids;

        if (!events)
                return -ENOMEM;
        ids = (uint64_t *) (events + l->n_events);
        for (size_t i = 0; i < l->n_events; i++) {
                const CountEvent *e = l->events + i;

                ids[i] = id_of(i);
                events[i] = (PerfDataEvent) {
                        .attr = e->attr, .ids = ids + i, .n_ids = 1, .name = e->name, .group_members = e->group_members,
                        .group_name = e->group_name,
                };
                events[i].attr.sample_type = PERF_SAMPLE_IDENTIFIER; /* without it perf refuses several events */
        }
        *ret = events;
        return 0;
}

static int put_event(RecordBuffer *b, const CountLayout *l, size_t event, bool named) {
        const CountEvent *e = l->events + event;
        uint64_t id = id_of(event);
        int r = e->unit && *e->unit ? record_put_event_unit(b, id, e->unit) : 0;

        if (r >= 0 && e->scale != 1)
                r = record_put_event_scale(b, id, e->scale);
        if (r >= 0 && e->n_cpus > 0 && l->cpus[0] >= 0) /* otherwise its counts are of any CPU, which is not among these */
                r = record_put_event_cpus(b, id, e->cpus, e->n_cpus);
        return r >= 0 && named ? record_put_event_name(b, id, e->name) : r;
}

int count_records_put_layout(RecordBuffer *b, const CountLayout *l, const CountConfig *config, bool names) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < l->n_events; i++)
                r = put_event(b, l, i, names);
        if (r >= 0)
                r = record_put_thread_map(b, l->threads, l->n_threads);
        if (r >= 0)
                r = record_put_cpu_map(b, l->cpus, l->n_cpus);
        return r < 0 ? r : record_put_stat_config(b, config->placing, config->interval, !config->no_scale);
}

/* perf's order has all events of a CPU together. */
int count_records_put_round(RecordBuffer *b, const CountLayout *l, const Count *counts, bool final, uint64_t time) {
        for (size_t cpu = 0; cpu < l->n_cpus; cpu++)
                for (size_t event = 0; event < l->n_events; event++) {
                        const CountEvent *e = l->events + event;
                        const Count *c = counts + count_layout_place(l, event, cpu, 0);
                        bool everywhere = e->n_cpus == 0 || l->cpus[cpu] < 0;
                        int r = 0;

                        if (!e->supported || (!everywhere && !ANY_OF(e->n_cpus, i, e->cpus[i] == l->cpus[cpu])))
                                continue;
                        for (size_t thread = 0; r >= 0 && thread < l->n_threads; thread++, c++)
                                r = record_put_stat(b, id_of(event), l->cpus[cpu], (uint32_t) thread,
                                                    (const uint64_t[]) { c->value, c->enabled, c->running });
                        if (r < 0)
                                return r;
                }
        return record_put_stat_round(b, final, time);
}
