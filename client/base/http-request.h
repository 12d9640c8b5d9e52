/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "parse-time.h"

/* One request of HTTP/1.0 or 1.1 (RFC 9112) without a body, and the answer to it: a service with Accept=yes has the connection as
 * standard input and output. */

typedef struct HttpRequest {
        char *text;
        const char *method;  /* within text */
        const char *path;    /* … without a query */
        const char *headers; /* … as they came, up to the empty line */
} HttpRequest;

/* Reads the request line and the headers. -ETIMEDOUT: they did not come in that time; -EFBIG: they are more
 * than 16 KiB; -EBADMSG: it is no such request; -ENODATA: the connection ended before the first byte. */
int http_request_read(int fd, usec_t timeout, HttpRequest *ret);
void http_request_done(HttpRequest *r);

/* True if a header of that name, in any case, contains the text. */
bool http_request_header_has(const HttpRequest *r, const char *name, const char *text);
