/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The beginning of each file, in the order of perf's record__synthesize(): clock, ids, kernel, units of events,
 * threads, CPUs, processes; then FINISHED_INIT, after which the kernel's own records follow. */

#include "preamble.h"

#include "array.h"
#include "log.h"
#include "process.h"
#include "synthesis.h"

#define PLACING_ALL 1u /* AGGR_GLOBAL of perf's enum aggr_mode: counts of all CPUs are shown as one, unless others are asked for */

/* The conversion of the CPU's counter to time, if the kernel has one: perf needs it to read traces. */
static int preamble_put_time_conversion(const EventSet *set, RecordBuffer *b) {
        const struct perf_event_mmap_page *page = set->n_rings > 0 ? set->rings[0].page : NULL;
        RecordTimeConversion c = {};
        uint32_t sequence;

        if (!page)
                return 0;
        do {
                sequence = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
                c.shift = page->time_shift;
                c.mult = page->time_mult;
                c.zero = page->time_zero;
                c.cycles = page->time_cycles;
                c.mask = page->time_mask;
                c.cap_user_time_zero = page->cap_user_time_zero;
                c.cap_user_time_short = page->cap_user_time_short;
                __atomic_thread_fence(__ATOMIC_ACQUIRE);
        } while (__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != sequence || (sequence & 1));

        return c.cap_user_time_zero ? record_put_time_conversion(b, &c) : 0;
}

static int preamble_put_ids(const EventSet *set, RecordBuffer *b) {
        _cleanup_free_ RecordIdIndexEntry *entries = calloc(set->n_events + 1, sizeof(RecordIdIndexEntry));
        size_t n = 0;

        if (!entries)
                return -ENOMEM;
        for (size_t m = 0; m < set->n_members; m++)
                for (size_t i = 0; i < set->n_events; i++) {
                        const Event *e = &set->events[i];

                        if (e->member == m && (!set->members[m].closed || e->id > 0))
                                entries[n++] = (RecordIdIndexEntry) {
                                        .id = e->id, .index = e->ring, .cpu = e->cpu, .tid = e->tid,
                                };
                }
        return record_put_id_index(b, entries, n);
}

static uint64_t set_first_id(const EventSet *set, size_t member) {
        for (size_t i = 0; i < set->n_events; i++)
                if (set->events[i].member == member)
                        return event_set_file_id(set, i);
        return 0;
}

/* The unit and scale of an event's counts, and its CPUs if it is on some only. */
static int preamble_put_update(const EventSpec *spec, uint64_t id, RecordBuffer *b) {
        int r = 0;

        if (!spec)
                return 0;
        if (spec->unit)
                r = record_put_event_unit(b, id, spec->unit);
        if (r >= 0 && spec->scale != 1)
                r = record_put_event_scale(b, id, spec->scale);
        if (r >= 0 && spec->n_cpus > 0)
                r = record_put_event_cpus(b, id, spec->cpus, spec->n_cpus);
        return r;
}

static int preamble_put_updates(const PreambleOptions *o, RecordBuffer *b) {
        int r = 0;

        for (size_t m = 0; m < o->set->n_members && r >= 0; m++) {
                uint64_t id = set_first_id(o->set, m);

                r = preamble_put_update(o->set->members[m].spec, id, b);
                if (r >= 0 && o->event_names)
                        r = record_put_event_name(b, id, o->set->members[m].name);
        }
        return r;
}

static int preamble_put_threads(const PreambleOptions *o, RecordBuffer *b) {
        const EventSet *set = o->set;
        _cleanup_free_ RecordThread *threads = calloc(set->n_tids + 1, sizeof(RecordThread));
        _cleanup_free_ char (*comms)[PROCESS_COMM_SIZE] = calloc(set->n_tids + 1, PROCESS_COMM_SIZE);
        bool named = target_has_task(o->target);

        if (!threads || !comms)
                return -ENOMEM;
        for (size_t i = 0; i < set->n_tids; i++) {
                if (named)
                        (void) process_read_comm(o->root, set->tids[i], set->tids[i], comms[i]);
                threads[i] = (RecordThread) { .tid = set->tids[i], .comm = comms[i] };
        }
        return record_put_thread_map(b, threads, set->n_tids);
}

static int preamble_put_ids_and_time(const EventSet *set, RecordBuffer *b) {
        int r = preamble_put_time_conversion(set, b);

        return r < 0 ? r : preamble_put_ids(set, b);
}

/* The units of counts, and the threads and CPUs of the events. */
static int preamble_put_places(const PreambleOptions *o, RecordBuffer *b) {
        int r = preamble_put_updates(o, b);

        if (r >= 0)
                r = preamble_put_threads(o, b);
        return r < 0 ? r : record_put_cpu_map(b, o->set->cpus, o->set->n_cpus);
}

bool preamble_needs_kernel(const EventSet *set) {
        return ANY_OF(set->n_members, m, !set->members[m].attr.exclude_kernel);
}

