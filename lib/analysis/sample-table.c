/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A cache has as its key what makes a row, with the number of the call chain as recorded. Only on a miss are addresses
 * looked up in the maps. The cache is emptied when it is full or when the kernel's maps change; rows, whose chains are
 * places, stay. */

#include "sample-table-parts.h"

#include "array.h"
#include "chain-cursor.h"

#define CACHE_MAX ((size_t) 1 << 19)       /* entries */
#define ROWS_MAX ((size_t) 1 << 24)
#define CHAINS_BYTES_MAX ((size_t) 1 << 30) /* of places; further samples count without a chain */
#define LABELS_BYTES_MAX ((size_t) 1 << 28) /* of texts; further samples have none */
#define FACETS_BYTES_MAX ((size_t) 1 << 28) /* of either kind; likewise */

/* A sample, or one of its branches, and the numbers of what of it is distinguished. */
typedef struct SampleHit {
        const Moment *moment;
        uint64_t ip, period;
        uint32_t cpu, chain, label, facets;
        uint16_t event, cpumode;
} SampleHit;

int sample_table_new(const SampleTablePlan *plan, SampleTable **ret) {
        _cleanup_sample_table_free_ SampleTable *t = calloc(1, sizeof(*t));
        int r;

        if (!t)
                return -ENOMEM;
        t->plan = *plan;
        t->chains.chunks.used = t->facets.chunks.used = true;
        r = machine_view_init(&t->machine);
        if (r < 0)
                return r;
        t->machine.processes.with_data = plan->data_maps || plan->facets & FACET_DATA;
        t->machine.places.with_map_sizes = plan->map_sizes;
        t->machine.places.by_file = plan->by_file;
        *ret = steal_ptr(t);
        return 0;
}

void sample_table_forget_recording(SampleTable *t) {
        hash_index_done(&t->cache.index);
        free(t->cache.entries);
        t->cache = (SampleCache) {};
        byte_pool_done(&t->recording.facets);
        free(t->recording.numbers);
        if (t->recording.free_source)
                t->recording.free_source(t->recording.source);
        t->recording = (SampleRecording) {};
}

SampleTable *sample_table_free(SampleTable *t) {
        if (!t)
                return NULL;
        sample_events_done(&t->events);
        sample_table_forget_recording(t);
        machine_view_done(&t->machine);
        byte_pool_done(&t->hosts);
        byte_pool_done(&t->labels);
        byte_pool_done(&t->facets);
        free(t->rows);
        hash_index_done(&t->row_index);
        byte_pool_done(&t->chains);
        free(t->resolved);
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
        const void *words = t->recording.get_chain(t->recording.source, recorded, &n);
        ChainCursor c = chain_cursor_of(words, n);
        int r = reserve_resolved(t, n + 1), next = 1;

        *ret = 0;
        while (r >= 0 && (next = chain_cursor_next(&c)) == 1)
                r = (c.caller ? code_places_find_caller : code_places_find)(&t->machine.places, pid, c.cpumode, c.ip,
                                                                          t->resolved + n_places++);
        if (next < 0)
                return 0;
        if (r < 0 || n_places == 0 || t->chains.block_bytes > CHAINS_BYTES_MAX)
                return MIN_OF(r, 0);
        return byte_pool_intern(&t->chains, t->resolved, n_places * sizeof(*t->resolved), ret);
}

static uint64_t row_hash(const SampleTable *t, const SampleRow *row) {
        uint64_t hash = hash_mix((uint64_t) row->chain << 32 | row->leaf, (uint64_t) row->name << 32 | row->event);

        if (t->plan.dimensions & (SAMPLE_BY_THREAD | SAMPLE_BY_PROCESS))
                hash = hash_mix(hash, row->thread);
        if (t->plan.dimensions & SAMPLE_BY_TIME)
                hash = hash_mix(hash, row->slice);
        if (t->plan.dimensions & SAMPLE_BY_CGROUP)
                hash = hash_mix(hash, row->cgroup);
        if (t->plan.dimensions & SAMPLE_BY_HOST)
                hash = hash_mix(hash, row->host);
        if (t->plan.dimensions & (SAMPLE_BY_LABEL | SAMPLE_BY_PROCESS))
                hash = hash_mix(hash, row->label);
        if (row->facets > 0)
                hash = hash_mix(hash, row->facets);
        if (row->parallelism > 0)
                hash = hash_mix(hash, row->parallelism);
        return HASH_INDEX_HALF(t->plan.dimensions & SAMPLE_BY_CPU ? hash_mix(hash, row->cpu) : hash);
}

