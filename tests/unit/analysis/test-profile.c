/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "elf-build-id.h"
#include "fd-file.h"
#include "made-program.h"
#include "parse-time.h"
#include "process-table.h"
#include "profile.h"
#include "vdso-image.h"

static const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };

static RecordTrailer at(uint64_t time) {
        return (RecordTrailer) { .sample_type = TEST_SAMPLE_TYPE, .time = time, .id = 21 };
}

static Profile *filtered_profile_of(const RecordBuffer *b, Symbols *s, const SampleSelection *selection) {
        _cleanup_free_ char *path = test_path("profile.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *r = test_recording(path, b, NULL, 0);
        Profile *p = NULL;

        ck_assert_ok(profile_new(r, s, selection, NULL, NULL, &p));
        return p;
}

static Profile *profile_of(const RecordBuffer *b, Symbols *s) {
        return filtered_profile_of(b, s, NULL);
}

static void expect_process(const Profile *p, size_t i, uint32_t pid, const char *comm, uint64_t samples) {
        const ProfileProcess *all;
        size_t n;

        all = profile_processes(p, &n);
        ck_assert_uint_lt(i, n);
        ck_assert_uint_eq(all[i].pid, pid);
        ck_assert_str_eq(all[i].comm, comm);
        ck_assert_uint_eq(all[i].samples, samples);
}

static void expect_symbol(const Profile *p, const char *dso, const char *name, uint64_t samples) {
        const ProfileSymbol *all;
        size_t n;

        all = profile_symbols(p, &n);
        for (size_t i = 0; i < n; i++)
                if (streq(all[i].dso, dso) && streq_ptr(all[i].name, name)) {
                        ck_assert_uint_eq(all[i].samples, samples);
                        return;
                }
        ck_abort_msg("no %s in %s", name ?: "(none)", dso);
}

START_TEST(processes_and_places) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_profile_free_ Profile *p = NULL;

        test_put_recording(&b, "/no/such/program");
        ck_assert_ok(record_put_lost_samples(&b, 5, &trailer));
        p = profile_of(&b, NULL);
        expect_process(p, 0, TEST_PID, "demo", 3);
        expect_symbol(p, "/no/such/program", NULL, 2);
        expect_symbol(p, "[kernel.kallsyms]", NULL, 1);
}
END_TEST

/* The maps of a pid's second program apply from then on, whatever their order in the file. */
START_TEST(exec_in_the_order_of_time) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_profile_free_ Profile *p = NULL;
        RecordTrailer exec = at(200), map = at(201);
        RecordMap second = {
                .pid = 7, .tid = 7, .start = 0x500000, .length = 0x1000, .path = "/bin/second", .misc = PERF_RECORD_MISC_USER,
                .protection = 5, .flags = 2,
        };

        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, 100);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x500010, 300);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, 301);
        ck_assert_ok(record_put_comm(&b, 7, 7, "first", 0, &trailer));
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/first", 1);
        ck_assert_ok(record_put_comm(&b, 7, 7, "second", PERF_RECORD_MISC_COMM_EXEC, &exec));
        ck_assert_ok(record_put_mmap2(&b, &second, &map));
        p = profile_of(&b, NULL);
        expect_process(p, 0, 7, "second", 2);
        expect_process(p, 1, 7, "first", 1);
        expect_symbol(p, "/bin/first", NULL, 2); /* as in perf, where nothing is mapped over it */
        expect_symbol(p, "/bin/second", NULL, 1);
}
END_TEST

/* The tid is behind the header, two numbers and the pid. */
static void set_thread_of(RecordBuffer *b, size_t sample, uint32_t tid) {
        memcpy(b->data + sample + sizeof(struct perf_event_header) + 2 * sizeof(uint64_t) + sizeof(uint32_t), &tid, sizeof(tid));
}

