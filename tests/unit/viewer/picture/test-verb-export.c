/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view export end to end. Code is in files that are not here, so that a function has the name of its file. */

#include "made-samples.h"
#include "record.h"

#define EXPORT VIEWER " export -i "

static void put_file(RecordBuffer *b, uint64_t number, const char *name) {
        char path[512];

        (void) snprintf(path, sizeof(path), "/nowhere/%s", name);
        test_put_map(b, 7, number << 12, 0x1000, path, 0);
}

/* The thread "comm" (7): outer calls inner, which calls itself. */
static char *put_recording(const char *name, const char *comm, const char *inner) {
        const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        char *path = test_path(name);

        ck_assert_ok(record_put_comm(&b, 7, 7, comm, 0, &trailer));
        put_file(&b, 1, "outer");
        put_file(&b, 2, inner);
        MADE_SAMPLE(&b, 7, 7, 1000, 0x2010, 0x2020, 0x2020, 0x1010);
        made_sample(&b, 7, 7, 1001, 5, (const uint64_t[]) { 0x2010, 0x1010 }, 2);
        made_sample(&b, 7, 7, 1002, 9, (const uint64_t[]) { 0x1020 }, 1);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ptr_nonnull(reader);
        return path;
}

static void assert_exported(const char *path, const char *words, const char *expected) {
        _cleanup_free_ char *text = test_command(EXPORT "%s %s 2>&1", path, words);

        ck_assert_ptr_nonnull(text);
        ck_assert_str_eq(text, expected);
}

START_TEST(lines) {
        _cleanup_free_ char *path = put_recording("table.data", "shop", "inner");

        assert_exported(path, "--format csv | sed 's/,[^,]*,,shop/,HOST,,shop/'",
                        "event,host,unit,comm,pid,tid,cpu,samples,period,binary,function,stack\n"
                        "cpu-clock:HG,HOST,,shop,7,7,0,1,1,inner,[inner],[outer];[inner];[inner];[inner]\n"
                        "cpu-clock:HG,HOST,,shop,7,7,0,1,5,inner,[inner],[outer];[inner]\n"
                        "cpu-clock:HG,HOST,,shop,7,7,0,1,9,outer,[outer],[outer]\n");
}
END_TEST

/* A call of a function by itself costs what the sample has once. */
START_TEST(costs) {
        _cleanup_free_ char *path = put_recording("calls.data", "shop", "inner");

        assert_exported(path, "--format callgrind",
                        "# callgrind format\nversion: 1\ncreator: perf-recorder\npositions: line\nevents: cpu_clock_HG\n\n"
                        "ob=inner\nfl=inner\nfn=[inner]\n0 2\n"
                        "cob=inner\ncfi=inner\ncfn=[inner]\ncalls=1 0\n0 1\n\n"
                        "ob=outer\nfl=outer\nfn=[outer]\n0 1\n"
                        "cob=inner\ncfi=inner\ncfn=[inner]\ncalls=1 0\n0 2\n\n");
}
END_TEST

/* A name that looks like a reference to another one gets a number, and is no reference then. */
START_TEST(names_like_references) {
        const RecordTrailer none = { .sample_type = TEST_SAMPLE_TYPE };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_free_ char *path = test_path("references.data"), *text = NULL;

        ck_assert_ok(record_put_ksymbol(&b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "(1)", &none));
        put_file(&b, 1, "(2) other");
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffffc0001010), 1000);
        MADE_SAMPLE(&b, 7, 7, 1001, 0x1010);
        reader = test_recording(path, &b, NULL, 0);
        text = test_command(EXPORT "%s --format callgrind | sed -n 's/^\\([a-z]*=([0-9]*) \\)(/\\1(/p' | sed 's/(.*) (/(/'", path);
        ck_assert_str_eq(text, "ob=(1)\nfl=(1)\nfn=(1)\nob=(2) other\nfl=(2) other\n");
}
END_TEST

START_TEST(speedscope) {
        _cleanup_free_ char *path = put_recording("speedscope.data", "shop", "inner");

        /* The name of the recording is what a reader shows above each profile, and each call chain begins with its thread. */
        assert_exported(path, "--input-name cpu-1 --format speedscope",
                        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"perf-recorder\","
                        "\"name\":\"cpu-1\",\"profiles\":[{\"type\":\"sampled\",\"name\":\"cpu-1, cpu-clock:HG\","
                        "\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":15,"
                        "\"samples\":[[0,1,2,2,2],[0,1,2],[0,1]],\"weights\":[1,5,9]}],"
                        "\"shared\":{\"frames\":[{\"name\":\"shop\"},{\"name\":\"[outer]\",\"file\":\"outer\"},{\"name\":\"[inner]\",\"file\":\"inner\"}]}}");
}
END_TEST