static uint64_t row_hash_of(const void *owner, uintptr_t entry) {
        const SampleTable *t = owner;

        return HASH_INDEX_HAS_HASH ? HASH_INDEX_HALF(entry) : row_hash(t, t->rows + hash_index_number(entry) - 1);
}

static bool row_equal(const SampleTable *t, const SampleRow *a, const SampleRow *b) {
        return a->chain == b->chain && a->leaf == b->leaf && a->name == b->name && a->event == b->event &&
               a->slice == b->slice && a->facets == b->facets && a->parallelism == b->parallelism &&
               (!(t->plan.dimensions & (SAMPLE_BY_THREAD | SAMPLE_BY_PROCESS)) || a->thread == b->thread) &&
               (!(t->plan.dimensions & SAMPLE_BY_CPU) || a->cpu == b->cpu) &&
               (!(t->plan.dimensions & SAMPLE_BY_CGROUP) || a->cgroup == b->cgroup) &&
               (!(t->plan.dimensions & SAMPLE_BY_HOST) || a->host == b->host) &&
               (!(t->plan.dimensions & (SAMPLE_BY_LABEL | SAMPLE_BY_PROCESS)) || a->label == b->label);
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
}

static SampleFacets facets_of(const BytePool *pool, uint32_t number) {
        SampleFacets f = {};

        if (number > 0)
                memcpy(&f, byte_pool_get(pool, number)->data, sizeof(f));
        return f;
}

static int resolve_facets(SampleTable *t, const SampleHit *hit, uint32_t *ret) {
        SampleFacets f = facets_of(&t->recording.facets, hit->facets);
        int r = sample_facets_resolve(&f, t->plan.facets, &t->machine.places, hit->moment->sample->pid, hit->cpumode);

        if (r < 0 || t->facets.block_bytes > FACETS_BYTES_MAX)
                return MIN_OF(r, 0);
        return byte_pool_intern(&t->facets, &f, sizeof(f), ret);
}