/* A name that comes again adds up; a pid that is given again is another process, also if it has the same name. */
START_TEST(names_and_instances) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_profile_free_ Profile *p = NULL;
        RecordTrailer fork_time = at(1000);
        const ProfileProcess *all;
        size_t n, helper;

        ck_assert_ok(record_put_comm(&b, 6, 6, "idle", 0, &trailer));
        for (uint64_t i = 0; i < 6; i++) {
                RecordTrailer turn = at(10 * i + 1);

                ck_assert_ok(record_put_comm(&b, 7, 7, i % 2 == 0 ? "busy" : "idle", 0, &turn));
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, 10 * i + 2);
        }
        ck_assert_ok(record_put_fork(&b, 7, 6, 7, 6, 1000, 0, &fork_time));
        for (uint64_t i = 0; i < 2; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, 2000 + i);
        fork_time.time = 3000;
        ck_assert_ok(record_put_comm(&b, 7, 8, "helper", 0, &fork_time));
        helper = b.size;
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, 3001);
        set_thread_of(&b, helper, 8);
        p = profile_of(&b, NULL);
        all = profile_processes(p, &n);
        ck_assert_uint_eq(n, 3);
        expect_process(p, 0, 7, "busy", 3);
        expect_process(p, 1, 7, "idle", 3);
        expect_process(p, 2, 7, "idle", 3);
        for (size_t i = 0; i < n; i++)
                ck_assert_uint_eq(all[i].instance, i == 2);
        all = profile_threads(p, &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_uint_eq(all[0].instance, 1);
}
END_TEST

START_TEST(forks_inherit) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_profile_free_ Profile *p = NULL;
        RecordTrailer fork_time = at(50);

        ck_assert_ok(record_put_comm(&b, 7, 7, "parent", 0, &trailer));
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/both", 1);
        ck_assert_ok(record_put_fork(&b, 8, 7, 8, 7, 50, 0, &fork_time));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 8, 0x400010, 100);
        p = profile_of(&b, NULL);
        expect_process(p, 0, 8, "parent", 1);
        expect_symbol(p, "/bin/both", NULL, 1);
}
END_TEST

/* A fork copies all maps of its process: if processes have too many together, the oldest maps are dropped. */
START_TEST(maps_of_all_are_limited) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_profile_free_ Profile *p = NULL;
        const uint32_t n_forks = PROCESS_TABLE_MAPS_MAX / MAP_LIST_MAX + 1;
        RecordTrailer fork_time = at(50);

        test_put_map(&b, 6, 0x1000, 0x1000, "/bin/small", 1);
        for (uint64_t i = 1; i <= MAP_LIST_MAX; i++)
                test_put_map(&b, 7, i * 0x2000, 0x1000, i == 1 ? "/bin/oldest" : i == MAP_LIST_MAX ? "/bin/newest" : "/bin/some", i);
        for (uint32_t i = 0; i < n_forks; i++)
                ck_assert_ok(record_put_fork(&b, 100 + i, 7, 100 + i, 7, 50, 0, &fork_time));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 6, 0x1010, 100);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x2010, 100);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, MAP_LIST_MAX * UINT64_C(0x2000) + 0x10, 100);
        p = profile_of(&b, NULL);
        expect_symbol(p, "/bin/small", NULL, 1);
        expect_symbol(p, "/bin/newest", NULL, 1);
        expect_symbol(p, "[unknown]", NULL, 1);
}
END_TEST

START_TEST(programs_and_generated_code) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_profile_free_ Profile *p = NULL;
        _cleanup_symbols_free_ Symbols *s = NULL;
        _cleanup_free_ char *root = test_path("beside"), *tmp = path_join(root, "tmp"), *map = path_join(root, "tmp/perf-7.map");
        const uint64_t program = UINT64_C(0xffffffffc0100000);

        ck_assert_ok(make_directories(tmp, 0700));
        test_write_file(map, "700000 100 made::up\n", 20);
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = root, .frames = true }, &s));
        ck_assert_ok(record_put_ksymbol(&b, program, 0x80, PERF_RECORD_KSYMBOL_TYPE_BPF, 0, "bpf_prog_abc_count", &trailer));
        ck_assert_ok(record_put_comm(&b, 7, 7, "vm", 0, &trailer));
        test_put_map(&b, 7, 0x700000, 0x1000, "//anon", 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, program + 8, 100);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x700010, 100);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x700200, 100);
        p = profile_of(&b, s);
        expect_symbol(p, "bpf_prog_abc_count", "bpf_prog_abc_count", 1);
        expect_symbol(p, "/tmp/perf-7.map", "made::up", 1);
        expect_symbol(p, "//anon", NULL, 1);
}
END_TEST