/* The message is read again: its samples have the values and the labels of the rows. */
START_TEST(pprof) {
        static const uint8_t values[] = { 0x12, 2, 1, 5 }; /* field 2: one sample of the weight 5 */
        _cleanup_free_ char *path = put_recording("pprof.data", "shop", "inner"), *unpacked = test_path("pprof.plain"),
                            *output = test_command(EXPORT "%s --format pprof | gzip -dc >%s", path, unpacked), *data = NULL;
        size_t size;

        ck_assert_ptr_nonnull(output);
        data = test_read_file(unpacked, &size);
        ck_assert_ptr_nonnull(memmem(data, size, values, sizeof(values)));
        ck_assert_ptr_nonnull(memmem(data, size, "\x32\7[inner]", 9)); /* field 6, the table of strings */
        ck_assert_ptr_nonnull(memmem(data, size, "\x32\6thread", 8));
        ck_assert_ptr_nonnull(memmem(data, size, "\x32\4shop", 6));
        ck_assert_ptr_nonnull(memmem(data, size, "\x32\13nanoseconds", 13));
}
END_TEST

static void put_header(RecordBuffer *b, uint32_t type, uint16_t misc, const uint64_t *words, size_t n, uint64_t time) {
        const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE, .id = 11, .pid = 7, .tid = 7, .time = time };
        size_t from = record_begin(b, type, misc);

        for (size_t i = 0; i < n; i++)
                byte_buffer_put_u64(b, words[i]);
        ck_assert_ok(record_end(b, from, &trailer));
}

/* Two threads; one is off the CPU for a while, and calls exec. */
static char *put_happenings(const char *name) {
        const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE },
                            exec = { .sample_type = TEST_SAMPLE_TYPE, .id = 11, .pid = 7, .tid = 7, .time = 4000000 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        char *path = test_path(name);

        ck_assert_ok(record_put_comm(&b, 7, 7, "shop", 0, &trailer));
        ck_assert_ok(record_put_comm(&b, 7, 8, "worker", 0, &trailer));
        put_file(&b, 1, "outer");
        put_file(&b, 2, "inner");
        MADE_SAMPLE(&b, 7, 8, 1000000, 0x2010, 0x1010);
        put_header(&b, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, NULL, 0, 1500000);
        put_header(&b, PERF_RECORD_LOST, 0, (const uint64_t[]) { 11, 5 }, 2, 2000000);
        put_header(&b, PERF_RECORD_SWITCH, 0, NULL, 0, 2500000);
        MADE_SAMPLE(&b, 7, 7, 3000001, 0x1010);
        ck_assert_ok(record_put_comm(&b, 7, 7, "\"cart\x9b\"", PERF_RECORD_MISC_COMM_EXEC, &exec));
        MADE_SAMPLE(&b, 7, 7, 5000000, 0x2020, 0x1010);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ptr_nonnull(reader);
        return path;
}

