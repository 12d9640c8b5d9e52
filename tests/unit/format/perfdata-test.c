/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Helpers of the tests of recordings. The scratch directory belongs to the program that asks first: Check forks for
 * each test, and the parent removes it. */

#include "perfdata-test.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>

#include "compress.h"
#include "scratch.h"

static char directory[256];

int test_run(const char *name, const TTest *const *tests, size_t n) {
        const char *base = getenv("TMPDIR");
        Suite *s = suite_create(name);
        TCase *c = tcase_create(name);
        SRunner *r;
        int failed;

        (void) snprintf(directory, sizeof(directory), "%s/perfdata-test.XXXXXX", base ?: "/tmp");
        if (!mkdtemp(directory))
                return 1;
        tcase_set_timeout(c, 60);
        for (size_t i = 0; i < n; i++)
                tcase_add_test(c, tests[i]);
        suite_add_tcase(s, c);
        r = srunner_create(s);
        srunner_run_all(r, CK_ENV);
        failed = srunner_ntests_failed(r);
        srunner_free(r);
        scratch_remove(directory);
        return failed == 0 ? 0 : 1;
}

const char *test_directory(void) {
        return directory;
}

char *test_path(const char *name) {
        char *path = path_join(directory, name);

        ck_assert_ptr_nonnull(path);
        return path;
}

void test_write_file(const char *path, const void *data, size_t size) {
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        ck_assert_int_ge(fd, 0);
        ck_assert_ok(write_all(fd, data, size));
}

char *test_read_file(const char *path, size_t *ret_size) {
        char *data;

        ck_assert_ok(read_file(path, 1 << 28, &data, ret_size));
        return data;
}

char *test_golden(const char *name) {
        char *path = path_join(PR_TEST_GOLDEN, name);

        ck_assert_ptr_nonnull(path);
        return path;
}

char *test_command(const char *format, ...) {
        _cleanup_free_ char *command = NULL, *output = malloc(1 << 22);
        va_list ap;
        size_t n;
        FILE *f;

        va_start(ap, format);
        n = (size_t) vasprintf(&command, format, ap);
        va_end(ap);
        ck_assert(n != (size_t) -1 && output);
        f = popen(command, "re");
        ck_assert_ptr_nonnull(f);
        n = fread(output, 1, (1 << 22) - 1, f);
        output[n] = '\0';
        return pclose(f) == 0 ? steal_ptr(output) : NULL;
}

static _Noreturn void run_interrupted(const char *command, int output) {
        char *text = NULL;

        if (setpgid(0, 0) < 0 || signal(SIGINT, SIG_DFL) == SIG_ERR || dup2(output, STDOUT_FILENO) < 0 ||
            dup2(output, STDERR_FILENO) < 0 || asprintf(&text, "exec %s", command) < 0)
                _exit(127);
        (void) execl("/bin/sh", "sh", "-c", text, NULL);
        _exit(127);
}

