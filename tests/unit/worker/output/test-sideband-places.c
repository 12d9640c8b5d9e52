/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Namespaces of a made-up process, and the control groups of this machine. */

#include <inttypes.h>
#include <sys/stat.h>
#include "cgroup.h"
#include "check-main.h"
#include "scratch.h"
#include "sideband.h"

START_TEST(test_namespaces) {
        _cleanup_(scratch_done) char *root = scratch_new();
        RecordBuffer b = {};
        const Sideband s = { .root = root, .namespaces = true, .b = &b }, unasked = { .root = root, .b = &b };
        _cleanup_free_ char *path = NULL;
        const struct perf_ns_link_info *links;
        const struct perf_event_header *h;
        const uint32_t *ids;
        size_t cursor = 0;
        struct stat st;

        scratch_write_text(root, "proc/70/ns/pid", "");
        ck_assert_int_ge(asprintf(&path, "%s/proc/70/ns/pid", root), 0);
        ck_assert_int_eq(stat(path, &st), 0);

        ck_assert_int_eq(sideband_put_namespaces(&unasked, 70, 71), 0);
        ck_assert_uint_eq(b.size, 0);
        ck_assert_int_eq(sideband_put_namespaces(&s, 70, 71), 0);
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &h), 1);
        ck_assert_uint_eq(h->type, PERF_RECORD_NAMESPACES);
        ids = (const uint32_t *) (h + 1);
        ck_assert(ids[0] == 70 && ids[1] == 71);
        ck_assert_uint_eq(*(const uint64_t *) (ids + 2), NR_NAMESPACES);
        links = (const struct perf_ns_link_info *) (ids + 4);
        ck_assert_uint_eq(links[PID_NS_INDEX].dev, st.st_dev);
        ck_assert_uint_eq(links[PID_NS_INDEX].ino, st.st_ino);
        ck_assert_uint_eq(links[MNT_NS_INDEX].ino, 0);
        record_buffer_done(&b);
}
END_TEST

START_TEST(test_cgroups) {
        RecordBuffer b = {};
        const Sideband s = { .root = "", .b = &b };
        _cleanup_free_ char *top = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0, n = 0;
        uint64_t first = 0;

        ck_assert_int_eq(sideband_put_cgroups(&s, "/nonexistent"), 0);
        ck_assert_uint_eq(b.size, 0);
        ck_assert_int_eq(sideband_put_cgroups(&s, NULL), 0);
        while (record_next(b.data, b.size, &cursor, &h) > 0) {
                const uint64_t *id = (const uint64_t *) (h + 1);

                ck_assert_uint_eq(h->type, PERF_RECORD_CGROUP);
                ck_assert_uint_ne(*id, 0);
                if (n++ == 0) {
                        ck_assert_str_eq((const char *) (id + 1), "/");
                        first = *id;
                } else {
                        ck_assert_int_eq(*(const char *) (id + 1), '/');
                        ck_assert_uint_ne(*id, first);
                }
        }
        if (cgroup_find_root(NULL, &top) >= 0)
                ck_assert_uint_gt(n, 0);
        record_buffer_done(&b);
}
END_TEST

CHECK_MAIN("sideband-places", test_namespaces, test_cgroups);
