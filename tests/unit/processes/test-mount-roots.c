/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "mount-roots.h"
#include "perfdata-test.h"

static void make_process(const char *root, const char *pid, const char *namespace) {
        free(test_command("mkdir -p %s/proc/%s/ns && touch %s/%s && ln -f %s/%s %s/proc/%s/ns/mnt", root, pid, root, namespace, root,
                          namespace, root, pid));
}

START_TEST(one_of_each) {
        static const uint32_t pids[] = { 10, 11, 12, 13, 14, 15, UINT32_MAX };
        _cleanup_(mount_roots_done) MountRoots m = {};
        _cleanup_free_ char *root = test_path("roots");

        make_process(root, "self", "ours");
        make_process(root, "10", "ours");
        make_process(root, "11", "first");
        make_process(root, "12", "second");
        make_process(root, "13", "first");
        make_process(root, "15", "third"); /* 14 has gone */
        ck_assert_ok(mount_roots_find(root, pids, ELEMENTSOF(pids), &m));
        ck_assert_uint_eq(m.n, 3);
        ck_assert_uint_eq(m.pids[0], 11);
        ck_assert_uint_eq(m.pids[1], 12);
        ck_assert_uint_eq(m.pids[2], 15);
}
END_TEST

START_TEST(is_bounded) {
        _cleanup_(mount_roots_done) MountRoots m = {};
        _cleanup_free_ char *root = test_path("many");
        uint32_t pids[MOUNT_ROOTS_MAX + 20];

        free(test_command("cd %s/.. && mkdir -p many/proc && for i in $(seq 1 %u); do mkdir -p many/proc/$i/ns && touch "
                          "many/proc/$i/ns/mnt; done", root, MOUNT_ROOTS_MAX + 20));
        for (uint32_t i = 0; i < ELEMENTSOF(pids); i++)
                pids[i] = i + 1;
        ck_assert_ok(mount_roots_find(root, pids, ELEMENTSOF(pids), &m));
        ck_assert_uint_eq(m.n, 0 + MOUNT_ROOTS_MAX);
}
END_TEST

TEST_RUN("mount-roots", one_of_each, is_bounded);