/* Idle time belongs to no process, unless it is asked for; processes outside of the PID namespace are not idle
 * time. */
START_TEST(idle_and_exited) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_profile_free_ Profile *all = NULL, *busy = NULL, *idle = NULL;
        const uint64_t kernel = UINT64_C(0xffffffff81000100);
        const uint32_t pids[] = { 0 };
        const SampleSelection filter = { .pids = pids, .n_pids = 1 };
        size_t n;

        for (unsigned i = 0; i < 5; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 0, kernel, 100 + i);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 0, 0x400010, 110);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, UINT32_MAX, kernel, 111);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, kernel, 112);
        all = profile_of(&b, NULL);
        ck_assert_uint_eq(profile_samples(all), 8);
        ck_assert_uint_eq(profile_idle(all), 5);
        (void) profile_processes(all, &n);
        ck_assert_uint_eq(n, 3);
        expect_process(all, 0, 0, "swapper", 1);
        expect_process(all, 1, 7, "", 1);
        expect_process(all, 2, PROFILE_PID_EXITED, "", 1);
        busy = filtered_profile_of(&b, NULL, &(SampleSelection) { .no_idle = true });
        ck_assert_uint_eq(profile_samples(busy), 3);
        ck_assert_uint_eq(profile_idle(busy), 5);
        expect_process(busy, 0, 0, "swapper", 1);
        idle = filtered_profile_of(&b, NULL, &filter);
        ck_assert_uint_eq(profile_samples(idle), 6);
        ck_assert_uint_eq(profile_idle(idle), 0);
        expect_process(idle, 0, 0, "swapper", 6);
}
END_TEST

/* Each second has its samples; those before the first and behind the last one are in none. */
START_TEST(seconds) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("seconds.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_profile_free_ Profile *p = NULL;
        ProfileSeconds s = { .begin = 10 * NSEC_PER_SEC };

        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, s.begin - 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, s.begin);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 0, UINT64_C(0xffffffff81000100), s.begin + NSEC_PER_SEC - 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, s.begin + (PROFILE_SECONDS - 1) * NSEC_PER_SEC);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, s.begin + PROFILE_SECONDS * NSEC_PER_SEC);
        r = test_recording(path, &b, NULL, 0);
        ck_assert_ok(profile_new(r, NULL, NULL, &s, NULL, &p));
        ck_assert(s.all[0] == 2 && s.idle[0] == 1 && s.all[1] == 0 && s.all[PROFILE_SECONDS - 1] == 1);
        ck_assert_uint_eq(profile_samples(p), 5);
}
END_TEST

static void expect_samples(const RecordBuffer *b, SampleSelection filter, uint64_t samples) {
        _cleanup_profile_free_ Profile *p = filtered_profile_of(b, NULL, &filter);

        ck_assert_uint_eq(profile_samples(p), samples);
}

/* Threads count as their process, and for their names. A selection is of their names. */
START_TEST(threads) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_profile_free_ Profile *p = NULL, *selected = NULL;
        char *helper[] = { (char *) "helper", NULL }, *main_name[] = { (char *) "main", NULL };
        const ProfileProcess *all;
        size_t n, second;

        ck_assert_ok(record_put_comm(&b, 7, 7, "main", 0, &trailer));
        ck_assert_ok(record_put_fork(&b, 7, 7, 8, 7, 0, 0, &trailer));
        ck_assert_ok(record_put_comm(&b, 7, 8, "helper", 0, &trailer));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, 100);
        second = b.size;
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, 101);
        set_thread_of(&b, second, 8);
        p = profile_of(&b, NULL);
        (void) profile_processes(p, &n);
        ck_assert_uint_eq(n, 1);
        expect_process(p, 0, 7, "main", 2);
        all = profile_threads(p, &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_str_eq(all[0].comm, "helper");
        ck_assert_uint_eq(all[0].pid, 7);
        ck_assert_uint_eq(all[0].samples, 1);
        selected = filtered_profile_of(&b, NULL, &(SampleSelection) { .comms = helper });
        expect_process(selected, 0, 7, "main", 1);
        expect_samples(&b, (SampleSelection) { .comms = main_name }, 1);
}
END_TEST

