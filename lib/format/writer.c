/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Writes a recording: records are compressed, if that is wanted, written, and counted. writer-stream.c has the part of
 * a stream.
 *
 * A file's position is never used. Each write has an offset, so that the next one overwrites a write that stopped
 * half-way (a full disk), and "end" only moves over whole appends.
 *
 * Invariant: the file's blocks are allocated up to "reserved", and reserved - end >= tail_size, on file systems that
 * can do so (fallocate with FALLOC_FL_KEEP_SIZE: ext4, xfs, btrfs, tmpfs). The reserve grows ahead by a part of the
 * file's size, and only by what is needed once the disk is nearly full. Where it cannot be done (NFS, FUSE), a write
 * may fail and does no harm, but then the features may find no room; they are left out rather than the file. */

#include "writer-parts.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include "fd-file.h"
#include "format-text.h"

#define RESERVE_STEP_MIN (UINT64_C(64) * 1024)
#define RESERVE_STEP_MAX (UINT64_C(1024) * 1024)
#define SYNC_PIECE (UINT64_C(16) << 20) /* bytes; a disk that takes longer than seconds for them is broken */
#define BATCH_SEGMENTS 256u

static int writer_alloc(const PerfDataWriterOptions *options, PerfDataWriter **ret) {
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = calloc(1, sizeof(*w));
        int r;

        if (!w)
                return -ENOMEM;
        w->file = (AtomicFile) ATOMIC_FILE_EMPTY;
        w->fd = w->replaced = -EBADF;
        w->options = *options;
        w->options.tail_size = options->tail_size ?: PERF_DATA_TAIL_SIZE;
        r = options->level > 0 ? compressor_new((int) options->level, &w->compressor) : 0;
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}

PerfDataWriter *perf_data_writer_free(PerfDataWriter *w) {
        if (!w)
                return NULL;
        atomic_file_done(&w->file);
        safe_close(w->replaced);
        compressor_free(w->compressor);
        byte_buffer_done(&w->rest);
        file_facts_done(&w->facts);
        free(w);
        return NULL;
}

static int file_reserve(PerfDataWriter *w, uint64_t need, bool ahead) {
        uint64_t step = MIN_OF(RESERVE_STEP_MAX, RESERVE_STEP_MIN + w->end / 4);
        uint64_t want = ahead ? need + step : need;

        if (w->cannot_reserve || need <= w->reserved)
                return 0;
        for (;;) {
                if (fallocate(w->fd, FALLOC_FL_KEEP_SIZE, (off_t) w->reserved, (off_t) (want - w->reserved)) == 0) {
                        w->reserved = want;
                        return 0;
                }
                if (errno == EINTR)
                        continue;
                if (errno == EOPNOTSUPP || errno == ENOSYS || errno == ENODEV || errno == ESPIPE) {
                        w->cannot_reserve = true;
                        return 0;
                }
                if (want == need)
                        return -errno;
                want = need;
        }
}

static void count_progress(const PerfDataWriter *w) {
        if (w->options.progress)
                __atomic_fetch_add(w->options.progress, 1, __ATOMIC_RELAXED);
}

static int file_write(PerfDataWriter *w, uint64_t offset, const struct iovec *segments, size_t n_segments) {
        struct iovec batch[BATCH_SEGMENTS];

        while (n_segments > 0) {
                size_t n = MIN_OF(n_segments, (size_t) BATCH_SEGMENTS);
                int r;

                memcpy(batch, segments, n * sizeof(*batch));
                r = pwritev_all(w->fd, &offset, batch, n);
                if (r < 0)
                        return r;
                count_progress(w);
                segments += n;
                n_segments -= n;
        }
        return 0;
}

static int file_append(PerfDataWriter *w, const struct iovec *segments, size_t n_segments, uint64_t size) {
        int r = file_reserve(w, w->end + size + w->options.tail_size, true);

        if (r >= 0)
                r = file_write(w, w->end, segments, n_segments);
        if (r >= 0)
                w->end += size;
        return r;
}

