/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sums over the rows of a sample table: by process, and by function. The table is made without call chains: a sample
 * counts for the function that was hit, and not for its callers.
 *
 * Invariant: each sample is in the sum of one function, or is idle. A process instance has one sum for each name that it
 * had. The idle task is a process and a function only if the selection asks for processes, threads or names. What cannot
 * be read of the recording is left out, and the profile is of what could. */

#include "profile.h"

#include "array.h"
#include "parse-time.h"
#include "place-names.h"
#include "recorded-paths.h"
#include "sample-table.h"

struct Profile {
        SampleTable *table; /* has the texts of processes and binaries */
        PlaceNames names;
        ProfileProcess *processes, *threads;
        ProfileSymbol *symbols;
        SampleUser *units;
        ProfileSeconds *seconds;
        SpanCounts *spans;
        const char **stripped;
        size_t n_processes, n_threads, n_symbols, n_units, n_stripped;
        uint64_t n_samples, n_idle;
        bool tasks;         /* samples say which task was hit */
};

Profile *profile_free(Profile *p) {
        if (!p)
                return NULL;
        free(p->stripped);
        free(p->units);
        free(p->symbols);
        free(p->threads);
        free(p->processes);
        place_names_done(&p->names);
        sample_table_free(p->table);
        free(p);
        return NULL;
}

static int compare_by_samples(uint64_t a, uint64_t b) {
        return a > b ? -1 : a < b;
}

static int compare_processes(const void *a, const void *b) {
        const ProfileProcess *x = a, *y = b;

        if (x->pid != y->pid)
                return x->pid < y->pid ? -1 : 1;
        if (x->instance != y->instance)
                return x->instance < y->instance ? -1 : 1;
        return strcmp(x->comm, y->comm);
}

static int compare_busy_processes(const void *a, const void *b) {
        int order = compare_by_samples(((const ProfileProcess *) a)->samples, ((const ProfileProcess *) b)->samples);

        return order ?: compare_processes(a, b);
}

static int profile_compare_symbols(const void *a, const void *b) {
        const ProfileSymbol *x = a, *y = b;
        int order = strcmp(x->dso, y->dso);

        if (order != 0 || x->kernel != y->kernel)
                return order ?: x->kernel - y->kernel;
        return x->name && y->name ? strcmp(x->name, y->name) : !y->name - !x->name;
}

static int compare_busy_symbols(const void *a, const void *b) {
        int order = compare_by_samples(((const ProfileSymbol *) a)->samples, ((const ProfileSymbol *) b)->samples);

        return order ?: profile_compare_symbols(a, b);
}

/* Returns whether the selection asks for processes, among which the idle task may be. */
static bool selects_tasks(const SampleSelection *s) {
        return s && (s->n_pids > 0 || s->n_tids > 0 || s->comms);
}

/* The table calls a thread without a name by its number. */
static const char *known_comm(const ProcessView *view, uint32_t name, uint32_t tid) {
        const char *comm = process_view_name(view, name);
        char made[16];

        (void) snprintf(made, sizeof(made), ":%d", (int) tid);
        return streq(comm, made) ? "" : comm;
}

static void profile_add_task(Profile *p, const SampleRow *row) {
        const ProcessView *view = sample_table_view(p->table);
        const NamedThread *thread = view->threads + row->thread;
        const char *own = process_view_name(view, row->own_name);
        ProfileProcess task = {
                .pid = thread->pid, .instance = thread->instance, .samples = row->count,
                .comm = known_comm(view, row->name, thread->tid),
        };

        p->processes[p->n_processes++] = task;
        if (streq(own, task.comm) || (*own == ':' && own[1 + strspn(own + 1, "0123456789-")] == '\0'))
                return;
        task.comm = own;
        p->threads[p->n_threads++] = task;
}

static void profile_add_row(Profile *p, const SampleSelection *selection, const SampleRow *row) {
        const CodePlaces *places = sample_table_places(p->table);
        const CodePlace *place = places->places + row->leaf;
        const char *function = p->names.symbols[p->names.symbol_of[row->leaf]].name;
        const char *dso = place->dso == DSO_NONE ? PLACE_UNKNOWN_DSO : places->dsos->dsos[place->dso].path;

        p->n_samples += row->count;
        if (sample_table_row_is_idle(p->table, row) && !selects_tasks(selection)) {
                p->n_idle += row->count;
                return;
        }
        if (p->tasks)
                profile_add_task(p, row);
        p->symbols[p->n_symbols++] = (ProfileSymbol) {
                .dso = !function && symbols_is_perf_map(dso) ? "//anon" : dso, /* a file of names is not where code is from */
                .name = function, .kernel = place->level == 'k', .samples = row->count,
        };
}

