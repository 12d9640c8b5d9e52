/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/sysmacros.h>

#include "code-places.h"
#include "made-jit-dump.h"
#include "perfdata-test.h"

static void take_all(ProcessView *view, const RecordBuffer *b) {
        const struct perf_event_header *record;
        size_t cursor = 0;

        while (record_next(b->data, b->size, &cursor, &record) == 1)
                ck_assert_ok(process_view_take(view, record));
}

static const CodePlace *find(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip) {
        uint32_t number;

        ck_assert_ok(code_places_find(p, pid, cpumode, ip, &number));
        return p->places + number;
}

START_TEST(places_of_addresses) {
        _cleanup_(process_view_done) ProcessView view = {};
        _cleanup_(code_places_done) CodePlaces p = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const CodePlace *place;

        ck_assert_ok(code_places_init(&p, &view));
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        test_put_map(&b, 7, 0x500000, 0x1000, "//anon", 0);
        ck_assert_ok(record_put_ksymbol(&b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf_prog_1", NULL));
        take_all(&view, &b);
        place = find(&p, 7, PERF_RECORD_MISC_USER, 0x400010);
        ck_assert_str_eq(p.dsos->dsos[place->dso].path, "/bin/demo");
        ck_assert_uint_eq(place->address, 0x10);
        ck_assert_ptr_eq(find(&p, 7, PERF_RECORD_MISC_USER, 0x400010), place);
        place = find(&p, 7, PERF_RECORD_MISC_USER, 0x500010);
        ck_assert_str_eq(p.dsos->dsos[place->dso].path, "/tmp/perf-7.map");
        ck_assert_uint_eq(place->address, 0x500010);
        place = find(&p, 7, PERF_RECORD_MISC_KERNEL, UINT64_C(0xffffffffc0001010));
        ck_assert_str_eq(p.dsos->dsos[place->dso].path, "bpf_prog_1");
        ck_assert_int_eq(place->level, 'k');
        ck_assert_uint_eq(find(&p, 8, PERF_RECORD_MISC_USER, 0x400010)->dso, DSO_NONE);
        ck_assert_uint_eq(find(&p, 7, PERF_RECORD_MISC_HYPERVISOR, 0x400010)->dso, DSO_NONE);
}
END_TEST

/* Two processes have the binary at other addresses; callers that are nowhere are one place then, and what was hit is not. */
START_TEST(by_file) {
        _cleanup_(process_view_done) ProcessView view = {};
        _cleanup_(code_places_done) CodePlaces p = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        uint32_t first, second, caller;

        ck_assert_ok(code_places_init(&p, &view));
        p.by_file = true;
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        test_put_map(&b, 8, 0x500000, 0x1000, "/bin/demo", 1);
        take_all(&view, &b);
        ck_assert_ok(code_places_find_caller(&p, 7, PERF_RECORD_MISC_USER, 0x400010, &first));
        ck_assert_ok(code_places_find_caller(&p, 8, PERF_RECORD_MISC_USER, 0x500010, &second));
        ck_assert_uint_eq(first, second);
        ck_assert_uint_eq(p.places[first].ip, 0x10);
        ck_assert_ok(code_places_find_caller(&p, 8, PERF_RECORD_MISC_USER, 0x600010, &caller));
        ck_assert_ok(code_places_find_caller(&p, 7, PERF_RECORD_MISC_USER, 0x700010, &second));
        ck_assert_uint_eq(caller, second);
        ck_assert(p.places[caller].ip == CODE_PLACE_NOWHERE && p.places[caller].dso == DSO_NONE);
        ck_assert_uint_eq(find(&p, 8, PERF_RECORD_MISC_USER, 0x600010)->ip, 0x600010);
        ck_assert_ok(code_places_find_caller(&p, 8, PERF_RECORD_MISC_KERNEL, 0x600010, &second));
        ck_assert_uint_ne(caller, second);
}
END_TEST

/* The call of a caller is before the address, which may be in other code, or in none. */
START_TEST(callers) {
        _cleanup_(process_view_done) ProcessView view = {};
        _cleanup_(code_places_done) CodePlaces p = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        uint32_t hit, caller;

        ck_assert_ok(code_places_init(&p, &view));
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        test_put_map(&b, 7, 0x401000, 0x1000, "/bin/more", 2);
        take_all(&view, &b);
        ck_assert_ok(code_places_find(&p, 7, PERF_RECORD_MISC_USER, 0x401000, &hit));
        ck_assert_ok(code_places_find_caller(&p, 7, PERF_RECORD_MISC_USER, 0x401000, &caller));
        ck_assert_str_eq(p.dsos->dsos[p.places[hit].dso].path, "/bin/more");
        ck_assert(p.places[hit].address == 0 && !p.places[hit].caller);
        ck_assert_str_eq(p.dsos->dsos[p.places[caller].dso].path, "/bin/demo");
        ck_assert(p.places[caller].address == 0x1000 && p.places[caller].caller);
        ck_assert_ok(code_places_find(&p, 7, PERF_RECORD_MISC_USER, 0x400010, &hit));
        ck_assert_ok(code_places_find_caller(&p, 7, PERF_RECORD_MISC_USER, 0x400010, &caller));
        ck_assert_uint_ne(hit, caller);
        ck_assert_ok(code_places_find_caller(&p, 7, PERF_RECORD_MISC_USER, 0, &caller));
        ck_assert(p.places[caller].dso == DSO_NONE && !p.places[caller].caller);
}
END_TEST

/* Branches may lead into the kernel, and to where nothing is. */
START_TEST(any_mode) {
        _cleanup_(process_view_done) ProcessView view = {};
        _cleanup_(code_places_done) CodePlaces p = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(code_places_init(&p, &view));
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        ck_assert_ok(record_put_ksymbol(&b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf_prog_1", NULL));
        take_all(&view, &b);
        ck_assert_int_eq(find(&p, 7, CODE_PLACES_ANY_MODE, UINT64_C(0xffffffffc0001010))->level, 'k');
        ck_assert_int_eq(find(&p, 7, CODE_PLACES_ANY_MODE, 0x400010)->level, '.');
        ck_assert_uint_ne(find(&p, 7, CODE_PLACES_ANY_MODE, 0x400010)->dso, DSO_NONE);
        ck_assert_int_eq(find(&p, 7, CODE_PLACES_ANY_MODE, 0x10)->level, 'H');
        ck_assert_uint_eq(find(&p, 7, CODE_PLACES_ANY_MODE, 0x10)->dso, DSO_NONE);
}
END_TEST

/* Data hides nothing unless somebody asks for it; what is of no file has no offsets. */
START_TEST(data_and_sizes) {
        RecordMap map = { .pid = 7, .tid = 7, .start = 0x600000, .length = 0x2000, .page_offset = 0x1000, .path = "/bin/demo",
                          .misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, .protection = 3, .flags = 2 };
        _cleanup_(process_view_done) ProcessView code = {}, view = { .with_data = true };
        _cleanup_(code_places_done) CodePlaces without = {}, p = { .with_map_sizes = true };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const CodePlace *place;

        ck_assert_ok(record_put_mmap2(&b, &map, NULL));
        map.start = 0x700000;
        map.path = "//anon";
        ck_assert_ok(record_put_mmap2(&b, &map, NULL));
        ck_assert_ok(code_places_init(&without, &code));
        take_all(&code, &b);
        ck_assert_uint_eq(find(&without, 7, PERF_RECORD_MISC_USER, 0x600010)->dso, DSO_NONE);
        ck_assert_ok(code_places_init(&p, &view));
        take_all(&view, &b);
        place = find(&p, 7, PERF_RECORD_MISC_USER, 0x600010);
        ck_assert_uint_eq(place->address, 0x1010);
        ck_assert_uint_eq(p.map_sizes[place - p.places], 0x2000);
        place = find(&p, 7, PERF_RECORD_MISC_USER, 0x700010);
        ck_assert_str_eq(p.dsos->dsos[place->dso].path, "//anon");
        ck_assert_uint_eq(place->address, 0x700010);
        place = find(&p, 7, PERF_RECORD_MISC_USER, 0x10);
        ck_assert_uint_eq(p.map_sizes[place - p.places], 0);
}
END_TEST

static void assert_place(CodePlaces *p, uint32_t pid, uint64_t ip, uint64_t time, const char *path, uint64_t address) {
        const CodePlace *place;

        p->time = time;
        place = find(p, pid, PERF_RECORD_MISC_USER, ip);
        ck_assert_uint_eq(place->ip, ip);
        ck_assert_str_eq(p->dsos->dsos[place->dso].path, path);
        ck_assert_uint_eq(place->address, address);
}

static uint32_t generation_at(CodePlaces *p, uint32_t pid, uint64_t time) {
        p->time = time;
        return code_places_generation(p, pid);
}

/* Makes process 7 with two functions at one address, one after the other. The second claims to be where a library is, too. */
static char *made_jit_process(RecordBuffer *b) {
        _cleanup_byte_buffer_ ByteBuffer dump = {};
        char *path;
        struct stat st;

        made_jit_begin(&dump, 7, 0);
        made_jit_load(&dump, 100, 0x500000, 0x100, 1, "old", true);
        made_jit_load(&dump, 200, 0x500000, 0x100, 2, "new", true);
        made_jit_load(&dump, 200, 0x400000, 0x100, 3, "forged", true);
        path = made_jit_file(&dump, "places/jit-7.dump");
        ck_assert_int_eq(stat(path, &st), 0);
        test_put_map(b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        ck_assert_ok(record_put_mmap2(b, &(RecordMap) { .pid = 7, .tid = 7, .start = 0x300000, .length = 0x1000, .path = path,
                                                        .misc = PERF_RECORD_MISC_USER, .inode = st.st_ino,
                                                        .major = major(st.st_dev), .minor = minor(st.st_dev) }, NULL));
        test_put_map(b, 7, 0x500000, 0x1000, "//anon", 0);
        return path;
}

static const PerfDataEvent monotonic = {
        .attr = { .sample_type = PERF_SAMPLE_TIME, .use_clockid = true, .clockid = CLOCK_MONOTONIC },
};

START_TEST(generated_code) {
        _cleanup_(process_view_done) ProcessView view = {};
        _cleanup_(code_places_done) CodePlaces p = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = made_jit_process(&b);
        uint32_t before;

        ck_assert_ok(code_places_init(&p, &view));
        jit_files_begin(&p.jit, NULL, "");
        ck_assert_ok(process_view_begin_recording(&view, &monotonic, 1));
        take_all(&view, &b);
        assert_place(&p, 7, 0x500010, 99, "/tmp/perf-7.map", 0x500010);
        assert_place(&p, 7, 0x500010, 100, path, 0x10);
        assert_place(&p, 7, 0x500010, 200, path, 0x110);
        assert_place(&p, 7, 0x500010, 199, path, 0x10);
        assert_place(&p, 7, 0x400010, 200, "/bin/demo", 0x10);
        assert_place(&p, 7, 0x500100, 200, "/tmp/perf-7.map", 0x500100);
        ck_assert_ok(code_places_find_caller(&p, 7, PERF_RECORD_MISC_USER, 0x500100, &before));
        ck_assert_str_eq(p.dsos->dsos[p.places[before].dso].path, path);
        ck_assert_uint_eq(p.places[before].address, 0x200);
        ck_assert_uint_eq(find(&p, 7, PERF_RECORD_MISC_KERNEL, 0x500010)->dso, DSO_NONE);
        before = generation_at(&p, 7, 150);
        ck_assert_uint_eq(generation_at(&p, 7, 199), before);
        ck_assert_uint_ne(generation_at(&p, 7, 200), before);
}
END_TEST

/* A child has its parent's code; a program that is executed has none. */
START_TEST(heirs_of_generated_code) {
        _cleanup_(process_view_done) ProcessView view = {};
        _cleanup_(code_places_done) CodePlaces p = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {}, more = {};
        _cleanup_free_ char *path = made_jit_process(&b);

        ck_assert_ok(code_places_init(&p, &view));
        jit_files_begin(&p.jit, NULL, "");
        ck_assert_ok(record_put_fork(&b, 8, 7, 8, 7, 1, 0, NULL));
        take_all(&view, &b);
        assert_place(&p, 7, 0x500010, 0, path, 0x110); /* without a clock, the last one */
        assert_place(&p, 8, 0x500010, 0, path, 0x110);
        ck_assert_ok(record_put_comm(&more, 8, 8, "other", PERF_RECORD_MISC_COMM_EXEC, NULL));
        take_all(&view, &more);
        assert_place(&p, 8, 0x500010, 0, "/tmp/perf-7.map", 0x500010);
        assert_place(&p, 7, 0x500010, 0, path, 0x110);
}
END_TEST

/* Another file has the path now. */
START_TEST(another_jit_dump) {
        _cleanup_(process_view_done) ProcessView view = {};
        _cleanup_(code_places_done) CodePlaces p = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = made_jit_process(&b), *output = NULL;

        output = test_command("cp %s %s.new && mv %s.new %s", path, path, path, path);
        ck_assert_ptr_nonnull(output);
        ck_assert_ok(code_places_init(&p, &view));
        jit_files_begin(&p.jit, NULL, "");
        take_all(&view, &b);
        assert_place(&p, 7, 0x500010, 300, "/tmp/perf-7.map", 0x500010);
}
END_TEST

TEST_RUN("code-places", places_of_addresses, by_file, callers, any_mode, data_and_sizes,
         generated_code, heirs_of_generated_code, another_jit_dump);
