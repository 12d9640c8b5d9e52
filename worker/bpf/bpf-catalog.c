/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Programs and types by their ids, which the kernel counts up and so does not reuse soon. Both lists are sorted, as
 * perf writes them. Programs that are unloaded stay: the file may have samples of them. */

#include "bpf-catalog.h"

#include "array.h"

#define PROGRAMS_MAX 65536u

typedef struct Entry {
        BpfProgram program;
        bool loaded;
} Entry;

struct BpfCatalog {
        Entry *entries;
        size_t n_entries;
        BpfTypes *types;
        size_t n_types;
};

int bpf_catalog_new(BpfCatalog **ret) {
        BpfCatalog *c = calloc(1, sizeof(*c));

        if (!c)
                return -ENOMEM;
        *ret = c;
        return 0;
}

BpfCatalog *bpf_catalog_free(BpfCatalog *c) {
        if (!c)
                return NULL;
        for (size_t i = 0; i < c->n_entries; i++)
                bpf_program_done(&c->entries[i].program);
        for (size_t i = 0; i < c->n_types; i++)
                bpf_types_done(c->types + i);
        free(c->entries);
        free(c->types);
        free(c);
        return NULL;
}

static size_t bpf_catalog_find_types(const BpfCatalog *c, uint32_t id) {
        return LOWER_BOUND(c->n_types, i, c->types[i].id < id);
}

static int bpf_catalog_add_types(BpfCatalog *c, uint32_t id) {
        size_t i = bpf_catalog_find_types(c, id);
        BpfTypes types;
        int r;

        if (i < c->n_types && c->types[i].id == id)
                return 0;
        if (ARRAY_RESERVE_NEXT(c->types, c->n_types) < 0)
                return -ENOMEM;
        r = bpf_types_read(id, &types);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        memmove(c->types + i + 1, c->types + i, (c->n_types - i) * sizeof(*c->types));
        c->types[i] = types;
        c->n_types++;
        return 0;
}

static int bpf_catalog_add_program(BpfCatalog *c, size_t i, uint32_t id) {
        BpfProgram p;
        int r;

        if (ARRAY_RESERVE_NEXT(c->entries, c->n_entries) < 0)
                return -ENOMEM;
        r = bpf_program_read(id, &p);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        memmove(c->entries + i + 1, c->entries + i, (c->n_entries - i) * sizeof(*c->entries));
        c->entries[i] = (Entry) { .program = p, .loaded = true };
        c->n_entries++;
        return bpf_program_has_types(&p) ? bpf_catalog_add_types(c, p.info.btf_id) : 0;
}

int bpf_catalog_update(BpfCatalog *c) {
        uint32_t id = 0;

        for (size_t i = 0; i < c->n_entries; i++)
                c->entries[i].loaded = false;
        for (unsigned n = 0; n < PROGRAMS_MAX && bpf_program_next(&id) >= 0; n++) {
                size_t i = LOWER_BOUND(c->n_entries, k, c->entries[k].program.info.id < id);
                int r = 0;

                if (i < c->n_entries && c->entries[i].program.info.id == id)
                        c->entries[i].loaded = true;
                else
                        r = bpf_catalog_add_program(c, i, id);
                if (r < 0)
                        return r;
        }
        return 0;
}

int bpf_catalog_each(const BpfCatalog *c, BpfProgramHandler handler, void *userdata) {
        int r = 0;

        for (size_t i = 0; i < c->n_entries && r >= 0; i++) {
                const BpfProgram *p = &c->entries[i].program;
                size_t k = bpf_catalog_find_types(c, p->info.btf_id);

                if (c->entries[i].loaded)
                        r = handler(userdata, p, k < c->n_types && c->types[k].id == p->info.btf_id ? c->types + k : NULL);
        }
        return r;
}

int bpf_catalog_add_features(const BpfCatalog *c, FeatureTable *t) {
        ByteBuffer programs = {}, types = {};
        int r, q;

        byte_buffer_put_u32(&programs, (uint32_t) c->n_entries);
        for (size_t i = 0; i < c->n_entries; i++)
                byte_buffer_put(&programs, c->entries[i].program.block, c->entries[i].program.size);
        byte_buffer_put_u32(&types, (uint32_t) c->n_types);
        for (size_t i = 0; i < c->n_types; i++) {
                byte_buffer_put_u32(&types, c->types[i].id);
                byte_buffer_put_u32(&types, c->types[i].size);
                byte_buffer_put(&types, c->types[i].data, c->types[i].size);
        }
        r = feature_table_take(t, PERF_FEATURE_BPF_PROG_INFO, &programs);
        q = feature_table_take(t, PERF_FEATURE_BPF_BTF, &types);
        return r < 0 ? r : q;
}

size_t bpf_catalog_size(const BpfCatalog *c) {
        size_t size = 2 * sizeof(uint32_t);

        for (size_t i = 0; i < c->n_entries; i++)
                size += c->entries[i].program.size;
        for (size_t i = 0; i < c->n_types; i++)
                size += 2 * sizeof(uint32_t) + c->types[i].size;
        return size;
}