START_TEST(firefox) {
        _cleanup_free_ char *path = put_happenings("firefox.data"), *text = test_command(EXPORT "%s --format firefox", path),
                            *packed = test_path("firefox.json.gz"), *unpacked = NULL;

        ck_assert_ptr_nonnull(strstr(text, "\"preprocessedProfileVersion\":70,"));
        ck_assert_ptr_nonnull(strstr(text, "\"stringArray\":[\"Lost\",\"Throttled\",\"Unthrottled\",\"exec\",\"Off CPU\",\"Dump\","
                                           "\"[outer]\",\"[inner]\",\"outer\",\"inner\"],"
                                           "\"stackTable\":{\"frame\":[0,1],\"prefixOffset\":[0,1],\"length\":2},"));
        ck_assert_ptr_nonnull(strstr(text, "\"samples\":{\"stack\":[],\"time\":[],\"weight\":null,\"weightType\":\"samples\",\"length\":0},"
                                           "\"markers\":{\"data\":[{\"type\":\"Lost\",\"count\":5}],\"name\":[0],\"startTime\":[1],"
                                           "\"endTime\":[null],\"phase\":[0],\"category\":[0],\"length\":1}}"));
        ck_assert_ptr_nonnull(strstr(text, "\"name\":\"shop\",\"isMainThread\":true,\"processName\":\"shop\",\"pid\":\"7\",\"tid\":7,"
                                           "\"samples\":{\"stack\":[0,1],\"time\":[2.000001,4],\"threadCPUDelta\":[0,0],"));
        ck_assert_ptr_nonnull(strstr(text, "\"markers\":{\"data\":[null,{\"type\":\"exec\",\"program\":\"\\\"cart"));
        ck_assert_ptr_nonnull(strstr(text, "\"name\":[4,3],\"startTime\":[0.500000,3],\"endTime\":[1.500000,null],\"phase\":[1,0]"));
        ck_assert_ptr_nonnull(strstr(text, "\"name\":\"worker\",\"isMainThread\":false,\"processName\":\"shop\",\"pid\":\"7\",\"tid\":8,"
                                           "\"samples\":{\"stack\":[1],\"time\":[0],"));
        ck_assert_ptr_null(strstr(text, "\x9b"));
        free(test_command(EXPORT "%s --format firefox -o %s", path, packed));
        unpacked = test_command("gzip -dc %s", packed);
        ck_assert_str_eq(unpacked, text);
}
END_TEST

/* Names come from whoever was recorded. */
START_TEST(hostile_names) {
        _cleanup_free_ char *path = put_recording("hostile.data", "=cmd\x01|x", "@a\"b,c;d\xff"), *csv = NULL, *json = NULL,
                            *profile = NULL, *calls = NULL;

        csv = test_command(EXPORT "%s --format csv", path);
        ck_assert_ptr_nonnull(strstr(csv, ",\"'=cmd"));
        ck_assert_ptr_nonnull(strstr(csv, ",\"'@a\"\"b,c;d"));
        ck_assert_ptr_nonnull(strstr(csv, ";[@a\"\"b,c:d"));
        ck_assert_ptr_null(strchr(csv, '\x01'));
        json = test_command(EXPORT "%s --format speedscope", path);
        ck_assert_ptr_nonnull(strstr(json, "\"[@a\\\"b,c;d"));
        profile = test_command(EXPORT "%s --format firefox", path);
        ck_assert_ptr_nonnull(strstr(profile, "\"[@a\\\"b,c;d"));
        ck_assert_ptr_nonnull(strstr(profile, "\"name\":\"=cmd"));
        ck_assert_ptr_null(strchr(profile, '\x01'));
        ck_assert_ptr_null(strchr(profile, '\xff'));
        calls = test_command(EXPORT "%s --format callgrind", path);
        ck_assert_ptr_nonnull(strstr(calls, "\nfn=[@a\"b,c;d"));
}
END_TEST

/* Without a sample that was asked for there is no file. */
START_TEST(nothing_to_write) {
        static const char *const formats[] = { "pprof", "speedscope", "callgrind", "csv", "firefox" };
        _cleanup_free_ char *path = put_recording("nothing.data", "shop", "inner"), *file = test_path("nothing.out");

        for (size_t i = 0; i < ELEMENTSOF(formats); i++) {
                _cleanup_free_ char *text = test_command(EXPORT "%s --pid 5 -o %s --format %s 2>&1; echo status $?; ls %s 2>&1 | tail -c 26",
                                                         path, file, formats[i], file);

                ck_assert_msg(strstr(text, ": none of its 3 samples matches the selection\nThere is nothing to write"), "%s", text);
                ck_assert_msg(strstr(text, "status 1\n") && strstr(text, "No such file or directory"), "%s", text);
        }
}
END_TEST

START_TEST(options) {
        static const struct {
                const char *words, *message;
        } table[] = {
                { "", "Which format?" }, { "--format png", "not firefox, pprof, speedscope" }, { "--format csv excess", "Excess argument" },
                { "--format csv -o /nowhere/x", "Failed to open /nowhere/x" },
        };
        _cleanup_free_ char *path = put_recording("options.data", "shop", "inner");

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                _cleanup_free_ char *text = test_command(EXPORT "%s %s 2>&1 >/dev/null; echo status $?", path, table[i].words);

                ck_assert_msg(strstr(text, table[i].message) && strstr(text, "status 1\n"), "%s: %s", table[i].words, text);
        }
}
END_TEST

TEST_RUN("verb-export", lines, costs, names_like_references, speedscope, pprof, firefox, hostile_names, nothing_to_write, options);
