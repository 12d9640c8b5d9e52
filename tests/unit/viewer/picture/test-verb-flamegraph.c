/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view flamegraph end to end. Code is in files that are not here, so that a frame has the name of its file. */

#include "fd-file.h"
#include "made-program.h"
#include "made-samples.h"
#include "made-switches.h"
#include "record-layout.h"
#include "utf8.h"

#define FLAMEGRAPH VIEWER " flamegraph "
#define HOSTILE    "a<b>&\"'c;d]]><script>x(1)<!--\xff\x01"

/* The part of an address space that a file has. */
static void put_file(RecordBuffer *b, uint32_t pid, uint64_t number, const char *name) {
        char path[512];

        (void) snprintf(path, sizeof(path), "/nowhere/%s", name);
        test_put_map(b, pid, number << 12, 0x1000, path, 0);
}

static void put_comm(RecordBuffer *b, uint32_t pid, uint32_t tid, const char *name) {
        const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };

        ck_assert_ok(record_put_comm(b, pid, tid, name, 0, &trailer));
}

/* The process "shop" (7) with the threads 7 and 8, and "bank" (9). outer calls inner and other. */
static char *put_recording(const char *name, const char *inner) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        char *path = test_path(name);

        put_comm(&b, 7, 7, "shop");
        put_comm(&b, 7, 8, "shop");
        put_comm(&b, 9, 9, "ba;n k");
        for (uint32_t pid = 7; pid <= 9; pid += 2) {
                put_file(&b, pid, 1, "outer");
                put_file(&b, pid, 2, inner);
                put_file(&b, pid, 3, "other");
        }
        MADE_SAMPLE(&b, 7, 7, 1000, 0x2010, 0x1010);
        MADE_SAMPLE(&b, 7, 8, 1001, 0x2020, 0x1010);
        MADE_SAMPLE(&b, 7, 7, 1002, 0x3010, 0x1020);
        MADE_SAMPLE(&b, 7, 7, 1003, 0x1010);
        made_sample(&b, 9, 9, 1004, 5, (const uint64_t[]) { 0x3010, 0x9000, 0x9008, 0x1010 }, 4);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ptr_nonnull(reader);
        return path;
}

/* The threads "shop" (7, 8) and "ba;n k" (9) on two CPUs, of which a file has one after the other: 7 waits from 1000 to 2000 and, as it
 * is preempted, from 2500 to 2600, below inner, and from 3500 to 4000 below other; 9 from 1500 to 2500, and exits. 8 comes from
 * before the recording and waits at its end. */
static const MadeSwitch switches[] = {
        { 1000, 0, 7, 0, 1, { 0x2010, 0x1010 }, NULL }, { 2000, 0, 0, 7, 0, { 0x3010 }, NULL },
        { 2500, 0, 7, 9, 0, { 0x2020, 0x1010 }, NULL }, { 3000, 0, 9, 0, 0x10, { 0x1010 }, NULL },
        { 3100, 0, 0, 8, 0, { 0x3010 }, NULL },         { 3200, 0, 8, 0, 1, { 0x3010, 0x1010 }, NULL },
        { 1500, 1, 9, 0, 1, { 0x3010, 0x1010 }, NULL }, { 2600, 1, 0, 7, 0, { 0x3010 }, NULL },
        { 3500, 1, 7, 0, 2, { 0x3010, 0x1010 }, NULL }, { 4000, 1, 0, 7, 0, { 0x3010 }, NULL },
};

static void put_process(RecordBuffer *b, uint32_t pid, const char *comm) {
        const RecordTrailer trailer = { .sample_type = MADE_SCHED_TYPE };

        ck_assert_ok(record_put_comm(b, pid, pid, comm, 0, &trailer));
        put_file(b, pid, 1, "outer");
        put_file(b, pid, 2, "inner");
        put_file(b, pid, 3, "other");
}

static void without_chains(struct perf_event_attr *attr) {
        attr->sample_type &= ~(uint64_t) PERF_SAMPLE_CALLCHAIN;
}

static char *put_switches(const char *name, const MadeSwitch *s, size_t n, uint64_t lost, void (*change)(struct perf_event_attr *attr)) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char *path = test_path(name);

        put_process(&b, 7, "shop");
        put_process(&b, 8, "shop");
        put_process(&b, 9, "ba;n k");
        if (change == without_chains)
                made_switches_without_chains(&b, s, n);
        else
                made_switches(&b, s, n);
        if (lost > 0)
                made_loss(&b, 1, lost);
        ck_assert_ok(record_put_finished_round(&b));
        made_sched_recording(path, &b, NULL, change);
        return path;
}

static char *drawn(const char *path, const char *words) {
        char *text = test_command(FLAMEGRAPH "-i %s %s 2>&1; true", path, words);

        ck_assert_ptr_nonnull(text);
        return text;
}

/* Without what is said on standard error. */
static void assert_picture(const char *path, const char *words, const char *expected) {
        _cleanup_free_ char *text = test_command(FLAMEGRAPH "-i %s %s 2>/dev/null", path, words);

        ck_assert_ptr_nonnull(text);
        ck_assert_str_eq(text, expected);
}

