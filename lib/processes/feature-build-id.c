/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The feature BUILD_ID: the build ids of the binaries that were hit. Binaries whose id is not available
 * (dso-source.h), and was not in an earlier dump, are left out. */

#include "build-id-memory.h"
#include "dso-build-id.h"

/* perf 6.1 writes type 0 here, and pid -1 for what is not a guest's. */
static void put_entry(ByteBuffer *b, const DsoHit *d, const BuildId *id) {
        size_t n = strlen(d->path), padded = PERF_ALIGN_UP(n + 1, PERF_FILE_NAME_ALIGN);
        PerfBuildIdEntry e = {
                .header = { .misc = d->cpumode | PERF_BUILD_ID_HAS_SIZE, .size = (uint16_t) (sizeof(e) + padded) },
                .pid = UINT32_MAX,
                .size = id->size,
        };
        char *path;

        memcpy(e.id, id->bytes, sizeof(e.id));
        byte_buffer_put(b, &e, sizeof(e));
        path = byte_buffer_extend(b, padded);
        if (path)
                memcpy(path, d->path, n);
}

/* 0; -ENODATA and others: the id is not known; -ENOMEM. */
static int find_id(DsoSearch *search, BuildIdMemory *memory, const DsoHit *d, BuildId *ret) {
        int r = dso_build_id_read(search, d, ret), remembered;
        BuildId *known;

        if (r == -ENOMEM || !memory || d->inode == 0)
                return r;
        remembered = build_id_memory_get(memory, d, &known);
        if (remembered < 0)
                return remembered == -ENOMEM ? remembered : r;
        if (r == 0)
                *known = *ret;
        else if (known->size > 0)
                *ret = *known;
        return known->size > 0 ? 0 : r;
}

int feature_table_add_build_ids(FeatureTable *t, DsoHits *h, const char *root, BuildIdMemory *memory) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        DsoSearch search;
        const DsoHit *hits;
        size_t n = 0;
        int r;

        dso_search_init(&search, root ?: "", h);
        r = dso_hits_get(h, &hits, &n);
        for (size_t i = 0; i < n && r >= 0; i++) {
                BuildId id;

                r = find_id(&search, memory, hits + i, &id);
                if (r == 0)
                        put_entry(&b, hits + i, &id);
                if (r != -ENOMEM)
                        r = 0;
        }
        dso_search_done(&search);
        if (r >= 0 && memory)
                r = build_id_memory_trim(memory, hits, n);
        return r < 0 ? r : feature_table_take(t, PERF_FEATURE_BUILD_ID, &b);
}
