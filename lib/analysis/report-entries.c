/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows are walked in the order of their first samples, which makes the entries in perf's order. With children, a sample counts
 * once for each entry that its call chain passes, however often it does so: a stamp says which row came last.
 *
 * Invariant: which entry a place counts for depends on the row and the place only, never on where the walk came from. The first
 * walk makes the entries; later ones, for which memory was measured by it, only find them. */

#include "report-entries.h"

#include "array.h"
#include "strv.h"

#define CALLERS ((size_t) 1 << 14)

void report_done(Report *report) {
        free(report->entries);
        free(report->others);
        free(report->stamps);
        free(report->callers);
        hash_index_done(&report->index);
        byte_pool_done(&report->values);
        *report = (Report) {};
}

static uint64_t entries_entry_hash(const ReportEntry *e) {
        uint64_t hash = hash_mix(hash_mix(e->row_hash, (uint64_t) e->dso << 32 | e->symbol), e->ip ^ e->values);

        return HASH_INDEX_HALF(hash_mix(hash, (uint64_t) e->line << 32 | e->file));
}

static uint64_t entry_hash_of(const void *owner, uintptr_t entry) {
        const Report *report = owner;

        return HASH_INDEX_HAS_HASH ? HASH_INDEX_HALF(entry) : entries_entry_hash(report->entries + hash_index_number(entry) - 1);
}

static bool entry_equal(const ReportEntry *a, const ReportEntry *b) {
        return a->dso == b->dso && a->symbol == b->symbol && a->ip == b->ip && a->line == b->line && a->file == b->file &&
               a->values == b->values && memcmp(&a->row, &b->row, sizeof(a->row)) == 0;
}

static bool is_of_other(const Report *report, const SampleRow *row) {
        return report->n_others > 0 && row->event != report->plan.event;
}

static bool groups_by(const Report *report, ReportKey key) {
        return report->plan.keys & REPORT_KEY(key);
}

static uint64_t row_keys_hash(const ReportRowKeys *keys) {
        uint64_t words[sizeof(*keys) / sizeof(uint64_t)], hash = 0;

        memcpy(words, keys, sizeof(words));
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                hash = hash_mix(hash, words[i]);
        return hash;
}

static void set_group(const Report *report, ReportRowKeys *keys, const SampleRow *row) {
        const CgroupName *group = row->cgroup > 0 ? sample_table_cgroups(report->table)->groups + row->cgroup - 1 : NULL;

        if (groups_by(report, REPORT_CGROUP))
                keys->cgroup = row->cgroup;
        if (group && groups_by(report, REPORT_UNIT))
                keys->unit = group->unit;
        if (group && groups_by(report, REPORT_CONTAINER))
                keys->container = group->container;
}

/* The part of the row's call chain that counts, in the order in which it is shown. */
static ReportChain chain_of_row(const Report *report, const SampleRow *row) {
        ReportChain c = { .step = report->plan.caller ? -1 : 1, .period = row->period, .count = row->count };
        const uint32_t *places = sample_table_chain(report->table, row->chain, &c.n);

        c.places = !report->plan.caller || c.n == 0 ? places : places + c.n - 1;
        c.n = MIN_OF(c.n, report->plan.max_stack);
        return c;
}

static uint32_t parent_of_row(const Report *report, const SampleRow *row) {
        ReportChain c = chain_of_row(report, row);
        uint32_t parent = 0;

        for (; parent == 0 && c.n > 0; c.n--, c.places += c.step)
                parent = report->plan.parents[report->names->symbol_of[*c.places]];
        return parent;
}

static int intern_values(Report *report, uint64_t keys, const ReportEntry *e, uint32_t *ret) {
        ReportValue values[64];
        size_t n = 0;

        *ret = 0;
        for (; keys != 0; keys &= keys - 1)
                values[n++] = report->plan.value(report, (unsigned) __builtin_ctzll(keys), e);
        return n > 0 ? byte_pool_intern(&report->values, values, n * sizeof(*values), ret) : 0;
}

static int entry_of_row(Report *report, const SampleRow *row, ReportEntry *ret) {
        ReportEntry e = { .thread = row->thread, .facets = row->facets, .place = row->leaf };
        int r = intern_values(report, report->plan.row_values, &e, &e.row.values);

        if (groups_by(report, REPORT_COMM))
                e.row.name = row->name;
        if (groups_by(report, REPORT_PID))
                e.row.tid = sample_table_view(report->table)->threads[row->thread].tid;
        if (groups_by(report, REPORT_CPU))
                e.row.cpu = row->cpu;
        if (groups_by(report, REPORT_TIME))
                e.row.time = row->slice;
        if (groups_by(report, REPORT_PARALLELISM))
                e.row.parallelism = row->parallelism;
        if (groups_by(report, REPORT_HOST))
                e.row.host = row->host;
        if (groups_by(report, REPORT_TRACE))
                e.row.label = row->label;
        if (groups_by(report, REPORT_PARENT) && report->plan.parents)
                e.row.parent = parent_of_row(report, row);
        set_group(report, &e.row, row);
        e.row_hash = row_keys_hash(&e.row);
        *ret = e;
        return r;
}

