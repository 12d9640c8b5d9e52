/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include <sys/uio.h>
#include "cleanup.h"

/* One ring buffer of the kernel's, mapped, or one in plain memory for tests. Two kinds: in the normal mode the kernel
 * appends at the head, stops when it is full and we move the tail; in the overwrite mode (attr.write_backward) it writes
 * downwards and never stops. Records are 8-byte aligned, so that a header is never split by the end of the ring. */

#define RING_RECORD_MAX 65536 /* bytes: perf_event_header.size has 16 bits */

typedef struct Ring {
        struct perf_event_mmap_page *page;
        uint8_t *data;
        size_t size;       /* bytes of data, a power of two */
        size_t mapped;     /* bytes to unmap; 0: memory of the caller's */
        uint64_t position; /* next byte to read; of no meaning in the overwrite mode */
        bool overwrite;
        bool sideband;     /* no sample ever comes into it: records of tasks, maps and the like alone */
        int fd;            /* the owning event's; borrowed */
        int cpu;           /* -1: per thread */
        pid_t tid;         /* per thread, else -1 */
} Ring;

#define RING_EMPTY { .fd = -EBADF, .cpu = -1, .tid = -1 }

/* perf's default: kernel.perf_event_mlock_kb less the control page, rounded down to a power of two. Pages. */
unsigned ring_default_pages(void);

/* perf's -m: a number of pages, or a size with B, K, M or G; rounded up to a power of two. -EINVAL, -ERANGE. */
int ring_parse_pages(const char *s, unsigned *ret_pages);

/* pages: data pages, a power of two. -EINVAL, -EPERM (locked memory), -ENOMEM. */
int ring_map(Ring *r, int fd, unsigned pages, bool overwrite);

/* page and data are the caller's and stay so; size is a power of two. */
int ring_init_memory(Ring *r, struct perf_event_mmap_page *page, void *data, size_t size, bool overwrite);
void ring_done(Ring *r);

/* Normal mode. What is there to read, in order, in up to two segments that stay valid until ring_consume(); answers the
 * bytes, 0 for none. The kernel never overwrites what was not consumed. */
size_t ring_read_begin(Ring *r, struct iovec ret[static 2], unsigned *ret_n);
void ring_consume(Ring *r, size_t bytes); /* bytes: of what ring_read_begin() answered, up to a whole record */
