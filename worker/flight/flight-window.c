/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A window is a file beside the dumps, so that its size is no burden on the recorder's memory, and it loses its name before
 * anything is in it: nothing lists it as a dump, and it is gone with its last descriptor. The name is that of an unfinished file,
 * so if the recorder is killed in between, the next one removes it (output_remove_stale()). Nothing is synced or compressed. */

#include "flight-window.h"

#include <fcntl.h>

static int flight_window_file_create(FlightWindowFile *f) {
        const OutputPlace *place = &f->files->place;
        int r = atomic_file_open(&f->file, place->dir_fd, place->base, 0600);

        if (r == -ENOENT && output_files_rescue(f->files, NULL) >= 0)
                r = atomic_file_open(&f->file, place->dir_fd, place->base, 0600);
        if (r < 0)
                return r;
        f->read_fd = openat(f->file.dir_fd, f->file.temporary, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (f->read_fd < 0)
                return -errno;
        return unlinkat(f->file.dir_fd, f->file.temporary, 0) < 0 ? -errno : 0;
}

int flight_window_file_begin(FlightWindowFile *f, const struct iovec *records) {
        int r = f->writer ? 0 : flight_window_file_create(f);

        if (r >= 0 && !f->writer)
                r = file_description_open_window(f->files->description, f->file.fd, f->whole, f->begin, f->until, &f->writer);
        return r < 0 ? r : perf_data_writer_append(f->writer, records, 1);
}

static int flight_window_file_append(void *userdata, const struct iovec *records) {
        return perf_data_writer_append(((FlightWindowFile *) userdata)->writer, records, 1);
}

int flight_window_file_write(FlightWindowFile *f) {
        struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(round) };
        struct iovec preamble = record_buffer_iovec(f->preamble);
        int r = flight_window_file_begin(f, &preamble);

        if (r >= 0)
                r = f->samples->each(f->samples->userdata, flight_window_file_append, f);
        if (r >= 0)
                r = flight_window_file_append(f, &(struct iovec) { .iov_base = &round, .iov_len = sizeof(round) });
        return r < 0 ? r : perf_data_writer_finish(f->writer, NULL, NULL, NULL);
}

void flight_window_file_done(FlightWindowFile *f) {
        f->writer = perf_data_writer_free(f->writer);
        f->read_fd = safe_close(f->read_fd);
        atomic_file_done(&f->file);
}