static void assert_drawn(const char *path, const char *words, const char *expected) {
        _cleanup_free_ char *text = drawn(path, words);

        ck_assert_str_eq(text, expected);
}

START_TEST(folded) {
        _cleanup_free_ char *path = put_recording("folded.data", "inner");

        assert_drawn(path, "--format folded",
                     "ba:n_k;[outer];[unknown];[other] 1\n"
                     "shop;[outer] 1\n"
                     "shop;[outer];[inner] 2\n"
                     "shop;[outer];[other] 1\n");
        assert_drawn(path, "--format folded --period --comms 'ba;n k'", "ba:n_k;[outer];[unknown];[other] 5\n");
        assert_drawn(path, "--format folded --by pid --only inner", "shop-7;[outer];[inner] 2\n");
        assert_drawn(path, "--format folded --by tid --only '^shop.*inner]$'",
                     "shop-7/7;[outer];[inner] 1\n"
                     "shop-7/8;[outer];[inner] 1\n");
        assert_drawn(path, "--format folded --reverse --exclude '\\[inner\\]|ba;n'", "shop;[other];[outer] 1\nshop;[outer] 1\n");
        assert_drawn(path, "--format folded --max-stack 1 --pid 7", "shop;[inner] 2\nshop;[other] 1\nshop;[outer] 1\n");
}
END_TEST

START_TEST(no_samples) {
        _cleanup_free_ char *path = put_recording("none.data", "inner"), *none = NULL, *event = NULL;

        none = drawn(path, "--format folded --only nothing");
        ck_assert_ptr_nonnull(strstr(none, ": no call chain is left by --only and --exclude\n"));
        event = drawn(path, "--format folded -e cycles");
        ck_assert_ptr_nonnull(strstr(event, " has no event 'cycles'; it has:\n  cpu-clock:HG\n"));
}
END_TEST

START_TEST(nested) {
        _cleanup_free_ char *path = put_recording("nested.data", "inner");

        assert_drawn(path, "--format json --by pid --only inner",
                     "{\"name\":\"all\",\"value\":2,\"children\":[{\"name\":\"shop-7\",\"value\":2,\"children\":["
                     "{\"name\":\"[outer]\",\"value\":2,\"libtype\":\"user\",\"binary\":\"outer\",\"children\":["
                     "{\"name\":\"[inner]\",\"value\":2,\"libtype\":\"user\",\"binary\":\"inner\",\"children\":[]}]}]}]}\n");
}
END_TEST

/* The frames lie above each other, and side by side. */
START_TEST(picture) {
        _cleanup_free_ char *path = put_recording("picture.data", "inner"), *svg = NULL, *wide = NULL, *only = NULL;
        static const char *const frames[] = {
                "data-x=\"0\" data-w=\"5\"><title>all (5 samples, 100.00%)</title><rect x=\"10.0\" y=\"48.0\" width=\"1179.8\" height=\"15\"",
                "data-x=\"0\" data-w=\"1\"><title>ba;n k (1 samples, 20.00%)</title><rect x=\"10.0\" y=\"32.0\" width=\"235.8\"",
                "data-x=\"1\" data-w=\"4\"><title>shop (4 samples, 80.00%)</title><rect x=\"246.0\" y=\"32.0\" width=\"943.8\"",
                "data-x=\"1\" data-w=\"2\"><title>[inner] (2 samples, 40.00%)\ninner</title><rect x=\"246.0\" y=\"0.0\"",
                "data-x=\"3\" data-w=\"1\"><title>[other] (1 samples, 20.00%)\nother</title><rect x=\"718.0\" y=\"0.0\"",
        };

        svg = drawn(path, "--max-stack 2");
        /* A browser looks for the title of a picture among the children of its root, once for each of them that has a title. */
        ck_assert_ptr_nonnull(strstr(svg, "picture.data: Flame Graph, 4 ns</title>\n<style>"));
        ck_assert_ptr_nonnull(strstr(svg, "<g id=\"frames\" transform=\"translate(0 57)\"><g\ndata-x=\"0\" data-w=\"5\"><title>all (5 samples, 100.00%)</title>"));
        ck_assert_ptr_null(strstr(svg, "</g>\n<g\n"));
        for (size_t i = 0; i < ELEMENTSOF(frames); i++)
                ck_assert_msg(strstr(svg, frames[i]), "%s: %s", frames[i], svg);
        only = drawn(path, "--only '<a>|inner' --exclude 'x y'");
        ck_assert_ptr_nonnull(strstr(only, "only call chains that match &#60;a&#62;|inner, call chains that do not match x y</text>"));
        wide = drawn(path, "--max-stack 2 --minwidth 30% --title 'A & B' --width 600 --countname ticks --factor 1000");
        ck_assert_ptr_nonnull(strstr(wide, ">A &#38; B</text>"));
        ck_assert_ptr_nonnull(strstr(wide, "<title>shop (4,000 ticks, 80.00%)</title>"));
        ck_assert_ptr_nonnull(strstr(wide, "picture.data: A &#38; B, 4 ns</title>\n"));
        ck_assert_ptr_null(strstr(wide, "ba;n k"));
        ck_assert_ptr_null(strstr(wide, "[other]"));
}
END_TEST

