/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view sched, end to end, of a recording whose times can be added up by hand. Thread 7, "web", sleeps from 1000 to 1100,
 * when 9 wakes it, and comes at 1300; it is preempted by 8 from 1800 to 3000, and exits at 3600. */

#include "made-switches.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define VIEW "ASAN_OPTIONS=detect_leaks=0 " VIEWER " "

static char *made(const char *waking) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char *path = test_path("sched.data");
        const MadeSwitch all[] = {
                { 900, 1, 0, 9, 0, {}, NULL },    { 1000, 0, 7, 0, 1, {}, NULL },   { 1100, 1, 9, 7, 0, {}, "web" },
                { 1300, 0, 0, 7, 0, {}, NULL },   { 1800, 0, 7, 8, 0, {}, NULL },   { 3000, 0, 8, 7, 2, {}, NULL },
                { 3600, 0, 7, 0, 0x10, {}, NULL },
        };

        made_switches(&b, all, ELEMENTSOF(all));
        made_sched_recording(path, &b, waking, NULL);
        return path;
}

static void expect(const char *words, const char *expected) {
        _cleanup_free_ char *path = made("sched:sched_waking"), *text = test_command(VIEW "sched %s -i %s 2>&1; echo $?", words, path);

        ck_assert_str_eq(text, expected);
}

#define HEAD "           time    cpu  task name                       wait time  sch delay   run time\n" \
             "                        [tid/pid]                          (msec)     (msec)     (msec)\n" \
             "--------------- ------  ------------------------------  ---------  ---------  ---------\n"

START_TEST(timehist) {
        expect("timehist", HEAD
               "       0.000900 [0001]  <idle>                                  -          -          - \n"
               "       0.001000 [0000]  :7[7]                                   -          -          - \n"
               "       0.001300 [0000]  <idle>                                  -      0.000      0.300 \n"
               "       0.001800 [0000]  web[7]                              0.300      0.200      0.500 \n"
               "       0.003000 [0000]  :8[8]                                   -          -      1.200 \n"
               "       0.003600 [0000]  web[7]                              1.200      1.200      0.600 \n0\n");
        expect("timehist --tid 7 --time 0.0014,0.0034", HEAD
               "       0.001800 [0000]  web[7]                              0.300      0.200      0.400 \n"
               "       0.003400 [0000]  web[7]                              1.200      1.200      0.400 \n0\n");
        expect("timehist --json --tid 7 --wakeups",
               "{\"event\":\"switch\",\"timestamp\":1000000,\"cpu\":0,\"comm\":\":7\",\"tid\":7,\"pid\":7,\"state\":\"S\","
               "\"next\":{\"comm\":\"swapper\",\"tid\":0}}\n"
               "{\"event\":\"waking\",\"timestamp\":1100000,\"cpu\":1,\"comm\":\":9\",\"tid\":9,\"pid\":9,"
               "\"woken\":{\"comm\":\"web\",\"tid\":7,\"pid\":7}}\n"
               "{\"event\":\"switch\",\"timestamp\":1800000,\"cpu\":0,\"comm\":\"web\",\"tid\":7,\"pid\":7,\"wait_nsec\":300000,"
               "\"delay_nsec\":200000,\"run_nsec\":500000,\"state\":\"R\",\"next\":{\"comm\":\":8\",\"tid\":8}}\n"
               "{\"event\":\"switch\",\"timestamp\":3600000,\"cpu\":0,\"comm\":\"web\",\"tid\":7,\"pid\":7,\"wait_nsec\":1200000,"
               "\"delay_nsec\":1200000,\"run_nsec\":600000,\"state\":\"X\",\"next\":{\"comm\":\"swapper\",\"tid\":0}}\n0\n");
}
END_TEST

START_TEST(sums) {
        expect("timehist --summary --json --tid 7",
               "{\"comm\":\"web\",\"tid\":7,\"pid\":7,\"runs\":3,\"run_nsec\":1100000,\"min_nsec\":0,\"avg_nsec\":366666,"
               "\"max_nsec\":600000,\"sleep_nsec\":300000,\"uninterruptible_nsec\":0,\"preempted_nsec\":1200000,"
               "\"delay_nsec\":1400000,\"migrations\":0}\n0\n");
}
END_TEST

