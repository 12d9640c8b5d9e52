/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps of a dump, with and without the loop. */

#include <fcntl.h>
#include <time.h>

#include "check-main.h"
#include "flight.h"
#include "made-flight.h"

static const DumpOrder order = { .trigger = "signal", .detail = "", .n_triggers = 1, .content = DUMP_CONTENT_ALL, .requested = true };

static struct {
        Loop *loop;
        Flight *flight;
        unsigned n_done;
        int error;
        char *name, *sentence;
        uint64_t samples;
} seen;

static void open_flight(void) {
        const FlightOptions o = {
                .preamble = &flying.preamble, .files = &made.files, .samples = flying.samples,
        };

        ck_assert_int_eq(loop_new(&seen.loop), 0);
        ck_assert_int_eq(flight_new(&o, seen.loop, &seen.flight), 0);
}

static void close_flight(void) {
        flight_free(seen.flight);
        loop_free(seen.loop);
        free(seen.name);
        free(seen.sentence);
}

static void on_done(void *userdata, const DumpResult *result) {
        ck_assert_ptr_eq(userdata, &seen);
        seen.n_done++;
        seen.error = result->error;
        seen.samples = result->samples;
        free(seen.name);
        free(seen.sentence);
        seen.name = result->name ? strdup(result->name) : NULL;
        seen.sentence = result->sentence ? strdup(result->sentence) : NULL;
        loop_stop(seen.loop);
}

/* Waits until marks are possible: the flight's initial work prevents them. */
static void await_mark(void) {
        int r = flight_mark(seen.flight);

        ck_assert_int_ge(r, 0);
        if (r == 0) {
                ck_assert_int_eq(flight_wait(seen.flight), 0);
                ck_assert_int_eq(flight_mark(seen.flight), 1);
        }
}

static void dump(const DumpOrder *o) {
        ck_assert_int_eq(flight_dump(seen.flight, o, on_done, &seen), -EBUSY); /* nothing is marked */
        await_mark();
        ck_assert_int_eq(flight_mark(seen.flight), 1); /* a later one */
        ck_assert_int_eq(flight_dump(seen.flight, o, on_done, &seen), 0);
        ck_assert_int_eq(flight_mark(seen.flight), 0);
        ck_assert_int_eq(flight_dump(seen.flight, o, on_done, &seen), -EBUSY);
        ck_assert_int_eq(loop_run(seen.loop), 0);
}

START_TEST(test_dump) {
        _cleanup_free_ char *path = NULL;

        open_flight();
        made_flight_sample(7, 20);
        made_sideband_comm(7, "seven", 10);
        dump(&order);
        ck_assert(seen.n_done == 1 && seen.error == 0 && seen.samples == 1);
        path = path_join(made.dir, seen.name);
        ck_assert_uint_eq(made_count(path, PERF_RECORD_SAMPLE), 1);
        ck_assert_uint_eq(made_count(path, PERF_RECORD_COMM), 1);
        ck_assert_uint_eq(made.counters.page->samples, 1);
        ck_assert_uint_eq(made.counters.page->files, 1);
        ck_assert(flying.wish.content == DUMP_CONTENT_ALL && !flying.wish.automatic && !flight_wish_has_window(&flying.wish));
        dump(&order);
        ck_assert_uint_eq(seen.n_done, 2);
        ck_assert_uint_eq(made.counters.page->samples, 1); /* the same one */
        ck_assert_uint_eq(made.counters.page->files, 2);
        close_flight();
}
END_TEST

START_TEST(test_wishes) {
        DumpOrder o = order;
        int64_t offset;

        open_flight();
        ck_assert_int_eq(flight_clock_offset(seen.flight, &offset), 0);
        o.until = now_usec(CLOCK_REALTIME);
        o.since = o.until - USEC_PER_SEC;
        made_flight_sample(7, (o.until - USEC_PER_SEC / 2) * NSEC_PER_USEC - (uint64_t) offset);
        dump(&o);
        ck_assert_int_eq(seen.error, 0);
        ck_assert_uint_eq(flying.wish.until - flying.wish.from, NSEC_PER_SEC);
        ck_assert_int_lt(llabs((int64_t) (o.until * NSEC_PER_USEC) - offset - (int64_t) flying.wish.until), (int64_t) NSEC_PER_SEC / 10);
        close_flight();
}
END_TEST

