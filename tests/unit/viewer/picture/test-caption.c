/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Captions of a dump of the machine "web1", whose clock began 1,000 s after the epoch, with samples at 10 s, 20 s and 30 s, of which
 * the second one is of an idle CPU. */

#include <fcntl.h>

#include <perf-recorder/dump-facts.h>

#include "caption.h"
#include "file-facts.h"
#include "perfdata-test.h"
#include "selection-text.h"
#include "strv.h"

#define SECOND NSEC_PER_SEC

static char *put_dump(const char *name, const char *host) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        char *path = test_path(name);
        ByteBuffer text = {};
        const PerfDataEvent *events;
        size_t n;

        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1000, 10 * SECOND);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 0, UINT64_C(0xffffffff81000000), 20 * SECOND);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1000, 30 * SECOND);
        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_add_clock_data(features, 1, 1005 * SECOND, 5 * SECOND));
        byte_buffer_put_string(&text, host);
        ck_assert_ok(feature_table_take(features, PERF_FEATURE_HOSTNAME, &text));
        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        return path;
}

static void put_facts(const char *path) {
        _cleanup_close_ int fd = open(path, O_RDWR | O_CLOEXEC | O_APPEND);
        FileFacts facts = {};

        ck_assert_ok(file_facts_add(&facts, PR_DUMP_XATTR_TRIGGER, "cpu-pressure", strlen("cpu-pressure")));
        ck_assert_ok(file_facts_add(&facts, PR_DUMP_XATTR_DETAIL, "some avg10=41", strlen("some avg10=41")));
        ck_assert_ok(file_facts_add(&facts, PR_DUMP_XATTR_TIMESTAMP, "1029000000", strlen("1029000000")));
        ck_assert_ok(file_facts_append(&facts, fd));
        file_facts_done(&facts);
}

static void open_dump(RecordingInput *in, const char *path, const char *name) {
        *in = (RecordingInput) { .path = path, .name = strdup(name), .fd = open(path, O_RDONLY | O_CLOEXEC) };
        ck_assert_ok(recording_input_read(in));
}

/* The phrases, joined by bars, of that many dumps. */
static char *caption_of(const char *const *paths, const char *const *names, size_t n, SelectionOptions *select) {
        _cleanup_(counted_samples_done) CountedSamples c = {
                .inputs = { .inputs = calloc(n, sizeof(RecordingInput)), .n = n }, .each = calloc(n, sizeof(CountedRecording)),
        };
        const NameOptions plain = { .quiet = true };
        const CountingPlan plan = { .select = select, .names = &plain };
        _cleanup_(caption_done) Caption caption = {};
        _cleanup_strv_free_ char **phrases = NULL;

        for (size_t i = 0; i < n; i++)
                open_dump(c.inputs.inputs + i, paths[i], names[i]);
        ck_assert_ok(counted_samples_count(&c, &plan));
        ck_assert_ok(counted_samples_name(&c));
        ck_assert_ok(caption_init(&caption, &c, sample_table_events(c.table, &n)));
        phrases = caption_phrases(&caption);
        return strv_join(phrases, "|");
}

START_TEST(dump) {
        _cleanup_free_ char *path = put_dump("dump.data", "web1"), *without = put_dump("without.data", "web1"), *text = NULL, *plain = NULL;

        (void) setenv("TZ", "UTC", 1);
        put_facts(path);
        text = caption_of((const char *[]) { path }, (const char *[]) { "cpu-1" }, 1, &(SelectionOptions) {});
        ck_assert_str_eq(text, "cpu-1|host web1|1970-01-01 00:16:50 to 00:17:10 UTC (20.0 s)|trigger cpu-pressure at 00:17:09: some avg10=41|"
                         "3 samples of cpu-clock:HG|33.3 % idle");
        plain = caption_of((const char *[]) { without }, (const char *[]) { "cpu-1" }, 1, &(SelectionOptions) {});
        ck_assert_ptr_null(strstr(plain, "trigger"));
}
END_TEST

/* Each selection has its words, and the time is that of what is selected. */
START_TEST(selection) {
        char *comms[] = { (char *) "a", (char *) "b\033[1m", NULL }, *units[] = { (char *) "/x.service", NULL };
        uint32_t pids[] = { 7, 8 };
        int cpus[] = { 0 };
        SelectionOptions window = { .window.last = 12 * USEC_PER_SEC, .pids = pids, .n_pids = 1 },
                         words = {
                                 .comms = comms, .units = units, .tids = pids, .n_tids = 2, .cpus = cpus, .n_cpus = 1,
                                 .window = { .since = 1005 * USEC_PER_SEC, .before_trigger = 2 * USEC_PER_SEC },
                         };
        _cleanup_free_ char *path = put_dump("selection.data", "web1"), *text = NULL, *all = NULL, *none = NULL;

        (void) setenv("TZ", "UTC", 1);
        text = caption_of((const char *[]) { path }, (const char *[]) { "cpu-1" }, 1, &window);
        ck_assert_str_eq(text, "cpu-1|host web1|1970-01-01 00:16:58 to 00:17:10 UTC (12.0 s)|1 sample of cpu-clock:HG|only PID 7, the last 12s");
        ck_assert_ok(selection_text(&words, &all));
        ck_assert_str_eq(all, "threads named a or b\033[1m, TID 7 or 8, CPU 0, unit /x.service, from Thu 1970-01-01 00:16:45 UTC, "
                         "2s before the trigger");
        ck_assert_ok(selection_text(&(SelectionOptions) {}, &none));
        ck_assert_str_eq(none, "");
}
END_TEST

/* Several recordings have what they have in common once, and a text of a recording is one line. */
START_TEST(several) {
        _cleanup_free_ char *one = put_dump("one.data", "web1"), *two = put_dump("two.data", "we\033b\n2"), *text = NULL;

        (void) setenv("TZ", "UTC", 1);
        text = caption_of((const char *[]) { one, two, one }, (const char *[]) { "cpu-1", "cpu-2", "cpu-3" }, 3, &(SelectionOptions) {});
        ck_assert_ptr_nonnull(startswith(text, "cpu-1, cpu-2, cpu-3|host web1, we?b 2|1970-01-01 00:16:50 to 00:17:10 UTC (20.0 s)|"
                                               "9 samples of cpu-clock:HG|"));
}
END_TEST

TEST_RUN("caption", dump, selection, several);