START_TEST(latency) {
        expect("latency --json --by thread --tid 7",
               "{\"rows\":[{\"thread\":\"web:7\",\"tid\":7,\"threads\":1,\"runtime_nsec\":1100000,\"count\":2,\"unknown\":0,"
               "\"avg_nsec\":700000,\"p50_nsec\":200000,\"p95_nsec\":1200000,\"p99_nsec\":1200000,\"max_nsec\":1200000,"
               "\"max_since\":1800000,\"max_until\":3000000,\"histogram\":[{\"from_nsec\":131072,\"count\":1},"
               "{\"from_nsec\":1048576,\"count\":1}]}],\"runtime_nsec\":1100000,\"count\":2,\"unknown\":0}\n0\n");
}
END_TEST

START_TEST(map) {
        expect("map", "  *A0       0.000900 secs A0 => :9:9\n"
               "   A0 *.        0.001000 secs .  => swapper:0\n"
               "   A0 *B0       0.001300 secs B0 => web:7\n"
               "   A0 *C0       0.001800 secs C0 => :8:8\n"
               "   A0 *B0       0.003000 secs \n"
               "   A0 *.        0.003600 secs \n0\n");
}
END_TEST

START_TEST(blame) {
        expect("blame --json --limit 1",
               "{\"longer_than_nsec\":1000000,\"count\":2,\"long\":1,\"long_nsec\":1200000,\"unknown\":2,\"waits\":["
               "{\"timestamp\":3000000,\"cpu\":0,\"wait_nsec\":1200000,\"waited\":\"web[7]\",\"ran\":[{\"task\":\":8[8]\","
               "\"nsec\":1200000}],\"others_nsec\":0}],\"instead\":[{\"waited\":\"web:7\",\"ran\":\":8:8\",\"count\":1,"
               "\"nsec\":1200000,\"max_nsec\":1200000}],\"wakers\":[{\"waker\":\":9:9\",\"waited\":\"web:7\",\"count\":1,"
               "\"nsec\":200000,\"max_nsec\":200000}]}\n0\n");
}
END_TEST

/* Thread 7 waits twice for a mutex, first while it spins, and 8 once for a semaphore of readers; an end without a begin, and a begin
 * without an end, are no waits. */
START_TEST(locks) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("locks.data"), *text = NULL, *table = NULL;
        const MadeLock all[] = {
                { 100, 9, 0x30, 0, true },      { 1000, 7, 0x10, 0x21, false }, { 1200, 7, 0x10, 0x20, false },
                { 1300, 8, 0x20, 0x2, false },  { 1500, 7, 0x10, 0, true },     { 2000, 7, 0x10, 0x20, false },
                { 2100, 7, 0x10, 0, true },     { 2300, 8, 0x20, 0, true },     { 3000, 8, 0x10, 0x20, false },
        };

        for (size_t i = 0; i < ELEMENTSOF(all); i++)
                made_lock(&b, all + i);
        made_lock_recording(path, &b);
        text = test_command(VIEW "lock contention --json -l -i %s 2>&1; echo $?", path);
        ck_assert_str_eq(text, "{\"rows\":[{\"lock\":\"0x0000000000000020\",\"type\":\"rwsem:R\",\"contended\":1,"
                         "\"wait_total_nsec\":1000000,\"wait_max_nsec\":1000000,\"wait_min_nsec\":1000000,\"avg_wait_nsec\":1000000},"
                         "{\"lock\":\"0x0000000000000010\",\"type\":\"mutex\",\"contended\":2,\"wait_total_nsec\":600000,"
                         "\"wait_max_nsec\":500000,\"wait_min_nsec\":100000,\"avg_wait_nsec\":300000}],\"unknown\":1}\n0\n");
        table = test_command(VIEW "lock contention -t --key contended -i %s 2>&1; echo $?", path);
        ck_assert_str_eq(table, " contended   total wait     max wait     avg wait   thread\n\n"
                         "         2    600.00 us    500.00 us    300.00 us  :7:7\n"
                         "         1      1.00 ms      1.00 ms      1.00 ms  :8:8\n"
                         "\nWaits whose length is not known, since they began before the first record or records were lost: 1\n0\n");
}
END_TEST