/* A frame without room for a name has no element for one. */
START_TEST(labels) {
        _cleanup_free_ char *path = put_recording("labels.data", "inner"), *roomy = drawn(path, ""), *narrow = drawn(path, "--fontsize 90 --width 150");

        ck_assert_ptr_nonnull(strstr(roomy, ">[inner]</text></g>"));
        ck_assert_ptr_nonnull(strstr(narrow, "<title>[inner] (2 samples"));
        ck_assert_ptr_null(strstr(narrow, "</text></g>"));
}
END_TEST

#define OPEN_WAIT ": waits that had not ended with the recording, and do not count: 1\n"

/* Two threads "shop", whose samples a file has in another order: 7 is in inner twice in a row, in outer itself, in inner again and in
 * other; 8, that goes on in other, comes after it. */
static char *put_chart(const char *name) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        char *path = test_path(name);

        put_comm(&b, 7, 7, "shop");
        put_comm(&b, 7, 8, "shop");
        put_comm(&b, 9, 9, "bank");
        for (uint32_t pid = 7; pid <= 9; pid += 2) {
                put_file(&b, pid, 1, "outer");
                put_file(&b, pid, 2, "inner");
                put_file(&b, pid, 3, "other");
        }
        MADE_SAMPLE(&b, 7, 7, 1004, 0x2030, 0x1010);
        MADE_SAMPLE(&b, 7, 7, 1005, 0x3010, 0x1010);
        MADE_SAMPLE(&b, 7, 7, 1000, 0x2010, 0x1010);
        MADE_SAMPLE(&b, 7, 7, 1001, 0x2020, 0x1020);
        MADE_SAMPLE(&b, 7, 8, 1002, 0x3010, 0x1010);
        made_sample(&b, 7, 7, 1003, 5, (const uint64_t[]) { 0x1010 }, 1);
        MADE_SAMPLE(&b, 9, 9, 999, 0x3010);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ptr_nonnull(reader);
        return path;
}

START_TEST(chart) {
        _cleanup_free_ char *path = put_chart("chart.data"), *svg = NULL, *html = NULL;
        static const char *const frames[] = {
                "data-x=\"0\" data-w=\"1\"><title>bank (", "data-x=\"1\" data-w=\"6\"><title>shop (",
                "data-x=\"1\" data-w=\"5\"><title>[outer] (", "data-x=\"1\" data-w=\"2\"><title>[inner] (",
                "data-x=\"4\" data-w=\"1\"><title>[inner] (", "data-x=\"5\" data-w=\"1\"><title>[other] (",
                "data-x=\"6\" data-w=\"1\"><title>[outer] (", "data-x=\"6\" data-w=\"1\"><title>[other] (", ">Flame Chart</text>",
        };

        assert_drawn(path, "--flamechart --format folded",
                     "bank;[other] 1\n"
                     "shop;[outer];[inner] 2\n"
                     "shop;[outer] 1\n"
                     "shop;[outer];[inner] 1\n"
                     "shop;[outer];[other] 1\n"
                     "shop;[outer];[other] 1\n");
        assert_drawn(path, "--flamechart --period --format folded --tid 7 --max-stack 1",
                     "shop;[inner] 2\nshop;[outer] 5\nshop;[inner] 1\nshop;[other] 1\n");
        assert_drawn(path, "--flamechart --format json --tid 7 --exclude other",
                     "{\"name\":\"all\",\"value\":4,\"children\":[{\"name\":\"shop\",\"value\":4,\"children\":["
                     "{\"name\":\"[outer]\",\"value\":4,\"libtype\":\"user\",\"binary\":\"outer\",\"children\":["
                     "{\"name\":\"[inner]\",\"value\":2,\"libtype\":\"user\",\"binary\":\"inner\",\"children\":[]},"
                     "{\"name\":\"\",\"value\":1,\"children\":[]},"
                     "{\"name\":\"[inner]\",\"value\":1,\"libtype\":\"user\",\"binary\":\"inner\",\"children\":[]}]}]}]}\n");
        svg = drawn(path, "--flamechart");
        ck_assert_msg(strstr(svg, "data-moments=\"-1,0,0,1,1,0,1,2,0,0,3,0,0,4,0,0,5,0,0,6,0,1\""), "%s", strstr(svg, "data-moments"));
        ck_assert_msg(strstr(svg, "<path d=\"M10.0 0v7\"/><text x=\"13.0\" y=\"16.0\">0.000 s</text>"), "%s", strstr(svg, "data-moments"));
        for (size_t i = 0; i < ELEMENTSOF(frames); i++)
                ck_assert_msg(strstr(svg, frames[i]), "%s: %s", frames[i], svg);
        html = drawn(path, "--flamechart --format html --tid 7 --exclude other");
        /* The recording does not know the time of day; a moment for each sample that is left, the first of which begins a thread. */
        ck_assert_msg(strstr(html, "moments:[-1,0,0,1,1,0,0,2,0,0,3,0,0],"), "%s", strstr(html, "moments:["));
        ck_assert_msg(strstr(html, "nodes:[-1,0,0,0,0,0,1,0,0,2,2,0,-2,1,1,2,1,1,]};"), "%s", strstr(html, "nodes:["));
}
END_TEST

