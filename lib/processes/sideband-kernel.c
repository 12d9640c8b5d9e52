/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's state: mappings of the kernel and its modules, symbols of BPF programs and trampolines, BPF programs,
 * changes of text, names of control groups. A fact is the last record that reported such a thing, until another record
 * withdraws it.
 *
 * No record withdraws the name of a control group; one that is made again under the same path replaces it. Beyond the
 * limits the oldest fact of that kind is dropped. Only of mappings the new ones are refused, since the oldest is the
 * kernel's own. */

#include "sideband-parts.h"

#define FACTS_MAX 32768u /* of a kind */
#define FACTS_BYTES_MAX ((size_t) 8 * 1024 * 1024) /* … of their records: paths of control groups may be long */

struct SidebandFact {
        SidebandFact *previous, *next;
        SidebandEntry *entry;
        uint64_t key;
        SidebandKernelKind kind;
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
                return e->tail; /* its path */
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

static bool is_fact(const SidebandFact *f, SidebandKernelKind kind, uint64_t key) {
        return f->kind == kind && f->key == key;
}

static SidebandFact *fact_find(const SidebandKernel *k, SidebandKernelKind kind, uint64_t key) {
        return (SidebandFact *) HASH_INDEX_FIND(&k->index, hash_of_key(kind, key), f, is_fact((const SidebandFact *) f, kind, key));
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

static int fact_add(SidebandTable *t, SidebandEntry **e) {
        SidebandKernelKind kind = kind_of(*e);
        SidebandFact *f;

        while (t->kernel.kinds[kind].n >= FACTS_MAX || t->kernel.kinds[kind].bytes >= FACTS_BYTES_MAX) {
                if (kind == SIDEBAND_KERNEL_MAP)
                        return 0;
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

static void fact_replace(SidebandTable *t, SidebandFact *f, SidebandEntry **e) {
        t->kernel.kinds[f->kind].bytes += (*e)->header.size - f->entry->header.size;
        sideband_entry_free(f->entry);
        f->entry = steal_ptr(*e);
        f->entry->origin = 0;
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
        fact_replace(t, f, e);
        return 0;
}

int sideband_kernel_put(const SidebandTable *t, RecordBuffer *b) {
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(t->kernel.kinds); i++)
                for (const SidebandFact *f = t->kernel.kinds[i].first; f && r >= 0; f = f->next)
                        r = sideband_entry_put(t, f->entry, true, b);
        return r;
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
