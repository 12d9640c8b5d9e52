/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Limits on descriptors and locked memory. A request above them is refused with a message before the first event is
 * opened, instead of halfway with only an errno. Locked memory is counted as the kernel's perf_mmap() does:
 * kernel.perf_event_mlock_kb for each CPU that is online, above it RLIMIT_MEMLOCK; neither applies with CAP_IPC_LOCK
 * or kernel.perf_event_paranoid=-1. */

#include "resource-limits.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include "parse-size.h"
#include "privilege.h"
#include "sysctl.h"

int resource_limits_raise_descriptors(size_t n, Diagnosis *d) {
        rlim_t needed = (rlim_t) n + RESOURCE_LIMITS_ELSEWHERE;
        struct rlimit l;

        if (getrlimit(RLIMIT_NOFILE, &l) < 0)
                return -errno;
        if (l.rlim_cur >= needed)
                return 0;
        l.rlim_cur = MAX_OF(l.rlim_max, needed);
        l.rlim_max = l.rlim_cur;
        if (setrlimit(RLIMIT_NOFILE, &l) >= 0)
                return 0;

        (void) getrlimit(RLIMIT_NOFILE, &l);
        return diagnosis_set(d, -EMFILE, "Too many events: %zu descriptors are needed, one for each event on each CPU and thread, "
                             "%llu are allowed; name fewer, or raise the limit (ulimit -n, LimitNOFILE=, fs.nr_open)",
                             (size_t) needed, (unsigned long long) l.rlim_max);
}

static uint64_t lockable_bytes(void) {
        struct rlimit l;
        uint64_t per_cpu;

        if (privilege_have(CAP_IPC_LOCK) || getrlimit(RLIMIT_MEMLOCK, &l) < 0 || l.rlim_cur == RLIM_INFINITY ||
            sysctl_read("kernel/perf_event_paranoid", 2) < 0)
                return UINT64_MAX;
        per_cpu = (uint64_t) MAX_OF(sysctl_read("kernel/perf_event_mlock_kb", 516), 0) * 1024;
        return per_cpu * (uint64_t) MAX_OF(sysconf(_SC_NPROCESSORS_ONLN), 1L) + l.rlim_cur;
}

int resource_limits_check_rings(size_t n, unsigned pages, Diagnosis *d) {
        uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE), total, lockable = lockable_bytes();
        uint64_t memory = (uint64_t) MAX_OF(sysconf(_SC_PHYS_PAGES), 1L) * page;
        char wanted[32], allowed[32];

        if (__builtin_mul_overflow((pages + UINT64_C(1)) * page, n, &total))
                total = UINT64_MAX;
        format_size(wanted, sizeof(wanted), total);
        if (total > memory / 2)
                return diagnosis_set(d, -E2BIG, "%zu rings of %u pages are %s of locked memory, more than half of what this "
                                     "machine has: take smaller ones (-m)", n, pages, wanted);
        if (total > lockable)
                return diagnosis_set(d, -EPERM, "%zu rings of %u pages are %s of locked memory, %s are allowed: take smaller ones "
                                     "(-m), or raise kernel.perf_event_mlock_kb or the limit on locked memory (ulimit -l)",
                                     n, pages, wanted, format_size(allowed, sizeof(allowed), lockable));
        return 0;
}
