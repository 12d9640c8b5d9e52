/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view script end to end: files, pipes, broken files, exit statuses. */

#include "array.h"
#include "fd-file.h"
#include "made-program.h"
#include "made-samples.h"
#include "record-layout.h"
#include "symbols-bundle.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define PREFIX "ASAN_OPTIONS=detect_leaks=0 " VIEWER " script "

START_TEST(golden) {
        _cleanup_free_ char *path = test_golden("perf-6.1-pipe.data"), *file = NULL, *piped = NULL;

        file = test_command(PREFIX "-i %s -F comm,tid,time,period,event,ip 2>/dev/null", path);
        piped = test_command("cat %s | " PREFIX "-i - -F comm,tid,time,period,event,ip 2>/dev/null", path);
        ck_assert_ptr_nonnull(file);
        ck_assert_ptr_nonnull(piped);
        ck_assert_str_eq(file, piped);
        ck_assert(startswith(file, "            true 22717  3856.359522:          1 page-faults:  ffffffff817554ea\n"));
}
END_TEST

/* Behind "push %rbp". */
#define INSTRUCTION " ilen: 3 insn: 48 89 e5\n"

START_TEST(names_of_functions) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("program", made_source, "-O0 -fcf-protection=none"), *path = test_path("names.data"), *text = NULL;
        _cleanup_free_ char *expected = NULL;
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400001 + made_offset(program, "inner"), 1000);
        perf_data_reader_free(test_recording(path, &b, &id, 1));
        text = test_command(PREFIX "-i %s -G -F event,ip,sym,symoff,dso", path);
        ck_assert_int_gt(asprintf(&expected, "cpu-clock:HG:  %16lx inner+0x1 (%s)\n", 0x400001 + made_offset(program, "inner"), program), 0);
        ck_assert_str_eq(text, expected);
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -G -F insn,insnlen", path);
        ck_assert_str_eq(text, INSTRUCTION);
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --json -F insn,insnlen", path);
        ck_assert_ptr_nonnull(strstr(text, "\"insnlen\":3,\"insn\":\"4889e5\""));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -G -F insn,disasm", path);
        ck_assert_str_eq(text, " insn: 48 89 e5\t\tmov %rsp,%rbp\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --json -F disasm", path);
        ck_assert_ptr_nonnull(strstr(text, "\"disasm\":\"mov %rsp,%rbp\""));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -G -F ip,dso,dsoff", path);
        free(steal_ptr(expected));
        ck_assert_int_gt(asprintf(&expected, " %16lx (%s+0x%lx)\n", 0x400001 + made_offset(program, "inner"), program,
                                  1 + made_offset(program, "inner")), 0);
        ck_assert_str_eq(text, expected);
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -G -F event,ip,sym -S inner,outer", path);
        ck_assert_ptr_nonnull(strstr(text, " inner\n"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -G -F event,ip,sym -S outer", path);
        ck_assert_str_eq(text, "");
}
END_TEST

/* Without build ids, only the inode says that a file is the one that was recorded, or the user does. */
START_TEST(without_build_ids) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("program", made_source, "-g -O0 -Wl,--build-id"), *path = test_path("unknown.data"), *text = NULL;
        RecordMap map = { .pid = 7, .tid = 7, .start = 0x400000, .length = 0x100000, .path = program, .misc = PERF_RECORD_MISC_USER,
                          .inode = 1 };

        if (!program)
                exit(TEST_SKIPPED);
        ck_assert_ok(record_put_mmap2(&b, &map, NULL));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "inner"), 1000);
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        text = test_command(PREFIX "-i %s -G -F ip,sym 2>&1", path);
        ck_assert_ptr_nonnull(startswith(text, program));
        ck_assert_ptr_nonnull(strstr(text, " may not be the file that was recorded, and is not used: "));
        ck_assert_ptr_null(strstr(text, "inner"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --symfs=/ -G -F ip,sym,srcline,insn 2>&1", path);
        ck_assert_ptr_nonnull(strstr(text, " inner\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n  program.c:"));
        ck_assert_ptr_nonnull(strstr(text, " insn: "));
        free(steal_ptr(text));
        text = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " annotate --stdio2 -i %s --symfs=/ 2>&1", path);
        ck_assert_ptr_nonnull(strstr(text, "inner() "));
}
END_TEST

