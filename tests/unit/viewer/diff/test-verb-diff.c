/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view diff, end to end: recordings whose samples are drawn by a generator that always draws the same ones, of one
 * process that has a binary for each function. */

#include <sys/xattr.h>

#include <perf-recorder/dump-facts.h>

#include "made-program.h"
#include "made-samples.h"
#include "parse-time.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define VIEW "ASAN_OPTIONS=detect_leaks=0 " VIEWER " diff "
#define FLAMEGRAPH "ASAN_OPTIONS=detect_leaks=0 " VIEWER " flamegraph --diff "
#define PID 7u
#define BINARIES 40u
#define BINARY_SIZE UINT64_C(0x10000)
#define SAMPLES 10000u
#define STEP NSEC_PER_MSEC

static uint64_t address_of(unsigned binary) {
        return 0x400000 + binary * BINARY_SIZE;
}

static void put_binaries(RecordBuffer *b) {
        for (unsigned i = 0; i < BINARIES; i++) {
                char path[32];

                (void) snprintf(path, sizeof(path), "/nowhere/f%u.so", i);
                test_put_map(b, PID, address_of(i), BINARY_SIZE, path, 0);
        }
}

/* Puts samples of a weight, of which the first binary has a share, and the others the rest. */
static void put_drawn(RecordBuffer *b, unsigned *seed, double first, uint64_t since, unsigned n, uint64_t weight) {
        for (unsigned i = 0; i < n; i++) {
                bool is_first = rand_r(seed) / (RAND_MAX + 1.0) < first;
                uint64_t ip = address_of(is_first ? 0 : 1 + (unsigned) rand_r(seed) % (BINARIES - 1)) + 0x100;

                made_sample(b, PID, PID, since + i * STEP, weight, &ip, 1);
        }
}

static char *write_recording(const char *name, const RecordBuffer *b) {
        char *path = test_path(name);

        perf_data_reader_free(test_recording(path, b, NULL, 0));
        return path;
}

static char *drawn_recording(const char *name, unsigned *seed, double first, unsigned n, uint64_t weight) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        put_binaries(&b);
        put_drawn(&b, seed, first, NSEC_PER_SEC, n, weight);
        return write_recording(name, &b);
}

/* From 5 to 7 %: it is found in each pair, and others at most by chance. */
START_TEST(grown) {
        unsigned seed = 1, others = 0;

        for (unsigned k = 0; k < 20; k++) {
                _cleanup_free_ char *a = drawn_recording("a.data", &seed, 0.05, SAMPLES, 1),
                                    *b = drawn_recording("b.data", &seed, 0.07, SAMPLES, 1), *text = NULL;

                text = test_command(VIEW "-q -s dso -i %s -i %s | grep '[*]'", a, b);
                ck_assert_msg(text && strstr(text, "* f0.so\n") && strchr(text, '+') < strstr(text, "* f0.so\n"), "%u: %s", k, text);
                others += strchr(text, '\n')[1] != '\0';
        }
        ck_assert_uint_le(others, 2);
}
END_TEST

START_TEST(same_load) {
        unsigned seed = 2;

        for (unsigned k = 0; k < 10; k++) {
                _cleanup_free_ char *a = drawn_recording("a.data", &seed, 0.05, SAMPLES, 1),
                                    *b = drawn_recording("b.data", &seed, 0.05, SAMPLES / 2, 1), *text = NULL;

                text = test_command(VIEW "-q -s dso -i %s -i %s | grep -c '[*]' || true", a, b);
                ck_assert_str_eq(text, "0\n");
        }
}
END_TEST

