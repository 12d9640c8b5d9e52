/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts the breakpoints that are free on each CPU, and borrows them as a program does that knows nothing of reservations.
 *
 *   breakpoints             prints their numbers, one for each CPU, separated by blanks
 *   breakpoints hold N      has N of each CPU until it is killed; says "held" when it has them */

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_one(int cpu) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_BREAKPOINT, .size = sizeof(attr), .bp_type = HW_BREAKPOINT_W, .bp_addr = 0x8000,
                .bp_len = HW_BREAKPOINT_LEN_8, .disabled = 1,
        };

        return (int) syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static void print_free(int cpu) {
        int fds[64], n = 0;

        while (n < 64 && (fds[n] = open_one(cpu)) >= 0)
                n++;
        printf("%s%d", cpu > 0 ? " " : "", n);
        while (n > 0)
                close(fds[--n]);
}

int main(int argc, char **argv) {
        int cpus = (int) sysconf(_SC_NPROCESSORS_ONLN), n = argc == 3 && strcmp(argv[1], "hold") == 0 ? atoi(argv[2]) : 0;

        for (int cpu = 0; cpu < cpus; cpu++) {
                for (int i = 0; i < n; i++)
                        if (open_one(cpu) < 0) {
                                fprintf(stderr, "breakpoint %d of CPU %d: %s\n", i + 1, cpu, strerror(errno));
                                return 1;
                        }
                if (argc == 1)
                        print_free(cpu);
        }
        puts(n > 0 ? "held" : "");
        fflush(stdout);
        return n > 0 ? pause() : 0;
}
