/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/sysmacros.h>

#include "jit-files.h"
#include "made-jit-dump.h"
#include "perfdata-test.h"

/* Makes a jitdump with one function at that address. *ret is its binary, of which the path is the returned string. */
static char *made_dump(const char *name, uint64_t address, DsoHit *ret) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        char *path;
        struct stat st;

        made_jit_begin(&b, 7, 0);
        made_jit_load(&b, 100, address, 0x40, 1, "made", true);
        path = made_jit_file(&b, name);
        ck_assert_int_eq(stat(path, &st), 0);
        *ret = (DsoHit) { .path = path, .cpumode = PERF_RECORD_MISC_USER, .pid = 7, .inode = st.st_ino,
                          .major = major(st.st_dev), .minor = minor(st.st_dev) };
        return path;
}

/* A file is read once, and again for another recording. */
START_TEST(files) {
        _cleanup_(jit_files_done) JitFiles j = {};
        DsoHit a, b;
        _cleanup_free_ char *first = made_dump("a/jit-7.dump", 0x1000, &a), *second = made_dump("b/jit-7.dump", 0x2000, &b);
        const JitCodes *codes, *again;
        uint64_t place;

        ck_assert(first && second);
        ck_assert_ok(jit_files_get(&j, 3, &a, true, &codes));
        ck_assert_ptr_null(codes); /* it is not known where files are */
        jit_files_begin(&j, NULL, "");
        ck_assert_ok(jit_files_get(&j, 3, &a, true, &codes));
        ck_assert_ptr_nonnull(codes);
        ck_assert(jit_codes_find(codes, 0x1010, 100, &place));
        ck_assert(!jit_codes_find(codes, 0x1010, 99, &place));
        ck_assert_ok(jit_files_get(&j, 4, &b, true, &again));
        ck_assert_ptr_ne(again, codes);
        ck_assert(jit_codes_find(again, 0x2010, 100, &place));
        ck_assert_int_eq(unlink(first), 0);
        ck_assert_ok(jit_files_get(&j, 3, &a, true, &again));
        ck_assert_ptr_eq(again, codes);
        jit_files_begin(&j, NULL, "");
        ck_assert_ok(jit_files_get(&j, 3, &a, true, &codes));
        ck_assert_ptr_null(codes);
        ck_assert_ok(jit_files_get(&j, 4, &b, false, &codes));
        ck_assert(jit_codes_find(codes, 0x2010, 99, &place));
}
END_TEST

/* Numbers tell states apart, across recordings too, and are no generations of maps. */
START_TEST(states) {
        _cleanup_(jit_files_done) JitFiles j = {};
        const JitState state = { .maps = 5, .dso = 3, .n_functions = 2 };
        const JitState others[] = {
                { .maps = 6, .dso = 3, .n_functions = 2 }, { .maps = 5, .dso = 4, .n_functions = 2 }, { .maps = 5, .dso = 3, .n_functions = 3 },
        };
        uint32_t number = jit_files_generation(&j, &state);

        ck_assert_uint_gt(number, JIT_GENERATION);
        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                ck_assert_uint_ne(jit_files_generation(&j, others + i), number);
        jit_files_begin(&j, NULL, "");
        ck_assert_uint_eq(jit_files_generation(&j, &state), number);
        ck_assert_uint_eq(jit_files_generation(&j, others), number + 1);
}
END_TEST

TEST_RUN("jit-files", files, states);
