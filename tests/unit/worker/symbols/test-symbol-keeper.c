/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "check-main.h"
#include "elf-build-id.h"
#include "fd-file.h"
#include "jit-dump.h"
#include "map-record.h"
#include "parse-time.h"
#include "record.h"
#include "scratch.h"
#include "skip.h"
#include "symbol-keeper.h"
#include "symbols-file.h"
#include "vdso-image.h"

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

/* Puts a sample in that file, as a process of that number maps it by path. */
static void put_hit(RecordBuffer *b, const char *dir, const char *file, uint32_t pid, const char *path) {
        static uint64_t start = 0x100000;
        _cleanup_free_ char *there = path_join(dir, file);
        struct stat st;

        ck_assert_int_eq(stat(there, &st), 0);
        start += 0x1000;
        ck_assert_int_eq(record_put_mmap2(b, &(RecordMap) { .pid = pid, .tid = pid, .start = start, .length = 0x1000, .path = path,
                                                            .misc = PERF_RECORD_MISC_USER, .inode = st.st_ino,
                                                            .major = major(st.st_dev), .minor = minor(st.st_dev) }, NULL), 0);
        put_sample(b, PERF_RECORD_MISC_USER, pid, start + 0x10);
}

static DsoHits *feed(const RecordBuffer *b) {
        struct iovec segment = record_buffer_iovec(b);
        DsoHits *h = NULL;

        ck_assert_int_eq(dso_hits_new(&event, 1, false, &h), 0);
        ck_assert_int_eq(dso_hits_feed_segments(h, &segment, 1), 0);
        return h;
}

/* Makes samples in two binaries, one of which does not exist, in the kernel, and in code that process 7 generated. */
static DsoHits *made_hits(const char *dir) {
        RecordBuffer b = {};
        DsoHits *h;

        put_map(&b, MAP_RECORD_KERNEL_PID, UINT64_C(0xffffffff81000000), "[kernel.kallsyms]_text", PERF_RECORD_MISC_KERNEL);
        put_hit(&b, dir, "bin/program", 7, "/bin/program");
        put_map(&b, 7, 0x2000, "/bin/gone", PERF_RECORD_MISC_USER);
        put_map(&b, 7, 0x3000, "//anon", PERF_RECORD_MISC_USER);
        put_sample(&b, PERF_RECORD_MISC_USER, 7, 0x2010);
        put_sample(&b, PERF_RECORD_MISC_USER, 7, 0x3010);
        put_sample(&b, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffff81000010));
        h = feed(&b);
        record_buffer_done(&b);
        return h;
}

/* Makes a process with a root of its own. */
static void make_process(const char *dir, unsigned pid) {
        char path[64], status[64];
        _cleanup_free_ char *link = NULL, *there = NULL, *own = path_join(dir, "proc/self/ns/user"), *its = NULL;

        (void) snprintf(path, sizeof(path), "proc/%u/status", pid);
        (void) snprintf(status, sizeof(status), "Name:\tx\nUid:\t%u\t0\t0\t0\n", geteuid());
        scratch_write_text(dir, path, status);
        (void) snprintf(path, sizeof(path), "proc/%u/ns/mnt", pid);
        scratch_write_text(dir, path, "");
        (void) snprintf(path, sizeof(path), "container-%u/tmp/x", pid);
        scratch_write_text(dir, path, "");
        ck_assert_int_gt(asprintf(&link, "%s/proc/%u/root", dir, pid), 0);
        ck_assert_int_gt(asprintf(&there, "%s/container-%u", dir, pid), 0);
        ck_assert_int_gt(asprintf(&its, "%s/proc/%u/ns/user", dir, pid), 0);
        ck_assert_int_eq(symlink(there, link), 0);
        scratch_write_text(dir, "proc/self/ns/user", "");
        ck_assert_int_eq(linkat(AT_FDCWD, own, AT_FDCWD, its, 0), 0);
}

static void made_machine(const char *dir) {
        _cleanup_free_ char *program = NULL;
        size_t size;

        ck_assert_int_eq(read_file(PROGRAM, 1 << 28, &program, &size), 0);
        scratch_write(dir, "bin/program", program, size);
        scratch_write_text(dir, "proc/kallsyms", "ffffffff81000000 T _text\nffffffff81001000 T _etext\n");
        make_process(dir, 7);
        scratch_write_text(dir, "container-7/tmp/perf-7.map", "3000 100 made\n");
        scratch_write_text(dir, "dumps/perf.data.1", "");
        scratch_write_text(dir, "dumps/perf.data.2", "");
        scratch_write_text(dir, "dumps/perf.data", "");
}

