/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The head of a request of HTTP/1.0 or 1.1 (RFC 9112). The strings lie in the text that it was read from. */
typedef struct HttpRequest {
        const char *method;
        const char *path;    /* without a query */
        const char *headers; /* as they came, up to the empty line */
} HttpRequest;

/* Reads the request line and the headers from a text of that size, which ends with a NUL. It splits the text. -EAGAIN:
 * the empty line that ends the headers is still to come; -EBADMSG: it is no such request. */
int http_request_parse(char *text, size_t size, HttpRequest *ret);

/* True if a header of that name, in any case, contains the text. */
bool http_request_header_has(const HttpRequest *r, const char *name, const char *text);
