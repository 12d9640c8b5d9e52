/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sessions lend their counters. The kernel's counters are made up: each event is an empty file, which reads as one that counts, or
 * as one whose group has no counters. */

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "daemon-fixture.h"
#include "fd-file.h"
#include "reservation.h"
#include "scratch.h"

#define HARDWARE (1u << COUNTER_HARDWARE)

typedef struct Reserved {
        bool there;
        Failure failure;
        char *sentence;
        int fd;
} Reserved;

static Reserved first, second;
static struct {
        int refusal;     /* the error of every event; 0: none */
        unsigned n_busy; /* reads without a counter to come */
        unsigned n_reads;
} kernel;
static char changes[256]; /* that were reported */

static int fake_open(void *userdata, struct perf_event_attr *attr, int cpu, int group_fd) {
        return kernel.refusal ? -kernel.refusal : open_memfd("event", 0);
}

static ssize_t fake_read(void *userdata, int fd, void *buf, size_t size) {
        const uint64_t counts[] = { 1, 1000, 1000 };

        kernel.n_reads++;
        if (kernel.n_busy > 0) {
                kernel.n_busy--;
                return 0;
        }
        ck_assert_uint_eq(size, sizeof(counts));
        memcpy(buf, counts, sizeof(counts));
        return sizeof(counts);
}

static void setup(void) {
        static const CounterProofOps ops = { .open = fake_open, .read = fake_read };

        daemon_fixture_setup();
        fixture.proof = &ops;
        first = second = (Reserved) { .fd = -EBADF };
}

static void teardown(void) {
        daemon_fixture_teardown();
        for (Reserved *r = &first;; r = &second) {
                free(r->sentence);
                safe_close(r->fd);
                if (r == &second)
                        break;
        }
}

static void on_reserved(Failure failure, const char *sentence, int fd, void *userdata) {
        Reserved *r = userdata;

        ck_assert(!r->there);
        *r = (Reserved) { .there = true, .failure = failure, .fd = -EBADF };
        ck_assert_int_eq(free_and_strdup(&r->sentence, sentence), 0);
        if (fd >= 0)
                r->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static void on_change(const char *what, bool is_reserved, void *userdata) {
        snprintf(changes + strlen(changes), sizeof(changes) - strlen(changes), "%c%s ", is_reserved ? '+' : '-', what);
}

static void begin_reserve(Reserved *r, CounterKind kind) {
        const Caller caller = { .uid = 7, .pid = 77, .login_uid = UID_INVALID, .text = "uid 7 (x[77])" };
        const ReserveRequest request = { .kind = kind, .n = 2, .who = "job 12", .why = "its run" };

        ck_assert_int_eq(free_and_strdup(&r->sentence, NULL), 0);
        r->there = false;
        manager_set_observer(fixture.manager, &(ManagerObserver) { .reserved = on_change });
        manager_set_caller(fixture.manager, &caller);
        manager_reserve(fixture.manager, &request, on_reserved, r);
        manager_set_caller(fixture.manager, NULL);
}

static Failure finish_reserve(Reserved *r) {
        ck_assert(private_bus_wait(&fixture.bus, &r->there));
        ck_assert_msg((r->fd >= 0) == (r->failure == FAILURE_NONE), "%s", r->sentence);
        return r->failure;
}

static Failure reserve(CounterKind kind) {
        begin_reserve(&first, kind);
        return finish_reserve(&first);
}

static size_t n_reserved(void) {
        ReservationRow rows[_COUNTER_KIND_MAX];

        return manager_list_reservations(fixture.manager, rows);
}

static bool none_is_reserved(const Session *s) {
        return n_reserved() == 0;
}

static bool has_nothing_lent(const Session *s) {
        return session_view(s).state == SESSION_RECORDING && session_lent(s) == 0;
}

static bool has_acked_all(const Session *s) {
        return control_unawaited(s->recorder.control) == 0;
}

static void give_back(Reserved *r) {
        r->fd = safe_close(r->fd);
}

/* The last word that its recorder got, or line of its environment. */
static void check_word(const char *name, const char *expected) {
        _cleanup_free_ char *path = NULL, *text = NULL;

        ck_assert_int_gt(asprintf(&path, "%s/base/session-%s/lending", fixture.dir, name), 0);
        ck_assert_int_eq(read_file(path, 4096, &text, NULL), 0);
        ck_assert_str_eq(text, expected);
}

START_TEST(test_granted_and_given_back) {
        ReservationRow rows[_COUNTER_KIND_MAX];

        start_a_and_b("--fake-holds=hardware --fake-keep=3", "");
        if (geteuid() == 0)
                ck_assert_uint_eq(kept_rings_n_descriptors(session("a")->rings.kept), 3);
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        ck_assert_uint_gt(kernel.n_reads, 0);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RESERVED);
        ck_assert_uint_eq(session_lent(session("a")), HARDWARE);
        ck_assert_int_eq(session_view(session("b")).state, SESSION_RECORDING);
        ck_assert_uint_eq(session_lent(session("b")), 0);
        ck_assert(session_is_recording(session("a")));
        if (geteuid() == 0)
                ck_assert_uint_eq(kept_rings_n_descriptors(session("a")->rings.kept), 2);
        check_word("a", "lend hardware job 12");
        check_word("b", "lend hardware job 12");
        ck_assert_uint_eq(manager_list_reservations(fixture.manager, rows), 1);
        ck_assert_int_eq(rows[0].kind, COUNTER_HARDWARE);
        ck_assert_uint_eq(rows[0].n, 2);
        ck_assert_str_eq(rows[0].who, "job 12");
        ck_assert_str_eq(rows[0].why, "its run");
        ck_assert_uint_eq(rows[0].uid, 7);
        ck_assert_int_eq(rows[0].pid, 77);

        give_back(&first);
        await(none_is_reserved, "a");
        await(has_nothing_lent, "a");
        check_word("a", "return hardware");
        ck_assert_str_eq(changes, "+hardware:2 -hardware:2 ");
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE); /* again */
}
END_TEST

