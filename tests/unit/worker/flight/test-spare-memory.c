/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <malloc.h>
#include "check-main.h"
#include "cleanup.h"
#include "fd-file.h"
#include "spare-memory.h"

#define PIECES 40000u
#define PIECE 4000u /* bytes */

static size_t resident(void) { /* bytes */
        _cleanup_free_ char *text = NULL;
        unsigned long size = 0, pages = 0;

        ck_assert_int_eq(read_file("/proc/self/statm", 4096, &text, NULL), 0);
        ck_assert_int_eq(sscanf(text, "%lu %lu", &size, &pages), 2);
        return pages * (size_t) sysconf(_SC_PAGESIZE);
}

/* A sanitizer has another allocator, without the functions of malloc.h. */
static bool is_glibc(void) {
        return mallinfo2().uordblks > 0;
}

START_TEST(test_given_back_once_in_a_while) {
        void **pieces = calloc(PIECES, sizeof(void *));
        usec_t looked_at = 0;
        size_t full, after;

        for (size_t i = 0; i < PIECES; i++) {
                pieces[i] = malloc(PIECE);
                memset(pieces[i], 1, PIECE);
        }
        full = resident();
        for (size_t i = 0; i < PIECES; i++)
                if (i % 100 != 99) { /* the rest prevents the heap from shrinking by itself */
                        free(pieces[i]);
                        pieces[i] = NULL;
                }
        spare_memory_give_back(&looked_at);
        ck_assert_uint_gt(looked_at, 0);
        after = resident();
        if (is_glibc())
                ck_assert_msg(full - after > PIECES / 2 * PIECE, "%zu, then %zu", full, after);

        for (size_t i = 0, before = looked_at; i < 100; i++) {
                spare_memory_give_back(&looked_at);
                ck_assert_uint_eq(looked_at, before);
        }
        for (size_t i = 0; i < PIECES; i++)
                free(pieces[i]);
        free(pieces);
}
END_TEST

CHECK_MAIN("spare-memory", test_given_back_once_in_a_while);