/* Without a name, the function that was hit has its address in the file, and a caller has its recorded one, as in perf;
 * addresses in two files are not the same code. */
static int entry_set_place(Report *report, ReportEntry *e, uint32_t number, bool hit) {
        const CodePlace *place = report->places->places + number;
        uint32_t symbol = report->names->symbol_of[number];
        bool by_symbol = groups_by(report, REPORT_SYMBOL), by_address = by_symbol && symbol == 0;

        e->named = symbol != 0;
        e->symbol = by_symbol ? symbol : 0;
        e->ip = !by_address || report->plan.unnamed_as_one ? 0 : hit ? place->address : place->ip;
        e->dso = by_address || groups_by(report, REPORT_DSO) ? place_names_dso(report->names, place) : 0;
        e->line = groups_by(report, REPORT_SOURCE_LINE) ? report->names->line_of[number] : 0;
        e->file = groups_by(report, REPORT_SOURCE_FILE) ? report->names->file_of[number] : 0;
        e->mapped = place->dso != DSO_NONE;
        if (hit || e->mapped)
                e->level = place->level;
        e->place = number;
        return intern_values(report, report->plan.place_values, e, &e->values);
}

static int entries_entry_add(Report *report, const ReportEntry *e, uint64_t hash, size_t *ret) {
        int r;

        if (report->n >= UINT32_MAX || ARRAY_RESERVE(report->entries, report->allocated, report->n + 1) < 0 ||
            ARRAY_RESERVE(report->stamps, report->stamps_allocated, report->n + 1) < 0 ||
            ARRAY_RESERVE(report->others, report->others_allocated, (report->n + 1) * report->n_others) < 0)
                return -ENOMEM;
        if (report->n_others > 0)
                memset(report->others + report->n * report->n_others, 0, report->n_others * sizeof(*report->others));
        report->entries[report->n] = *e;
        report->stamps[report->n] = 0;
        r = hash_index_add(&report->index, hash, hash_index_entry(hash, (uint32_t) report->n + 1), entry_hash_of, report);
        if (r >= 0)
                *ret = report->n++;
        return r;
}

static int entry_intern(Report *report, const ReportEntry *e, size_t *ret) {
        uint64_t hash = entries_entry_hash(e);
        uintptr_t found = HASH_INDEX_FIND(&report->index, hash, entry,
                                          hash_index_may_be(entry, hash) &&
                                                  entry_equal(report->entries + hash_index_number(entry) - 1, e));

        if (found == 0)
                return report->complete ? -ENOTRECOVERABLE : entries_entry_add(report, e, hash, ret);
        *ret = hash_index_number(found) - 1;
        return 0;
}

/* places: only a row that has hit one of these, or with children has it in its call chain; NULL: any. */
static bool row_is_wanted(const Report *report, const SampleRow *row, ReportChain chain, const bool *places) {
        const CodePlace *place = report->places->places + row->leaf;
        const char *symbol = report->names->symbols[report->names->symbol_of[row->leaf]].name;

        if (places && !places[row->leaf]) {
                while (report->plan.children && chain.n > 0 && !places[*chain.places])
                        chain.n--, chain.places += chain.step;
                if (!report->plan.children || chain.n == 0)
                        return false;
        }
        if (report->plan.resolved && !symbol)
                return false;
        if (report->plan.n_parallelisms > 0 &&
            !ANY_OF(report->plan.n_parallelisms, i, report->plan.parallelisms[i] == (int) row->parallelism))
                return false;
        if (report->plan.dsos &&
            (place->dso == DSO_NONE ||
             (!strv_contains(report->plan.dsos, place_names_text(report->names, place_names_dso(report->names, place))) &&
              !strv_contains(report->plan.dsos, report->places->dsos->dsos[place->dso].path))))
                return false;
        return !report->plan.symbols || (symbol && strv_contains(report->plan.symbols, symbol));
}

bool report_entry_is_wanted(const Report *report, const ReportEntry *e) {
        const char *symbol = report->names->symbols[e->symbol].name;

        if (report->plan.with_parent && e->row.parent == 0)
                return false;
        return !report->plan.symbol_part || (symbol && strstr(symbol, report->plan.symbol_part));
}