/* Numbers are computed by hand. */
START_TEST(off_cpu) {
        _cleanup_free_ char *path = put_switches("off-cpu.data", switches, ELEMENTSOF(switches), 0, NULL), *svg = NULL, *text = NULL;

        assert_picture(path, "--off-cpu --format folded", "ba:n_k;[outer];[other] 1000\nshop;[outer];[inner] 1100\nshop;[outer];[other] 500\n");
        assert_picture(path, "--off-cpu --format folded -C 1", "ba:n_k;[outer];[other] 1000\nshop;[outer];[other] 500\n");
        assert_picture(path, "--off-cpu --format folded --time ,0.0015", "ba:n_k;[outer];[other] 1000\nshop;[outer];[inner] 1000\n");
        text = drawn(path, "--off-cpu --format folded --by tid --comms shop");
        ck_assert_msg(strstr(text, "shop-7/7;[outer];[inner] 1100\nshop-7/7;[outer];[other] 500\n"), "%s", text);
        ck_assert_msg(strstr(text, OPEN_WAIT), "%s", text);
        svg = drawn(path, "--off-cpu");
        ck_assert_ptr_nonnull(strstr(svg, ">Off-CPU Time Flame Graph</text>"));
        ck_assert_ptr_nonnull(strstr(svg, "<title>shop (1.60 ms, 61.54%)</title>"));
        ck_assert_ptr_nonnull(strstr(svg, "2.60 ms off the CPU"));
}
END_TEST

/* CPU 1 lost records from 2600 to 3450, while no thread waited that came back, and then those from 3500 to 3600. */
START_TEST(off_cpu_with_losses) {
        _cleanup_free_ char *path = put_switches("losses.data", switches, ELEMENTSOF(switches), 3450, NULL);
        _cleanup_free_ char *text = drawn(path, "--off-cpu --format folded");

        ck_assert_msg(strstr(text, "shop;[outer];[inner] 1100\nshop;[outer];[other] 500\n"), "%s", text);
        free(steal_ptr(path));
        free(steal_ptr(text));
        path = put_switches("losses.data", switches, ELEMENTSOF(switches), 3600, NULL);
        text = drawn(path, "--off-cpu --format folded");
        ck_assert_msg(strstr(text, "shop;[outer];[inner] 1100\n"), "%s", text);
        ck_assert_ptr_null(strstr(text, "shop;[outer];[other]"));
        ck_assert_msg(strstr(text, ": waits that are left out, since records of that time are missing: 1\n"), "%s", text);
}
END_TEST

/* 7 sleeps from 1000 to 1800 and from 3000 to 3300, and is woken by 9 in inner, and in an interrupt while 9 runs other; 8 is
 * preempted, and a waking of it counts nothing. 9 sleeps at the end. */
static const MadeSwitch wakings[] = {
        { 1000, 0, 7, 8, 1, { 0x1010 }, NULL },        { 1800, 1, 9, 7, 0, { 0x2010, 0x1010 }, "shop" },
        { 2000, 0, 8, 7, 0x100, { 0x1010 }, NULL },    { 2100, 1, 9, 8, 0, { 0x2010, 0x1010 }, "a;b <c>" },
        { 3000, 0, 7, 8, 2, { 0x1010 }, NULL },        { 3300, 1, 9, 7, 0, { 0x3010, 0x1010 }, "shop" },
        { 3400, 1, 9, 7, 0, { 0x2010, 0x1010 }, "shop" }, { 3500, 1, 9, 0, 1, { 0x1010 }, NULL },
};

static char *put_wakings(const char *name, const MadeSwitch *s, size_t n, const char *waking) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char *path = test_path(name);

        put_process(&b, 7, "shop");
        put_process(&b, 8, "shop");
        put_process(&b, 9, "ba;n k");
        made_switches(&b, s, n);
        ck_assert_ok(record_put_finished_round(&b));
        made_sched_recording(path, &b, waking, NULL);
        return path;
}

START_TEST(wakeup) {
        _cleanup_free_ char *path = put_wakings("wakeup.data", wakings, ELEMENTSOF(wakings), "sched:sched_wakeup"), *text = NULL;

        assert_picture(path, "--wakeup --format folded", "ba:n_k;[outer];[inner];shop 800\nba:n_k;[outer];[other];shop 300\n");
        assert_picture(path, "--wakeup --format folded --reverse --only inner", "ba:n_k;shop;[inner];[outer] 800\n");
        text = drawn(path, "--wakeup --format folded --comms shop");
        ck_assert_ptr_nonnull(strstr(text, "There is nothing to write\n"));
        free(steal_ptr(text));
        text = drawn(path, "--wakeup");
        ck_assert_msg(strstr(text, OPEN_WAIT), "%s", text);
        ck_assert_ptr_nonnull(strstr(text, ">Wakeup Time Flame Graph</text>"));
        ck_assert_ptr_nonnull(strstr(text, "<title>shop (800 µs, 72.73%)</title>"));
        ck_assert_ptr_nonnull(strstr(text, "1.10 ms asleep"));
}
END_TEST

