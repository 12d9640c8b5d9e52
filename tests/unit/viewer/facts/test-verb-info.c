/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view info end to end. Code is in files that are not here, so that no function has a name. */

#include <sys/xattr.h>

#include <perf-recorder/dump-facts.h>

#include "fd-file.h"
#include "made-incident.h"
#include "made-program.h"
#include "made-samples.h"
#include "parse-time.h"

#define INFO VIEWER " info "

static void put_process(RecordBuffer *b, uint32_t pid, const char *name) {
        const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };

        ck_assert_ok(record_put_comm(b, pid, pid, name, 0, &trailer));
        test_put_map(b, pid, 0x1000, 0x1000, "/nowhere/program", 0);
}

/* "shop" (7) at one second, "ba\"nk" (9) at two and three. */
static char *put_recording(const char *name) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        char *path = test_path(name);

        put_process(&b, 7, "shop");
        put_process(&b, 9, "ba\"n\033k");
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1010, 1 * NSEC_PER_SEC);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 9, 0x1020, 2 * NSEC_PER_SEC);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 9, 0x9999, 3 * NSEC_PER_SEC);
        ck_assert_ok(record_put_lost_samples(&b, 5, &(RecordTrailer) { .sample_type = TEST_SAMPLE_TYPE, .id = 11 }));
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ptr_nonnull(reader);
        return path;
}

static char *found(const char *path, const char *words) {
        char *text = test_command(INFO "-i %s %s 2>&1; echo status $?", path, words);

        ck_assert_ptr_nonnull(text);
        return text;
}

static void expect(const char *path, const char *words, const char *part) {
        _cleanup_free_ char *text = found(path, words);

        ck_assert_msg(strstr(text, part), "%s: no %s in %s", words, part, text);
}

START_TEST(name_of_the_file) {
        expect("/no\033[31msuch", "", "Failed to open /no?[31msuch: No such file or directory\nstatus 1");
}
END_TEST

START_TEST(all_of_it) {
        _cleanup_free_ char *path = put_recording("all.data"), *pretty = NULL, *broken = NULL;

        expect(path, "", "{\"samples\":3,\"lost\":5,\"lost_records\":0,\"throttled\":0,\"first_nsec\":1000000000,\"last_nsec\":3000000000,");
        expect(path, "", "\"events\":[{\"event\":\"cpu-clock:HG\",\"samples\":3},{\"event\":");
        expect(path, "", "\"selected\":3,\"idle\":0,\"units\":[],\"processes\":[{\"name\":\"ba\\\"n?k\",\"pid\":9,\"samples\":2},"
                         "{\"name\":\"shop\",\"pid\":7,\"samples\":1}],\"threads\":[],\"functions\":["
                         "{\"binary\":\"/nowhere/program\",\"kernel\":false,\"samples\":2},"
                         "{\"binary\":\"[unknown]\",\"kernel\":false,\"samples\":1}],\"seconds\":[");
        expect(path, "", "\"seconds\":[{\"samples\":1,\"idle\":0},{\"samples\":1,\"idle\":0},{\"samples\":1,\"idle\":0}]}\nstatus 0\n");
        pretty = test_command(INFO "--pretty < %s -i -", path);
        ck_assert_ptr_nonnull(startswith(pretty, "{\n  \"samples\":3,\n"));
        broken = test_command("head -c 600 %s >%s.cut; " INFO "-i %s.cut 2>&1; echo status $?", path, path, path);
        ck_assert_msg(strstr(broken, "\"events\":[") && strstr(broken, " is cut at byte 600, within its data: only a part of it could be read\nstatus 1\n"), "%s", broken);
}
END_TEST

START_TEST(selections) {
        _cleanup_free_ char *path = put_recording("selected.data");
        static const char *const shop[] = {
                "--pid 7", "--tid 7", "--comms 's*p'", "--comms shop,none", "--time ,1.5", "--time 0%-40%", "--pid 7 --last 5s",
        };

        for (size_t i = 0; i < ELEMENTSOF(shop); i++)
                expect(path, shop[i], "\"selected\":1,\"idle\":0,\"units\":[],\"processes\":[{\"name\":\"shop\",\"pid\":7,\"samples\":1}],\"threads\":[],\"functions\":["
                                      "{\"binary\":\"/nowhere/program\",\"kernel\":false,\"samples\":1}],\"seconds\":[");
        expect(path, "--last 1500ms", "\"selected\":2,");
        expect(path, "--last 1500ms", "{\"samples\":3,");
        expect(path, "-C 63", "\"selected\":0,\"idle\":0,\"units\":[],\"processes\":[],\"threads\":[],\"functions\":[],\"seconds\":[");
}
END_TEST

/* A name is itself before it is a pattern, and may have commas. */
START_TEST(odd_names) {
        _cleanup_free_ char *path = test_path("odd.data");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;

        put_process(&b, 7, "[ET_NET 0]");
        put_process(&b, 8, "a,b\\c");
        put_process(&b, 9, "a");
        for (uint32_t pid = 7; pid <= 9; pid++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, pid, 0x1010, pid * NSEC_PER_SEC);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ptr_nonnull(reader);
        expect(path, "--comms '[ET_NET 0]'", "\"processes\":[{\"name\":\"[ET_NET 0]\",\"pid\":7,\"samples\":1}]");
        expect(path, "--comms '[[]ET*'", "\"processes\":[{\"name\":\"[ET_NET 0]\",\"pid\":7,\"samples\":1}]");
        expect(path, "--comms 'a\\,b\\c,none'", "\"processes\":[{\"name\":\"a,b\\\\c\",\"pid\":8,\"samples\":1}]");
        expect(path, "--comms 'a\\,*'", "\"processes\":[{\"name\":\"a,b\\\\c\",\"pid\":8,\"samples\":1}]");
        expect(path, "--comms 'a,b'", "\"processes\":[{\"name\":\"a\",\"pid\":9,\"samples\":1}]");
}
END_TEST

