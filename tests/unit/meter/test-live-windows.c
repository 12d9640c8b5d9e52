/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Windows that are made here and lie in the socket before they are asked for. */

#include <perf-recorder/live-window.h>
#include <stdalign.h>
#include <sys/mman.h>

#include "descriptor-set.h"
#include "fd-file.h"
#include "live-windows.h"
#include "stop-signals.h"
#include "top-samples-made.h"
#include "writer.h"

#define PID 4194305u

static struct {
        int fds[2]; /* of the meter, and of perfctl */
        sigset_t waiting;
        RecordBuffer records; /* of the next window */
        uint64_t begin;       /* … which has all samples from then on */
        LiveWindows windows;
        TopSamples samples;
} run;

static void setup(void) {
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, run.fds), 0);
        (void) sigprocmask(SIG_BLOCK, NULL, &run.waiting);
        run.windows = (LiveWindows) LIVE_WINDOWS_EMPTY;
}

static void teardown(void) {
        live_windows_done(&run.windows);
        record_buffer_done(&run.records);
        (void) close(run.fds[0]);
        (void) close(run.fds[1]);
}

static void add_sample(uint64_t time, uint64_t ip) {
        const struct __attribute__((packed)) {
                struct perf_event_header header;
                uint64_t id, ip;
                uint32_t pid, tid;
                uint64_t time, period;
        } sample = {
                .header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = sizeof(sample) }, .id = 2, .ip = ip,
                .pid = PID, .tid = PID, .time = time, .period = 1,
        };

        byte_buffer_put(&run.records, &sample, sizeof(sample));
}

static RecordTrailer trailer_at(uint64_t time) {
        return (RecordTrailer) { .sample_type = MADE_FIELDS, .pid = PID, .tid = PID, .time = time, .id = 1 };
}

static void add_comm(uint64_t time, const char *name) {
        const RecordTrailer trailer = trailer_at(time);

        ck_assert_int_eq(record_put_comm(&run.records, PID, PID, name, 0, &trailer), 0);
}

static void add_lost(uint64_t n) {
        const struct __attribute__((packed)) {
                struct perf_event_header header;
                uint64_t id, lost;
                uint32_t pid, tid;
                uint64_t time, trailer_id;
        } lost = { .header = { .type = PERF_RECORD_LOST, .size = sizeof(lost) }, .id = 2, .lost = n, .time = 50, .trailer_id = 2 };

        byte_buffer_put(&run.records, &lost, sizeof(lost));
}

/* Puts a window into the socket, with the records so far. config: of the event that has samples, behind one without. */
static void answer(uint64_t until, uint64_t config) {
        uint64_t ids[] = { 1, 2 };
        PerfDataEvent events[] = {
                { .attr = made_member.attr, .ids = ids, .n_ids = 1, .name = "dummy:HG" },
                { .attr = made_member.attr, .ids = ids + 1, .n_ids = 1, .name = "cpu-clock" },
        };
        alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        PrWindowAnswer packet = { .until_nsec = until };
        struct iovec iov = { .iov_base = &packet, .iov_len = sizeof(packet) }, bytes = record_buffer_iovec(&run.records);
        struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1 };
        _cleanup_(perf_data_writer_freep) PerfDataWriter *w = NULL;
        _cleanup_(feature_table_freep) FeatureTable *features = NULL;
        _cleanup_close_ int fd = open_memfd("window", 0);

        events[0].attr.config = PERF_COUNT_SW_DUMMY;
        events[1].attr.config = config;
        ck_assert_int_eq(feature_table_new(&features), 0);
        ck_assert_int_eq(feature_table_add_events(features, events, 2), 0);
        ck_assert_int_eq(feature_table_add_sample_time(features, run.begin, until), 0);
        ck_assert_int_eq(perf_data_writer_new_stream(fd, &(PerfDataWriterOptions) { .events = events, .n_events = 2 }, features, &w), 0);
        if (bytes.iov_len > 0)
                ck_assert_int_eq(perf_data_writer_append(w, &bytes, 1), 0);
        ck_assert_int_eq(perf_data_writer_finish(w, NULL, NULL, NULL), 0);
        descriptors_to_message(&mh, control, &fd, 1);
        ck_assert_int_eq(sendmsg(run.fds[1], &mh, 0), sizeof(packet));
        run.records.size = 0;
}