static int open_dumps(const char *dir) {
        _cleanup_free_ char *path = path_join(dir, "dumps");

        return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static SymbolsKept keep(SymbolKeeper *k, const char *dir, int fd, const char *dump) {
        _cleanup_dso_hits_free_ DsoHits *h = made_hits(dir);
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
        kept = keep(k, dir, fd, "perf.data.1");
        ck_assert_uint_eq(kept.files, 4);
        ck_assert_uint_eq(kept.left_out, 1);
        ck_assert_uint_eq(kept.too_large, 0);
        (void) stat_at(fd, "symbols.1/bin/program");
        (void) stat_at(fd, "symbols.1/vmlinux");
        (void) stat_at(fd, "symbols.1/proc/kallsyms");
        (void) stat_at(fd, "symbols.1/tmp/perf-7.map");
        ck_assert_int_eq(read_file_at(fd, "symbols.1/left-out", 4096, &left, NULL), 0);
        ck_assert_str_eq(left, "/bin/gone: No such file or directory\n");
}
END_TEST

START_TEST(test_the_vdso) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_close_ int fd = -EBADF, vdso = vdso_image_open(NULL);
        char place[SYMBOLS_ID_PATH_SIZE], path[SYMBOLS_ID_PATH_SIZE + 32];
        RecordBuffer b = {};
        BuildId id, kept;

        if (vdso < 0)
                return; /* the kernel maps none into this process */
        ck_assert_int_eq(build_id_of_fd(vdso, &id), 0);
        made_machine(dir);
        fd = open_dumps(dir);
        put_map(&b, 7, 0x3000, "[vdso]", PERF_RECORD_MISC_USER);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        for (unsigned i = 1; i <= 2; i++) {
                _cleanup_dso_hits_free_ DsoHits *h = feed(&b);
                char dump[32];

                (void) snprintf(dump, sizeof(dump), "perf.data.%u", i);
                ck_assert_int_eq(symbol_keeper_keep(k, fd, dump, h, NULL), 0);
                (void) snprintf(path, sizeof(path), "symbols.%u%s", i, symbols_id_path(&id, place));
                ck_assert_int_eq(build_id_of_file(fd, path, &kept), 0);
                ck_assert(build_id_equal(&id, &kept));
        }
        ck_assert_uint_eq(stat_at(fd, path).st_nlink, 2);
        record_buffer_done(&b);
}
END_TEST

/* A jitdump with one function of 256 bytes at 0x3000. */
static void make_jit_dump(const char *dir, const char *path) {
        struct {
                uint32_t header[6];
                uint64_t time, flags;
                uint32_t id, size;
                uint64_t load_time;
                uint32_t pid, tid;
                uint64_t address, code, code_size, index;
                char name[8];
                uint8_t bytes[256];
        } f = {
                .header = { 0x4a695444, 1, 40, 62, 0, 7 }, .id = 0, .size = 16 + 40 + 8 + 256, .load_time = 5, .pid = 7,
                .address = 0x3000, .code = 0x3000, .code_size = 256, .name = "made_it",
        };

        _Static_assert(sizeof(f) == 40 + 16 + 40 + 8 + 256, "fields follow each other");
        scratch_write(dir, path, &f, sizeof(f));
}

/* Puts the map of a jitdump; with sample, process pid has a sample in generated code. */
static void put_jit_dump(RecordBuffer *b, const char *dir, const char *path, uint32_t pid, bool sample) {
        _cleanup_free_ char *there = path_join(dir, path + 1);
        struct stat st;

        make_jit_dump(dir, path + 1);
        ck_assert_int_eq(stat(there, &st), 0);
        ck_assert_int_eq(record_put_mmap2(b, &(RecordMap) { .pid = pid, .tid = pid, .start = 0x1000, .length = 0x1000, .path = path,
                                                            .misc = PERF_RECORD_MISC_USER, .inode = st.st_ino,
                                                            .major = major(st.st_dev), .minor = minor(st.st_dev) }, NULL), 0);
        put_map(b, pid, 0x3000, "//anon", PERF_RECORD_MISC_USER);
        if (sample)
                put_sample(b, PERF_RECORD_MISC_USER, pid, 0x3010);
}