/* An automatic dump without samples is not written. */
START_TEST(test_no_sample) {
        const DumpOrder automatic = { .trigger = "calendar", .detail = "", .n_triggers = 1, .automatic = true };
        OutputFinished end = {};

        open_flight();
        dump(&automatic);
        ck_assert_int_eq(seen.error, -ENODATA);
        ck_assert_ptr_nonnull(strstr(seen.sentence, "no sample has come"));
        ck_assert_int_eq(flying.settled, -1);
        ck_assert_int_eq(flight_finish(seen.flight, &automatic, true, &end), -ENODATA);
        ck_assert_uint_eq(made.counters.page->files, 0);
        dump(&order);
        ck_assert_int_eq(seen.error, 0);
        made_flight_sample(7, 20);
        dump(&automatic);
        ck_assert_int_eq(seen.error, 0);
        ck_assert(flying.wish.content == DUMP_CONTENT_AUTOMATIC && flying.wish.automatic);
        close_flight();
}
END_TEST

/* There is no file for a time that is not in memory, or without new samples, whoever asks; the error has the range in
 * memory. */
START_TEST(test_nothing_of_what_was_asked_for) {
        usec_t now = now_usec(CLOCK_REALTIME), begin = now - USEC_PER_MINUTE, end = now - 30 * USEC_PER_SEC;
        DumpOrder o = order;
        char first[64], last[64];
        int64_t offset;

        open_flight();
        ck_assert_int_eq(flight_clock_offset(seen.flight, &offset), 0);
        o.since = now - 2 * USEC_PER_MINUTE;
        o.until = begin - 10 * USEC_PER_SEC;
        dump(&o);
        ck_assert_int_eq(seen.error, -ENODATA);
        ck_assert_str_eq(seen.sentence, "there are no samples in memory");

        made_flight_sample(7, end / USEC_PER_SEC * NSEC_PER_SEC + NSEC_PER_SEC / 2 - (uint64_t) offset);
        made_flight_sample(7, begin / USEC_PER_SEC * NSEC_PER_SEC + NSEC_PER_SEC / 2 - (uint64_t) offset);
        dump(&o);
        ck_assert_int_eq(seen.error, -ENODATA);
        format_timestamp(first, sizeof(first), begin);
        format_timestamp(last, sizeof(last), end);
        ck_assert_ptr_nonnull(strstr(seen.sentence, first));
        ck_assert_ptr_nonnull(strstr(strstr(seen.sentence, first), last));
        o.until = 0;
        dump(&o);
        ck_assert_int_eq(seen.error, 0);
        ck_assert_uint_eq(seen.samples, 2);

        flying.n_records = 0;
        o = order;
        o.content = DUMP_CONTENT_NEW;
        dump(&o);
        ck_assert_int_eq(seen.error, -ENODATA);
        ck_assert_str_eq(seen.sentence, "there is nothing new since the last dump");
        ck_assert_uint_eq(made.counters.page->files, 1);
        close_flight();
}
END_TEST

static void assert_fails(int error, const char *sentence) {
        dump(&order);
        ck_assert_int_eq(seen.error, error);
        ck_assert_ptr_nonnull(strstr(seen.sentence, sentence));
        ck_assert_ptr_null(seen.name);
        ck_assert_int_ne(flying.settled, 1);
        ck_assert_uint_eq(made.counters.page->files, 0);
}