/* At twice the frequency, samples weigh half as much: the load is the same. In half of the time it is, too. */
START_TEST(other_frequency) {
        unsigned seed = 3;
        _cleanup_free_ char *a = drawn_recording("a.data", &seed, 0.05, SAMPLES, 1000),
                            *b = drawn_recording("b.data", &seed, 0.05, SAMPLES, 1000), *half = NULL, *text = NULL, *twice = NULL;
        _cleanup_(record_buffer_done) RecordBuffer denser = {};

        half = drawn_recording("half.data", &seed, 0.05, SAMPLES / 2, 1000);
        text = test_command(VIEW "-q -s comm -i %s -i %s", a, half);
        ck_assert_str_eq(text, "   100.00%     +0.01%  :7\n"); /* no time is between the last sample and the next */
        put_binaries(&denser);
        put_drawn(&denser, &seed, 0.05, NSEC_PER_SEC, SAMPLES, 500);
        put_drawn(&denser, &seed, 0.05, NSEC_PER_SEC + STEP / 2, SAMPLES, 500);
        free(steal_ptr(b));
        b = write_recording("denser.data", &denser);
        twice = test_command(VIEW "-q -s dso -i %s -i %s | grep -c '[*]' || true", a, b);
        ck_assert_str_eq(twice, "0\n");
}
END_TEST

/* A part and the rest are all of the recording, and nothing twice. */
START_TEST(part_of_one) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = NULL, *text = NULL, *sums = NULL, *piped = NULL;
        unsigned seed = 4;

        put_binaries(&b);
        put_drawn(&b, &seed, 0.05, NSEC_PER_SEC, SAMPLES, 3);
        put_drawn(&b, &seed, 0.15, NSEC_PER_SEC + SAMPLES * STEP, SAMPLES / 2, 3);
        path = write_recording("one.data", &b);
        text = test_command(VIEW "-s dso -i %s --last 5s | grep -E '^# [BC][ao]|[*]' | sed 's,/.*/,,'", path);
        ck_assert_msg(strstr(text, "# Baseline: one.data, the rest: 9999 samples in 9.999 s\n") &&
                      strstr(text, "# Compared: one.data, the last 5s: 5001 samples in 5.000 s\n") && strstr(text, "* f0.so\n"),
                      "%s", text);
        for (unsigned i = 0; i < 2; i++) {
                free(steal_ptr(sums));
                sums = test_command(VIEW "--json -s dso,symbol -i %s --last 5s | grep -oP '\"%s\":{\"samples\":[0-9]+,\"weight\":"
                                    "\\K[0-9]+(?=,\"percent)' | awk '{ n += $1 } END { print n }'", path,
                                    i == 0 ? "baseline" : "compared");
                ck_assert_str_eq(sums, i == 0 ? "29997\n" : "15003\n");
        }
        piped = test_command("cat %s | " VIEW "-s comm -q -i - --time 0%%-50%%,25%%-75%%", path);
        ck_assert_str_eq(piped, "   100.00%     +0.00%  :7\n"); /* what overlaps counts once */
}
END_TEST

static void put_comm(RecordBuffer *b, uint32_t pid, const char *name, uint64_t time) {
        ck_assert_ok(record_put_comm(b, pid, pid, name, PERF_RECORD_MISC_COMM_EXEC,
                                     &(RecordTrailer) { .sample_type = TEST_SAMPLE_TYPE, .id = 11, .pid = pid, .tid = pid, .time = time }));
}

/* Processes of one id are told apart by their names, and the same one is in both recordings. */
START_TEST(processes) {
        static const uint64_t ip = 0x1000;
        _cleanup_(record_buffer_done) RecordBuffer a = {}, b = {};
        _cleanup_free_ char *first = NULL, *second = NULL, *text = NULL, *json = NULL;

        put_comm(&a, PID, "old", 1);
        put_comm(&a, 9, "both", 1);
        put_comm(&b, 9, "both", 1);
        for (unsigned i = 1; i <= 100; i++) {
                if (i == 51)
                        put_comm(&a, PID, "new", i * STEP - 1);
                made_sample(&a, PID, PID, i * STEP, 1, &ip, 1);
                made_sample(&a, 9, 9, i * STEP, 1, &ip, 1);
                made_sample(&b, 9, 9, i * STEP, 2, &ip, 1);
        }
        first = write_recording("first.data", &a);
        second = write_recording("second.data", &b);
        text = test_command(VIEW "-q -s pid --normalize=total -i %s -i %s | sort", first, second);
        ck_assert_str_eq(text, "    25.00%    -25.00%*       7:new\n    25.00%    -25.00%*       7:old\n"
                         "    50.00%    +50.00%*       9:both\n");
        json = test_command(VIEW "--json -s pid -i %s -i %s --pid 9 | grep -o '\"rows.*'", first, second);
        ck_assert_str_eq(json, "\"rows\":[{\"tid\":9,\"thread\":\"both\",\"baseline\":{\"samples\":100,\"weight\":100,\"percent\":50.000000},"
                         "\"compared\":{\"samples\":100,\"weight\":200,\"percent\":100.000000},\"delta_percent\":50.000000,"
                         "\"chance\":1.68234e-06,\"changed\":true}]}]}\n");
}
END_TEST

