/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "map-record.h"
#include "record.h"
#include "scratch.h"
#include "symbol-keeper.h"

#define PROGRAM "/proc/self/exe"

static const PerfDataEvent event = {
        .attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID },
};

static void put_sample(RecordBuffer *b, uint16_t cpumode, uint32_t pid, uint64_t ip) {
        struct {
                struct perf_event_header header;
                uint64_t ip;
                uint32_t pid, tid;
        } s = { { .type = PERF_RECORD_SAMPLE, .misc = cpumode, .size = sizeof(s) }, ip, pid, pid };

        byte_buffer_put(b, &s, sizeof(s));
}

static void put_map(RecordBuffer *b, uint32_t pid, uint64_t start, const char *path, uint16_t cpumode) {
        ck_assert_int_eq(record_put_mmap(b, &(RecordMap) { .pid = pid, .tid = pid, .start = start, .length = 0x1000, .path = path,
                                                           .misc = cpumode }, NULL), 0);
}

static DsoHits *feed(const RecordBuffer *b) {
        struct iovec segment = record_buffer_iovec(b);
        DsoHits *h = NULL;

        ck_assert_int_eq(dso_hits_new(&event, 1, &h), 0);
        ck_assert_int_eq(dso_hits_feed_segments(h, &segment, 1), 0);
        return h;
}

/* Samples in two binaries, one of which is not there, in the kernel, and in code that process 7 made. */
static DsoHits *made_hits(void) {
        RecordBuffer b = {};
        DsoHits *h;

        put_map(&b, MAP_RECORD_KERNEL_PID, UINT64_C(0xffffffff81000000), "[kernel.kallsyms]_text", PERF_RECORD_MISC_KERNEL);
        put_map(&b, 7, 0x1000, "/bin/program", PERF_RECORD_MISC_USER);
        put_map(&b, 7, 0x2000, "/bin/gone", PERF_RECORD_MISC_USER);
        put_map(&b, 7, 0x3000, "//anon", PERF_RECORD_MISC_USER);
        put_sample(&b, PERF_RECORD_MISC_USER, 7, 0x1010);
        put_sample(&b, PERF_RECORD_MISC_USER, 7, 0x2010);
        put_sample(&b, PERF_RECORD_MISC_USER, 7, 0x3010);
        put_sample(&b, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffff81000010));
        h = feed(&b);
        record_buffer_done(&b);
        return h;
}

static void made_machine(const char *dir) {
        _cleanup_free_ char *program = NULL;
        size_t size;

        ck_assert_int_eq(read_file(PROGRAM, 1 << 28, &program, &size), 0);
        scratch_write(dir, "bin/program", program, size);
        scratch_write_text(dir, "proc/kallsyms", "ffffffff81000000 T _text\nffffffff81001000 T _etext\n");
        scratch_write_text(dir, "tmp/perf-7.map", "3000 100 made\n");
        scratch_write_text(dir, "dumps/perf.data.1", "");
        scratch_write_text(dir, "dumps/perf.data.2", "");
        scratch_write_text(dir, "dumps/perf.data", "");
}

static int open_dumps(const char *dir) {
        _cleanup_free_ char *path = path_join(dir, "dumps");

        return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static SymbolsKept keep(SymbolKeeper *k, int fd, const char *dump) {
        _cleanup_dso_hits_free_ DsoHits *h = made_hits();
        SymbolsKept kept = {};

        ck_assert_int_eq(symbol_keeper_keep(k, fd, dump, h, &kept), 0);
        return kept;
}

static struct stat stat_at(int fd, const char *path) {
        struct stat st;

        ck_assert_msg(fstatat(fd, path, &st, 0) == 0, "%s: %s", path, strerror(errno));
        return st;
}

static void assert_linked(int fd, const char *a, const char *b, bool linked) {
        ck_assert((stat_at(fd, a).st_ino == stat_at(fd, b).st_ino) == linked);
}

START_TEST(test_a_folder) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_close_ int fd = -EBADF;
        _cleanup_free_ char *left = NULL;
        SymbolsKept kept;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        kept = keep(k, fd, "perf.data.1");
        ck_assert_uint_eq(kept.files, 4);
        ck_assert_uint_eq(kept.not_found, 1);
        ck_assert_uint_eq(kept.too_large, 0);
        (void) stat_at(fd, "symbols.1/bin/program");
        (void) stat_at(fd, "symbols.1/vmlinux");
        (void) stat_at(fd, "symbols.1/proc/kallsyms");
        (void) stat_at(fd, "symbols.1/tmp/perf-7.map");
        ck_assert_int_eq(read_file_at(fd, "symbols.1/left-out", 4096, &left, NULL), 0);
        ck_assert_str_eq(left, "/bin/gone: No such file or directory");
}
END_TEST

