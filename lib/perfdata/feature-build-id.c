/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* BUILD_ID: the build ids of the binaries that were hit. What a process of a container had mapped that has ended meanwhile
 * is looked for in the containers that are still there. One that cannot be had (dso-build-id.c says when) is left out. */

#include "dso-build-id.h"
#include "mount-roots.h"

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

/* Where the files of one recording are looked for. */
typedef struct Search {
        const char *root;
        const DsoHits *hits;
        MountRoots others;
        bool has_others; /* they were looked for */
} Search;

static int find_others(Search *s) {
        _cleanup_free_ uint32_t *pids = NULL;
        size_t n;
        int r;

        if (s->has_others)
                return 0;
        s->has_others = true;
        r = dso_hits_pids(s->hits, &pids, &n);
        return r < 0 ? r : mount_roots_find(s->root, pids, n, &s->others);
}

static int read_build_id(Search *s, const DsoHit *d, BuildId *ret) {
        int r = dso_build_id_read(s->root, d, ret), q;

        /* Without the inode any file of that name would do, which is too little. */
        if (r >= 0 || r == -ENOMEM || d->cpumode != PERF_RECORD_MISC_USER || *d->path != '/' || d->inode == 0)
                return r;
        q = find_others(s);
        if (q < 0)
                return q;
        for (size_t i = 0; i < s->others.n && r < 0; i++) {
                DsoHit there = *d;

                there.pid = s->others.pids[i];
                r = dso_build_id_read(s->root, &there, ret);
        }
        return r;
}

int feature_table_add_build_ids(FeatureTable *t, DsoHits *h, const char *root) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        Search s = { .root = root ?: "", .hits = h };
        const DsoHit *hits;
        size_t n = 0;
        int r;

        r = dso_hits_get(h, &hits, &n);
        for (size_t i = 0; i < n && r >= 0; i++) {
                BuildId id;

                r = read_build_id(&s, hits + i, &id);
                if (r == 0)
                        put_entry(&b, hits + i, &id);
                if (r != -ENOMEM)
                        r = 0;
        }
        mount_roots_done(&s.others);
        return r < 0 ? r : feature_table_take(t, PERF_FEATURE_BUILD_ID, &b);
}