START_TEST(test_failures) {
        _cleanup_free_ char *path = NULL;

        open_flight();
        await_mark();
        flying.mark_error = -EIO;
        ck_assert_int_eq(flight_mark(seen.flight), -EIO);
        ck_assert_int_eq(flight_dump(seen.flight, &order, on_done, &seen), -EBUSY);
        flying.mark_error = 0;
        flying.take_error = -EIO;
        assert_fails(-EIO, "Input/output");
        flying.take_error = 0;
        ck_assert_int_eq(rmdir(made.dir), 0);
        ck_assert_int_eq(symlink("/", made.dir), 0); /* it can't be made again */
        assert_fails(-ENOENT, "directory of the dumps is gone");
        ck_assert_int_eq(unlink(made.dir), 0);
        dump(&order);
        ck_assert_int_eq(seen.error, 0);
        path = path_join(made.dir, seen.name);
        ck_assert_int_eq(access(path, F_OK), 0);
        close_flight();
}
END_TEST

START_TEST(test_finish) {
        OutputFinished end = {};

        open_flight();
        made_flight_sample(7, 20);
        await_mark();
        ck_assert_int_eq(flight_dump(seen.flight, &order, on_done, &seen), 0); /* waits for the mark */
        ck_assert_int_eq(flight_finish(seen.flight, NULL, false, &end), 0);
        ck_assert_uint_eq(seen.n_done, 1);
        ck_assert_str_eq(end.name, "perf.data");
        ck_assert_uint_eq(end.samples, 1);
        ck_assert_uint_gt(end.size, 100);
        ck_assert_uint_eq(made_count(made.path, PERF_RECORD_SAMPLE), 1);
        free(end.name);
        close_flight();
}
END_TEST

/* While a sweep reads samples, the side band stays in its rings; then it is read. No dump is marked in the meantime,
 * and no sweep begins between the mark and the dump. */
START_TEST(test_sweep) {
        open_flight();
        ck_assert_int_eq(flight_wait(seen.flight), 0);
        made_flight_sample(105, 20);
        for (uint32_t pid = 100; made.pages[1].data_tail == made.pages[1].data_head; pid++) {
                ck_assert_uint_lt(pid, 20000);
                ck_assert_int_eq(flight_drain(seen.flight), 0); /* which begins a sweep, and the next one does nothing */
                made_sideband_comm(pid, "short", pid * 10);
                made_sideband_exit(pid, pid * 10 + 5);
                ck_assert_int_eq(flight_drain(seen.flight), 0);
        }
        ck_assert_int_eq(flight_mark(seen.flight), 0);
        ck_assert_int_eq(flight_wait(seen.flight), 0);
        ck_assert(flying.n_takes == 1 && flying.wish.content == DUMP_CONTENT_ALL);
        ck_assert_uint_eq(made.pages[1].data_tail, made.pages[1].data_head);
        ck_assert_int_eq(flight_mark(seen.flight), 1);
        for (uint32_t pid = 20000; pid < 40000; pid++) {
                made_sideband_comm(pid, "short", pid * 10);
                made_sideband_exit(pid, pid * 10 + 5);
                ck_assert_int_eq(flight_drain(seen.flight), 0);
        }
        ck_assert_uint_eq(flying.n_takes, 1);
        ck_assert_int_eq(flight_dump(seen.flight, &order, on_done, &seen), 0);
        ck_assert_int_eq(flight_wait(seen.flight), 0);
        ck_assert_int_eq(seen.error, 0);
        ck_assert_uint_ge(flying.n_takes, 3); /* the dump, and a sweep behind it */
        close_flight();
}
END_TEST

static struct {
        unsigned n;
        int error, fd;
        uint64_t until;
} window = { .fd = -EBADF };

static void on_window(void *userdata, const FlightWindowResult *result) {
        window.n++;
        window.error = result->error;
        window.until = result->until;
        safe_close(window.fd);
        window.fd = result->error < 0 ? -EBADF : dup(result->fd);
        loop_stop(seen.loop);
}

static unsigned window_count(uint32_t type) {
        char path[64];

        (void) snprintf(path, sizeof(path), "/proc/self/fd/%d", window.fd);
        return made_count(path, type);
}