/* Puts the directory's cache at the end of the recording. */
static void bundle(const char *path, const char *home) {
        _cleanup_free_ char *kept = path_join(home, ".debug");
        _cleanup_close_ int fd = open(path, O_RDWR | O_CLOEXEC), directory = open(kept, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        ck_assert(fd >= 0 && directory >= 0);
        ck_assert_ok(symbols_bundle_append(fd, directory, NULL, 0));
}

/* A binary that is gone is found by its build id, in the directory that the user named, where perf keeps it, or at the end of the
 * recording. */
START_TEST(kept_elsewhere) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("gone", made_source, "-g -O0 -Wl,--build-id"), *path = test_path("kept.data"), *text = NULL;
        _cleanup_free_ char *home = test_path("home");
        char id[BUILD_ID_TEXT_SIZE];
        BuildIdEntry entry;

        if (!program)
                exit(TEST_SKIPPED);
        entry = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        build_id_format(&entry.id, id);
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "inner"), 1000);
        perf_data_reader_free(test_recording(path, &b, &entry, 1));
        free(test_command("mkdir -p %s/.debug/.build-id/%.2s/%s; mv %s %s/.debug/.build-id/%.2s/%s/elf", home, id, id + 2, program, home, id,
                          id + 2));
        text = test_command("HOME=/nowhere " PREFIX "-i %s -G -F ip,sym", path);
        ck_assert_ptr_null(strstr(text, "inner"));
        free(steal_ptr(text));
        text = test_command("HOME=/nowhere " PREFIX "-i %s --symfs=%s/.debug -G -F ip,sym,srcline,insn", path, home);
        ck_assert_ptr_nonnull(strstr(text, " inner\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n  gone.c:"));
        ck_assert_ptr_nonnull(strstr(text, " insn: "));
        free(steal_ptr(text));
        bundle(path, home);
        text = test_command("HOME=/nowhere " PREFIX "-i %s -G -F ip,sym,srcline,insn", path);
        ck_assert_ptr_nonnull(strstr(text, " inner\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n  gone.c:"));
        ck_assert_ptr_nonnull(strstr(text, " insn: "));
        free(steal_ptr(text));
        text = test_command("cat %s | HOME=/nowhere " PREFIX "-i - -G -F ip,sym", path);
        ck_assert_ptr_nonnull(strstr(text, " inner\n"));
        free(steal_ptr(text));
        text = test_command("HOME=%s " PREFIX "-i %s -G -F ip,sym,srcline,insn", home, path);
        ck_assert_ptr_nonnull(strstr(text, " inner\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n  gone.c:"));
        ck_assert_ptr_nonnull(strstr(text, " insn: "));
}
END_TEST

