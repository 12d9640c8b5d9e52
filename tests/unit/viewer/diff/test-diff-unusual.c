/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view diff --trigger, end to end. */

#include <sys/xattr.h>

#include <perf-recorder/dump-facts.h>

#include "made-incident.h"
#include "parse-time.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define VIEW "cd %s; ASAN_OPTIONS=detect_leaks=0 " VIEWER " diff "

static const MadeLoad loads[] = {
        { 7, "web", "web.service", 0, 0.2, 0.2 }, { 8, "db", "db.service", 1, 0.1, 0.1 },
        { 9, "gzip", "backup.service", 2, 0.002, 0.3 },
};

static void make(const char *name, const MadeLoad *some, size_t n, uint64_t begin, unsigned seconds, unsigned after, unsigned seed) {
        const MadeIncident incident = {
                .loads = some, .n = n, .seconds = seconds, .incident = 10, .after = after, .begin = begin,
        };
        _cleanup_free_ char *path = test_path(name);

        (void) made_incident(path, &incident, &seed);
}

static char *shown(const char *words) {
        return test_command(VIEW "%s 2>&1; echo $?", test_directory(), words);
}

static void expect_shown(const char *words, const char *part) {
        _cleanup_free_ char *text = shown(words);

        ck_assert_msg(text && strstr(text, part), "%s: no %s in %s", words, part, text);
}

/* It is said first, and the table has the same number of samples. What is behind the trigger counts nowhere. */
START_TEST(incident) {
        _cleanup_free_ char *text = NULL;

        make("job.data", loads, ELEMENTSOF(loads), 0, 60, 5, 1);
        text = shown("--trigger -i job.data");
        ck_assert_msg(startswith(text, "# Unusual: backup.service took 28.9 % of the CPU time, usually 0.1 %; "
                                       "nearly all of it gzip in code of f2.so\n#\n"
                                       "# Baseline: job.data, more than 10s before the trigger: 5000 samples in 50.000 s\n"
                                       "# Compared: job.data, 10s before the trigger: 1001 samples in 10.000 s\n"), "%s", text);
        expect_shown("--trigger -i job.data -s unit --json",
                     "\"unusual\":[{\"text\":\"backup.service took 28.9 % of the CPU time, usually 0.1 %; nearly all of it gzip in "
                     "code of f2.so\",\"changed\":\"unit\",\"unit\":\"backup.service\",\"comm\":\"gzip\",\"dso\":\"f2.so\","
                     "\"baseline\":{\"samples\":5,\"percent\":0.100000},\"compared\":{\"samples\":289,\"percent\":28.871129},");
        expect_shown("--trigger -i job.data -s unit --json", "{\"unit\":\"backup.service\",\"baseline\":{\"samples\":5,");
        expect_shown("--trigger=5s -i job.data", "job.data, more than 5s before the trigger: 5500 samples in 55.000 s\n");
        expect_shown("--trigger -i job.data -s unit", " N/A\n"); /* the idle time */
        expect_shown("--trigger -i job.data -s unit --json", "{\"baseline\":{\"samples\":"); /* which has no unit there */
        expect_shown("--trigger -q -i job.data -s unit --fail-above=20", "backup.service: grew by 28.");
        expect_shown("--trigger -q -i job.data -s unit --fail-above=20", " backup.service\n"); /* and the table */
        free(steal_ptr(text));
        text = shown("--trigger --summary -q -i job.data");
        ck_assert_str_eq(text, "backup.service took 28.9 % of the CPU time, usually 0.1 %; nearly all of it gzip in code of f2.so\n0\n");
        free(steal_ptr(text));
        text = shown("--trigger --summary -i job.data -s unit --fail-above=20");
        ck_assert_msg(strstr(text, "is more than 20 %\nbackup.service took ") && strstr(text, "f2.so\n1\n"), "%s", text);
        expect_shown("--trigger --summary -i job.data -u web", "nothing took more or less than it usually does: 1001 samples in 10.0 s, "
                     "compared with 5000 in 50.0 s\n0\n");
        expect_shown("--trigger -i job.data -u web,db", "# Unusual: nothing took more or less than it usually does: 1001 samples in "
                                                        "10.0 s, compared with 5000 in 50.0 s\n#\n");
}
END_TEST

/* As a picture it is the time before the trigger, coloured by what is earlier. */
START_TEST(incident_picture) {
        _cleanup_free_ char *text = NULL;

        make("job.data", loads, ELEMENTSOF(loads), 0, 60, 5, 1);
        expect_shown("--trigger -i job.data -o job.svg", "0\n");
        text = test_command("cd %s; grep -o '<title>gzip [^<]*' job.svg; sed 's/<[^>]*>//g' job.svg | grep -A2 '^baseline' | "
                            "tr '\\n' ' '", test_directory());
        ck_assert_msg(startswith(text, "<title>gzip (289 samples, 28.90% of all, was 0.10%: +28.80%, changed)\n"), "%s", text);
        ck_assert_msg(strstr(text, " 69.8 % idle, only more than 10s before the trigger, 50.000 s") &&
                      strstr(text, " 41.4 % idle, only 10s before the trigger, 10.000 s"), "%s", text);
        expect_shown("--trigger --summary -i job.data -o job.svg", "--output draws a picture: leave out --summary\n1\n");
}
END_TEST