static void expect_request(uint64_t since, uint64_t whole) {
        PrWindowRequest request;

        ck_assert_int_eq(recv(run.fds[1], &request, sizeof(request), MSG_DONTWAIT), sizeof(request));
        ck_assert(request.since_nsec == since && request.whole == whole);
}

static const TopKey comm = { "comm", REPORT_COMM, 0 };

static const char *name_of_row(size_t row) {
        return process_view_name(sample_table_view(run.samples.table),
                                 sample_table_rows(run.samples.table, &(size_t) { 0 })[row].name);
}

static size_t n_rows(void) {
        size_t n;

        (void) sample_table_rows(run.samples.table, &n);
        return n;
}

START_TEST(windows) {
        const TopOptions o = { .keys = { { &comm }, 1 }, .session = "web" };

        answer(100 * TOP_SLICE_NSEC, PERF_COUNT_SW_CPU_CLOCK);
        add_sample(30, 0x400010); /* of another ring, after its name was changed */
        add_sample(10, 0x400010);
        add_comm(20, "later");
        add_comm(0, "first");
        add_lost(3);
        answer(100 * TOP_SLICE_NSEC + 5, PERF_COUNT_SW_CPU_CLOCK);
        ck_assert_int_eq(live_windows_open(&run.windows, run.fds[0], 5 * TOP_SLICE_NSEC, &run.waiting), 0);
        expect_request(UINT64_MAX, 0);
        expect_request(95 * TOP_SLICE_NSEC, 1);
        ck_assert_uint_eq(run.windows.n_members, 1);
        ck_assert_str_eq(run.windows.members->name, "cpu-clock");
        ck_assert_uint_eq(run.windows.members->attr.sample_freq, 99);
        ck_assert_uint_eq(run.windows.duration, 5 * TOP_SLICE_NSEC + 5);

        ck_assert_int_eq(top_samples_init(&run.samples, &o, false, run.windows.members, 1), 0);
        ck_assert_int_eq(live_windows_ask(&run.windows, true), 0); /* it has one already */
        ck_assert_int_eq(live_windows_take(&run.windows, &run.samples), 0);
        ck_assert(run.samples.window.samples == 2 && run.samples.window.lost == 3);
        ck_assert_uint_eq(run.windows.duration, 5 * TOP_SLICE_NSEC + 5); /* the first sample is older */
        ck_assert_uint_eq(n_rows(), 2);
        ck_assert_str_eq(name_of_row(0), "first");
        ck_assert_str_eq(name_of_row(1), "later");
        ck_assert_int_eq(recv(run.fds[1], &(PrWindowRequest) {}, sizeof(PrWindowRequest), MSG_DONTWAIT), -1);

        add_sample(100 * TOP_SLICE_NSEC + 10, 0x400010);
        answer(101 * TOP_SLICE_NSEC, PERF_COUNT_SW_CPU_CLOCK);
        ck_assert_int_eq(live_windows_ask(&run.windows, false), 0);
        expect_request(100 * TOP_SLICE_NSEC + 5, 0);
        ck_assert_int_eq(live_windows_take(&run.windows, &run.samples), 0);
        ck_assert_uint_eq(run.windows.duration, TOP_SLICE_NSEC - 5);
        ck_assert_uint_eq(sample_table_rows(run.samples.table, &(size_t) { 0 })[2].slice, 100 * TOP_SLICE_NSEC);
        ck_assert_str_eq(name_of_row(2), "later");
        ck_assert_uint_eq(run.samples.missed, 0);

        run.begin = 101 * TOP_SLICE_NSEC + 400;
        answer(102 * TOP_SLICE_NSEC, PERF_COUNT_SW_CPU_CLOCK);
        ck_assert_int_eq(live_windows_ask(&run.windows, false), 0);
        ck_assert_int_eq(live_windows_take(&run.windows, &run.samples), 0);
        ck_assert(run.samples.window.missed == 400 && run.samples.missed == 400);
        ck_assert_uint_eq(run.windows.duration, TOP_SLICE_NSEC - 400);
        top_samples_done(&run.samples);
}
END_TEST