static int write_front(PerfDataWriter *w) {
        _cleanup_free_ void *front = NULL;
        struct iovec segment;
        size_t size;
        int r = perf_data_header_build(w->options.events, w->options.n_events, &front, &size);

        if (r < 0)
                return r;
        r = file_reserve(w, size + w->options.tail_size, true);
        if (r < 0)
                return r;
        segment = (struct iovec) { .iov_base = front, .iov_len = size };
        r = file_write(w, 0, &segment, 1);
        if (r < 0)
                return r;
        memcpy(&w->header, front, sizeof(w->header));
        w->end = size;
        return 0;
}

/* A device or a directory is not replaced by a file: "-o /dev/null" must not take the machine's /dev/null away. */
static int check_target(int dir_fd, const char *path) {
        struct stat st;

        if (fstatat(dir_fd, path, &st, 0) < 0)
                return errno == ENOENT ? 0 : -errno;
        if (S_ISDIR(st.st_mode))
                return -EISDIR;
        return S_ISREG(st.st_mode) ? 0 : -EBADFD;
}

int perf_data_writer_new(int dir_fd, const char *path, const PerfDataWriterOptions *options, PerfDataWriter **ret) {
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        int r = writer_alloc(options, &w);

        if (r >= 0)
                r = check_target(dir_fd, path);
        if (r >= 0)
                r = atomic_file_open(&w->file, dir_fd, path, 0600);
        if (r < 0)
                return r;
        w->fd = w->file.fd;
        w->file.unsynced = options->unsynced;
        r = write_front(w);
        if (r < 0)
                return r;
        w->cannot_reserve |= options->all_at_once;
        *ret = steal_ptr(w);
        return 0;
}

int perf_data_writer_new_stream(int fd, const PerfDataWriterOptions *options, const FeatureTable *features, PerfDataWriter **ret) {
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        int r = writer_alloc(options, &w);

        if (r < 0)
                return r;
        w->fd = fd;
        w->is_stream = true;
        r = writer_stream_begin(w, features);
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}

static int copy_to(int fd, int to_fd, uint64_t size) {
        off_t offset = 0;

        while ((uint64_t) offset < size) {
                ssize_t n = sendfile(to_fd, fd, &offset, (size_t) (size - (uint64_t) offset));

                if (n < 0 && errno != EINTR && errno != EAGAIN)
                        return -errno;
                if (n == 0)
                        return -EIO;
        }
        return 0;
}

int perf_data_writer_rescue(PerfDataWriter *w, int dir_fd) {
        _cleanup_(atomic_file_done) AtomicFile new = ATOMIC_FILE_EMPTY;
        struct stat st;
        int r;

        if (w->file.fd < 0)
                return -EBADFD;
        if (fstat(w->file.fd, &st) < 0)
                return -errno;
        if (st.st_nlink > 0)
                return 0;
        r = atomic_file_open(&new, dir_fd, w->file.name, 0600);
        if (r >= 0)
                r = copy_to(w->file.fd, new.fd, w->end);
        if (r < 0)
                return r;
        new.unsynced = w->file.unsynced;
        atomic_file_done(&w->file);
        w->file = steal_value(new, (AtomicFile) ATOMIC_FILE_EMPTY);
        w->fd = w->file.fd;
        w->reserved = 0;
        return 1;
}

/* Works piece by piece and counts progress, since one call for all may take long on a slow disk. */
static void write_out(const PerfDataWriter *w, unsigned flags) {
        for (uint64_t at = 0; at < w->end; at += SYNC_PIECE) {
                (void) sync_file_range(w->fd, (off_t) at, SYNC_PIECE, flags);
                count_progress(w);
        }
}

void perf_data_writer_expect_finish(PerfDataWriter *w) {
        if (!w->is_stream && w->fd >= 0 && !w->file.unsynced)
                write_out(w, SYNC_FILE_RANGE_WRITE);
}

