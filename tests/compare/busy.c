/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A program that spends two thirds of its time in one function and a third in another, for profiles to show. */

#include <stdlib.h>

void spin_long(unsigned n);
void spin_short(unsigned n);

static volatile unsigned long work;

__attribute__((noinline)) void spin_long(unsigned n) {
        for (unsigned i = 0; i < 2 * n; i++)
                work += i;
}

__attribute__((noinline)) void spin_short(unsigned n) {
        for (unsigned i = 0; i < n; i++)
                work += i;
}

int main(int argc, char **argv) {
        int rounds = argc > 1 ? atoi(argv[1]) : 100;

        for (int i = 0; i < rounds; i++) {
                spin_long(500000);
                spin_short(500000);
        }
        return 0;
}
