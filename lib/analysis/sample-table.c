/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A cache has as its key what makes a row, with the number of the call chain as recorded. Only on a miss are addresses
 * looked up in the maps. The cache is emptied when it is full or when the kernel's maps change; rows, whose chains are
 * places, stay. */

#include "sample-table-parts.h"

#include "array.h"
#include "chain-cursor.h"
#include "sample-reading.h"
#include "utf8.h"

#define CACHE_MAX ((size_t) 1 << 19)       /* entries */
#define ROWS_MAX ((size_t) 1 << 24)
#define EVENTS_MAX UINT16_MAX
#define EVENT_NAME_MAX ((size_t) 4096)     /* bytes */
#define HOST_NAME_SIZE ((size_t) 256)

int sample_table_new(const SampleSelection *selection, unsigned dimensions, SampleTable **ret) {
        static const SampleSelection all = {};
        _cleanup_sample_table_free_ SampleTable *t = calloc(1, sizeof(*t));
        int r;

        if (!t)
                return -ENOMEM;
        t->selection = selection ?: &all;
        t->dimensions = dimensions;
        recorded_chains_init(&t->recorded);
        t->chains.chunks.used = true;
        t->facets.recorded.chunks.used = t->facets.resolved.chunks.used = true;
        t->cgroups.units = t->selection->units;
        t->cgroups.user_units = t->selection->user_units;
        r = code_places_init(&t->places, &t->view);
        if (r < 0)
                return r;
        *ret = steal_ptr(t);
        return 0;
}

SampleTable *sample_table_free(SampleTable *t) {
        if (!t)
                return NULL;
        for (size_t i = 0; i < t->n_events; i++) {
                free(t->events[i].name);
                free(t->events[i].group);
        }
        free(t->events);
        byte_pool_done(&t->event_names);
        code_places_done(&t->places);
        process_view_done(&t->view);
        cgroup_names_done(&t->cgroups);
        byte_pool_done(&t->hosts.names);
        byte_pool_done(&t->labels.texts);
        byte_pool_done(&t->facets.recorded);
        byte_pool_done(&t->facets.resolved);
        free(t->rows);
        hash_index_done(&t->row_index);
        recorded_chains_done(&t->recorded);
        byte_pool_done(&t->chains);
        free(t->cache.entries);
        hash_index_done(&t->cache.index);
        free(t->resolved);
        unwinder_done(&t->unwinder);
        user_stacks_done(&t->stacks);
        free(t);
        return NULL;
}

static int reserve_resolved(SampleTable *t, size_t n) {
        return ARRAY_RESERVE(t->resolved, t->resolved_allocated, n);
}

/* A marker says where the addresses behind it were: in the kernel, or in user space. The first of them is of the instruction that
 * was hit there, or that left user space; the others are callers'. As in perf, a chain with another marker counts as none. */
static int resolve_chain(SampleTable *t, uint32_t pid, uint32_t recorded, uint32_t *ret) {
        size_t n, n_places = 0;
        const void *words = recorded_chains_get(&t->recorded, recorded, &n);
        ChainCursor c = chain_cursor_of(words, n);
        int r = reserve_resolved(t, n + 1), next = 1;

        *ret = 0;
        while (r >= 0 && (next = chain_cursor_next(&c)) == 1)
                r = (c.caller ? code_places_find_caller : code_places_find)(&t->places, pid, c.cpumode, c.ip,
                                                                          t->resolved + n_places++);
        if (next < 0)
                return 0;
        if (r < 0 || n_places == 0 || t->chains.block_bytes > CHAINS_BYTES_MAX)
                return MIN_OF(r, 0);
        return byte_pool_intern(&t->chains, t->resolved, n_places * sizeof(*t->resolved), ret);
}

static uint64_t row_hash(const SampleTable *t, const SampleRow *row) {
        uint64_t hash = hash_mix((uint64_t) row->chain << 32 | row->leaf, (uint64_t) row->name << 32 | row->event);

        if (t->dimensions & (SAMPLE_BY_THREAD | SAMPLE_BY_PROCESS))
                hash = hash_mix(hash, row->thread);
        if (t->dimensions & SAMPLE_BY_TIME)
                hash = hash_mix(hash, row->slice);
        if (t->dimensions & SAMPLE_BY_CGROUP)
                hash = hash_mix(hash, row->cgroup);
        if (t->dimensions & SAMPLE_BY_HOST)
                hash = hash_mix(hash, row->host);
        if (t->dimensions & (SAMPLE_BY_LABEL | SAMPLE_BY_PROCESS))
                hash = hash_mix(hash, row->label);
        if (row->facets > 0)
                hash = hash_mix(hash, row->facets);
        if (row->parallelism > 0)
                hash = hash_mix(hash, row->parallelism);
        return HASH_INDEX_HALF(t->dimensions & SAMPLE_BY_CPU ? hash_mix(hash, row->cpu) : hash);
}

