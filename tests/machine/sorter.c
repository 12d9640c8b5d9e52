/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A program to unwind: "sorter SECONDS" sorts by the C library's qsort(), which calls back. To be compiled without frame pointers. */

#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

__attribute__((noinline)) static int compare_costly(const void *a, const void *b) {
        const int *x = a, *y = b;

        for (unsigned i = 0; i < 200; i++)
                sink += i;
        return (*x > *y) - (*x < *y);
}

__attribute__((noinline)) static void sort_once(void) {
        int numbers[500];

        for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
                numbers[i] = rand();
        qsort(numbers, sizeof(numbers) / sizeof(*numbers), sizeof(*numbers), compare_costly);
        sink += (unsigned) numbers[0];
}

int main(int argc, char **argv) {
        time_t end = time(NULL) + (argc > 1 ? strtol(argv[1], NULL, 10) : 1);

        while (time(NULL) < end)
                sort_once();
        return 0;
}
