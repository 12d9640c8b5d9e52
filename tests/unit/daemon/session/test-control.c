/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sys/stat.h>

#include "base-directory.h"
#include "check-main.h"
#include "control.h"
#include "scratch.h"

static char *dir;
static int dir_fd;
static SessionFifos recorder_fifos;
static sd_event *event;
static ControlAcks *acks;
static unsigned n_changes;
static Control *control;

typedef struct Seen {
        unsigned n;
        int error;
        usec_t round_trip;
        ControlWaiter *waiter;
} Seen;

static void on_changed(void *userdata) {
        n_changes++;
}

static int open_control(unsigned unawaited) {
        SessionFifos fifos;
        int r = session_directory_open_fifos(dir_fd, false, &fifos);

        return r < 0 ? r : control_new(acks, &fifos, unawaited, on_changed, NULL, &control);
}

static void open_pair(unsigned unawaited) {
        ck_assert_int_eq(open_control(unawaited), 0);
}

static void setup(void) {
        dir = scratch_new();
        dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert_int_eq(session_directory_open_fifos(dir_fd, true, &recorder_fifos), 0);
        ck_assert_int_ge(sd_event_new(&event), 0);
        ck_assert_int_eq(control_acks_new(event, &acks), 0);
        n_changes = 0;
}

static void teardown(void) {
        control = control_free(control);
        acks = control_acks_free(acks);
        sd_event_unref(event);
        session_fifos_close(&recorder_fifos);
        safe_close(dir_fd);
        scratch_done(&dir);
}

static void on_ack(int error, usec_t round_trip, void *userdata) {
        Seen *seen = userdata;

        seen->n++;
        seen->error = error;
        seen->round_trip = round_trip;
        seen->waiter = NULL;
}

static void ask(const char *word, Seen *seen) {
        ck_assert_int_eq(control_send(control, word, on_ack, seen, &seen->waiter), 0);
}

static void expect_words(const char *expected) {
        char text[256] = "";

        ck_assert_int_eq(read(recorder_fifos.control_fd, text, sizeof(text) - 1), (ssize_t) strlen(expected));
        ck_assert_str_eq(text, expected);
}

static void answer(const char *data, size_t size) {
        ck_assert_int_eq(write(recorder_fifos.ack_fd, data, size), (ssize_t) size);
        while (sd_event_run(event, 0) > 0)
                ;
}

START_TEST(test_one_word) {
        Seen seen = {};

        open_pair(0);
        ask("ping", &seen);
        expect_words("ping\n");
        answer("ack\n", 4);
        ck_assert_uint_eq(seen.n, 1);
        ck_assert_int_eq(seen.error, 0);
        ck_assert_uint_lt(seen.round_trip, 10 * USEC_PER_SEC);
        ck_assert_uint_eq(control_unawaited(control), 0);
        ck_assert_uint_eq(n_changes, 0);
}
END_TEST

START_TEST(test_what_is_given_up_is_counted) {
        Seen seen = {};

        open_pair(0);
        ask("ping", &seen);
        seen.waiter = control_waiter_free(seen.waiter);
        ck_assert_uint_eq(control_unawaited(control), 1);
        ck_assert_uint_eq(n_changes, 1);
        ask("ping", &seen); /* waits for the same ack */
        expect_words("ping\n");
        ck_assert_uint_eq(control_unawaited(control), 0);
        ck_assert_uint_eq(n_changes, 2);
        seen.waiter = control_waiter_free(seen.waiter);
        answer("ack\n", 4);
        ck_assert_uint_eq(control_unawaited(control), 0);
        ck_assert_uint_eq(n_changes, 4);
        ck_assert_uint_eq(seen.n, 0);
}
END_TEST

START_TEST(test_perf_ends_its_ack_by_nul) {
        Seen first = {}, second = {};

        open_pair(0);
        ask("ping", &first);
        ask("enable", &second);
        answer("ack\n\0ack\n", 9);
        ck_assert_uint_eq(first.n, 1);
        ck_assert_uint_eq(second.n, 1);
}
END_TEST