static uint64_t samples_now(void) {
        int64_t offset;

        ck_assert_int_eq(flight_clock_offset(seen.flight, &offset), 0);
        return now_nsec(CLOCK_REALTIME) - (uint64_t) offset;
}

/* A window has what a dump would have, and leaves nothing behind. */
START_TEST(test_window) {
        size_t n_files;
        uint64_t now;

        open_flight();
        ck_assert_int_eq(flight_window(seen.flight, &(FlightWindowOrder) {}, on_window, NULL), -EBUSY); /* it begins its work */
        ck_assert_int_eq(flight_wait(seen.flight), 0);
        n_files = made_count_files();
        now = samples_now();
        made_flight_sample(7, now - NSEC_PER_SEC);
        made_sideband_comm(7, "seven", now - 2 * NSEC_PER_SEC);
        ck_assert_int_eq(flight_window(seen.flight, &(FlightWindowOrder) { .whole = true }, on_window, NULL), 0);
        ck_assert_int_eq(flight_mark(seen.flight), 0);
        ck_assert_int_eq(loop_run(seen.loop), 0);
        ck_assert_int_eq(window.error, 0);
        ck_assert_int_eq(fcntl(window.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
        ck_assert(window_count(PERF_RECORD_SAMPLE) == 1 && window_count(PERF_RECORD_COMM) == 1);
        ck_assert_uint_eq(window_count(PERF_RECORD_HEADER_ATTR), MADE_MEMBERS);
        ck_assert_uint_le(window.until, samples_now());
        ck_assert_uint_ge(window.until, now - NSEC_PER_SEC / 2);
        ck_assert(flying.wish.from == 0 && flying.wish.until == window.until && flying.settled == 0);
        ck_assert_str_eq(flying.announced, "");
        ck_assert_uint_eq(made_count_files(), n_files);
        ck_assert_uint_eq(made.counters.page->files, 0);

        made_sideband_comm(8, "eight", window.until + 1);
        (void) usleep(50000);
        ck_assert_int_eq(flight_window(seen.flight, &(FlightWindowOrder) { .since = window.until }, on_window, NULL), 0);
        now = window.until;
        ck_assert_int_eq(loop_run(seen.loop), 0);
        ck_assert_uint_eq(flying.wish.from, now + 1);
        ck_assert_uint_gt(window.until, now);
        ck_assert(window_count(PERF_RECORD_COMM) == 1 && window_count(PERF_RECORD_ID_INDEX) == 0);
        dump(&order);
        ck_assert_int_eq(seen.error, 0);
        close_flight();
}
END_TEST

START_TEST(test_window_fails) {
        open_flight();
        ck_assert_int_eq(flight_wait(seen.flight), 0);
        flying.take_error = -EIO;
        ck_assert_int_eq(flight_window(seen.flight, &(FlightWindowOrder) {}, on_window, NULL), 0);
        ck_assert_int_eq(flight_wait(seen.flight), 0);
        ck_assert_int_eq(window.error, -EIO);
        flying.take_error = 0;
        flying.mark_error = -ENXIO;
        ck_assert_int_eq(flight_window(seen.flight, &(FlightWindowOrder) {}, on_window, NULL), 0);
        ck_assert_int_eq(window.error, -ENXIO);
        flying.mark_error = 0;
        ck_assert_int_eq(flight_window(seen.flight, &(FlightWindowOrder) {}, on_window, NULL), 0);
        ck_assert_int_eq(flight_wait(seen.flight), 0);
        ck_assert_int_eq(window.error, 0);
        ck_assert_uint_eq(window.n, 3);
        close_flight();
}
END_TEST

CHECK_MAIN_WITH("flight", made_flight_setup, made_teardown, test_dump, test_wishes, test_no_sample,
           test_nothing_of_what_was_asked_for, test_failures, test_finish, test_sweep, test_window, test_window_fails);