/* A dump by hand, and a part of one, say nothing of an incident. */
START_TEST(before_the_trigger) {
        static const MadeLoad loads[] = {
                { 7, "web", "web.service", 0, 0.2, 0.2 }, { 9, "gzip", "backup.service", 2, 0.002, 0.3 },
        };
        const MadeIncident incident = { .loads = loads, .n = ELEMENTSOF(loads), .seconds = 60, .incident = 10 };
        _cleanup_free_ char *path = test_path("incident.data"), *text = NULL, *diff = NULL;
        unsigned seed = 1;

        (void) made_incident(path, &incident, &seed);
        expect(path, "", "\"unusual\":[{\"text\":\"backup.service took ");
        expect(path, "", "}],\"unusual_span_usec\":10000000}\nstatus 0\n");
        text = test_command(INFO "-i %s | grep -o '\"unusual\":.*' | sed 's/,\"unusual_span.*//'", path);
        diff = test_command(VIEWER " diff --trigger --json -i %s | grep -o '\"unusual\":.*' | sed 's/,\"events.*//'", path);
        ck_assert_str_eq(text, diff);
        free(steal_ptr(text));
        text = test_command(INFO "-i %s --no-idle; " INFO "-i %s -u web; " INFO "-i %s --last=20s", path, path, path);
        ck_assert_ptr_null(strstr(text, "unusual"));
        ck_assert_int_eq(setxattr(path, PR_DUMP_XATTR_TRIGGER, "request", 7, 0), 0);
        free(steal_ptr(text));
        text = test_command(INFO "-i %s", path);
        ck_assert_ptr_null(strstr(text, "unusual"));
}
END_TEST

START_TEST(a_pid_used_again) {
        _cleanup_free_ char *path = test_path("again.data");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        const RecordTrailer later = { .sample_type = TEST_SAMPLE_TYPE, .time = 2 * NSEC_PER_SEC, .id = 21 };

        put_process(&b, 7, "shop");
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1010, NSEC_PER_SEC);
        ck_assert_ok(record_put_fork(&b, 7, 7, 7, 7, later.time, 0, &later));
        for (unsigned i = 3; i < 5; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1010, i * NSEC_PER_SEC);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ptr_nonnull(reader);
        expect(path, "", "\"processes\":[{\"name\":\"shop\",\"pid\":7,\"instance\":2,\"samples\":2},"
                         "{\"name\":\"shop\",\"pid\":7,\"samples\":1}]");
}
END_TEST

/* The clock of the recording is that of the day. */
START_TEST(window_of_the_trigger) {
        _cleanup_free_ char *path = put_recording("dump.data");

        expect(path, "--since 14:03", "does not relate its clock to the time of day");
        expect(path, "--before-trigger 1s", "status 1\n");
}
END_TEST

START_TEST(binaries_without_symbols) {
        _cleanup_free_ char *path = put_recording("perf.data.7"), *beside = test_path("symbols.7"), *list = path_join(beside, "left-out");

        ck_assert_ok(make_directories(beside, 0700));
        test_write_file(list, "/a: b: too large\n/x\033\n", 20);
        expect(path, "", "\"binaries_without_symbols\":2,\"without_symbols\":[{\"binary\":\"/a: b\",\"reason\":\"too large\"},"
                         "{\"binary\":\"/x?\",\"reason\":\"\"}],");
}
END_TEST

START_TEST(stripped_binaries) {
        _cleanup_free_ char *program = made_program("bare", made_source, "-Wl,--build-id -s"), *path = test_path("bare.data"), *part = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        BuildIdEntry id;

        if (!program)
                return;
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x401100, NSEC_PER_SEC);
        reader = test_recording(path, &b, &id, 1);
        ck_assert_ptr_nonnull(reader);
        ck_assert_int_gt(asprintf(&part, "\"stripped\":[\"%s\"],", program), 0);
        expect(path, "", part);
}
END_TEST

START_TEST(refusals) {
        _cleanup_free_ char *path = put_recording("refused.data"), *empty = test_path("empty.data");
        static const struct {
                const char *words, *message;
        } table[] = {
                { "--since 1795258398", "--since: not a time: '1795258398'; write it as '@1795258398' or '2026-11-21 " },
                { "--until soon", "--until: not a time: 'soon'; write it as '2026-11-21 10:53:18' or '-5min'\n" },
                { "-u web", "does not have the units of its samples" }, { "--last x", "--last" }, { "--time x", "--time" },
                { "--pid x", "--pid" }, { "-C x", "--cpu" }, { "excess", "Excess argument: 'excess'" },
        };

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                expect(path, table[i].words, table[i].message);
                expect(path, table[i].words, "status 1\n");
        }
        test_write_file(empty, "", 0);
        expect(empty, "", "it is empty\nstatus 1\n");
        test_write_file(empty, "no recording, whatever it is", 28);
        expect(empty, "", "it is not a perf.data file\nstatus 1\n");
}
END_TEST

TEST_RUN("verb-info", name_of_the_file, all_of_it, selections, odd_names, before_the_trigger, a_pid_used_again, window_of_the_trigger, binaries_without_symbols,
         stripped_binaries, refusals);