static int cache_add(SampleTable *t, CacheEntry *e, const SampleHit *hit, uint32_t thread, uint64_t hash) {
        const Moment *m = hit->moment;
        SampleRow row = {
                .event = hit->event, .thread = thread, .name = e->name, .cpu = hit->cpu, .slice = e->slice, .first = m->time,
                .cgroup = m->cgroup, .host = t->recording.host, .label = e->label, .parallelism = e->parallelism,
        };
        int r = code_places_find(&t->machine.places, m->sample->pid, hit->cpumode, hit->ip, &row.leaf);

        if (r >= 0 && e->chain > 0)
                r = resolve_chain(t, m->sample->pid, e->chain, &row.chain);
        if (r >= 0 && e->facets > 0)
                r = resolve_facets(t, hit, &row.facets);
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

static void row_count(SampleTable *t, SampleRow *row, const SampleHit *hit, uint32_t thread) {
        const Moment *m = hit->moment;

        if (m->time < row->first) {
                row->first = m->time;
                row->thread = thread;
                row->cpu = hit->cpu;
                row->cgroup = m->cgroup;
        }
        row->count++;
        row->period += hit->period;
        row->latency += hit->period / MAX_OF(row->parallelism, 1u);
        t->events.events[hit->event].selected++;
        t->events.events[hit->event].selected_period += hit->period;
}

/* Finds the thread that a sample counts for, and its name. */
static int table_name_sample(SampleTable *t, const Moment *m, uint32_t *ret_thread, uint32_t *ret_name) {
        ProcessView *view = &t->machine.processes;
        int r;

        *ret_thread = m->thread;
        *ret_name = m->name;
        if (m->sample->tid == m->sample->pid || !(t->plan.dimensions & SAMPLE_BY_PROCESS))
                return 0;
        r = process_view_thread(view, m->sample->pid, m->sample->pid, ret_thread);
        return r < 0 ? r : process_view_name_thread(view, *ret_thread, ret_name);
}

/* As in perf: switches may come out of their order, and some may be lost. */
static uint32_t parallelism_of(const SampleTable *t, const Moment *m) {
        int64_t most = t->recording.n_cpus > 0 ? t->recording.n_cpus : INT32_MAX;

        return m->running < 1 ? 1 : (uint32_t) MIN_OF(m->running, most);
}

/* Adds a sample to the numbers of its event. Returns whether it is in a row.
 *
 * Invariant: the periods of all samples of a table add up to at most UINT64_MAX, so that no sum of some of them wraps. */
static bool table_count_event(SampleTable *t, SampleHit *hit) {
        const Moment *m = hit->moment;
        SampleEvent *e = t->events.events + hit->event;
        bool idle = e->tasks && sample_is_idle(m->sample->pid, hit->cpumode);

        if (hit->period > UINT64_MAX - t->totals.period) {
                hit->period = UINT64_MAX - t->totals.period;
                t->recording.lightened++;
        }
        t->totals.period += hit->period;
        if (idle && m->selected == MOMENT_SELECTED) {
                e->idle++;
                e->idle_period += hit->period;
        }
        if (idle && t->recording.no_idle)
                return false;
        e->samples++;
        e->period += hit->period;
        e->latency += hit->period / parallelism_of(t, m);
        e->squares += (double) hit->period * (double) hit->period;
        return m->selected == MOMENT_SELECTED;
}

/* The key of a sample: what makes its row, and the maps by which its addresses are looked up. */
static CacheEntry table_key_of(const SampleTable *t, const SampleHit *hit, uint32_t thread, uint32_t name) {
        const Moment *m = hit->moment;
        unsigned by = t->plan.dimensions;
        CacheEntry key = {
                .ip = hit->ip, .chain = hit->chain, .facets = hit->facets, .event = hit->event, .cpumode = hit->cpumode,
                .name = name, .generation = m->maps,
        };

        if (by & (SAMPLE_BY_THREAD | SAMPLE_BY_PROCESS))
                key.thread = thread;
        if (by & SAMPLE_BY_CPU)
                key.cpu = hit->cpu;
        if (by & SAMPLE_BY_CGROUP)
                key.cgroup = m->cgroup;
        if (by & SAMPLE_BY_LABEL)
                key.label = hit->label;
        else if (by & SAMPLE_BY_PROCESS)
                key.label = m->name;
        if (by & SAMPLE_BY_PARALLELISM)
                key.parallelism = parallelism_of(t, m);
        if (by & SAMPLE_BY_TIME && t->plan.slice > 0)
                key.slice = m->time - m->time % t->plan.slice;
        return key;
}

static int table_count_hit(SampleTable *t, SampleHit *hit, uint32_t *ret) {
        const Moment *m = hit->moment;
        uint32_t thread, name;
        CacheEntry key;
        uintptr_t found;
        uint64_t hash;
        int r;

        if (!table_count_event(t, hit))
                return 0;
        if (hit->chain > 0)
                t->events.events[hit->event].unwound[m->end == UNWIND_END_MAX ? UNWIND_WHOLE : m->end]++;
        r = table_name_sample(t, m, &thread, &name);
        if (r < 0)
                return r;
        if (t->cache.kernel_maps != m->kernel_maps)
                cache_empty(t);
        t->cache.kernel_maps = m->kernel_maps;
        key = table_key_of(t, hit, thread, name);
        hash = cache_hash(&key);
        found = HASH_INDEX_FIND(&t->cache.index, hash, entry,
                                hash_index_may_be(entry, hash) &&
                                        cache_equal(t->cache.entries + hash_index_number(entry) - 1, &key));
        if (found > 0)
                key.row = t->cache.entries[hash_index_number(found) - 1].row;
        else
                r = cache_add(t, &key, hit, thread, hash);
        if (r < 0)
                return r;
        row_count(t, t->rows + key.row, hit, thread);
        *ret = key.row;
        return 0;
}

static int table_intern_facets(SampleTable *t, const SampleFacets *f, uint32_t *ret) {
        if (t->plan.facets == 0 || t->recording.facets.block_bytes > FACETS_BYTES_MAX)
                return 0;
        return byte_pool_intern(&t->recording.facets, f, sizeof(*f), ret);
}

/* As in perf, a branch is a sample of where it led, which may be on the other side of the kernel's border. */
static int table_count_branches(SampleTable *t, const SampleHit *hit, SampleFacets *f, uint32_t *ret) {
        const PerfSample *s = hit->moment->sample;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < s->n_branches; i++) {
                SampleHit to = *hit;

                to.ip = s->branches[i].to;
                to.cpumode = CODE_PLACES_ANY_MODE;
                to.period = 1;
                to.chain = 0;
                sample_facets_take_branch(f, t->plan.facets, s->branches + i);
                r = table_intern_facets(t, f, &to.facets);
                if (r >= 0)
                        r = table_count_hit(t, &to, ret);
        }
        return r;
}

