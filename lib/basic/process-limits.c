/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* RLIMIT_DATA counts private writable memory since Linux 4.7; RLIMIT_AS would count files that are only mapped to be read. */

#include "process-limits.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>

/* Landlock, whose rules name files, shows a process that was forked inside it no file of its own in /proc: the memory that it has
 * besides that of malloc(3) is what its parent had. */
uint64_t process_data_size(void) {
        static uint64_t others; /* bytes that are not malloc(3)'s */
        const struct mallinfo2 info = mallinfo2();
        const uint64_t allocated = (uint64_t) info.arena + (uint64_t) info.hblkhd;
        unsigned long long pages = 0;
        FILE *f = fopen("/proc/self/statm", "re");

        if (f && fscanf(f, "%*u %*u %*u %*u %*u %llu", &pages) == 1)
                others = (uint64_t) pages * (uint64_t) sysconf(_SC_PAGESIZE) - allocated;
        if (f)
                (void) fclose(f);
        return others + allocated;
}

void process_limit_memory(uint64_t bytes) {
        const rlim_t memory = (rlim_t) bytes;

        (void) setrlimit(RLIMIT_DATA, &(struct rlimit) { memory, memory });
        (void) setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
}

int process_keep_descriptors(const int *fds, size_t n) {
        const int first = STDERR_FILENO + 1, behind = first + (int) n;
        int null = open("/dev/null", O_RDONLY | O_CLOEXEC), moved[PROCESS_KEEP_MAX];

        if (n > PROCESS_KEEP_MAX)
                return -E2BIG;
        if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
                return -errno;
        for (size_t i = 0; i < n; i++) { /* out of the way of those that they become */
                moved[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, behind);
                if (moved[i] < 0)
                        return -errno;
        }
        for (size_t i = 0; i < n; i++)
                if (dup2(moved[i], first + (int) i) < 0)
                        return -errno;
        return close_range((unsigned) behind, ~0u, 0) < 0 ? -errno : 0;
}