START_TEST(lines_of_source) {
        static const char source[] = "static volatile int sink;\n"
                                     "static inline __attribute__((always_inline)) void deep(int x) {\n"
                                     "        sink += x;\n"
                                     "}\n"
                                     "__attribute__((noinline)) void outer(int x) {\n"
                                     "        deep(x);\n"
                                     "}\n"
                                     "int main(void) {\n"
                                     "        outer(1);\n"
                                     "        return 0;\n"
                                     "}\n";
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("inlined", source, "-g -O1 -Wl,--build-id"), *path = test_path("inlined.data");
        _cleanup_free_ char *text = NULL;
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "outer"), 1000);
        perf_data_reader_free(test_recording(path, &b, &id, 1));
        text = test_command(PREFIX "-i %s -F ip,sym,srcline --inline | sed 's/\t *[0-9a-f]* /=/'", path);
        ck_assert_str_eq(text, "\n=deep\n  inlined.c:3 (inlined)\n=outer\n  inlined.c:6\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -F ip,sym,srcline --no-inline | sed 's/\t *[0-9a-f]* /=/'", path);
        ck_assert_str_eq(text, "\n=outer\n  inlined.c:3\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --json -F ip,sym,srcline --inline", path);
        ck_assert_ptr_nonnull(strstr(text, "\"symbol\":\"outer\",\"srcline\":\"inlined.c:3\",\"inlined\":[{\"symbol\":\"deep\","
                                           "\"called\":\"inlined.c:6\"}]}]}\n"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -F comm,srcline 2>&1; echo status $?", path);
        ck_assert_str_eq(text, "The field 'srcline' is the line of an address, and needs the field 'ip'\nstatus 1\n");
}
END_TEST

START_TEST(objects) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("program", made_source, "-O0"), *path = test_path("json.data"), *text = NULL;
        _cleanup_free_ char *expected = NULL;
        uint64_t ip;
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        ck_assert_int_eq(record_put_comm(&b, 7, 7, "a\"b\\c\n", 0, &(RecordTrailer) {}), 0);
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        ip = 0x400001 + made_offset(program, "inner");
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, ip, 1000);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x10, 2000);
        perf_data_reader_free(test_recording(path, &b, &id, 1));
        text = test_command(PREFIX "-i %s --json -F +misc,+pid,+symoff | head -n 1", path);
        ck_assert_int_gt(asprintf(&expected,
                                  "{\"event\":\"cpu-clock:HG\",\"timestamp\":1000,\"pid\":7,\"tid\":7,\"cpu\":0,"
                                  "\"comm\":\"a\\\"b\\\\c \",\"misc\":2,\"period\":1,\"callchain\":[{\"ip\":\"0x%lx\","
                                  "\"symbol\":\"inner\",\"offset\":1,\"dso\":\"%s\"}]}\n",
                                  ip, program), 0);
        ck_assert_str_eq(text, expected);
        free(steal_ptr(text));
        free(steal_ptr(expected));
        text = test_command(PREFIX "-i %s --json -G -F event,ip,sym,symoff,dso", path);
        ck_assert_int_gt(asprintf(&expected,
                                  "{\"event\":\"cpu-clock:HG\",\"ip\":\"0x%lx\",\"symbol\":\"inner\",\"offset\":1,\"dso\":\"%s\"}\n"
                                  "{\"event\":\"cpu-clock:HG\",\"ip\":\"0x10\"}\n", ip, program), 0);
        ck_assert_str_eq(text, expected);
}
END_TEST

static void put_branch(RecordBuffer *b, uint64_t from, uint64_t to, uint64_t flags) {
        byte_buffer_put_u64(b, from);
        byte_buffer_put_u64(b, to);
        byte_buffer_put_u64(b, flags);
}

/* The text is that of perf 6.1 for the same file. */
START_TEST(branches) {
        static const uint64_t ids[] = { 11 };
        static const PerfDataEvent event = {
                .attr = {
                        .type = PERF_TYPE_RAW, .config = 0xc0, .size = sizeof(struct perf_event_attr), .sample_period = 1000,
                        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_BRANCH_STACK,
                        .branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
                },
                .ids = ids, .n_ids = 1, .name = "branches",
        };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("program", made_source, "-O0"), *path = test_path("branches.data"), *text = NULL;
        _cleanup_(perf_data_writer_freep) PerfDataWriter *w = NULL;
        _cleanup_(feature_table_freep) FeatureTable *features = NULL;
        uint64_t inner, left_out;
        BuildIdEntry id;
        char expected[256];

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        inner = 0x400000 + made_offset(program, "inner");
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        byte_buffer_put(&b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = 2, .size = 8 + 24 + 3 * 24 }, 8);
        byte_buffer_put_u64(&b, inner + 2);
        byte_buffer_put_u64(&b, UINT64_C(7) << 32 | 7);
        byte_buffer_put_u64(&b, 3);
        put_branch(&b, 0x10, inner + 3, 1 | 1 << 20);
        put_branch(&b, inner + 1, UINT64_C(0xffffffff81000010), 2 | 4 | 8 | 7 << 4 | 6 << 20);
        put_branch(&b, inner, inner, 15 << 20 | 1 << 26);
        ck_assert_ok(feature_table_new(&features));
        test_put_build_ids(features, &id, 1);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = &event, .n_events = 1 }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, &left_out));
        text = test_command(PREFIX "-F pid,brstack -i %s", path);
        (void) snprintf(expected, sizeof(expected), "    7  0x10/0x%lx/M/-/-/0/COND  0x%lx/0xffffffff81000010/P/X/A/7/RET  0x%lx/0x%lx/-/-/-/0/FAULT_DATA \n",
                        inner + 3, inner + 1, inner, inner);
        ck_assert_str_eq(text, expected);
        free(steal_ptr(text));
        text = test_command(PREFIX "-F pid,brstacksym -i %s", path);
        ck_assert_str_eq(text, "    7 [unknown]/inner+0x3/M/-/-/0/COND inner+0x1/[unknown]/P/X/A/7/RET inner+0x0/inner+0x0/-/-/-/0/FAULT_DATA \n");
        free(steal_ptr(text));
        text = test_command(PREFIX "--json -F pid,brstack -i %s", path);
        ck_assert_ptr_nonnull(strstr(text, "\"brstack\":[{\"from\":{\"address\":\"0x10\"},\"to\":{\"address\":\"0x"));
        ck_assert_ptr_nonnull(strstr(text, "\"mispredicted\":true,\"predicted\":false,\"in_tx\":false,\"abort\":false,\"cycles\":0,\"type\":\"COND\"},"));
}
END_TEST