START_TEST(test_two_claims) {
        start_session("a", "--fake-holds=breakpoint", "");
        begin_reserve(&first, COUNTER_HARDWARE);
        begin_reserve(&second, COUNTER_HARDWARE);
        ck_assert_int_eq(finish_reserve(&second), FAILURE_BUSY);
        ck_assert_ptr_nonnull(strstr(second.sentence, "reserved already, for job 12 (uid 7 (x[77])): its run"));
        ck_assert_int_eq(finish_reserve(&first), FAILURE_NONE);
        begin_reserve(&second, COUNTER_HARDWARE);
        ck_assert_int_eq(finish_reserve(&second), FAILURE_BUSY);
        begin_reserve(&second, COUNTER_BREAKPOINT);
        ck_assert_int_eq(finish_reserve(&second), FAILURE_NONE);
        ck_assert_uint_eq(n_reserved(), 2);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RESERVED);
        give_back(&first);
        while (n_reserved() == 2)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC), 0);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RESERVED);
}
END_TEST

START_TEST(test_a_silent_session) {
        start_a_and_b("--fake-holds=hardware", "--fake-holds=hardware");
        ck_assert_int_eq(session_kill(session("a"), SIGSTOP), 0);
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_BUSY);
        ck_assert_str_eq(first.sentence, "session a did not answer within 2 s");
        ck_assert_uint_eq(kernel.n_reads, 0);
        await(has_nothing_lent, "b");
        ck_assert_int_eq(session_kill(session("a"), SIGCONT), 0);
        await(has_acked_all, "a");
        check_word("a", "return hardware");
        await(has_nothing_lent, "a");
        ck_assert_str_eq(changes, "");
}
END_TEST