START_TEST(test_ack_in_pieces) {
        Seen seen = {};

        open_pair(0);
        ask("ping", &seen);
        answer("a", 1);
        answer("ck", 2);
        ck_assert_uint_eq(seen.n, 0);
        answer("\n", 1);
        ck_assert_uint_eq(seen.n, 1);
}
END_TEST

START_TEST(test_other_lines_are_no_acks) {
        Seen seen = {};

        open_pair(0);
        ask("ping", &seen);
        answer("acknowledged\nnack\n\nac\nacka\n", 27);
        ck_assert_uint_eq(seen.n, 0);
        answer("ack\n", 4);
        ck_assert_uint_eq(seen.n, 1);
}
END_TEST

START_TEST(test_equal_words_share_an_ack) {
        Seen seen[3] = {};

        open_pair(0);
        for (unsigned i = 0; i < 3; i++)
                ask("ping", &seen[i]);
        expect_words("ping\n");
        answer("ack\n", 4);
        for (unsigned i = 0; i < 3; i++)
                ck_assert_uint_eq(seen[i].n, 1);
}
END_TEST

START_TEST(test_late_ack_is_not_taken_for_another) {
        Seen given_up = {}, enable = {};

        open_pair(0);
        ask("ping", &given_up);
        given_up.waiter = control_waiter_free(given_up.waiter);
        ask("enable", &enable);
        expect_words("ping\nenable\n");
        answer("ack\n", 4);
        ck_assert_uint_eq(given_up.n, 0);
        ck_assert_uint_eq(enable.n, 0);
        answer("ack\n", 4);
        ck_assert_uint_eq(enable.n, 1);
}
END_TEST

START_TEST(test_words_of_a_previous_daemon) {
        Seen seen = {};

        open_pair(2);
        ask("ping", &seen);
        ck_assert_uint_eq(control_unawaited(control), 2);
        answer("ack\nack\n", 8);
        ck_assert_uint_eq(seen.n, 0);
        answer("ack\n", 4);
        ck_assert_uint_eq(seen.n, 1);
}
END_TEST

START_TEST(test_ack_that_nobody_awaits) {
        Seen seen = {};

        open_pair(0);
        answer("ack\nack\n", 8);
        ck_assert_uint_eq(control_unawaited(control), 0);
        ask("ping", &seen);
        ck_assert_uint_eq(seen.n, 0);
        answer("ack\n", 4);
        ck_assert_uint_eq(seen.n, 1);
}
END_TEST

START_TEST(test_a_hung_recorder_is_busy_in_the_end) {
        ControlWaiter *waiter;
        Seen seen = {};
        int r = 0;

        open_pair(0);
        for (unsigned i = 0; i < 2000 && r == 0; i++)
                r = control_send(control, i % 2 ? "enable" : "disable", on_ack, &seen, &waiter);
        ck_assert_int_eq(r, -EBUSY);
        control = control_free(control);
        ck_assert_uint_eq(seen.n, 1024);
        ck_assert_int_eq(seen.error, -ESRCH);
}
END_TEST

START_TEST(test_a_full_fifo_is_busy) {
        Seen seen = {};

        open_pair(0);
        for (char page[4096] = ""; write(recorder_fifos.control_fd, page, sizeof(page)) > 0;)
                ;
        for (char byte = 0; write(recorder_fifos.control_fd, &byte, 1) > 0;)
                ;
        ck_assert_int_eq(control_send(control, "ping", on_ack, &seen, &seen.waiter), -EBUSY);
        ck_assert_uint_eq(control_unawaited(control), 0);
}
END_TEST

START_TEST(test_a_word_that_is_too_long) {
        char word[8192];
        Seen seen = {};

        open_pair(0);
        memset(word, 'x', sizeof(word));
        word[sizeof(word) - 1] = '\0';
        ck_assert_int_eq(control_send(control, word, on_ack, &seen, &seen.waiter), -EINVAL);
}
END_TEST

static Seen other;