START_TEST(short_memory) {
        const TopOptions o = { .keys = { { &comm }, 1 }, .session = "web" };

        answer(100 * TOP_SLICE_NSEC, PERF_COUNT_SW_CPU_CLOCK);
        add_sample(98 * TOP_SLICE_NSEC, 0x400010);
        answer(100 * TOP_SLICE_NSEC, PERF_COUNT_SW_CPU_CLOCK);
        ck_assert_int_eq(live_windows_open(&run.windows, run.fds[0], UINT64_MAX, &run.waiting), 0);
        ck_assert_uint_eq(run.windows.duration, 100 * TOP_SLICE_NSEC);
        ck_assert_int_eq(top_samples_init(&run.samples, &o, false, run.windows.members, 1), 0);
        ck_assert_int_eq(live_windows_take(&run.windows, &run.samples), 0);
        ck_assert_uint_eq(run.windows.duration, 2 * TOP_SLICE_NSEC);
        top_samples_done(&run.samples);
}
END_TEST

START_TEST(all_in_memory) {
        answer(7, PERF_COUNT_SW_CPU_CLOCK);
        answer(8, PERF_COUNT_SW_CPU_CLOCK);
        ck_assert_int_eq(live_windows_open(&run.windows, run.fds[0], UINT64_MAX, &run.waiting), 0);
        expect_request(UINT64_MAX, 0);
        expect_request(0, 1);
}
END_TEST

/* A session that was started with other events is another one. */
START_TEST(other_events) {
        answer(7, PERF_COUNT_SW_CPU_CLOCK);
        answer(8, PERF_COUNT_SW_CPU_CLOCK);
        ck_assert_int_eq(live_windows_open(&run.windows, run.fds[0], 5, &run.waiting), 0);
        run.windows.reader = perf_data_reader_free(run.windows.reader);
        answer(9, PERF_COUNT_SW_PAGE_FAULTS);
        ck_assert_int_eq(live_windows_ask(&run.windows, false), -ESTALE);
}
END_TEST

START_TEST(nothing_to_sample) {
        answer(7, PERF_COUNT_SW_DUMMY);
        answer(8, PERF_COUNT_SW_DUMMY);
        ck_assert_int_eq(live_windows_open(&run.windows, run.fds[0], 5, &run.waiting), -ENODATA);
}
END_TEST

START_TEST(perfctl_ends) {
        answer(7, PERF_COUNT_SW_CPU_CLOCK);
        ck_assert_int_eq(shutdown(run.fds[1], SHUT_WR), 0);
        ck_assert_int_eq(live_windows_open(&run.windows, run.fds[0], 5, &run.waiting), -ECONNRESET);
        ck_assert(run.windows.gone);
}
END_TEST

START_TEST(no_descriptor) {
        const PrWindowAnswer packet = {};

        ck_assert_int_eq(send(run.fds[1], &packet, sizeof(packet), 0), sizeof(packet));
        ck_assert_int_eq(live_windows_open(&run.windows, run.fds[0], 5, &run.waiting), -EPROTO);
        ck_assert(!run.windows.gone);
}
END_TEST

CHECK_MAIN_WITH("live-windows", setup, teardown, windows, short_memory, all_in_memory, other_events, nothing_to_sample, perfctl_ends, no_descriptor);