/* A session that has no such events is not asked. */
START_TEST(test_a_session_without_them) {
        start_a_and_b("--fake-holds=hardware --fake-tells-counters", "--fake-holds=breakpoint --fake-tells-counters");
        ck_assert_int_eq(session_kill(session("b"), SIGSTOP), 0);
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RESERVED);
        ck_assert_uint_eq(session_lent(session("b")), 0);
        ck_assert_int_eq(session_kill(session("b"), SIGCONT), 0);
        give_back(&first);
        await(has_nothing_lent, "a");
        ck_assert_int_eq(reserve(COUNTER_BREAKPOINT), FAILURE_NONE);
        ck_assert_int_eq(session_view(session("b")).state, SESSION_RESERVED);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
}
END_TEST

START_TEST(test_an_older_recorder) {
        start_session("a", "--fake-lendless", "");
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_BUSY);
        ck_assert_str_eq(first.sentence, "session a did not answer within 2 s");

        session("a")->recorder.lent.is_able = false; /* as if an earlier daemon had started it */
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_BUSY);
        ck_assert_str_eq(first.sentence, "session a with a recorder of an earlier version: restart it");
}
END_TEST

START_TEST(test_one_that_exits_meanwhile) {
        start_a_and_b("", "");
        ck_assert_int_eq(session_kill(session("a"), SIGSTOP), 0);
        begin_reserve(&first, COUNTER_HARDWARE);
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        ck_assert_int_eq(finish_reserve(&first), FAILURE_NONE);
}
END_TEST

/* The events that a recorder left for its successor may hold counters. */
START_TEST(test_a_successor_to_come) {
        start_session("a", "--fake-holds=hardware --fake-keep=3", "RestartSec=200ms");
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await_state("a", SESSION_WAITING);
        ck_assert_uint_eq(kept_rings_n_descriptors(session("a")->rings.kept), 3);
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RESERVED);
        ck_assert_uint_eq(kept_rings_n_descriptors(session("a")->rings.kept), 2);
}
END_TEST

START_TEST(test_a_successor_that_does_not_come) {
        start_session("a", "--fake-holds=hardware --fake-keep=3", "RestartSec=1h");
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await_state("a", SESSION_WAITING);
        kernel.n_busy = UINT32_MAX;
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_BUSY);
        ck_assert_msg(strstr(first.sentence, "session a, whose memory is kept for its next recorder, ") != NULL, "%s", first.sentence);
        kernel.n_busy = 0;
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE); /* it had no such events, the proof says */
}
END_TEST

START_TEST(test_counters_that_others_hold) {
        _cleanup_free_ char *foreign = NULL;

        write_session("foreign", "--fake-quiet", "Recorder=" PR_FAKE_RECORDER);
        start_session("a", "--fake-holds=hardware", "");
        await_state("foreign", SESSION_RECORDING);
        kernel.n_busy = UINT32_MAX;
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_BUSY);
        ck_assert_msg(startswith(first.sentence, "CPU "), "%s", first.sentence);
        ck_assert_int_gt(asprintf(&foreign, " has 0 of 2 hardware counters free: they may be held by session foreign with a recorder of "
                                  "its own (PID %d), ", (int) session_view(session("foreign")).main_pid), 0);
        ck_assert_msg(strstr(first.sentence, foreign) != NULL, "%s", first.sentence);
        await(has_nothing_lent, "a");

        kernel.n_busy = 2; /* the second proof finds them free */
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
}
END_TEST

START_TEST(test_no_such_counters) {
        start_session("a", "--fake-holds=breakpoint", "");
        kernel.refusal = ENOENT;
        ck_assert_int_eq(reserve(COUNTER_BREAKPOINT), FAILURE_NOT_SUPPORTED);
        ck_assert_str_eq(first.sentence, "This machine has no breakpoint registers: No such device");
        await(has_nothing_lent, "a");
        kernel.refusal = EACCES;
        ck_assert_int_eq(reserve(COUNTER_BREAKPOINT), FAILURE_OTHER);
        ck_assert_str_eq(first.sentence, "The service cannot find out if breakpoint registers are free: Permission denied");
}
END_TEST

