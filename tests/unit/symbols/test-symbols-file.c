/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "elf-build-id.h"
#include "made-program.h"
#include "symbols-file.h"
#include "vdso-image.h"

/* Makes a stripped program with its symbols elsewhere below a root; *ret_inner: the offset of its function in the
 * file. */
static char *made_separated(const char *separate, uint64_t *ret_inner) {
        _cleanup_free_ char *path = made_program("whole", made_source, "-Wl,--build-id"), *root = test_path("root"), *output = NULL;
        char id[BUILD_ID_TEXT_SIZE];
        BuildId b;

        if (!path)
                return NULL;
        b = made_build_id(path);
        build_id_format(&b, id);
        *ret_inner = made_offset(path, "inner");
        output = test_command("set -e; rm -rf %s; mkdir -p %s/bin; ID=%s; R=%s; F=%s\n"
                              "SEPARATE=\"%s\"; mkdir -p $(dirname $R/$SEPARATE); objcopy --only-keep-debug $F $R/$SEPARATE\n"
                              "objcopy --strip-all --add-gnu-debuglink=$R/$SEPARATE $F $R/bin/whole", root, root, id, root, path, separate);
        ck_assert_ptr_nonnull(output);
        return steal_ptr(root);
}

static void check_separated(const char *separate) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        uint64_t inner = 0;
        _cleanup_free_ char *root = made_separated(separate, &inner);

        if (!root)
                return;
        t = loaded_symbols(root, "/bin/whole");
        ck_assert_str_eq(found_name(t, inner), "inner");
}

/* A name that the file exports without a size is not that of all code behind it, which is stripped. */
START_TEST(exported_without_a_size) {
        _cleanup_free_ char *path = made_program("exports", made_assembly_source, "-Wl,--export-dynamic"), *output = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *whole = NULL, *stripped = NULL;
        uint64_t sizeless, worker, unsized;

        if (!path)
                return;
        sizeless = made_offset(path, "sizeless");
        worker = made_offset(path, "worker");
        unsized = made_offset(path, "unsized");
        whole = loaded_symbols(NULL, path);
        ck_assert_str_eq(found_name(whole, sizeless + 100), "sizeless");
        ck_assert_str_eq(found_name(whole, worker + 10), "worker");
        output = test_command("strip %s", path);
        ck_assert_ptr_nonnull(output);
        stripped = loaded_symbols(NULL, path);
        ck_assert_str_eq(found_name(stripped, sizeless), "sizeless");
        ck_assert_str_eq(found_name(stripped, sizeless + 100), "");
        ck_assert_ptr_nonnull(startswith(found_name(stripped, worker + 10), "exports+0x"));
        ck_assert_str_eq(found_name(stripped, worker + 100), "");
        ck_assert_str_eq(found_name(stripped, unsized + 10), "");
}
END_TEST

START_TEST(by_build_id) {
        check_separated("/usr/lib/debug/.build-id/$(echo $ID | cut -c1-2)/$(echo $ID | cut -c3-).debug");
}
END_TEST

START_TEST(beside) {
        check_separated("/bin/whole.debug");
}
END_TEST

START_TEST(below_debug) {
        check_separated("/bin/.debug/whole.debug");
}
END_TEST

START_TEST(below_the_debug_root) {
        check_separated("/usr/lib/debug/bin/whole.debug");
}
END_TEST

/* Without a build id, the checksum of the link decides. */
START_TEST(by_checksum) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL, *changed = NULL;
        _cleanup_free_ char *path = made_program("whole", made_source, "-Wl,--build-id=none"), *output = NULL;
        uint64_t inner;

        if (!path)
                return;
        inner = made_offset(path, "inner");
        output = test_command("cd $(dirname %s) && objcopy --only-keep-debug whole whole.debug && objcopy --strip-all "
                              "--add-gnu-debuglink=whole.debug whole", path);
        ck_assert_ptr_nonnull(output);
        t = loaded_symbols("", path);
        ck_assert_str_eq(found_name(t, inner), "inner");
        free(output);
        output = test_command("echo >>%s.debug", path);
        changed = loaded_symbols("", path);
        ck_assert_int_eq(strncmp(found_name(changed, inner), "whole+0x", 8), 0);
}
END_TEST

START_TEST(of_another_build) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        uint64_t inner = 0;
        _cleanup_free_ char *root = made_separated("/bin/whole.debug", &inner), *other = NULL, *output = NULL;

        if (!root)
                return;
        other = made_program("other", made_source, "-O2 -Wl,--build-id=0x0102030405060708");
        output = test_command("objcopy --only-keep-debug %s %s/bin/whole.debug", other, root);
        ck_assert_ptr_nonnull(output);
        t = loaded_symbols(root, "/bin/whole");
        ck_assert_int_eq(strncmp(found_name(t, inner), "whole+0x", 8), 0); /* its own start only */
}
END_TEST