/* Called for each entry that a row counts for; chain: what is left of its call chain from there on. */
typedef int (*ReportVisit)(Report *report, size_t entry, const SampleRow *row, const ReportChain *chain, bool hit, void *userdata);

/* Most callers are those of many rows, so the entry that was found for a place is kept, with the row's keys that it has. The level
 * of the last place that is mapped stays for those that are not. */
static int find_caller(Report *report, ReportEntry *e, uint32_t place, size_t *ret) {
        ReportCaller *c = report->callers + (hash_mix(e->row_hash, place) & (CALLERS - 1));
        int r;

        if (c->entry > 0 && c->place == place && c->row_hash == e->row_hash &&
            memcmp(&report->entries[c->entry - 1].row, &e->row, sizeof(e->row)) == 0) {
                if (c->level)
                        e->level = c->level;
                *ret = c->entry - 1;
                return 0;
        }
        r = entry_set_place(report, e, place, false);
        if (r >= 0)
                r = entry_intern(report, e, ret);
        if (r >= 0)
                *c = (ReportCaller) {
                        .row_hash = e->row_hash, .place = place, .entry = (uint32_t) *ret + 1,
                        .level = (char) (e->mapped ? e->level : 0),
                };
        return r;
}

static int report_visit_callers(Report *report, size_t number, ReportEntry *e, ReportChain chain, ReportVisit visit,
                                void *userdata) {
        const SampleRow *row = sample_table_rows(report->table, &(size_t) { 0 }) + report->plan.rows[number];
        size_t entry;
        int r = 0;

        for (; r >= 0 && chain.n > 0; chain.n--, chain.places += chain.step) {
                r = find_caller(report, e, *chain.places, &entry);
                if (r < 0 || report->stamps[entry] == number + 1)
                        continue;
                report->stamps[entry] = number + 1;
                r = visit(report, entry, row, &chain, false, userdata);
        }
        return r;
}

/* Visits the entries of the plan's rows from one on; places: only of rows that have one of them, NULL: of all. */
static int report_visit_rows(Report *report, size_t from, size_t to, const bool *places, ReportVisit visit, void *userdata) {
        const SampleRow *rows = sample_table_rows(report->table, &(size_t) { 0 });
        int r = 0;

        for (size_t i = from; r >= 0 && i < to; i++) {
                const SampleRow *row = rows + report->plan.rows[i];
                ReportChain chain = chain_of_row(report, row), hit = chain;
                ReportEntry e;
                size_t entry;

                if (report->plan.from_entry && report->plan.caller && chain.n > 0) {
                        hit.places += (ptrdiff_t) (chain.n - 1) * chain.step;
                        hit.n = 1;
                }
                if (!row_is_wanted(report, row, chain, places))
                        continue;
                r = entry_of_row(report, row, &e);
                if (r >= 0)
                        r = entry_set_place(report, &e, row->leaf, true);
                if (r >= 0)
                        r = entry_intern(report, &e, &entry);
                if (r < 0)
                        return r;
                report->stamps[entry] = i + 1;
                r = visit(report, entry, row, &hit, true, userdata);
                if (r >= 0 && report->plan.children)
                        r = report_visit_callers(report, i, &e, chain, visit, userdata);
        }
        return r;
}

static int count_row(Report *report, size_t entry, const SampleRow *row, const ReportChain *chain, bool hit, void *userdata) {
        ReportEntry *e = report->entries + entry;
        char level = report->places->places[row->leaf].level;
        ReportWeight *w = &e->weight;

        if (is_of_other(report, row))
                w = report->others + entry * report->n_others + (row->event - report->plan.event - 1);
        if (hit) {
                report->samples += !report->plan.with_parent || e->row.parent > 0 ? row->count : 0;
                w->period += row->period;
                w->count += row->count;
                w->kernel_period += level == 'k' ? row->period : 0;
                w->user_period += level == '.' ? row->period : 0;
                w->latency += row->latency;
        }
        w->children_period += row->period;
        w->children_count += row->count;
        if (chain->n > 0 && !is_of_other(report, row)) { /* the other events of a group have no call chains, as in perf */
                e->depth = MAX_OF(e->depth, chain->n);
                e->n_chains++;
        }
        return 0;
}

/* perf takes samples without a function for none at all: they are no part of what shares are of. */
ReportWeight report_unresolved(const Report *report, size_t member) {
        const SampleRow *rows = sample_table_rows(report->table, &(size_t) { 0 });
        ReportWeight all = {};

        for (size_t i = 0; report->plan.resolved && i < report->plan.n_rows; i++) {
                const SampleRow *row = rows + report->plan.rows[i];

                if (report->names->symbol_of[row->leaf] > 0 || row->event - report->plan.event != member)
                        continue;
                all.count += row->count;
                all.period += row->period;
                all.latency += row->latency;
        }
        return all;
}

