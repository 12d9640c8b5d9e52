/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads the content of features, and checks it when it is read. */

#include "feature-cursor.h"
#include "reader-parts.h"
#include "strv.h"

#define STRINGS_MAX 65536u

/* Names are in the order of the attributes. */
int reader_read_names(PerfDataReader *r) {
        uint32_t n, attr_size, n_ids;
        FeatureCursor b;

        if (feature_cursor_init(&b, r, PERF_FEATURE_EVENT_DESC) < 0 || !feature_cursor_u32(&b, &n) ||
            !feature_cursor_u32(&b, &attr_size))
                return 0;
        for (size_t i = 0; i < n && i < r->n_events; i++) {
                const char *name;

                if (!feature_cursor_take(&b, attr_size) || !feature_cursor_u32(&b, &n_ids))
                        return 0;
                name = feature_cursor_string(&b);
                if (!name || !feature_cursor_take(&b, (uint64_t) n_ids * sizeof(uint64_t)))
                        return 0;
                /* a merged file has empty names for those it does not know */
                if (*name && perf_data_reader_name_event(r, i, name) < 0)
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
        FeatureCursor b;
        int q = feature_cursor_init(&b, r, feature);

        if (q < 0)
                return q;
        s = feature_cursor_string(&b);
        if (!s)
                return -EBADMSG;
        *ret = s;
        return 0;
}

int perf_data_reader_command_line(const PerfDataReader *r, char ***ret) {
        _cleanup_strv_free_ char **words = NULL;
        uint32_t n;
        FeatureCursor b;
        int q = feature_cursor_init(&b, r, PERF_FEATURE_CMDLINE);

        if (q < 0)
                return q;
        if (!feature_cursor_u32(&b, &n) || n > STRINGS_MAX)
                return -EBADMSG;
        for (uint32_t i = 0; i < n; i++) {
                const char *word = feature_cursor_string(&b);

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
static int next_entry(const PerfDataReader *r, size_t *cursor, FeatureCursor *ret) {
        struct perf_event_header h;

        for (;;) {
                if (r->stream)
                        *ret = (FeatureCursor) { .p = r->file + r->header.data.offset, .left = r->header.data.size };
                else if (feature_cursor_init(ret, r, PERF_FEATURE_BUILD_ID) < 0)
                        return 0;
                if (*cursor >= ret->left)
                        return 0;
                (void) feature_cursor_take(ret, *cursor);
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
        FeatureCursor b;
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
