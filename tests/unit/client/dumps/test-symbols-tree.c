/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The files that perf gets to see, and its results with them. */

#include "fd-file.h"
#include "made-program.h"
#include "symbol-file.h"
#include "symbols-file.h"
#include "symbols-tree.h"

/* A program, and a recording with a sample in its function "inner". */
typedef struct Made {
        char *program, *data;
        ino_t inode;
        BuildIdEntry id;
        RecordBuffer records;
        PerfDataReader *reader;
        SymbolsTree tree;
} Made;

#define MADE_EMPTY { .tree = SYMBOLS_TREE_EMPTY }

static void made_done(Made *m) {
        symbols_tree_remove(&m->tree);
        perf_data_reader_free(m->reader);
        record_buffer_done(&m->records);
        free(m->program);
        free(m->data);
}

static bool make(Made *m, const char *flags) {
        struct stat st;

        m->program = made_program("program", made_source, flags);
        m->data = test_path("tree.data");
        if (!m->program)
                return false;
        ck_assert_int_eq(stat(m->program, &st), 0);
        m->inode = st.st_ino;
        return true;
}

static void put_process(Made *m, uint32_t pid, ino_t inode) {
        test_put_map(&m->records, pid, 0x400000, 0x100000, m->program, inode);
        test_put_sample(&m->records, 11, PERF_RECORD_MISC_USER, pid, 0x400000 + made_offset(m->program, "inner"), 100 + pid);
}

static void make_tree(Made *m, const char *kept, size_t n_ids) {
        m->id.path = m->program;
        m->reader = test_recording(m->data, &m->records, &m->id, n_ids);
        ck_assert_ok(symbols_tree_make(&m->tree, kept, m->reader));
}

/* target NULL: the link must not exist. */
static void expect_link(const Made *m, const char *path, const char *target) {
        _cleanup_free_ char *link = path_join(m->tree.path, path + 1);
        _cleanup_free_ char *reached = target ? symbols_tree_reach(&m->tree, target) : NULL;
        char text[PATH_MAX] = "";

        if (!target)
                ck_assert_int_lt(readlink(link, text, sizeof(text) - 1), 0);
        else
                ck_assert_int_gt(readlink(link, text, sizeof(text) - 1), 0);
        ck_assert_str_eq(text, reached ?: "");
}

static void expect_names(const Made *m, bool named) {
        _cleanup_free_ char *seen = NULL;

        if (!test_have_perf())
                return;
        seen = test_command("HOME=/nowhere perf script -i %s --symfs %s -F ip,sym 2>/dev/null", m->data, m->tree.path);
        ck_assert_ptr_nonnull(seen);
        ck_assert_ptr_nonnull(strstr(seen, named ? "inner" : "[unknown]"));
        ck_assert_ptr_null(strstr(seen, named ? "[unknown]" : "inner"));
}

START_TEST(a_known_file) {
        _cleanup_(made_done) Made m = MADE_EMPTY;

        if (!make(&m, "-Wl,--build-id"))
                return;
        m.id.id = made_build_id(m.program);
        put_process(&m, 7, m.inode + 1); /* as after a copy: the build id is enough */
        make_tree(&m, NULL, 1);
        expect_link(&m, m.program, m.program);
        expect_names(&m, true);
}
END_TEST

START_TEST(another_file) {
        _cleanup_(made_done) Made m = MADE_EMPTY;

        if (!make(&m, "-Wl,--build-id"))
                return;
        m.id.id = made_build_id(m.program);
        m.id.id.bytes[0] ^= 1;
        put_process(&m, 7, m.inode);
        make_tree(&m, NULL, 1);
        expect_link(&m, m.program, NULL);
        expect_names(&m, false);
}
END_TEST

START_TEST(no_build_id) {
        _cleanup_(made_done) Made m = MADE_EMPTY;

        if (!make(&m, "-Wl,--build-id"))
                return;
        put_process(&m, 7, m.inode + 1);
        make_tree(&m, NULL, 0);
        expect_link(&m, m.program, NULL);
        expect_names(&m, false);
}
END_TEST

/* The table has the build id of the current file, which is beside the dump as well. */
START_TEST(a_replaced_file) {
        _cleanup_free_ char *kept = test_path("replaced.kept"), *output = NULL;
        char id_path[SYMBOLS_ID_PATH_SIZE];
        _cleanup_(made_done) Made m = MADE_EMPTY;

        if (!make(&m, "-Wl,--build-id"))
                return;
        m.id.id = made_build_id(m.program);
        symbols_id_path(&m.id.id, id_path);
        output = test_command("mkdir -p %s$(dirname %s) && cp %s %s%s", kept, id_path, m.program, kept, id_path);
        ck_assert_ptr_nonnull(output);
        put_process(&m, 7, m.inode + 1);
        put_process(&m, 8, m.inode);
        make_tree(&m, kept, 1);
        expect_link(&m, m.program, NULL);
        expect_link(&m, id_path, NULL);
        expect_names(&m, false);
}
END_TEST

/* The same file under another name keeps its symbols, though there is no file for its build id. */
START_TEST(the_same_build_elsewhere) {
        _cleanup_free_ char *copy = test_path("copy"), *output = NULL;
        _cleanup_(made_done) Made m = MADE_EMPTY;
        char id_path[SYMBOLS_ID_PATH_SIZE];
        BuildIdEntry ids[2];

        if (!make(&m, "-Wl,--build-id"))
                return;
        output = test_command("cp %s %s", m.program, copy);
        m.id = (BuildIdEntry) { .path = m.program, .id = made_build_id(m.program) };
        ids[0] = ids[1] = m.id;
        ids[1].path = copy;
        put_process(&m, 7, m.inode + 1);
        put_process(&m, 8, m.inode);
        test_put_map(&m.records, 9, 0x400000, 0x100000, copy, m.inode + 2);
        m.reader = test_recording(m.data, &m.records, ids, ELEMENTSOF(ids));
        ck_assert_ok(symbols_tree_make(&m.tree, NULL, m.reader));
        expect_link(&m, m.program, NULL);
        expect_link(&m, copy, copy);
        expect_link(&m, symbols_id_path(&ids[1].id, id_path), NULL);
}
END_TEST