/* A function that called itself was hit once. The names are those of a program, at another address in the second recording. */
START_TEST(functions) {
        _cleanup_free_ char *program = made_program("program", made_source, "-O0"), *a = NULL, *b = NULL, *text = NULL;
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        for (unsigned k = 0; k < 2; k++) {
                _cleanup_(record_buffer_done) RecordBuffer x = {};
                uint64_t base = k == 0 ? 0x400000 : 0x900000, inner = base + made_offset(program, "inner");
                const uint64_t outer = base + made_offset(program, "outer"), again[] = { inner, inner, inner, outer };

                test_put_map(&x, PID, base, 0x100000, program, 0);
                for (unsigned i = 1; i <= 100; i++)
                        made_sample(&x, PID, PID, i * STEP, 1, i % (k == 0 ? 5 : 2) == 0 ? &outer : again, i % (k == 0 ? 5 : 2) == 0 ? 1 : 4);
                *(k == 0 ? &a : &b) = test_path(k == 0 ? "a.data" : "b.data");
                perf_data_reader_free(test_recording(k == 0 ? a : b, &x, &id, 1));
        }
        text = test_command(VIEW "-q -c delta -i %s -i %s --fail-above=29%% 2>&1; echo $?", a, b);
        ck_assert_str_eq(text, "program [.] outer: grew by 30.00 % of all cpu-clock:HG, which is more than 29 %\n"
                         "    20.00%  +30.00%* program        [.] outer\n    80.00%  -30.00%  program        [.] inner\n1\n");
}
END_TEST

/* Dumps of one session that overlap have the same samples. */
START_TEST(common_samples) {
        unsigned seed = 6;
        _cleanup_free_ char *a = drawn_recording("a.data", &seed, 0.05, 2000, 1), *b = drawn_recording("b.data", &seed, 0.05, 500, 1),
                            *text = NULL;

        if (setxattr(a, PR_DUMP_XATTR_SESSION, "web", 3, 0) < 0 || setxattr(a, PR_DUMP_XATTR_BOOT, "0123", 4, 0) < 0 ||
            setxattr(b, PR_DUMP_XATTR_SESSION, "web", 3, 0) < 0 || setxattr(b, PR_DUMP_XATTR_BOOT, "0123", 4, 0) < 0)
                exit(TEST_SKIPPED);
        text = test_command("cd %s; " VIEW "-i a.data -i b.data 2>&1 >/dev/null", test_directory());
        ck_assert_str_eq(text, "a.data and b.data have the same samples of 0.499 s: what changed is there in both; --last and the like "
                         "compare a part\n");
        free(steal_ptr(text));
        text = test_command("cd %s; " VIEW "-i a.data --last 1s 2>&1 >/dev/null", test_directory());
        ck_assert_str_eq(text, "");
}
END_TEST

/* Titles, shares, differences, ratios and periods are perf's, but for blanks at the end of lines. */
#define LINES "sed '/dummy/,$d' | grep -E 'Baseline  |so *$' | sed 's/ *$//' | sort"

