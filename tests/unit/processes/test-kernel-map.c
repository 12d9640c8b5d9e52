/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The addresses of the kernel and its modules, in made-up trees. */

#include <sys/utsname.h>
#include "check-main.h"
#include "kernel-map.h"
#include "scratch.h"

#define KALLSYMS                              \
        "0000000000000000 A fixed_percpu_data\n" \
        "0000000000001000 A cpu_debug_store\n"   \
        "ffffffff81000000 T startup_64\n"        \
        "ffffffff81000000 T _text\n"             \
        "ffffffff81000000 T _stext\n"            \
        "ffffffff81000070 T secondary\n"         \
        "ffffffff82200000 T _etext\n"            \
        "ffffffffc0300000 t nf_init\t[nf_tables]\n"

#define IOMEM                            \
        "00000000-00000fff : Reserved\n" \
        "00100000-bfffffff : System RAM\n" \
        "  01000000-021fffff : Kernel code\n" \
        "  02400000-02e09fff : Kernel rodata\n"

START_TEST(test_by_iomem) {
        _cleanup_(scratch_done) char *root = scratch_new();
        KernelMap m;

        scratch_write_text(root, "proc/kallsyms", KALLSYMS);
        scratch_write_text(root, "proc/iomem", IOMEM);
        ck_assert_int_eq(kernel_map_read(root, NULL, &m), 0);
        ck_assert_str_eq(m.symbol, "_text");
        ck_assert_uint_eq(m.start, 0xffffffff81000000);
        ck_assert_uint_eq(m.end, 0xffffffff82200000);
}
END_TEST

/* Without privileges /proc/iomem has only zeros. */
START_TEST(test_by_symbols) {
        static const char *const iomem[] = { NULL, "", "00000000-00000000 : Kernel code\n" };

        for (size_t i = 0; i < ELEMENTSOF(iomem); i++) {
                _cleanup_(scratch_done) char *root = scratch_new();
                KernelMap m;

                scratch_write_text(root, "proc/kallsyms", KALLSYMS);
                if (iomem[i])
                        scratch_write_text(root, "proc/iomem", iomem[i]);
                ck_assert_int_eq(kernel_map_read(root, NULL, &m), 0);
                ck_assert_uint_eq(m.end, 0xffffffff82200000);
        }
}
END_TEST

/* A worker takes the result of a previous one, unless it is of another boot. The list is changed in between, which
 * shows whether it was read. */
START_TEST(test_cache) {
        _cleanup_(scratch_done) char *root = scratch_new(), *cache = scratch_new();
        KernelMap m;

        scratch_write_text(root, "proc/kallsyms", KALLSYMS);
        ck_assert_int_eq(kernel_map_read(root, cache, &m), 0);
        ck_assert_uint_eq(m.end, 0xffffffff82200000);
        scratch_write_text(root, "proc/kallsyms", "ffffffff81000000 T _text\nffffffff83300000 T _etext\n");
        ck_assert_int_eq(kernel_map_read(root, cache, &m), 0);
        ck_assert_uint_eq(m.end, 0xffffffff82200000);
        ck_assert_int_eq(kernel_map_read(root, NULL, &m), 0);
        ck_assert_uint_eq(m.end, 0xffffffff83300000);

        scratch_write_text(root, "proc/kallsyms", "ffffffff90000000 T _text\nffffffff91000000 T _etext\n");
        ck_assert_int_eq(kernel_map_read(root, cache, &m), 0);
        ck_assert_uint_eq(m.end, 0xffffffff91000000);
        scratch_write_text(cache, "kernel-text", "rubbish\n");
        ck_assert_int_eq(kernel_map_read(root, cache, &m), 0);
        ck_assert_uint_eq(m.end, 0xffffffff91000000);
        ck_assert_int_eq(kernel_map_read(root, "/nonexistent", &m), 0);
        ck_assert_uint_eq(m.end, 0xffffffff91000000);
}
END_TEST

/* The line of _etext may be split over two reads of the list. */
START_TEST(test_end_between_two_reads) {
        _cleanup_free_ char *list = malloc(70000);

        ck_assert_ptr_nonnull(list);
        for (size_t pad = 65480; pad < 65560; pad++) {
                _cleanup_(scratch_done) char *root = scratch_new();
                size_t n = (size_t) sprintf(list, "ffffffff81000000 T _text\n");
                KernelMap m;

                for (; n + 26 < pad; n += 26)
                        memcpy(list + n, "ffffffff81000001 t filler\n", 26);
                memset(list + n, '\n', pad - n);
                strcpy(list + pad, "ffffffff82200000 T _etext\n");
                scratch_write_text(root, "proc/kallsyms", list);
                ck_assert_int_eq(kernel_map_read(root, NULL, &m), 0);
                ck_assert_uint_eq(m.end, 0xffffffff82200000);
        }
}
END_TEST

