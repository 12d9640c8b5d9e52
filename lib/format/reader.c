/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads a recording. Opening it checks the frame once and copies the events; data and features are checked when they
 * are read. A pipe, which can't be mapped, is first copied to a file without a name. */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "fd-file.h"
#include "mapped-file.h"
#include "reader-parts.h"

#define COPY_SIZE ((size_t) 256 * 1024)

static int reader_open(PerfDataReader *r) {
        PerfPipeHeader h;
        int q;

        if (r->size < sizeof(h))
                return -EBADMSG;
        memcpy(&h, r->file, sizeof(h));
        if (h.magic != PERF_FILE_MAGIC)
                return -EBADMSG;
        q = reader_open_frame(r, h.size == sizeof(h));
        if (q >= 0)
                q = event_index_new(r->events, r->n_events, &r->index);
        if (q >= 0 && r->stream)
                q = reader_read_updates(r);
        if (q >= 0)
                q = record_walk_new(r->file + r->header.data.offset, r->header.data.size, &r->walk);
        return q;
}

static int new_memory(const void *data, size_t size, bool partial, PerfDataReader **ret) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = calloc(1, sizeof(*r));
        int q;

        if (!r)
                return -ENOMEM;
        r->file = data;
        r->size = size;
        r->partial = partial;
        q = reader_open(r);
        if (q < 0)
                return q;
        *ret = steal_ptr(r);
        return 0;
}

int perf_data_reader_new_memory(const void *data, size_t size, PerfDataReader **ret) {
        return new_memory(data, size, false, ret);
}

static int new_mapped(int fd, uint64_t size, bool partial, PerfDataReader **ret) {
        const void *data;
        int r;

        if (size < sizeof(PerfPipeHeader) || size > SIZE_MAX)
                return -EBADMSG;
        r = mapped_file_open(fd, (size_t) size, &data);
        if (r < 0)
                return r;
        r = new_memory(data, (size_t) size, partial, ret);
        if (r < 0)
                mapped_file_close(data, (size_t) size);
        else
                (*ret)->mapped = true;
        return r;
}

/* Copies all up to the end of fd to a file without a name. */
static int copy(int fd, int to, uint64_t *ret_size) {
        _cleanup_free_ uint8_t *buffer = malloc(COPY_SIZE);
        uint64_t size = 0;

        if (!buffer)
                return -ENOMEM;
        for (;;) {
                ssize_t n = TEMP_FAILURE_RETRY(read(fd, buffer, COPY_SIZE));
                int r;

                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                r = write_all(to, buffer, (size_t) n);
                if (r < 0)
                        return r;
                size += (uint64_t) n;
        }
        *ret_size = size;
        return 0;
}

int perf_data_spool(int fd, int *ret) {
        const char *directory = secure_getenv("TMPDIR");
        _cleanup_close_ int to = open(directory ?: "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        uint64_t size = 0;
        int r;

        if (to < 0)
                to = memfd_create("perf.data", MFD_CLOEXEC); /* a file system without such files, or read-only */
        if (to < 0)
                return -errno;
        r = copy(fd, to, &size);
        if (r >= 0)
                *ret = steal_fd(&to);
        return r;
}

static int new_fd(int fd, bool partial, PerfDataReader **ret) {
        _cleanup_close_ int spooled = -EBADF;
        struct stat st;
        int r;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (S_ISREG(st.st_mode))
                return new_mapped(fd, (uint64_t) st.st_size, partial, ret);
        if (!S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode))
                return S_ISDIR(st.st_mode) ? -EISDIR : -EBADFD;
        r = perf_data_spool(fd, &spooled);
        if (r >= 0 && fstat(spooled, &st) < 0)
                r = -errno;
        return r < 0 ? r : new_mapped(spooled, (uint64_t) st.st_size, partial, ret);
}

int perf_data_reader_new_fd(int fd, PerfDataReader **ret) {
        return new_fd(fd, false, ret);
}

int perf_data_reader_new_partial(int fd, PerfDataReader **ret) {
        return new_fd(fd, true, ret);
}

bool perf_data_reader_is_cut(const PerfDataReader *r) {
        return r->cut != READER_CUT_NOTHING;
}

const char *perf_data_reader_explain_cut(const PerfDataReader *r, char *buf, size_t size) {
        const PerfFileSection *data = &r->header.data;

        if (r->cut == READER_CUT_UNFINISHED)
                return "was not finished (the size of its data is 0)";
        if (r->cut == READER_CUT_RECORDS)
                (void) snprintf(buf, size, "is cut or broken at byte %" PRIu64, data->offset + data->size);
        else
                (void) snprintf(buf, size, "is cut at byte %zu, within %s", r->size,
                                r->cut == READER_CUT_DATA ? "its data" : "what follows its data");
        return buf;
}

bool perf_data_reader_is_stream(const PerfDataReader *r) {
        return r->stream;
}

void perf_data_reader_data(const PerfDataReader *r, PerfFileSection *ret) {
        *ret = r->header.data;
}

int perf_data_reader_read_blocks(PerfDataReader *r, int fd) {
        RecordWalk *walk;
        struct stat st;
        int q;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || r->stream) /* a copy, or one whose records were all looked at */
                return 0;
        q = record_walk_new_fd(fd, r->header.data.offset, r->header.data.size, &walk);
        if (q < 0)
                return q;
        record_walk_free(r->walk);
        r->walk = walk;
        return 0;
}

int perf_data_reader_new(int dir_fd, const char *path, PerfDataReader **ret) {
        _cleanup_close_ int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (S_ISFIFO(st.st_mode)) /* nobody may ever write to it */
                return -EBADFD;
        return perf_data_reader_new_fd(fd, ret);
}

PerfDataReader *perf_data_reader_free(PerfDataReader *r) {
        if (!r)
                return NULL;
        if (r->mapped)
                mapped_file_close(r->file, r->size);
        for (size_t i = 0; r->names && i < r->n_events; i++)
                free(r->names[i]);
        record_walk_free(r->walk);
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

bool perf_data_event_is_tracepoint(const PerfDataEvent *e, const char *name) {
        const char *rest = e->attr.type == PERF_TYPE_TRACEPOINT && e->name ? startswith(e->name, name) : NULL;

        return rest && (*rest == '\0' || *rest == ':');
}

const PerfDataEvent *perf_data_reader_find_tracepoint(const PerfDataReader *r, const char *name) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(r, &events);

        for (size_t k = 0; k < n; k++)
                if (perf_data_event_is_tracepoint(events + k, name))
                        return events + k;
        return NULL;
}

const PerfDataEvent *perf_data_reader_event_of(const PerfDataReader *r, const struct perf_event_header *record) {
        return record->type < PERF_RECORD_USER_TYPE_START ? event_index_find(r->index, record) : NULL;
}

uint64_t perf_data_reader_compressed(const PerfDataReader *r, uint32_t type) {
        return record_walk_compressed(r->walk, type);
}

BrokenRecord perf_data_reader_broken(const PerfDataReader *r) {
        BrokenRecord b = record_walk_broken(r->walk);

        b.offset += r->header.data.offset;
        return b;
}

const UnknownRecords *perf_data_reader_unknown(const PerfDataReader *r) {
        return record_walk_unknown(r->walk);
}

int perf_data_reader_next(PerfDataReader *r, size_t *cursor, const struct perf_event_header **ret) {
        int q;

        if (*cursor == 0)
                record_walk_rewind(r->walk);
        q = record_walk_next(r->walk, ret);
        *cursor = (size_t) record_walk_position(r->walk);
        return q;
}