/* The tail: a section per feature, in the order of their numbers, then the features, then the facts, which no section names. */
typedef struct Tail {
        PerfFileSection sections[64];
        struct iovec segments[66];
        unsigned n;
        uint64_t size;
} Tail;

static void tail_build(Tail *t, PerfFileHeader *h, const FeatureTable *features, uint64_t left_out, const FileFacts *facts) {
        uint64_t offset;

        t->n = 0;
        for (unsigned i = 1; features && i < 64; i++) {
                const void *data;
                size_t size;

                if (left_out >> i & 1 || !feature_table_get(features, i, &data, &size))
                        continue;
                perf_data_header_set_feature(h, i);
                t->sections[t->n].size = size;
                t->segments[++t->n] = (struct iovec) { .iov_base = (void *) data, .iov_len = size };
        }
        t->segments[0] = (struct iovec) { .iov_base = t->sections, .iov_len = t->n * sizeof(*t->sections) };
        offset = h->data.offset + h->data.size + t->segments[0].iov_len;
        for (unsigned i = 0; i < t->n; i++) {
                t->sections[i].offset = offset;
                offset += t->sections[i].size;
        }
        t->segments[t->n + 1] = (struct iovec) { .iov_base = facts->text, .iov_len = facts->size };
        t->size = offset + facts->size - (h->data.offset + h->data.size);
}

static int write_tail(PerfDataWriter *w, const FeatureTable *features, uint64_t left_out) {
        struct iovec front;
        PerfFileHeader h = w->header;
        Tail t = {};
        int r;

        h.data.size = w->end - h.data.offset;
        tail_build(&t, &h, features, left_out, &w->facts);
        r = file_reserve(w, w->end + t.size, false);
        if (r < 0)
                return r;
        r = file_write(w, w->end, t.segments, t.n + 2);
        if (r < 0)
                return r;
        front = (struct iovec) { .iov_base = &h, .iov_len = sizeof(h) };
        r = file_write(w, 0, &front, 1);
        if (r < 0)
                return r;
        w->file_size = w->end + t.size;
        return 0;
}

static unsigned largest_feature(const FeatureTable *features, uint64_t left_out) {
        unsigned largest = 0;
        size_t largest_size = 0;

        for (unsigned i = 1; features && i < 64; i++) {
                const void *data;
                size_t size;

                if (!(left_out >> i & 1) && feature_table_get(features, i, &data, &size) && size > largest_size) {
                        largest = i;
                        largest_size = size;
                }
        }
        return largest;
}

/* Features and final header, without what *left_out has a bit for. On a full disk the largest is left out, and gets its
 * bit, until the rest has room. */
static int put_tail(PerfDataWriter *w, const FeatureTable *features, uint64_t *left_out) {
        for (;;) {
                int r = write_tail(w, features, *left_out);
                unsigned largest;

                if (r != -ENOSPC && r != -EDQUOT && r != -EFBIG)
                        return r;
                largest = largest_feature(features, *left_out);
                if (largest == 0)
                        return r;
                *left_out |= UINT64_C(1) << largest;
        }
}

/* Frees the blocks that were reserved and not used. btrfs does nothing when the size stays the same, hence two steps. */
static int cut_to_size(PerfDataWriter *w) {
        if (w->reserved > w->file_size && ftruncate(w->fd, (off_t) w->reserved) < 0 && errno != EFBIG)
                return -errno;
        return ftruncate(w->fd, (off_t) w->file_size) < 0 ? -errno : 0;
}

/* As in perf record, NAME becomes NAME.old and replaces an older one. It is linked, so that NAME always exists; on
 * file systems without links it is renamed. */