/* Processes are selected by number and by the name that they had then. */
START_TEST(filters) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_profile_free_ Profile *p = NULL;
        char *web[] = { (char *) "web", NULL }, *pattern[] = { (char *) "w*", (char *) "nosuch", NULL };
        char *none[] = { (char *) "nosuch", NULL };
        const uint32_t seven[] = { 7 }, both[] = { 7, 8 };
        RecordTrailer later = at(200);
        size_t n;

        ck_assert_ok(record_put_comm(&b, 7, 7, "sh", 0, &trailer));
        ck_assert_ok(record_put_comm(&b, 8, 8, "worker", 0, &trailer));
        ck_assert_ok(record_put_comm(&b, 7, 7, "web", PERF_RECORD_MISC_COMM_EXEC, &later));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, 100);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400010, 300);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 8, 0x400010, 300);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 9, 0x400010, 300);
        expect_samples(&b, (SampleSelection) {}, 4);
        expect_samples(&b, (SampleSelection) { .comms = web }, 1);
        expect_samples(&b, (SampleSelection) { .comms = pattern, .comm_patterns = true }, 2);
        expect_samples(&b, (SampleSelection) { .comms = none }, 0);
        expect_samples(&b, (SampleSelection) { .pids = seven, .n_pids = 1 }, 2);
        expect_samples(&b, (SampleSelection) { .pids = both, .n_pids = 2 }, 3);
        expect_samples(&b, (SampleSelection) { .pids = seven, .n_pids = 1, .comms = web }, 1);
        expect_samples(&b, (SampleSelection) { .tids = both, .n_tids = 2, .comms = web }, 1);
        p = filtered_profile_of(&b, NULL, &(SampleSelection) { .comms = web });
        (void) profile_processes(p, &n);
        ck_assert_uint_eq(n, 1);
        expect_process(p, 0, 7, "web", 1);
        expect_symbol(p, "[unknown]", NULL, 1);
}
END_TEST

/* The counts of a file that perf recorded are those of perf script. */
START_TEST(as_perf_counts) {
        _cleanup_free_ char *program = NULL, *data = test_path("perf.data"), *output = NULL, *line = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_symbols_free_ Symbols *s = NULL;
        _cleanup_profile_free_ Profile *p = NULL;

        program = made_program("spin", "__attribute__((noinline)) static unsigned spin(unsigned n) { volatile unsigned x = n; "
                                       "while (x) x--; return x; }\nint main(void) { return (int) spin(300000000); }\n", "");
        if (!program || !test_have_perf())
                return;
        output = test_command("perf record -q -e cpu-clock:u -F 499 -o %s %s 2>/dev/null", data, program);
        if (!output)
                return;
        line = test_command("perf script -i %s -F ip,sym 2>/dev/null | grep -c '\\bspin$'", data);
        ck_assert_ptr_nonnull(line);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, data, &r));
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &s));
        ck_assert_ok(profile_new(r, s, NULL, NULL, NULL, &p));
        expect_symbol(p, program, "spin", strtoull(line, NULL, 10));
}
END_TEST

/* If a path had two files, the table has the build id of the current one. */
START_TEST(a_replaced_binary) {
        _cleanup_free_ char *program = made_program("replaced", made_source, "-Wl,--build-id"), *path = test_path("replaced.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_symbols_free_ Symbols *s = NULL;
        _cleanup_profile_free_ Profile *p = NULL;
        struct stat st;
        BuildIdEntry id;
        uint64_t inner;

        if (!program)
                return;
        inner = made_offset(program, "inner");
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        ck_assert_int_eq(stat(program, &st), 0);
        test_put_map(&b, 7, 0x400000, 0x100000, program, st.st_ino + 1);
        test_put_map(&b, 8, 0x400000, 0x100000, program, st.st_ino);
        for (unsigned i = 0; i < 3; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + inner, 100 + i);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 8, 0x400000 + inner, 110);
        r = test_recording(path, &b, &id, 1);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &s));
        ck_assert_ok(profile_new(r, s, NULL, NULL, NULL, &p));
        expect_symbol(p, program, NULL, 3);
        expect_symbol(p, program, "inner", 1);
}
END_TEST

