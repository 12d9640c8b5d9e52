/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A walk over the feature TRACING_DATA, whose layout is that of trace.dat version 0.6 (trace-cmd.dat.v6(5)). Nothing
 * is taken that is not there in whole. */
typedef struct TraceCursor {
        const char *p;
        size_t left;
} TraceCursor;

static inline const void *trace_cursor_take(TraceCursor *c, uint64_t n) {
        const char *p = c->p;

        if (n > c->left)
                return NULL;
        c->p += n;
        c->left -= n;
        return p;
}

/* Takes a number of this machine's byte order. */
static inline bool trace_cursor_number(TraceCursor *c, size_t width, uint64_t *ret) {
        const void *p = trace_cursor_take(c, width);

        *ret = 0;
        if (p)
                memcpy(ret, p, width);
        return p;
}

static inline const char *trace_cursor_name(TraceCursor *c) {
        size_t n = strnlen(c->p, c->left);

        return n < c->left ? trace_cursor_take(c, n + 1) : NULL;
}

/* Takes a text behind its size, which has that many bytes. */
static inline const char *trace_cursor_text(TraceCursor *c, size_t width, size_t *ret_size) {
        uint64_t size;
        const char *p = trace_cursor_number(c, width, &size) ? trace_cursor_take(c, size) : NULL;

        *ret_size = p ? (size_t) size : 0;
        return p;
}
