/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The records of a made-up /proc tree, as lines, and those of the control groups of this machine. */

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "atomic-file.h"
#include "cgroup.h"
#include "check-main.h"
#include "elf-build-id.h"
#include "fd-file.h"
#include "scratch.h"
#include "sideband-table.h"
#include "strv.h"
#include "synthesis.h"

#define SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU)

static char *make_tree(void) {
        char *root = scratch_new();

        scratch_write_text(root, "proc/kallsyms", "ffffffff81000000 T _text\nffffffff81000000 T _stext\n");
        scratch_write_text(root, "proc/iomem", "01000000-021fffff : Kernel code\n");
        scratch_write_text(root, "proc/2/stat", "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0");
        scratch_write_text(root, "proc/2/maps", "");
        scratch_write_text(root, "proc/70/stat", "70 (app) S 1 0 0 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 2 0 5 0 0");
        scratch_write_text(root, "proc/70/status", "Name:\tapp\nTgid:\t70\n");
        scratch_write_text(root, "proc/70/maps",
                           "00400000-00452000 r-xp 00001000 fd:01 1735  /usr/bin/app\n"
                           "00652000-00653000 rw-p 00000000 00:00 0 [heap]\n"
                           "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n");
        scratch_write_text(root, "proc/70/task/70/comm", "app\n");
        scratch_write_text(root, "proc/70/task/71/comm", "worker\n");
        scratch_write_text(root, "proc/71/status", "Name:\tworker\nTgid:\t70\n");
        scratch_write_text(root, "proc/71/nothing", "");
        return root;
}

static char *tell(const struct perf_event_header *h) {
        const uint32_t *u32 = (const uint32_t *) (h + 1);
        const uint64_t *u64 = (const uint64_t *) (h + 1);
        char *line = NULL;
        int n;

        switch (h->type) {
        case PERF_RECORD_COMM:
                n = asprintf(&line, "comm %u/%u %s", u32[0], u32[1], (const char *) h + 16);
                break;
        case PERF_RECORD_FORK:
                n = asprintf(&line, "fork %u/%u of %u", u32[0], u32[2], u32[1]);
                break;
        case PERF_RECORD_MMAP:
                n = asprintf(&line, "mmap %d %" PRIx64 "+%" PRIx64 " %s", (int) u32[0], u64[1], u64[2], (const char *) h + 40);
                break;
        case PERF_RECORD_MMAP2:
                n = asprintf(&line, "mmap2 %u/%u %" PRIx64 "+%" PRIx64 " @%" PRIx64 " %s%s", u32[0], u32[1], u64[1], u64[2], u64[3],
                             (const char *) h + 72, h->misc & PERF_RECORD_MISC_MMAP_DATA ? " data" : "");
                break;
        case PERF_RECORD_NAMESPACES:
                n = asprintf(&line, "namespaces %u/%u", u32[0], u32[1]);
                break;
        default:
                n = asprintf(&line, "type %u", h->type);
        }
        ck_assert_int_gt(n, 0);
        return line;
}

/* Returns the records as lines, each with its trailer of zeros; sorted by the records that begin a process. */
static char *tell_all(const RecordBuffer *b) {
        _cleanup_strv_free_ char **lines = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;

        while (record_next(b->data, b->size, &cursor, &h) > 0) {
                const uint8_t *end = (const uint8_t *) h + h->size;

                for (size_t i = 1; i <= record_trailer_size(SAMPLE_TYPE); i++)
                        ck_assert_uint_eq(end[-(ssize_t) i], 0);
                ck_assert_int_eq(strv_consume(&lines, tell(h)), 0);
        }
        return strv_join(lines, "\n");
}

static bool stands_before(const char *text, const char *a, const char *b) {
        const char *p = strstr(text, a), *q = strstr(text, b);

        return p && q && p < q;
}