START_TEST(test_unknown_end) {
        _cleanup_(scratch_done) char *root = scratch_new();
        KernelMap m;

        scratch_write_text(root, "proc/kallsyms", "ffffffff81000000 T _stext\nffffffff81000010 T x\n");
        ck_assert_int_eq(kernel_map_read(root, NULL, &m), 0);
        ck_assert_str_eq(m.symbol, "_stext");
        ck_assert_uint_eq(m.end, UINT64_MAX);
}
END_TEST

START_TEST(test_hidden) {
        _cleanup_(scratch_done) char *root = scratch_new(), *empty = scratch_new();
        KernelMap m = { .start = 7 };

        scratch_write_text(root, "proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T _stext\n");
        ck_assert_int_eq(kernel_map_read(root, NULL, &m), -EPERM);
        ck_assert_int_eq(kernel_map_read(empty, NULL, &m), -ENOENT);
        scratch_write_text(empty, "proc/kallsyms", "nonsense\n\n");
        ck_assert_int_eq(kernel_map_read(empty, NULL, &m), -ENODATA);
        ck_assert_uint_eq(m.start, 7);
}
END_TEST

START_TEST(test_modules) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_(kernel_modules_done) KernelModules m = {};
        _cleanup_free_ char *list = NULL, *path = NULL;
        struct utsname u;

        ck_assert_int_eq(uname(&u), 0);
        ck_assert_int_gt(asprintf(&list, "lib/modules/%s/modules.dep", u.release), 0);
        ck_assert_int_gt(asprintf(&path, "%s/lib/modules/%s/kernel/net/snd-hda.ko.xz", root, u.release), 0);
        scratch_write_text(root, list, "kernel/fs/xfs/xfs.ko: kernel/lib/crc.ko\nkernel/net/snd-hda.ko.xz:\nkernel/x/snd-hda-codec.ko:\n");
        scratch_write_text(root, "proc/modules",
                           "snd_hda 1000 0 - Live 0xffffffffc0500000\n"
                           "local 4096 2 snd_hda,x, Live 0xffffffffc0300000 (OE)\n"
                           "broken\n");
        ck_assert_int_eq(kernel_modules_read(root, &m), 0);
        ck_assert_uint_eq(m.n_modules, 2);
        ck_assert_str_eq(m.modules[0].path, "[local]");
        ck_assert_uint_eq(m.modules[0].start, 0xffffffffc0300000);
        ck_assert_uint_eq(m.modules[0].size, 4096);
        ck_assert_str_eq(m.modules[1].path, path);
        ck_assert_uint_eq(m.modules[1].start, 0xffffffffc0500000);
}
END_TEST

START_TEST(test_no_modules) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_(kernel_modules_done) KernelModules m = {};

        ck_assert_int_eq(kernel_modules_read(root, &m), 0);
        ck_assert_uint_eq(m.n_modules, 0);
        scratch_write_text(root, "proc/modules", "x 1000 0 - Live 0x0000000000000000\n");
        ck_assert_int_eq(kernel_modules_read(root, &m), -EPERM);
}
END_TEST

START_TEST(test_modules_change) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        uint64_t none = kernel_modules_digest(dir), one, used, other;

        scratch_write_text(dir, "proc/modules", "ext4 1019904 1 - Live 0xffffffffc0400000\n");
        one = kernel_modules_digest(dir);
        scratch_write_text(dir, "proc/modules", "ext4 1019904 7 x, Live 0xffffffffc0400000\n");
        used = kernel_modules_digest(dir);
        scratch_write_text(dir, "proc/modules", "ext4 1019904 1 - Live 0xffffffffc0800000\n");
        other = kernel_modules_digest(dir);
        ck_assert_uint_ne(none, one);
        ck_assert_uint_eq(one, used);
        ck_assert_uint_ne(one, other);
}
END_TEST

CHECK_MAIN("kernel-map", test_by_iomem, test_by_symbols, test_cache, test_end_between_two_reads, test_unknown_end, test_hidden,
           test_modules, test_no_modules, test_modules_change);