START_TEST(test_a_start_while_lent) {
        write_session("later", "--fake-holds=hardware", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        ck_assert_int_eq(run_verb(manager_start, "later"), 0);
        ck_assert_int_eq(session_view(session("later")).state, SESSION_RESERVED);
        check_word("later", "lend hardware job 12");
        ck_assert_int_eq(session_kill(session("later"), SIGKILL), 0);
        await_state("later", SESSION_WAITING);
        ck_assert_uint_eq(session_lent(session("later")), 0);
        session_retry(session("later"));
        await_state("later", SESSION_RESERVED); /* started again by its policy */
        give_back(&first);
        await(has_nothing_lent, "later");
}
END_TEST

START_TEST(test_a_start_meanwhile) {
        write_session("late", "--fake-holds=hardware --fake-late=300", "Enabled=no");
        daemon_start();
        begin_verb(manager_start, "late");
        await_state("late", SESSION_STARTING);
        while (session("late")->recorder.process.pid == 0)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC), 0);
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE); /* its environment does not have it */
        ck_assert_int_eq(session_view(session("late")).state, SESSION_RESERVED);
        ck_assert_int_eq(finish_verb(), FAILURE_NONE);
        ck_assert_int_eq(run_verb(manager_stop, "late"), 0);

        begin_verb(manager_start, "late");
        while (session("late")->recorder.process.pid == 0)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC), 0);
        give_back(&first); /* its environment has it */
        await(none_is_reserved, "late");
        ck_assert_int_eq(session_view(session("late")).state, SESSION_STARTING);
        await(has_nothing_lent, "late");
        check_word("late", "return hardware");
}
END_TEST

START_TEST(test_a_holder_that_forks) {
        int to_child[2];
        pid_t child;

        start_session("a", "--fake-holds=hardware", "");
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        ck_assert_int_eq(pipe2(to_child, O_CLOEXEC), 0);
        child = fork();
        if (child == 0) {
                char c;

                (void) close(to_child[1]);
                (void) !read(to_child[0], &c, 1);
                _exit(0);
        }
        ck_assert_int_gt(child, 0);
        give_back(&first);
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_uint_eq(n_reserved(), 1);
        (void) close(to_child[1]);
        await(none_is_reserved, "a");
        (void) close(to_child[0]);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
}
END_TEST

START_TEST(test_withdrawn) {
        start_session("a", "--fake-holds=hardware", "");
        begin_reserve(&first, COUNTER_HARDWARE);
        manager_withdraw_reservation(fixture.manager, &second); /* another's */
        manager_withdraw_reservation(fixture.manager, &first);
        await(has_nothing_lent, "a");
        ck_assert(!first.there);
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        manager_withdraw_reservation(fixture.manager, &first); /* too late */
        ck_assert_uint_eq(n_reserved(), 1);
}
END_TEST

START_TEST(test_daemon_ends_meanwhile) {
        start_session("a", "", "");
        begin_reserve(&first, COUNTER_HARDWARE);
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        daemon_leave();
        ck_assert(first.there);
        ck_assert_int_eq(first.failure, FAILURE_OTHER);
}
END_TEST

/* Copies of what the descriptor store has of a reservation. */
typedef struct Stored {
        int fd, state;
} Stored;

static Stored store(void) {
        const Reservation *r = fixture.manager->reservations->all[COUNTER_HARDWARE];

        return (Stored) { fcntl(r->fd, F_DUPFD_CLOEXEC, 3), fcntl(r->state_fd, F_DUPFD_CLOEXEC, 3) };
}

static void on_adopted(int error, void *userdata) {
        ck_assert_int_eq(error, 0);
        *(bool *) userdata = true;
}