/* The process has ended, and so has another one, which has no samples. */
START_TEST(test_a_jit_dump) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        _cleanup_close_ int fd = -EBADF, kept = -EBADF;
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        _cleanup_free_ char *folder = NULL, *there = NULL;
        char place[PATH_MAX];
        RecordBuffer b = {};
        SymbolsKept facts;
        struct stat st;
        Symbol symbol;
        DsoHit hit;

        scratch_write_text(dir, "dumps/perf.data.1", "");
        fd = open_dumps(dir);
        put_jit_dump(&b, dir, "/srv/jit-70.dump", 70, true);
        put_jit_dump(&b, dir, "/srv/jit-71.dump", 71, false);
        h = feed(&b);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.1", h, &facts), 0);
        ck_assert_uint_eq(facts.files, 1);
        ck_assert_uint_eq(facts.left_out, 0);
        there = path_join(dir, "srv/jit-70.dump");
        folder = path_join(dir, "dumps/symbols.1");
        ck_assert_int_eq(stat(there, &st), 0);
        hit = (DsoHit) { .path = "/srv/jit-70.dump", .cpumode = PERF_RECORD_MISC_USER, .pid = 70, .inode = st.st_ino,
                         .major = major(st.st_dev), .minor = minor(st.st_dev) };
        kept = symbols_open_kept(folder, &hit, place);
        ck_assert_int_ge(kept, 0);
        ck_assert_int_eq(symbol_table_new(&t), 0);
        ck_assert_int_eq(symbol_table_add_jit_dump(t, kept), 0);
        symbol_table_sort(t);
        ck_assert(symbol_table_find(t, 0x10, &symbol));
        ck_assert_str_eq(symbol.name, "made_it");
        ck_assert_int_eq(fstat(kept, &st), 0);
        ck_assert_int_eq(st.st_size, 40 + 16 + 40 + 8);
        record_buffer_done(&b);
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
        (void) keep(k, dir, fd, "perf.data.1");
        ck_assert_uint_eq(keep(k, dir, fd, "perf.data.2").files, 4);
        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                char a[64], b[64];

                (void) snprintf(a, sizeof(a), "symbols.1/%s", paths[i]);
                (void) snprintf(b, sizeof(b), "symbols.2/%s", paths[i]);
                assert_linked(fd, a, b, true);
        }
        /* The next recorder only needs the build id. */
        scratch_write_text(dir, "dumps/perf.data.3", "");
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &next), 0);
        (void) keep(next, dir, fd, "perf.data.3");
        assert_linked(fd, "symbols.2/bin/program", "symbols.3/bin/program", true);
}
END_TEST

/* Strips the machine's program; its separate file is not where it is looked for. */
static void strip_program(const char *dir) {
        _cleanup_free_ char *command = NULL;

        ck_assert_int_gt(asprintf(&command, "cd %s/bin && objcopy --only-keep-debug program program.debug && "
                                            "strip -s program && objcopy --add-gnu-debuglink=program.debug program && "
                                            "mv program.debug ..", dir), 0);
        ck_assert_int_eq(system(command), 0);
}

static void install_separate(const char *dir, const char *place) {
        _cleanup_free_ char *command = NULL;

        ck_assert_int_gt(asprintf(&command, "install -D %s/program.debug %s%s", dir, dir, place), 0);
        ck_assert_int_eq(system(command), 0);
}

static bool is_stripped(int fd, const char *path) {
        _cleanup_close_ int file = openat(fd, path, O_RDONLY | O_CLOEXEC);

        ck_assert_int_ge(file, 0);
        return symbols_are_stripped(file);
}

/* The separate file is installed after the second dump; restart: and so is the recorder. */
static void keep_with_late_separate(const char *place, bool restart) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_close_ int fd = -EBADF;

        made_machine(dir);
        strip_program(dir);
        scratch_write_text(dir, "dumps/perf.data.3", "");
        scratch_write_text(dir, "dumps/perf.data.4", "");
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 256 << 20, &k), 0);
        (void) keep(k, dir, fd, "perf.data.1");
        (void) keep(k, dir, fd, "perf.data.2");
        ck_assert(is_stripped(fd, "symbols.2/bin/program"));
        assert_linked(fd, "symbols.1/bin/program", "symbols.2/bin/program", true);
        install_separate(dir, place);
        if (restart) {
                k = symbol_keeper_free(k);
                ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 256 << 20, &k), 0);
        }
        ck_assert_uint_eq(keep(k, dir, fd, "perf.data.3").left_out, 1);
        ck_assert(!is_stripped(fd, "symbols.3/bin/program"));
        (void) keep(k, dir, fd, "perf.data.4");
        assert_linked(fd, "symbols.3/bin/program", "symbols.4/bin/program", true);
}

START_TEST(test_a_late_separate_file) {
        char by_id[SYMBOLS_ID_PATH_SIZE];
        BuildId id;

        ck_assert_int_eq(build_id_of_file(AT_FDCWD, PROGRAM, &id), 0);
        (void) symbols_id_path(&id, by_id);
        for (unsigned restart = 0; restart < 2; restart++) {
                keep_with_late_separate(by_id, restart);
                keep_with_late_separate("/usr/lib/debug/bin/program.debug", restart);
        }
}
END_TEST