START_TEST(test_all) {
        _cleanup_(scratch_done) char *root = make_tree();
        RecordBuffer b = {};
        const Synthesis s = { .root = root, .trailer.sample_type = SAMPLE_TYPE, .b = &b };
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(synthesis_put_kernel(&s), 0);
        ck_assert_int_eq(synthesis_put_all(&s), 0);
        text = tell_all(&b);
        ck_assert_ptr_nonnull(startswith(text, "mmap -1 ffffffff81000000+1200000 [kernel.kallsyms]_text\n"));
        ck_assert_ptr_nonnull(strstr(text, "fork 2/2 of 0\ncomm 2/2 kthreadd"));
        ck_assert_ptr_nonnull(strstr(text, "fork 70/70 of 1\n"
                                           "comm 70/70 app\n"
                                           "mmap2 70/70 400000+52000 @1000 /usr/bin/app\n"
                                           "mmap2 70/70 7f0000000000+1000 @0 //anon\n"
                                           "fork 70/71 of 70\n"
                                           "comm 70/71 worker"));
        ck_assert_ptr_null(strstr(text, "[heap]"));
        record_buffer_done(&b);
}
END_TEST

/* Returns records with their build ids, which replace inodes if known. */
static char *tell_ids(const RecordBuffer *b) {
        _cleanup_strv_free_ char **lines = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0;

        while (record_next(b->data, b->size, &cursor, &h) > 0) {
                const uint8_t *identity = (const uint8_t *) h + 40;
                BuildId id = { .size = *identity };
                char text[BUILD_ID_TEXT_SIZE] = "no id";

                ck_assert_uint_ne(h->type, PERF_RECORD_MMAP);
                if (h->type != PERF_RECORD_MMAP2)
                        continue;
                if (h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
                        memcpy(id.bytes, identity + 4, sizeof(id.bytes));
                        build_id_format(&id, text);
                }
                ck_assert_int_eq(strv_extendf(&lines, "%s %s", (const char *) h + 72, text), 0);
        }
        return strv_join(lines, "\n");
}

START_TEST(test_build_ids) {
        static const uint32_t notes[] = { 4, 20, 3, 0x554e47, 0x04030201, 0, 0, 0, 0x11 }; /* of the kernel */
        _cleanup_(scratch_done) char *root = make_tree();
        _cleanup_(build_id_cache_freep) BuildIdCache *cache = NULL;
        _cleanup_free_ char *text = NULL, *maps = NULL, *expected = NULL, *program = path_join(root, "usr/bin/app"),
                            *notes_path = path_join(root, "sys/kernel/notes"), *sh = NULL;
        char id_text[BUILD_ID_TEXT_SIZE];
        RecordBuffer b = {};
        BuildId id;
        struct stat st;
        size_t size;

        ck_assert_int_eq(read_file("/bin/sh", 16 << 20, &sh, &size), 0);
        scratch_write_text(root, "usr/bin/app", "");
        ck_assert_int_eq(write_file_atomic(AT_FDCWD, program, 0644, sh, size), 0);
        ck_assert_int_eq(build_id_of_file(AT_FDCWD, program, &id), 0);
        ck_assert_int_eq(stat(program, &st), 0);
        scratch_write_text(root, "sys/kernel/notes", "");
        ck_assert_int_eq(write_file_atomic(AT_FDCWD, notes_path, 0644, notes, sizeof(notes)), 0);
        ck_assert(asprintf(&maps, "00400000-00452000 r-xp 00001000 %02x:%02x %ju  /usr/bin/app\n"
                                  "00500000-00552000 r-xp 00001000 fd:01 1  /usr/bin/app\n"
                                  "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n"
                                  "7f0000002000-7f0000003000 r-xp 00000000 00:00 0 [vdso]\n", major(st.st_dev), minor(st.st_dev), (uintmax_t) st.st_ino) > 0);
        scratch_write_text(root, "proc/70/maps", maps);
        ck_assert_int_eq(build_id_cache_new(root, &cache), 0);
        ck_assert_int_eq(synthesis_put_kernel(&(Synthesis) { .root = root, .build_ids = true, .cache = cache, .b = &b }), 0);
        ck_assert_int_eq(synthesis_put_all(&(Synthesis) { .root = root, .build_ids = true, .cache = cache, .b = &b }), 0);
        text = tell_ids(&b);
        ck_assert(asprintf(&expected, "[kernel.kallsyms]_text 0102030400000000000000000000000011000000\n"
                                      "/usr/bin/app %s\n"
                                      "/usr/bin/app no id\n" /* another file than the one of that name */
                                      "//anon no id\n"
                                      "[vdso] no id", build_id_format(&id, id_text)) > 0);
        ck_assert_str_eq(text, expected);
        record_buffer_done(&b);
}
END_TEST