START_TEST(raw) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *cut = test_path("raw.data"), *text = NULL;
        size_t size;
        _cleanup_free_ char *data = test_read_file(path, &size);

        text = test_command(PREFIX "-D -i %s", path);
        ck_assert_ptr_nonnull(strstr(text, "\n0x840 [0x28]: event: 9\n.\n. ... raw event: size 40 bytes\n"
                                           ".  0000:  09 00 00 00 01 00 28 00 b2 9c 1c 82 ff ff ff ff  ......(.........\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n3359528330707 0x840 [0x28]: PERF_RECORD_SAMPLE(IP, 0x1): 24757/24757: "
                                           "0xffffffff821c9cb2 period: 50000 addr: 0\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n3359528281594 0x818 [0x28]: PERF_RECORD_COMM exec: sh:24757/24757\n"));
        free(steal_ptr(text));
        test_write_file(cut, data, size * 3 / 4);
        text = test_command(PREFIX "-D -i %s 2>&1 >/dev/null; echo status $?", cut);
        ck_assert_ptr_nonnull(strstr(text, "status 1\n"));
        ck_assert_ptr_nonnull(strstr(text, "raw.data"));
}
END_TEST

START_TEST(broken) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *cut = test_path("cut.data"), *text = NULL, *error = NULL;
        size_t size;
        _cleanup_free_ char *data = test_read_file(path, &size);

        test_write_file(cut, data, size * 3 / 4);
        text = test_command(PREFIX "-i %s 2>%s.err; echo status $?", cut, cut);
        error = test_command("cat %s.err", cut);
        ck_assert_ptr_nonnull(strstr(text, " cpu-clock: "));
        ck_assert_ptr_nonnull(strstr(text, "status 1\n"));
        ck_assert_ptr_nonnull(strstr(error, " is cut at byte 11952, within what follows its data: only a part of it could be read"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-F cpu -i %s 2>&1; echo status $?", path);
        ck_assert_str_eq(text, "Samples of 'cpu-clock' have no field 'cpu'\nstatus 1\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-F tod -i - --input-name=web-1 2>&1 <%s; echo status $?", path);
        ck_assert_ptr_nonnull(strstr(text, "web-1 does not say how its clock relates to the wall clock"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s 2>/dev/null >/dev/full; echo status $?", path);
        ck_assert_str_eq(text, "status 1\n");
}
END_TEST

/* Long output is written in pieces, which end anywhere in a line. */
START_TEST(long_output) {
        _cleanup_free_ char *path = test_path("long.data"), *text = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        for (uint64_t i = 0; i < 100000; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000, i + 1);
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        text = test_command(PREFIX "-i %s -G -F misc,ip | head -c 20000000 | sort | uniq -c | tr -s ' '", path);
        ck_assert_str_eq(text, " 100000 U 400000\n");
}
END_TEST

/* Messages have names of recordings, too. */
START_TEST(hostile_event) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *changed = test_path("event.data"), *text = NULL;
        size_t size;
        _cleanup_free_ char *data = test_read_file(path, &size);

        for (char *at = data; (at = memmem(at, size - (size_t) (at - data), "cpu-clock", 9)); at++)
                memcpy(at, "\033[2J\n\xff", 6);
        test_write_file(changed, data, size);
        text = test_command(PREFIX "-i %s 2>&1", changed);
        ck_assert(!strchr(text, '\033') && !strchr(text, '\xff'));
        free(steal_ptr(text));
        text = test_command(PREFIX "-F cpu -i %s 2>&1; echo status $?", changed);
        ck_assert_str_eq(text, "Samples of '?[2J \xef\xbf\xbdock' have no field 'cpu'\nstatus 1\n");
}
END_TEST

/* Samples of processes 7 (odd times) and 8. */
static char *recording_of(const char *name, uint32_t pid, unsigned n) {
        static const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char *path = test_path(name);

        ck_assert_ok(record_put_comm(&b, pid, pid, name, 0, &trailer));
        for (uint64_t i = 0; i < n; i++) {
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, pid, 0x401000, (2 * i + (pid & 1)) * 1000000);
                if (i % 8 == 0)
                        ck_assert_ok(record_put_finished_round(&b));
        }
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        return path;
}

START_TEST(several) {
        _cleanup_free_ char *a = recording_of("a.data", 7, 50), *b = recording_of("b.data", 8, 40), *text = NULL, *expected = NULL;

        text = test_command(PREFIX "-i %s -i %s -G -F comm,pid,time,ip,period", a, b);
        expected = test_command("( " PREFIX "-i %s -G -F comm,pid,time,ip,period; " PREFIX "-i %s -G -F comm,pid,time,ip,period ) | "
                                "sed 's/^.* \\([0-9]*\\.[0-9]*\\): /\\1 &/' | sort -s -k1,1n | sed 's/^[0-9.]* //'", a, b);
        ck_assert_ptr_nonnull(strstr(expected, "a.data"));
        ck_assert_ptr_nonnull(strstr(expected, "b.data"));
        ck_assert_str_eq(text, expected);
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -i %s -F pid,time,period --deltatime --time 0.0105,0.0135 | tr -s ' '", b, a);
        ck_assert_str_eq(text, " 7 0.000000: 1 \n 8 0.001000: 1 \n 7 0.001000: 1 \n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -i %s --json | grep -c '\"pid\":7'", a, b);
        ck_assert_str_eq(text, "50\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -i %s -i %s -F pid | sort | uniq -c | tr -s ' '", a, b, a);
        ck_assert_str_eq(text, " 100 7 \n 40 8 \n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -i %s.gone 2>&1; echo status $?", a, a);
        ck_assert_ptr_nonnull(strstr(text, ".gone: No such file or directory\nstatus 1\n"));
        free(steal_ptr(text)); /* the reader of the output goes away */
        text = test_command("( " PREFIX "-i %s -i %s -F pid,time; echo status $? >&2 ) 2>&1 >/dev/full", a, b);
        ck_assert_ptr_nonnull(strstr(text, "Failed to show "));
        ck_assert_ptr_nonnull(strstr(text, "status 1\n"));
}
END_TEST

/* A sample for each bit of where data came from, and for each number of the parts that are numbers, besides usual ones. */
static size_t data_sources(uint64_t *ret, size_t max) {
        static const struct {
                unsigned shift, n;
        } numbers[] = { { 33, 16 }, { 43, 5 } };
        size_t n = 0;

        ret[n++] = 0;
        ret[n++] = UINT64_C(0x68100142); /* LOAD, L1 hit, snoop none, TLB L1 or L2 hit */
        ret[n++] = UINT64_C(0x5080021) | UINT64_C(1) << 37;
        for (unsigned bit = 0; bit < 46; bit++)
                if (bit != 36) /* perf 6.1 has no word for it */
                        ret[n++] = UINT64_C(1) << bit;
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                for (uint64_t k = 0; k < numbers[i].n; k++)
                        if (i > 0 || k != 8)
                                ret[n++] = k << numbers[i].shift | UINT64_C(3) << 37 | 2 << 5 | 2;
        ck_assert_uint_lt(n, max);
        return n;
}

START_TEST(memory_accesses) {
        static const uint64_t ids[] = { 11 };
        static const PerfDataEvent event = {
                .attr = {
                        .type = PERF_TYPE_RAW, .config = 0x1cd, .size = sizeof(struct perf_event_attr), .sample_period = 1000,
                        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC,
                },
                .ids = ids, .n_ids = 1, .name = "loads",
        };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("memory.data"), *text = NULL, *json = NULL;
        _cleanup_(perf_data_writer_freep) PerfDataWriter *w = NULL;
        _cleanup_(feature_table_freep) FeatureTable *features = NULL;
        uint64_t sources[128], left_out;
        size_t n = data_sources(sources, ELEMENTSOF(sources));

        for (size_t i = 0; i < n; i++) {
                byte_buffer_put(&b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = 2, .size = 8 + 4 * 8 }, 8);
                byte_buffer_put_u64(&b, 0x401000);
                byte_buffer_put_u64(&b, UINT64_C(7) << 32 | 7);
                byte_buffer_put_u64(&b, UINT64_C(9) << 48 | UINT64_C(17) << 32 | 250); /* retire_lat, ins_lat, weight */
                byte_buffer_put_u64(&b, sources[i]);
        }
        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = &event, .n_events = 1 }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, &left_out));
        text = test_command(PREFIX "-F pid,data_src,weight,ins_lat -i %s", path);
        ck_assert(startswith(text, "    7                0 |OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A             250              17\n"));
        ck_assert_ptr_nonnull(strstr(text, "        68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A  "));
        if (test_have_perf_6_1()) {
                _cleanup_free_ char *perfs = test_command("perf script -f -F pid,data_src,weight,ins_lat -i %s 2>/dev/null", path);

                ck_assert_str_eq(perfs, text);
        }
        json = test_command(PREFIX "--json -F data_src,retire_lat -i %s | head -n 2", path);
        ck_assert_ptr_nonnull(strstr(json, "\"retire_lat\":9,\"data_src\":\"0x68100142\",\"data_src_text\":"
                                           "\"|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A\"}\n"));
        free(steal_ptr(json));
        json = test_command(PREFIX "-F retire_lat,machine_pid,vcpu,ipc,synth -i %s | head -n 1", path);
        ck_assert_str_eq(json, "               9\n");
        free(steal_ptr(json));
        json = test_command(PREFIX "-F ip,dsoff -i %s 2>&1; echo status $?", path);
        ck_assert_str_eq(json, "The field 'dsoff' is an offset in a binary, and needs the field 'dso'\nstatus 1\n");
}
END_TEST