START_TEST(as_perf) {
        static const char *const words[] = { "-c delta", "-c delta-abs -o 0 -p", "-c ratio -p", "-b" };
        unsigned seed = 7;
        _cleanup_free_ char *a = NULL, *b = NULL;

        if (!test_have_perf_6_1())
                exit(TEST_SKIPPED);
        a = drawn_recording("a.data", &seed, 0.05, SAMPLES, 3);
        b = drawn_recording("b.data", &seed, 0.07, SAMPLES, 3);
        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                _cleanup_free_ char *theirs = test_command("cd %s && perf diff -s dso %s a.data b.data 2>/dev/null | " LINES,
                                                           test_directory(), words[i]),
                                    *ours = test_command(VIEW "-s dso --normalize=total %s -i %s -i %s | sed 's/[*]/ /' | " LINES,
                                                         words[i], a, b);

                ck_assert_ptr_nonnull(strstr(theirs, "f0.so"));
                ck_assert_msg(streq(ours, theirs), "%s\n%.1500s\n%.1500s", words[i], ours, theirs);
        }
}
END_TEST

/* The picture has the numbers of the table, and marks what it marks; both verbs draw it. */
START_TEST(picture) {
        unsigned seed = 8;
        _cleanup_free_ char *a = drawn_recording("a.data", &seed, 0.05, SAMPLES, 1),
                            *b = drawn_recording("b.data", &seed, 0.07, SAMPLES / 2, 1), *table = NULL, *titles = NULL, *text = NULL;
        double before, more;
        char expected[128];

        table = test_command(VIEW "-q -s dso -i %s -i %s | grep '[*]'", a, b);
        ck_assert_msg(sscanf(table, "%lf%% +%lf%%* f0.so", &before, &more) == 2, "%s", table);
        titles = test_command("cd %s; " VIEW "-i a.data -i b.data -o x.svg 2>&1; grep -o '<title>[^<]*changed)' x.svg", test_directory());
        (void) snprintf(expected, sizeof(expected), " samples, %.2f%% of all, was %.2f%%: +%.2f%%, changed)", before + more, before, more);
        ck_assert_msg(startswith(titles, "<title>[f0.so] (") && strstr(titles, expected), "%s%s", titles, expected);
        ck_assert_ptr_eq(strchr(titles, '\n'), strrchr(titles, '\n'));
        text = test_command("cd %s; " FLAMEGRAPH "-i a.data -i b.data -o y.svg; cmp x.svg y.svg; xmllint --noout x.svg 2>&1; "
                            "grep -c 'no change that chance does not explain)' x.svg; grep -c 'fill=\"#f.*>[+] \\[f0.so\\]<' x.svg; "
                            "grep '>baseline: ' x.svg | grep -c '10,000 samples of cpu-clock:HG'", test_directory());
        ck_assert_str_eq(text, "41\n1\n1\n"); /* all, the process, and 39 binaries */
}
END_TEST

/* Nothing is marked where loads are equal, also if one was sampled at twice the frequency, and had less time; what one lacks is said. */
START_TEST(equal_pictures) {
        unsigned seed = 10;
        _cleanup_free_ char *text = NULL;

        for (unsigned k = 0; k < 5; k++) {
                _cleanup_(record_buffer_done) RecordBuffer denser = {};
                _cleanup_free_ char *a = drawn_recording("a.data", &seed, 0.05, SAMPLES, 1000), *b = NULL;
                size_t lost;

                put_binaries(&denser);
                put_drawn(&denser, &seed, 0.05, NSEC_PER_SEC, SAMPLES / 2, 500);
                put_drawn(&denser, &seed, 0.05, NSEC_PER_SEC + STEP / 2, SAMPLES / 2, 500);
                lost = record_begin(&denser, PERF_RECORD_LOST, 0);
                byte_buffer_put_u64(&denser, 11);
                byte_buffer_put_u64(&denser, 77);
                ck_assert_ok(record_end(&denser, lost, &(RecordTrailer) { .sample_type = TEST_SAMPLE_TYPE, .id = 11, .time = NSEC_PER_SEC }));
                b = write_recording("b.data", &denser);
                free(steal_ptr(text));
                text = test_command("cd %s; " VIEW "-i a.data -i b.data -o e.svg 2>/dev/null; grep -c ', changed)' e.svg; "
                                    "grep -c 'no change that chance does not explain)' e.svg; sed 's/<[^>]*>//g' e.svg | grep -A2 '^baseline: ' | "
                                    "tr '\\n' ' ' | cut -c-400", test_directory());
                ck_assert_msg(startswith(text, "0\n42\n") && strstr(text, "10,000 samples of cpu-clock:HG, 77 records lost"), "%s", text);
        }
}
END_TEST

