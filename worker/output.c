/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files come and go here: begun with their preamble, appended to, finished under a name, the oldest removed. The writer
 * below keeps the promise that a file is there whole or not at all. The disk being full is a state, not an end: it is
 * said once, what comes is dropped and counted, and the file open meanwhile says how much it lacks. Data that comes is
 * tried again, at most once a second and only when some room beyond it shows: the last block of a file takes a few more
 * bytes on the fullest disk, which would look like its end. */

#include "output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <perf-recorder/notify-fields.h>
#include "fd-file.h"
#include "log.h"
#include "output-name.h"
#include "parse-time.h"

#define RETRY_USEC USEC_PER_SEC
#define ROOM_MIN (UINT64_C(256) * 1024) /* bytes free beyond what is to be written, for "there is space again" */

struct Output {
        OutputOptions options;
        FileDescription *description;
        int dir_fd;
        char *dir;          /* absolute */
        char *base;
        PerfDataWriter *writer;
        OutputFiles files;
        bool full;
        usec_t try_again;   /* full: not before that, CLOCK_MONOTONIC */
        uint64_t samples;   /* in the open file */
        uint64_t dropped;   /* since the disk is full */
        uint64_t dropped_file; /* that the open file lacks */
        uint64_t size;
};

static int split_path(Output *o, const char *path) {
        const char *slash = strrchr(path, '/');
        _cleanup_free_ char *dir = slash ? strndup(path, slash == path ? 1 : (size_t) (slash - path)) : strdup(".");

        o->base = strdup(slash ? slash + 1 : path);
        if (!dir || !o->base)
                return -ENOMEM;
        o->dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (o->dir_fd < 0)
                return -errno;
        o->dir = realpath(dir, NULL);
        if (!o->dir)
                return -errno;
        output_remove_stale(o->dir_fd, o->base);
        return 0;
}

int output_new(const OutputOptions *options, FileDescription *description, Output **ret, Diagnosis *d) {
        _cleanup_(output_freep) Output *o = calloc(1, sizeof(Output));
        int r;

        if (!o)
                return -ENOMEM;
        o->options = *options;
        o->description = description;
        o->files.max = options->max_files;
        o->dir_fd = -EBADF;
        r = split_path(o, options->path);
        if (r < 0)
                return diagnosis_set(d, r, "failed to open %s : %s", options->path, strerror(-r));
        *ret = steal_ptr(o);
        return 0;
}

void output_set_description(Output *o, FileDescription *description, const RecordTrailer *trailer) {
        o->description = description;
        o->options.trailer = *trailer;
}

Output *output_free(Output *o) {
        if (!o)
                return NULL;
        perf_data_writer_free(o->writer);
        output_files_done(&o->files);
        safe_close(o->dir_fd);
        free(o->dir);
        free(o->base);
        free(o);
        return NULL;
}

/* What may pass by itself, and is no reason to end a recording that has older files to keep company. */
static bool is_full(int r) {
        return r == -ENOSPC || r == -EDQUOT || r == -EFBIG || r == -EIO;
}

static void enter_full(Output *o, int r) {
        o->try_again = now_usec(CLOCK_MONOTONIC) + RETRY_USEC;
        if (o->full)
                return;
        o->full = true;
        o->dropped = 0;
        log_error("failed to write perf data, error: %s; samples are dropped until there is space", strerror(-r));
        notifier_send(o->options.notifier, PR_NOTIFY_NO_SPACE "1\n" PR_NOTIFY_STATUS "No space: samples are dropped");
}

/* While the disk is full: whether it is worth a try. */
static bool may_have_room(Output *o, const struct iovec *segments, size_t n_segments) {
        uint64_t wanted = ROOM_MIN;
        struct statvfs st;

        if (now_usec(CLOCK_MONOTONIC) < o->try_again)
                return false;
        o->try_again = now_usec(CLOCK_MONOTONIC) + RETRY_USEC;
        for (size_t i = 0; i < n_segments; i++)
                wanted += segments[i].iov_len;
        return statvfs(o->dir, &st) < 0 || (uint64_t) st.f_bavail * st.f_frsize >= wanted;
}

static void leave_full(Output *o) {
        if (!o->full)
                return;
        o->full = false;
        log_warning("writing perf data again, %" PRIu64 " samples were dropped", o->dropped);
        notifier_send(o->options.notifier, PR_NOTIFY_NO_SPACE "0\n" PR_NOTIFY_STATUS "Recording");
}

static void drop(Output *o, uint64_t samples) {
        o->dropped += samples;
        o->dropped_file += samples;
        counters_add(&o->options.counters->page->lost, samples);
}

static int put_preamble(Output *o, PerfDataWriter *w) {
        RecordBuffer b = {};
        struct iovec segment;
        int r = o->options.preamble(o->options.userdata, &b);

        segment = record_buffer_iovec(&b);
        if (r >= 0 && b.size > 0)
                r = file_description_append(o->description, w, &segment, 1);
        record_buffer_done(&b);
        return r;
}

