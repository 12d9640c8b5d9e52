/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>

#include "forked-process.h"

/* The process that creates files for a browser, which may not. It is started before the sandbox, with the caller's rights. */

typedef enum PageKind {
        PAGE_TEXT,
        PAGE_SVG,
        PAGE_HTML,
        PAGE_JSON,
        _PAGE_KIND_MAX,
} PageKind;

#define PAGE_SIZE_MAX ((size_t) 64 << 20)
#define PAGES_MAX 1000u
#define PAGE_PIECE ((size_t) 64 << 10) /* bytes of a packet */

/* The first packet of a page; others with as many bytes follow, and then there is an answer. */
typedef struct PageRequest {
        uint32_t kind;
        uint32_t size;
} PageRequest;

typedef struct PageAnswer {
        int32_t error; /* a negative errno; 0: there is the file */
        char name[NAME_MAX + 1];
} PageAnswer;

/* Starts it: files are going to be perf-NAME.txt, perf-NAME-1.txt and so on in the folder that is the current one now. NAME is the
 * last part of that path, with "_" for all but letters, digits and "._-+@". 0, or a negative errno and *w is empty. */
int page_writer_start(ForkedProcess *w, const char *path);

/* Creates a file of that content. 0; -EFBIG: it is more than PAGE_SIZE_MAX; -EDQUOT: there are PAGES_MAX files; -EPIPE: the process
 * is gone, or did not start; errors of open(2) and write(2), and then there is no file. */
int page_writer_write(const ForkedProcess *w, PageKind kind, const void *data, size_t size, char ret_name[static NAME_MAX + 1]);

/* forked_process_end() ends it. */
