/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An event that counts nothing. No system call reports that the kernel took an event off its CPU, but the time that it
 * has been enabled shows it. */

#include "cpu-clock.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int cpu_clock_open(int cpu) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
                .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
        };
        int fd = (int) syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

        return fd >= 0 ? fd : -errno;
}
