/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view heatmap end to end. Times are nanoseconds of a clock that is not related to the time of day. */

#include "made-program.h"
#include "made-samples.h"
#include "made-switches.h"
#include "record-layout.h"

#define HEATMAP VIEWER " heatmap "
#define HOSTILE "a<b>&\"'c;d]]><script>x(1)<!--\xff\x01"
#define MS(n)   (UINT64_C(5000000000) + (n) * UINT64_C(1000000))

static void put_thread(RecordBuffer *b, uint32_t pid, uint32_t tid, const char *name) {
        const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };

        ck_assert_ok(record_put_comm(b, pid, tid, name, 0, &trailer));
        test_put_map(b, pid, 0x1000, 0x1000, "/nowhere/outer", 0);
        test_put_map(b, pid, 0x2000, 0x1000, "/nowhere/inner", 0);
}

/* Six samples of two processes in 1.5 s; 23 samples were lost before 700 ms. */
static char *put_recording(const char *name, const char *comm) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        char *path = test_path(name);

        put_thread(&b, 7, 7, comm);
        put_thread(&b, 9, 9, "bank");
        MADE_SAMPLE(&b, 7, 7, MS(0), 0x2010, 0x1010);
        MADE_SAMPLE(&b, 7, 7, MS(100), 0x2010, 0x1010);
        MADE_SAMPLE(&b, 9, 9, MS(101), 0x1010);
        ck_assert_ok(record_put_lost_samples(&b, 23, &(RecordTrailer) { .sample_type = TEST_SAMPLE_TYPE, .time = MS(700), .id = 5 }));
        MADE_SAMPLE(&b, 7, 7, MS(1000), 0x1010);
        MADE_SAMPLE(&b, 7, 7, MS(1499), 0x1010);
        MADE_SAMPLE(&b, 7, 7, MS(1500), 0x2010, 0x1010);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ptr_nonnull(reader);
        return path;
}

static char *heat(const char *path, const char *words) {
        char *text = test_command(HEATMAP "-i %s %s 2>&1; true", path, words);

        ck_assert_ptr_nonnull(text);
        return text;
}

static void expect_parts(const char *text, const char *const *parts, size_t n) {
        for (size_t i = 0; i < n; i++)
                ck_assert_msg(strstr(text, parts[i]), "%s: %s", parts[i], text);
}

START_TEST(offsets) {
        _cleanup_free_ char *path = put_recording("offsets.data", "shop"), *svg = heat(path, "--stepsec 1 --rows 10 --boxsize 5"), *cut = NULL, *only = NULL, *narrow = NULL;
        static const char *const parts[] = {
                "cpu-clock:HG", "23 samples lost</text>", ">Heat Map</text>", "offsets.data: Heat Map</title>",
                "y=\"45\" width=\"20\" height=\"5\"><title>1 samples, 0.000 s</title>", /* of a column of a second, in its lowest tenth */
                "y=\"40\" width=\"20\" height=\"5\"><title>2 samples, 0.100 s</title>",
                "y=\"25\" width=\"20\" height=\"5\"><title>1 samples, 1.400 s</title>",
                "<g\nfill=\"url(#gap0)\"><title>lost 23 records before 0.700 s</title><rect x=\"0\" y=\"10\" width=\"20\" height=\"5\"/></g>",
                ">1 to 2 samples</text>", ">lost</text>",
        };

        expect_parts(svg, parts, ELEMENTSOF(parts));
        only = heat(path, "--only 'shop;.*inner' --stepsec 10s");
        ck_assert_msg(strstr(only, "<title>2 samples, 0.000 s</title>"), "%s", only);
        ck_assert_msg(strstr(only, "call chains that match shop;.*inner"), "%s", only);
        narrow = heat(path, "--width 100");
        ck_assert_uint_lt(strlen(narrow), 10000);
        cut = heat(path, "--stepsec 100ms --maxcol 10");
        ck_assert_msg(strstr(cut, "1 to 2 samples (3 more are outside)</text>"), "%s", cut);
}
END_TEST

START_TEST(groups) {
        _cleanup_free_ char *path = put_recording("groups.data", HOSTILE), *svg = heat(path, "--by pid --stepsec 1"), *last = NULL;
        static const char *const parts[] = {
                "<title>2 samples, 0 s, a&#60;b&#62;&#38;&#34;&#39;c;d", ">bank-9</text>", "y=\"16\"", "<title>1 samples, 0 s, bank-9</title>",
        };

        expect_parts(svg, parts, ELEMENTSOF(parts));
        ck_assert_ptr_null(strstr(svg, "<script>"));
        last = heat(path, "--by pid --stepsec 10s --last 500ms");
        ck_assert_msg(strstr(last, "only the last"), "%s", last);
        ck_assert_msg(strstr(last, "<title>3 samples, 0 s, a&#60;b"), "%s", last);
}
END_TEST

/* The page has each sample: ticks of 1 µs, as it is short, and the nodes 2 to 4: bank's outer, and shop's inner and outer. */
START_TEST(page) {
        _cleanup_free_ char *path = put_recording("page.data", HOSTILE), *html = heat(path, "--format html");
        static const char *const parts[] = {
                "heat:{day:-1,begin:0,tick:10000,first:0,last:150000,rowsOf:\"offset\",groupsOf:\"Names\",latencies:0,", "busy:true",
                "gaps:[[0,70000,70000,23],],", "entries:6,", "<section id=\"heat\"", "function Heat(data)", "function chanceOfRates",
        };

        expect_parts(html, parts, ELEMENTSOF(parts));
        ck_assert_ptr_null(strstr(html, "<script>x(1)"));
}
END_TEST