static int open_as(int (*open_it)(const char *, const DsoHit *), const char *root, const char *path, const BuildId *id,
                   uint64_t inode) {
        DsoHit dso = { .path = path, .cpumode = PERF_RECORD_MISC_USER, .inode = inode };
        _cleanup_close_ int fd = -EBADF;

        if (id)
                dso.id = *id;
        fd = open_it(root, &dso);
        return fd < 0 ? fd : 0;
}

static int open_kept(const char *directory, const DsoHit *dso) {
        char place[PATH_MAX];

        return symbols_open_kept(directory, dso, place);
}

START_TEST(which_binary) {
        _cleanup_free_ char *path = made_program("which", made_source, "-Wl,--build-id");
        const BuildId other = { .bytes = { 1 }, .size = 20 };
        struct stat st;
        BuildId id;

        if (!path)
                return;
        id = made_build_id(path);
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_int_eq(open_as(symbols_open_binary, "", path, &id, 7), 0);
        ck_assert_int_eq(open_as(symbols_open_binary, "", path, &other, st.st_ino), -ESTALE);
        ck_assert_int_eq(open_as(symbols_open_binary, "", path, NULL, st.st_ino), 0);
        ck_assert_int_eq(open_as(symbols_open_binary, "", path, NULL, st.st_ino + 1), -ESTALE);
        ck_assert_int_eq(open_as(symbols_open_binary, "", path, NULL, 0), -ESTALE);
        ck_assert_int_eq(open_as(symbols_open_binary, "", "/nothing", NULL, 0), -ENOENT);
}
END_TEST

START_TEST(the_vdso) {
        _cleanup_close_ int own = vdso_image_open(NULL);
        const BuildId other = { .bytes = { 1 }, .size = 20 };
        BuildId id;

        if (own < 0 || build_id_of_fd(own, &id) < 0)
                return;
        ck_assert_int_eq(open_as(symbols_open_binary, "", "[vdso]", &id, 0), 0);
        ck_assert_int_eq(open_as(symbols_open_binary, "", "[vdso]", &other, 0), -ESTALE);
        ck_assert_int_eq(open_as(symbols_open_binary, "", "[vdso]", NULL, 0), -ESTALE);
}
END_TEST

/* Two binaries had the same path: the machine's own is found there, the other one by its build id or inode. */
START_TEST(what_was_kept) {
        _cleanup_free_ char *own = made_program("kept-own", made_source, "-Wl,--build-id"),
                            *other = made_program("kept-other", made_source, "-O2 -Wl,--build-id=0x0102030405060708"),
                            *none = made_program("kept-none", made_source, "-Wl,--build-id=none"), *root = test_path("kept"), *output = NULL;
        const DsoHit by_inode = { .path = "/bin/a", .inode = 4711 };
        const BuildId missing = { .bytes = { 1 }, .size = 20 };
        char inode_path[SYMBOLS_INODE_PATH_SIZE], id_path[SYMBOLS_ID_PATH_SIZE], place[PATH_MAX];
        BuildId id, other_id;

        if (!own || !other || !none)
                return;
        id = made_build_id(own);
        other_id = made_build_id(other);
        ck_assert_str_eq(symbols_id_path(&other_id, id_path), "/usr/lib/debug/.build-id/01/02030405060708.debug");
        symbols_inode_path(&by_inode, inode_path);
        output = test_command("mkdir -p %s/bin $(dirname %s%s) $(dirname %s%s) && cp %s %s/bin/a && cp %s %s%s && cp %s %s%s && cp %s %s/bin/none",
                              root, root, id_path, root, inode_path, own, root, other, root, id_path, other, root, inode_path, none, root);
        ck_assert_ptr_nonnull(output);
        ck_assert_int_eq(open_as(open_kept, root, "/bin/a", &id, 7), 0);
        ck_assert_int_eq(open_as(open_kept, root, "/bin/a", &other_id, 7), 0);
        ck_assert_int_eq(open_as(open_kept, root, "/bin/a", &missing, 7), -ESTALE);
        ck_assert_int_eq(open_as(open_kept, root, "/bin/a", NULL, 4711), 0);
        ck_assert_int_eq(open_as(open_kept, root, "/bin/a", NULL, 4712), -ESTALE);
        ck_assert_int_eq(open_as(open_kept, root, "/bin/none", NULL, 4712), 0);
        /* a binary whose inode is kept is that one, whatever has its build id */
        ck_assert_int_eq(symbols_open_kept(root, &(DsoHit) { .path = "/bin/a", .inode = 4711, .id = other_id }, place) < 0, 0);
        ck_assert_str_eq(place, inode_path);
        ck_assert_int_eq(open_as(open_kept, root, "/bin/none", &id, 4712), -ESTALE);
        ck_assert_int_eq(open_as(open_kept, root, "/bin/nothing", NULL, 4712), -ENOENT);
}
END_TEST

TEST_RUN("symbols-file", exported_without_a_size, by_build_id, beside, below_debug, below_the_debug_root, by_checksum, of_another_build, which_binary, the_vdso, what_was_kept);
