/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps that every file of a recording takes, whichever kind of recording makes it: begun under a temporary name, with a
 * lock that shows other recorders that it is not abandoned; given a name; finished; reported. A directory that was removed is made
 * again, where that is wanted. What goes into the file is the caller's, and so is the writer.
 *
 * output_files_open(), _rescue(), _choose_name() and _finish() of one file may run in another thread than the loop's. */

#include "output-files.h"

#include <inttypes.h>
#include <perf-recorder/notify-fields.h>
#include <sys/file.h>
#include "log.h"

void output_files_done(OutputFiles *f) {
        kept_files_done(&f->kept);
        output_place_done(&f->place);
        f->description = file_description_free(f->description);
}

void output_finished_done(OutputFinished *x) {
        free(x->name);
        *x = (OutputFinished) {};
}

/* 1: there is a directory again. */
static int output_files_renew_place(const OutputFiles *f) {
        int r = f->renewed ? output_place_renew(&f->place) : 0;

        if (r > 0)
                log_warning("The directory %s was removed, and is made again", f->place.dir);
        return r;
}

int output_files_open(OutputFiles *f, PerfDataWriter **ret) {
        int r = file_description_open(f->description, f->place.dir_fd, f->place.base, f->level, ret);

        if (r == -ENOENT && output_files_renew_place(f) > 0)
                r = file_description_open(f->description, f->place.dir_fd, f->place.base, f->level, ret);
        if (r < 0)
                return r;
        perf_data_writer_set_synced(*ret, f->synced);
        (void) flock(perf_data_writer_fd(*ret), LOCK_EX | LOCK_NB);
        return 0;
}

/* With the directory, the name of the open file was removed as well. */
int output_files_rescue(OutputFiles *f, PerfDataWriter *w) {
        int r = output_files_renew_place(f);

        if (r >= 0 && f->renewed && w)
                r = perf_data_writer_rescue(w, f->place.dir_fd);
        if (r > 0 && w)
                (void) flock(perf_data_writer_fd(w), LOCK_EX | LOCK_NB);
        return MIN_OF(r, 0);
}

int output_files_choose_name(OutputFiles *f, PerfDataWriter *w, bool timestamp, char **ret) {
        struct timeval now;
        int r;

        perf_data_writer_keep_old(w, !timestamp);
        if (!timestamp) {
                *ret = strdup(f->place.base);
                return *ret ? 0 : -ENOMEM;
        }
        (void) gettimeofday(&now, NULL);
        r = output_name_new(f->place.dir_fd, f->place.base, now, ret);
        return r < 0 ? r : perf_data_writer_set_name(w, *ret);
}

int output_files_finish(OutputFiles *f, PerfDataWriter *w, OutputFinished *ret) {
        uint64_t left_out = 0;
        int r;

        (void) perf_data_writer_compression(w, &ret->original, &ret->compressed);
        r = file_description_finish(f->description, w, &left_out);
        if (r < 0)
                return r;
        ret->left_out = left_out;
        ret->size = perf_data_writer_file_size(w);
        return 0;
}

/* Nobody waits for them. */
static void output_files_order_symbols(OutputFiles *f, const char *name) {
        DsoHits *hits = f->symbols ? file_description_take_hits(f->description) : NULL;
        int r = hits ? symbol_keeper_order(f->symbols, f->place.dir_fd, name, hits) : 0;

        if (r < 0)
                log_warning("There are no symbols beside %s: %s", name, strerror(-r));
}

void output_files_report(OutputFiles *f, const OutputFinished *x, bool timestamp) {
        int r = 0;

        if (x->left_out != 0)
                log_warning("The disk is full: %s/%s lacks header features (mask %#" PRIx64 ")", f->place.dir, x->name,
                            x->left_out);
        if (timestamp)
                r = kept_files_add(&f->kept, f->place.dir_fd, x->name);
        if (r < 0)
                log_warning("An old file could not be removed: %s", strerror(-r));
        counters_add(&f->counters->page->files, 1);
        notifier_send(f->notifier, PR_NOTIFY_OUTPUT "%s/%s", f->place.dir, x->name);
        output_files_order_symbols(f, x->name);
}