/* A separate file whose symbols find no room is not tried at each dump. The binary may be gone. */
START_TEST(test_a_separate_file_of_no_use) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        _cleanup_free_ char *program = path_join(dir, "bin/program");
        _cleanup_close_ int fd = -EBADF;
        char by_id[SYMBOLS_ID_PATH_SIZE];
        SymbolsKept kept;
        BuildId id;

        ck_assert_int_eq(build_id_of_file(AT_FDCWD, PROGRAM, &id), 0);
        made_machine(dir);
        strip_program(dir);
        for (char name[] = "dumps/perf.data.3"; name[16] <= '4'; name[16]++)
                scratch_write_text(dir, name, "");
        fd = open_dumps(dir);
        h = made_hits(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 256 << 20, &k), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.1", h, NULL), 0);
        scratch_write_text(dir, symbols_id_path(&id, by_id) + 1, "no ELF file");
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.2", h, NULL), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.3", h, NULL), 0);
        ck_assert(is_stripped(fd, "symbols.3/bin/program"));
        assert_linked(fd, "symbols.2/bin/program", "symbols.3/bin/program", true);
        install_separate(dir, by_id);
        ck_assert_int_eq(unlink(program), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.4", h, &kept), 0);
        ck_assert_uint_eq(kept.left_out, 1);
        assert_linked(fd, "symbols.3/bin/program", "symbols.4/bin/program", true);
}
END_TEST

START_TEST(test_what_changed_is_not) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_close_ int fd = -EBADF;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        (void) keep(k, dir, fd, "perf.data.1");
        scratch_write_text(dir, "container-7/tmp/perf-7.map", "3000 100 made\n4000 100 more\n");
        scratch_write_text(dir, "proc/modules", "a_module 4096 0 - Live 0xffffffffc0000000\n");
        ck_assert_int_eq(system("true"), 0);
        (void) keep(k, dir, fd, "perf.data.2");
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
        (void) keep(k, dir, fd, "perf.data.1");
        ck_assert_int_gt(asprintf(&command, "rm -r %s/dumps/symbols.1", dir), 0);
        ck_assert_int_eq(system(command), 0);
        ck_assert_uint_eq(keep(k, dir, fd, "perf.data.2").files, 4);
}
END_TEST

/* Its process, or the unit's own /tmp, is gone at the dump of its end. The map of another process of that number is not known. */
START_TEST(test_a_map_that_is_gone) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_free_ char *command = NULL;
        _cleanup_close_ int fd = -EBADF;
        RecordBuffer b = {};
        DsoHits *h;

        made_machine(dir);
        scratch_write_text(dir, "dumps/perf.data.3", "");
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        (void) keep(k, dir, fd, "perf.data.1");
        ck_assert_int_gt(asprintf(&command, "rm -r %s/proc/7 %s/container-7", dir, dir), 0);
        ck_assert_int_eq(system(command), 0);
        ck_assert_uint_eq(keep(k, dir, fd, "perf.data.2").files, 4);
        assert_linked(fd, "symbols.1/tmp/perf-7.map", "symbols.2/tmp/perf-7.map", true);
        ck_assert_int_eq(record_put_fork(&b, 7, 1, 7, 1, 5, 0, NULL), 0);
        put_map(&b, 7, 0x3000, "//anon", PERF_RECORD_MISC_USER);
        put_sample(&b, PERF_RECORD_MISC_USER, 7, 0x3010);
        put_hit(&b, dir, "bin/program", 7, "/bin/program");
        h = feed(&b);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.3", h, NULL), 0);
        (void) stat_at(fd, "symbols.3/bin/program");
        ck_assert_int_lt(faccessat(fd, "symbols.3/tmp/perf-7.map", F_OK, 0), 0);
        dso_hits_free(h);
        record_buffer_done(&b);
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
        kept = keep(k, dir, fd, "perf.data.1");
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
        (void) keep(k, dir, fd, "perf.data");
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &next), 0);
        (void) keep(next, dir, fd, "perf.data");
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
        (void) keep(k, dir, fd, "perf.data.9");
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
        ck_assert_int_eq(symbol_keeper_order(k, fd, "perf.data.1", made_hits(dir)), 0);
        ck_assert_int_eq(symbol_keeper_order(k, fd, "perf.data.2", made_hits(dir)), 0);
        ck_assert_ptr_null(symbol_keeper_free(k)); /* everything is finished */
        assert_linked(fd, "symbols.1/vmlinux", "symbols.2/vmlinux", true);
        ck_assert_ptr_null(symbol_keeper_free(NULL));
}
END_TEST

/* Writes the test's own program with another build id, so that two files are two builds. */
static void put_program(const char *dir, const char *name, uint8_t build) {
        _cleanup_free_ char *program = NULL;
        BuildId id;
        uint8_t *at;
        size_t size;

        ck_assert_int_eq(read_file(PROGRAM, 1 << 28, &program, &size), 0);
        ck_assert_int_eq(build_id_of_file(AT_FDCWD, PROGRAM, &id), 0);
        at = memmem(program, size, id.bytes, id.size);
        ck_assert_ptr_nonnull(at);
        at[0] = build;
        at[1] ^= 0xff; /* not the program's own, whatever that begins with */
        scratch_write(dir, name, program, size);
}