START_TEST(test_threads) {
        _cleanup_(scratch_done) char *root = make_tree();
        RecordBuffer b = {};
        const Synthesis s = { .root = root, .trailer.sample_type = SAMPLE_TYPE, .b = &b };
        static const pid_t tids[] = { 99, 71 }; /* the first one has exited */
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(synthesis_put_threads(&s, tids, ELEMENTSOF(tids)), 0);
        text = tell_all(&b);
        ck_assert(stands_before(text, "comm 70/71 worker", "comm 70/70 app"));
        ck_assert_ptr_nonnull(strstr(text, "mmap2 70/70 400000+52000 @1000 /usr/bin/app"));
        ck_assert_ptr_null(strstr(text, "fork"));
        record_buffer_done(&b);
}
END_TEST

START_TEST(test_leader_once) {
        _cleanup_(scratch_done) char *root = make_tree();
        RecordBuffer b = {};
        const Synthesis s = { .root = root, .trailer.sample_type = SAMPLE_TYPE, .b = &b };
        static const pid_t tids[] = { 70, 71 };
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(synthesis_put_threads(&s, tids, ELEMENTSOF(tids)), 0);
        text = tell_all(&b);
        ck_assert_str_eq(text, "comm 70/70 app\n"
                               "mmap2 70/70 400000+52000 @1000 /usr/bin/app\n"
                               "mmap2 70/70 7f0000000000+1000 @0 //anon\n"
                               "comm 70/71 worker");
        record_buffer_done(&b);
}
END_TEST

START_TEST(test_data) {
        _cleanup_(scratch_done) char *root = make_tree();
        RecordBuffer b = {};
        const Synthesis s = { .root = root, .trailer.sample_type = SAMPLE_TYPE, .data = true, .namespaces = true, .b = &b };
        static const pid_t tid = 70;
        _cleanup_free_ char *text = NULL, *all = NULL;

        ck_assert_int_eq(synthesis_put_threads(&s, &tid, 1), 0);
        text = tell_all(&b);
        ck_assert_str_eq(text, "comm 70/70 app\n"
                               "namespaces 70/70\n"
                               "mmap2 70/70 400000+52000 @1000 /usr/bin/app\n"
                               "mmap2 70/70 652000+1000 @0 [heap] data\n"
                               "mmap2 70/70 7f0000000000+1000 @0 //anon");
        record_buffer_reset(&b);
        ck_assert_int_eq(synthesis_put_all(&s), 0);
        all = tell_all(&b);
        ck_assert_ptr_nonnull(strstr(all, "fork 70/71 of 70\nnamespaces 70/71\ncomm 70/71 worker"));
        record_buffer_done(&b);
}
END_TEST

/* At the first mapping that comes too late the rest is given up, with a mark; other records continue. */
START_TEST(test_timeout) {
        _cleanup_(scratch_done) char *root = make_tree();
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const Synthesis s = { .root = root, .trailer.sample_type = SAMPLE_TYPE, .map_timeout = 1, .b = &b };
        const struct perf_event_header *h;
        size_t cursor = 0, n_maps = 0, n_comms = 0;

        ck_assert_int_eq(synthesis_put_threads(&s, (pid_t[]) { 70, 71 }, 2), 0);
        while (record_next(b.data, b.size, &cursor, &h) > 0) {
                n_comms += h->type == PERF_RECORD_COMM;
                if (h->type != PERF_RECORD_MMAP2)
                        continue;
                n_maps++;
                ck_assert(h->misc & PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT);
        }
        ck_assert_uint_eq(n_maps, 1);
        ck_assert_uint_eq(n_comms, 2);
}
END_TEST

