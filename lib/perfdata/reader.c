/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reading a file. Opening checks the frame once: the header, that every section lies within the file, the attributes and
 * their ids, which are copied out; what is in the data and in the features is checked when it is walked. Offsets and
 * sizes are compared by subtraction, never added, so that none wraps around. */

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "reader.h"
#include "record.h"
#include "strv.h"

#define EVENTS_MAX 65536u
#define ATTR_SIZE_MAX 4096u
#define STRINGS_MAX 65536u

struct PerfDataReader {
        const uint8_t *file;
        size_t size;
        bool mapped;
        PerfFileHeader header;
        PerfDataEvent *events; /* ids are owned here, names by names */
        size_t n_events;
        uint64_t *ids;
        char **names;          /* per event; NULL: not known */
        PerfFileSection features[PERF_FEATURE_WORDS * 64];
        EventIndex *index;
};

static bool section_fits(const PerfDataReader *r, const PerfFileSection *s) {
        return s->offset <= r->size && s->size <= r->size - s->offset;
}

static int check_header(PerfDataReader *r) {
        PerfFileHeader *h = &r->header;

        if (r->size < sizeof(*h))
                return -EBADMSG;
        memcpy(h, r->file, sizeof(*h));
        if (h->magic != PERF_FILE_MAGIC || h->size < sizeof(*h))
                return -EBADMSG;
        if (!section_fits(r, &h->attrs) || !section_fits(r, &h->data) || h->data.offset % sizeof(uint64_t) != 0)
                return -EBADMSG;
        if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(PerfFileSection) || h->attr_size > ATTR_SIZE_MAX)
                return -EBADMSG;
        return h->attrs.size / h->attr_size > EVENTS_MAX ? -EBADMSG : 0;
}

/* The attribute of another age: what it has more than ours is left, what it lacks is 0. */
static void read_attr(const PerfDataReader *r, size_t i, struct perf_event_attr *ret, PerfFileSection *ret_ids) {
        const uint8_t *p = r->file + r->header.attrs.offset + i * r->header.attr_size;
        size_t size = r->header.attr_size - sizeof(*ret_ids);

        memset(ret, 0, sizeof(*ret));
        memcpy(ret, p, MIN_OF(size, sizeof(*ret)));
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
        if (q < 0)
                return q;
        r->events = calloc(r->n_events + 1, sizeof(*r->events));
        r->ids = calloc(n_ids + 1, sizeof(*r->ids));
        r->names = calloc(r->n_events + 1, sizeof(*r->names));
        if (!r->events || !r->ids || !r->names)
                return -ENOMEM;
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
        int q;

        q = perf_data_reader_feature(r, feature, &p, &size);
        if (q < 0)
                return q;
        *ret = (Bytes) { .p = p, .left = size };
        return 0;
}

/* Names are an extra: an event description that is broken leaves the names out that follow. Its order is that of the
 * attributes. */
static int read_names(PerfDataReader *r) {
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
                r->names[i] = strdup(name);
                if (!r->names[i])
                        return -ENOMEM;
                r->events[i].name = r->names[i];
        }
        return 0;
}

static int reader_open(PerfDataReader *r) {
        int q = check_header(r);

        if (q >= 0)
                q = read_events(r);
        if (q >= 0)
                q = read_features(r);
        if (q >= 0)
                q = read_names(r);
        return q < 0 ? q : event_index_new(r->events, r->n_events, &r->index);
}

int perf_data_reader_new_memory(const void *data, size_t size, PerfDataReader **ret) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = calloc(1, sizeof(*r));
        int q;

        if (!r)
                return -ENOMEM;
        r->file = data;
        r->size = size;
        q = reader_open(r);
        if (q < 0)
                return q;
        *ret = steal_ptr(r);
        return 0;
}

int perf_data_reader_new_fd(int fd, PerfDataReader **ret) {
        struct stat st;
        void *data;
        int r;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return S_ISDIR(st.st_mode) ? -EISDIR : -EBADFD;
        if ((uint64_t) st.st_size < sizeof(PerfFileHeader) || (uint64_t) st.st_size > SIZE_MAX)
                return -EBADMSG;
        data = mmap(NULL, (size_t) st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED)
                return -errno;
        r = perf_data_reader_new_memory(data, (size_t) st.st_size, ret);
        if (r < 0)
                (void) munmap(data, (size_t) st.st_size);
        else
                (*ret)->mapped = true;
        return r;
}

int perf_data_reader_new(int dir_fd, const char *path, PerfDataReader **ret) {
        _cleanup_close_ int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

        return fd < 0 ? -errno : perf_data_reader_new_fd(fd, ret);
}

PerfDataReader *perf_data_reader_free(PerfDataReader *r) {
        if (!r)
                return NULL;
        if (r->mapped)
                (void) munmap((void *) r->file, r->size);
        for (size_t i = 0; r->names && i < r->n_events; i++)
                free(r->names[i]);
        event_index_free(r->index);
        free(r->names);
        free(r->events);
        free(r->ids);
        free(r);
        return NULL;
}

size_t perf_data_reader_events(const PerfDataReader *r, const PerfDataEvent **ret) {
        *ret = r->events;
        return r->n_events;
}

const PerfDataEvent *perf_data_reader_event_of(const PerfDataReader *r, const struct perf_event_header *record) {
        return event_index_find(r->index, record);
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
        int q;

        q = feature_bytes(r, feature, &b);
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
        int q;

        q = feature_bytes(r, PERF_FEATURE_CMDLINE, &b);
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

int perf_data_reader_next_build_id(const PerfDataReader *r, size_t *cursor, BuildIdEntry *ret) {
        PerfBuildIdEntry e;
        const void *path;
        Bytes b;

        if (feature_bytes(r, PERF_FEATURE_BUILD_ID, &b) < 0 || *cursor >= b.left)
                return 0;
        (void) take(&b, *cursor);
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

int perf_data_reader_next(const PerfDataReader *r, size_t *cursor, const struct perf_event_header **ret) {
        return record_next(r->file + r->header.data.offset, r->header.data.size, cursor, ret);
}

uint64_t perf_data_reader_data_size(const PerfDataReader *r) {
        return r->header.data.size;
}