static char *list_of(int fd, const char *folder) {
        _cleanup_free_ char *path = path_join(folder, "left-out");
        char *text = NULL;

        return read_file_at(fd, path, 1 << 20, &text, NULL) < 0 ? strdup("") : text;
}

static void assert_build(int fd, const char *path, uint8_t build) {
        BuildId id;

        ck_assert_msg(build_id_of_file(fd, path, &id) == 0, "%s", path);
        ck_assert_uint_eq(id.bytes[0], build);
}

/* Returns the path of a file that put_program() wrote. */
static char *place_of(uint8_t build) {
        BuildId id;
        char path[SYMBOLS_ID_PATH_SIZE], *whole;

        ck_assert_int_eq(build_id_of_file(AT_FDCWD, PROGRAM, &id), 0);
        id.bytes[0] = build;
        id.bytes[1] ^= 0xff;
        ck_assert_int_gt(asprintf(&whole, "symbols.1%s", symbols_id_path(&id, path)), 0);
        return whole;
}

/* Executes a program that is only in memory; returns once that runs. */
static pid_t start_from_memory(int memory) {
        int ends[2];
        char byte;
        pid_t pid;

        ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                (void) fexecve(memory, (char *[]) { (char *) "sleep", (char *) "30", NULL }, (char *[]) { NULL });
                _exit(127);
        }
        (void) close(ends[1]);
        ck_assert_int_eq(read(ends[0], &byte, 1), 0);
        (void) close(ends[0]);
        return pid;
}

