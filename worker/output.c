/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files come and go here: begun with their preamble, appended to, finished under a name, the oldest removed. The writer
 * below keeps the promise that a file is there whole or not at all. While there is no space, what comes is dropped and
 * counted, and the file open meanwhile says how much it lacks. A stream is a single file without a name, and when its
 * reader has gone, there is nothing to keep. */

#include "output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <perf-recorder/notify-fields.h>
#include "log.h"
#include "output-name.h"
#include "output-space.h"
#include "parse-time.h"

struct Output {
        OutputOptions options;
        FileDescription *description;
        PerfDataWriter *writer;
        OutputFiles files;
        OutputSpace space;
        bool streamed;      /* the stream was begun */
        bool reader_gone;
        bool limit_reached;
        uint64_t samples;   /* in the open file */
        uint64_t dropped;   /* samples that the open file lacks */
        uint64_t size;      /* of the file finished last, and its compression */
        bool compressed;
        uint64_t original_bytes, compressed_bytes;
};

static bool is_stream(const Output *o) {
        return output_place_is_stream(o->options.place);
}

int output_new(const OutputOptions *options, FileDescription *description, Output **ret) {
        Output *o = calloc(1, sizeof(Output));

        if (!o)
                return -ENOMEM;
        o->options = *options;
        o->description = description;
        o->files.max = options->max_files;
        o->space.notifier = options->notifier;
        if (!is_stream(o))
                output_remove_stale(o->options.place->dir_fd, o->options.place->base);
        *ret = o;
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
        free(o);
        return NULL;
}

static void drop(Output *o, uint64_t samples) {
        o->space.dropped += samples;
        o->dropped += samples;
        counters_add(&o->options.counters->page->lost, samples);
}

void output_reader_gone(Output *o) {
        if (!o->reader_gone)
                log_info("[ perf record: the reader of %s has gone, stopping session ]", o->options.place->shown);
        o->reader_gone = true;
}

typedef struct Preamble {
        Output *output;
        PerfDataWriter *writer;
} Preamble;

static int append_preamble(void *userdata, const struct iovec *records) {
        const Preamble *p = userdata;

        return file_description_append(p->output->description, p->writer, records, 1);
}

static int put_preamble(Output *o, PerfDataWriter *w) {
        Preamble p = { .output = o, .writer = w };
        _cleanup_(record_buffer_done) RecordBuffer b = { .drain = append_preamble, .userdata = &p };
        LeftOut left_out = {};
        int r = o->options.preamble(o->options.userdata, &b, &left_out);

        if (r >= 0)
                r = byte_buffer_flush(&b);
        if (r >= 0 && !is_stream(o))
                left_out_put(&left_out, perf_data_writer_fd(w));
        return r;
}

/* 1: there is a directory again. */
static int renew_place(Output *o) {
        int r = o->options.renewed ? output_place_renew(o->options.place) : 0;

        if (r > 0)
                log_warning("The directory %s was removed, and is made again", o->options.place->dir);
        return r;
}

static int open_writer(Output *o, PerfDataWriter **ret) {
        const OutputPlace *p = o->options.place;
        int r;

        if (is_stream(o))
                return file_description_open_stream(o->description, p->stream_fd, o->options.level, ret);
        r = file_description_open(o->description, p->dir_fd, p->base, o->options.level, ret);
        if (r == -ENOENT && renew_place(o) > 0)
                r = file_description_open(o->description, p->dir_fd, p->base, o->options.level, ret);
        return r;
}

int output_begin(Output *o) {
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        int r;

        if (o->writer)
                return 0;
        if (o->streamed)
                return -EPIPE;
        r = open_writer(o, &w);
        o->streamed = r >= 0 && is_stream(o);
        if (r >= 0 && !o->options.preamble_last)
                r = put_preamble(o, w);
        if (output_space_is_lacking(r))
                output_space_lacks(&o->space, r);
        if (r == -EPIPE)
                output_reader_gone(o);
        if (output_space_is_lacking(r) && o->streamed)
                r = 0; /* it can't be begun anew */
        if (r < 0)
                return r;
        if (!is_stream(o)) {
                perf_data_writer_set_synced(w, o->options.synced);
                (void) flock(perf_data_writer_fd(w), LOCK_EX | LOCK_NB); /* ours: see output_remove_stale() */
        }
        o->samples = 0;
        o->writer = steal_ptr(w);
        /* No sample that goes into it is older, those in the rings included, for they were emptied into the last one. */
        counters_set(&o->options.counters->page->first_sample_nsec, now_usec(CLOCK_MONOTONIC) * NSEC_PER_USEC);
        return 0;
}

/* Whoever removed the directory took the name of the open file as well. */
int output_rescue(Output *o) {
        int r = renew_place(o);

        if (r >= 0 && o->options.renewed && o->writer && !is_stream(o))
                r = perf_data_writer_rescue(o->writer, o->options.place->dir_fd);
        if (r > 0)
                (void) flock(perf_data_writer_fd(o->writer), LOCK_EX | LOCK_NB);
        return MIN_OF(r, 0);
}

static void check_limit(Output *o) {
        uint64_t size = perf_data_writer_data_size(o->writer);

        if (o->options.max_size == 0 || size < o->options.max_size || o->limit_reached)
                return;
        o->limit_reached = true;
        log_info("[ perf record: perf size limit reached (%" PRIu64 " KB), stopping session ]", size >> 10);
}

static bool is_worth_a_try(Output *o, const struct iovec *segments, size_t n_segments) {
        const OutputPlace *p = o->options.place;

        if (o->reader_gone)
                return false;
        return !o->space.full ||
               output_space_may_be_back(&o->space, is_stream(o) ? p->stream_fd : p->dir_fd, segments, n_segments);
}

