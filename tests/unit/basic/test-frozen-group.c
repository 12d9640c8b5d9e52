/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "frozen-group.h"
#include "scratch.h"

static void assert_frozen_by(const char *root, const char *group, const char *expected) {
        _cleanup_free_ char *found = frozen_group_find(root, group);

        ck_assert_msg(found ? streq(found, expected ?: "") : !expected, "%s: %s", group, found);
}

START_TEST(test_groups) {
        _cleanup_(scratch_done) char *root = scratch_new();

        scratch_write_text(root, "sys/fs/cgroup/a.slice/cgroup.events", "populated 1\nfrozen 1\n");
        scratch_write_text(root, "sys/fs/cgroup/a.slice/cgroup.freeze", "1\n");
        scratch_write_text(root, "sys/fs/cgroup/a.slice/b.scope/cgroup.events", "populated 1\nfrozen 1\n");
        scratch_write_text(root, "sys/fs/cgroup/a.slice/b.scope/cgroup.freeze", "0\n");
        scratch_write_text(root, "sys/fs/cgroup/a.slice/c.scope/cgroup.events", "populated 1\nfrozen 1\n");
        scratch_write_text(root, "sys/fs/cgroup/a.slice/c.scope/cgroup.freeze", "1\n");
        scratch_write_text(root, "sys/fs/cgroup/unified/d.scope/cgroup.events", "populated 1\nfrozen 0\n");
        assert_frozen_by(root, "/a.slice", "a.slice");
        assert_frozen_by(root, "/a.slice/b.scope", "a.slice");
        assert_frozen_by(root, "/a.slice/c.scope", "c.scope");
        assert_frozen_by(root, "/d.scope", NULL);
        assert_frozen_by(root, "/nosuch", NULL);
        assert_frozen_by(root, "", NULL);
        scratch_write_text(root, "sys/fs/cgroup/unified/d.scope/cgroup.events", "populated 1\nfrozen 1\n");
        scratch_write_text(root, "sys/fs/cgroup/unified/d.scope/cgroup.freeze", "1\n");
        assert_frozen_by(root, "/d.scope", "d.scope");
}
END_TEST

CHECK_MAIN("frozen-group", test_groups);