/* Samples of one event begin and end what is shown of the other. */
START_TEST(switched) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("switched.data"), *event = NULL, *text = NULL;

        for (uint64_t time = 1000; time <= 8000; time += 1000)
                test_put_sample(&b, time == 3000 || time == 6000 ? 21 : 11, PERF_RECORD_MISC_USER, 7, 0x1000, time);
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        event = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " evlist -i %s | sed -n 2p | tr -d '\n'", path);
        ck_assert(startswith(event, "dummy:"));
        text = test_command(PREFIX "-i %s --ns -F time --switch-on=%s | tr -d ' \n'", path, event);
        ck_assert_str_eq(text, "0.000004000:0.000005000:0.000006000:0.000007000:0.000008000:");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --ns -F time --switch-off=%s | tr -d ' \n'", path, event);
        ck_assert_str_eq(text, "0.000001000:0.000002000:");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --ns -F time --switch-on=%s --switch-off=%s --show-on-off-events | tr -d ' \n'",
                            path, event, event);
        ck_assert_str_eq(text, "0.000003000:0.000004000:0.000005000:0.000006000:");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --switch-off=nothing 2>&1; echo $?", path);
        ck_assert_ptr_nonnull(strstr(text, " has no event 'nothing' to switch at\n1\n"));
}
END_TEST