static uint64_t row_hash_of(const void *owner, uintptr_t entry) {
        const SampleTable *t = owner;

        return HASH_INDEX_HAS_HASH ? HASH_INDEX_HALF(entry) : row_hash(t, t->rows + hash_index_number(entry) - 1);
}

static bool row_equal(const SampleTable *t, const SampleRow *a, const SampleRow *b) {
        return a->chain == b->chain && a->leaf == b->leaf && a->name == b->name && a->event == b->event &&
               a->slice == b->slice && a->facets == b->facets && a->parallelism == b->parallelism &&
               (!(t->dimensions & (SAMPLE_BY_THREAD | SAMPLE_BY_PROCESS)) || a->thread == b->thread) &&
               (!(t->dimensions & SAMPLE_BY_CPU) || a->cpu == b->cpu) &&
               (!(t->dimensions & SAMPLE_BY_CGROUP) || a->cgroup == b->cgroup) &&
               (!(t->dimensions & SAMPLE_BY_HOST) || a->host == b->host) &&
               (!(t->dimensions & (SAMPLE_BY_LABEL | SAMPLE_BY_PROCESS)) || a->label == b->label);
}

static int row_intern(SampleTable *t, const SampleRow *row, uint32_t *ret) {
        uint64_t hash = row_hash(t, row);
        uintptr_t found = HASH_INDEX_FIND(&t->row_index, hash, entry,
                                          hash_index_may_be(entry, hash) &&
                                                  row_equal(t, t->rows + hash_index_number(entry) - 1, row));
        int r;

        if (found > 0) {
                *ret = hash_index_number(found) - 1;
                return 0;
        }
        if (t->n_rows >= ROWS_MAX)
                return -EFBIG;
        if (ARRAY_RESERVE(t->rows, t->rows_allocated, t->n_rows + 1) < 0)
                return -ENOMEM;
        t->rows[t->n_rows] = *row;
        r = hash_index_add(&t->row_index, hash, hash_index_entry(hash, (uint32_t) t->n_rows + 1), row_hash_of, t);
        if (r >= 0)
                *ret = (uint32_t) t->n_rows++;
        return r;
}

static uint64_t cache_hash(const CacheEntry *e) {
        uint64_t hash = hash_mix(e->ip, ((uint64_t) e->generation << 32 | e->chain) ^ e->slice);

        hash = hash_mix(hash, ((uint64_t) e->name << 32 | e->event) ^ (uint64_t) e->cgroup << 24);
        hash = e->label > 0 ? hash_mix(hash, e->label) : hash;
        hash = e->facets > 0 ? hash_mix(hash, e->facets) : hash;
        hash = e->parallelism > 0 ? hash_mix(hash, e->parallelism) : hash;
        return HASH_INDEX_HALF(hash_mix(hash, (uint64_t) e->thread << 16 ^ (uint64_t) e->cpu << 48));
}

static uint64_t cache_hash_of(const void *owner, uintptr_t entry) {
        const SampleTable *t = owner;

        return HASH_INDEX_HAS_HASH ? HASH_INDEX_HALF(entry) : cache_hash(t->cache.entries + hash_index_number(entry) - 1);
}

static bool cache_equal(const CacheEntry *a, const CacheEntry *b) {
        return a->ip == b->ip && a->slice == b->slice && a->generation == b->generation && a->chain == b->chain &&
               a->name == b->name && a->thread == b->thread && a->cpu == b->cpu && a->cgroup == b->cgroup &&
               a->label == b->label && a->facets == b->facets && a->parallelism == b->parallelism && a->event == b->event &&
               a->cpumode == b->cpumode;
}

static void cache_empty(SampleTable *t) {
        hash_index_done(&t->cache.index);
        t->cache.index = (HashIndex) {};
        t->cache.n = 0;
        t->cache.kernel_maps = t->view.kernel_generation;
}

static SampleFacets facets_of(const BytePool *pool, uint32_t number) {
        SampleFacets f = {};

        if (number > 0)
                memcpy(&f, byte_pool_get(pool, number)->data, sizeof(f));
        return f;
}