char *test_interrupted(const char *command, const char *condition, const char *after) {
        _cleanup_free_ char *when = NULL;
        char *output = NULL;
        size_t size = 0;
        int fds[2], status, c;
        FILE *in, *out;
        pid_t pid;
        void (*handler)(int) = signal(SIGINT, SIG_DFL); /* else the process catches it as this one does, until it executes something */

        ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
        pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0)
                run_interrupted(command, fds[1]);
        (void) signal(SIGINT, handler);
        (void) close(fds[1]);
        ck_assert_int_gt(asprintf(&when, "until grep -q '^State:.Z' /proc/%d/status || { grep -q '^Name:.perf-rec' /proc/%d/status && "
                                  "grep -q '^SigCgt:.*[2367abef]$' /proc/%d/status && %s; }; do sleep 0.02; done", pid, pid, pid,
                                  condition), 0); /* the shell catches it, too */
        ck_assert_int_eq(system(when), 0);
        (void) kill(pid, SIGINT);
        (void) clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec) { .tv_nsec = 20000000 }, NULL); /* else the two are one */
        (void) kill(-pid, SIGINT);
        if (after)
                ck_assert_int_ge(close(open(after, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
        in = fdopen(fds[0], "re");
        out = open_memstream(&output, &size);
        ck_assert(in && out);
        while ((c = getc(in)) != EOF)
                (void) putc(c, out);
        (void) fclose(in);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        (void) fprintf(out, "status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        ck_assert_int_eq(fclose(out), 0);
        return output;
}

bool test_have_perf(void) {
        return system("perf version >/dev/null 2>&1") == 0;
}

bool test_have_perf_6_1(void) {
        return system("perf version 2>/dev/null | grep -qF ' version 6.1.'") == 0;
}

const PerfDataEvent *test_events(size_t *ret_n) {
        static const uint64_t clock_ids[] = { 11, 12 }, dummy_ids[] = { 21, 22 };
        static const PerfDataEvent events[] = {
                {
                        .attr = {
                                .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .size = sizeof(struct perf_event_attr),
                                .sample_freq = 99, .freq = 1, .sample_type = TEST_SAMPLE_TYPE, .sample_id_all = 1,
                                .read_format = PERF_FORMAT_ID,
                        },
                        .ids = clock_ids, .n_ids = ELEMENTSOF(clock_ids), .name = "cpu-clock",
                },
                {
                        .attr = {
                                .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(struct perf_event_attr),
                                .sample_period = 1, .sample_type = TEST_SAMPLE_TYPE, .sample_id_all = 1, .mmap = 1, .mmap2 = 1,
                                .comm = 1, .task = 1, .read_format = PERF_FORMAT_ID, .exclude_kernel = 1,
                        },
                        .ids = dummy_ids, .n_ids = ELEMENTSOF(dummy_ids), .name = "dummy:u",
                },
        };

        *ret_n = ELEMENTSOF(events);
        return events;
}

static const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };

void test_put_sample(RecordBuffer *b, uint64_t id, uint16_t cpumode, uint32_t pid, uint64_t ip, uint64_t time) {
        struct perf_event_header *h;
        size_t start = b->size;

        byte_buffer_put(b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = cpumode }, sizeof(*h));
        byte_buffer_put_u64(b, id);
        byte_buffer_put_u64(b, ip);
        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u64(b, time);
        byte_buffer_put_u64(b, 0); /* cpu */
        byte_buffer_put_u64(b, 1); /* period */
        byte_buffer_put_u64(b, 2);
        byte_buffer_put_u64(b, cpumode == PERF_RECORD_MISC_KERNEL ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
        byte_buffer_put_u64(b, ip);
        ck_assert_int_eq(b->error, 0);
        h = (struct perf_event_header *) (b->data + start);
        h->size = (uint16_t) (b->size - start);
}

void test_put_map(RecordBuffer *b, uint32_t pid, uint64_t start, uint64_t length, const char *path, uint64_t inode) {
        RecordMap m = {
                .pid = pid, .tid = pid, .start = start, .length = length, .path = path, .inode = inode,
                .misc = PERF_RECORD_MISC_USER, .protection = 5, .flags = 2,
        };

        ck_assert_ok(record_put_mmap2(b, &m, &trailer));
}

/* Returns the inode as the kernel records it, 0 if the file does not exist: then a map does not identify its file. */
static uint64_t inode_of(const char *path) {
        struct stat st;

        return stat(path, &st) < 0 ? 0 : st.st_ino;
}

void test_put_recording(RecordBuffer *b, const char *program) {
        RecordMap kernel = {
                .pid = UINT32_MAX, .start = UINT64_C(0xffffffff81000000), .length = 0x1200000,
                .page_offset = UINT64_C(0xffffffff81000000), .misc = PERF_RECORD_MISC_KERNEL, .path = "[kernel.kallsyms]_text",
        };

        ck_assert_ok(record_put_mmap(b, &kernel, &trailer));
        ck_assert_ok(record_put_thread_map(b, &(RecordThread) { .tid = -1 }, 1));
        ck_assert_ok(record_put_cpu_map(b, (int[]) { 0, 1 }, 2));
        ck_assert_ok(record_put_fork(b, TEST_PID, 1, TEST_PID, 1, 0, PERF_RECORD_MISC_FORK_EXEC, &trailer));
        ck_assert_ok(record_put_comm(b, TEST_PID, TEST_PID, "demo", 0, &trailer));
        test_put_map(b, TEST_PID, 0x400000, 0x100000, program, inode_of(program));
        ck_assert_ok(record_put_finished_init(b));
        test_put_sample(b, 11, PERF_RECORD_MISC_USER, TEST_PID, 0x401000, TEST_FIRST_TIME);
        test_put_sample(b, 12, PERF_RECORD_MISC_KERNEL, TEST_PID, UINT64_C(0xffffffff81001000), UINT64_C(2000000000));
        test_put_sample(b, 11, PERF_RECORD_MISC_USER, TEST_PID, 0x402000, TEST_LAST_TIME);
        ck_assert_ok(record_put_finished_round(b));
}

void test_put_compressed2(RecordBuffer *b, const RecordBuffer *plain) {
        _cleanup_(compressor_freep) Compressor *c = NULL;
        struct iovec segment = record_buffer_iovec((RecordBuffer *) plain), compressed;
        const uint8_t *p, *end;
        struct perf_event_header h;

        ck_assert_ok(compressor_new(1, &c));
        ck_assert_ok(compressor_put(c, &segment, 1, &compressed));
        end = (const uint8_t *) compressed.iov_base + compressed.iov_len;
        for (p = compressed.iov_base; p < end; p += h.size) {
                PerfRecordCompressed2 padded = { .header.type = PERF_RECORD_COMPRESSED2 };

                memcpy(&h, p, sizeof(h));
                padded.data_size = h.size - sizeof(h);
                padded.header.size = (uint16_t) PERF_ALIGN_UP(sizeof(padded) + padded.data_size, 8);
                byte_buffer_put(b, &padded, sizeof(padded));
                byte_buffer_put(b, p + sizeof(h), padded.data_size);
                byte_buffer_put(b, "\xff\xff\xff\xff\xff\xff\xff", padded.header.size - sizeof(padded) - padded.data_size);
        }
}

int test_append(PerfDataWriter *w, const RecordBuffer *b) {
        struct iovec segment = record_buffer_iovec(b);

        return perf_data_writer_append(w, &segment, 1);
}

void test_put_build_ids(FeatureTable *t, const BuildIdEntry *ids, size_t n_ids) {
        _cleanup_byte_buffer_ ByteBuffer b = {};

        for (size_t i = 0; i < n_ids; i++) {
                size_t n = strlen(ids[i].path), padded = PERF_ALIGN_UP(n + 1, PERF_FILE_NAME_ALIGN);
                PerfBuildIdEntry e = {
                        .header = {
                                .misc = (ids[i].cpumode ?: PERF_RECORD_MISC_USER) | PERF_BUILD_ID_HAS_SIZE,
                                .size = (uint16_t) (sizeof(e) + padded),
                        },
                        .pid = UINT32_MAX, .size = ids[i].id.size,
                };

                memcpy(e.id, ids[i].id.bytes, sizeof(e.id));
                byte_buffer_put(&b, &e, sizeof(e));
                memcpy(byte_buffer_extend(&b, padded), ids[i].path, n);
        }
        ck_assert_ok(feature_table_take(t, PERF_FEATURE_BUILD_ID, &b));
}

PerfDataReader *test_recording(const char *path, const RecordBuffer *b, const BuildIdEntry *ids, size_t n_ids) {
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        PerfDataReader *r = NULL;
        const PerfDataEvent *events;
        uint64_t left_out;
        size_t n;

        events = test_events(&n);
        ck_assert_ok(feature_table_new(&features));
        if (n_ids > 0)
                test_put_build_ids(features, ids, n_ids);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, &left_out));
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        return r;
}