START_TEST(wakeup_refused) {
        _cleanup_free_ char *none = put_wakings("none.data", wakings, 1, NULL), *empty = put_wakings("empty.data", wakings, 1, "sched:sched_waking");
        _cleanup_free_ char *text = drawn(none, "--wakeup"), *no_wakings = drawn(empty, "--wakeup");

        ck_assert_msg(strstr(text, "--wakeup needs the event sched:sched_waking: it has none; record it with -a -g, or take the session 'sched'\n"), "%s", text);
        ck_assert_msg(strstr(no_wakings, "empty.data has no samples of sched:sched_waking\n"), "%s", no_wakings);
}
END_TEST

static void with_frequency(struct perf_event_attr *attr) {
        attr->freq = 1;
        attr->sample_freq = 99;
}

static void of_another_event(struct perf_event_attr *attr) {
        attr->config = 1;
}

/* Without call chains there are threads, and the states in which they wait. */
START_TEST(off_cpu_states) {
        _cleanup_free_ char *path = put_switches("states.data", switches, ELEMENTSOF(switches), 0, without_chains);

        assert_picture(path, "--off-cpu --format folded", "ba:n_k;asleep_(S) 1000\nshop;asleep_(S) 1000\nshop;ready_(R) 100\n"
                       "shop;uninterruptible_(D) 500\n");
}
END_TEST

START_TEST(off_cpu_refused) {
        static const struct {
                void (*change)(struct perf_event_attr *attr);
                const char *options, *message;
        } table[] = {
                { with_frequency, "", "needs the event sched:sched_switch: not each of them was recorded; record it with -c 1, in a session Period=1\n" },
                { of_another_event, "", "off-cpu.data has no samples of sched:sched_switch\n" },
                { NULL, "--event x", "--off-cpu has an event and weights of its own: leave out --event and --period\n" },
                { NULL, "--period", "--off-cpu has an event and weights of its own: leave out --event and --period\n" },
                { NULL, "--flamechart", "--off-cpu and --flamechart are not possible together: each says what is drawn" },
        };
        _cleanup_free_ char *other = put_recording("none.data", "inner"), *text = NULL;

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                _cleanup_free_ char *path = put_switches("off-cpu.data", switches, table[i].change ? 0 : 1, 0, table[i].change);
                _cleanup_free_ char *printed = test_command(FLAMEGRAPH "-i %s --off-cpu %s 2>&1 >/dev/null; echo status $?", path,
                                                            table[i].options);

                ck_assert_msg(strstr(printed, table[i].message) && strstr(printed, "status 1\n"), "%zu: %s", i, printed);
        }
        text = drawn(other, "--off-cpu");
        ck_assert_msg(strstr(text, "--off-cpu needs the event sched:sched_switch: it has none; record it with -a -g, or take the session 'sched'\n"), "%s", text);
}
END_TEST

/* Runs it in a folder with the file "kept.folded", and returns what it says, its status, what the folder has then, and the file. */
static char *written(const char *path, const char *words) {
        char *text = test_command("cd $(dirname %s) && mkdir -p out && cd out && rm -rf * .[!.]* && echo before >kept.folded && chmod 640 kept.folded && { "
                                  FLAMEGRAPH "-i %s -o kept.folded %s 2>&1; echo status $?; ls -A; stat -c %%a kept.folded; cat kept.folded; }",
                                  path, path, words);

        ck_assert_ptr_nonnull(text);
        return text;
}

/* A file that was there stays as it was until there is a whole one to replace it, and nothing else is left. */
START_TEST(replaced_as_a_whole) {
        _cleanup_free_ char *path = put_recording("whole.data", "inner"), *made = NULL, *none = NULL, *full = NULL, *event = NULL;

        made = written(path, "--by pid --only inner");
        ck_assert_str_eq(made, "status 0\nkept.folded\n640\nshop-7;[outer];[inner] 2\n");
        none = written(path, "--only nothing");
        ck_assert_ptr_nonnull(strstr(none, ": no call chain is left by --only and --exclude\n"));
        ck_assert_ptr_nonnull(strstr(none, "There is nothing to write, and nothing was written to kept.folded\n"
                                           "status 1\nkept.folded\n640\nbefore\n"));
        event = written(path, "-e cycles");
        ck_assert_ptr_nonnull(strstr(event, "status 1\nkept.folded\n640\nbefore\n"));
        full = written(path, "--format html; echo status $?; trap '' XFSZ; ulimit -f 1; " FLAMEGRAPH "-i ../whole.data -o kept.folded --format html 2>&1");
        ck_assert_msg(strstr(full, "Failed to write kept.folded: File too large\nstatus 1\nkept.folded\n640\n<!DOCTYPE html>"), "%.300s", full);
}
END_TEST

/* A link stays one to the file that was replaced; what is no file is written to. */
START_TEST(links_and_pipes) {
        _cleanup_free_ char *path = put_recording("links.data", "inner"), *link = NULL, *pipe = NULL;

        link = test_command("cd $(dirname %s) && mkdir d && echo before >d/file && ln -s d/file link && " FLAMEGRAPH
                            "-i %s -o link --format folded --only other.$ --comms shop && readlink link && cat d/file && ls -A d", path, path);
        ck_assert_str_eq(link, "d/file\nshop;[outer];[other] 1\nfile\n");
        /* As /dev/stdout is one: its target has no path if it is a pipe. */
        pipe = test_command("cd $(dirname %s) && ln -s /proc/self/fd/1 stdout && " FLAMEGRAPH
                            "-i %s -o stdout --format folded --only other.$ --comms shop | cat && readlink stdout", path, path);
        ck_assert_str_eq(pipe, "shop;[outer];[other] 1\n/proc/self/fd/1\n");
}
END_TEST