/* The idle CPU 0 pauses; 7 goes on when it was preempted, 8's last sleep has no end. The CPU time is 2.5 ms. */
START_TEST(replay) {
        _cleanup_free_ char *path = made("sched:sched_waking"), *plan = NULL, *rounds = NULL;

        plan = test_command(VIEW "sched replay -r 2 -i %s | grep -E '^(nr|run atoms|target|multi|task)'", path);
        ck_assert_str_eq(plan,
                         "nr_run_events:        3\nnr_sleep_events:      3\nnr_wakeup_events:     1\nrun atoms optimized:  1\n"
                         "task      0 (                  :9:         9), nr_events: 2\n"
                         "task      1 (                 web:         7), nr_events: 2\n"
                         "task      2 (             swapper:         0), nr_events: 1\n"
                         "task      3 (                  :8:         8), nr_events: 2\n");
        rounds = test_command(VIEW "sched replay -r 3 -i %s | sed -nE 's/^#[1-3]  : [0-9.]+, ravg: [0-9.]+, cpu: "
                              "(2[.][3-9]|[3-9][.]|[1-9][0-9]+[.])[0-9]* .*/round/p'", path);
        ck_assert_str_eq(rounds, "round\nround\nround\n");
}
END_TEST

/* A thread that is woken by one that waits for it would wait for ever, and so would one that wakes itself. */
START_TEST(replay_ends) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("sched.data"), *text = NULL;
        const MadeSwitch all[] = {
                { 1000, 0, 7, 8, 1, {}, NULL }, { 1010, 0, 7, 7, 0, {}, "self" }, { 1020, 0, 8, 7, 0, {}, "a" },
                { 1030, 0, 8, 7, 1, {}, NULL }, { 1040, 0, 7, 8, 0, {}, "b" },    { 1050, 0, 7, 8, 0, {}, "b" },
                { 1060, 0, 7, 8, 1, {}, NULL }, { 1070, 0, 8, 7, 0, {}, "a" },    { 1080, 1, 3, 9, 0, {}, "new" },
        };

        made_switches(&b, all, ELEMENTSOF(all));
        made_sched_recording(path, &b, "sched:sched_waking", NULL);
        text = test_command("timeout 60 env " VIEW "sched replay -r 50 -i %s | tail -n 1 | cut -c 1-5", path);
        ck_assert_str_eq(text, "#50 :\n");
}
END_TEST

START_TEST(replay_of_many) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("sched.data"), *text = NULL;

        for (uint32_t i = 0; i < 4097; i++)
                made_switches(&b, &(const MadeSwitch) { 1000 + i, 0, 100 + i, 101 + i, 1, {}, NULL }, 1);
        made_sched_recording(path, &b, NULL, NULL);
        text = test_command(VIEW "sched replay -i %s 2>&1 | sed 's,.*/,,'", path);
        ck_assert_str_eq(text, "sched.data has 4097 threads that did something: more than the 4096 that are made at most\n");
}
END_TEST

static char *shown(const RecordBuffer *b, const char *words) {
        _cleanup_free_ char *path = test_path("sched.data");

        made_sched_recording(path, b, "sched:sched_waking", NULL);
        return test_command(VIEW "sched %s -i %s 2>&1 | sed 's,[^ ]*/sched.data,FILE,'", words, path);
}

