/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The frame of a recording, of either shape, and the features in it.
 *
 * A file has a header, the attributes and their ids, and sections, each of which is checked to be within the file. Offsets and
 * sizes are compared by subtraction, never added, so that none wraps around. A stream has records in place of a header, which
 * may be anywhere among the others. The headers of all records are read once; the stream ends at one that is cut off (its
 * writer was killed, the disk was full). Compressed records have nothing that is needed here. The content of features is
 * checked when it is read. */

#include <sys/stat.h>

#include "array.h"
#include "feature-cursor.h"
#include "reader-parts.h"
#include "record-layout.h"
#include "strv.h"

#define EVENTS_MAX 65536u
#define ATTR_SIZE_MAX 4096u
#define STRINGS_MAX 65536u

static int alloc_events(PerfDataReader *r, size_t n_events, size_t n_ids) {
        r->events = calloc(n_events + 1, sizeof(*r->events));
        r->ids = calloc(n_ids + 1, sizeof(*r->ids));
        r->names = calloc(n_events + 1, sizeof(*r->names));
        return r->events && r->ids && r->names ? 0 : -ENOMEM;
}

int perf_data_reader_name_event(PerfDataReader *r, size_t event, const char *name) {
        r->names[event] = strdup(name);
        r->events[event].name = r->names[event];
        return r->names[event] ? 0 : -ENOMEM;
}

/* Copies an attribute of another version: further fields are ignored, missing ones are 0. */
static void copy_attr(struct perf_event_attr *ret, const void *attr, size_t size) {
        memset(ret, 0, sizeof(*ret));
        memcpy(ret, attr, MIN_OF(size, sizeof(*ret)));
}

/* Names are optional: after a broken event description the rest of the names is left out. They are in the order of the
 * attributes. */
static int read_names(PerfDataReader *r) {
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

static bool section_fits(const PerfDataReader *r, const PerfFileSection *s) {
        return s->offset <= r->size && s->size <= r->size - s->offset;
}

/* The data reach to the end of the file, unless only features are missing. */
static void reader_cut(PerfDataReader *r, ReaderCut cut) {
        r->cut = cut;
        if (cut != READER_CUT_FEATURES)
                r->header.data.size = r->size - r->header.data.offset;
        memset(r->header.features, 0, sizeof(r->header.features));
        memset(r->features, 0, sizeof(r->features));
}

static int check_header(PerfDataReader *r) {
        PerfFileHeader *h = &r->header;

        if (r->size < sizeof(*h))
                return -EBADMSG;
        memcpy(h, r->file, sizeof(*h));
        if (h->magic != PERF_FILE_MAGIC || h->size < sizeof(*h))
                return -EBADMSG;
        if (r->partial && h->data.offset <= r->size && !section_fits(r, &h->data))
                reader_cut(r, READER_CUT_DATA);
        if (!section_fits(r, &h->attrs) || !section_fits(r, &h->data) || h->data.offset % sizeof(uint64_t) != 0)
                return -EBADMSG;
        if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(PerfFileSection) || h->attr_size > ATTR_SIZE_MAX)
                return -EBADMSG;
        return h->attrs.size / h->attr_size > EVENTS_MAX ? -EBADMSG : 0;
}

static void read_attr(const PerfDataReader *r, size_t i, struct perf_event_attr *ret, PerfFileSection *ret_ids) {
        const uint8_t *p = r->file + r->header.attrs.offset + i * r->header.attr_size;
        size_t size = r->header.attr_size - sizeof(*ret_ids);

        copy_attr(ret, p, size);
        memcpy(ret_ids, p + size, sizeof(*ret_ids));
}

/* Checks all id sections, which may overlap but not ask for more than the file could hold, and counts the ids. */
static int count_ids(const PerfDataReader *r, size_t *ret) {
        uint64_t n = 0;

        for (size_t i = 0; i < r->n_events; i++) {
                struct perf_event_attr attr;
                PerfFileSection ids;

                read_attr(r, i, &attr, &ids);
                if (!section_fits(r, &ids) || ids.size % sizeof(uint64_t) != 0)
                        return -EBADMSG;
                n += ids.size / sizeof(uint64_t);
                if (n > r->size / sizeof(uint64_t))
                        return -EBADMSG;
        }
        *ret = n;
        return 0;
}