static int put_old_aside(PerfDataWriter *w) {
        _cleanup_free_ char *old = NULL;
        struct stat st;

        /* A symbolic link is followed for this check, but the link itself is put aside. */
        if (fstatat(w->file.dir_fd, w->file.name, &st, 0) < 0)
                return errno == ENOENT ? 0 : -errno;
        if (!S_ISREG(st.st_mode) || st.st_size == 0)
                return 0;
        old = format_text("%s.old", w->file.name);
        if (!old)
                return -ENOMEM;
        safe_close(w->replaced);
        w->replaced = openat(w->file.dir_fd, old, O_PATH | O_CLOEXEC | O_NOFOLLOW);
        (void) unlinkat(w->file.dir_fd, old, 0);
        if (linkat(w->file.dir_fd, w->file.name, w->file.dir_fd, old, 0) == 0)
                return 0;
        return renameat(w->file.dir_fd, w->file.name, w->file.dir_fd, old) < 0 ? -errno : 0;
}

static int commit(PerfDataWriter *w, bool keep_old) {
        int r = keep_old ? put_old_aside(w) : 0;

        if (r < 0)
                return r;
        if (!w->file.unsynced)
                write_out(w, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
        w->fd = -EBADF;
        return atomic_file_commit(&w->file);
}

static int file_finish(PerfDataWriter *w, const FeatureTable *features, const char *name, uint64_t *ret_left_out) {
        int r = 0;

        if (name && (*name == '\0' || strchr(name, '/') || streq(name, ".") || streq(name, "..")))
                return -EINVAL;
        if (name)
                r = free_and_strdup(&w->file.name, name);
        if (r >= 0)
                r = put_tail(w, features, ret_left_out);
        if (r >= 0)
                r = cut_to_size(w);
        return r < 0 ? r : commit(w, w->options.keep_old && !name);
}

int perf_data_writer_put_fact(PerfDataWriter *w, const char *name, const char *value, size_t size) {
        if (w->is_stream || w->fd < 0)
                return -EBADFD;
        return file_facts_put(&w->facts, w->fd, name, value, size);
}

static int append(PerfDataWriter *w, const struct iovec *segments, size_t n_segments) {
        uint64_t size = segments_size(segments, n_segments);
        int r = w->is_stream ? writer_stream_append(w, segments, n_segments) : file_append(w, segments, n_segments, size);

        if (r >= 0)
                w->data_size += size;
        return r;
}

int perf_data_writer_append(PerfDataWriter *w, const struct iovec *segments, size_t n_segments) {
        struct iovec compressed;
        int r;

        if (w->finished || w->fd < 0)
                return -EBADFD;
        if (!w->compressor)
                return append(w, segments, n_segments);
        r = compressor_put(w->compressor, segments, n_segments, &compressed);
        if (r < 0)
                return r;
        r = append(w, &compressed, 1);
        compressor_settle(w->compressor, r >= 0);
        return r;
}

uint64_t perf_data_writer_data_size(const PerfDataWriter *w) {
        return w->data_size;
}

uint64_t perf_data_writer_data_offset(const PerfDataWriter *w) {
        return w->header.data.offset;
}

uint64_t perf_data_writer_file_size(const PerfDataWriter *w) {
        if (perf_data_writer_is_stream(w))
                return w->written;
        return w->finished ? w->file_size : w->end;
}

bool perf_data_writer_is_stream(const PerfDataWriter *w) {
        return w->is_stream;
}

bool perf_data_writer_compression(const PerfDataWriter *w, uint64_t *ret_original, uint64_t *ret_compressed) {
        if (!w->compressor)
                return false;
        compressor_sizes(w->compressor, ret_original, ret_compressed);
        return true;
}

int perf_data_writer_fd(const PerfDataWriter *w) {
        return w->fd;
}

int perf_data_writer_finish(PerfDataWriter *w, const FeatureTable *features, const char *name, uint64_t *ret_left_out) {
        uint64_t left_out = 0;
        int r;

        if (w->finished || w->fd < 0)
                return -EBADFD;
        r = w->is_stream ? writer_stream_flush(w) : file_finish(w, features, name, &left_out);
        if (r < 0)
                return r;
        w->finished = true;
        if (ret_left_out)
                *ret_left_out = left_out;
        return 0;
}
