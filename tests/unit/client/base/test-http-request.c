/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <unistd.h>

#include "check-main.h"
#include "fd-file.h"
#include "http-request.h"

/* Reads what a peer sent before it closed the connection. */
static int read_text(const char *text, size_t size, HttpRequest *ret) {
        _cleanup_close_ int fd = open_memfd("request", 0);

        ck_assert_int_eq(pwrite(fd, text, size, 0), (ssize_t) size);
        return http_request_read(fd, 30 * USEC_PER_SEC, ret);
}

static int read_request(const char *text, HttpRequest *ret) {
        return read_text(text, strlen(text), ret);
}

START_TEST(test_request) {
        _cleanup_(http_request_done) HttpRequest r = {}, bare = {};

        ck_assert_int_eq(read_request("GET /metrics?a=b HTTP/1.1\r\nHost: x\r\naccept: text/plain, application/openmetrics-text;q=0.5\r\n"
                                      "X: y\r\n\r\nZ: body\r\n", &r), 0);
        ck_assert_str_eq(r.method, "GET");
        ck_assert_str_eq(r.path, "/metrics");
        ck_assert(http_request_header_has(&r, "Accept", "application/openmetrics-text"));
        ck_assert(http_request_header_has(&r, "Accept", "text/plain"));
        ck_assert(http_request_header_has(&r, "X", "y"));
        ck_assert(!http_request_header_has(&r, "Accept", "y"));
        ck_assert(!http_request_header_has(&r, "Hos", "x"));
        ck_assert(!http_request_header_has(&r, "Z", "body"));
        ck_assert_int_eq(read_request("HEAD / HTTP/1.0\n\n", &bare), 0);
        ck_assert_str_eq(bare.method, "HEAD");
        ck_assert_str_eq(bare.path, "/");
        ck_assert(!http_request_header_has(&bare, "Accept", ""));
}
END_TEST

START_TEST(test_wrong) {
        static const char *const wrong[] = {
                "x", "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / FTP/1.1\r\n\r\n", "GET metrics HTTP/1.1\r\n\r\n",
                "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n",
        };
        HttpRequest r = {};

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++)
                ck_assert_int_eq(read_request(wrong[i], &r), -EBADMSG);
        ck_assert_int_eq(read_text("GET /\0 HTTP/1.1\r\n\r\n", 20, &r), -EBADMSG);
        ck_assert_int_eq(read_request("", &r), -ENODATA);
        ck_assert_ptr_null(r.text);
}
END_TEST

/* A peer can neither make it read for ever nor keep it waiting. */
START_TEST(test_limits) {
        _cleanup_free_ char *large = calloc(1, 64 * 1024);
        HttpRequest r = {};
        int pipe_fds[2];

        memset(large, 'a', 64 * 1024 - 1);
        memcpy(large, "GET / HTTP/1.1\r\n", 16);
        ck_assert_int_eq(read_request(large, &r), -EFBIG);
        ck_assert_int_eq(pipe(pipe_fds), 0);
        ck_assert_int_eq(write(pipe_fds[1], "GET /", 5), 5);
        ck_assert_int_eq(http_request_read(pipe_fds[0], USEC_PER_MSEC, &r), -ETIMEDOUT);
        safe_close(pipe_fds[0]);
        safe_close(pipe_fds[1]);
}
END_TEST

CHECK_MAIN("http-request", test_request, test_wrong, test_limits);
