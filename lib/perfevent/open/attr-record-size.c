/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How large the records of an event can get: the sum of the parts that its samples may have, each at its largest
 * (perf_event_open(2)). */

#include "attr.h"

#include "ring.h"
#include "sysctl.h"

#define FIXED_MAX 256u       /* header, and fields of 8 bytes, of which there are fewer than 32 */
#define BRANCHES_MAX 64u     /* of any CPU that there is */
#define READ_MAX ((4u + 3u * 64u) * 8u)
#define PATH_RECORD_MAX (4096u + 256u)

static size_t callchain_max(const struct perf_event_attr *a) {
        int frames = a->sample_max_stack > 0 ? a->sample_max_stack : sysctl_read("kernel/perf_event_max_stack", 127);

        return 8 * (size_t) (1 + frames + sysctl_read("kernel/perf_event_max_contexts_per_stack", 8));
}

size_t attr_record_max(const struct perf_event_attr *a, size_t raw_max) {
        uint64_t type = a->sample_type;
        size_t size = FIXED_MAX;

        if (type & PERF_SAMPLE_READ)
                size += READ_MAX;
        if (type & PERF_SAMPLE_CALLCHAIN)
                size += callchain_max(a);
        if (type & PERF_SAMPLE_RAW)
                size += 8 + raw_max;
        if (type & PERF_SAMPLE_BRANCH_STACK)
                size += 16 + BRANCHES_MAX * (sizeof(struct perf_branch_entry) + 8);
        if (type & PERF_SAMPLE_REGS_USER)
                size += 8 + 8 * (size_t) __builtin_popcountll(a->sample_regs_user);
        if (type & PERF_SAMPLE_REGS_INTR)
                size += 8 + 8 * (size_t) __builtin_popcountll(a->sample_regs_intr);
        if (type & PERF_SAMPLE_STACK_USER)
                size += 16 + a->sample_stack_user;
        if (type & PERF_SAMPLE_AUX)
                size += 8 + a->aux_sample_size;
        if (a->mmap || a->comm || a->cgroup || a->ksymbol)
                size = MAX_OF(size, (size_t) PATH_RECORD_MAX);
        return MIN_OF(size, (size_t) RING_RECORD_MAX);
}