/* The vdso has no .symtab either, and names all of its functions. */
START_TEST(stripped_binaries) {
        _cleanup_free_ char *program = made_program("bare", made_source, "-Wl,--build-id -s"), *whole = NULL, *path = test_path("bare.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_symbols_free_ Symbols *s = NULL;
        _cleanup_profile_free_ Profile *p = NULL;
        _cleanup_close_ int vdso = vdso_image_open(NULL);
        BuildIdEntry ids[3];
        size_t n;

        if (!program)
                return;
        whole = made_program("whole", made_source, "-Wl,--build-id");
        ids[0] = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        ids[1] = (BuildIdEntry) { .path = whole, .id = made_build_id(whole) };
        ids[2] = (BuildIdEntry) { .path = "[vdso]" };
        if (vdso >= 0)
                ck_assert_ok(build_id_of_fd(vdso, &ids[2].id));
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_map(&b, 7, 0x600000, 0x100000, whole, 0);
        test_put_map(&b, 7, 0x800000, 0x100000, "[vdso]", 0);
        for (uint64_t start = 0x400000; start <= 0x800000; start += 0x200000) {
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, start + 0x1100, 100 + start);
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, start + 0x1120, 101 + start);
        }
        r = test_recording(path, &b, ids, vdso >= 0 ? 3 : 2);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &s));
        ck_assert_ok(profile_new(r, s, NULL, NULL, NULL, &p));
        ck_assert_uint_eq(profile_samples(p), 6);
        ck_assert_str_eq(profile_stripped(p, &n)[0], program);
        ck_assert_uint_eq(n, 1);
}
END_TEST

/* The vdso is mapped from no file; its build id leads to the one of this kernel. */
START_TEST(the_vdso) {
        _cleanup_close_ int vdso = vdso_image_open(NULL);
        _cleanup_free_ char *image = NULL, *path = test_path("vdso.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_symbols_free_ Symbols *s = NULL;
        _cleanup_profile_free_ Profile *p = NULL;
        BuildIdEntry id = { .path = "[vdso]" };
        Symbol function = {};

        if (vdso < 0)
                return; /* the kernel maps none into this process */
        ck_assert_int_gt(asprintf(&image, "/proc/self/fd/%d", vdso), 0);
        t = loaded_symbols(NULL, image);
        for (size_t i = 0; i < symbol_table_size(t) && !(function.name && startswith(function.name, "__vdso_")); i++)
                symbol_table_get(t, i, &function);
        ck_assert(function.name && startswith(function.name, "__vdso_"));
        ck_assert_ok(build_id_of_fd(vdso, &id.id));
        test_put_map(&b, 7, 0x7f0000000000, 0x2000, "[vdso]", 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x7f0000000000 + function.start, 100);
        r = test_recording(path, &b, &id, 1);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &s));
        ck_assert_ok(profile_new(r, s, NULL, NULL, NULL, &p));
        expect_symbol(p, "[vdso]", function.name, 1);
}
END_TEST

/* The recording does not identify the file that was mapped. */
START_TEST(an_unknown_binary) {
        _cleanup_free_ char *program = made_program("unknown", made_source, "-Wl,--build-id");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_symbols_free_ Symbols *s = NULL;
        _cleanup_profile_free_ Profile *p = NULL;

        if (!program)
                return;
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "inner"), 100);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &s));
        p = profile_of(&b, s);
        expect_symbol(p, program, NULL, 1);
}
END_TEST

TEST_RUN("profile", processes_and_places, exec_in_the_order_of_time, names_and_instances, forks_inherit, maps_of_all_are_limited,
         programs_and_generated_code, idle_and_exited, seconds, threads, filters, as_perf_counts, a_replaced_binary, stripped_binaries, the_vdso,
         an_unknown_binary);