/* Two users have files of one build id at one path, and each its own names. */
START_TEST(different_files_of_a_build) {
        _cleanup_free_ char *kept = test_path("twins.kept"), *output = NULL;
        char a[SYMBOLS_INODE_PATH_SIZE], b[SYMBOLS_INODE_PATH_SIZE], id_path[SYMBOLS_ID_PATH_SIZE];
        _cleanup_(made_done) Made m = MADE_EMPTY;
        BuildIdEntry ids[2];

        if (!make(&m, "-Wl,--build-id"))
                return;
        (void) symbols_inode_path(&(DsoHit) { .path = m.program, .inode = 4711 }, a);
        (void) symbols_inode_path(&(DsoHit) { .path = m.program, .inode = 4712 }, b);
        output = test_command("mkdir -p %s$(dirname %s) && cp %s %s%s && cp %s %s%s", kept, a, m.program, kept, a, m.program, kept, b);
        ck_assert_ptr_nonnull(output);
        m.id = (BuildIdEntry) { .path = m.program, .id = made_build_id(m.program) };
        ids[0] = ids[1] = m.id;
        put_process(&m, 7, 4711);
        put_process(&m, 8, 4712);
        m.reader = test_recording(m.data, &m.records, ids, ELEMENTSOF(ids));
        ck_assert_ok(symbols_tree_make(&m.tree, kept, m.reader));
        expect_link(&m, m.program, NULL);
        expect_link(&m, symbols_id_path(&m.id.id, id_path), NULL);
        expect_names(&m, false);
}
END_TEST

static const char deep_source[] =
        "static volatile unsigned long n;\n"
        "__attribute__((noinline)) static void innermost(void) { for (unsigned long i = 0; i < 100000000; i++) n += i; n++; }\n"
        "__attribute__((noinline)) static void between(void) { innermost(); n++; }\n"
        "int main(void) { between(); return n == 0; }\n";

/* Makes the part of the program that a recorder keeps, which has no unwind tables. */
static void keep(const Made *m, const char *kept) {
        BuildId id = made_build_id(m->program);
        char id_path[SYMBOLS_ID_PATH_SIZE];
        _cleanup_free_ char *path = path_join(kept, symbols_id_path(&id, id_path) + 1);
        free(test_command("mkdir -p $(dirname %s)", path));
        _cleanup_close_ int in = open(m->program, O_RDONLY | O_CLOEXEC), out = -EBADF;
        ElfImage e = ELF_IMAGE_EMPTY;
        uint64_t size;

        out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        ck_assert_ok(elf_image_open(&e, in));
        ck_assert_ok(symbol_file_write(&e, NULL, out, 1 << 20, &size));
        elf_image_done(&e);
}

/* In a copied stack perf finds the callers by the binary itself, which still exists. */
START_TEST(copied_stacks) {
        _cleanup_free_ char *kept = test_path("stacks.kept"), *said = NULL, *seen = NULL;
        _cleanup_(made_done) Made m = {
                .program = made_program("deep", deep_source, "-fomit-frame-pointer -Wl,--build-id"),
                .data = test_path("stacks.data"),
                .tree = SYMBOLS_TREE_EMPTY,
        };

        if (!m.program || !test_have_perf())
                return;
        said = test_command("HOME=/nowhere perf record -q -N -e cpu-clock:u -F 99 --call-graph dwarf,4096 -o %s %s 2>&1", m.data,
                            m.program);
        if (!said)
                return; /* no event can be opened here */
        keep(&m, kept);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, m.data, &m.reader));
        ck_assert_ok(symbols_tree_make(&m.tree, kept, m.reader));
        expect_link(&m, m.program, m.program);
        seen = test_command("HOME=/nowhere perf script -i %s --symfs %s --no-inline -F ip,sym 2>/dev/null", m.data, m.tree.path);
        ck_assert_ptr_nonnull(seen);
        ck_assert_ptr_nonnull(strstr(seen, "innermost"));
        ck_assert_ptr_nonnull(strstr(seen, "between"));
        ck_assert_ptr_nonnull(strstr(seen, "main"));
}
END_TEST

/* Symbols that only perf-recorder's readers find are linked where perf looks. */
START_TEST(kept_by_inode) {
        _cleanup_free_ char *kept = test_path("inode.kept"), *output = NULL, *expected = NULL, *real = NULL;
        char place[SYMBOLS_INODE_PATH_SIZE];
        _cleanup_(made_done) Made m = MADE_EMPTY;

        if (!make(&m, "-Wl,--build-id=none"))
                return;
        symbols_inode_path(&(DsoHit) { .path = m.program, .inode = 4711 }, place);
        output = test_command("mkdir -p %s$(dirname %s) && cp %s %s%s", kept, place, m.program, kept, place);
        ck_assert_ptr_nonnull(output);
        real = realpath(kept, NULL);
        expected = path_join(real, place + 1);
        put_process(&m, 7, 4711);
        make_tree(&m, kept, 0);
        expect_link(&m, m.program, expected);
        expect_names(&m, true);
}
END_TEST

TEST_RUN("symbols-tree", a_known_file, another_file, no_build_id, a_replaced_file, the_same_build_elsewhere,
         different_files_of_a_build, copied_stacks, kept_by_inode);
