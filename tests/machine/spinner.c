/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A program to record, linked statically so that it runs below any root.
 *
 *   spinner spin [SECONDS]      computes in a function of its own: SPIN, or spin_in_one()
 *   spinner as DIR NAME         copies itself to DIR/NAME, and spins as /NAME in a user namespace whose root is DIR
 *   spinner jit [nomap]         computes in code that it generates, and names it in /tmp/perf-PID.map (nomap: does not)
 *   spinner random [SECONDS]    computes in a function of its own and in the C library's random() */

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef SPIN
#define SPIN spin_in_one
#endif

__attribute__((noinline)) static unsigned SPIN(unsigned n) {
        volatile unsigned sum = 0;

        for (unsigned i = 0; i < 1000000; i++)
                sum += i ^ n;
        return sum;
}

static int spin(time_t seconds) {
        time_t end = time(NULL) + seconds;

        for (unsigned n = 0; seconds == 0 || time(NULL) < end; n++)
                (void) SPIN(n);
        return 0;
}

static int spin_in_random(time_t seconds) {
        time_t end = time(NULL) + seconds;

        for (unsigned n = 0; time(NULL) < end; n++) {
                (void) SPIN(n);
                for (unsigned i = 0; i < 300000; i++)
                        (void) random();
        }
        return 0;
}

static int copy_to(const char *path) {
        int in = open("/proc/self/exe", O_RDONLY), out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
        char buffer[65536];
        ssize_t n;

        while ((n = read(in, buffer, sizeof(buffer))) > 0)
                if (write(out, buffer, (size_t) n) != n)
                        return -1;
        return close(out) | (int) n;
}

static int spin_as(const char *dir, const char *name) {
        char path[4096];

        (void) snprintf(path, sizeof(path), "%s/%s", dir, name);
        if (copy_to(path) < 0 || unshare(CLONE_NEWUSER) < 0 || chroot(dir) < 0 || chdir("/") < 0) {
                perror(path);
                return 1;
        }
        (void) snprintf(path, sizeof(path), "/%s", name);
        (void) execl(path, "spinner", "spin", NULL);
        perror(path);
        return 1;
}

/* The code is a jump to itself. */
static int run_made_code(int named) {
        unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        char path[64];
        FILE *f;

        if (code == MAP_FAILED)
                return 1;
        (void) snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int) getpid());
        f = named ? fopen(path, "w") : NULL;
        if (f) {
                (void) fprintf(f, "%lx 1000 made_by_the_spinner\n", (unsigned long) code);
                (void) fclose(f);
        }
        code[0] = 0xeb;
        code[1] = 0xfe;
        ((void (*)(void)) code)();
        return 0;
}

int main(int argc, char **argv) {
        if (argc == 4 && strcmp(argv[1], "as") == 0)
                return spin_as(argv[2], argv[3]);
        if (argc >= 2 && strcmp(argv[1], "jit") == 0)
                return run_made_code(argc == 2);
        if (argc == 3 && strcmp(argv[1], "random") == 0)
                return spin_in_random(atoi(argv[2]));
        return spin(argc > 2 ? atoi(argv[2]) : 0);
}