int sample_table_count(SampleTable *t, const Moment *m, const SampleLabel *label, uint32_t *ret) {
        const PerfSample *s = m->sample;
        SampleHit hit = {
                .moment = m, .ip = s->ip, .period = s->period, .chain = m->chain, .event = t->recording.numbers[m->number],
                .cpumode = moment_mode(m), .cpu = m->event->attr.sample_type & PERF_SAMPLE_CPU ? s->cpu : UINT32_MAX,
        };
        SampleFacets f = {};
        int r = 0;

        *ret = SAMPLE_NO_ROW;
        if (m->selected == MOMENT_OTHER_TIME)
                return 0;
        if (t->plan.facets != 0)
                sample_facets_take(&f, t->plan.facets, m);
        if (label && label->size > 0 && t->plan.dimensions & SAMPLE_BY_LABEL && t->labels.block_bytes <= LABELS_BYTES_MAX)
                r = byte_pool_intern(&t->labels, label->texts, label->size, &hit.label);
        if (r >= 0 && t->plan.dimensions & SAMPLE_EACH_BRANCH)
                return table_count_branches(t, &hit, &f, ret);
        if (r >= 0)
                r = table_intern_facets(t, &f, &hit.facets);
        if (t->plan.dimensions & SAMPLE_PERIOD_IS_WEIGHT) {
                sample_facets_take(&f, FACET_WEIGHT, m);
                hit.period = MAX_OF(f.weight, 1u);
        }
        return r < 0 ? r : table_count_hit(t, &hit, ret);
}

static const void *live_get_chain(void *source, uint32_t number, size_t *ret_n) {
        return recorded_chains_get(source, number, ret_n);
}

int sample_table_begin_live(SampleTable *t, const PerfDataEvent *events, size_t n, RecordedChains *chains, MachineView **ret) {
        int r;

        sample_table_forget_recording(t);
        t->recording.facets.chunks.used = true;
        t->recording.source = chains;
        t->recording.get_chain = live_get_chain;
        r = byte_pool_intern(&t->hosts, "", 1, &t->recording.host);
        if (r >= 0)
                r = sample_events_add_all(&t->events, events, n, &t->recording.numbers);
        if (r >= 0)
                r = machine_view_begin_recording(&t->machine, events, n);
        if (r >= 0)
                *ret = &t->machine;
        return r;
}

/* A product of a weight and eighths may have more than 64 bits. */
static uint64_t weight_decay(uint64_t weight, unsigned eighths) {
        return weight / 8 * eighths + weight % 8 * eighths / 8;
}

