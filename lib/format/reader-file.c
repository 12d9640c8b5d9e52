/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file's frame: the header, the attributes and their ids, and the check that every section is within the file.
 * Offsets and sizes are compared by subtraction, never added, so that none wraps around. */

#include <sys/stat.h>

#include "array.h"
#include "reader-parts.h"

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
        if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(PerfFileSection) || h->attr_size > READER_ATTR_SIZE_MAX)
                return -EBADMSG;
        return h->attrs.size / h->attr_size > READER_EVENTS_MAX ? -EBADMSG : 0;
}

static void read_attr(const PerfDataReader *r, size_t i, struct perf_event_attr *ret, PerfFileSection *ret_ids) {
        const uint8_t *p = r->file + r->header.attrs.offset + i * r->header.attr_size;
        size_t size = r->header.attr_size - sizeof(*ret_ids);

        reader_copy_attr(ret, p, size);
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
                q = reader_alloc_events(r, r->n_events, n_ids);
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

static bool has_features(const PerfDataReader *r) {
        return ANY_OF(PERF_FEATURE_WORDS, i, r->header.features[i] != 0);
}

/* Until its writer has finished it, the data of a file have the size 0. The header of perf record has the bits of features even
 * then, that of perf-recorder has none. */
int reader_open_file(PerfDataReader *r) {
        int q = check_header(r);

        if (q >= 0)
                q = read_events(r);
        if (q < 0)
                return q;
        q = read_features(r);
        if (!r->partial || r->cut)
                return q;
        if (r->header.data.size == 0 && (q == -EBADMSG || !has_features(r)))
                reader_cut(r, READER_CUT_UNFINISHED);
        else if (q == -EBADMSG)
                reader_cut(r, READER_CUT_FEATURES);
        return r->cut ? 0 : q;
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