START_TEST(stopped) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("stopped", made_source, "-O0 -g"), *path = test_path("stopped.data"), *text = NULL;
        struct perf_event_header *header;
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400001 + made_offset(program, "inner"), 1000);
        byte_buffer_put_u64(&b, 0x400001 + made_offset(program, "outer"));
        byte_buffer_put_u64(&b, 0x400001 + made_offset(program, "main"));
        header = (struct perf_event_header *) b.data;
        header->size += 16;
        ((uint64_t *) (header + 1))[6] = 4; /* words of the chain */
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        perf_data_reader_free(test_recording(path, &b, &id, 1));
        text = test_command(PREFIX "-i %s -F ip,sym --stop-bt=outer,x | grep -o '[a-z]*$' | tr '\n' ' '", path);
        ck_assert_str_eq(text, "inner outer ");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -F ip,sym,srcline --full-source-path | grep -c '^  %s.c:'", path, program);
        ck_assert_str_eq(text, "3\n");
}
END_TEST

/* A call that never returns is the last instruction of its function: behind it the next function begins. */
START_TEST(behind_a_call) {
        static const char source[] = "__attribute__((noinline, noreturn)) void fatal(void) { for (;;); }\n"
                                     "__attribute__((noinline)) void calls(void) { fatal(); }\n"
                                     "__attribute__((noinline)) void next(void) { __asm__ volatile(\"\"); }\n"
                                     "int main(int n, char **words) { (void) words; if (n > 1) calls(); next(); return 0; }\n";
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("noreturn.data"), *text = NULL;
        _cleanup_free_ char *program = made_program("noreturn", source,
                                                    "-g -O1 -falign-functions=1 -fno-reorder-functions -fno-toplevel-reorder -Wl,--build-id");
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        MADE_SAMPLE(&b, 7, 7, 1000, 0x400000 + made_offset(program, "fatal"), 0x400000 + made_offset(program, "next"),
                    0x400000 + made_offset(program, "main") + 5);
        perf_data_reader_free(test_recording(path, &b, &id, 1));
        text = test_command(PREFIX "-i %s -F ip,sym,srcline --no-inline | sed 's/\t *[0-9a-f]* /=/'", path);
        ck_assert_str_eq(text, "\n=fatal\n  noreturn.c:1\n=calls\n  noreturn.c:2\n=main\n  noreturn.c:4\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -F ip,sym,symoff", path);
        ck_assert_ptr_nonnull(strstr(text, " calls+0x"));
        free(steal_ptr(text));
        text = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " report -i %s -q --no-children -s sym -g caller,0 --stdio", path);
        ck_assert_ptr_nonnull(strstr(text, "calls"));
        ck_assert_ptr_null(strstr(text, "next"));
}
END_TEST