/* Records are lost on CPU 0 at 1400, while 7 runs and 8 waits: since when 7 had run is not known, and 8's wait is not counted. */
START_TEST(losses) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const MadeSwitch before[] = { { 1000, 0, 0, 8, 0, {}, NULL }, { 1200, 0, 8, 7, 0, {}, NULL } };
        const MadeSwitch after[] = { { 1800, 0, 7, 8, 1, {}, NULL }, { 2000, 0, 8, 0, 1, {}, NULL } };
        char *text;

        made_switches(&b, before, ELEMENTSOF(before));
        made_loss(&b, 0, 1400);
        made_switches(&b, after, ELEMENTSOF(after));
        text = shown(&b, "timehist");
        ck_assert_str_eq(text, "FILE: 5 records were lost\n" HEAD
                         "       0.001000 [0000]  <idle>                                  -          -          - \n"
                         "       0.001200 [0000]  :8[8]                                   -          -      0.200 \n"
                         "       0.001400 lost 5 events on cpu 0\n"
                         "       0.001800 [0000]  :7[7]                                   -          -          - \n"
                         "       0.002000 [0000]  :8[8]                               0.600          -      0.200 \n");
        free(text);
        text = shown(&b, "latency --json --by thread");
        ck_assert_str_eq(text, "FILE: 5 records were lost\n"
                         "{\"rows\":[{\"thread\":\":8:8\",\"tid\":8,\"threads\":1,\"runtime_nsec\":400000,\"count\":0,\"unknown\":2,"
                         "\"histogram\":[]},{\"thread\":\":7:7\",\"tid\":7,\"threads\":1,\"runtime_nsec\":0,\"count\":0,\"unknown\":1,"
                         "\"histogram\":[]}],\"runtime_nsec\":400000,\"count\":0,\"unknown\":3}\n");
        free(text);
}
END_TEST

/* A round that comes too late: a time is never negative. */
START_TEST(backwards) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const MadeSwitch first[] = { { 5000, 0, 0, 7, 0, {}, NULL }, { 6000, 0, 7, 8, 0, {}, NULL } };
        const MadeSwitch late[] = { { 1000, 0, 8, 7, 0, {}, NULL }, { 2000, 0, 7, 0, 1, {}, NULL } };
        char *text;

        made_switches(&b, first, ELEMENTSOF(first));
        for (int i = 0; i < 2; i++)
                ck_assert_ok(record_put_finished_round(&b));
        made_switches(&b, late, ELEMENTSOF(late));
        text = shown(&b, "timehist");
        ck_assert_str_eq(text, HEAD
                         "       0.005000 [0000]  <idle>                                  -          -          - \n"
                         "       0.006000 [0000]  :7[7]                                   -          -      1.000 \n"
                         "       0.001000 [0000]  :8[8]                                   -          -          - \n"
                         "       0.002000 [0000]  :7[7]                                   -          -      1.000 \n");
        free(text);
        text = shown(&b, "latency --json --by thread");
        ck_assert_str_eq(text, "{\"rows\":[{\"thread\":\":7:7\",\"tid\":7,\"threads\":1,\"runtime_nsec\":2000000,\"count\":0,\"unknown\":2,"
                         "\"histogram\":[]},{\"thread\":\":8:8\",\"tid\":8,\"threads\":1,\"runtime_nsec\":0,\"count\":0,\"unknown\":1,"
                         "\"histogram\":[]}],\"runtime_nsec\":2000000,\"count\":0,\"unknown\":3}\n");
        free(text);
}
END_TEST

START_TEST(refused) {
        _cleanup_free_ char *golden = test_golden("perf-6.1-compressed.data"), *none = NULL;

        expect("", "There is no 'sched -i'; it is one of timehist latency map blame replay\n1\n");
        expect("blame --by cpu", "--by: not one of thread, process, comm, unit: CPUs do not wait: 'cpu'\n1\n");
        expect("latency --sort length", "--sort: not a value of this option: 'length'\n1\n");
        none = test_command(VIEW "sched map -i %s 2>&1 | sed 's,.*/,,'", golden);
        ck_assert_str_eq(none, "perf-6.1-compressed.data has no samples of sched:sched_switch: 'perfctl sched record' records what is "
                         "needed, and so does the session 'sched'\n");
}
END_TEST

TEST_RUN("verb-sched", timehist, sums, latency, map, blame, locks, losses, backwards, replay, replay_ends, replay_of_many, refused);
