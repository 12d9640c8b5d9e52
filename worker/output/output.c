/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files are begun with their preamble, appended to, and finished under a name. The writer sees to it that a file with
 * its name is whole. While there is no space, records are dropped and counted, and the open file says at its end how
 * many samples it lacks. A stream is a single file without a name; it is over when its reader has gone. */

#include "output.h"

#include <inttypes.h>
#include <perf-recorder/notify-fields.h>
#include <sys/statvfs.h>
#include "fd-file.h"
#include "log.h"

#define RETRY_USEC USEC_PER_SEC
#define ROOM_MIN (UINT64_C(256) * 1024) /* bytes free beyond what is to be written, for "there is space again" */

struct Output {
        OutputOptions options;
        PerfDataWriter *writer;
        bool streamed;      /* the stream was begun */
        bool reader_gone;
        bool limit_reached;
        uint64_t samples;   /* in the open file */
        uint64_t dropped;   /* samples that the open file lacks */

        /* A full disk does not end the recording: it is reported once, and writing is tried again. */
        bool full;
        usec_t try_again;         /* time of the next try, CLOCK_MONOTONIC */
        uint64_t dropped_by_full; /* samples */
};

/* True for errors that may end by themselves, and so do not end a recording. */
static bool output_is_lack_of_space(int r) {
        return r == -ENOSPC || r == -EDQUOT || r == -EFBIG || r == -EIO;
}

static void output_note_full(Output *o, int r) {
        o->try_again = now_usec(CLOCK_MONOTONIC) + RETRY_USEC;
        if (o->full)
                return;
        o->full = true;
        o->dropped_by_full = 0;
        log_error("failed to write perf data, error: %s; samples are dropped until there is space", strerror(-r));
        notifier_send(o->options.files->notifier,
                      PR_NOTIFY_NO_SPACE "%d\n" PR_NOTIFY_STATUS "No space: samples are dropped", -r);
}

/* On a full disk, writing is tried again at most once a second, and only if there is some room beyond the data: the
 * last block of a file takes a few more bytes even on a full disk, which would look as if there were space again. */
static bool output_may_have_space(Output *o, int fd, const struct iovec *segments, size_t n_segments) {
        uint64_t wanted = ROOM_MIN + segments_size(segments, n_segments);
        struct statvfs st;

        if (now_usec(CLOCK_MONOTONIC) < o->try_again)
                return false;
        o->try_again = now_usec(CLOCK_MONOTONIC) + RETRY_USEC;
        return fstatvfs(fd, &st) < 0 || st.f_blocks == 0 || (uint64_t) st.f_bavail * st.f_frsize >= wanted;
}

static bool output_is_stream(const Output *o) {
        return output_place_is_stream(&o->options.files->place);
}

int output_new(const OutputOptions *options, Output **ret) {
        Output *o = calloc(1, sizeof(Output));

        if (!o)
                return -ENOMEM;
        o->options = *options;
        *ret = o;
        return 0;
}

Output *output_free(Output *o) {
        if (!o)
                return NULL;
        perf_data_writer_free(o->writer);
        free(o);
        return NULL;
}

static void output_drop(Output *o, uint64_t samples) {
        o->dropped_by_full += samples;
        o->dropped += samples;
        counters_add(&o->options.files->counters->page->lost, samples);
}

void output_reader_gone(Output *o) {
        if (!o->reader_gone)
                log_info("[ perf record: the reader of %s has gone, stopping session ]", o->options.files->place.shown);
        o->reader_gone = true;
}

typedef struct Preamble {
        Output *output;
        PerfDataWriter *writer;
} Preamble;

static int output_append_preamble(void *userdata, const struct iovec *records) {
        const Preamble *p = userdata;

        return file_description_append(p->output->options.files->description, p->writer, records, 1);
}

static int output_put_preamble(Output *o, PerfDataWriter *w) {
        Preamble p = { .output = o, .writer = w };
        _cleanup_(record_buffer_done) RecordBuffer b = { .drain = output_append_preamble, .userdata = &p };
        LeftOut left_out = {};
        int r = o->options.preamble(o->options.userdata, &b, &left_out);

        if (r >= 0)
                r = byte_buffer_flush(&b);
        if (r >= 0 && !output_is_stream(o))
                output_files_put_left_out(w, &left_out);
        return r;
}

int output_begin(Output *o) {
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        OutputFiles *f = o->options.files;
        int r;

        if (o->writer)
                return 0;
        if (o->streamed)
                return -EPIPE;
        if (output_is_stream(o))
                r = file_description_open_stream(f->description, f->place.stream_fd, &w);
        else
                r = output_files_open(f, false, &w);
        o->streamed = r >= 0 && output_is_stream(o);
        if (r >= 0 && !o->options.preamble_last)
                r = output_put_preamble(o, w);
        if (output_is_lack_of_space(r))
                output_note_full(o, r);
        if (r == -EPIPE)
                output_reader_gone(o);
        if (output_is_lack_of_space(r) && o->streamed)
                r = 0; /* a stream can't be begun again */
        if (r < 0)
                return r;
        o->samples = 0;
        o->writer = steal_ptr(w);
        /* No sample of this file is older: the rings were emptied into the previous file. */
        counters_set(&f->counters->page->first_sample_nsec, now_usec(CLOCK_MONOTONIC) * NSEC_PER_USEC);
        return 0;
}

