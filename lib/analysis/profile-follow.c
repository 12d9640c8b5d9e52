/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Processes and their maps follow the side band in the order of time, so that a pid that was used twice, and a program
 * that was replaced by exec, have their own; every sample is counted for its process and for the place that it hit. */

#include "array.h"
#include "map-record.h"
#include "process-rules.h"
#include "profile-parts.h"

#define PLACES_MAX (16u << 20)

static int add_place(Profile *p, const ProfilePlace *place, uint32_t *ret) {
        if (p->n_places >= PLACES_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE(p->places, p->places_allocated, p->n_places + 1) < 0)
                return -ENOMEM;
        p->places[p->n_places] = *place;
        *ret = (uint32_t) p->n_places++;
        return 0;
}

/* A map beyond the limits of a table counts as not mapped. */
static int add_map(Profile *p, const DsoHit *dso, ProfilePlace place, uint64_t length) {
        Process *process;
        uint32_t number;
        int r = dso_table_intern(&p->dsos, dso, &place.dso);

        if (r >= 0)
                r = process_table_get(&p->names.table, dso->pid, &process);
        if (r >= 0)
                r = add_place(p, &place, &number);
        if (r >= 0)
                r = map_list_insert(&process->maps, place.start, place.start + length, number);
        if (r >= 0)
                r = process_table_note_maps(&p->names.table, 1);
        return r == -ENOMEM ? r : 0;
}

/* Anonymous memory has code that the process generated; its runtime may have described it in a file of that name. */
static int take_map(Profile *p, const struct perf_event_header *record) {
        char generated[32];
        MapRecord m;

        if (!map_record_parse(record, p->build_ids, &m))
                return 0;
        if (m.kernel && streq(m.dso.path, "[kernel.kallsyms]") && p->kernel_text == 0)
                p->kernel_text = m.page_offset;
        if (!m.kernel && !m.has_file) {
                (void) snprintf(generated, sizeof(generated), "/tmp/perf-%u.map", m.pid);
                m.dso = (DsoHit) { .path = generated, .cpumode = PERF_RECORD_MISC_USER, .pid = m.pid };
        }
        return add_map(p, &m.dso, (ProfilePlace) { .start = m.start, .page_offset = m.page_offset,
                                                   .absolute = m.kernel || !m.has_file }, m.length);
}

static int take_kernel_symbol(Profile *p, const struct perf_event_header *record) {
        const DsoHit dso = { .path = PROFILE_BPF_PATH, .cpumode = PERF_RECORD_MISC_KERNEL, .pid = MAP_RECORD_KERNEL_PID };
        const PerfRecordKsymbol *k = (const void *) record;
        int r;

        if (!*k->name || k->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER || k->length == 0 || k->address > UINT64_MAX - k->length)
                return 0;
        r = symbol_table_put(p->programs, k->address, k->length, SYMBOL_RANK_GLOBAL, k->name, strlen(k->name));
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return add_map(p, &dso, (ProfilePlace) { .start = k->address, .absolute = true }, k->length);
}

static int take_fork(Profile *p, const struct perf_event_header *record) {
        const PerfRecordTask *task = (const void *) record;
        int r = named_processes_fork(&p->names, task);

        if (r != -ENOMEM)
                r = process_table_fork(&p->names.table, task);
        return r == -ENOMEM ? r : 0;
}

static int take_comm(Profile *p, const struct perf_event_header *record) {
        const PerfRecordComm *comm = (const void *) record;
        Process *process;
        int r;

        if (comm->pid != comm->tid)
                return 0;
        process = process_table_find(&p->names.table, comm->pid);
        if (process && record_is_exec(record))
                process->maps.n = 0;
        r = named_processes_rename(&p->names, comm->pid, comm->name);
        return r == -ENOMEM ? r : 0;
}

static int take_cgroup(Profile *p, const struct perf_event_header *record) {
        const PerfRecordCgroup *cgroup = (const void *) record;

        return filter_state_take_cgroup(&p->filter, cgroup->id, cgroup->path);
}

static int count_unknown(Profile *p, bool kernel) {
        const DsoHit dso = {
                .path = PROFILE_UNKNOWN_PATH, .cpumode = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
        };
        uint32_t number;
        int r = dso_table_intern(&p->dsos, &dso, &number);

        if (r >= 0)
                r = address_counts_add(&p->counts, number, 0, 1);
        return r == -ENOMEM ? r : 0;
}

static int take_sample(Profile *p, const OrderedSample *s) {
        bool kernel = s->cpumode == PERF_RECORD_MISC_KERNEL;
        const char *comm = s->has_pid ? named_processes_comm(&p->names, s->pid) : "";
        const Process *process = process_table_find(&p->names.table, kernel ? MAP_RECORD_KERNEL_PID : s->pid);
        const Map *map = process && s->has_ip ? map_list_find(&process->maps, s->ip) : NULL;
        const ProfilePlace *place;

        if (!filter_state_wants(&p->filter, s, comm))
                return 0;
        p->n_samples++;
        if (filter_state_is_idle(&p->filter, s)) {
                p->n_idle++;
                return 0;
        }
        if (s->has_pid && named_processes_count(&p->names, s->pid) == -ENOMEM)
                return -ENOMEM;
        if (!map)
                return count_unknown(p, kernel);
        place = p->places + map->object;
        return address_counts_add(&p->counts, place->dso, place->absolute ? s->ip : s->ip - place->start + place->page_offset, 1);
}

int profile_follow(void *userdata, uint64_t time, const OrderedSample *sample, const struct perf_event_header *record) {
        Profile *p = userdata;

        if (sample)
                return take_sample(p, sample);
        if (!record_is_whole(record, 0))
                return 0;
        switch (record->type) {
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return take_map(p, record);
        case PERF_RECORD_KSYMBOL:
                return take_kernel_symbol(p, record);
        case PERF_RECORD_FORK:
                return take_fork(p, record);
        case PERF_RECORD_COMM:
                return take_comm(p, record);
        case PERF_RECORD_CGROUP:
                return take_cgroup(p, record);
        default:
                return 0;
        }
}
