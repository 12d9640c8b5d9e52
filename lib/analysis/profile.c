/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From records to counts: the side band is followed first (profile-follow.c); names are looked up at the end, once for
 * each address that was hit. */

#include "profile.h"

#include "profile-parts.h"
#include "recorded-paths.h"
#include "sample.h"

Profile *profile_free(Profile *p) {
        if (!p)
                return NULL;
        for (size_t i = 0; i < p->n_symbols; i++)
                free((char *) p->symbols[i].name);
        free(p->symbols);
        free(p->processes);
        named_processes_done(&p->names);
        dso_table_done(&p->dsos);
        free(p->places);
        address_counts_done(&p->counts);
        filter_state_done(&p->filter);
        symbol_table_free(p->programs);
        free(p);
        return NULL;
}

static uint64_t record_time(const PerfDataEvent *e, const struct perf_event_header *record) {
        PerfSample s;

        return e && sample_parse_trailer(&e->attr, record, &s) >= 0 ? s.time : 0;
}

static int feed_sample(ProfileOrder *o, const PerfDataEvent *e, const struct perf_event_header *record) {
        OrderedSample ordered = { .cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK };
        PerfSample s;

        if (!e || sample_parse(&e->attr, record, &s) < 0)
                return 0;
        ordered.ip = s.ip;
        ordered.has_ip = s.sample_type & PERF_SAMPLE_IP;
        ordered.has_pid = s.sample_type & PERF_SAMPLE_TID;
        ordered.pid = s.pid;
        ordered.tid = s.tid;
        ordered.cgroup = s.cgroup;
        return profile_order_put_sample(o, s.time, &ordered);
}

static int feed_record(ProfileOrder *o, const PerfDataEvent *e, const struct perf_event_header *record) {
        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                return feed_sample(o, e, record);
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
        case PERF_RECORD_KSYMBOL:
        case PERF_RECORD_FORK:
        case PERF_RECORD_COMM:
        case PERF_RECORD_CGROUP:
                return profile_order_put_record(o, record_time(e, record), record);
        case PERF_RECORD_FINISHED_ROUND:
                return profile_order_finish_round(o);
        default:
                return 0;
        }
}

static int read_records(Profile *p, PerfDataReader *reader) {
        _cleanup_(profile_order_freep) ProfileOrder *o = NULL;
        const struct perf_event_header *record;
        size_t cursor = 0;
        int r = profile_order_new(profile_follow, p, &o);

        while (r >= 0 && (r = perf_data_reader_next(reader, &cursor, &record)) == 1)
                r = feed_record(o, perf_data_reader_event_of(reader, record), record);
        return r < 0 ? r : profile_order_finish(o);
}

/* An address that was hit, on its way to the function that it is in. */
typedef struct Hit {
        uint32_t dso;
        uint64_t start; /* of the function; 0: not known */
        const char *name;
        uint64_t samples;
} Hit;

static int hit_resolve(const Profile *p, Symbols *symbols, const DsoHit *dso, const AddressCount *count, Hit *ret) {
        Symbol symbol = {};
        int r = 0;

        if (streq(dso->path, PROFILE_BPF_PATH))
                r = symbol_table_find(p->programs, count->address, &symbol);
        else if (symbols && !streq(dso->path, PROFILE_UNKNOWN_PATH))
                r = symbols_resolve(symbols, dso, count->address, &symbol);
        if (r < 0)
                return r;
        *ret = (Hit) { .dso = count->object, .start = symbol.start, .name = r > 0 ? symbol.name : NULL, .samples = count->count };
        return 0;
}

static int compare_hits(const void *a, const void *b) {
        const Hit *x = a, *y = b;

        if (x->dso != y->dso)
                return x->dso < y->dso ? -1 : 1;
        if (!x->name != !y->name)
                return x->name ? -1 : 1;
        return x->start < y->start ? -1 : x->start > y->start;
}

/* Hits of one function become one. */
static size_t hits_merge(Hit *hits, size_t n) {
        size_t kept = 0;

        if (n > 0)
                qsort(hits, n, sizeof(*hits), compare_hits);
        for (size_t i = 0; i < n; i++)
                if (kept > 0 && compare_hits(hits + kept - 1, hits + i) == 0)
                        hits[kept - 1].samples += hits[i].samples;
                else
                        hits[kept++] = hits[i];
        return kept;
}

static int compare_symbols(const void *a, const void *b) {
        const ProfileSymbol *x = a, *y = b;

        return x->samples > y->samples ? -1 : x->samples < y->samples;
}