START_TEST(test_a_program_in_memory) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_close_ int fd = -EBADF, memory = memfd_create("payload", MFD_CLOEXEC), kept = -EBADF;
        _cleanup_free_ char *program = NULL, *list = NULL, *symbols = path_join(dir, "dumps/symbols.1");
        DsoHit hit = { .path = "/memfd:payload (deleted)" };
        RecordBuffer records = {};
        DsoHits *h;
        SymbolsKept facts;
        char place[PATH_MAX];
        struct stat st;
        size_t size;
        pid_t pid;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(read_file("/bin/sleep", 1 << 28, &program, &size), 0);
        ck_assert_int_eq(write_all(memory, program, size), 0);
        ck_assert_int_eq(fstat(memory, &st), 0);
        pid = start_from_memory(memory);
        ck_assert_int_eq(record_put_mmap2(&records, &(RecordMap) {
                .pid = (uint32_t) pid, .tid = (uint32_t) pid, .start = 0x1000, .length = 0x1000, .path = hit.path,
                .misc = PERF_RECORD_MISC_USER, .inode = st.st_ino, .major = major(st.st_dev), .minor = minor(st.st_dev) }, NULL), 0);
        put_sample(&records, PERF_RECORD_MISC_USER, (uint32_t) pid, 0x1010);
        h = feed(&records);
        ck_assert_int_eq(symbol_keeper_new("", "perf.data", 64 << 20, &k), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.1", h, &facts), 0);
        list = list_of(fd, "symbols.1");
        ck_assert_str_eq(list, "");
        ck_assert_uint_eq(facts.files, 1);
        hit.inode = st.st_ino;
        hit.major = major(st.st_dev);
        hit.minor = minor(st.st_dev);
        kept = symbols_open_kept(symbols, &hit, place);
        ck_assert_int_ge(kept, 0);
        ck_assert_int_eq(kill(pid, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        dso_hits_free(h);
        record_buffer_done(&records);
}
END_TEST

/* The machine and two containers have different files at one path; that of the machine was hit last. */
START_TEST(test_one_path) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_free_ char *a = place_of(1), *b = place_of(2), *list = NULL;
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        _cleanup_close_ int fd = -EBADF;
        DsoHit as_recorded = { .path = "/bin/program" };
        char inode_path[SYMBOLS_INODE_PATH_SIZE], in_folder[SYMBOLS_INODE_PATH_SIZE + 16];
        RecordBuffer records = {};
        SymbolsKept kept = {};
        struct stat st;

        made_machine(dir);
        make_process(dir, 8);
        put_program(dir, "bin/program", 3);
        put_program(dir, "container-7/bin/program", 1);
        put_program(dir, "container-8/bin/program", 2);
        fd = open_dumps(dir);
        put_hit(&records, dir, "container-7/bin/program", 7, "/bin/program");
        put_hit(&records, dir, "container-8/bin/program", 8, "/bin/program");
        put_hit(&records, dir, "bin/program", 9, "/bin/program");
        h = feed(&records);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.1", h, &kept), 0);
        list = list_of(fd, "symbols.1");
        ck_assert_str_eq(list, "");
        ck_assert_uint_eq(kept.files, 3);
        assert_build(fd, "symbols.1/bin/program", 3);
        assert_build(fd, a, 1);
        assert_build(fd, b, 2);
        st = stat_at(fd, "../container-8/bin/program");
        as_recorded.inode = st.st_ino;
        as_recorded.major = major(st.st_dev);
        as_recorded.minor = minor(st.st_dev);
        (void) snprintf(in_folder, sizeof(in_folder), "symbols.1%s", symbols_inode_path(&as_recorded, inode_path));
        assert_linked(fd, in_folder, b, true);
        /* It works again with the existing files. */
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.2", h, &kept), 0);
        ck_assert_uint_eq(kept.files, 3);
        assert_linked(fd, "symbols.1/bin/program", "symbols.2/bin/program", true);
        in_folder[strlen("symbols.")] = '2';
        assert_linked(fd, in_folder, b, true);
        record_buffer_done(&records);
}
END_TEST

/* Makes a copy of the program whose names are another's, but not its build id. */
static void put_twin(const char *dir, const char *name, uid_t owner) {
        _cleanup_free_ char *program = NULL, *path = path_join(dir, name);
        char *at;
        size_t size;

        put_program(dir, name, 3);
        ck_assert_int_eq(read_file(path, 1 << 28, &program, &size), 0);
        while ((at = memmem(program, size, "test_a_folder", strlen("test_a_folder"))))
                memcpy(at, "twin", strlen("twin"));
        scratch_write(dir, name, program, size);
        ck_assert_int_eq(chown(path, owner, (gid_t) -1), 0);
}

static bool has_twins_names(int fd, const char *path) {
        _cleanup_free_ char *symbols = NULL;
        size_t size;

        ck_assert_msg(read_file_at(fd, path, 1 << 28, &symbols, &size) == 0, "%s", path);
        ck_assert(memmem(symbols, size, "test_stopped", strlen("test_stopped")));
        return memmem(symbols, size, "twin_a_folder", strlen("twin_a_folder"));
}

static char *inode_place_of(int fd, const char *folder, const char *file) {
        struct stat st = stat_at(fd, file);
        const DsoHit hit = {
                .path = "/bin/program", .inode = st.st_ino, .major = major(st.st_dev), .minor = minor(st.st_dev),
        };
        char place[SYMBOLS_INODE_PATH_SIZE], *whole;

        ck_assert_int_gt(asprintf(&whole, "%s%s", folder, symbols_inode_path(&hit, place)), 0);
        return whole;
}

/* A user runs a file with the build id and the path of the machine's or of a container's, and other names in it. */
static void keep_twins(bool of_container) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_free_ char *first = NULL, *second = NULL, *id_place = place_of(3);
        _cleanup_dso_hits_free_ DsoHits *alone = NULL, *both = NULL;
        _cleanup_close_ int fd = -EBADF;
        RecordBuffer records = {};

        if (geteuid() != 0)
                SKIP("it takes root to give a file to another user");
        made_machine(dir);
        make_process(dir, 8);
        put_twin(dir, "container-7/bin/program", 1);
        if (of_container)
                put_program(dir, "container-8/bin/program", 3);
        put_program(dir, "bin/program", of_container ? 4 : 3);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        put_hit(&records, dir, "container-7/bin/program", 7, "/bin/program");
        alone = feed(&records);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.1", alone, NULL), 0);
        first = inode_place_of(fd, "symbols.1", "../container-7/bin/program");
        ck_assert(has_twins_names(fd, first));
        ck_assert_int_lt(faccessat(fd, id_place, F_OK, 0), 0);

        put_hit(&records, dir, of_container ? "container-8/bin/program" : "bin/program", 8, "/bin/program");
        both = feed(&records);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.2", both, NULL), 0);
        second = inode_place_of(fd, "symbols.2", of_container ? "../container-8/bin/program" : "../bin/program");
        ck_assert(!has_twins_names(fd, second));
        id_place[strlen("symbols.")] = first[strlen("symbols.")] = '2';
        assert_linked(fd, first, second, true);
        if (of_container)
                assert_linked(fd, id_place, second, true);
        else
                ck_assert_int_lt(faccessat(fd, id_place, F_OK, 0), 0);
        record_buffer_done(&records);
}

START_TEST(test_twin_of_the_machines) {
        keep_twins(false);
}
END_TEST

START_TEST(test_twin_of_a_containers) {
        keep_twins(true);
}
END_TEST

