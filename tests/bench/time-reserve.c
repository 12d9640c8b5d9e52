/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "time-reserve ROUNDS N" reserves all N breakpoints of each CPU so many times, and prints for each round the milliseconds from the
 * call to the answer, which confirms that they are free, and from the end of the reservation until one of CPU 0 is used again. For
 * tests/bench/reserve. */

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

static double now_msec(void) {
        struct timespec t;

        (void) clock_gettime(CLOCK_MONOTONIC, &t);
        return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static int count_free(void) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_BREAKPOINT, .size = sizeof(attr), .bp_type = HW_BREAKPOINT_W, .bp_addr = 0x8000,
                .bp_len = HW_BREAKPOINT_LEN_8, .disabled = 1,
        };
        int fds[64], n = 0, free_now;

        while (n < 64 && (fds[n] = (int) syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC)) >= 0)
                n++;
        free_now = n;
        while (n > 0)
                (void) close(fds[--n]);
        return free_now;
}

static int reserve(sd_bus *bus, int n) {
        sd_bus_error e = SD_BUS_ERROR_NULL;
        sd_bus_message *reply = NULL;
        char what[32];
        int fd = -1, r;

        (void) snprintf(what, sizeof(what), "breakpoint:%d", n);
        r = sd_bus_call_method(bus, "org.perfrecorder1", "/org/perfrecorder1", "org.perfrecorder1.Manager", "Reserve", &e, &reply,
                               "sss", what, "time-reserve", "");
        if (r >= 0)
                r = sd_bus_message_read(reply, "h", &fd);
        if (r >= 0)
                fd = dup(fd);
        else
                (void) fprintf(stderr, "Reserve: %s\n", e.message);
        sd_bus_message_unref(reply);
        sd_bus_error_free(&e);
        return fd;
}

int main(int argc, char **argv) {
        int rounds = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 0, before = count_free();
        sd_bus *bus = NULL;

        if (rounds <= 0 || n <= 0 || sd_bus_open_system(&bus) < 0)
                return 2;
        for (int i = 0; i < rounds; i++) {
                double begin = now_msec(), answered, end;
                int fd = reserve(bus, n);

                answered = now_msec();
                if (fd < 0)
                        return 1;
                (void) usleep(200000);
                end = now_msec();
                (void) close(fd);
                while (count_free() != before && now_msec() - end < 5000)
                        (void) usleep(500);
                (void) printf("%.2f %.2f\n", answered - begin, now_msec() - end);
                (void) usleep(200000);
        }
        sd_bus_unref(bus);
        return 0;
}