/* 8 is woken at 1800 and runs at 2000, and is woken at 2100 and runs at 4100; what woke 7 had begun before. */
static const MadeSwitch wakings[] = {
        { 1000, 0, 7, 0, 1, { 0x1010 }, NULL }, { 1800, 1, 9, 8, 0, { 0x2010, 0x1010 }, "shop" }, { 2000, 0, 0, 8, 1, { 0x1010 }, NULL },
        { 2050, 0, 8, 0, 1, { 0x1010 }, NULL }, { 2100, 1, 9, 8, 0, { 0x2010, 0x1010 }, "shop" }, { 4100, 0, 0, 8, 1, { 0x1010 }, NULL },
};

static char *put_wakings(const char *name) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char *path = test_path(name);

        for (uint32_t pid = 7; pid <= 9; pid++)
                ck_assert_ok(record_put_comm(&b, pid, pid, "shop", 0, &(RecordTrailer) { .sample_type = MADE_SCHED_TYPE }));
        made_switches(&b, wakings, ELEMENTSOF(wakings));
        ck_assert_ok(record_put_finished_round(&b));
        made_sched_recording(path, &b, "sched:sched_wakeup", NULL);
        return path;
}

/* Times of these recordings are microseconds. A latency's square is at its end. */
START_TEST(latencies) {
        _cleanup_free_ char *path = put_wakings("latencies.data"), *log = heat(path, "--latency sched --rows 2 --stepsec 1ms"),
                            *linear = heat(path, "--latency sched --linear --steplat 1ms --stepsec 1ms --maxlat 1ms"),
                            *pair = heat(path, "--pair sched:sched_wakeup:sched_switch --key pid=next_pid --stepsec 1ms --rows 2"),
                            *html = heat(path, "--latency sched --format html"), *none = NULL;
        static const char *const parts[] = {
                ">Scheduling Latency Heat Map</text>", "2 waits</text>", "><title>1 waits, 0.000 s, 200 µs to 632 µs</title>",
                "><title>1 waits, 0.002 s, 632 µs to 2.00 ms</title>", "<title>p99</title></path>",
        };

        expect_parts(log, parts, ELEMENTSOF(parts));
        ck_assert_msg(strstr(linear, "><title>1 waits, 0.000 s, 0 ns to 1.00 ms</title>"), "%s", linear);
        ck_assert_msg(strstr(linear, ">1 waits (1 more are outside)</text>"), "%s", linear);
        ck_assert_msg(strstr(pair, "><title>1 pairs, 0.002 s, 632 µs to 2.00 ms</title>"), "%s", pair);
        none = heat(path, "--latency sched --minlat 5s");
        ck_assert_msg(strstr(none, "There is nothing to write"), "%s", none);
        ck_assert_ptr_nonnull(strstr(html, "rowsOf:\"latency\",groupsOf:\"Names\",latencies:1,"));
}
END_TEST

/* It does not replace its recording; and with no standard output, a picture has a file of its own. */
START_TEST(outputs) {
        _cleanup_free_ char *path = put_recording("outputs.data", "shop"), *svg = test_path("outputs.svg"), *itself = NULL, *closed = NULL;

        itself = test_command(HEATMAP "-i %s --format svg -o %s 2>&1; true", path, path);
        ck_assert_msg(itself && strstr(itself, "is the recording itself"), "%s", itself);
        closed = test_command(HEATMAP "-i %s -o %s >&- 2>/dev/null; grep -c 'samples lost' %s; rm %s", path, svg, svg, svg);
        ck_assert_str_eq(closed, "1\n");
}
END_TEST

START_TEST(refused) {
        static const struct {
                const char *words, *expected;
        } table[] = {
                { "--by symbol", "--by: not offset, comm, pid, tid, cpu, unit or host" }, { "--rows 0", "--rows: not a number from 1 to 1000" },
                { "--stepsec 0", "--stepsec: not a time span" }, { "-o x.png", "its name does not end in .html or .svg" },
                { "--comms nobody", "There is nothing to write" }, { "-e cycles", "has no event 'cycles'" },
                { "--latency disk", "--latency: not sched, block or syscall" }, { "--pair sched_switch", "--pair: " },
                { "--latency block", "has no event block:block_rq_issue" }, { "--linear", "are of latencies: give --latency or --pair" },
                { "--latency sched --pair a:b:c", "--latency and --pair are not possible together" }, { "--key pid", "--key is of no use" },
                { "--latency sched --minlat 2s --maxlat 1s", "--maxlat is not more than --minlat" },
                { "--latency sched --steplat 1ms", "--steplat needs --linear" }, { "--latency sched -e cycles", "leave out --event" },
                { "--boxsize 200", "--boxsize: not a number from 1 to 100" },
        };
        _cleanup_free_ char *path = put_recording("refused.data", "shop");

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                _cleanup_free_ char *text = heat(path, table[i].words);

                ck_assert_msg(strstr(text, table[i].expected), "%s: %s", table[i].words, text);
        }
}
END_TEST

TEST_RUN("verb-heatmap", offsets, groups, page, latencies, outputs, refused);