/* Counts only those that have samples: perf writes a FORK for each process that lives as it begins, so that some have two. All
 * threads are of one of the processes, and both are sorted. */
static void number_instances(Profile *p) {
        uint32_t recorded = 0, number = 0;
        size_t k = 0;

        for (size_t i = 0; i < p->n_processes; i++) {
                ProfileProcess *process = p->processes + i;

                if (i == 0 || process->pid != p->processes[i - 1].pid)
                        number = 0;
                else if (process->instance != recorded)
                        number++;
                recorded = process->instance;
                process->instance = number;
                for (; k < p->n_threads && p->threads[k].pid == process->pid && p->threads[k].instance == recorded; k++)
                        p->threads[k].instance = number;
        }
}

static void merge_processes(ProfileProcess *processes, size_t *n_processes) {
        size_t n = 0;

        qsort(processes, *n_processes, sizeof(*processes), compare_processes);
        for (size_t i = 0; i < *n_processes; i++)
                if (n > 0 && compare_processes(processes + n - 1, processes + i) == 0)
                        processes[n - 1].samples += processes[i].samples;
                else
                        processes[n++] = processes[i];
        *n_processes = n;
}

static void profile_merge_symbols(Profile *p) {
        size_t n = 0;

        qsort(p->symbols, p->n_symbols, sizeof(*p->symbols), profile_compare_symbols);
        for (size_t i = 0; i < p->n_symbols; i++)
                if (n > 0 && profile_compare_symbols(p->symbols + n - 1, p->symbols + i) == 0)
                        p->symbols[n - 1].samples += p->symbols[i].samples;
                else
                        p->symbols[n++] = p->symbols[i];
        p->n_symbols = n;
        qsort(p->symbols, n, sizeof(*p->symbols), compare_busy_symbols);
}

static void profile_count_second(const Profile *p, uint64_t time, uint32_t row) {
        uint64_t second = time >= p->seconds->begin ? (time - p->seconds->begin) / NSEC_PER_SEC : PROFILE_SECONDS;
        size_t n;

        if (second >= PROFILE_SECONDS)
                return;
        p->seconds->all[second]++;
        p->seconds->idle[second] += sample_table_row_is_idle(p->table, sample_table_rows(p->table, &n) + row);
}

/* Counts the samples, or those before what cannot be read. 0, -ENOMEM. */
static int profile_count(Profile *p, PerfDataReader *reader, const SampleSelection *selection) {
        Replay *replay;
        Moment m;
        uint32_t row;
        SampleReading reading = { .selection = selection, .records = p->spans ? SPAN_COUNTS_RECORDS : 0 };
        int r = sample_table_begin(p->table, reader, &reading, &replay);

        while (r >= 0 && (r = replay_next(replay, &m)) == 1) {
                bool sample = moment_is_sample(&m);

                r = sample ? sample_table_count(p->table, &m, NULL, &row) : 0;
                if (r >= 0 && p->seconds && sample && row != SAMPLE_NO_ROW)
                        profile_count_second(p, m.time, row);
                if (r >= 0 && p->spans && (!sample || row != SAMPLE_NO_ROW))
                        r = span_counts_take(p->spans, &m, row);
        }
        (void) sample_table_end(p->table);
        return r == -ENOMEM ? r : 0;
}

static int profile_name_places(Profile *p, const PerfDataReader *reader, Symbols *symbols) {
        _cleanup_(recorded_paths_done) RecordedPaths paths = {};
        CodePlaces *places = sample_table_places(p->table);
        int r = recorded_paths_identify(&paths, places->dsos->dsos, places->dsos->n, reader);

        if (r >= 0 && symbols)
                r = symbols_identify_kernel(symbols, reader);
        return r < 0 ? r : place_names_init(&p->names, places, symbols);
}

