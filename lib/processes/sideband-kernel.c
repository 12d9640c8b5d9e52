/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's state: mappings of the kernel and its modules, symbols of BPF programs and trampolines, BPF programs,
 * changes of text, names of control groups. A fact is the last record that reported such a thing, until another record
 * withdraws it.
 *
 * No record withdraws the name of a control group: sideband_table_keep_cgroups() finds those that no sample needs. Beyond the
 * limits the oldest fact of that kind is dropped; of control groups, the oldest of units and users that have the most. Only of
 * mappings the new ones are refused, since the oldest is the kernel's own. */

#include "array.h"
#include "sideband-parts.h"

#define FACTS_MAX 32768u /* of a kind */
#define FACTS_BYTES_MAX ((size_t) 8 * 1024 * 1024) /* … of their records: paths of control groups may be long */

#define SLICES 1024u /* of control groups: units and users are assigned to them by a hash */

struct SidebandFact {
        SidebandFact *previous, *next;
        SidebandEntry *entry;
        uint64_t key;
        SidebandKernelKind kind;
        bool removed; /* a control group that does not exist any more */
};

static SidebandKernelKind kind_of(const SidebandEntry *e) {
        switch (e->header.type) {
        case PERF_RECORD_KSYMBOL:
                return SIDEBAND_KERNEL_SYMBOL;
        case PERF_RECORD_BPF_EVENT:
                return SIDEBAND_KERNEL_BPF;
        case PERF_RECORD_TEXT_POKE:
                return SIDEBAND_KERNEL_POKE;
        case PERF_RECORD_CGROUP:
                return SIDEBAND_KERNEL_CGROUP;
        default:
                return SIDEBAND_KERNEL_MAP;
        }
}

static uint64_t key_of(const SidebandEntry *e) {
        const void *record = sideband_entry_record(e);

        switch (e->header.type) {
        case PERF_RECORD_BPF_EVENT:
                return ((const PerfRecordBpfEvent *) record)->id;
        case PERF_RECORD_CGROUP:
                return ((const PerfRecordCgroup *) record)->id;
        case PERF_RECORD_KSYMBOL:
                return ((const PerfRecordKsymbol *) record)->address;
        case PERF_RECORD_TEXT_POKE:
                return ((const PerfRecordTextPoke *) record)->address;
        default:
                return ((const PerfRecordMmap *) record)->start;
        }
}

static bool takes_back(const SidebandEntry *e) {
        const PerfRecordKsymbol *symbol = sideband_entry_record(e);
        const PerfRecordBpfEvent *program = sideband_entry_record(e);

        if (e->header.type == PERF_RECORD_KSYMBOL)
                return symbol->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
        return e->header.type == PERF_RECORD_BPF_EVENT && program->type == PERF_BPF_EVENT_PROG_UNLOAD;
}

static uint64_t hash_of_key(SidebandKernelKind kind, uint64_t key) {
        return hash_mix(kind, key);
}

static uint64_t hash_of_fact(const void *owner, uintptr_t entry) {
        const SidebandFact *f = (const SidebandFact *) entry;

        return hash_of_key(f->kind, f->key);
}

static SidebandFact *fact_find(const SidebandKernel *k, SidebandKernelKind kind, uint64_t key) {
        return (SidebandFact *) HASH_INDEX_FIND(&k->index, hash_of_key(kind, key), f, ((const SidebandFact *) f)->kind == kind &&
                                                ((const SidebandFact *) f)->key == key);
}

static size_t fact_size(const SidebandTable *t, const SidebandFact *f) {
        return sizeof(*f) + SIDEBAND_MALLOC_OVERHEAD + sideband_entry_size(t, f->entry);
}

static void fact_remove(SidebandTable *t, SidebandFact *f) {
        hash_index_remove(&t->kernel.index, hash_of_fact(NULL, (uintptr_t) f), (uintptr_t) f, hash_of_fact, NULL);
        if (f->previous)
                f->previous->next = f->next;
        else
                t->kernel.kinds[f->kind].first = f->next;
        if (f->next)
                f->next->previous = f->previous;
        else
                t->kernel.kinds[f->kind].last = f->previous;
        t->kernel.kinds[f->kind].n--;
        t->kernel.kinds[f->kind].bytes -= f->entry->header.size;
        t->base_bytes -= fact_size(t, f);
        sideband_entry_free(f->entry);
        free(f);
}

static const char *cgroup_path_of(const SidebandTable *t, const SidebandFact *f) {
        return (const char *) byte_pool_get(&t->pool, f->entry->tail)->data;
}

/* A user can make control groups below his own, which is the second one of the path: /user.slice/user-1000.slice, or a unit
 * that was delegated to him. */
static size_t cgroup_slice(const SidebandTable *t, const SidebandFact *f) {
        const char *path = cgroup_path_of(t, f), *end = path;

        for (unsigned i = 0; i < 2; i++) {
                end += strspn(end, "/");
                end += strcspn(end, "/");
        }
        return hash_bytes(0, path, (size_t) (end - path)) % SLICES;
}

/* Returns the level to which slices shrink so that all together have no more than so many bytes. */
static size_t cgroups_find_level(const size_t bytes[static SLICES], size_t most) {
        size_t level = FACTS_BYTES_MAX * 2, sum;

        do {
                level -= level / 8;
                sum = 0;
                for (size_t i = 0; i < SLICES; i++)
                        sum += MIN_OF(bytes[i], level);
        } while (sum > most);
        return level;
}

