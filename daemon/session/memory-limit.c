/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The default stops a recorder whose memory grows without bound before the machine has none left, and is never met by one
 * that works: the side band and everything else that is bounded in a recorder stay below 200 MB. What is known to be large comes on
 * top: the history, and twice the rings, since a dump copies overwrite rings and has the records that it writes in memory.
 * The rings themselves are the kernel's pages and not charged to a control group (perf_mmap_alloc_page() in
 * kernel/events/ring_buffer.c asks for them without __GFP_ACCOUNT). Page cache is charged, and given
 * back where the limit is met; but the kernel also lets a group have only so many dirty pages as its limit allows, so that
 * a recorder that writes all the time needs more room, or a slow disk would hold it up.
 *
 * Other programs may run in the scope: that of Command=, a recorder of Recorder=, and those of Run=, whose words, sizes of rings
 * among them, only the recorder's own parser knows. They may have half of the machine's memory. */

#include "memory-limit.h"

#include "strv.h"

#define ROOM_MEMORY (UINT64_C(1) << 30)  /* of one that keeps samples in memory */
#define BUFFER_SIZE_DEFAULT (UINT64_C(512) << 10) /* the recorder's own */
#define ROOM_WRITING (UINT64_C(4) << 30) /* of one that writes them */

uint64_t memory_limit_default(const SessionSettings *s, uint64_t buffer_size) {
        static uint64_t n_cpus; /* to count them reads sysfs */
        uint64_t ring_bytes;
        bool has_others = (s->recorder && *s->recorder) || s->run || strv_length(s->record.command) > 0;
        uint64_t sum = s->record.mode == RECORD_MODE_STREAM ? ROOM_WRITING : ROOM_MEMORY;

        if (s->record.mode == RECORD_MODE_HISTORY &&
            __builtin_add_overflow(sum, s->record.history_size ?: HISTORY_SIZE_DEFAULT, &sum))
                return 0;
        if (n_cpus == 0)
                n_cpus = (uint64_t) sysconf(_SC_NPROCESSORS_CONF);
        buffer_size = s->record.buffer_size ?: buffer_size ?: BUFFER_SIZE_DEFAULT;
        if (__builtin_mul_overflow(buffer_size, 2 * n_cpus, &ring_bytes) || __builtin_add_overflow(sum, ring_bytes, &sum))
                return 0;
        if (has_others)
                sum = MAX_OF(sum, (uint64_t) sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t) sysconf(_SC_PAGESIZE));
        return sum;
}