static int read_events(PerfDataReader *r) {
        size_t n_ids, used = 0;
        int q;

        r->n_events = r->header.attrs.size / r->header.attr_size;
        q = count_ids(r, &n_ids);
        if (q >= 0)
                q = alloc_events(r, r->n_events, n_ids);
        if (q < 0)
                return q;
        for (size_t i = 0; i < r->n_events; i++) {
                PerfFileSection ids;

                read_attr(r, i, &r->events[i].attr, &ids);
                memcpy(r->ids + used, r->file + ids.offset, ids.size);
                r->events[i].ids = r->ids + used;
                r->events[i].n_ids = ids.size / sizeof(uint64_t);
                used += r->events[i].n_ids;
        }
        return 0;
}

/* The table of feature sections follows the data. */
static int read_features(PerfDataReader *r) {
        const PerfFileSection *data = &r->header.data;
        uint64_t left = r->size - data->offset - data->size, n = 0;
        const uint8_t *table = r->file + data->offset + data->size;

        for (unsigned i = 0; i < PERF_FEATURE_WORDS * 64; i++) {
                if (!perf_data_header_has_feature(&r->header, i))
                        continue;
                if ((n + 1) * sizeof(PerfFileSection) > left)
                        return -EBADMSG;
                memcpy(r->features + i, table + n * sizeof(PerfFileSection), sizeof(PerfFileSection));
                if (!section_fits(r, r->features + i))
                        return -EBADMSG;
                n++;
        }
        return 0;
}

/* Until its writer has finished it, the data of a file have the size 0. The header of perf record has the bits of features even
 * then, that of perf-recorder has none. */
static int open_file(PerfDataReader *r) {
        int q = check_header(r);

        if (q >= 0)
                q = read_events(r);
        if (q < 0)
                return q;
        q = read_features(r);
        if (!r->partial || r->cut)
                return q;
        if (r->header.data.size == 0 && (q == -EBADMSG || !ANY_OF(PERF_FEATURE_WORDS, i, r->header.features[i] != 0)))
                reader_cut(r, READER_CUT_UNFINISHED);
        else if (q == -EBADMSG)
                reader_cut(r, READER_CUT_FEATURES);
        return r->cut ? 0 : q;
}

/* A record at any address. */
typedef struct Outer {
        struct perf_event_header header;
        const uint8_t *body; /* behind the header */
        size_t size;         /* of body */
        uint64_t span;
} Outer;

static bool next_outer(const PerfDataReader *r, uint64_t *offset, Outer *ret) {
        const uint8_t *p = r->file + *offset;

        ret->span = record_walk_span(p, r->header.data.offset + r->header.data.size - *offset);
        if (ret->span == 0)
                return false;
        memcpy(&ret->header, p, sizeof(ret->header));
        ret->body = p + sizeof(ret->header);
        ret->size = ret->header.size - sizeof(ret->header);
        *offset += ret->span;
        return true;
}

/* The attribute has its own size, and ids follow it. */
static int split_attr(const Outer *o, size_t *ret_attr_size, size_t *ret_n_ids) {
        struct perf_event_attr a;

        if (o->size < PERF_ATTR_SIZE_VER0)
                return -EBADMSG;
        memcpy(&a, o->body, offsetof(struct perf_event_attr, size) + sizeof(a.size));
        if (a.size < PERF_ATTR_SIZE_VER0 || a.size > o->size || a.size > ATTR_SIZE_MAX ||
            (o->size - a.size) % sizeof(uint64_t) != 0)
                return -EBADMSG;
        *ret_attr_size = a.size;
        *ret_n_ids = (o->size - a.size) / sizeof(uint64_t);
        return 0;
}

/* Counts events and ids. The data ends with the last whole record. */
static int count_stream(PerfDataReader *r, size_t *ret_events, size_t *ret_ids) {
        uint64_t offset = r->header.data.offset;
        size_t n_events = 0, n_ids = 0;
        Outer o;

        while (next_outer(r, &offset, &o)) {
                size_t attr_size, n;

                if (o.header.type != PERF_RECORD_HEADER_ATTR)
                        continue;
                if (split_attr(&o, &attr_size, &n) < 0 || n_events == EVENTS_MAX)
                        return -EBADMSG;
                n_events++;
                n_ids += n;
        }
        if (offset < r->size)
                r->cut = READER_CUT_RECORDS;
        r->header.data.size = offset - r->header.data.offset;
        *ret_events = n_events;
        *ret_ids = n_ids;
        return 0;
}

