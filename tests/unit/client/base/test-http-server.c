/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Peers connect, and send what they have to say, before the server runs: the kernel keeps it for them, and the server ends when
 * it has nothing left to do. */

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "check-main.h"
#include "fd-file.h"
#include "http-server.h"
#include "scratch.h"

#define REQUEST "GET /metrics HTTP/1.1\r\n\r\n"
#define LARGE (8u * 1024 * 1024) /* more than a socket takes */

static struct sockaddr_un address = { .sun_family = AF_UNIX };

static int listen_in(const char *dir, const char *name) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        (void) snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", dir, name);
        ck_assert_int_eq(bind(fd, (const struct sockaddr *) &address, sizeof(address)), 0);
        ck_assert_int_eq(listen(fd, 1024), 0);
        return fd;
}

static int connect_and_send(const char *text) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        ck_assert_int_eq(connect(fd, (const struct sockaddr *) &address, sizeof(address)), 0);
        ck_assert_int_eq(write_all(fd, text, strlen(text)), 0);
        return fd;
}

/* The peers, and what the server was asked. */
typedef struct Peers {
        int fds[HTTP_CONNECTIONS_MAX];
        int seen[3]; /* of the first, the second and the last, what poll(2) reports when the server is asked */
        unsigned answers;
        int error;
} Peers;

static void answer(FILE *f, const HttpRequest *request, int error, void *userdata) {
        Peers *p = userdata;

        p->answers++;
        p->error = error;
        (void) fprintf(f, "%s", error < 0 ? "error" : request->path);
}

static void answer_large(FILE *f, const HttpRequest *request, int error, void *userdata) {
        for (size_t i = 0; i < LARGE; i++)
                (void) fputc('x', f);
}

static int run(int listener, usec_t timeout, void (*call)(FILE *, const HttpRequest *, int, void *), Peers *p) {
        const HttpServer s = { .answer = call, .userdata = p, .timeout = timeout, .idle = USEC_PER_MSEC };

        return http_server_run(&s, listener, 1);
}

/* The server has closed the connection: its end comes in any case. */
static void check_answer(int fd, const char *expected) {
        char text[256] = {};
        ssize_t k = recv(fd, text, sizeof(text) - 1, MSG_WAITALL);

        ck_assert(k >= 0 || errno == ECONNRESET);
        ck_assert_str_eq(text, expected);
        safe_close(fd);
}

START_TEST(test_answers) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int listener = listen_in(dir, "socket");
        Peers p = {};
        int whole = connect_and_send(REQUEST), wrong = connect_and_send("nonsense\r\n\r\n"), gone = connect_and_send("GET /");

        safe_close(gone);
        ck_assert_int_eq(run(listener, 30 * USEC_PER_SEC, answer, &p), 0);
        ck_assert_uint_eq(p.answers, 2);
        ck_assert_int_eq(p.error, -EBADMSG);
        check_answer(whole, "/metrics");
        check_answer(wrong, "error");
}
END_TEST

/* A peer can neither make it read for ever nor keep it waiting. */
START_TEST(test_limits) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int listener = listen_in(dir, "socket");
        _cleanup_free_ char *large = calloc(1, HTTP_HEAD_MAX + 1);
        Peers p = {};
        int slow = connect_and_send("GET /metrics HTT"), too_large, silent = connect_and_send(""), deaf;

        memset(large, 'a', HTTP_HEAD_MAX);
        too_large = connect_and_send(large);
        ck_assert_int_eq(run(listener, USEC_PER_MSEC, answer, &p), 0);
        ck_assert_uint_eq(p.answers, 1);
        ck_assert_int_eq(p.error, -EFBIG);
        check_answer(slow, "");
        check_answer(silent, "");
        check_answer(too_large, "error");
        deaf = connect_and_send(REQUEST);
        ck_assert_int_eq(run(listener, USEC_PER_MSEC, answer_large, &p), 0);
        safe_close(deaf);
}
END_TEST

START_TEST(test_large_answer) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int listener = listen_in(dir, "socket"), peer = connect_and_send(REQUEST);
        pid_t child = fork();
        int status;

        if (child == 0) {
                char buf[4096];
                size_t size = 0;
                ssize_t k;

                while ((k = read(peer, buf, sizeof(buf))) > 0)
                        size += (size_t) k;
                _exit(k == 0 && size == LARGE ? 0 : 1);
        }
        ck_assert_int_eq(run(listener, 30 * USEC_PER_SEC, answer_large, NULL), 0);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
}
END_TEST

/* Has the peers leave, so that the server ends. */
static void answer_last(FILE *f, const HttpRequest *request, int error, void *userdata) {
        static const size_t looked_at[] = { 0, 1, HTTP_CONNECTIONS_MAX - 1 };
        Peers *p = userdata;

        for (size_t i = 0; i < ELEMENTSOF(looked_at); i++) {
                struct pollfd one = { .fd = p->fds[looked_at[i]], .events = POLLIN };

                (void) poll(&one, 1, 0);
                p->seen[i] = one.revents & POLLHUP;
        }
        for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++)
                p->fds[i] = safe_close(p->fds[i]);
        answer(f, request, error, userdata);
}

/* As many silent peers as there are places do not shut out the next one: it takes the place of the one that came first. */
START_TEST(test_full) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int listener = listen_in(dir, "socket");
        Peers p = {};
        int scraper;

        for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++)
                p.fds[i] = connect_and_send("GET /metr");
        scraper = connect_and_send(REQUEST);
        ck_assert_int_eq(run(listener, 30 * USEC_PER_SEC, answer_last, &p), 0);
        ck_assert_uint_eq(p.answers, 1);
        ck_assert_int_eq(p.seen[0], POLLHUP);
        ck_assert_int_eq(p.seen[1], 0);
        ck_assert_int_eq(p.seen[2], 0);
        check_answer(scraper, "/metrics");
}
END_TEST

START_TEST(test_listeners) {
        const HttpServer s = { .answer = answer };

        ck_assert_int_eq(http_server_run(&s, 3, HTTP_LISTENERS_MAX + 1), -E2BIG);
        ck_assert_int_eq(http_server_run(&s, -EBADF, 1), -EBADF);
}
END_TEST

CHECK_MAIN("http-server", test_answers, test_limits, test_large_answer, test_full, test_listeners);