/* The slices with the most give way, until a quarter is free. */
static void cgroups_make_room(SidebandTable *t) {
        size_t bytes[SLICES] = {}, level;

        for (const SidebandFact *f = t->kernel.kinds[SIDEBAND_KERNEL_CGROUP].first; f; f = f->next)
                bytes[cgroup_slice(t, f)] += f->entry->header.size;
        level = cgroups_find_level(bytes, t->kernel.kinds[SIDEBAND_KERNEL_CGROUP].bytes / 4 * 3);
        for (SidebandFact *f = t->kernel.kinds[SIDEBAND_KERNEL_CGROUP].first, *next; f; f = next) {
                size_t slice = cgroup_slice(t, f);

                next = f->next;
                if (bytes[slice] <= level)
                        continue;
                bytes[slice] -= f->entry->header.size;
                fact_remove(t, f);
                t->kernel.dropped_cgroups++;
        }
}

static int fact_add(SidebandTable *t, SidebandEntry **e) {
        SidebandKernelKind kind = kind_of(*e);
        SidebandFact *f;

        while (t->kernel.kinds[kind].n >= FACTS_MAX || t->kernel.kinds[kind].bytes >= FACTS_BYTES_MAX) {
                if (kind == SIDEBAND_KERNEL_MAP)
                        return 0;
                if (kind == SIDEBAND_KERNEL_CGROUP)
                        cgroups_make_room(t);
                else
                        fact_remove(t, t->kernel.kinds[kind].first);
        }
        f = malloc(sizeof(*f));
        if (!f)
                return -ENOMEM;
        *f = (SidebandFact) { .previous = t->kernel.kinds[kind].last, .entry = *e, .key = key_of(*e), .kind = kind };
        if (hash_index_add(&t->kernel.index, hash_of_fact(NULL, (uintptr_t) f), (uintptr_t) f, hash_of_fact, NULL) < 0) {
                free(f);
                return -ENOMEM;
        }
        *e = NULL;
        f->entry->origin = 0;
        if (f->previous)
                f->previous->next = f;
        else
                t->kernel.kinds[kind].first = f;
        t->kernel.kinds[kind].last = f;
        t->kernel.kinds[kind].n++;
        t->kernel.kinds[kind].bytes += f->entry->header.size;
        t->base_bytes += fact_size(t, f);
        return 0;
}

int sideband_kernel_apply(SidebandTable *t, SidebandEntry **e) {
        SidebandFact *f = fact_find(&t->kernel, kind_of(*e), key_of(*e));

        if (takes_back(*e)) {
                if (f)
                        fact_remove(t, f);
                return 0;
        }
        if (!f)
                return fact_add(t, e);
        t->kernel.kinds[f->kind].bytes += (*e)->header.size - f->entry->header.size;
        sideband_entry_free(f->entry);
        f->entry = steal_ptr(*e);
        f->removed = false;
        f->entry->origin = 0;
        return 0;
}

static bool has_id(const uint64_t *ids, size_t n, uint64_t id) {
        size_t i = LOWER_BOUND(n, k, ids[k] < id);

        return i < n && ids[i] == id;
}

/* By the number of "/" readers see that the paths of others begin elsewhere, in a container. */
static bool fact_is_wanted(const SidebandTable *t, const SidebandFact *f, const SidebandSamples *s) {
        return f->kind != SIDEBAND_KERNEL_CGROUP || !s->cgroups || has_id(s->cgroups, s->n_cgroups, f->key) ||
               streq(cgroup_path_of(t, f), "/");
}

int sideband_kernel_put(const SidebandTable *t, const SidebandSamples *samples, RecordBuffer *b) {
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(t->kernel.kinds); i++)
                for (const SidebandFact *f = t->kernel.kinds[i].first; f && r >= 0; f = f->next)
                        if (fact_is_wanted(t, f, samples))
                                r = sideband_entry_put(t, f->entry, true, b);
        return r;
}

size_t sideband_table_nameless(const SidebandTable *t, const uint64_t *cgroups, size_t n) {
        size_t nameless = 0;

        for (size_t i = 0; i < n; i++)
                nameless += !fact_find(&t->kernel, SIDEBAND_KERNEL_CGROUP, cgroups[i]);
        return nameless;
}

uint64_t sideband_table_n_dropped_cgroups(const SidebandTable *t) {
        return t->kernel.dropped_cgroups;
}

void sideband_kernel_keep_cgroups(SidebandTable *t, const uint64_t *cgroups, size_t n, SidebandCgroupExists *exists,
                                  void *userdata) {
        for (SidebandFact *f = t->kernel.kinds[SIDEBAND_KERNEL_CGROUP].first, *next; f; f = next) {
                next = f->next;
                if (has_id(cgroups, n, f->key))
                        continue;
                if (f->removed)
                        fact_remove(t, f);
                else
                        f->removed = !exists(userdata, f->key, cgroup_path_of(t, f));
        }
}

void sideband_kernel_mark(SidebandTable *t) {
        for (size_t i = 0; i < ELEMENTSOF(t->kernel.kinds); i++)
                for (const SidebandFact *f = t->kernel.kinds[i].first; f; f = f->next)
                        byte_pool_mark(&t->pool, f->entry->tail);
}

void sideband_kernel_done(SidebandTable *t) {
        for (size_t i = 0; i < ELEMENTSOF(t->kernel.kinds); i++)
                while (t->kernel.kinds[i].first)
                        fact_remove(t, t->kernel.kinds[i].first);
        hash_index_done(&t->kernel.index);
}