/* A recorder marks a call chain whose copy of the stack ended, see unwinder_mark(). */
START_TEST(cut_off) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("cut.data"), *text = NULL;
        struct perf_event_header *header;

        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1000, 1000);
        byte_buffer_put_u64(&b, PERF_CONTEXT_USER);
        header = (struct perf_event_header *) b.data;
        header->size += 8;
        ((uint64_t *) (header + 1))[6] = 3; /* words of the chain */
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        text = test_command(PREFIX "-i %s -F ip,sym 2>/dev/null", path);
        ck_assert_str_eq(text, "\n\t            1000 [unknown]\n# cut off: the copy of the stack ends\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --plain-addresses -F ip,sym 2>/dev/null", path);
        ck_assert_str_eq(text, "\n\t            1000 [unknown]\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --json -F ip 2>/dev/null", path);
        ck_assert_str_eq(text, "{\"event\":\"cpu-clock:HG\",\"callchain\":[{\"ip\":\"0x1000\"}],\"callchain_end\":\"cut\"}\n");
}
END_TEST

static void write_stack(const char *path, const char *machine, uint64_t abi) {
        enum { MASK_X8 = 8, MASK_PC = 32, N = 2 };
        static const uint64_t ids[] = { 11 };
        static const PerfDataEvent event = {
                .attr = {
                        .type = PERF_TYPE_SOFTWARE, .size = sizeof(struct perf_event_attr), .sample_period = 1000,
                        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
                        .sample_regs_user = UINT64_C(1) << MASK_X8 | UINT64_C(1) << 7 | UINT64_C(1) << MASK_PC, .sample_stack_user = 8,
                },
                .ids = ids, .n_ids = 1, .name = "clock",
        };
        const uint64_t words[] = { 0x1234, UINT64_C(7) << 32 | 7, 0, abi, 0x7000, 0x5678, 0x1234, 8, 0x9000, 8 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_(perf_data_writer_freep) PerfDataWriter *w = NULL;
        _cleanup_(feature_table_freep) FeatureTable *features = NULL;
        struct {
                uint32_t length;
                char text[64];
        } name = { .length = sizeof(name.text) };

        (void) snprintf(name.text, sizeof(name.text), "%s", machine);
        byte_buffer_put(&b, &(struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .misc = 2, .size = 8 + sizeof(words) }, 8);
        byte_buffer_put(&b, words, sizeof(words));
        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_put(features, PERF_FEATURE_ARCH, &name, sizeof(name)));
        ck_assert_ok(feature_table_add_events(features, &event, 1));
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = &event, .n_events = 1 }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
}

