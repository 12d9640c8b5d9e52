/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One loop polls the listening sockets and the connections, and nothing but the answer to a request takes it time. A peer that is
 * slow, silent or gone costs a place among the connections, and only until the timeout or until another one needs it; one that
 * sent its request before it was accepted is answered at once, however many places are taken.
 *
 * Invariant: the connections are in the order in which they were accepted. */

#include "http-server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

typedef struct HttpConnection {
        int fd;
        usec_t deadline;
        char *text; /* the request so far, or the answer to it */
        size_t size, written;
        bool answers;
} HttpConnection;

typedef struct HttpLoop {
        const HttpServer *server;
        HttpConnection open[HTTP_CONNECTIONS_MAX];
        size_t n;
} HttpLoop;

static void http_loop_close(HttpLoop *l, size_t i) {
        (void) close(l->open[i].fd);
        free(l->open[i].text);
        l->n--;
        memmove(l->open + i, l->open + i + 1, (l->n - i) * sizeof(*l->open));
}

static void http_loop_done(HttpLoop *l) {
        while (l->n > 0)
                http_loop_close(l, l->n - 1);
}

/* The answer takes the place of the request. */
static int http_connection_answer(HttpConnection *c, const HttpServer *s, const HttpRequest *request, int error) {
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return -ENOMEM;
        s->answer(f, request, error, s->userdata);
        if (fclose(f) != 0)
                return -ENOMEM;
        free(c->text);
        c->text = steal_ptr(text);
        c->size = size;
        c->answers = true;
        c->deadline = now_usec(CLOCK_MONOTONIC) + s->timeout;
        return 0;
}

static int http_connection_read(HttpConnection *c, const HttpServer *s) {
        HttpRequest request = {};
        ssize_t k = read(c->fd, c->text + c->size, HTTP_HEAD_MAX - c->size);
        int r;

        if (k <= 0)
                return k < 0 ? -errno : -ENODATA;
        c->size += (size_t) k;
        c->text[c->size] = '\0';
        r = http_request_parse(c->text, c->size, &request);
        if (r == -EAGAIN && c->size < HTTP_HEAD_MAX)
                return 0;
        return http_connection_answer(c, s, &request, r == -EAGAIN ? -EFBIG : r);
}

/* Does what can be done now. False: the connection is at its end. */
static bool http_connection_serve(HttpConnection *c, const HttpServer *s) {
        int r = c->answers ? 0 : http_connection_read(c, s);

        if (r >= 0 && c->answers) {
                ssize_t k = send(c->fd, c->text + c->written, c->size - c->written, MSG_NOSIGNAL);

                r = k < 0 ? -errno : 0;
                c->written += k < 0 ? 0 : (size_t) k;
        }
        return (r >= 0 || r == -EAGAIN || r == -EINTR) && (!c->answers || c->written < c->size);
}

static int http_loop_accept(HttpLoop *l, int listener) {
        _cleanup_free_ char *text = malloc(HTTP_HEAD_MAX + 1);
        int fd = text ? accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK) : -1;
        size_t oldest = 0;

        if (!text)
                return -ENOMEM;
        if (fd < 0) /* the other errors are those of the connection, which is gone */
                return errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM || errno == EINVAL ? -errno : 0;
        while (l->n == HTTP_CONNECTIONS_MAX && oldest < l->n && l->open[oldest].answers)
                oldest++;
        if (l->n == HTTP_CONNECTIONS_MAX)
                http_loop_close(l, oldest < l->n ? oldest : 0);
        l->open[l->n++] = (HttpConnection) {
                .fd = fd,
                .text = steal_ptr(text),
                .deadline = now_usec(CLOCK_MONOTONIC) + l->server->timeout,
        };
        if (!http_connection_serve(&l->open[l->n - 1], l->server))
                http_loop_close(l, l->n - 1);
        return 1;
}

/* Waits for an event, or for a deadline of a connection, or if there is none until "end". polls has the listening sockets first.
 * Returns the number of events. */
static int http_loop_wait(const HttpLoop *l, struct pollfd *polls, size_t n_listeners, usec_t end) {
        usec_t now = now_usec(CLOCK_MONOTONIC), next = l->n > 0 ? UINT64_MAX : end;
        int n;

        for (size_t i = 0; i < l->n; i++) {
                polls[n_listeners + i] = (struct pollfd) { .fd = l->open[i].fd, .events = l->open[i].answers ? POLLOUT : POLLIN };
                next = MIN_OF(next, l->open[i].deadline);
        }
        n = poll(polls, n_listeners + l->n, next > now ? (int) ((next - now) / USEC_PER_MSEC) + 1 : 0);
        return n >= 0 ? n : errno == EINTR ? 0 : -errno;
}

/* One round: connections first, since a new one may take the place of one that has something to say. */
static int http_loop_turn(HttpLoop *l, struct pollfd *polls, size_t n_listeners, usec_t *end) {
        int n = http_loop_wait(l, polls, n_listeners, *end), r;

        for (size_t i = n >= 0 ? l->n : 0; i-- > 0;) /* the places below stay the same when one is closed */
                if ((n > 0 && polls[n_listeners + i].revents != 0 && !http_connection_serve(&l->open[i], l->server)) ||
                    l->open[i].deadline <= now_usec(CLOCK_MONOTONIC))
                        http_loop_close(l, i);
        for (size_t i = 0; n > 0 && i < n_listeners; i++) {
                r = polls[i].revents != 0 ? http_loop_accept(l, polls[i].fd) : 0;
                if (r < 0)
                        return r;
                *end = r > 0 ? now_usec(CLOCK_MONOTONIC) + l->server->idle : *end;
        }
        return n;
}

int http_server_run(const HttpServer *s, int first_fd, size_t n_fds) {
        _cleanup_(http_loop_done) HttpLoop l = { .server = s };
        struct pollfd polls[HTTP_LISTENERS_MAX + HTTP_CONNECTIONS_MAX];
        usec_t end = now_usec(CLOCK_MONOTONIC) + s->idle;
        int r;

        if (n_fds > HTTP_LISTENERS_MAX)
                return -E2BIG;
        for (size_t i = 0; i < n_fds; i++) {
                polls[i] = (struct pollfd) { .fd = first_fd + (int) i, .events = POLLIN };
                if (fcntl(polls[i].fd, F_SETFL, O_NONBLOCK) < 0)
                        return -errno;
        }
        do
                r = http_loop_turn(&l, polls, n_fds, &end);
        while (r > 0 || (r == 0 && (l.n > 0 || now_usec(CLOCK_MONOTONIC) < end)));
        return r;
}