static int resolve_facets(SampleTable *t, const QueuedSample *s, uint32_t *ret) {
        SampleFacets f = facets_of(&t->facets.recorded, s->facets);
        int r = sample_facets_resolve(&f, t->facets.wanted, &t->places, s->pid, s->cpumode);

        if (r < 0 || t->facets.resolved.block_bytes > FACETS_BYTES_MAX)
                return MIN_OF(r, 0);
        return byte_pool_intern(&t->facets.resolved, &f, sizeof(f), ret);
}

static int cache_add(SampleTable *t, CacheEntry *e, const QueuedSample *s, uint32_t thread, uint64_t hash) {
        SampleRow row = {
                .event = s->event, .thread = thread, .name = e->name, .cpu = s->cpu, .slice = e->slice, .first = s->time,
                .cgroup = s->cgroup, .host = t->hosts.number, .label = e->label, .parallelism = e->parallelism,
        };
        int r = code_places_find(&t->places, s->pid, s->cpumode, s->ip, &row.leaf);

        if (r >= 0 && e->chain > 0)
                r = resolve_chain(t, s->pid, e->chain, &row.chain);
        if (r >= 0 && e->facets > 0)
                r = resolve_facets(t, s, &row.facets);
        if (r >= 0)
                r = row_intern(t, &row, &e->row);
        if (r < 0)
                return r;
        if (t->cache.n >= CACHE_MAX)
                cache_empty(t);
        if (ARRAY_RESERVE(t->cache.entries, t->cache.allocated, t->cache.n + 1) < 0)
                return -ENOMEM;
        t->cache.entries[t->cache.n] = *e;
        r = hash_index_add(&t->cache.index, hash, hash_index_entry(hash, (uint32_t) t->cache.n + 1), cache_hash_of, t);
        t->cache.n += r >= 0;
        return r;
}

static void row_count(SampleTable *t, SampleRow *row, const QueuedSample *s, uint32_t thread) {
        if (s->time < row->first) {
                row->first = s->time;
                row->thread = thread;
                row->cpu = s->cpu;
                row->cgroup = s->cgroup;
        }
        row->count++;
        row->period += s->period;
        row->latency += s->period / MAX_OF(row->parallelism, 1u);
        t->events[s->event].selected++;
        t->events[s->event].selected_period += s->period;
}

void sample_table_unwind(SampleTable *t, const UnwindSource *source) {
        t->unwinder.source = *source;
}

/* Makes the chain of a sample: what was recorded of it, then what its copy of the stack shows. */
static int unwind_sample(SampleTable *t, const QueuedSample *s, uint32_t *chain) {
        size_t n;
        const void *recorded = recorded_chains_get(&t->recorded, s->chain, &n);
        UnwindStack stack;
        UnwindEnd end;
        int r;

        if (!recorded_chains_has_room(&t->recorded))
                return 0;
        user_stacks_get(&t->stacks, s->stack, &stack);
        r = unwinder_chain(&t->unwinder, process_table_find(&t->view.processes, s->pid), &stack,
                           recorded, n, &n, &end);
        if (r < 0)
                return r;
        t->events[s->event].unwound[end]++;
        return recorded_chains_intern(&t->recorded, t->unwinder.chain, n, chain);
}

/* Finds the thread that a sample counts for and its name, and the own name of the thread that was hit. */
static int name_sample(SampleTable *t, const QueuedSample *s, uint32_t *ret_thread, uint32_t *ret_name, uint32_t *ret_own) {
        uint32_t thread, name = 0, own = 0;
        int r = process_view_thread(&t->view, s->pid, s->tid, &thread);

        if (r >= 0)
                r = process_view_name_thread(&t->view, thread, &own);
        name = own;
        if (r >= 0 && s->tid != s->pid && t->dimensions & SAMPLE_BY_PROCESS) {
                r = process_view_thread(&t->view, s->pid, s->pid, &thread);
                if (r >= 0)
                        r = process_view_name_thread(&t->view, thread, &name);
        }
        if (r < 0)
                return r;
        *ret_thread = thread;
        *ret_name = name;
        *ret_own = own;
        return 0;
}

