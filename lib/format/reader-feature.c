/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads the content of features, and checks it when it is read. */

#include "reader-parts.h"
#include "strv.h"

#define STRINGS_MAX 65536u

/* A walk over a feature's bytes. */
typedef struct Bytes {
        const uint8_t *p;
        size_t left;
} Bytes;

static const void *take(Bytes *b, uint64_t n) {
        const uint8_t *p = b->p;

        if (n > b->left)
                return NULL;
        b->p += n;
        b->left -= n;
        return p;
}

static bool take_u32(Bytes *b, uint32_t *ret) {
        const void *p = take(b, sizeof(*ret));

        if (p)
                memcpy(ret, p, sizeof(*ret));
        return p;
}

static const char *take_string(Bytes *b) {
        const char *s;
        uint32_t n;

        if (!take_u32(b, &n))
                return NULL;
        s = take(b, n);
        return s && memchr(s, 0, n) ? s : NULL;
}

static int feature_bytes(const PerfDataReader *r, unsigned feature, Bytes *ret) {
        const void *p;
        size_t size;
        int q = perf_data_reader_feature(r, feature, &p, &size);

        if (q < 0)
                return q;
        *ret = (Bytes) { .p = p, .left = size };
        return 0;
}

/* Names are in the order of the attributes. */
int reader_read_names(PerfDataReader *r) {
        uint32_t n, attr_size, n_ids;
        Bytes b;

        if (feature_bytes(r, PERF_FEATURE_EVENT_DESC, &b) < 0 || !take_u32(&b, &n) || !take_u32(&b, &attr_size))
                return 0;
        for (size_t i = 0; i < n && i < r->n_events; i++) {
                const char *name;

                if (!take(&b, attr_size) || !take_u32(&b, &n_ids))
                        return 0;
                name = take_string(&b);
                if (!name || !take(&b, (uint64_t) n_ids * sizeof(uint64_t)))
                        return 0;
                if (reader_set_name(r, i, name) < 0)
                        return -ENOMEM;
        }
        return 0;
}

int perf_data_reader_feature(const PerfDataReader *r, unsigned feature, const void **ret, size_t *ret_size) {
        if (!perf_data_header_has_feature(&r->header, feature))
                return -ENODATA;
        *ret = r->file + r->features[feature].offset;
        *ret_size = r->features[feature].size;
        return 0;
}

int perf_data_reader_feature_string(const PerfDataReader *r, unsigned feature, const char **ret) {
        const char *s;
        Bytes b;
        int q = feature_bytes(r, feature, &b);

        if (q < 0)
                return q;
        s = take_string(&b);
        if (!s)
                return -EBADMSG;
        *ret = s;
        return 0;
}

int perf_data_reader_command_line(const PerfDataReader *r, char ***ret) {
        _cleanup_strv_free_ char **words = NULL;
        uint32_t n;
        Bytes b;
        int q = feature_bytes(r, PERF_FEATURE_CMDLINE, &b);

        if (q < 0)
                return q;
        if (!take_u32(&b, &n) || n > STRINGS_MAX)
                return -EBADMSG;
        for (uint32_t i = 0; i < n; i++) {
                const char *word = take_string(&b);

                if (!word)
                        return -EBADMSG;
                q = strv_extend(&words, word);
                if (q < 0)
                        return q;
        }
        *ret = steal_ptr(words);
        return 0;
}

/* Build ids are a table in a file, and records among the others in a stream, if they were added (perf inject -b). */
static int next_entry(const PerfDataReader *r, size_t *cursor, Bytes *ret) {
        struct perf_event_header h;

        for (;;) {
                if (r->stream)
                        *ret = (Bytes) { .p = r->file + r->header.data.offset, .left = r->header.data.size };
                else if (feature_bytes(r, PERF_FEATURE_BUILD_ID, ret) < 0)
                        return 0;
                if (*cursor >= ret->left)
                        return 0;
                (void) take(ret, *cursor);
                if (ret->left < sizeof(h))
                        return -EBADMSG;
                memcpy(&h, ret->p, sizeof(h));
                if (!r->stream || h.type == PERF_RECORD_HEADER_BUILD_ID)
                        return 1;
                *cursor += record_walk_span(ret->p, ret->left);
        }
}

int perf_data_reader_next_build_id(const PerfDataReader *r, size_t *cursor, BuildIdEntry *ret) {
        PerfBuildIdEntry e;
        const void *path;
        Bytes b;
        int q = next_entry(r, cursor, &b);

        if (q <= 0)
                return q;
        if (b.left < sizeof(e))
                return -EBADMSG;
        memcpy(&e, b.p, sizeof(e));
        if (e.header.size <= sizeof(e) || e.header.size > b.left)
                return -EBADMSG;
        path = b.p + sizeof(e);
        if (!memchr(path, 0, e.header.size - sizeof(e)))
                return -EBADMSG;
        *ret = (BuildIdEntry) {
                .path = path,
                .cpumode = e.header.misc & PERF_RECORD_MISC_CPUMODE_MASK,
                .pid = e.pid,
                .id.size = PERF_BUILD_ID_SIZE,
        };
        if (e.header.misc & PERF_BUILD_ID_HAS_SIZE)
                ret->id.size = MIN_OF(e.size, (uint8_t) PERF_BUILD_ID_SIZE);
        memcpy(ret->id.bytes, e.id, ret->id.size);
        *cursor += e.header.size;
        return 1;
}