START_TEST(test_comm) {
        _cleanup_(scratch_done) char *root = make_tree();
        RecordBuffer b = {};
        const Synthesis s = { .root = root, .trailer.sample_type = SAMPLE_TYPE, .b = &b };
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(synthesis_put_comm(&s, 70), 0);
        ck_assert_int_eq(synthesis_put_comm(&s, 4711), 0);
        text = tell_all(&b);
        ck_assert_str_eq(text, "comm 70/70 app");
        record_buffer_done(&b);
}
END_TEST

START_TEST(test_hidden_kernel) {
        _cleanup_(scratch_done) char *root = make_tree();
        RecordBuffer b = {};
        const Synthesis s = { .root = root, .b = &b };

        scratch_write_text(root, "proc/kallsyms", "0000000000000000 T _text\n");
        ck_assert_int_eq(synthesis_put_kernel(&s), -EPERM);
        ck_assert_uint_eq(b.size, 0);
}
END_TEST

/* Makes a process of n mappings whose paths are 4,000 bytes long, before those that all processes have. */
static void write_large(const char *root, unsigned pid, unsigned n, bool data) {
        char name[64], path[4001], *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        ck_assert_ptr_nonnull(f);
        memset(path, 'd', sizeof(path) - 1);
        path[0] = '/';
        path[4000] = '\0';
        for (unsigned i = 0; i < n; i++)
                fprintf(f, "%x-%x r%s 00000000 fd:01 1 %s\n", 0x10000 + i * 0x2000, 0x11000 + i * 0x2000, data ? "--p" : "-xp", path);
        fprintf(f, "7f0000000000-7f0000001000 r-xp 00000000 fd:01 2 /lib/libc.so\n");
        ck_assert_int_eq(fclose(f), 0);
        (void) snprintf(name, sizeof(name), "proc/%u/maps", pid);
        scratch_write_text(root, name, text);
        (void) snprintf(name, sizeof(name), "proc/%u/stat", pid);
        scratch_write_text(root, name, "90 (large) S 1 0 0 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0");
        free(text);
}

typedef struct LeftOutSum {
        unsigned calls;
        pid_t pid;
        uint64_t n;
} LeftOutSum;

static void sum_left_out(void *userdata, pid_t pid, uint64_t n) {
        LeftOutSum *sum = userdata;

        sum->calls++;
        sum->pid = pid;
        sum->n += n;
}

static unsigned count_maps(const RecordBuffer *b, uint32_t pid) {
        const struct perf_event_header *h;
        size_t cursor = 0;
        unsigned n = 0;

        while (record_next(b->data, b->size, &cursor, &h) > 0)
                n += h->type == PERF_RECORD_MMAP2 && ((const uint32_t *) (h + 1))[0] == pid;
        return n;
}

static size_t bytes_of_maps(const RecordBuffer *b, uint32_t pid) {
        const struct perf_event_header *h;
        size_t cursor = 0, bytes = 0;

        while (record_next(b->data, b->size, &cursor, &h) > 0)
                if (h->type == PERF_RECORD_MMAP2 && ((const uint32_t *) (h + 1))[0] == pid)
                        bytes += h->size;
        return bytes;
}

START_TEST(test_share) {
        _cleanup_(scratch_done) char *root = make_tree();
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        LeftOutSum sum = {};
        const Synthesis s = { .root = root, .data = true, .b = &b, .left_out = sum_left_out, .userdata = &sum };
        unsigned n;

        write_large(root, 60, 3000, false);
        ck_assert_int_eq(synthesis_put_all(&s), 0);
        n = count_maps(&b, 60);
        ck_assert_uint_lt(b.size, SIDEBAND_TABLE_SHARE + 4096);
        ck_assert_uint_gt(b.size, SIDEBAND_TABLE_SHARE - 8192);
        ck_assert_uint_eq(count_maps(&b, 70), 3);
        ck_assert_uint_eq(sum.calls, 1);
        ck_assert_int_eq(sum.pid, 60);
        ck_assert_uint_gt(sum.n, 0); /* counted as far as time went */
        ck_assert_uint_le(sum.n, 3001 - n);
}
END_TEST