int sample_table_follow(const SampleTable *t, const QueuedSample *s, uint32_t row) {
        const SampleFollower *follower = &t->listeners.follower;
        FollowedSample followed = { .row = row, .cpu = s->cpu, .time = s->time, .period = s->period };

        if (!follower->sample || (row == SAMPLE_NO_ROW && !follower->all))
                return 0;
        if (s->label > 0)
                followed.label = (const char *) byte_pool_get(&t->labels.texts, s->label)->data;
        return follower->sample(follower->userdata, &followed);
}

void sample_table_take_switch(SampleTable *t, const struct perf_event_header *record) {
        t->recording.running += record->misc & PERF_RECORD_MISC_SWITCH_OUT ? -1 : 1;
}

/* As in perf: switches may come out of their order, and some may be lost. */
static uint32_t parallelism_of(const SampleTable *t) {
        int64_t most = t->recording.n_cpus > 0 ? t->recording.n_cpus : INT32_MAX;

        return t->recording.running < 1 ? 1 : (uint32_t) MIN_OF(t->recording.running, most);
}

/* Adds a sample to the numbers of its event. Returns whether it is in a row. */
static bool table_count_sample(SampleTable *t, const QueuedSample *s, bool selected) {
        SampleEvent *e = t->events + s->event;
        bool idle = e->tasks && sample_is_idle(s->pid, s->cpumode);

        if (idle && selected) {
                e->idle++;
                e->idle_period += s->period;
        }
        if (idle && t->selection->no_idle)
                return false;
        e->samples++;
        e->period += s->period;
        e->latency += s->period / parallelism_of(t);
        e->squares += (double) s->period * (double) s->period;
        return selected;
}

int sample_table_count(SampleTable *t, const QueuedSample *s) {
        CacheEntry key = { .ip = s->ip, .chain = s->chain, .facets = s->facets, .event = s->event, .cpumode = s->cpumode };
        uint32_t thread, own_name;
        uintptr_t found;
        uint64_t hash;
        bool selected;
        int r = name_sample(t, s, &thread, &key.name, &own_name);

        if (r < 0)
                return r;
        t->places.time = s->time;
        selected = sample_selection_has_thread(t->selection, s->pid, s->tid, process_view_name(&t->view, own_name)) &&
                cgroup_names_wants(&t->cgroups, s->cgroup);
        if (!table_count_sample(t, s, selected))
                return sample_table_follow(t, s, SAMPLE_NO_ROW);
        if (s->stack > 0)
                r = unwind_sample(t, s, &key.chain);
        else if (s->chain > 0)
                t->events[s->event].unwound[s->end]++;
        if (r < 0)
                return r;
        if (t->cache.kernel_maps != t->view.kernel_generation)
                cache_empty(t);
        key.generation = code_places_generation(&t->places, s->pid);
        if (t->dimensions & (SAMPLE_BY_THREAD | SAMPLE_BY_PROCESS))
                key.thread = thread;
        if (t->dimensions & SAMPLE_BY_CPU)
                key.cpu = s->cpu;
        if (t->dimensions & SAMPLE_BY_CGROUP)
                key.cgroup = s->cgroup;
        if (t->dimensions & SAMPLE_BY_LABEL)
                key.label = s->label;
        else if (t->dimensions & SAMPLE_BY_PROCESS)
                key.label = own_name;
        if (t->dimensions & SAMPLE_BY_PARALLELISM)
                key.parallelism = parallelism_of(t);
        if (t->dimensions & SAMPLE_BY_TIME && t->selection->slice > 0)
                key.slice = s->time - s->time % t->selection->slice;
        hash = cache_hash(&key);
        found = HASH_INDEX_FIND(&t->cache.index, hash, entry,
                                hash_index_may_be(entry, hash) &&
                                        cache_equal(t->cache.entries + hash_index_number(entry) - 1, &key));
        if (found > 0)
                key.row = t->cache.entries[hash_index_number(found) - 1].row;
        else
                r = cache_add(t, &key, s, thread, hash);
        if (r < 0)
                return r;
        row_count(t, t->rows + key.row, s, thread);
        return sample_table_follow(t, s, key.row);
}