/* Starts the next daemon, which finds the recorders by their scopes. */
static void start_again_with(Stored s) {
        _cleanup_free_ char *base = path_join(fixture.dir, "base");
        const ManagerOptions options = { .base_directory = base, .proof = fixture.proof };
        bool adopted = false;

        ck_assert_int_eq(manager_new(fixture.bus.event, &options, &fixture.manager), 0);
        ck_assert_int_eq(manager_restore_reservation(fixture.manager, COUNTER_HARDWARE, s.fd, s.state), 0);
        ck_assert_int_eq(manager_adopt_from_scopes(fixture.manager, on_adopted, &adopted), 0);
        ck_assert(private_bus_wait(&fixture.bus, &adopted));
        ck_assert_int_eq(manager_begin(fixture.manager), 0);
}

START_TEST(test_next_daemon) {
        ReservationRow rows[_COUNTER_KIND_MAX];
        Stored s;

        start_session("a", "--fake-holds=hardware", "");
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        s = store();
        await(has_acked_all, "a");
        daemon_leave();
        start_again_with(s);
        ck_assert_uint_eq(manager_list_reservations(fixture.manager, rows), 1);
        ck_assert_str_eq(rows[0].who, "job 12");
        ck_assert_str_eq(rows[0].why, "its run");
        ck_assert_uint_eq(rows[0].n, 2);
        ck_assert_uint_eq(rows[0].uid, 7);
        ck_assert_int_eq(rows[0].pid, 77);
        await_state("a", SESSION_RESERVED); /* it is asked again, since nothing is known of it */
        give_back(&first);
        await(none_is_reserved, "a");
        await(has_nothing_lent, "a");
}
END_TEST

START_TEST(test_given_back_without_a_daemon) {
        Stored s;

        start_session("a", "--fake-holds=hardware", "");
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        s = store();
        await(has_acked_all, "a");
        daemon_leave();
        give_back(&first);
        start_again_with(s);
        ck_assert_uint_eq(n_reserved(), 0);
        await(has_acked_all, "a");
        check_word("a", "return breakpoint"); /* after "return hardware": nothing is known of it */
}
END_TEST

/* The store was lost, and with it the reservation. */
START_TEST(test_next_daemon_knows_nothing) {
        start_session("a", "--fake-holds=hardware", "");
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        await(has_acked_all, "a");
        daemon_leave();
        daemon_start();
        await(has_acked_all, "a");
        check_word("a", "return breakpoint"); /* after "return hardware" */
}
END_TEST

START_TEST(test_wrong_entries) {
        Stored s;
        int fds[2];

        start_session("a", "", "");
        ck_assert_int_eq(reserve(COUNTER_HARDWARE), FAILURE_NONE);
        s = store();
        ck_assert_int_eq(manager_restore_reservation(fixture.manager, COUNTER_HARDWARE, s.fd, s.state), -EEXIST);
        ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
        ck_assert_int_eq(manager_restore_reservation(fixture.manager, COUNTER_BREAKPOINT, fds[0], open_memfd("x", 0)), -EBADMSG);
        ck_assert_int_eq(manager_restore_reservation(fixture.manager, COUNTER_BREAKPOINT, open_memfd("x", 0), open_memfd("x", 0)),
                         -EBADFD);
        ck_assert_int_eq(manager_restore_reservation(fixture.manager, COUNTER_BREAKPOINT, fds[1], -EBADF), -EBADF);
        ck_assert_uint_eq(n_reserved(), 1);
}
END_TEST

CHECK_MAIN_WITH("manager-reservations", setup, teardown, test_granted_and_given_back, test_two_claims, test_a_silent_session,
                test_a_session_without_them, test_an_older_recorder, test_one_that_exits_meanwhile, test_a_successor_to_come, test_a_successor_that_does_not_come,
                test_counters_that_others_hold, test_no_such_counters,
                test_a_start_while_lent, test_a_start_meanwhile, test_a_holder_that_forks, test_withdrawn,
                test_daemon_ends_meanwhile, test_next_daemon, test_given_back_without_a_daemon, test_next_daemon_knows_nothing,
                test_wrong_entries);