/* A new file that would have nothing in it is not made. */
START_TEST(nothing_is_left_behind) {
        _cleanup_free_ char *path = put_recording("left.data", "inner"), *broken = test_path("broken.data"), *made = test_path("left.svg"),
                            *text = NULL;

        text = test_command("echo no recording >%s; " FLAMEGRAPH "-i %s -o %s 2>/dev/null; " FLAMEGRAPH "-i %s -o %s --pid 5 2>/dev/null; "
                            "ls -A $(dirname %s)", broken, broken, made, path, made, path);
        ck_assert_str_eq(text, "broken.data\nleft.data\n");
        free(steal_ptr(text));
        text = test_command(FLAMEGRAPH "-i %s -o %s && head -c 5 %s", path, made, made);
        ck_assert_str_eq(text, "<?xml");
}
END_TEST

/* Names come from whoever was recorded. */
START_TEST(hostile_names) {
        _cleanup_free_ char *path = put_recording("hostile.data", HOSTILE), *svg = NULL, *html = NULL, *json = NULL, *lines = NULL, *checked = NULL;

        if (system("command -v xmllint >/dev/null") != 0)
                exit(TEST_SKIPPED);
        svg = drawn(path, "--format svg");
        ck_assert_ptr_null(strstr(svg, "<script>x"));
        ck_assert_ptr_null(strchr(svg, '\x01'));
        checked = test_command(FLAMEGRAPH "-i %s --search ']]>\"<' --title '<&>' 2>/dev/null | xmllint --noout - 2>&1; true", path);
        ck_assert_str_eq(checked, "");
        html = drawn(path, "--format html --search '</script>'");
        ck_assert_ptr_null(strstr(html, "<script>x"));
        ck_assert_ptr_null(strstr(strstr(html, "</script>") + 1, "</script>"));
        ck_assert_ptr_nonnull(strstr(html, "\"[a\\u003cb>&\\u0022'c;d]]>\\u003cscript>x(1)"));
        json = drawn(path, "--format json --only script");
        ck_assert_ptr_nonnull(strstr(json, "\"[a<b>&\\\"'c;d]]><script>x(1)<!--"));
        lines = drawn(path, "--format folded --only script --by pid");
        ck_assert_ptr_nonnull(startswith(lines, "shop-7;[outer];[a<b>&\"'c:d]]><script>"));
        ck_assert_ptr_null(strchr(lines, '\x01'));
}
END_TEST

#define NASTY      "<script>alert(1)</script><!--]]>;\"'`\\[x](y) {z}&amp; \x01\x1b[31m\x7f\r\n\t\xff\xc3(\xef\xbf\xbf\xe2\x80\xae"
#define FUNCTION_NAME ((size_t) 32000)
#define LONG_NAME  ((size_t) 65000) /* a record has at most 64 KiB */

static char *nasty_name(const char *prefix) {
        char *name = malloc(LONG_NAME + 1);
        size_t n = strlen(prefix);

        ck_assert_ptr_nonnull(name);
        memcpy(name, prefix, n);
        for (size_t i = n; i < LONG_NAME; i++)
                name[i] = NASTY[(i - n) % strlen(NASTY)];
        name[LONG_NAME] = '\0';
        return name;
}

static void put_long_map(RecordBuffer *b, uint32_t pid, uint64_t start, const char *path) {
        const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE };
        PerfRecordMmap2 map = {
                .header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER }, .pid = pid, .tid = pid, .start = start,
                .length = 0x1000, .protection = 5, .flags = 2,
        };
        size_t n = (strlen(path) + 8) / 8 * 8;

        map.header.size = (uint16_t) (sizeof(map) + n + record_trailer_size(TEST_SAMPLE_TYPE));
        byte_buffer_put(b, &map, sizeof(map));
        memcpy(byte_buffer_extend(b, n), path, strlen(path));
        record_trailer_put(b, &trailer);
}

/* A program with a function of a nasty name, in front of "behind"; its name is as long as one may be. NULL: there is no compiler. */
static char *nasty_program(void) {
        _cleanup_free_ char *name = nasty_name("f"), *source = NULL;

        name[FUNCTION_NAME] = '\0';
        for (char *p = name; (p = strpbrk(p, "\"\\\r\n"));)
                *p = '|'; /* assembler */
        ck_assert_int_gt(asprintf(&source, "__asm__(\".text\\n.globl behind\\n.globl \\\"%s\\\"\\n.type \\\"%s\\\", %%function\\n\\\"%s\\\": .skip 512\\n\"\n"
                                  "\".size \\\"%s\\\", . - \\\"%s\\\"\\n.type behind, %%function\\nbehind: nop\\n.size behind, 1\\n\");\n"
                                  "int main(void) { return 0; }\n", name, name, name, name, name), 0);
        return made_program("nasty", source, "-w -Wl,--build-id");
}

