/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include <sys/uio.h>
#include "cleanup.h"

/* A ring buffer of the kernel, mapped, or one in plain memory for tests. There are two kinds: in the normal mode the
 * kernel appends at the head and stops when the ring is full, and we move the tail; in the overwrite mode
 * (attr.write_backward) it writes downwards and never stops. Records are 8-byte aligned, so the end of the ring never
 * splits a header. */

#define RING_RECORD_MAX 65536 /* bytes: perf_event_header.size has 16 bits */

typedef struct Ring {
        struct perf_event_mmap_page *page;
        uint8_t *data;
        size_t size;       /* bytes of data, a power of two */
        size_t mapped;     /* bytes to unmap; 0: the caller's memory */
        uint64_t position; /* next byte to read; unused in the overwrite mode */
        bool overwrite;
        bool sideband;     /* it has no samples, only records of tasks, maps and the like */
        int fd;            /* the owning event's; borrowed, unless it is of a holder */
        bool held;         /* by a holder, an event without samples that belongs to the ring: those with samples may be closed */
        int cpu;           /* -1: per thread */
        pid_t tid;         /* per thread, otherwise -1 */
} Ring;

#define RING_EMPTY { .fd = -EBADF, .cpu = -1, .tid = -1 }

/* Returns perf's default: kernel.perf_event_mlock_kb minus the control page, rounded down to a power of two. Pages. */
unsigned ring_default_pages(void);

/* Parses perf's -m: a number of pages, or a size with B, K, M or G; rounded up to a power of two. -EINVAL, -ERANGE. */
int ring_parse_pages(const char *s, unsigned *ret_pages);

/* Maps a ring of so many data pages, a power of two. -EINVAL, -EPERM (locked memory), -ENOMEM. */
int ring_map(Ring *r, int fd, unsigned pages, bool overwrite);

/* For tests: a ring without a kernel, in plain memory. page and data remain the caller's; size is a power of two. */
int ring_init_memory(Ring *r, struct perf_event_mmap_page *page, void *data, size_t size, bool overwrite);
void ring_done(Ring *r);

/* Normal mode. Gets the unread bytes, in order, in up to two segments that stay valid until ring_consume(); returns
 * their number, 0 for none. The kernel never overwrites bytes that were not consumed. */
size_t ring_read_begin(Ring *r, struct iovec ret[static 2], unsigned *ret_n);
void ring_consume(Ring *r, size_t bytes); /* bytes: of those segments, up to the end of a record */

/* Consumes what lies before that position, which a previous process has read but not consumed; 0, or one that was consumed
 * already, changes nothing. */
void ring_skip_to(Ring *r, uint64_t position);
