/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's state: its own and its modules' mappings, symbols of BPF programs and trampolines, BPF programs, text that was
 * changed, names of control groups. Of each the last record that told of it, until one takes it back. Nobody takes back the
 * name of a control group; one that is made again under the same path is another one. What is more than there is room for
 * pushes out the oldest, but for mappings, where the kernel's own is the oldest. */

#include "sideband-parts.h"

#define BUCKETS   4096u
#define FACTS_MAX 32768u /* of a kind */
#define FACTS_BYTES_MAX ((size_t) 8 * 1024 * 1024) /* … of their records: paths of control groups may be long */

struct SidebandFact {
        SidebandFact *chain, *previous, *next;
        SidebandEntry *entry;
        uint64_t key;
        SidebandKernelKind kind;
};

static SidebandKernelKind kind_of(const SidebandEntry *e) {
        switch (e->type) {
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

/* Start, address, number of the program, address, path. */
static uint64_t key_of(const SidebandEntry *e) {
        switch (e->type) {
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return e->words[1];
        case PERF_RECORD_BPF_EVENT:
                return sideband_entry_u32(e, 1);
        case PERF_RECORD_CGROUP:
                return e->tail;
        default:
                return e->words[0];
        }
}

static bool takes_back(const SidebandEntry *e) {
        if (e->type == PERF_RECORD_KSYMBOL)
                return e->words[1] >> 48 & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
        return e->type == PERF_RECORD_BPF_EVENT && (e->words[0] & UINT16_MAX) == PERF_BPF_EVENT_PROG_UNLOAD;
}

static SidebandFact **bucket_of(const SidebandKernel *k, SidebandKernelKind kind, uint64_t key) {
        uint64_t h = (key ^ kind) * UINT64_C(0x9e3779b97f4a7c15);

        return k->buckets + (h >> 32) % BUCKETS;
}

static SidebandFact *find(const SidebandKernel *k, SidebandKernelKind kind, uint64_t key) {
        SidebandFact *f = *bucket_of(k, kind, key);

        while (f && (f->kind != kind || f->key != key))
                f = f->chain;
        return f;
}

static size_t fact_size(const SidebandTable *t, const SidebandFact *f) {
        return sizeof(*f) + SIDEBAND_MALLOC_OVERHEAD + sideband_entry_size(t, f->entry);
}

static void fact_remove(SidebandTable *t, SidebandFact *f) {
        SidebandFact **link = bucket_of(&t->kernel, f->kind, f->key);

        while (*link != f)
                link = &(*link)->chain;
        *link = f->chain;
        if (f->previous)
                f->previous->next = f->next;
        else
                t->kernel.kinds[f->kind].first = f->next;
        if (f->next)
                f->next->previous = f->previous;
        else
                t->kernel.kinds[f->kind].last = f->previous;
        t->kernel.kinds[f->kind].n--;
        t->kernel.kinds[f->kind].bytes -= f->entry->size;
        t->base_bytes -= fact_size(t, f);
        sideband_entry_free(f->entry);
        free(f);
}

static int fact_add(SidebandTable *t, SidebandEntry **e) {
        SidebandKernelKind kind = kind_of(*e);
        SidebandFact **bucket = bucket_of(&t->kernel, kind, key_of(*e)), *f;

        while (t->kernel.kinds[kind].n >= FACTS_MAX || t->kernel.kinds[kind].bytes >= FACTS_BYTES_MAX) {
                if (kind == SIDEBAND_KERNEL_MAP)
                        return 0;
                fact_remove(t, t->kernel.kinds[kind].first);
        }
        f = malloc(sizeof(*f));
        if (!f)
                return -ENOMEM;
        *f = (SidebandFact) {
                .chain = *bucket, .previous = t->kernel.kinds[kind].last, .entry = *e, .key = key_of(*e), .kind = kind,
        };
        *e = NULL;
        f->entry->origin = 0;
        *bucket = f;
        if (f->previous)
                f->previous->next = f;
        else
                t->kernel.kinds[kind].first = f;
        t->kernel.kinds[kind].last = f;
        t->kernel.kinds[kind].n++;
        t->kernel.kinds[kind].bytes += f->entry->size;
        t->base_bytes += fact_size(t, f);
        return 0;
}

static void fact_replace(SidebandTable *t, SidebandFact *f, SidebandEntry **e) {
        t->kernel.kinds[f->kind].bytes += (*e)->size - f->entry->size;
        sideband_entry_free(f->entry);
        f->entry = steal_ptr(*e);
        f->entry->origin = 0;
}

int sideband_kernel_apply(SidebandTable *t, SidebandEntry **e) {
        SidebandFact *f;

        if (!t->kernel.buckets) {
                t->kernel.buckets = calloc(BUCKETS, sizeof(SidebandFact *));
                if (!t->kernel.buckets)
                        return -ENOMEM;
                t->base_bytes += BUCKETS * sizeof(SidebandFact *);
        }
        f = find(&t->kernel, kind_of(*e), key_of(*e));
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
        free(t->kernel.buckets);
}