static void set_feature(PerfDataReader *r, uint64_t feature, const uint8_t *data, uint64_t size) {
        if (feature == 0 || feature >= PERF_FEATURE_WORDS * 64 || (feature == _PERF_FEATURE_MAX && size == 0))
                return;
        perf_data_header_set_feature(&r->header, (unsigned) feature);
        r->features[feature] = (PerfFileSection) { .offset = (uint64_t) (data - r->file), .size = size };
}

static void read_stream_attr(PerfDataReader *r, const Outer *o, size_t event, size_t *used) {
        size_t attr_size = 0, n_ids = 0;

        (void) split_attr(o, &attr_size, &n_ids); /* it was counted, so it is right */
        copy_attr(&r->events[event].attr, o->body, attr_size);
        memcpy(r->ids + *used, o->body + attr_size, n_ids * sizeof(uint64_t));
        r->events[event].ids = r->ids + *used;
        r->events[event].n_ids = n_ids;
        *used += n_ids;
}

/* Reads an EVENT_UPDATE with a name, for an event whose description has none. */
static int read_update(PerfDataReader *r, const Outer *o) {
        uint64_t words[2];
        const PerfDataEvent *e;
        const char *name;

        if (o->size <= sizeof(words))
                return 0;
        memcpy(words, o->body, sizeof(words));
        name = (const char *) o->body + sizeof(words);
        if (words[0] != EVENT_UPDATE_NAME || !memchr(name, 0, o->size - sizeof(words)))
                return 0;
        e = event_index_find_id(r->index, words[1]);
        return e && !e->name ? perf_data_reader_name_event(r, (size_t) (e - r->events), name) : 0;
}

int reader_read_updates(PerfDataReader *r) {
        uint64_t offset = r->header.data.offset;
        int q = 0;
        Outer o;

        while (q >= 0 && next_outer(r, &offset, &o))
                if (o.header.type == PERF_RECORD_EVENT_UPDATE)
                        q = read_update(r, &o);
        return q;
}

static int open_stream(PerfDataReader *r) {
        size_t n_events, n_ids, event = 0, used = 0;
        uint64_t offset = sizeof(PerfPipeHeader), feature;
        Outer o;
        int q;

        r->stream = true;
        memset(&r->header, 0, sizeof(r->header));
        r->header.data = (PerfFileSection) { .offset = offset, .size = r->size - offset };
        q = count_stream(r, &n_events, &n_ids);
        if (q >= 0)
                q = alloc_events(r, n_events, n_ids);
        if (q < 0)
                return q;
        r->n_events = n_events;
        while (next_outer(r, &offset, &o))
                if (o.header.type == PERF_RECORD_HEADER_ATTR)
                        read_stream_attr(r, &o, event++, &used);
                else if (o.header.type == PERF_RECORD_HEADER_FEATURE && o.size >= sizeof(feature)) {
                        memcpy(&feature, o.body, sizeof(feature));
                        set_feature(r, feature, o.body + sizeof(feature), o.size - sizeof(feature));
                } else if (o.header.type == PERF_RECORD_HEADER_TRACING_DATA)
                        set_feature(r, PERF_FEATURE_TRACING_DATA, o.body + o.size, o.span - o.header.size);
        return 0;
}

int reader_open_frame(PerfDataReader *r, bool stream) {
        int q = stream ? open_stream(r) : open_file(r);

        return q < 0 ? q : read_names(r);
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

/* The attributes come before the data, and the ids before them. */
static bool is_cut_before_data(int fd) {
        PerfFileHeader h = {};
        ssize_t n = pread(fd, &h, sizeof(h), 0);
        struct stat st;

        if (n < 0 || h.size == sizeof(PerfPipeHeader) || fstat(fd, &st) < 0)
                return false;
        return (size_t) n < sizeof(h) || h.attrs.offset > (uint64_t) st.st_size ||
               h.attrs.size > (uint64_t) st.st_size - h.attrs.offset;
}

const char *perf_data_reader_explain(int fd, int error) {
        uint64_t magic = 0;
        ssize_t n;

        if (error != -EBADMSG)
                return strerror(-error);
        n = pread(fd, &magic, sizeof(magic), 0);
        if (n == 0)
                return "it is empty";
        if (magic == __builtin_bswap64(PERF_FILE_MAGIC))
                return "it has another byte order";
        if (n >= 0 && magic != PERF_FILE_MAGIC)
                return "it is not a perf.data file";
        return is_cut_before_data(fd) ? "it is cut before its data" : "it is broken";
}
