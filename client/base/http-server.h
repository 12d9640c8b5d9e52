/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "http-request.h"
#include "parse-time.h"

/* A server of HTTP in one loop, for anybody who can connect: each connection gets one answer. */

#define HTTP_HEAD_MAX (16u * 1024)
#define HTTP_CONNECTIONS_MAX 64u
#define HTTP_LISTENERS_MAX 16u

typedef struct HttpServer {
        /* Writes the whole answer, headers too, to a request; with an error, -EBADMSG: it is none, -EFBIG: it has more than
         * HTTP_HEAD_MAX bytes, the request is empty. */
        void (*answer)(FILE *f, const HttpRequest *request, int error, void *userdata);
        void *userdata;
        usec_t timeout; /* for a request to come whole, and then for its answer to be taken */
        usec_t idle;    /* the time without a connection after which the server ends */
} HttpServer;

/* Serves connections to n listening sockets, which have these descriptors in order, until it is idle. When HTTP_CONNECTIONS_MAX are
 * open, the next one replaces the oldest that sent no request so far. -E2BIG: more than HTTP_LISTENERS_MAX sockets. */
int http_server_run(const HttpServer *s, int first_fd, size_t n_fds);
