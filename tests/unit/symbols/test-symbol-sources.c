/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files of a binary in a directory of symbols, below a root, and in a cache by build ids. */

#include "elf-image.h"
#include "made-program.h"
#include "symbol-sources.h"

typedef struct Made {
        char *program, *directory, *root, *cache;
        DsoHit dso;
        char id[BUILD_ID_TEXT_SIZE];
} Made;

static void made_done(Made *m) {
        free(m->program);
        free(m->directory);
        free(m->root);
        free(m->cache);
}

/* Makes a program, and has the shell put files of it where they are to be found: $P is the program, $D, $R and $C are the places, $I is
 * the build id behind its first byte, which is $A. The binary is called /bin/program in recordings. */
static void make(Made *m, const char *script) {
        _cleanup_free_ char *output = NULL;

        m->program = made_program("sources", made_source, "-g -Wl,--build-id");
        if (!m->program)
                exit(TEST_SKIPPED);
        m->directory = test_path("directory");
        m->root = test_path("root");
        m->cache = test_path("cache");
        m->dso = (DsoHit) { .path = "/bin/program", .cpumode = PERF_RECORD_MISC_USER, .id = made_build_id(m->program) };
        build_id_format(&m->dso.id, m->id);
        output = test_command("set -e; P=%s D=%s R=%s C=%s A=%.2s I=%s; rm -rf $D $R $C; mkdir -p $D/bin $R/bin $C; %s",
                              m->program, m->directory, m->root, m->cache, m->id, m->id + 2, script);
        ck_assert_ptr_nonnull(output);
}

static SymbolSources sources_of(const Made *m) {
        return (SymbolSources) { .directory = m->directory, .root = m->root, .cache = m->cache };
}

/* Returns the path of an open file. */
static const char *path_of(int fd, char path[static PATH_MAX]) {
        char link[64];
        ssize_t n;

        (void) snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
        n = readlink(link, path, PATH_MAX - 1);
        ck_assert_int_gt(n, 0);
        path[n] = '\0';
        return path;
}

static void assert_binary(const Made *m, const SymbolSources *s, const char *expected) {
        char path[PATH_MAX];
        _cleanup_close_ int fd = symbol_sources_open_binary(s, &m->dso, NULL, NULL);

        ck_assert_int_ge(fd, 0);
        ck_assert_ptr_nonnull(strstr(path_of(fd, path), expected));
}

START_TEST(in_this_order) {
        _cleanup_(made_done) Made m = {};
        SymbolSources s;

        make(&m, "cp $P $D/bin/program; cp $P $R/bin/program; mkdir -p $C/.build-id/$A/$I; cp $P $C/.build-id/$A/$I/elf");
        s = sources_of(&m);
        assert_binary(&m, &s, "/directory/bin/program");
        s.directory = NULL;
        assert_binary(&m, &s, "/root/bin/program");
        s.root = NULL;
        assert_binary(&m, &s, "/elf");
        s.cache = NULL;
        ck_assert_int_eq(symbol_sources_open_binary(&s, &m.dso, NULL, NULL), -ENOENT);
        s = sources_of(&m);
        m.dso.id.bytes[0] ^= 1;
        ck_assert_int_eq(symbol_sources_open_binary(&s, &m.dso, NULL, NULL), -ESTALE);
}
END_TEST

/* Nothing is known of the file that was recorded: only the user can know that it is this one. */
START_TEST(named_by_the_user) {
        _cleanup_(made_done) Made m = {};
        SymbolSources s;

        make(&m, "cp $P $D/bin/program");
        m.dso.id.size = 0;
        m.dso.inode = 1;
        s = sources_of(&m);
        ck_assert_int_eq(symbol_sources_open_binary(&s, &m.dso, NULL, NULL), -ESTALE);
        s.named = true;
        assert_binary(&m, &s, "/directory/bin/program");
}
END_TEST

/* A file of symbols has the places of the code, and not the code. */
START_TEST(code) {
        _cleanup_(made_done) Made m = {};
        char path[PATH_MAX];
        SymbolSources s;
        int fd;

        make(&m, "objcopy --only-keep-debug $P $D/bin/program; mkdir -p $D/.build-id/$A; cp $D/bin/program $D/.build-id/$A/$I.debug");
        s = sources_of(&m);
        assert_binary(&m, &s, "/.build-id/");
        ck_assert_int_lt(symbol_sources_open_code(&s, &m.dso), 0);
        free(test_command("cp %s %s/bin/program", m.program, m.root));
        fd = symbol_sources_open_code(&s, &m.dso);
        ck_assert_int_ge(fd, 0);
        ck_assert_ptr_nonnull(strstr(path_of(fd, path), "/root/bin/program"));
        (void) safe_close(fd);
}
END_TEST

static int open_separate(const Made *m, const SymbolSources *s) {
        _cleanup_close_ int fd = open(m->program, O_RDONLY | O_CLOEXEC);
        ElfImage e = ELF_IMAGE_EMPTY;
        int r;

        ck_assert_ok(elf_image_open(&e, fd));
        r = symbol_sources_open_separate(s, "/bin/program", fd, &e, NULL, NULL);
        elf_image_done(&e);
        return r;
}

/* The separate file may be in each of the places. */
START_TEST(separate) {
        static const char *const places[] = { "$D/.build-id/$A/$I.debug", "$D/usr/lib/debug/.build-id/$A/$I.debug", "$C/.build-id/$A/$I/debug" };

        for (size_t i = 0; i < ELEMENTSOF(places); i++) {
                _cleanup_free_ char *script = NULL;
                _cleanup_(made_done) Made m = {};
                _cleanup_close_ int fd = -EBADF;
                SymbolSources s;

                ck_assert_int_gt(asprintf(&script, "F=%s; mkdir -p $(dirname $F); objcopy --only-keep-debug $P $F", places[i]), 0);
                make(&m, script);
                s = sources_of(&m);
                fd = open_separate(&m, &s);
                ck_assert_int_ge(fd, 0);
        }
}
END_TEST

/* A living process has the files of its own root. */
START_TEST(living) {
        _cleanup_(made_done) Made m = {};
        SymbolSources s = { .living = true };

        make(&m, "cp $P $R/bin/program");
        m.dso.path = m.program;
        m.dso.pid = (uint32_t) getpid();
        assert_binary(&m, &s, m.program);
        m.dso.pid = 4194305; /* more than there can be */
        ck_assert_int_eq(symbol_sources_open_binary(&s, &m.dso, NULL, NULL), -ENOENT);
        s.living = false;
        m.dso.pid = (uint32_t) getpid();
        ck_assert_int_eq(symbol_sources_open_binary(&s, &m.dso, NULL, NULL), -ENOENT);
}
END_TEST

TEST_RUN("symbol-sources", in_this_order, living, named_by_the_user, code, separate);