int report_begin(Report *report, SampleTable *table, const PlaceNames *names, const ReportPlan *plan) {
        *report = (Report) { .plan = *plan, .table = table, .places = sample_table_places(table), .names = names };
        report->n_others = plan->n_members > 1 ? plan->n_members - 1 : 0;
        report->callers = calloc(CALLERS, sizeof(*report->callers));
        return report->callers ? 0 : -ENOMEM;
}

int report_count(Report *report, size_t n) {
        size_t to = report->n_counted + MIN_OF(n, report->plan.n_rows - report->n_counted);
        int r = report_visit_rows(report, report->n_counted, to, NULL, count_row, NULL);

        report->n_counted = to;
        report->complete = r >= 0 && to == report->plan.n_rows;
        return r < 0 ? r : to < report->plan.n_rows;
}

int report_init(Report *report, SampleTable *table, const PlaceNames *names, const ReportPlan *plan) {
        int r = report_begin(report, table, names, plan);

        return r < 0 ? r : report_count(report, SIZE_MAX);
}

static int collect_chain(Report *report, size_t entry, const SampleRow *row, const ReportChain *chain, bool hit, void *userdata) {
        ReportCollection *c = userdata;

        if (!c->wanted[entry] || chain->n == 0 || is_of_other(report, row))
                return 0;
        if (c->next[entry] == c->first[entry + 1])
                return -ENOTRECOVERABLE;
        c->chains[c->next[entry]++] = *chain;
        return 0;
}

void report_collection_done(ReportCollection *c) {
        free(c->chains);
        free(c->first);
        free(c->next);
        free(c->places);
        *c = (ReportCollection) {};
}

/* Returns whether an entry may be that of a place, by its code. */
static bool entry_may_have_place(Report *report, const ReportEntry *e, uint32_t place, bool hit) {
        ReportEntry other = *e;

        return entry_set_place(report, &other, place, hit) >= 0 && other.dso == e->dso && other.symbol == e->symbol &&
               other.ip == e->ip && other.line == e->line && other.file == e->file && other.values == e->values;
}

/* If one entry is wanted, which is what takes somebody's time who waits for it, only rows with its code are looked at closely. */
static int collection_find_places(ReportCollection *c) {
        Report *report = c->report;
        size_t n = 0, entry = 0;

        for (size_t i = 0; i < report->n; i++)
                if (c->wanted[i]) {
                        entry = i;
                        n++;
                }
        if (n != 1)
                return 0;
        c->places = calloc(report->places->n + 1, sizeof(*c->places));
        if (!c->places)
                return -ENOMEM;
        for (uint32_t i = 0; i < report->places->n; i++)
                c->places[i] = entry_may_have_place(report, report->entries + entry, i, true) ||
                               (report->plan.children && entry_may_have_place(report, report->entries + entry, i, false));
        return 0;
}

int report_collect_begin(ReportCollection *c, Report *report, const bool *wanted) {
        size_t n = 0;

        *c = (ReportCollection) { .report = report, .wanted = wanted };
        c->first = calloc(report->n + 1, sizeof(*c->first));
        c->next = calloc(report->n + 1, sizeof(*c->next));
        if (!c->first || !c->next)
                return -ENOMEM;
        for (size_t i = 0; i < report->n; i++) {
                c->first[i] = c->next[i] = n;
                n += wanted[i] ? report->entries[i].n_chains : 0;
        }
        c->first[report->n] = n;
        c->chains = calloc(n + 1, sizeof(*c->chains));
        if (!c->chains)
                return -ENOMEM;
        if (report->n > 0)
                memset(report->stamps, 0, report->n * sizeof(*report->stamps));
        return collection_find_places(c);
}

int report_collect_rows(ReportCollection *c, size_t n) {
        size_t all = c->report->plan.n_rows, to = c->n_rows + MIN_OF(n, all - c->n_rows);
        int r = report_visit_rows(c->report, c->n_rows, to, c->places, collect_chain, c);

        c->n_rows = to;
        return r < 0 ? r : to < all;
}

int report_collect_chains(Report *report, const bool *wanted, ReportChain **ret_chains, size_t **ret_first) {
        _cleanup_(report_collection_done) ReportCollection c = {};
        int r = report_collect_begin(&c, report, wanted);

        if (r >= 0)
                r = report_collect_rows(&c, SIZE_MAX);
        if (r < 0)
                return r;
        *ret_chains = steal_ptr(c.chains);
        *ret_first = steal_ptr(c.first);
        return 0;
}