int sample_table_add_event(SampleTable *t, const PerfDataEvent *e, size_t number, uint16_t *ret) {
        const char *name = e->name;
        SampleEvent *event;
        uint32_t interned;
        char made[32];
        int r;

        if (!name) {
                (void) snprintf(made, sizeof(made), "event %zu", number + 1);
                name = made;
        }
        r = byte_pool_intern(&t->event_names, name, strlen(name), &interned);
        if (r < 0)
                return r;
        if (interned > t->n_events) {
                if (t->n_events > EVENTS_MAX)
                        return -E2BIG;
                if (ARRAY_RESERVE_NEXT(t->events, t->n_events) < 0)
                        return -ENOMEM;
                t->events[t->n_events] = (SampleEvent) { .name = utf8_line(name, SIZE_MAX, EVENT_NAME_MAX) };
                if (!t->events[t->n_events++].name)
                        return -ENOMEM;
        }
        event = t->events + interned - 1;
        event->callchain = event->callchain || e->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
        event->user_stack = event->user_stack || e->attr.sample_type & PERF_SAMPLE_STACK_USER;
        event->tasks = event->tasks || e->attr.sample_type & PERF_SAMPLE_TID;
        event->tracepoint = e->attr.type == PERF_TYPE_TRACEPOINT;
        *ret = (uint16_t) (event - t->events);
        return 0;
}

int sample_table_add_group(SampleTable *t, uint32_t leader, size_t n, const char *name) {
        SampleEvent *event = t->events + leader;

        if (n < 2 || n > SAMPLE_GROUP_MAX)
                return 0;
        for (uint32_t i = 0; i < t->n_events; i++)
                if (i < leader + n && t->events[i].members > 0 && leader < i + t->events[i].members)
                        return 0;
        event->members = (uint32_t) n;
        event->group = name ? utf8_line(name, SIZE_MAX, EVENT_NAME_MAX) : NULL;
        return name && !event->group ? -ENOMEM : 0;
}

/* The rows of one recording are of one machine. */
int sample_table_set_host(SampleTable *t, const PerfDataReader *reader) {
        const char *name;
        _cleanup_free_ char *line = utf8_line(perf_data_reader_feature_string(reader, PERF_FEATURE_HOSTNAME, &name) < 0 ? "" : name,
                                              SIZE_MAX, HOST_NAME_SIZE);

        cache_empty(t); /* its rows are of the recording before */
        return line ? byte_pool_intern(&t->hosts.names, line, strlen(line) + 1, &t->hosts.number) : -ENOMEM;
}

void sample_table_set_labeler(SampleTable *t, const SampleLabeler *labeler) {
        t->labels.labeler = labeler ? *labeler : (SampleLabeler) {};
}

void sample_table_want_facets(SampleTable *t, unsigned wanted) {
        t->facets.wanted = wanted;
        t->view.with_data = wanted & FACET_DATA;
}

void sample_table_set_follower(SampleTable *t, const SampleFollower *follower) {
        t->listeners.follower = *follower;
}

void sample_table_set_watcher(SampleTable *t, Watcher watcher) {
        t->listeners.watcher = t->unwinder.watcher = watcher;
}

int sample_table_read(SampleTable *t, PerfDataReader *reader) {
        int r = sample_reading_run(t, reader);

        cache_empty(t);
        free(t->cache.entries);
        t->cache = (SampleCache) {};
        recorded_chains_clear(&t->recorded);
        byte_pool_done(&t->facets.recorded);
        t->facets.recorded.chunks.used = true;
        return r;
}

const SampleEvent *sample_table_events(const SampleTable *t, size_t *ret_n) {
        *ret_n = t->n_events;
        return t->events;
}

uint64_t sample_table_selected(const SampleTable *t, uint64_t *ret_all) {
        uint64_t selected = 0;

        *ret_all = 0;
        for (size_t i = 0; i < t->n_events; i++) {
                selected += t->events[i].selected;
                *ret_all += t->events[i].samples;
        }
        return selected;
}

const SampleRow *sample_table_rows(const SampleTable *t, size_t *ret_n) {
        *ret_n = t->n_rows;
        return t->rows;
}

bool sample_table_row_is_idle(const SampleTable *t, const SampleRow *row) {
        return t->events[row->event].tasks && t->view.threads[row->thread].pid == 0 && t->places.places[row->leaf].level == 'k';
}

static int table_compare_rows(const void *a, const void *b, void *userdata) {
        const SampleRow *rows = userdata, *x = rows + *(const uint32_t *) a, *y = rows + *(const uint32_t *) b;

        if (x->event != y->event)
                return x->event < y->event ? -1 : 1;
        if (x->first != y->first)
                return x->first < y->first ? -1 : 1;
        return x < y ? -1 : x > y;
}

uint32_t *sample_table_order(const SampleTable *t) {
        uint32_t *order = calloc(t->n_rows + 1, sizeof(*order));

        for (uint32_t i = 0; order && i < t->n_rows; i++)
                order[i] = i;
        if (order)
                qsort_r(order, t->n_rows, sizeof(*order), table_compare_rows, t->rows);
        return order;
}