/* A user's file at a path of his own has the build id of one of root's that was deleted. */
START_TEST(test_twin_at_another_path) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_free_ char *place = NULL, *id_place = place_of(3);
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        _cleanup_close_ int fd = -EBADF;
        RecordBuffer records = {};

        if (geteuid() != 0)
                SKIP("it takes root to give a file to another user");
        made_machine(dir);
        put_twin(dir, "home/twin", 1);
        put_program(dir, "container-7/bin/program", 3);
        fd = open_dumps(dir);
        put_hit(&records, dir, "home/twin", 8, "/home/twin");
        put_hit(&records, dir, "container-7/bin/program", 7, "/bin/program");
        h = feed(&records);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.1", h, NULL), 0);
        place = inode_place_of(fd, "symbols.1", "../container-7/bin/program");
        ck_assert(has_twins_names(fd, "symbols.1/home/twin"));
        ck_assert(!has_twins_names(fd, place));
        assert_linked(fd, id_place, place, true);
        record_buffer_done(&records);
}
END_TEST

/* A user's files, which were hit first, leave no room for the system's. */
START_TEST(test_room) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        _cleanup_close_ int fd = -EBADF;
        RecordBuffer records = {};
        SymbolsKept kept = {};
        uint64_t size;

        if (geteuid() != 0)
                SKIP("it takes root to give a file to another user");
        made_machine(dir);
        fd = open_dumps(dir);
        put_hit(&records, dir, "bin/program", 7, "/bin/program");
        h = feed(&records);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.1", h, &kept), 0);
        ck_assert_uint_eq(kept.files, 1);
        size = kept.bytes;
        h = dso_hits_free(h);
        k = symbol_keeper_free(k);
        record_buffer_done(&records);
        for (unsigned i = 0; i < 5; i++) {
                char path[32];

                (void) snprintf(path, sizeof(path), "/home/twin-%u", i);
                put_twin(dir, path + 1, 1);
                put_hit(&records, dir, path + 1, 8, path);
        }
        put_hit(&records, dir, "bin/program", 7, "/bin/program");
        h = feed(&records);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", size * 9 / 2, &k), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.2", h, &kept), 0);
        ck_assert_int_eq(stat_at(fd, "symbols.2/bin/program").st_size, stat_at(fd, "symbols.1/bin/program").st_size);
        ck_assert_uint_le(kept.bytes, size * 9 / 2);
        record_buffer_done(&records);
}
END_TEST

/* Programs below a root of their own have names that others need. */
START_TEST(test_hostile_names) {
        static const char *const names[] = {
                "/usr", "/bin", "/left-out", "/vmlinux", "/proc", "/tmp", "/proc/kallsyms", "/tmp/perf-7.map",
                "/usr/lib/debug/.build-id", "/a\n\033[31mb\\\377",
        };
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_dso_hits_free_ DsoHits *h = NULL;
        _cleanup_free_ char *list = NULL;
        _cleanup_close_ int fd = -EBADF;
        RecordBuffer records = {};
        SymbolsKept kept = {};

        made_machine(dir);
        fd = open_dumps(dir);
        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                char file[64];

                (void) snprintf(file, sizeof(file), "container-%zu%s", 20 + i, names[i]);
                make_process(dir, (unsigned) (20 + i));
                if (streq(names[i], "/tmp"))
                        continue;
                put_program(dir, file, (uint8_t) (20 + i));
                put_hit(&records, dir, file, (uint32_t) (20 + i), names[i]);
        }
        put_map(&records, 7, 0x2000, "/nothing\n\033[2Jat \\ \377all", PERF_RECORD_MISC_USER);
        put_sample(&records, PERF_RECORD_MISC_USER, 7, 0x2010);
        put_map(&records, 7, 0x3000, "//anon", PERF_RECORD_MISC_USER);
        put_sample(&records, PERF_RECORD_MISC_USER, 7, 0x3010);
        put_hit(&records, dir, "bin/program", 7, "/bin/program");
        h = feed(&records);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.1", h, &kept), 0);
        list = list_of(fd, "symbols.1");
        ck_assert_str_eq(list, "/nothing\\x0a\\x1b[2Jat \\x5c \\xffall: No such file or directory\n");
        ck_assert_str_eq(kept.first, "/nothing\\x0a\\x1b[2Jat \\x5c \\xffall: No such file or directory");
        ck_assert_uint_eq(kept.left_out, 1);
        (void) stat_at(fd, "symbols.1/bin/program");
        (void) stat_at(fd, "symbols.1/tmp/perf-7.map");
        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_free_ char *place = place_of((uint8_t) (20 + i));

                if (!streq(names[i], "/tmp"))
                        assert_build(fd, place, (uint8_t) (20 + i));
        }
        record_buffer_done(&records);
}
END_TEST