START_TEST(test_what_is_there_is_linked) {
        static const char *const paths[] = { "bin/program", "vmlinux", "proc/kallsyms", "tmp/perf-7.map" };
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL, *next = NULL;
        _cleanup_close_ int fd = -EBADF;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        (void) keep(k, fd, "perf.data.1");
        ck_assert_uint_eq(keep(k, fd, "perf.data.2").files, 4);
        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                char a[64], b[64];

                (void) snprintf(a, sizeof(a), "symbols.1/%s", paths[i]);
                (void) snprintf(b, sizeof(b), "symbols.2/%s", paths[i]);
                assert_linked(fd, a, b, true);
        }
        /* The next recorder knows by the build id alone. */
        scratch_write_text(dir, "dumps/perf.data.3", "");
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &next), 0);
        (void) keep(next, fd, "perf.data.3");
        assert_linked(fd, "symbols.2/bin/program", "symbols.3/bin/program", true);
}
END_TEST

START_TEST(test_what_changed_is_not) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_close_ int fd = -EBADF;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        (void) keep(k, fd, "perf.data.1");
        scratch_write_text(dir, "tmp/perf-7.map", "3000 100 made\n4000 100 more\n");
        scratch_write_text(dir, "proc/modules", "a_module 4096 0 - Live 0xffffffffc0000000\n");
        ck_assert_int_eq(system("true"), 0);
        (void) keep(k, fd, "perf.data.2");
        assert_linked(fd, "symbols.1/tmp/perf-7.map", "symbols.2/tmp/perf-7.map", false);
        assert_linked(fd, "symbols.1/vmlinux", "symbols.2/vmlinux", false);
        assert_linked(fd, "symbols.1/bin/program", "symbols.2/bin/program", true);
}
END_TEST

START_TEST(test_after_the_folder_was_removed) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_free_ char *command = NULL;
        _cleanup_close_ int fd = -EBADF;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        (void) keep(k, fd, "perf.data.1");
        ck_assert_int_gt(asprintf(&command, "rm -r %s/dumps/symbols.1", dir), 0);
        ck_assert_int_eq(system(command), 0);
        ck_assert_uint_eq(keep(k, fd, "perf.data.2").files, 4);
}
END_TEST

START_TEST(test_too_large) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_close_ int fd = -EBADF;
        _cleanup_free_ char *left = NULL;
        SymbolsKept kept;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 4096, &k), 0); /* a kilobyte for each file */
        kept = keep(k, fd, "perf.data.1");
        ck_assert_uint_ge(kept.too_large, 1);
        ck_assert_uint_le(kept.bytes, 4096);
        ck_assert_int_lt(faccessat(fd, "symbols.1/bin/program", F_OK, 0), 0);
        ck_assert_int_eq(read_file_at(fd, "symbols.1/left-out", 4096, &left, NULL), 0);
        ck_assert(strstr(left, "/bin/program: too large"));
}
END_TEST

START_TEST(test_the_file_of_the_whole_recording) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL, *next = NULL;
        _cleanup_close_ int fd = -EBADF;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        (void) keep(k, fd, "perf.data");
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &next), 0);
        (void) keep(next, fd, "perf.data");
        assert_linked(fd, "symbols", "symbols.old", false);
}
END_TEST

START_TEST(test_a_dump_that_is_gone) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_close_ int fd = -EBADF;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        (void) keep(k, fd, "perf.data.9");
        ck_assert_int_lt(faccessat(fd, "symbols.9", F_OK, 0), 0);
        ck_assert_int_lt(faccessat(fd, ".#symbols.9", F_OK, 0), 0);
}
END_TEST

START_TEST(test_ordered) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = -EBADF;
        SymbolKeeper *k = NULL;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        ck_assert_int_eq(symbol_keeper_order(k, fd, "perf.data.1", made_hits()), 0);
        ck_assert_int_eq(symbol_keeper_order(k, fd, "perf.data.2", made_hits()), 0);
        ck_assert_ptr_null(symbol_keeper_free(k)); /* all is done */
        assert_linked(fd, "symbols.1/vmlinux", "symbols.2/vmlinux", true);
        ck_assert_ptr_null(symbol_keeper_free(NULL));
}
END_TEST

CHECK_MAIN("symbol-keeper", test_a_folder, test_what_is_there_is_linked, test_what_changed_is_not,
           test_after_the_folder_was_removed, test_too_large, test_the_file_of_the_whole_recording, test_a_dump_that_is_gone, test_ordered);