/* A thread, two files and a function have long names. */
static char *put_nasty(const char *name, const char *program) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_free_ char *comm = nasty_name("comm"), *base = nasty_name("/nowhere/"), *folder = nasty_name("/");
        const BuildIdEntry id = { .path = program, .id = made_build_id(program) };
        uint64_t function = 0x400000 + made_offset(program, "behind") - 256;
        char *path = test_path(name);

        folder[LONG_NAME - 2] = '/';
        for (char *p = base + strlen("/nowhere/"); (p = strchr(p, '/'));)
                *p = '<'; /* one long name */
        put_comm(&b, 7, 7, comm);
        put_long_map(&b, 7, 0x1000, base);
        put_long_map(&b, 7, 0x2000, folder);
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        MADE_SAMPLE(&b, 7, 7, 1000, 0x2010, function, 0x3010, 0x1020, 0x2020, 0x1030);
        MADE_SAMPLE(&b, 7, 7, 1001, 0x1010, function, 0x1020);
        reader = test_recording(path, &b, &id, 1);
        ck_assert_ptr_nonnull(reader);
        return path;
}

/* Valid UTF-8 of lines, of which no byte controls a terminal. */
static void assert_plain(const char *text) {
        for (const char *p = text; *p;) {
                uint32_t c;
                size_t n = utf8_decode(p, SIZE_MAX, &c);

                ck_assert_msg(n > 0 && (c == '\n' || c == '\t' || !utf8_is_control(c)), "at %zu: %.80s", (size_t) (p - text), p);
                p += n;
        }
}

static size_t count_of(const char *text, const char *word) {
        size_t n = 0;

        for (const char *p = text; (p = strstr(p, word)); p++)
                n++;
        return n;
}

/* Each line is names, of which none is empty, and a number. */
static void assert_folded(const char *text, size_t n_lines) {
        ck_assert_uint_eq(count_of(text, "\n"), n_lines);
        for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
                const char *end = strchr(line, '\n'), *blank = memrchr(line, ' ', (size_t) (end - line));

                ck_assert_msg(blank && blank[1 + strspn(blank + 1, "0123456789")] == '\n', "%s", line);
                ck_assert_uint_eq(count_of(line, ";;"), 0);
        }
}

static void assert_harmless(const char *path, const char *words, size_t n_lines) {
        _cleanup_free_ char *svg = test_command(FLAMEGRAPH "-i %s %s --format svg 2>/dev/null", path, words);
        _cleanup_free_ char *html = test_command(FLAMEGRAPH "-i %s %s --format html 2>/dev/null", path, words);
        _cleanup_free_ char *json = test_command(FLAMEGRAPH "-i %s %s --format json 2>/dev/null", path, words);
        _cleanup_free_ char *lines = test_command(FLAMEGRAPH "-i %s %s --format folded 2>/dev/null", path, words);
        _cleanup_free_ char *xml = test_command(FLAMEGRAPH "-i %s %s --format svg 2>/dev/null | xmllint --noout - 2>&1; true", path, words);
        _cleanup_free_ char *parsed = test_command(FLAMEGRAPH "-i %s %s --format json 2>/dev/null | "
                                                   "python3 -c 'import json, sys; print(json.load(sys.stdin)[\"name\"])'", path, words);

        ck_assert(svg && html && json && lines);
        assert_plain(svg);
        assert_plain(html);
        assert_plain(json);
        assert_plain(lines);
        ck_assert_uint_eq(count_of(svg, "<script"), 1);
        ck_assert_uint_eq(count_of(html, "<script"), 1);
        ck_assert_uint_eq(count_of(html, "</script"), 1);
        ck_assert_uint_eq(count_of(html, "<!--"), 0);
        ck_assert_str_eq(xml, "");
        ck_assert_ptr_nonnull(parsed);
        ck_assert_str_eq(parsed, "all\n");
        assert_folded(lines, n_lines);
}

START_TEST(long_nasty_names) {
        _cleanup_free_ char *program = nasty_program(), *path = NULL, *waking = NULL, *whole = NULL, *compared = NULL, *xml = NULL;
        const MadeSwitch woken[] = {
                { 1000, 0, 7, 8, 1, { 0x1010 }, NULL }, { 1800, 1, 9, 7, 0, { 0x2010, 0x1010 }, "<script>;\"'\x01\xff\n]" },
        };

        if (!program || system("command -v xmllint >/dev/null && command -v python3 >/dev/null") != 0)
                exit(TEST_SKIPPED);
        path = put_nasty("nasty.data", program);
        whole = drawn(path, "--format folded");
        ck_assert_msg(strlen(whole) > 16000 && strlen(whole) < LONG_NAME, "%s", whole); /* shown are 8 KiB of it */
        assert_harmless(path, "--by tid --search '</script>'", 2);
        compared = test_command(FLAMEGRAPH "--diff -i %s -i %s --format html --search '</script>' 2>/dev/null", path, path);
        assert_plain(compared);
        ck_assert_uint_eq(count_of(compared, "<script"), 1);
        ck_assert_uint_eq(count_of(compared, "</script"), 1);
        xml = test_command(FLAMEGRAPH "--diff -i %s -i %s --format svg 2>/dev/null | xmllint --noout - 2>&1; true", path, path);
        ck_assert_str_eq(xml, "");
        assert_harmless(path, "--flamechart --period --all", 2);
        waking = put_wakings("nasty-waking.data", woken, ELEMENTSOF(woken), "sched:sched_waking");
        assert_harmless(waking, "--wakeup", 1);
        assert_picture(waking, "--wakeup --format folded", "ba:n_k;[outer];[inner];<script>:\"'?\xef\xbf\xbd_] 800\n");
}
END_TEST