static int profile_sum(Profile *p, const SampleSelection *selection) {
        _cleanup_free_ uint32_t *order = sample_table_order(p->table);
        size_t n, n_events;
        const SampleRow *rows = sample_table_rows(p->table, &n);
        const SampleEvent *events = sample_table_events(p->table, &n_events);

        for (size_t i = 0; i < n_events && selection && selection->no_idle && !selects_tasks(selection); i++)
                p->n_idle += events[i].idle;
        p->processes = calloc(n + 1, sizeof(*p->processes));
        p->threads = calloc(n + 1, sizeof(*p->threads));
        p->symbols = calloc(n + 1, sizeof(*p->symbols));
        if (!p->processes || !p->threads || !p->symbols || !order)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                profile_add_row(p, selection, rows + i);
        merge_processes(p->processes, &p->n_processes);
        merge_processes(p->threads, &p->n_threads);
        number_instances(p);
        qsort(p->processes, p->n_processes, sizeof(*p->processes), compare_busy_processes);
        qsort(p->threads, p->n_threads, sizeof(*p->threads), compare_busy_processes);
        profile_merge_symbols(p);
        return sample_users_by_unit(p->table, order, n, &p->units, &p->n_units);
}

/* Other versions of a file at one path count as one. The vdso has no other names. */
static int profile_find_stripped(Profile *p, Symbols *symbols) {
        const CodePlaces *places = sample_table_places(p->table);
        _cleanup_free_ bool *seen = calloc(places->dsos->n + 1, sizeof(*seen));
        size_t n;
        const SampleRow *rows = sample_table_rows(p->table, &n);

        p->stripped = calloc(places->dsos->n + 1, sizeof(*p->stripped));
        if (!seen || !p->stripped)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                uint32_t number = places->places[rows[i].leaf].dso;
                const DsoHit *dso = number == DSO_NONE || seen[number] ? NULL : places->dsos->dsos + number;
                int r = dso && *dso->path == '/' ? symbols_lack_names(symbols, dso) : 0;

                if (r < 0)
                        return r;
                if (dso)
                        seen[number] = true;
                if (r > 0 && !ANY_OF(p->n_stripped, k, streq(p->stripped[k], dso->path)))
                        p->stripped[p->n_stripped++] = dso->path;
        }
        return 0;
}

int profile_new(PerfDataReader *reader, Symbols *symbols, const SampleSelection *selection, ProfileSeconds *seconds,
                SpanCounts *spans, Profile **ret) {
        const SampleTablePlan plan = { .dimensions = SAMPLE_BY_PROCESS | SAMPLE_BY_CGROUP | SAMPLE_WITHOUT_CHAIN };
        _cleanup_profile_free_ Profile *p = calloc(1, sizeof(*p));
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r;

        if (!p)
                return -ENOMEM;
        if (selection && selection->units && !ANY_OF(n, i, events[i].attr.sample_type & PERF_SAMPLE_CGROUP))
                return -ENODATA;
        p->tasks = ANY_OF(n, i, events[i].attr.sample_type & PERF_SAMPLE_TID);
        p->seconds = seconds;
        p->spans = spans;
        r = sample_table_new(&plan, &p->table);
        if (r >= 0)
                r = profile_count(p, reader, selection);
        if (r >= 0)
                r = profile_name_places(p, reader, symbols);
        if (r >= 0)
                r = profile_sum(p, selection);
        if (r >= 0 && symbols)
                r = profile_find_stripped(p, symbols);
        if (r < 0)
                return r;
        *ret = steal_ptr(p);
        return 0;
}

int profile_find_unusual(Profile *p, UnusualTable *t) {
        uint32_t event;
        int r = unusual_choose_event(p->table, &event);

        if (r < 0)
                return r;
        unusual_table_set_measure(t, sample_table_events(p->table, &(size_t) { 0 }) + event, false);
        r = unusual_table_add(t, p->table, &p->names, p->spans, event, UNUSUAL_BASELINE, true);
        if (r < 0)
                return r;
        return t->samples[UNUSUAL_BASELINE] == 0 ? -ENODATA : unusual_table_find(t);
}

uint64_t profile_samples(const Profile *p) {
        return p->n_samples;
}

uint64_t profile_idle(const Profile *p) {
        return p->n_idle;
}

const SampleUser *profile_units(const Profile *p, size_t *ret_n) {
        *ret_n = p->n_units;
        return p->units;
}

const ProfileProcess *profile_processes(const Profile *p, size_t *ret_n) {
        *ret_n = p->n_processes;
        return p->processes;
}

const ProfileProcess *profile_threads(const Profile *p, size_t *ret_n) {
        *ret_n = p->n_threads;
        return p->threads;
}

const ProfileSymbol *profile_symbols(const Profile *p, size_t *ret_n) {
        *ret_n = p->n_symbols;
        return p->symbols;
}

const char *const *profile_stripped(const Profile *p, size_t *ret_n) {
        *ret_n = p->n_stripped;
        return p->stripped;
}