static void drop_other(int error, usec_t round_trip, void *userdata) {
        other.waiter = control_waiter_free(other.waiter);
        on_ack(error, round_trip, userdata);
}

START_TEST(test_a_waiter_drops_the_next_one) {
        Seen seen = {};

        open_pair(0);
        other = (Seen) {};
        ask("ping", &other);
        ck_assert_int_eq(control_send(control, "ping", drop_other, &seen, &seen.waiter), 0); /* notified first */
        answer("ack\n", 4);
        ck_assert_uint_eq(seen.n, 1);
        ck_assert_uint_eq(other.n, 0);
}
END_TEST

#define N_MANY 100 /* more than a batch */

static Control *many[N_MANY];
static int many_acks[N_MANY]; /* the recorders' ends */
static unsigned n_acked;

/* userdata: frees that one, which may be in the same batch. */
static void on_one_of_many(int error, usec_t round_trip, void *userdata) {
        Control **neighbour = userdata;

        n_acked += error == 0;
        if (error == 0 && neighbour)
                *neighbour = control_free(*neighbour);
}

static void ask_many(unsigned n, bool free_neighbour) {
        for (unsigned i = 0; i < n; i++) {
                SessionFifos fifos = { open("/dev/null", O_WRONLY | O_CLOEXEC), -EBADF };
                ControlWaiter *waiter;
                int ends[2];

                ck_assert_int_eq(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
                fifos.ack_fd = ends[0];
                many_acks[i] = ends[1];
                ck_assert_int_eq(control_new(acks, &fifos, 0, NULL, NULL, &many[i]), 0);
                ck_assert_int_eq(control_send(many[i], "ping", on_one_of_many, free_neighbour ? &many[i ^ 1] : NULL, &waiter), 0);
                ck_assert_int_eq(write(many_acks[i], "ack\n", 4), 4);
        }
        n_acked = 0;
}

static void free_many(unsigned n) {
        for (unsigned i = 0; i < n; i++) {
                many[i] = control_free(many[i]);
                close(many_acks[i]);
        }
}

START_TEST(test_all_acks_in_a_few_turns) {
        unsigned turns = 0;

        ask_many(N_MANY, false);
        while (sd_event_run(event, 0) > 0)
                turns++;
        ck_assert_uint_le(turns, 4);
        ck_assert_uint_eq(n_acked, N_MANY);
        free_many(N_MANY);
}
END_TEST

START_TEST(test_one_that_is_freed_in_the_batch_is_not_read) {
        ask_many(2, true);
        while (sd_event_run(event, 0) > 0)
                ;
        ck_assert_uint_eq(n_acked, 1);
        ck_assert(!many[0] != !many[1]);
        free_many(2);
}
END_TEST

START_TEST(test_a_closed_descriptor_is_refused) {
        SessionFifos fifos = SESSION_FIFOS_EMPTY;

        ck_assert_int_eq(control_new(acks, &fifos, 0, on_changed, NULL, &control), -EBADF);
        ck_assert_ptr_null(control);
}
END_TEST

START_TEST(test_needs_fifos) {
        ck_assert_int_eq(unlinkat(dir_fd, "ack", 0), 0);
        scratch_write_text(dir, "ack", "");
        ck_assert_int_eq(open_control(0), -EBADFD);
        ck_assert_ptr_null(control);
}
END_TEST

CHECK_MAIN_WITH("control", setup, teardown, test_one_word, test_what_is_given_up_is_counted, test_perf_ends_its_ack_by_nul, test_ack_in_pieces,
                test_other_lines_are_no_acks, test_equal_words_share_an_ack, test_late_ack_is_not_taken_for_another,
                test_words_of_a_previous_daemon, test_ack_that_nobody_awaits, test_a_hung_recorder_is_busy_in_the_end,
                test_a_full_fifo_is_busy, test_a_word_that_is_too_long, test_a_waiter_drops_the_next_one, test_all_acks_in_a_few_turns,
                test_one_that_is_freed_in_the_batch_is_not_read, test_a_closed_descriptor_is_refused, test_needs_fifos);
