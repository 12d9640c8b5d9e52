/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The head of a request is read as a whole before anything is answered, with a limit on its size and on the time, since anybody who
 * can connect sends it. Its lines may end without a carriage return (RFC 9112, 2.2). */

#include "http-request.h"

#include <poll.h>
#include <strings.h>
#include <unistd.h>

#define HEAD_MAX (16u * 1024)

void http_request_done(HttpRequest *r) {
        free(r->text);
        *r = (HttpRequest) {};
}

/* Waits for more until the deadline, and reads it. Returns the bytes read; 0: the connection ended. */
static ssize_t http_read_some(int fd, usec_t deadline, char *buf, size_t size) {
        for (;;) {
                struct pollfd p = { .fd = fd, .events = POLLIN };
                usec_t now = now_usec(CLOCK_MONOTONIC);
                int n = now < deadline ? poll(&p, 1, (int) ((deadline - now) / USEC_PER_MSEC) + 1) : 0;
                ssize_t k;

                if (n == 0)
                        return -ETIMEDOUT;
                k = n < 0 ? n : read(fd, buf, size);
                if (k >= 0)
                        return k;
                if (errno != EINTR && errno != EAGAIN)
                        return -errno;
        }
}

/* "GET /metrics?x HTTP/1.1" */
static int http_request_parse(HttpRequest *r) {
        char *rest = r->text, *line = strsep(&rest, "\n"), *target, *version;

        r->method = strsep(&line, " ");
        target = strsep(&line, " ");
        version = line;
        if (!target || *target != '/' || !version || !startswith(version, "HTTP/1."))
                return -EBADMSG;
        target[strcspn(target, "?")] = '\0';
        r->path = target;
        r->headers = rest;
        return 0;
}

int http_request_read(int fd, usec_t timeout, HttpRequest *ret) {
        usec_t deadline = now_usec(CLOCK_MONOTONIC) + timeout;
        _cleanup_(http_request_done) HttpRequest request = { .text = malloc(HEAD_MAX + 1) };
        size_t size = 0;
        int r;

        if (!request.text)
                return -ENOMEM;
        do {
                ssize_t k = size < HEAD_MAX ? http_read_some(fd, deadline, request.text + size, HEAD_MAX - size) : -EFBIG;

                if (k <= 0)
                        return k < 0 ? (int) k : size > 0 ? -EBADMSG : -ENODATA;
                size += (size_t) k;
                request.text[size] = '\0';
                if (strlen(request.text) < size)
                        return -EBADMSG;
        } while (!strstr(request.text, "\n\r\n") && !strstr(request.text, "\n\n")); /* the empty line behind the headers */
        r = http_request_parse(&request);
        if (r < 0)
                return r;
        *ret = steal_value(request, (HttpRequest) {});
        return 0;
}

bool http_request_header_has(const HttpRequest *r, const char *name, const char *text) {
        size_t n = strlen(name);

        for (const char *line = r->headers; line && *line != '\n' && *line != '\r'; line = strchr(line, '\n') + 1) {
                const char *found = strncasecmp(line, name, n) == 0 && line[n] == ':' ? strcasestr(line, text) : NULL;

                if (found && found < strchr(line, '\n'))
                        return true;
        }
        return false;
}
