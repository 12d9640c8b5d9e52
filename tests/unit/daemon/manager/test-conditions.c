/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Events from outside of a session that cause a dump of its recorder: datagrams, units that fail, the calendar. */

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "daemon-fixture.h"
#include "directory-tree.h"
#include "fd-file.h"

static Conditions *conditions; /* the test's: the daemon's own got no socket */
static int client_fd = -EBADF;
static char *path;

static int make_socket(const char *name) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

        if (name)
                strcpy(address.sun_path, name);
        ck_assert_int_eq(bind(fd, (struct sockaddr *) &address, name ? sizeof(address) : sizeof(sa_family_t)), 0);
        return fd;
}

static void begin(const char *words, const char *more) {
        write_session("cpu", words, more);
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
        path = path_join(fixture.dir, "trigger");
        ck_assert_int_eq(conditions_new(fixture.manager, make_socket(path), &conditions), 0);
        client_fd = make_socket(NULL);
}

static void end(void) {
        conditions = conditions_free(conditions);
        client_fd = safe_close(client_fd);
        free(steal_ptr(path));
        daemon_fixture_teardown();
}

/* A socket queues few datagrams (net.unix.max_dgram_qlen): it is waited until the daemon has read some. */
static void send_text(const char *text) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        ssize_t n = -1;

        strcpy(address.sun_path, path);
        for (int i = 0; i < 3000 && n < 0; i++) {
                n = sendto(client_fd, text, strlen(text), 0, (struct sockaddr *) &address, sizeof(address));
                ck_assert(n >= 0 || errno == EAGAIN);
                if (n < 0)
                        run_loop(10 * USEC_PER_MSEC);
        }
        ck_assert_int_eq(n, strlen(text));
}

static void await_answer(const char *begin_of_it) {
        char text[1024] = "";

        for (int i = 0; i < 500 && recv(client_fd, text, sizeof(text) - 1, 0) < 0; i++)
                run_loop(20 * USEC_PER_MSEC);
        ck_assert_msg(strncmp(text, begin_of_it, strlen(begin_of_it)) == 0, "%s", text);
}

/* Waits for a dump; its file has the word that asked for it. */
static void await_dump(const char *words) {
        _cleanup_close_ int fd = -EBADF;
        char text[512] = "";
        const Dump *d = NULL;

        for (int i = 0; i < 500 && !(d = dump_store_find(manager_dumps(fixture.manager), "cpu-2001010100000001")); i++)
                run_loop(20 * USEC_PER_MSEC);
        ck_assert_ptr_nonnull(d);
        ck_assert_int_eq(dump_store_open(manager_dumps(fixture.manager), d, &fd), 0);
        ck_assert_int_gt(pread(fd, text, sizeof(text) - 1, 0), 0);
        ck_assert_msg(strstr(text, words), "%s", text);
}

START_TEST(test_datagram) {
        _cleanup_free_ char *words = NULL;

        begin("", "[Trigger]\nSocket=yes\n");
        send_text("cpu it is slow\n");
        await_answer("SESSION=cpu\nDUMP=cpu-2001010100000001\n");
        ck_assert_int_gt(asprintf(&words, " trigger=socket detail=uid %u, pid %d: it is slow", (unsigned) getuid(), (int) getpid()), 0);
        await_dump(words);
}
END_TEST

START_TEST(test_datagram_refused) {
        begin("", "[Trigger]\nSocket=no\n");
        send_text("cpu");
        await_answer("SESSION=cpu\nERROR=there is no session");
        send_text("nobody");
        await_answer("SESSION=nobody\nERROR=there is no session");
}
END_TEST

START_TEST(test_datagram_without_dump) {
        begin("'--fake-refuse=28 No space left on device'", "[Trigger]\nSocket=yes\n");
        send_text("cpu");
        await_answer("SESSION=cpu\nERROR=No space left on device");
}
END_TEST

START_TEST(test_datagram_without_the_base_directory) {
        _cleanup_free_ char *base = path_join(fixture.dir, "base"), *expected = NULL;

        begin("", "[Trigger]\nSocket=yes\n");
        ck_assert_int_gt(asprintf(&expected, "SESSION=cpu\nERROR=the base directory %s was removed or moved away: ", base), 0);
        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, base), 0);
        send_text("cpu");
        await_answer(expected);
}
END_TEST

static bool has_request(const Session *s) {
        return s->dumps.first;
}

/* Each datagram waits for its dump. */
START_TEST(test_number_of_datagrams) {
        begin("--fake-dumpless", "[Trigger]\nSocket=yes\n");
        for (unsigned i = 0; i < 1024 + 1; i++)
                send_text("cpu");
        await_answer("SESSION=cpu\nERROR=too many requests");
        ck_assert_int_eq(run_verb(manager_stop, "cpu"), 0);
        await_answer("SESSION=cpu\nERROR=its recorder ended"); /* as many answers as the socket takes */
        ck_assert_int_eq(run_verb(manager_start, "cpu"), 0);
        send_text("cpu");
        await(has_request, "cpu");
}
END_TEST

START_TEST(test_unit_failure) {
        begin("", "[Trigger]\nUnitFailure=web-*.service db.service\n");
        for (int i = 0; i < 500 && !dump_store_newest(manager_dumps(fixture.manager), "cpu"); i++) { /* until somebody listens */
                fake_systemd1_fail("mail.service");
                fake_systemd1_fail("web-1.service");
                run_loop(50 * USEC_PER_MSEC);
        }
        await_dump(" trigger=unit-failure unit=web-1.service detail=web-1.service");
}
END_TEST

START_TEST(test_failure_of_an_escaped_unit) {
        begin("", "[Trigger]\nUnitFailure=my\\x2dapp.service\n");
        for (int i = 0; i < 500 && !dump_store_newest(manager_dumps(fixture.manager), "cpu"); i++) {
                fake_systemd1_fail("my\\x2dapp.service");
                run_loop(50 * USEC_PER_MSEC);
        }
        await_dump(" trigger=unit-failure unit=my\\x2dapp.service");
}
END_TEST

START_TEST(test_calendar) {
        begin("", "[Trigger]\nOnCalendar=*:*:*\n");
        await_dump(" trigger=calendar detail=*:*:*");
        ck_assert_ptr_nonnull(session("cpu")->calendar);
        ck_assert_int_eq(run_verb(manager_stop, "cpu"), 0);
        run_loop(100 * USEC_PER_MSEC);
        ck_assert_ptr_null(session("cpu")->calendar);
}
END_TEST

static bool has_error(const Session *s) {
        return *session_view(s).error;
}

/* The error is known when systemd's program has answered: the session records nevertheless. */
START_TEST(test_wrong_calendar) {
        begin("", "[Trigger]\nOnCalendar=whenever\n");
        await(has_error, "cpu");
        ck_assert_int_eq(session_view(session("cpu")).state, SESSION_RECORDING);
        ck_assert_ptr_nonnull(strstr(session_view(session("cpu")).error, "/cpu.session:4: OnCalendar: Failed to parse"));
}
END_TEST

CHECK_MAIN_WITH("conditions", daemon_fixture_setup, end, test_datagram, test_datagram_refused, test_datagram_without_dump,
                test_datagram_without_the_base_directory, test_number_of_datagrams, test_unit_failure,
                test_failure_of_an_escaped_unit, test_calendar, test_wrong_calendar);