/* A function that calls itself has no more than all samples. */
START_TEST(recursion) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("recursion.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;

        put_comm(&b, 7, 7, "shop");
        put_file(&b, 7, 1, "outer");
        put_file(&b, 7, 2, "inner");
        MADE_SAMPLE(&b, 7, 7, 1000, 0x1010, 0x2010, 0x1020, 0x2020, 0x1030);
        MADE_SAMPLE(&b, 7, 7, 1001, 0x1010, 0x2010, 0x1020);
        MADE_SAMPLE(&b, 7, 7, 1002, 0x2010, 0x2020, 0x2030);
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ptr_nonnull(reader);
        assert_drawn(path, "--format folded",
                     "shop;[inner] 1\nshop;[outer];[inner];[outer] 1\nshop;[outer];[inner];[outer];[inner];[outer] 1\n");
        for (size_t i = 0; i < 3; i++) {
                static const char *const words[] = { "", "--flamechart", "--reverse" };
                _cleanup_free_ char *svg = drawn(path, words[i]);
                double percent;

                ck_assert_ptr_nonnull(strstr(svg, "<title>all (3 samples, 100.00%)</title>"));
                for (const char *p = svg; (p = strstr(p, " samples, ")); p++)
                        ck_assert(sscanf(p, " samples, %lf%%)", &percent) == 1 && percent <= 100);
        }
}
END_TEST

/* The tree stands in a page, of which nothing is loaded from elsewhere. */
START_TEST(page) {
        _cleanup_free_ char *path = put_recording("page.data", "inner"), *html = drawn(path, "--format html --by pid --only inner");
        const char *data = strstr(html, "texts:[");

        ck_assert_ptr_nonnull(data);
        ck_assert_ptr_nonnull(startswith(data, "texts:[\"\",\""));
        ck_assert_ptr_nonnull(strstr(html, "nodes:[-1,0,0,"));
        ck_assert_ptr_nonnull(strstr(html, ",2,0,]};\n"));
        ck_assert_ptr_nonnull(strstr(html, "content=\"default-src 'none';"));
        ck_assert_ptr_null(strstr(html, "://"));
        ck_assert_uint_lt(strlen(html), 40000);
}
END_TEST

/* The group of the idle task is of a kind of its own, so that a page can leave it out; PID 0 in user space is another namespace's. */
START_TEST(idle) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_free_ char *path = test_path("idle.data"), *html = NULL;

        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 0, UINT64_C(0xffffffff81000000), 1000);
        MADE_SAMPLE(&b, 0, 0, 1001, 0x1010);
        MADE_SAMPLE(&b, 7, 7, 1002, 0x1010);
        reader = test_recording(path, &b, NULL, 0);
        html = drawn(path, "--format html");
        ck_assert_msg(strstr(html, "texts:[\"\",\"swapper\",") && strstr(html, "frames:[[1,0,5],"), "%s", strstr(html, "texts:["));
        ck_assert_msg(strstr(html, "[1,0,0],"), "%s", strstr(html, "frames:["));
        ck_assert_ptr_nonnull(strstr(html, "caption:["));
        ck_assert_ptr_nonnull(strstr(html, "\"3 samples of cpu-clock:HG\",\"33.3 % idle\",],"));
}
END_TEST

START_TEST(options) {
        static const struct {
                const char *words, *message;
        } table[] = {
                { "-o picture.bmp", "output" }, { "--format png", "format" }, { "--by dso", "by" }, { "--only '('", "only" },
                { "--exclude '['", "exclude" }, { "--width 10", "width" }, { "--minwidth x", "minwidth" }, { "--colors pink", "colors" },
                { "--bgcolors red", "bgcolors" }, { "--factor 0", "factor" }, { "--max-stack 0", "max-stack" },
                { "--fonttype 'a;b'", "fonttype" }, { "--title \"$(printf 'a\\033[1m')\"", "title" }, { "excess", "Excess argument" },
        };
        _cleanup_free_ char *path = put_recording("options.data", "inner");

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                _cleanup_free_ char *text = test_command(FLAMEGRAPH "-i %s %s 2>&1 >/dev/null; echo status $?", path, table[i].words);

                ck_assert_msg(strstr(text, table[i].message) && strstr(text, "status 1\n"), "%s: %s", table[i].words, text);
        }
}
END_TEST

TEST_RUN("verb-flamegraph", nothing_is_left_behind, replaced_as_a_whole, links_and_pipes, folded, no_samples, nested, picture, labels, chart, off_cpu, off_cpu_with_losses,
         off_cpu_refused, wakeup, wakeup_refused, off_cpu_states, hostile_names, long_nasty_names, recursion, page, idle, options);