static int preamble_put_kernel(const EventSet *set, const Synthesis *s) {
        static bool warned;
        int r;

        if (!preamble_needs_kernel(set))
                return 0;
        r = synthesis_put_kernel(s);
        if (r == -ENOMEM)
                return r;
        if (r < 0 && !warned) {
                log_warning("Couldn't record kernel reference relocation symbol: %s. Kernel symbols may not be resolved: "
                            "check kernel.kptr_restrict and the permissions of /proc/kallsyms.", strerror(-r));
                warned = true;
        }
        return 0;
}

static int preamble_put_tasks(const PreambleOptions *o, const Synthesis *s) {
        if (target_has_task(o->target))
                return synthesis_put_threads(s, o->set->tids, o->set->n_tids);
        if (target_has_cpu(o->target))
                return synthesis_put_all(s);
        if (o->command_runs > 0)
                return synthesis_put_threads(s, &o->command_runs, 1);
        return 0;
}

/* The kinds of side band that the kernel records from now on are those to synthesize. */
static const struct perf_event_attr *set_tracking_attr(const EventSet *set) {
        for (size_t m = 0; m < set->n_members; m++)
                if (set->members[m].tracking)
                        return &set->members[m].attr;
        return &set->members[0].attr;
}

static int preamble_put_cgroups_of(const PreambleOptions *o, const Synthesis *s) {
        return set_tracking_attr(o->set)->cgroup ? synthesis_put_cgroups(s, NULL) : 0;
}

static int preamble_put_groups_and_tasks(const PreambleOptions *o, const Synthesis *s) {
        int r = 0;

        if (o->programs)
                r = synthesis_put_bpf(s, o->programs, o->no_bpf_event);
        if (r >= 0)
                r = preamble_put_cgroups_of(o, s);
        if (r >= 0)
                r = preamble_put_tasks(o, s);
        if (r >= 0 && o->command > 0)
                r = synthesis_put_comm(s, o->command);
        return r;
}

static int preamble_put_all(const PreambleOptions *o, const Synthesis *s) {
        RecordBuffer *b = s->b;
        int r = preamble_put_ids_and_time(o->set, b);

        if (r >= 0)
                r = preamble_put_kernel(o->set, s);
        if (r >= 0)
                r = preamble_put_places(o, b);
        if (r >= 0)
                r = preamble_put_groups_and_tasks(o, s);
        if (r >= 0)
                r = record_put_finished_init(b);
        return r;
}

static int preamble_put_sideband_of(const PreambleOptions *o, const Synthesis *s) {
        int r = preamble_put_kernel(o->set, s);

        return r < 0 ? r : preamble_put_groups_and_tasks(o, s);
}

static int preamble_put_modules_of(const PreambleOptions *o, const Synthesis *s) {
        return preamble_needs_kernel(o->set) ? synthesis_put_modules(s) : 0;
}

static int preamble_put_processes_of(const PreambleOptions *o, const Synthesis *s) {
        return synthesis_put_processes(s, o->processes, o->n_processes);
}

static int preamble_with_sideband(const PreambleOptions *o, RecordBuffer *b,
                                  int (*put)(const PreambleOptions *o, const Synthesis *s)) {
        _cleanup_(build_id_cache_freep) BuildIdCache *cache = NULL;
        const struct perf_event_attr *first = &o->set->members[0].attr, *tracking = set_tracking_attr(o->set);
        SynthesisRoom room = {};
        Synthesis s = {
                .root = o->root,
                .map_timeout = o->map_timeout,
                .trailer.sample_type = first->sample_type,
                .data = tracking->mmap_data,
                .namespaces = tracking->namespaces,
                .build_ids = tracking->build_id,
                .b = b,
                .room = &room,
                .left_out = o->left_out,
                .userdata = o->userdata,
        };

        if (s.build_ids) {
                int r = build_id_cache_new(o->root, &cache);

                if (r < 0)
                        return r;
                s.cache = cache;
        }
        return put(o, &s);
}

int preamble_put(const PreambleOptions *o, RecordBuffer *b) {
        return preamble_with_sideband(o, b, preamble_put_all);
}

int preamble_put_events(const PreambleOptions *o, RecordBuffer *b) {
        bool counts = event_set_counts(o->set);
        int r = counts ? 0 : preamble_put_ids_and_time(o->set, b);

        if (r >= 0)
                r = preamble_put_places(o, b);
        return r >= 0 && counts ? record_put_stat_config(b, PLACING_ALL, o->interval, true) : r;
}

int preamble_put_sideband(const PreambleOptions *o, RecordBuffer *b) {
        return event_set_counts(o->set) ? 0 : preamble_with_sideband(o, b, preamble_put_sideband_of);
}

int preamble_put_modules(const PreambleOptions *o, RecordBuffer *b) {
        return event_set_counts(o->set) ? 0 : preamble_with_sideband(o, b, preamble_put_modules_of);
}

int preamble_put_processes(const PreambleOptions *o, RecordBuffer *b) {
        return preamble_with_sideband(o, b, preamble_put_processes_of);
}

int preamble_put_cgroups(const PreambleOptions *o, RecordBuffer *b) {
        return preamble_with_sideband(o, b, preamble_put_cgroups_of);
}
