/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every verb says when counters were lent, end to end. */

#include <fcntl.h>

#include <perf-recorder/dump-facts.h>

#include "file-facts.h"
#include "format-text.h"
#include "made-samples.h"
#include "parse-time.h"

#define PREFIX "ASAN_OPTIONS=detect_leaks=0 TZ=UTC " VIEWER " "
#define SELECTED " -i $I --since @1019 --until @1022 2>&1"

/* Samples of 1010, 1020 and 1030 s, and facts at the end of the file. */
static char *put_recording(const char *name, const char *lent) {
        char *path = test_path(name);
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_(file_facts_done) FileFacts facts = {};
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_close_ int fd = -EBADF;
        const PerfDataEvent *events;
        size_t n;

        for (uint64_t i = 1; i <= 3; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, (uint32_t) i, 0x1000, i * 10 * NSEC_PER_SEC);
        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_add_clock_data(features, 1, 1005 * NSEC_PER_SEC, 5 * NSEC_PER_SEC));
        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        ck_assert_ok(file_facts_add(&facts, PR_DUMP_XATTR_LENT, lent, strlen(lent)));
        fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
        ck_assert_ok(file_facts_append(&facts, fd));
        return path;
}

/* words: those of a shell, with "$I" for the recording; it is to print what is wanted, and nothing that is unwanted. */
static void expect(const char *words, const char *path, const char *wanted, const char *unwanted) {
        _cleanup_free_ char *line = format_text("I=%s; %s", path, words), *text = test_command("%s", line);

        ck_assert_msg(text && (!wanted || strstr(text, wanted)), "%s: %s", line, text);
        ck_assert_msg(!unwanted || !strstr(text, unwanted), "%s: %s", line, text);
}

#define LENT "1012000000 1015000000 hardware a\033; 1024000000 0 breakpoint b"
#define REMARKS "counters were lent (hardware to a?, 00:16:52 to 00:16:55): samples are missing\n"

START_TEST(shown) {
        _cleanup_free_ char *path = put_recording("lent.data", LENT);

        expect(PREFIX "report -i $I -s comm", path,
               "# Total Lost Samples: 0\n#\n# Lent: hardware to a?, 00:16:52 to 00:16:55\n# Lent: breakpoint to b, since 00:17:04\n#\n", NULL);
        expect(PREFIX "report -i $I -s comm 2>&1 >/dev/null", path, NULL, "lent");
        expect(PREFIX "report -q -i $I -s comm 2>&1 >/dev/null", path, REMARKS, NULL);
        expect(PREFIX "report -i $I -s comm --columns=80", path,
               "       Lent: hardware to a?, 00:16:52 to 00:16:55\n       Lent: breakpoint to b, since 00:17:04\n", NULL);
        expect(PREFIX "report -i $I -s comm --json", path,
               "\"lent\":[{\"first_usec\":1012000000,\"last_usec\":1015000000,\"what\":\"hardware\",\"who\":\"a?\"},"
               "{\"first_usec\":1024000000,\"what\":\"breakpoint\",\"who\":\"b\"}],\"events\":[", NULL);
        expect(PREFIX "script -i $I 2>&1 >/dev/null", path, REMARKS, NULL);
        expect(PREFIX "diff -i $I -i $I -s comm", path, ": 3 samples in 20.000 s, hardware counters lent to a?, breakpoint counters lent to b\n",
               NULL);
        expect(PREFIX "diff -q -i $I -i $I -s comm 2>&1 >/dev/null", path, REMARKS, NULL);
        expect(PREFIX "diff -i $I -i $I -s comm --json", path, "\"lent\":[{\"first_usec\":1012000000,", NULL);
        expect(PREFIX "flamegraph -i $I -o - --format svg 2>/dev/null | grep counters", path, "hardware counters lent to a?, breakpoint counters", NULL);
        expect(PREFIX "flamegraph -i $I -o - --format folded 2>&1 >/dev/null", path, REMARKS, NULL);
}
END_TEST

/* Only those that touch the time that is looked at. */
START_TEST(selected) {
        _cleanup_free_ char *path = put_recording("selected.data", LENT);

        expect(PREFIX "report -s comm" SELECTED, path, "100.00%", "ent:");
        expect(PREFIX "report -s comm --json" SELECTED, path, "\"events\":[", "lent");
        expect(PREFIX "script" SELECTED, path, ":2 ", "lent");
        expect(PREFIX "flamegraph -o - --format svg" SELECTED " | grep -E 'lent|<.svg>'", path, "</svg>", "lent");
        expect(PREFIX "report -i $I -s comm --until @1013 2>&1", path, "# Lent: hardware", "# Lent: breakpoint");
        expect(PREFIX "report -i $I -s comm --since @1025 2>&1", path, "# Lent: breakpoint", "# Lent: hardware");
}
END_TEST

/* Anybody may have written it. */
START_TEST(not_understood) {
        _cleanup_free_ char *path = put_recording("wrong.data", "1012000000 yesterday hardware a");

        expect(PREFIX "report -i $I -s comm 2>&1", path, "# Total Lost Samples: 0\n#\n", "lent");
}
END_TEST

TEST_RUN("recording-lendings", shown, selected, not_understood);