static int profile_name_hits(Profile *p, const Hit *hits, size_t n) {
        p->symbols = calloc(n + 1, sizeof(*p->symbols));
        if (!p->symbols)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                const DsoHit *dso = p->dsos.dsos + hits[i].dso;
                ProfileSymbol *s = p->symbols + p->n_symbols++;

                *s = (ProfileSymbol) {
                        .dso = dso->path, .kernel = dso->cpumode == PERF_RECORD_MISC_KERNEL, .samples = hits[i].samples,
                };
                if (hits[i].name && !(s->name = strdup(hits[i].name)))
                        return -ENOMEM;
        }
        qsort(p->symbols, p->n_symbols, sizeof(*p->symbols), compare_symbols);
        return 0;
}

static int profile_resolve(Profile *p, const PerfDataReader *reader, Symbols *symbols) {
        _cleanup_(recorded_paths_done) RecordedPaths paths = {};
        _cleanup_free_ Hit *hits = calloc(p->counts.n + 1, sizeof(*hits));
        size_t n = 0;
        int r;

        if (!hits)
                return -ENOMEM;
        symbol_table_sort(p->programs);
        r = recorded_paths_identify(&paths, p->dsos.dsos, p->dsos.n, reader);
        for (size_t i = 0; r >= 0 && i < p->counts.n; i++)
                r = hit_resolve(p, symbols, p->dsos.dsos + p->counts.counts[i].object, p->counts.counts + i, hits + n++);
        return r < 0 ? r : profile_name_hits(p, hits, hits_merge(hits, n));
}

static int compare_processes(const void *a, const void *b) {
        const ProfileProcess *x = a, *y = b;

        if (x->samples != y->samples)
                return x->samples > y->samples ? -1 : 1;
        return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static int profile_list_processes(Profile *p) {
        p->processes = calloc(p->names.n + 1, sizeof(*p->processes));
        if (!p->processes)
                return -ENOMEM;
        for (size_t i = 0; i < p->names.n; i++) {
                const NamedProcess *n = p->names.processes + i;

                if (n->samples > 0)
                        p->processes[p->n_processes++] = (ProfileProcess) {
                                .pid = n->pid, .comm = n->pid == 0 && !*n->comm ? "swapper" : n->comm, .samples = n->samples,
                        };
        }
        qsort(p->processes, p->n_processes, sizeof(*p->processes), compare_processes);
        return 0;
}

/* Frees everything that is not needed once names are known. */
static void profile_forget_places(Profile *p) {
        process_table_done(&p->names.table);
        address_counts_done(&p->counts);
        filter_state_done(&p->filter);
        free(p->places);
        p->places = NULL;
        p->programs = symbol_table_free(p->programs);
}

/* Notes what the events record. */
static int profile_note_events(Profile *p, PerfDataReader *reader) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        bool cgroups = false;

        for (size_t i = 0; i < n; i++) {
                p->build_ids = p->build_ids || events[i].attr.build_id;
                cgroups = cgroups || events[i].attr.sample_type & PERF_SAMPLE_CGROUP;
        }
        return p->filter.filter && p->filter.filter->units && !cgroups ? -ENODATA : 0;
}

int profile_new(PerfDataReader *reader, Symbols *symbols, const ProfileFilter *filter, Profile **ret) {
        _cleanup_profile_free_ Profile *p = calloc(1, sizeof(*p));
        int r;

        if (!p)
                return -ENOMEM;
        p->filter.filter = filter;
        r = symbol_table_new(&p->programs);
        if (r >= 0)
                r = profile_note_events(p, reader);
        if (r < 0)
                return r;
        r = read_records(p, reader);
        if (r >= 0 && symbols)
                symbols_set_kernel_text(symbols, p->kernel_text);
        if (r >= 0)
                r = profile_resolve(p, reader, symbols);
        if (r >= 0)
                r = profile_list_processes(p);
        if (r < 0)
                return r;
        profile_forget_places(p);
        *ret = steal_ptr(p);
        return 0;
}

uint64_t profile_samples(const Profile *p) {
        return p->n_samples;
}

uint64_t profile_idle(const Profile *p) {
        return p->n_idle;
}

const ProfileProcess *profile_processes(const Profile *p, size_t *ret_n) {
        *ret_n = p->n_processes;
        return p->processes;
}

const ProfileSymbol *profile_symbols(const Profile *p, size_t *ret_n) {
        *ret_n = p->n_symbols;
        return p->symbols;
}
