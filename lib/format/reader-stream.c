/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A stream's frame: the records in place of a header, which may be anywhere among the others. The headers of all
 * records are read once; the stream ends at one that is cut off (its writer was killed, the disk was full). Compressed
 * records have nothing that is needed here. */

#include "reader-parts.h"

enum { EVENT_UPDATE_NAME = 2 };

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
        if (a.size < PERF_ATTR_SIZE_VER0 || a.size > o->size || a.size > READER_ATTR_SIZE_MAX ||
            (o->size - a.size) % sizeof(uint64_t) != 0)
                return -EBADMSG;
        *ret_attr_size = a.size;
        *ret_n_ids = (o->size - a.size) / sizeof(uint64_t);
        return 0;
}

/* Counts events and ids. The data ends with the last whole record. */
static int count(PerfDataReader *r, size_t *ret_events, size_t *ret_ids) {
        uint64_t offset = r->header.data.offset;
        size_t n_events = 0, n_ids = 0;
        Outer o;

        while (next_outer(r, &offset, &o)) {
                size_t attr_size, n;

                if (o.header.type != PERF_RECORD_HEADER_ATTR)
                        continue;
                if (split_attr(&o, &attr_size, &n) < 0 || n_events == READER_EVENTS_MAX)
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

static void read_feature(PerfDataReader *r, const Outer *o) {
        uint64_t feature;

        if (o->size < sizeof(feature))
                return;
        memcpy(&feature, o->body, sizeof(feature));
        set_feature(r, feature, o->body + sizeof(feature), o->size - sizeof(feature));
}

static void read_tracing_data(PerfDataReader *r, const Outer *o) {
        set_feature(r, PERF_FEATURE_TRACING_DATA, o->body + o->size, o->span - o->header.size);
}

static void read_attr(PerfDataReader *r, const Outer *o, size_t event, size_t *used) {
        size_t attr_size = 0, n_ids = 0;

        (void) split_attr(o, &attr_size, &n_ids); /* it was counted, so it is right */
        reader_copy_attr(&r->events[event].attr, o->body, attr_size);
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

int reader_open_stream(PerfDataReader *r) {
        size_t n_events, n_ids, event = 0, used = 0;
        uint64_t offset = sizeof(PerfPipeHeader);
        Outer o;
        int q;

        r->stream = true;
        memset(&r->header, 0, sizeof(r->header));
        r->header.data = (PerfFileSection) { .offset = offset, .size = r->size - offset };
        q = count(r, &n_events, &n_ids);
        if (q >= 0)
                q = reader_alloc_events(r, n_events, n_ids);
        if (q < 0)
                return q;
        r->n_events = n_events;
        while (next_outer(r, &offset, &o))
                if (o.header.type == PERF_RECORD_HEADER_ATTR)
                        read_attr(r, &o, event++, &used);
                else if (o.header.type == PERF_RECORD_HEADER_FEATURE)
                        read_feature(r, &o);
                else if (o.header.type == PERF_RECORD_HEADER_TRACING_DATA)
                        read_tracing_data(r, &o);
        return reader_read_names(r);
}