/* Mappings of data above the limit leave space for those of code. */
START_TEST(test_share_of_data) {
        _cleanup_(scratch_done) char *root = make_tree();
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        LeftOutSum sum = {};
        const Synthesis s = { .root = root, .data = true, .b = &b, .left_out = sum_left_out, .userdata = &sum };

        write_large(root, 60, 3000, true);
        ck_assert_int_eq(synthesis_put_all(&s), 0);
        ck_assert_uint_lt(b.size, SIDEBAND_TABLE_SHARE / 2 + 4096);
        ck_assert_uint_eq(sum.n, 3001 - count_maps(&b, 60));
        ck_assert_ptr_nonnull(memmem(b.data, b.size, "/lib/libc.so", 12));
}
END_TEST

/* Many processes exceed their share: later ones get less, and those with few mappings get all. */
START_TEST(test_room_of_all) {
        _cleanup_(scratch_done) char *root = make_tree();
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        SynthesisRoom room = {};
        LeftOutSum sum = {};
        const Synthesis s = { .root = root, .b = &b, .room = &room, .left_out = sum_left_out, .userdata = &sum };

        for (unsigned pid = 10; pid < 69; pid++)
                write_large(root, pid, 600, false);
        ck_assert_int_eq(synthesis_put_all(&s), 0);
        ck_assert_uint_le(room.used, SIDEBAND_TABLE_TOTAL);
        ck_assert_uint_gt(room.used, SIDEBAND_TABLE_TOTAL / 4 * 3);
        ck_assert_uint_le(b.size, SIDEBAND_TABLE_TOTAL + 65536);
        /* It gets a fair part of the half that the first ones leave, up to less than one map. */
        ck_assert_uint_gt(bytes_of_maps(&b, 68) + PATH_MAX + 256, (SIDEBAND_TABLE_TOTAL / 2 - SIDEBAND_TABLE_SHARE) / room.all);
        ck_assert_uint_eq(count_maps(&b, 70), 2);
        ck_assert_uint_eq(sum.calls, 59);
}
END_TEST

START_TEST(test_namespaces) {
        _cleanup_(scratch_done) char *root = scratch_new();
        RecordBuffer b = {};
        const Synthesis s = { .root = root, .namespaces = true, .b = &b }, unasked = { .root = root, .b = &b };
        _cleanup_free_ char *path = NULL;
        const struct perf_ns_link_info *links;
        const struct perf_event_header *h;
        const uint32_t *ids;
        size_t cursor = 0;
        struct stat st;

        scratch_write_text(root, "proc/70/ns/pid", "");
        ck_assert_int_ge(asprintf(&path, "%s/proc/70/ns/pid", root), 0);
        ck_assert_int_eq(stat(path, &st), 0);

        ck_assert_int_eq(synthesis_put_namespaces(&unasked, 70, 71), 0);
        ck_assert_uint_eq(b.size, 0);
        ck_assert_int_eq(synthesis_put_namespaces(&s, 70, 71), 0);
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
        const Synthesis s = { .root = "", .b = &b };
        _cleanup_free_ char *top = NULL;
        const struct perf_event_header *h;
        size_t cursor = 0, n = 0;
        uint64_t first = 0;

        ck_assert_int_eq(synthesis_put_cgroups(&s, "/nonexistent"), 0);
        ck_assert_uint_eq(b.size, 0);
        ck_assert_int_eq(synthesis_put_cgroups(&s, NULL), 0);
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

CHECK_MAIN("synthesis", test_all, test_build_ids, test_threads, test_leader_once, test_data, test_timeout, test_comm, test_hidden_kernel,
           test_share, test_share_of_data, test_room_of_all, test_namespaces, test_cgroups);
