/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Executable mappings: by text from a made-up file, by the kernel's query for this process, and that both agree. */

#include <sys/mman.h>
#include "check-main.h"
#include "leaderless.h"
#include "process-maps.h"
#include "scratch.h"

#define TEXT                                                                                             \
        "00400000-00452000 r-xp 00001000 fd:01 173521  /usr/bin/with a blank\n"                          \
        "00651000-00652000 r--p 00051000 fd:01 173521  /usr/bin/with a blank\n"                          \
        "7f0000000000-7f0000001000 rwxs 00000000 00:05 77 /dev/zero (deleted)\n"                         \
        "this is no mapping x at all\n"                                                                  \
        "7f0000002000-7f0000003000 --xp 00000000 00:00 0 \n"                                             \
        "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]"

START_TEST(test_line) {
        char line[] = "00400000-00452000 r-xp 00001000 fd:1f 173521  /usr/bin/with a blank";
        char wrong[] = "00400000-00452000 r-xp 00001000";
        ProcessMap m;

        ck_assert_int_eq(process_map_parse(line, &m), 0);
        ck_assert_uint_eq(m.start, 0x400000);
        ck_assert_uint_eq(m.end, 0x452000);
        ck_assert_uint_eq(m.offset, 0x1000);
        ck_assert_uint_eq(m.major, 0xfd);
        ck_assert_uint_eq(m.minor, 0x1f);
        ck_assert_uint_eq(m.inode, 173521);
        ck_assert_uint_eq(m.protection, PROT_READ | PROT_EXEC);
        ck_assert_uint_eq(m.flags, MAP_PRIVATE);
        ck_assert_str_eq(m.path, "/usr/bin/with a blank");
        ck_assert_int_eq(process_map_parse(wrong, &m), -EBADMSG);
}
END_TEST

START_TEST(test_text) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_(process_maps_freep) ProcessMaps *maps = NULL;
        ProcessMap m;

        scratch_write_text(root, "proc/7/maps", TEXT "\n");
        scratch_write_text(root, "proc/8/maps", "");
        ck_assert_int_eq(process_maps_new(root, false, false, &maps), 0);
        for (int i = 0; i < 2; i++) {
                ck_assert_int_eq(process_maps_open(maps, 7), 0);
                ck_assert_int_eq(process_maps_next(maps, &m), 1);
                ck_assert_str_eq(m.path, "/usr/bin/with a blank");
                ck_assert_int_eq(process_maps_next(maps, &m), 1);
                ck_assert_str_eq(m.path, "/dev/zero (deleted)");
                ck_assert_uint_eq(m.flags, MAP_SHARED);
                ck_assert_int_eq(process_maps_next(maps, &m), 1);
                ck_assert_str_eq(m.path, "");
                ck_assert_int_eq(process_maps_next(maps, &m), 1);
                ck_assert_str_eq(m.path, "[vsyscall]");
                ck_assert_int_eq(process_maps_next(maps, &m), 0);
                ck_assert_int_eq(process_maps_open(maps, 8), 0);
                ck_assert_int_eq(process_maps_next(maps, &m), 0);
        }
        ck_assert_int_eq(process_maps_open(maps, 9), -ENOENT);
}
END_TEST

/* The text has more lines than one read takes. */
START_TEST(test_long_text) {
        enum { LINES = 20000 };
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_(process_maps_freep) ProcessMaps *maps = NULL;
        _cleanup_free_ char *text = malloc(LINES * 64 + 1);
        size_t size = 0, n = 0;
        ProcessMap m;

        for (unsigned i = 0; i < LINES; i++)
                size += (size_t) sprintf(text + size, "%x000-%x000 r-xp 00000000 00:05 77 /lib/%u\n", i + 1, i + 2, i);
        scratch_write(root, "proc/7/maps", text, size);
        ck_assert_int_eq(process_maps_new(root, false, false, &maps), 0);
        ck_assert_int_eq(process_maps_open(maps, 7), 0);
        while (process_maps_next(maps, &m) > 0) {
                char expected[32];

                (void) snprintf(expected, sizeof(expected), "/lib/%zu", n++);
                ck_assert_str_eq(m.path, expected);
        }
        ck_assert_uint_eq(n, LINES);
}
END_TEST