START_TEST(short_recording) {
        make("short.data", loads, ELEMENTSOF(loads), 0, 24, 0, 2);
        expect_shown("--trigger -i short.data", "# Compared: short.data, 6s before the trigger: ");
        make("shorter.data", loads, 2, 0, 3, 0, 3);
        expect_shown("--trigger -i shorter.data", "# Compared: shorter.data, 700ms before the trigger: ");
}
END_TEST

/* A later dump of a series has too little from before its trigger for "nothing", and an earlier one that has no time before its own
 * incident is no measure. */
START_TEST(little) {
        _cleanup_free_ char *text = NULL;

        make("little.data", loads, 2, 300 * NSEC_PER_SEC, 1, 0, 8);
        text = shown("--trigger --summary -i little.data");
        ck_assert_str_eq(text, "too little before the trigger to compare (1.0 s, 100 samples); --baseline compares with earlier dumps\n"
                               "0\n");
        expect_shown("--trigger --json -i little.data", "\"unusual\":[],\"unusual_too_little\":\"too little before ");
        make("one.data", loads, ELEMENTSOF(loads), 100 * NSEC_PER_SEC, 60, 0, 5);
        expect_shown("--trigger -i little.data -i one.data", "# Unusual: nothing took more or less than it usually does: 20 samples in ");
        make("now.data", loads, ELEMENTSOF(loads), 1000 * NSEC_PER_SEC, 60, 0, 4);
        expect_shown("--trigger -i now.data -i little.data -i one.data --baseline=2", "little.data is left out of the baseline: nothing "
                     "in it is more than 10s before its own trigger\n# Unusual: backup.service took ");
        expect_shown("--trigger -i now.data -i little.data -i one.data --baseline=2", "# Baseline: one.data, more than 10s before");
        free(steal_ptr(text));
        text = shown("--trigger -i now.data -i little.data --baseline=1");
        ck_assert_str_eq(text, "little.data is left out of the baseline: nothing in it is more than 10s before its own trigger\nNo earlier "
                               "dump is left to compare with: --trigger with a shorter SPAN leaves more of them, or --baseline takes a "
                               "greater number\n1\n");
}
END_TEST

/* A load that fills the recording is unusual against earlier dumps only, without what was before their own triggers, and what they
 * have in common counts once. */
START_TEST(earlier_dumps) {
        static const MadeLoad always[] = {
                { 7, "web", "web.service", 0, 0.2, 0.2 }, { 9, "gzip", "backup.service", 2, 0.3, 0.3 },
        };

        make("now.data", always, ELEMENTSOF(always), 1000 * NSEC_PER_SEC, 60, 0, 4);
        make("one.data", loads, ELEMENTSOF(loads), 100 * NSEC_PER_SEC, 60, 0, 5);
        make("two.data", loads, ELEMENTSOF(loads), 130 * NSEC_PER_SEC, 60, 0, 6);
        expect_shown("--trigger -i now.data", "# Unusual: nothing took ");
        expect_shown("--trigger -i now.data -i one.data", "# Unusual: backup.service took ");
        expect_shown("--trigger -i now.data -i one.data --baseline=1", "# Baseline: one.data, more than 10s before the trigger: 5000 "
                     "samples in 50.000 s\n");
        expect_shown("--trigger -i now.data -i one.data -i two.data", "# Baseline: 2 recordings, more than 10s before the trigger: 7000 "
                     "samples in 70.0");
        make("overlap.data", loads, ELEMENTSOF(loads), 1020 * NSEC_PER_SEC, 60, 0, 7);
        expect_shown("--trigger -i now.data -i overlap.data", "# Baseline: overlap.data, more than 10s before the trigger: 3999 samples "
                     "in 40.000 s\n");
}
END_TEST

START_TEST(refused) {
        static const struct {
                const char *words, *expected;
        } cases[] = {
                { "--trigger -i job.data --last 5s", "--trigger=SPAN says which part is compared: --time, --last, --before-trigger and "
                  "--around-trigger can't\n1\n" },
                { "--trigger -i job.data --baseline=1", "--baseline: no earlier recording is named\n1\n" },
                { "--trigger -i job.data --baseline=0", "--baseline: not a number of dumps: '0'\n1\n" },
                { "-i job.data -i job.data --summary", "--summary is for --trigger\n1\n" },
                { "-i job.data -i job.data --baseline=1", "--baseline is for --trigger\n1\n" },
                { "--trigger=soon -i job.data", "--trigger: not a time span as '10s': 'soon'\n1\n" },
                { "--trigger=2min -i job.data", "job.data, what is selected, takes no time: it can't be compared\n1\n" },
                { "--trigger -i plain.data", "plain.data does not say when it was triggered, as the files of dumps do: --since and "
                  "--until take a time\n1\n" },
        };
        _cleanup_free_ char *plain = test_path("plain.data");

        make("job.data", loads, ELEMENTSOF(loads), 0, 60, 0, 1);
        make("plain.data", loads, ELEMENTSOF(loads), 0, 60, 0, 1);
        ck_assert_int_eq(removexattr(plain, PR_DUMP_XATTR_TIMESTAMP), 0);
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *text = shown(cases[i].words);

                ck_assert_str_eq(text, cases[i].expected);
        }
}
END_TEST

TEST_RUN("diff-unusual", incident, incident_picture, short_recording, little, earlier_dumps, refused);
