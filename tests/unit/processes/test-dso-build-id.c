/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "dso-build-id.h"
#include "elf-build-id.h"
#include "perfdata-test.h"

static char *make_root(DsoHit *ret) {
        char *root = test_path("cache");
        _cleanup_free_ char *program = NULL;
        struct stat st;

        free(test_command("mkdir -p %s/bin && cp /bin/sh %s/bin/demo", root, root));
        ck_assert(asprintf(&program, "%s/bin/demo", root) > 0);
        ck_assert_int_eq(stat(program, &st), 0);
        *ret = (DsoHit) { .path = "/bin/demo", .cpumode = PERF_RECORD_MISC_USER, .pid = 7, .inode = st.st_ino };
        return root;
}

START_TEST(read_once) {
        _cleanup_(build_id_cache_freep) BuildIdCache *c = NULL;
        _cleanup_free_ char *root = NULL;
        BuildId expected = {}, id = {};
        DsoHit demo;

        root = make_root(&demo);
        ck_assert_ok(build_id_of_file(AT_FDCWD, "/bin/sh", &expected));
        ck_assert_ok(build_id_cache_new(root, &c));
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_ok(build_id_cache_get(c, &demo, &id));
                ck_assert_uint_eq(id.size, expected.size);
                ck_assert_mem_eq(id.bytes, expected.bytes, expected.size);
                free(test_command("rm -f %s/bin/demo", root)); /* it is known the second time */
        }
}
END_TEST

START_TEST(none) {
        _cleanup_(build_id_cache_freep) BuildIdCache *c = NULL;
        _cleanup_free_ char *root = NULL;
        BuildId id = { .size = 20 };
        DsoHit demo, replaced, missing;

        root = make_root(&demo);
        replaced = missing = demo;
        replaced.inode++;
        missing.path = "/bin/other";
        ck_assert_ok(build_id_cache_new(root, &c));
        ck_assert_ok(build_id_cache_get(c, &replaced, &id));
        ck_assert_uint_eq(id.size, 0);
        id.size = 20;
        ck_assert_ok(build_id_cache_get(c, &missing, &id));
        ck_assert_uint_eq(id.size, 0);
        ck_assert_ok(build_id_cache_get(c, &demo, &id));
        ck_assert_uint_eq(id.size, 20);
}
END_TEST

/* Many more files than the table's initial size. */
START_TEST(many) {
        _cleanup_(build_id_cache_freep) BuildIdCache *c = NULL;
        BuildId id = {};

        ck_assert_ok(build_id_cache_new("/nowhere", &c));
        for (unsigned i = 0; i < 1000; i++) {
                DsoHit d = { .path = "/bin/x", .cpumode = PERF_RECORD_MISC_USER, .inode = i + 1 };

                if (i % 3 == 0)
                        d.id = (BuildId) { .bytes = { (uint8_t) i }, .size = 20 };
                ck_assert_ok(build_id_cache_get(c, &d, &id));
                ck_assert_uint_eq(id.size, i % 3 == 0 ? 20 : 0);
                ck_assert(i % 3 != 0 || id.bytes[0] == (uint8_t) i);
        }
}
END_TEST

TEST_RUN("dso-build-id", read_once, none, many);