/* Keeps the rows of slices that do not begin before that time, with so many eighths of their weight. */
static int table_keep(SampleTable *t, unsigned eighths, uint64_t since) {
        size_t kept = 0;
        int r = 0;

        t->totals.period = 0;
        for (size_t i = 0; i < t->events.n; i++) {
                SampleEvent *e = t->events.events + i;

                e->samples = e->period = e->selected = e->selected_period = e->idle = e->idle_period = e->latency = 0;
                e->squares = 0;
        }
        cache_empty(t);
        hash_index_done(&t->row_index);
        t->row_index = (HashIndex) {};
        for (size_t i = 0; r >= 0 && i < t->n_rows; i++) {
                SampleRow row = t->rows[i];
                SampleEvent *e = t->events.events + row.event;
                uint64_t hash = row_hash(t, &row);

                row.period = weight_decay(row.period, eighths);
                row.count = weight_decay(row.count, eighths);
                row.latency = weight_decay(row.latency, eighths);
                if (row.period == 0 || row.slice < since)
                        continue;
                e->samples += row.count;
                e->selected += row.count;
                e->period += row.period;
                e->selected_period += row.period;
                t->totals.period += row.period;
                t->rows[kept++] = row;
                r = hash_index_add(&t->row_index, hash, hash_index_entry(hash, (uint32_t) kept), row_hash_of, t);
        }
        t->n_rows = kept;
        return r;
}

int sample_table_decay(SampleTable *t, unsigned eighths) {
        return table_keep(t, eighths, 0);
}

int sample_table_forget(SampleTable *t, uint64_t before) {
        int r = table_keep(t, 8, before);

        if (r >= 0 && t->n_rows < t->rows_allocated / 2 && ARRAY_RESIZE(t->rows, MAX_OF(t->n_rows, (size_t) 1)) >= 0)
                t->rows_allocated = MAX_OF(t->n_rows, (size_t) 1);
        return r;
}

size_t sample_table_memory(const SampleTable *t) {
        const ProcessView *v = &t->machine.processes;

        return t->rows_allocated * sizeof(*t->rows) + t->machine.places.n * sizeof(*t->machine.places.places) +
               v->n_threads * sizeof(*v->threads) + v->names.block_bytes + v->dsos.bytes + t->chains.block_bytes +
               hash_index_memory(&t->row_index) + hash_index_memory(&t->machine.places.index) + hash_index_memory(&v->by_tid);
}

const SampleEvent *sample_table_events(const SampleTable *t, size_t *ret_n) {
        *ret_n = t->events.n;
        return t->events.events;
}

uint64_t sample_table_selected(const SampleTable *t, uint64_t *ret_all) {
        uint64_t selected = 0;

        *ret_all = 0;
        for (size_t i = 0; i < t->events.n; i++) {
                selected += t->events.events[i].selected;
                *ret_all += t->events.events[i].samples;
        }
        return selected;
}

const SampleRow *sample_table_rows(const SampleTable *t, size_t *ret_n) {
        *ret_n = t->n_rows;
        return t->rows;
}

bool sample_table_row_is_idle(const SampleTable *t, const SampleRow *row) {
        const MachineView *m = &t->machine;

        return t->events.events[row->event].tasks && m->processes.threads[row->thread].pid == 0 &&
               m->places.places[row->leaf].level == 'k';
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
        return &t->machine.processes;
}

const CgroupNames *sample_table_cgroups(const SampleTable *t) {
        return &t->machine.cgroups;
}

const char *sample_table_host(const SampleTable *t, uint32_t host) {
        return (const char *) byte_pool_get(&t->hosts, host)->data;
}

const char *sample_table_label(const SampleTable *t, uint32_t label, size_t number) {
        const ByteBlock *block = label > 0 ? byte_pool_get(&t->labels, label) : NULL;
        size_t from = 0;

        for (; block && from < block->size && number > 0; number--)
                from += strnlen((const char *) block->data + from, block->size - from) + 1;
        return block && from < block->size ? (const char *) block->data + from : NULL;
}

SampleFacets sample_table_facets(const SampleTable *t, uint32_t facets) {
        return facets_of(&t->facets, facets);
}

CodePlaces *sample_table_places(SampleTable *t) {
        return &t->machine.places;
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
        s.lacks_leaf = s.n == 0 || t->machine.places.places[*s.chain].level != t->machine.places.places[row->leaf].level;
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