/* A range of its own shape has what the other one lacks. A part of a recording is compared with the rest of it. */
START_TEST(shapes) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL, *page = NULL;
        unsigned seed = 9;
        static const uint64_t ip = 0x1000;

        put_comm(&b, 9, "gone", 1);
        for (unsigned i = 1; i <= 500; i++)
                made_sample(&b, 9, 9, NSEC_PER_SEC + i * STEP * 8, 1, &ip, 1);
        put_binaries(&b);
        put_drawn(&b, &seed, 0.05, NSEC_PER_SEC * 10, 5000, 1);
        free(write_recording("one.data", &b));
        text = test_command("cd %s; for shape in a b; do " VIEW "-i one.data --last=5s --on=$shape -o x.svg 2>&1; "
                            "grep -o '<title>gone [^<]*' x.svg; grep -o 'the shape is that of [a-z ]*' x.svg; done; "
                            "tr '\\n' ' ' <x.svg | sed 's/<[^>]*>//g; s/  */ /g' >x.txt; grep -o 'only the rest, [0-9.]* s' x.txt; "
                            "grep -o 'only the last 5s, [0-9.]* s' x.txt",
                            test_directory());
        ck_assert_str_eq(text, "<title>gone (500 samples, 0.00% of all, was 100.00%: \xe2\x88\x92" "100.00%, changed)\n"
                         "the shape is that of the baseline\nthe shape is that of what is compared\n"
                         "only the rest, 8.991 s\nonly the last 5s, 5.000 s\n");
        page = test_command("cd %s; " FLAMEGRAPH "-i one.data --last=5s --normalize=total --on=a -o - --format html", test_directory());
        ck_assert_ptr_nonnull(strstr(page, "\ndiff:{seconds:null,onBase:true},\n"));
        ck_assert_ptr_nonnull(strstr(page, "nodes:[-1,0,0,0,"));
        ck_assert_ptr_nonnull(strstr(page, "function chanceOfShares("));
}
END_TEST

START_TEST(picture_refused) {
        unsigned seed = 5;
        _cleanup_free_ char *a = drawn_recording("a.data", &seed, 0.05, 100, 1), *text = NULL;
        static const struct {
                const char *words, *expected;
        } cases[] = {
                { VIEW "-i a.data -i a.data -o z.svg --json", "--output draws a picture: leave out --json\n1\n" },
                { VIEW "-i a.data -i a.data -o z.svg --fail-above=1", "--output draws a picture: leave out --fail-above\n1\n" },
                { VIEW "-i a.data -i a.data -o z.json", "A comparison is drawn as svg or html, and not as json\n1\n" },
                { VIEW "-i a.data -i a.data -o z.png", "--output: its name does not end in .svg or .html: 'z.png'\n1\n" },
                { VIEW "-i a.data -o z.svg", "One recording is compared only with itself: name a second one, or with --last, --since or "
                  "--time the part that is compared with the rest\n1\n" },
                { VIEW "-i a.data -i a.data --on=c", "--on: neither a nor b: 'c'\n1\n" },
                { FLAMEGRAPH "-i a.data -i a.data -o z.svg --off-cpu",
                  "--diff and --off-cpu are not possible together: each says what is drawn\n1\n" },
                { FLAMEGRAPH "-i a.data -i a.data -o z.svg --period", "--diff compares numbers of samples: leave out --period\n1\n" },
                { FLAMEGRAPH "-i a.data -i a.data -o z.svg --event=cycles", "a.data and a.data do not both have samples of cycles\n1\n" },
                { FLAMEGRAPH "-i a.data -i a.data -o z.svg --time=5,6",
                  "a.data, what is selected, takes no time: it can't be compared\n1\n" },
                { VIEWER " flamegraph -i a.data --on=a -o z.svg", "--on and --normalize are for comparisons: add --diff\n1\n" },
        };

        ck_assert_ptr_nonnull(a);
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                free(steal_ptr(text));
                text = test_command("cd %s; %s 2>&1; echo $?; ls | grep z.svg || true", test_directory(), cases[i].words);
                ck_assert_str_eq(text, cases[i].expected);
        }
}
END_TEST