/* The text and the kernel's query give the same maps of a process, except the vsyscall page, which only the text
 * has. */
START_TEST(test_query_and_text_agree) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_(process_maps_freep) ProcessMaps *real = NULL, *copy = NULL;
        void *anonymous = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        _cleanup_free_ char *text = NULL;
        ProcessMap a, b;
        size_t size, n = 0;
        bool seen = false;

        ck_assert_ptr_ne(anonymous, MAP_FAILED);
        ck_assert_int_eq(process_maps_new("", false, false, &real), 0);
        ck_assert_int_eq(process_maps_new(root, false, false, &copy), 0);
        ck_assert_int_eq(read_file("/proc/self/maps", 1 << 24, &text, &size), 0);
        scratch_write(root, "proc/7/maps", text, size);
        ck_assert_int_eq(process_maps_open(real, getpid()), 0);
        ck_assert_int_eq(process_maps_open(copy, 7), 0);
        while (process_maps_next(real, &a) > 0) {
                ck_assert_int_eq(process_maps_next(copy, &b), 1);
                ck_assert_uint_eq(a.start, b.start);
                ck_assert_uint_eq(a.end, b.end);
                ck_assert_uint_eq(a.offset, b.offset);
                ck_assert_uint_eq(a.inode, b.inode);
                ck_assert_uint_eq(a.major, b.major);
                ck_assert_uint_eq(a.minor, b.minor);
                ck_assert_uint_eq(a.protection, b.protection);
                ck_assert_uint_eq(a.flags, b.flags);
                ck_assert_str_eq(a.path, b.path);
                seen = seen || (a.start == (uintptr_t) anonymous && streq(a.path, ""));
                n++;
        }
        ck_assert_uint_gt(n, 2);
        ck_assert(seen);
        if (process_maps_next(copy, &b) > 0)
                ck_assert_str_eq(b.path, "[vsyscall]");
}
END_TEST

/* Checks that with data, both ways give all readable maps. */
static void assert_has_data(const char *root, pid_t pid, const void *address) {
        _cleanup_(process_maps_freep) ProcessMaps *maps = NULL;
        bool code = false, data = false;
        ProcessMap m;

        ck_assert_int_eq(process_maps_new(root, true, false, &maps), 0);
        ck_assert_int_eq(process_maps_open(maps, pid), 0);
        while (process_maps_next(maps, &m) > 0) {
                ck_assert(m.protection & (PROT_READ | PROT_EXEC));
                code = code || m.protection == (PROT_READ | PROT_EXEC);
                data = data || (m.start <= (uintptr_t) address && (uintptr_t) address < m.end && m.protection == PROT_READ);
        }
        ck_assert(code && data);
}

START_TEST(test_data) {
        _cleanup_(scratch_done) char *root = scratch_new();
        void *data = mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        _cleanup_free_ char *text = NULL;
        size_t size;

        ck_assert_ptr_ne(data, MAP_FAILED);
        ck_assert_int_eq(read_file("/proc/self/maps", 1 << 24, &text, &size), 0);
        scratch_write(root, "proc/7/maps", text, size);
        assert_has_data("", getpid(), data);
        assert_has_data(root, 7, data);
}
END_TEST

/* It has the mappings of the process that it was forked from. */
START_TEST(test_first_thread_has_ended) {
        _cleanup_(process_maps_freep) ProcessMaps *maps = NULL;
        pid_t pid = leaderless_start();
        ProcessMap m;
        bool found = false;

        ck_assert_int_eq(process_maps_new("", false, false, &maps), 0);
        for (int i = 0; i < 2; i++, found = false) {
                ck_assert_int_eq(process_maps_open(maps, pid), 0);
                while (process_maps_next(maps, &m) > 0)
                        found = found || (m.start <= (uintptr_t) leaderless_wait && (uintptr_t) leaderless_wait < m.end && *m.path == '/');
                ck_assert(found);
        }
        leaderless_end(pid);
}
END_TEST

CHECK_MAIN("process-maps", test_first_thread_has_ended, test_line, test_text, test_long_text, test_query_and_text_agree, test_data);
