/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file has, in this order, the preamble, all samples, the end of their round, and the features; then it gets its
 * name. The source of the samples learns the name right before that (about_to_name), and the outcome right afterwards
 * (settle): if this process is killed in between, its successor looks whether the file exists (flight-state.c).
 *
 * Records go to the writer and, to find the binaries that were hit, to file_description_search(). Both take about the
 * same time, so if the source can be walked in two threads at once, each has a thread of its own. */

#include "flight-file.h"

#include <pthread.h>

typedef struct Appending {
        const FlightFile *file;
        PerfDataWriter *writer;
        bool show;         /* there is no thread for it */
        pthread_t thread;  /* that shows, if there is one */
} Appending;

static int flight_file_search(void *userdata, const struct iovec *records) {
        const FlightFile *f = userdata;

        file_description_search(f->files->description, records, 1);
        return 0;
}

static int flight_file_append(void *userdata, const struct iovec *records) {
        const Appending *a = userdata;

        if (a->show)
                (void) flight_file_search((void *) a->file, records);
        return perf_data_writer_append(a->writer, records, 1);
}

static void *flight_file_search_all(void *userdata) {
        const FlightFile *f = userdata;
        struct iovec preamble = record_buffer_iovec(f->preamble);

        (void) flight_file_search(userdata, &preamble);
        (void) f->samples->each(f->samples->userdata, flight_file_search, userdata);
        return NULL;
}

/* Appends all samples as one round: readers sort them at its end. */
static int flight_file_append_records(Appending *a) {
        const FlightFile *f = a->file;
        struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(round) };
        struct iovec preamble = record_buffer_iovec(f->preamble);
        int r = flight_file_append(a, &preamble);

        if (r >= 0)
                r = f->samples->each(f->samples->userdata, flight_file_append, a);
        return r < 0 ? r : flight_file_append(a, &(struct iovec) { .iov_base = &round, .iov_len = sizeof(round) });
}

static int flight_file_append_all(const FlightFile *f, PerfDataWriter *w) {
        Appending a = { .file = f, .writer = w };
        int r;

        a.show = !f->samples->shared || pthread_create(&a.thread, NULL, flight_file_search_all, (void *) f) != 0;
        r = flight_file_append_records(&a);
        if (!a.show)
                (void) pthread_join(a.thread, NULL);
        return r;
}

static int flight_file_finish(const FlightFile *f, PerfDataWriter *w, OutputFinished *ret) {
        _cleanup_(output_finished_done) OutputFinished x = { .samples = f->facts->samples };
        int r = output_files_choose_name(f->files, f->timestamp, &x.name);

        if (r < 0)
                return r;
        if (f->order)
                output_files_put_facts(f->files, w, f->order, f->facts);
        output_files_put_left_out(w, &f->left_out);
        f->samples->about_to_name(f->samples->userdata, x.name);
        r = output_files_finish(f->files, w, f->timestamp, &x);
        f->samples->settle(f->samples->userdata, r >= 0);
        if (r < 0)
                return r;
        *ret = steal_value(x, (OutputFinished) {});
        return 0;
}

int flight_file_begin(FlightFile *f, const struct iovec *records) {
        int r = f->writer ? 0 : output_files_open(f->files, true, &f->writer);

        if (r < 0)
                return r;
        (void) flight_file_search(f, records);
        return perf_data_writer_append(f->writer, records, 1);
}

void flight_file_done(FlightFile *f) {
        f->writer = perf_data_writer_free(f->writer);
}

static int flight_file_write_to_end(FlightFile *f, OutputFinished *ret) {
        bool begun = f->writer;
        int r = begun ? 0 : output_files_open(f->files, true, &f->writer);

        if (r >= 0)
                r = flight_file_append_all(f, f->writer);
        if (r >= 0 && begun) /* the pieces that were written before are nowhere else */
                r = output_files_rescue(f->files, f->writer);
        if (r >= 0)
                r = flight_file_finish(f, f->writer, ret);
        flight_file_done(f);
        return r;
}

int flight_file_write(FlightFile *f, OutputFinished *ret) {
        bool begun = f->writer;
        int r = flight_file_write_to_end(f, ret);

        /* The directory was removed in the meantime; output_files_open() makes it again. */
        return r == -ENOENT && !begun ? flight_file_write_to_end(f, ret) : r;
}