START_TEST(refused) {
        unsigned seed = 5;
        _cleanup_free_ char *a = drawn_recording("a.data", &seed, 0.05, 10, 1), *text = NULL;
        static const struct {
                const char *words, *expected;
        } cases[] = {
                { "-i $A", "One recording is compared only with itself: name a second one, or with --last, --since or --time the part "
                  "that is compared with the rest\n1\n" },
                { "-i $A -i $A -i $A", "Two recordings are compared, and not 3\n1\n" },
                { "-i $A -i $A -c wdiff:1,2", "--compute: not one of delta, delta-abs, ratio: 'wdiff:1,2'\n1\n" },
                { "-i $A -i $A -s unit -o x.svg", "--output draws a picture: leave out --sort\n1\n" },
                { "-i $A -i $A --on=b", "--on is for a picture, which -o FILE.svg or FILE.html draws\n1\n" },
                { "-i $A -i $A --format=svg", "--format is for a picture, which -o FILE.svg or FILE.html draws\n1\n" },
                { "-i $A -i $A -s parent", "--sort: not a value of this option: 'parent'\n1\n" },
                { "-i $A -i $A --fail-above=much", "--fail-above: not a percentage: 'much'\n1\n" },
                { "-i $A --last 1h", "a.data, the rest, takes no time: it can't be compared\n1\n" },
                { "-i $A -i $A --time 5,6", "a.data, what is selected, takes no time: it can't be compared\n1\n" },
                { "", "Failed to open perf.data.old: No such file or directory\n1\n" },
        };

        ck_assert_ptr_nonnull(a);
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                free(steal_ptr(text));
                text = test_command("cd %s; A=a.data; " VIEW "%s 2>&1; echo $?", test_directory(), cases[i].words);
                ck_assert_str_eq(text, cases[i].expected);
        }
        free(steal_ptr(text)); /* nothing is compared */
        text = test_command("cd %s; " VIEW "-i a.data -i a.data --comms nobody >/dev/null 2>&1; echo $?", test_directory());
        ck_assert_str_eq(text, "1\n");
}
END_TEST

/* A part of a recording is no result: it has less of everything. */
START_TEST(interrupted) {
        static const char *const verbs[] = { "env " VIEW "--fail-above=0 -s comm,", "env " FLAMEGRAPH "-o " };
        unsigned seed = 1;
        _cleanup_free_ char *a = drawn_recording("a.data", &seed, 0.1, SAMPLES, STEP);
        _cleanup_free_ char *b = drawn_recording("b.data", &seed, 0.3, SAMPLES, STEP), *drawn = test_path("drawn.svg");

        for (size_t i = 0; i < ELEMENTSOF(verbs); i++) {
                _cleanup_free_ char *caught = test_path(i == 0 ? "caught" : "caught-again"), *command = NULL, *source = NULL, *text = NULL;
                FILE *input;

                ck_assert_int_gt(asprintf(&source, "until test -e %s; do sleep 0.02; done; cat %s", caught, b), 0);
                input = popen(source, "r");
                ck_assert_ptr_nonnull(input);
                ck_assert_int_gt(asprintf(&command, "%s%s -i %s -i - <&%d", verbs[i], i == 0 ? "dso" : drawn, a, fileno(input)), 0);
                text = test_interrupted(command, ":", caught);
                (void) pclose(input);
                ck_assert_str_eq(text, "Interrupted: nothing is compared, since only a part was read\nstatus 1\n");
        }
        ck_assert_int_lt(access(drawn, F_OK), 0);
}
END_TEST

TEST_RUN("verb-diff", interrupted, grown, same_load, other_frequency, part_of_one, processes, functions, common_samples, as_perf, picture, equal_pictures, shapes,
         picture_refused, refused);
