/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "http-request.h"

START_TEST(test_request) {
        char text[] = "GET /metrics?a=b HTTP/1.1\r\nHost: x\r\naccept: text/plain, application/openmetrics-text;q=0.5\r\nX: y\r\n\r\nZ: body\r\n";
        char bare_text[] = "HEAD / HTTP/1.0\n\n";
        HttpRequest r = {}, bare = {};

        ck_assert_int_eq(http_request_parse(text, sizeof(text) - 1, &r), 0);
        ck_assert_str_eq(r.method, "GET");
        ck_assert_str_eq(r.path, "/metrics");
        ck_assert(http_request_header_has(&r, "Accept", "application/openmetrics-text"));
        ck_assert(http_request_header_has(&r, "Accept", "text/plain"));
        ck_assert(http_request_header_has(&r, "X", "y"));
        ck_assert(!http_request_header_has(&r, "Accept", "y"));
        ck_assert(!http_request_header_has(&r, "Hos", "x"));
        ck_assert(!http_request_header_has(&r, "Z", "body"));
        ck_assert_int_eq(http_request_parse(bare_text, sizeof(bare_text) - 1, &bare), 0);
        ck_assert_str_eq(bare.method, "HEAD");
        ck_assert_str_eq(bare.path, "/");
        ck_assert(!http_request_header_has(&bare, "Accept", ""));
}
END_TEST

static int parse(const char *text, size_t size, HttpRequest *ret) {
        _cleanup_free_ char *copy = calloc(1, size + 1);

        memcpy(copy, text, size);
        return http_request_parse(copy, size, ret);
}

START_TEST(test_wrong) {
        static const char *const wrong[] = {
                "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / FTP/1.1\r\n\r\n", "GET metrics HTTP/1.1\r\n\r\n", "GET / HTTP/2\r\n\r\n",
        };
        HttpRequest r = {};

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++)
                ck_assert_int_eq(parse(wrong[i], strlen(wrong[i]), &r), -EBADMSG);
        ck_assert_int_eq(parse("GET /\0 HTTP/1.1\r\n\r\n", 20, &r), -EBADMSG);
        ck_assert_ptr_null(r.path);
}
END_TEST

/* No beginning of a request is taken for it. */
START_TEST(test_beginnings) {
        static const char text[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        HttpRequest r = {};

        for (size_t size = 0; size < sizeof(text) - 1; size++)
                ck_assert_int_eq(parse(text, size, &r), -EAGAIN);
        ck_assert_int_eq(parse(text, sizeof(text) - 1, &r), 0);
}
END_TEST

CHECK_MAIN("http-request", test_request, test_wrong, test_beginnings);