int output_rescue(Output *o) {
        return output_is_stream(o) ? 0 : output_files_rescue(o->options.files, o->writer);
}

static void output_check_limit(Output *o) {
        uint64_t size = perf_data_writer_data_size(o->writer);

        if (o->options.max_size == 0 || size < o->options.max_size || o->limit_reached)
                return;
        o->limit_reached = true;
        log_info("[ perf record: perf size limit reached (%" PRIu64 " KB), stopping session ]", size >> 10);
}

static void output_count(Output *o, const OutputCounts *counts, uint64_t bytes) {
        PrCounters *page = o->options.files->counters->page;

        o->samples += counts->samples;
        counters_add(&page->samples, counts->samples);
        counters_add(&page->lost, counts->lost);
        counters_add(&page->throttled, counts->throttled);
        counters_add(&page->bytes_written, bytes);
}

int output_append(Output *o, const struct iovec *segments, size_t n_segments, const OutputCounts *counts, bool *ret_written) {
        const OutputPlace *place = &o->options.files->place;
        int fd = output_is_stream(o) ? place->stream_fd : place->dir_fd, r;
        uint64_t before = 0;

        if (ret_written)
                *ret_written = false;
        if (o->reader_gone || (o->full && !output_may_have_space(o, fd, segments, n_segments)))
                return output_drop(o, counts->samples), 0;
        r = output_begin(o);
        if (r >= 0) {
                before = perf_data_writer_data_size(o->writer);
                r = file_description_append(o->options.files->description, o->writer, segments, n_segments);
        }
        if (output_is_lack_of_space(r)) {
                output_note_full(o, r);
                return output_drop(o, counts->samples), 0;
        }
        if (r == -EPIPE) {
                output_reader_gone(o);
                return output_drop(o, counts->samples), 0;
        }
        if (r < 0)
                return r;
        if (o->full) {
                o->full = false;
                log_warning("writing perf data again, %" PRIu64 " samples were dropped", o->dropped_by_full);
                notifier_send(o->options.files->notifier, PR_NOTIFY_NO_SPACE "0\n" PR_NOTIFY_STATUS "Recording");
        }
        output_count(o, counts, perf_data_writer_data_size(o->writer) - before);
        output_check_limit(o);
        if (ret_written)
                *ret_written = true;
        return 0;
}

bool output_is_over(const Output *o) {
        return o->limit_reached || o->reader_gone;
}

void output_keep_up(Output *o) {
        if (o->writer)
                file_description_keep_up(o->options.files->description, o->writer);
}

PerfDataWriter *output_writer(const Output *o) {
        return o->writer;
}

uint64_t output_file_size(const Output *o) {
        return o->writer ? perf_data_writer_file_size(o->writer) : 0;
}

uint64_t output_file_samples(const Output *o) {
        return o->samples;
}

/* Adds a record of the dropped samples to the file, if there is room for it. */
static void output_put_dropped(Output *o) {
        RecordBuffer b = {};
        struct iovec segment;

        if (o->dropped == 0)
                return;
        if (record_put_lost_samples(&b, o->dropped, &o->options.trailer) >= 0) {
                segment = record_buffer_iovec(&b);
                if (file_description_append(o->options.files->description, o->writer, &segment, 1) >= 0)
                        o->dropped = 0;
        }
        record_buffer_done(&b);
}

static void output_put_last(Output *o) {
        int r = 0;

        if (o->options.preamble_last)
                r = output_put_preamble(o, o->writer);
        if (r < 0)
                log_warning("The file lacks records of processes and maps: %s", strerror(-r));
        output_put_dropped(o);
}

int output_finish(Output *o, bool timestamp, OutputFinished *ret) {
        _cleanup_(output_finished_done) OutputFinished x = {};
        OutputFiles *f = o->options.files;
        uint64_t size;
        int r = 0;

        if (!o->writer)
                return -ENODATA;
        if (!o->reader_gone)
                output_put_last(o);
        if (!output_is_stream(o))
                r = output_files_choose_name(f, timestamp, &x.name);
        if (r < 0)
                return r;
        size = perf_data_writer_file_size(o->writer);
        r = output_files_finish(f, o->writer, timestamp, &x);
        if (r == -EPIPE) {
                output_reader_gone(o);
                r = 0;
        }
        if (r < 0)
                return r;
        o->writer = perf_data_writer_free(o->writer);
        counters_set(&f->counters->page->first_sample_nsec, 0);
        x.size = size; /* as perf prints it: without features */
        x.samples = o->samples;
        if (x.name)
                output_files_report(f, &x, timestamp);
        if (ret) {
                *ret = steal_value(x, (OutputFinished) {});
        }
        return 0;
}

void output_discard(Output *o) {
        o->writer = perf_data_writer_free(o->writer);
        o->samples = o->dropped = 0;
        counters_set(&o->options.files->counters->page->first_sample_nsec, 0);
}