static void count(Output *o, const OutputCounts *counts, uint64_t bytes) {
        PrCounters *page = o->options.counters->page;

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
        if (!is_worth_a_try(o, segments, n_segments))
                return drop(o, counts->samples), 0;
        r = output_begin(o);
        if (r >= 0) {
                before = perf_data_writer_data_size(o->writer);
                r = file_description_append(o->description, o->writer, segments, n_segments);
        }
        if (output_space_is_lacking(r)) {
                output_space_lacks(&o->space, r);
                return drop(o, counts->samples), 0;
        }
        if (r == -EPIPE) {
                output_reader_gone(o);
                return drop(o, counts->samples), 0;
        }
        if (r < 0)
                return r;
        output_space_is_back(&o->space);
        count(o, counts, perf_data_writer_data_size(o->writer) - before);
        check_limit(o);
        if (ret_written)
                *ret_written = true;
        return 0;
}

bool output_is_over(const Output *o) {
        return o->limit_reached || o->reader_gone;
}

void output_keep_up(Output *o) {
        if (o->writer)
                file_description_keep_up(o->description, o->writer);
}

const PerfDataWriter *output_writer(const Output *o) {
        return o->writer;
}

int output_file_fd(const Output *o) {
        return o->writer ? perf_data_writer_fd(o->writer) : -EBADF;
}

uint64_t output_file_size(const Output *o) {
        return o->writer ? perf_data_writer_file_size(o->writer) : o->size;
}

uint64_t output_file_samples(const Output *o) {
        return o->samples;
}

bool output_file_compression(const Output *o, uint64_t *ret_original, uint64_t *ret_compressed) {
        if (o->writer)
                return perf_data_writer_compression(o->writer, ret_original, ret_compressed);
        *ret_original = o->original_bytes;
        *ret_compressed = o->compressed_bytes;
        return o->compressed;
}

/* Says in the file how much it lacks, if there is room for that. */
static void put_dropped(Output *o) {
        RecordBuffer b = {};
        struct iovec segment;

        if (o->dropped == 0)
                return;
        if (record_put_lost_samples(&b, o->dropped, &o->options.trailer) >= 0) {
                segment = record_buffer_iovec(&b);
                if (file_description_append(o->description, o->writer, &segment, 1) >= 0)
                        o->dropped = 0;
        }
        record_buffer_done(&b);
}

static int set_name(Output *o, bool timestamp, char **ret) {
        const OutputPlace *p = o->options.place;
        struct timeval now;
        int r;

        perf_data_writer_keep_old(o->writer, !timestamp);
        if (!timestamp) {
                *ret = strdup(p->base);
                return *ret ? 0 : -ENOMEM;
        }
        (void) gettimeofday(&now, NULL);
        r = output_name_new(p->dir_fd, p->base, now, ret);
        return r < 0 ? r : perf_data_writer_set_name(o->writer, *ret);
}

static void after_finish(Output *o, const char *name, bool timestamp, uint64_t left_out) {
        const OutputPlace *p = o->options.place;
        int r = 0;

        if (left_out != 0)
                log_warning("The disk is full: %s/%s lacks header features (mask %#" PRIx64 ")", p->dir, name, left_out);
        if (timestamp)
                r = output_files_add(&o->files, p->dir_fd, name);
        if (r < 0)
                log_warning("An old file could not be removed: %s", strerror(-r));
        counters_add(&o->options.counters->page->files, 1);
        notifier_send(o->options.notifier, PR_NOTIFY_OUTPUT "%s/%s", p->dir, name);
}

/* Nobody waits for them. */
static void order_symbols(Output *o, const char *name) {
        DsoHits *hits = o->options.symbols ? file_description_take_hits(o->description) : NULL;
        int r = hits ? symbol_keeper_order(o->options.symbols, o->options.place->dir_fd, name, hits) : 0;

        if (r < 0)
                log_warning("There are no symbols beside %s: %s", name, strerror(-r));
}

/* "PATH" or "PATH.TIMESTAMP", in the words of the command line. */
static char *display_name(const Output *o, const char *name) {
        const OutputPlace *p = o->options.place;
        char *s;

        if (is_stream(o))
                return strdup(p->shown);
        if (asprintf(&s, "%s%s", p->shown, name + strlen(p->base)) < 0)
                return NULL;
        return s;
}

/* What each file ends with. */
static void put_last(Output *o) {
        int r = 0;

        if (o->options.preamble_last)
                r = put_preamble(o, o->writer);
        if (r < 0)
                log_warning("The file lacks what processes and maps there were: %s", strerror(-r));
        put_dropped(o);
}

int output_finish(Output *o, bool timestamp, char **ret_name) {
        _cleanup_free_ char *name = NULL;
        uint64_t left_out = 0;
        int r = 0;

        if (!o->writer)
                return -ENODATA;
        if (!o->reader_gone)
                put_last(o);
        if (!is_stream(o))
                r = set_name(o, timestamp, &name);
        if (r < 0)
                return r;
        o->size = perf_data_writer_file_size(o->writer);
        o->compressed = perf_data_writer_compression(o->writer, &o->original_bytes, &o->compressed_bytes);
        r = file_description_finish(o->description, o->writer, &left_out);
        if (r == -EPIPE) {
                output_reader_gone(o);
                r = 0;
        }
        if (r < 0)
                return r;
        o->writer = perf_data_writer_free(o->writer);
        counters_set(&o->options.counters->page->first_sample_nsec, 0);
        if (!is_stream(o)) {
                order_symbols(o, name);
                after_finish(o, name, timestamp, left_out);
        }
        if (ret_name)
                *ret_name = display_name(o, name);
        return 0;
}