/* Registers of another processor, or of 32 bits, are no stack to follow: the address that was hit is shown, and said so. */
START_TEST(foreign_stacks) {
        static const struct {
                const char *machine, *registers;
                uint64_t abi;
        } all[] = { { "aarch64", " x8:0x5678    pc:0x1234 ", 2 }, { "x86_64", " IP:0x5678 unknown:0x1234 ", 1 } };
        _cleanup_free_ char *path = test_path("foreign.data");

        for (size_t i = 0; i < ELEMENTSOF(all); i++) {
                _cleanup_free_ char *lines = NULL, *json = NULL, *registers = NULL, *folded = NULL;

                write_stack(path, all[i].machine, all[i].abi);
                lines = test_command(PREFIX "-i %s -F ip,sym 2>&1", path);
                ck_assert_ptr_nonnull(strstr(lines, "\n\t            1234 [unknown]\n"));
                ck_assert_ptr_nonnull(strstr(lines, "1 of 1 call chains of clock have no callers in user space: stacks are followed of 64-bit "
                                                    "programs on x86-64 only\n"));
                ck_assert_ptr_null(strstr(lines, "5678"));
                json = test_command(PREFIX "-i %s --json -F ip 2>/dev/null", path);
                ck_assert_str_eq(json, "{\"event\":\"clock\",\"callchain\":[{\"ip\":\"0x1234\"}],\"callchain_end\":\"foreign\"}\n");
                registers = test_command(PREFIX "-i %s -F uregs 2>/dev/null", path);
                ck_assert_msg(strstr(registers, all[i].registers) != NULL, "%s", registers);
                folded = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " flamegraph -i %s --format=folded -o - 2>/dev/null", path);
                ck_assert_msg(strstr(folded, " 1") != NULL && !strstr(folded, "5678"), "%s", folded);
        }
}
END_TEST

/* Every verb that shows samples says which ones are missing; a part of what is not there is in the header of a report. */
START_TEST(losses) {
        static const char *const verbs[] = { "script", "annotate", "flamegraph", "export --format=csv", "report -q" };
        static const PerfRecordThrottle throttled[] = {
                { .header = { .type = PERF_RECORD_THROTTLE, .size = sizeof(PerfRecordThrottle) }, .time = 1000, .stream_id = 11 },
                { .header = { .type = PERF_RECORD_UNTHROTTLE, .size = sizeof(PerfRecordThrottle) }, .time = 3001000, .stream_id = 11 },
        };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("losses.data"), *expected = NULL;
        static const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE, .id = 11 };

        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1000, 1000);
        ck_assert_ok(record_put_lost_samples(&b, 5, &trailer));
        byte_buffer_put(&b, throttled, sizeof(throttled));
        perf_data_reader_free(test_recording(path, &b, NULL, 0));
        ck_assert_int_gt(asprintf(&expected, "%s: 5 samples were lost\n"
                                  "%s: the kernel throttled events 1 times, for 3ms in all: samples are missing\n", path, path), 0);
        for (size_t i = 0; i < ELEMENTSOF(verbs); i++) {
                _cleanup_free_ char *text = test_command("ASAN_OPTIONS=detect_leaks=0 " VIEWER " %s -i %s 2>&1 >/dev/null || true",
                                                         verbs[i], path);

                ck_assert_msg(text && strstr(text, expected), "%s: %s", verbs[i], text);
        }
}
END_TEST

TEST_RUN("verb-script", several, memory_accesses, golden, names_of_functions, behind_a_call, without_build_ids, kept_elsewhere, lines_of_source, objects, branches, raw, broken, long_output, hostile_event, losses, cut_off, foreign_stacks, switched, stopped);
