/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A process to attach to: steady SECONDS. Two threads compute for a quarter of the time, fault in fresh pages, write
 * to /dev/null and pass a USDT probe, so that there are clocks, faults, switches, system calls and sdt_steady:turn to
 * count. Exits with its parent. */

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define SLICE_NSEC 5000000L /* of computing, in four times that */
#define FRESH_BYTES (64 * 1024)

void steady_compute(void);
void steady_touch(void);

/* A note of SystemTap's third version, without arguments: the address of the probe, a base from which a prelinker's
 * offset is computed, no semaphore, and the names. */
#define PROBE(provider, name)                                                                                          \
        __asm__ volatile("990: nop\n"                                                                                  \
                         ".pushsection .note.stapsdt, \"\", \"note\"\n"                                                 \
                         ".balign 4\n.4byte 992f - 991f, 994f - 993f, 3\n"                                            \
                         "991: .asciz \"stapsdt\"\n"                                                                   \
                         "992: .balign 4\n"                                                                            \
                         "993: .8byte 990b, _.stapsdt.base, 0\n"                                                       \
                         ".asciz \"" provider "\"\n.asciz \"" name "\"\n.asciz \"\"\n"                                   \
                         "994: .balign 4\n.popsection\n"                                                              \
                         ".pushsection .stapsdt.base, \"a\", \"progbits\"\n"                                           \
                         "_.stapsdt.base: .space 1\n.popsection\n")

static volatile unsigned long work;

static long now_nsec(void) {
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * 1000000000L + t.tv_nsec;
}

__attribute__((noinline)) void steady_compute(void) {
        for (long end = now_nsec() + SLICE_NSEC; now_nsec() < end;)
                for (unsigned i = 0; i < 10000; i++)
                        work += i;
}

__attribute__((noinline)) void steady_touch(void) {
        char *p = mmap(NULL, FRESH_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (p == MAP_FAILED)
                abort();
        for (size_t i = 0; i < FRESH_BYTES; i += 4096)
                p[i] = 1;
        munmap(p, FRESH_BYTES);
}

static void *run(void *null) {
        const struct timespec pause = { .tv_nsec = 3 * SLICE_NSEC };
        int fd = *(int *) null;

        for (;;) {
                PROBE("steady", "turn");
                steady_compute();
                steady_touch();
                if (write(fd, "", 1) != 1)
                        abort();
                nanosleep(&pause, NULL);
        }
        return NULL;
}

int main(int argc, char **argv) {
        pthread_t thread;
        int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (fd < 0 || pthread_create(&thread, NULL, run, &fd) != 0)
                return 1;
        alarm(argc > 1 ? (unsigned) atoi(argv[1]) : 10);
        run(&fd);
        return 0;
}
