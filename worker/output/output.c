/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files come and go here: begun with their preamble, appended to, finished under a name, the oldest removed. The writer
 * below keeps the promise that a file is there whole or not at all. While there is no space, what comes is dropped and
 * counted, and the file open meanwhile says how much it lacks. A stream is a single file without a name, and when its
 * reader has gone, there is nothing to keep. */

#include "output.h"

#include "log.h"
#include "output-space.h"

struct Output {
        OutputOptions options;
        PerfDataWriter *writer;
        OutputSpace space;
        bool streamed;      /* the stream was begun */
        bool reader_gone;
        bool limit_reached;
        uint64_t samples;   /* in the open file */
        uint64_t dropped;   /* samples that the open file lacks */
};

static bool output_is_stream(const Output *o) {
        return output_place_is_stream(&o->options.files->place);
}

int output_new(const OutputOptions *options, Output **ret) {
        Output *o = calloc(1, sizeof(Output));

        if (!o)
                return -ENOMEM;
        o->options = *options;
        o->space.notifier = options->files->notifier;
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
        o->space.dropped += samples;
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
                output_files_put_left_out(perf_data_writer_fd(w), &left_out);
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
                r = file_description_open_stream(f->description, f->place.stream_fd, f->level, &w);
        else
                r = output_files_open(f, &w);
        o->streamed = r >= 0 && output_is_stream(o);
        if (r >= 0 && !o->options.preamble_last)
                r = output_put_preamble(o, w);
        if (output_space_is_lacking(r))
                output_space_lacks(&o->space, r);
        if (r == -EPIPE)
                output_reader_gone(o);
        if (output_space_is_lacking(r) && o->streamed)
                r = 0; /* it can't be begun anew */
        if (r < 0)
                return r;
        o->samples = 0;
        o->writer = steal_ptr(w);
        /* No sample that goes into it is older, those in the rings included, for they were emptied into the last one. */
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

static bool output_is_worth_a_try(Output *o, const struct iovec *segments, size_t n_segments) {
        const OutputPlace *p = &o->options.files->place;

        if (o->reader_gone)
                return false;
        return !o->space.full ||
               output_space_may_be_back(&o->space, output_is_stream(o) ? p->stream_fd : p->dir_fd, segments, n_segments);
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
        uint64_t before = 0;
        int r;

        if (ret_written)
                *ret_written = false;
        if (!output_is_worth_a_try(o, segments, n_segments))
                return output_drop(o, counts->samples), 0;
        r = output_begin(o);
        if (r >= 0) {
                before = perf_data_writer_data_size(o->writer);
                r = file_description_append(o->options.files->description, o->writer, segments, n_segments);
        }
        if (output_space_is_lacking(r)) {
                output_space_lacks(&o->space, r);
                return output_drop(o, counts->samples), 0;
        }
        if (r == -EPIPE) {
                output_reader_gone(o);
                return output_drop(o, counts->samples), 0;
        }
        if (r < 0)
                return r;
        output_space_is_back(&o->space);
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

const PerfDataWriter *output_writer(const Output *o) {
        return o->writer;
}

int output_file_fd(const Output *o) {
        return o->writer ? perf_data_writer_fd(o->writer) : -EBADF;
}

uint64_t output_file_size(const Output *o) {
        return o->writer ? perf_data_writer_file_size(o->writer) : 0;
}

uint64_t output_file_samples(const Output *o) {
        return o->samples;
}

/* Says in the file how much it lacks, if there is room for that. */
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

/* What each file ends with. */
static void output_put_last(Output *o) {
        int r = 0;

        if (o->options.preamble_last)
                r = output_put_preamble(o, o->writer);
        if (r < 0)
                log_warning("The file lacks what processes and maps there were: %s", strerror(-r));
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
        x.size = size; /* as perf says it: of what was recorded */
        x.samples = o->samples;
        if (x.name)
                output_files_report(f, &x, timestamp);
        if (ret) {
                *ret = x;
                x = (OutputFinished) {};
        }
        return 0;
}
