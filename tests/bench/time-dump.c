/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "time-dump PID DIRECTORY PREFIX" sends SIGUSR2 to PID and prints the milliseconds until DIRECTORY has a new file
 * whose name begins with PREFIX, to which recorders rename finished dumps, and then that name. For
 * tests/bench/dump. */

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/inotify.h>
#include "cleanup.h"
#include "parse-number.h"
#include "parse-time.h"

#define TIMEOUT_MSEC 60000

/* Returns the name of a file that was moved there, or NULL. */
static const char *await_file(int fd, const char *prefix) {
        static union {
                struct inotify_event event;
                char bytes[16384];
        } buffer;
        ssize_t n;

        for (;;) {
                if (poll(&(struct pollfd) { .fd = fd, .events = POLLIN }, 1, TIMEOUT_MSEC) <= 0)
                        return NULL;
                n = read(fd, &buffer, sizeof(buffer));
                for (ssize_t at = 0; at < n;) {
                        const struct inotify_event *e = (const void *) (buffer.bytes + at);

                        if (e->len > 0 && startswith(e->name, prefix))
                                return e->name;
                        at += (ssize_t) sizeof(*e) + e->len;
                }
        }
}

int main(int argc, char **argv) {
        _cleanup_close_ int fd = inotify_init1(IN_CLOEXEC);
        const char *name;
        uint64_t pid;
        usec_t begin;

        if (argc != 4 || parse_uint64(argv[1], &pid) < 0) {
                (void) fprintf(stderr, "usage: time-dump PID DIRECTORY PREFIX\n");
                return 2;
        }
        if (fd < 0 || inotify_add_watch(fd, argv[2], IN_MOVED_TO) < 0) {
                (void) fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
                return 1;
        }
        begin = now_usec(CLOCK_MONOTONIC);
        if (kill((pid_t) pid, SIGUSR2) < 0)
                return 1;
        name = await_file(fd, argv[3]);
        if (!name)
                return 1;
        (void) printf("%.3f %s\n", (double) (now_usec(CLOCK_MONOTONIC) - begin) / 1000.0, name);
        return 0;
}
