/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The samples' source is told of the name right before the file gets it, and right afterwards whether that went well: if
 * this process dies in between, who takes over can tell by looking for the file. */

#include "flight-file.h"

#include <pthread.h>
#include <sys/file.h>
#include "dump-xattrs.h"
#include "log.h"
#include "output-name.h"

typedef struct Appending {
        const FlightFile *file;
        PerfDataWriter *writer;
        bool show;         /* nobody else does */
        pthread_t thread;  /* else this one */
} Appending;

static int show(void *userdata, const struct iovec *records) {
        const FlightFile *f = userdata;

        file_description_show(f->description, records, 1);
        return 0;
}

static int append(void *userdata, const struct iovec *records) {
        const Appending *a = userdata;

        if (a->show)
                (void) show((void *) a->file, records);
        return file_description_append(a->file->description, a->writer, records, 1);
}

static void *show_all(void *userdata) {
        const FlightFile *f = userdata;
        struct iovec preamble = record_buffer_iovec(f->preamble);

        (void) show(userdata, &preamble);
        (void) f->samples->each(f->samples->userdata, show, userdata);
        return NULL;
}

/* All samples are one round: readers sort them at its end. */
static int append_records(Appending *a) {
        const FlightFile *f = a->file;
        struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(round) };
        struct iovec preamble = record_buffer_iovec(f->preamble);
        int r = append(a, &preamble);

        if (r >= 0)
                r = f->samples->each(f->samples->userdata, append, a);
        return r < 0 ? r : append(a, &(struct iovec) { .iov_base = &round, .iov_len = sizeof(round) });
}

/* To see which binaries were hit takes as long as to write the samples, so both are done at once. */
static int append_all(const FlightFile *f, PerfDataWriter *w) {
        Appending a = { .file = f, .writer = w };
        int r;

        a.show = !f->samples->shared || pthread_create(&a.thread, NULL, show_all, (void *) f) != 0;
        r = append_records(&a);
        if (!a.show)
                (void) pthread_join(a.thread, NULL);
        return r;
}

static int choose_name(const FlightFile *f, PerfDataWriter *w, char **ret) {
        struct timeval now;
        int r;

        perf_data_writer_keep_old(w, !f->timestamp);
        if (!f->timestamp) {
                *ret = strdup(f->place->base);
                return *ret ? 0 : -ENOMEM;
        }
        (void) gettimeofday(&now, NULL);
        r = output_name_new(f->place->dir_fd, f->place->base, now, ret);
        return r < 0 ? r : perf_data_writer_set_name(w, *ret);
}

static int finish(const FlightFile *f, PerfDataWriter *w, FlightFileWritten *ret) {
        FlightFileWritten written = {};
        int r = choose_name(f, w, &written.name);

        if (r < 0)
                return free(written.name), r;
        if (f->order)
                dump_xattrs_put(perf_data_writer_fd(w), f->session, f->order, f->facts);
        left_out_put(&f->left_out, perf_data_writer_fd(w));
        (void) perf_data_writer_compression(w, &written.original, &written.compressed);
        f->samples->announce(f->samples->userdata, written.name);
        r = file_description_finish(f->description, w, &written.left_out);
        f->samples->settle(f->samples->userdata, r >= 0);
        if (r < 0)
                return free(written.name), r;
        written.size = perf_data_writer_file_size(w);
        *ret = written;
        return 0;
}

static int open_file(FlightFile *f) {
        int r;

        file_description_expect_shown(f->description);
        r = file_description_open(f->description, f->place->dir_fd, f->place->base, f->level, &f->writer);
        if (r < 0)
                return r;
        perf_data_writer_expect_all(f->writer);
        perf_data_writer_set_synced(f->writer, f->synced);
        (void) flock(perf_data_writer_fd(f->writer), LOCK_EX | LOCK_NB); /* ours: see output_remove_stale() */
        return 0;
}

/* 1: there is a directory again. */
static int renew_place(const FlightFile *f) {
        int r = output_place_renew(f->place);

        if (r > 0)
                log_warning("The directory %s was removed, and is made again", f->place->dir);
        return r;
}

int flight_file_begin(FlightFile *f, const struct iovec *records) {
        int r = f->writer ? 0 : open_file(f);

        if (r == -ENOENT && renew_place(f) > 0)
                r = open_file(f);
        if (r < 0)
                return r;
        (void) show(f, records);
        return file_description_append(f->description, f->writer, records, 1);
}

void flight_file_done(FlightFile *f) {
        f->writer = perf_data_writer_free(f->writer);
}

static int write_once(FlightFile *f, FlightFileWritten *ret) {
        int r = open_file(f);

        if (r >= 0)
                r = append_all(f, f->writer);
        if (r >= 0)
                r = finish(f, f->writer, ret);
        flight_file_done(f);
        return r;
}

/* The pieces that were written before are in the file only: if its directory was removed, it is put into the new one. */
static int write_rest(FlightFile *f, FlightFileWritten *ret) {
        int r = append_all(f, f->writer);

        if (r >= 0 && renew_place(f) > 0)
                r = perf_data_writer_rescue(f->writer, f->place->dir_fd);
        if (r > 0)
                (void) flock(perf_data_writer_fd(f->writer), LOCK_EX | LOCK_NB);
        if (r >= 0)
                r = finish(f, f->writer, ret);
        flight_file_done(f);
        return r;
}

int flight_file_write(FlightFile *f, FlightFileWritten *ret) {
        int r;

        if (f->writer)
                return write_rest(f, ret);
        r = write_once(f, ret);
        return r == -ENOENT && renew_place(f) > 0 ? write_once(f, ret) : r;
}
