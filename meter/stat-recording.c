/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The recording has what describes the machine before the counts, since a stream cannot have it behind them. As perf's, a stream
 * has no command line, and readers call it "pipe"; its events are named by records, which perf needs. */

#include "stat-recording.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "feature-machine.h"
#include "strv.h"
#include "tracepoint.h"
#include "tracing-data.h"

#define TAIL_ROOM UINT64_C(4096)

void stat_recording_done(StatRecording *r) {
        perf_data_writer_free(r->writer);
        feature_table_free(r->features);
        free(r->events);
        record_buffer_done(&r->records);
        r->fd = safe_close(r->fd);
}

/* perf opens no file with tracepoints that lacks their formats, not even its own; and perf stat report reads no stream that has
 * them. */
static int recording_describe_tracepoints(FeatureTable *features, const EventSpecs *specs) {
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *tracefs = NULL;
        int q = 0;

        for (size_t i = 0; specs && q >= 0 && i < specs->n_specs; i++)
                if (specs->specs[i].tracepoint_name)
                        q = strv_extendf(&names, "%s:%s", specs->specs[i].tracepoint_system, specs->specs[i].tracepoint_name);
        if (q >= 0 && names)
                q = tracefs_find(&tracefs);
        if (q >= 0 && names)
                q = feature_table_add_tracing_data(features, tracefs, names);
        return q == -ENOMEM ? q : 0; /* they could be read when the events were found */
}

static int recording_describe(StatRecording *r, const StatRecordingOptions *options) {
        int q = count_records_events(options->layout, &r->events);

        if (q >= 0)
                q = feature_table_new(&r->features);
        if (q >= 0)
                q = feature_table_add_version(r->features, "perf-recorder " PR_VERSION);
        if (q >= 0 && options->command_line && r->fd < 0)
                q = feature_table_add_command_line(r->features, options->command_line);
        if (q >= 0)
                q = feature_table_add_events(r->features, r->events, options->layout->n_events);
        if (q >= 0 && r->fd < 0)
                q = recording_describe_tracepoints(r->features, options->events);
        if (q >= 0)
                q = feature_table_add_machine(r->features, NULL);
        return q < 0 ? q : feature_table_put(r->features, PERF_FEATURE_STAT, NULL, 0);
}

/* Opens what is no file: standard output, a FIFO, a device. -ENOENT: it is a file, or will be. */
static int recording_open_stream(const char *path) {
        struct stat st;
        int fd;

        if (!streq(path, "-") && (stat(path, &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
                return -ENOENT;
        fd = streq(path, "-") ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return fd < 0 ? -errno : fd;
}

static int recording_append(StatRecording *r) {
        const struct iovec bytes = record_buffer_iovec(&r->records);
        int q = perf_data_writer_append(r->writer, &bytes, 1);

        record_buffer_reset(&r->records);
        return q;
}

int stat_recording_begin(StatRecording *r, const char *path, const StatRecordingOptions *options) {
        PerfDataWriterOptions writer = { .n_events = options->layout->n_events, .keep_old = true };
        int q;

        r->fd = recording_open_stream(path);
        if (r->fd < 0 && r->fd != -ENOENT)
                return r->fd;
        q = recording_describe(r, options);
        if (q < 0)
                return q;
        writer.events = r->events;
        writer.tail_size = feature_table_size(r->features) + TAIL_ROOM;
        q = r->fd >= 0 ? perf_data_writer_new_stream(r->fd, &writer, r->features, &r->writer) :
                perf_data_writer_new(AT_FDCWD, path, &writer, &r->writer);
        if (q >= 0)
                q = count_records_put_layout(&r->records, options->layout, &options->config, r->fd >= 0);
        return q < 0 ? q : recording_append(r);
}

void stat_recording_add(StatRecording *r, const CountLayout *l, const Count *counts, bool final, uint64_t time) {
        if (r->error == 0)
                r->error = count_records_put_round(&r->records, l, counts, final, time);
        if (r->error == 0)
                r->error = recording_append(r);
}

int stat_recording_finish(StatRecording *r) {
        if (r->error == 0 && r->fd < 0)
                r->error = perf_data_writer_finish(r->writer, r->features, NULL, NULL);
        return r->error;
}