/* A file that could not be read through one process may be readable through another one, and later. */
START_TEST(test_errors_of_others) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_dso_hits_free_ DsoHits *h = NULL, *later = NULL;
        _cleanup_close_ int fd = -EBADF;
        RecordBuffer records = {}, more = {};
        SymbolsKept kept = {};

        made_machine(dir);
        fd = open_dumps(dir);
        make_process(dir, 8);
        put_program(dir, "away/program", 4);
        put_hit(&records, dir, "away/program", 7, "/opt/program");
        put_hit(&more, dir, "away/program", 8, "/opt/program");
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        h = feed(&records);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.1", h, &kept), 0);
        ck_assert_uint_eq(kept.left_out, 1);
        ck_assert_int_eq(mkdirat(fd, "../container-8/opt", 0700), 0);
        ck_assert_int_eq(linkat(fd, "../away/program", fd, "../container-8/opt/program", 0), 0);
        later = feed(&more);
        ck_assert_int_eq(symbol_keeper_keep(k, fd, "perf.data.2", later, &kept), 0);
        ck_assert_uint_eq(kept.left_out, 0);
        ck_assert_uint_eq(kept.files, 1);
        record_buffer_done(&records);
        record_buffer_done(&more);
}
END_TEST

/* There are more binaries than are remembered: the last one is kept like the first, and existing files are still
 * linked. */
START_TEST(test_many_binaries) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = NULL;
        _cleanup_close_ int fd = -EBADF;

        made_machine(dir);
        fd = open_dumps(dir);
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", 64 << 20, &k), 0);
        (void) keep(k, dir, fd, "perf.data.1");
        for (unsigned round = 0; round < 2; round++) {
                _cleanup_dso_hits_free_ DsoHits *h = NULL;
                RecordBuffer records = {};
                SymbolsKept kept = {};

                for (unsigned i = 0; i < 9000; i++) {
                        char path[32];

                        (void) snprintf(path, sizeof(path), "/gone/%u-%u", round, i);
                        put_map(&records, 7, 0x1000000 + i * 0x1000, path, PERF_RECORD_MISC_USER);
                        put_sample(&records, PERF_RECORD_MISC_USER, 7, 0x1000010 + i * 0x1000);
                }
                put_hit(&records, dir, "bin/program", 8, "/bin/program");
                h = feed(&records);
                scratch_write_text(dir, round == 0 ? "dumps/perf.data.2" : "dumps/perf.data.3", "");
                ck_assert_int_eq(symbol_keeper_keep(k, fd, round == 0 ? "perf.data.2" : "perf.data.3", h, &kept), 0);
                ck_assert_uint_eq(kept.left_out, 9000);
                ck_assert_uint_eq(kept.files, 1);
                record_buffer_done(&records);
        }
        assert_linked(fd, "symbols.1/bin/program", "symbols.3/bin/program", true);
}
END_TEST

/* Stopping does not wait, and the list reports it. */
START_TEST(test_stopped) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        SymbolKeeper *k = NULL;
        RecordBuffer records = {};
        _cleanup_close_ int fd = -EBADF;
        _cleanup_free_ char *list = NULL;
        uint64_t begin;

        made_machine(dir);
        fd = open_dumps(dir);
        for (unsigned i = 0; i < 400; i++) {
                char path[32];

                (void) snprintf(path, sizeof(path), "../bin/program-%u", i);
                ck_assert_int_eq(linkat(fd, "../bin/program", fd, path, 0), 0);
                put_hit(&records, dir, path + strlen("../"), 8, path + strlen(".."));
        }
        ck_assert_int_eq(symbol_keeper_new(dir, "perf.data", UINT64_C(1) << 40, &k), 0);
        ck_assert_int_eq(symbol_keeper_order(k, fd, "perf.data.1", feed(&records)), 0);
        begin = now_nsec(CLOCK_MONOTONIC);
        ck_assert_ptr_null(symbol_keeper_stop(k, 0));
        ck_assert_uint_lt(now_nsec(CLOCK_MONOTONIC) - begin, UINT64_C(5000000000));
        list = list_of(fd, "symbols.1");
        ck_assert_msg(strstr(list, ": the recorder was stopped before it read this\n"), "%s", list);
        ck_assert_ptr_null(symbol_keeper_stop(NULL, 0));
        record_buffer_done(&records);
}
END_TEST

CHECK_MAIN("symbol-keeper", test_a_folder, test_the_vdso, test_a_jit_dump, test_what_is_there_is_linked, test_a_late_separate_file,
           test_a_separate_file_of_no_use, test_what_changed_is_not,
           test_after_the_folder_was_removed, test_a_map_that_is_gone, test_too_large, test_the_file_of_the_whole_recording, test_a_dump_that_is_gone,
           test_ordered, test_a_program_in_memory, test_one_path, test_twin_of_the_machines, test_twin_of_a_containers,
           test_twin_at_another_path, test_room, test_hostile_names, test_errors_of_others, test_many_binaries, test_stopped);