int output_begin(Output *o) {
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        int r;

        if (o->writer)
                return 0;
        r = file_description_open(o->description, o->dir_fd, o->base, &w);
        if (r >= 0)
                r = put_preamble(o, w);
        if (is_full(r))
                enter_full(o, r);
        if (r < 0)
                return r;
        perf_data_writer_set_synced(w, o->options.synced);
        (void) flock(perf_data_writer_fd(w), LOCK_EX | LOCK_NB); /* ours: see output_remove_stale() */
        o->samples = 0;
        o->writer = steal_ptr(w);
        /* No sample that goes into it is older, those in the rings included, for they were emptied into the last one. */
        counters_set(&o->options.counters->page->first_sample_nsec, now_usec(CLOCK_MONOTONIC) * NSEC_PER_USEC);
        return 0;
}

int output_append(Output *o, const struct iovec *segments, size_t n_segments, const OutputCounts *counts, bool *ret_written) {
        uint64_t before;
        int r;

        if (ret_written)
                *ret_written = false;
        if (o->full && !may_have_room(o, segments, n_segments))
                return drop(o, counts->samples), 0;
        r = output_begin(o);
        if (r >= 0) {
                before = perf_data_writer_data_size(o->writer);
                r = file_description_append(o->description, o->writer, segments, n_segments);
        }
        if (is_full(r)) {
                enter_full(o, r);
                return drop(o, counts->samples), 0;
        }
        if (r < 0)
                return r;
        leave_full(o);
        o->samples += counts->samples;
        counters_add(&o->options.counters->page->samples, counts->samples);
        counters_add(&o->options.counters->page->lost, counts->lost);
        counters_add(&o->options.counters->page->throttled, counts->throttled);
        counters_add(&o->options.counters->page->bytes_written, perf_data_writer_data_size(o->writer) - before);
        if (ret_written)
                *ret_written = true;
        return 0;
}

uint64_t output_file_size(const Output *o) {
        return o->writer ? perf_data_writer_file_size(o->writer) : o->size;
}

uint64_t output_file_samples(const Output *o) {
        return o->samples;
}

/* Says in the file how much it lacks, if there is room for that. */
static void put_dropped(Output *o) {
        RecordBuffer b = {};
        struct iovec segment;

        if (o->dropped_file == 0)
                return;
        if (record_put_lost_samples(&b, o->dropped_file, &o->options.trailer) >= 0) {
                segment = record_buffer_iovec(&b);
                if (file_description_append(o->description, o->writer, &segment, 1) >= 0)
                        o->dropped_file = 0;
        }
        record_buffer_done(&b);
}

static int set_name(Output *o, bool timestamp, char **ret) {
        struct timeval now;
        int r;

        perf_data_writer_keep_old(o->writer, !timestamp);
        if (!timestamp) {
                *ret = strdup(o->base);
                return *ret ? 0 : -ENOMEM;
        }
        (void) gettimeofday(&now, NULL);
        r = output_name_new(o->dir_fd, o->base, now, ret);
        return r < 0 ? r : perf_data_writer_set_name(o->writer, *ret);
}

static void after_finish(Output *o, const char *name, bool timestamp, uint64_t left_out) {
        int r = 0;

        if (left_out != 0)
                log_warning("The disk is full: %s/%s lacks header features (mask %#" PRIx64 ")", o->dir, name, left_out);
        if (timestamp)
                r = output_files_add(&o->files, o->dir_fd, name);
        if (r < 0)
                log_warning("An old file could not be removed: %s", strerror(-r));
        counters_add(&o->options.counters->page->files, 1);
        counters_set(&o->options.counters->page->first_sample_nsec, 0);
        notifier_send(o->options.notifier, PR_NOTIFY_OUTPUT "%s/%s", o->dir, name);
}

/* "PATH" or "PATH.TIMESTAMP", in the words of the command line. */
static char *display_name(const Output *o, const char *name) {
        char *s;

        if (asprintf(&s, "%s%s", o->options.path, name + strlen(o->base)) < 0)
                return NULL;
        return s;
}

int output_finish(Output *o, bool timestamp, char **ret_name) {
        _cleanup_free_ char *name = NULL;
        uint64_t left_out = 0;
        int r;

        if (!o->writer)
                return -ENODATA;
        put_dropped(o);
        r = set_name(o, timestamp, &name);
        if (r < 0)
                return r;
        o->size = perf_data_writer_file_size(o->writer);
        r = file_description_finish(o->description, o->writer, &left_out);
        if (r < 0)
                return r;
        o->writer = perf_data_writer_free(o->writer);
        after_finish(o, name, timestamp, left_out);
        if (ret_name)
                *ret_name = display_name(o, name);
        return 0;
}