const SampleTotals *sample_table_totals(const SampleTable *t) {
        return &t->totals;
}

const ProcessView *sample_table_view(const SampleTable *t) {
        return &t->view;
}

const CgroupNames *sample_table_cgroups(const SampleTable *t) {
        return &t->cgroups;
}

const char *sample_table_host(const SampleTable *t, uint32_t host) {
        return (const char *) byte_pool_get(&t->hosts.names, host)->data;
}

const char *sample_table_label(const SampleTable *t, uint32_t label, size_t number) {
        const ByteBlock *block = label > 0 ? byte_pool_get(&t->labels.texts, label) : NULL;
        size_t from = 0;

        for (; block && from < block->size && number > 0; number--)
                from += strnlen((const char *) block->data + from, block->size - from) + 1;
        return block && from < block->size ? (const char *) block->data + from : NULL;
}

SampleFacets sample_table_facets(const SampleTable *t, uint32_t facets) {
        return facets_of(&t->facets.resolved, facets);
}

CodePlaces *sample_table_places(SampleTable *t) {
        return &t->places;
}

const uint32_t *sample_table_chain(const SampleTable *t, uint32_t chain, size_t *ret_n) {
        const ByteBlock *block = chain > 0 ? byte_pool_get(&t->chains, chain) : NULL;

        *ret_n = block ? block->size / sizeof(uint32_t) : 0;
        return block ? (const uint32_t *) block->data : NULL;
}

/* *ret is the chain's number in the other pool. */
static int replace_chain(SampleTable *t, uint32_t chain, const uint32_t *first, const uint32_t *list, BytePool *chains,
                         uint32_t *ret) {
        size_t n, n_new = 0;
        const uint32_t *places = sample_table_chain(t, chain, &n);

        for (size_t i = 0; i < n; i++) {
                size_t more = first[places[i] + 1] - first[places[i]];

                if (ARRAY_RESERVE(t->resolved, t->resolved_allocated, n_new + more) < 0)
                        return -ENOMEM;
                memcpy(t->resolved + n_new, list + first[places[i]], more * sizeof(*list));
                n_new += more;
        }
        if (chains->block_bytes > CHAINS_BYTES_MAX)
                return 0;
        return byte_pool_intern(chains, t->resolved, n_new * sizeof(*t->resolved), ret);
}

SampleStack sample_table_stack(const SampleTable *t, const SampleRow *row) {
        SampleStack s = { .leaf = row->leaf };

        s.chain = sample_table_chain(t, row->chain, &s.n);
        s.lacks_leaf = s.n == 0 || t->places.places[*s.chain].level != t->places.places[row->leaf].level;
        s.n += s.lacks_leaf;
        return s;
}

int sample_table_replace_places(SampleTable *t, const uint32_t *first, const uint32_t *list) {
        _cleanup_free_ uint32_t *number_of = calloc(t->chains.n + 1, sizeof(*number_of)); /* of each chain; 0: not yet known */
        BytePool chains = { .chunks.used = true };
        int r = number_of ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < t->n_rows; i++) {
                uint32_t *chain = &t->rows[i].chain;

                if (*chain > 0 && number_of[*chain] == 0)
                        r = replace_chain(t, *chain, first, list, &chains, number_of + *chain);
                *chain = *chain > 0 && r >= 0 ? number_of[*chain] : 0;
        }
        byte_pool_done(&t->chains);
        t->chains = chains;
        return r;
}

int sample_table_start_chains(SampleTable *t, const bool *starts) {
        for (size_t i = 0; i < t->n_rows; i++) {
                SampleRow *row = t->rows + i;
                size_t n, from;
                const uint32_t *chain = sample_table_chain(t, row->chain, &n);
                int r;

                for (from = n; from > 0 && !starts[chain[from - 1]]; from--)
                        ;
                if (from == 0)
                        continue;
                row->leaf = chain[--from];
                if (from == 0 || t->chains.block_bytes > CHAINS_BYTES_MAX)
                        continue;
                r = reserve_resolved(t, n - from);
                if (r < 0)
                        return r;
                memcpy(t->resolved, chain + from, (n - from) * sizeof(*chain));
                r = byte_pool_intern(&t->chains, t->resolved, (n - from) * sizeof(*t->resolved), &row->chain);
                if (r < 0)
                        return r;
        }
        return 0;
}
