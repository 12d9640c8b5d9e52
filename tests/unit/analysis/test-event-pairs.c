/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Times are microseconds. */

#include "event-pairs.h"

#include "made-switches.h"
#include "record-layout.h"
#include "strv.h"
#include "text-buffer.h"

#define LOCK_RULE(keys_of_it) { .n = 2, .n_keys = 1, .sides = {                                          \
                { PAIR_BEGINS, "lock:contention_begin", { keys_of_it } }, { PAIR_ENDS, "lock:contention_end", { keys_of_it } }, \
        } }

static PerfDataReader *open_recording(const char *path) {
        PerfDataReader *reader;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        return reader;
}

/* Adds the pairs of a recording. Returns the table of their rows. */
static SampleTable *take_recording(EventPairs *p, PerfDataReader *reader) {
        SampleTable *t;
        Replay *replay;
        Moment m;

        ck_assert_ok(sample_table_new(&(SampleTablePlan) { .dimensions = SAMPLE_BY_THREAD }, &t));
        ck_assert_ok(event_pairs_begin_recording(p, reader));
        ck_assert_ok(sample_table_begin(t, reader, &(SampleReading) { .records = EVENT_PAIRS_RECORDS, .fields = EVENT_PAIRS_FIELDS,
                                                                      .all = true }, &replay));
        while (replay_next(replay, &m) == 1) {
                uint32_t row = SAMPLE_NO_ROW;

                if (moment_is_sample(&m))
                        ck_assert_ok(sample_table_count(t, &m, NULL, &row));
                ck_assert_ok(event_pairs_take(p, &m, row));
        }
        (void) sample_table_end(t);
        return t;
}

/* "BEGIN+LATENCY" of each pair, with the thread of the sample that begins, if there is a table. */
static void expect_pairs(EventPairs *p, const SampleTable *t, const char *expected) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        size_t n;

        ck_assert_ok(event_pairs_finish(p));
        for (const EventPair *pair = p->pairs; pair < p->pairs + p->n; pair++) {
                text_buffer_format(&out, "%s%ju+%ju", out.n > 0 ? " " : "", (uintmax_t) (pair->begin / 1000),
                                   (uintmax_t) ((pair->end - pair->begin) / 1000));
                if (t)
                        text_buffer_format(&out, "@%u", sample_table_view(t)->threads[sample_table_rows(t, &n)[pair->row].thread].tid);
        }
        text_buffer_putc(&out, '\0');
        ck_assert_str_eq(out.data, expected);
        ck_assert_uint_eq(p->totals.pairs, p->n);
}

static void put_locks(RecordBuffer *b, const MadeLock *l, size_t n) {
        for (; n > 0; n--, l++)
                made_lock(b, l);
}

#define PUT_LOCKS(b, ...) put_locks(b, (const MadeLock[]) { __VA_ARGS__ }, sizeof((const MadeLock[]) { __VA_ARGS__ }) / sizeof(MadeLock))

/* Two threads wait for two locks: what belongs together is what has the same key. */
START_TEST(keys) {
        static const PairRule by_lock = LOCK_RULE("lock_addr"), by_thread = LOCK_RULE(PAIR_KEY_TID), by_field = LOCK_RULE("common_pid");
        static const PairRule usual = { .n = 2, .sides = { { PAIR_BEGINS, "lock:contention_begin" }, { PAIR_ENDS, "lock:contention_end" } } };
        const PairRule *const rules[] = { &by_lock, &by_thread, &by_field, &usual };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("locks.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;

        PUT_LOCKS(&b, { 1000, 7, 0xa, 0, false }, { 1010, 8, 0xb, 0, false }, { 1040, 8, 0xa, 0, true }, { 1100, 7, 0xb, 0, true },
                  { 1200, 9, 0xc, 0, true }, { 1300, 7, 0xd, 0, false });
        made_lock_recording(path, &b);
        reader = open_recording(path);
        for (size_t i = 0; i < ELEMENTSOF(rules); i++) {
                _cleanup_(event_pairs_done) EventPairs p = { .rule = rules[i] };
                _cleanup_sample_table_free_ SampleTable *t = take_recording(&p, reader);

                expect_pairs(&p, t, i == 0 ? "1000+40@7 1010+90@8" : "1010+30@8 1000+100@7");
                ck_assert(p.totals.begins == 3 && p.totals.ends == 3 && p.totals.open == 1 && p.totals.lone_ends == 1);
                ck_assert(p.totals.replaced == 0 && p.totals.unreadable == 0 && p.totals.unselected == 0);
        }
}
END_TEST

/* Several fields, and the CPU, which is always 0. */
START_TEST(several_keys) {
        PairRule rule = LOCK_RULE("lock_addr");
        _cleanup_(event_pairs_done) EventPairs p = { .rule = &rule };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("locks.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_sample_table_free_ SampleTable *t = NULL;

        rule.n_keys = 3;
        for (size_t side = 0; side < 2; side++) {
                rule.sides[side].keys[1] = PAIR_KEY_TID;
                rule.sides[side].keys[2] = PAIR_KEY_CPU;
        }
        PUT_LOCKS(&b, { 1000, 7, 0xa, 0, false }, { 1010, 8, 0xa, 0, false }, { 1020, 7, 0xb, 0, true }, { 1030, 7, 0xa, 0, true },
                  { 1040, 8, 0xa, 0, true });
        made_lock_recording(path, &b);
        reader = open_recording(path);
        t = take_recording(&p, reader);
        expect_pairs(&p, t, "1000+30@7 1010+30@8");
        ck_assert_uint_eq(p.totals.lone_ends, 1);
}
END_TEST

typedef struct Made {
        uint64_t usec;
        uint32_t tid, cpu, row;
        bool ends;
} Made;

/* Moments of a recording of locks, which pair by their threads. */
static void put_moments(EventPairs *p, const Made *made, size_t n) {
        const struct perf_event_header record = { .type = PERF_RECORD_SAMPLE, .size = sizeof(record) };
        const PerfDataEvent event = { .attr.sample_type = PERF_SAMPLE_CPU };

        for (; n > 0; n--, made++) {
                const PerfSample sample = { .tid = made->tid, .cpu = made->cpu };

                ck_assert_ok(event_pairs_take(p, &(Moment) { .record = &record, .time = made->usec * 1000, .event = &event,
                                                             .number = made->ends, .sample = &sample }, made->row));
        }
}

static void put_loss(EventPairs *p, uint32_t cpu, uint64_t usec) {
        const PerfRecordLost lost = { .header = { .type = PERF_RECORD_LOST, .size = sizeof(lost) }, .lost = 1 };

        ck_assert_ok(event_pairs_take(p, &(Moment) { .record = &lost.header, .sample = &(PerfSample) { .time = usec * 1000, .cpu = cpu } },
                                      SAMPLE_NO_ROW));
}

#define PUT(p, ...) put_moments(p, (const Made[]) { __VA_ARGS__ }, sizeof((const Made[]) { __VA_ARGS__ }) / sizeof(Made))

static const PairRule by_tid = LOCK_RULE(PAIR_KEY_TID);

static void begin_made(EventPairs *p) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("made.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;

        made_lock(&b, &(MadeLock) { 1000, 7, 0xa, 0, false });
        made_lock_recording(path, &b);
        reader = open_recording(path);
        ck_assert_ok(event_pairs_begin_recording(p, reader));
}

/* A file has the samples of CPU 1 after those of CPU 0. */
START_TEST(order_of_time) {
        _cleanup_(event_pairs_done) EventPairs p = { .rule = &by_tid };

        begin_made(&p);
        PUT(&p, { 1000, 7, 0, 1, false }, { 3000, 7, 0, 1, false }, { 4000, 8, 0, 1, true }, { 2000, 7, 1, 1, true }, { 3500, 8, 1, 1, false },
            { 5000, 7, 1, 1, true });
        expect_pairs(&p, NULL, "1000+1000 3500+500 3000+2000");
        begin_made(&p); /* another recording ends nothing of this one */
        PUT(&p, { 6000, 7, 0, 1, false });
        begin_made(&p);
        PUT(&p, { 7000, 7, 0, 1, true });
        expect_pairs(&p, NULL, "1000+1000 3500+500 3000+2000");
        ck_assert(p.totals.open == 1 && p.totals.lone_ends == 1);
}
END_TEST

START_TEST(begun_again) {
        _cleanup_(event_pairs_done) EventPairs p = { .rule = &by_tid };

        begin_made(&p);
        PUT(&p, { 1000, 7, 0, 1, false }, { 1500, 7, 0, 1, false }, { 1600, 7, 0, 1, true }, { 1700, 7, 0, 1, true }, { 0, 7, 0, 1, true });
        expect_pairs(&p, NULL, "1500+100");
        ck_assert(p.totals.replaced == 1 && p.totals.lone_ends == 1 && p.totals.unreadable == 1);
}
END_TEST

/* The sample that begins decides whether the pair is selected. */
START_TEST(selection) {
        _cleanup_(event_pairs_done) EventPairs p = { .rule = &by_tid };

        begin_made(&p);
        PUT(&p, { 1000, 7, 0, 5, false }, { 1100, 8, 0, SAMPLE_NO_ROW, false }, { 1200, 7, 0, SAMPLE_NO_ROW, true }, { 1300, 8, 0, 5, true });
        expect_pairs(&p, NULL, "1000+200");
        ck_assert_uint_eq(p.pairs->row, 5);
        ck_assert_uint_eq(p.totals.unselected, 1);
}
END_TEST

/* CPU 1 lost records from 1200 to 1400. */
START_TEST(lost_records) {
        _cleanup_(event_pairs_done) EventPairs p = { .rule = &by_tid };

        begin_made(&p);
        put_loss(&p, 1, 1400);
        PUT(&p, { 1000, 7, 0, 1, false }, { 1300, 7, 0, 1, true }, { 1050, 8, 1, 1, false }, { 1200, 8, 1, 1, true },
            { 1100, 9, 0, 1, false }, { 1500, 9, 0, 1, true }, { 1400, 8, 1, 1, false }, { 1450, 8, 1, 1, true });
        expect_pairs(&p, NULL, "1050+150 1400+50");
        ck_assert_uint_eq(p.totals.doubtful, 2);
}
END_TEST

/* Only so many are remembered: those that began first go, also if one of them ended or began again in the meantime. */
START_TEST(too_many_open) {
        _cleanup_(event_pairs_done) EventPairs p = { .rule = &by_tid, .max_open = 3 };

        begin_made(&p);
        PUT(&p, { 1000, 1, 0, 1, false }, { 1001, 2, 0, 1, false }, { 1002, 3, 0, 1, false }, { 1003, 1, 0, 1, false }, /* again */
            { 1004, 4, 0, 1, false }, /* 2 goes */ { 1010, 3, 0, 1, true }, { 1011, 5, 0, 1, false }, { 1012, 6, 0, 1, false }, /* 1 goes */
            { 1020, 1, 0, 1, true }, { 1021, 2, 0, 1, true }, { 1022, 4, 0, 1, true }, { 1023, 5, 0, 1, true }, { 1024, 6, 0, 1, true });
        expect_pairs(&p, NULL, "1002+8 1004+18 1011+12 1012+12");
        ck_assert(p.totals.crowded == 2 && p.totals.replaced == 1 && p.totals.lone_ends == 2 && p.totals.open == 0);
}
END_TEST

#define PUT_SWITCHES(b, ...) \
        made_switches(b, (const MadeSwitch[]) { __VA_ARGS__ }, sizeof((const MadeSwitch[]) { __VA_ARGS__ }) / sizeof(MadeSwitch))

static void expect_sched(const char *waking, const PairRule *rule, const char *expected) {
        _cleanup_(event_pairs_done) EventPairs p = { .rule = rule };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("sched.data"), *why = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_sample_table_free_ SampleTable *t = NULL;

        /* 9 wakes 7, which gets CPU 0; it is woken while it runs, is preempted and comes back; it is woken again */
        PUT_SWITCHES(&b, { 1000, 0, 7, 0, 1, {}, NULL }, { 1100, 1, 9, 7, 0, {}, "web" }, { 1300, 0, 0, 7, 0, {}, NULL },
                     { 1350, 1, 9, 7, 0, {}, "web" }, { 1400, 0, 7, 8, 0, {}, NULL }, { 1500, 0, 8, 7, 1, {}, NULL },
                     { 1600, 0, 7, 0, 1, {}, NULL }, { 1700, 1, 9, 7, 0, {}, "web" }, { 1750, 0, 0, 7, 0, {}, NULL });
        made_sched_recording(path, &b, waking, NULL);
        reader = open_recording(path);
        ck_assert_int_eq(event_pairs_check(rule, reader, &why), 0);
        t = take_recording(&p, reader);
        expect_pairs(&p, t, expected);
}

START_TEST(sched) {
        static const PairRule asleep = { .n = 2, .n_keys = 1, .sides = {
                { PAIR_BEGINS, "sched:sched_switch", { "prev_pid" } }, { PAIR_ENDS, "sched:sched_switch", { "next_pid" } },
        } };
        static const PairRule by_name = { .n = 2, .n_keys = 1, .sides = {
                { PAIR_BEGINS, "sched:sched_waking", { "comm" } }, { PAIR_ENDS, "sched:sched_waking", { "comm" } },
        } };

        expect_sched("sched:sched_waking", pair_rule_find("sched"), "1100+200@9 1700+50@9");
        expect_sched("sched:sched_wakeup", pair_rule_find("sched"), "1100+200@9 1700+50@9");
        expect_sched("sched:sched_waking", &asleep, "1000+300@7 1400+100@7 1300+300@0 1600+150@7");
        expect_sched("sched:sched_waking", &by_name, "1100+250@9 1350+350@9"); /* a sample ends, and then begins */
}
END_TEST

static void every_tenth(struct perf_event_attr *attr) {
        attr->sample_period = 10;
}

static void expect_lack(const PairRule *rule, PerfDataReader *reader, const char *expected) {
        _cleanup_free_ char *why = NULL;

        ck_assert_int_eq(event_pairs_check(rule, reader, &why), -ENODATA);
        ck_assert_str_eq(why, expected);
}

START_TEST(lacks) {
        static const PairRule no_field = LOCK_RULE("lock");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *locks = test_path("locks.data"), *sched_path = test_path("sched.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *of_locks = NULL, *of_switches = NULL, *plain = NULL;
        _cleanup_free_ char *golden = test_golden("perf-6.1-plain.data");

        made_lock(&b, &(MadeLock) { 1000, 7, 0xa, 0, false });
        made_lock_recording(locks, &b);
        of_locks = open_recording(locks);
        expect_lack(&no_field, of_locks, "lock:contention_begin has no field 'lock'; it has lock_addr, flags");
        expect_lack(pair_rule_find("syscall"), of_locks,
                    "it has no event raw_syscalls:sys_enter; record it with -e raw_syscalls:sys_enter");
        record_buffer_done(&b);
        PUT_SWITCHES(&b, { 1000, 0, 7, 0, 1, {}, NULL });
        made_sched_recording(sched_path, &b, "sched:sched_waking", every_tenth);
        of_switches = open_recording(sched_path);
        expect_lack(pair_rule_find("sched"), of_switches,
                    "not each sched:sched_switch was recorded; record it with -c 1, in a session Period=1");
        plain = open_recording(golden);
        expect_lack(pair_rule_find("sched"), plain, "it has no event sched:sched_wakeup; record it with -e sched:sched_wakeup");
}
END_TEST

/* The pairs of a recording of perf's, made from what perf script prints of it. awk: the program, with begin[KEY] as a table. */
static void expect_as_perf(const char *path, const PairRule *rule, const char *awk) {
        _cleanup_(event_pairs_done) EventPairs p = { .rule = rule };
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = open_recording(path);
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        _cleanup_free_ char *why = NULL, *theirs = NULL;
        uint64_t sum = 0;
        uintmax_t n_theirs, sum_theirs;

        ck_assert_int_eq(event_pairs_check(rule, reader, &why), 0);
        t = take_recording(&p, reader);
        ck_assert_ok(event_pairs_finish(&p));
        if (p.totals.doubtful > 0) /* perf lost records here, and prints what the rest looks like */
                return;
        for (size_t i = 0; i < p.n; i++)
                sum += p.pairs[i].end - p.pairs[i].begin;
        theirs = test_command("perf script --ns -i %s -F tid,time,event,trace 2>/dev/null | awk '{ sub(/:$/, \"\", $2); t = $2 } %s END "
                              "{ printf \"%%d %%.0f\\n\", n, sum * 1e9 }'", path, awk);
        ck_assert(theirs);
        ck_assert_int_eq(sscanf(theirs, "%ju %ju", &n_theirs, &sum_theirs), 2);
        ck_assert_uint_eq(p.n, n_theirs);
        ck_assert_uint_gt(p.n, 0);
        ck_assert_msg(sum_theirs - sum + 2 * p.n < 4 * p.n, "%ju ns, not %ju", (uintmax_t) sum, sum_theirs); /* of doubles */
}

START_TEST(as_perf) {
        _cleanup_free_ char *golden = test_golden("sched/perf-6.1-sched.data"), *path = test_path("syscalls.data"), *made = NULL;

        if (!test_have_perf())
                return;
        expect_as_perf(golden, pair_rule_find("sched"),
                       "/sched_(waking|wakeup_new):/ { match($0, / pid=[0-9]+/); begin[substr($0, RSTART + 5, RLENGTH - 5)] = t } "
                       "/sched_switch:/ { match($0, /next_pid=[0-9]+/); k = substr($0, RSTART + 9, RLENGTH - 9); "
                       "if (k in begin) { n++; sum += t - begin[k]; delete begin[k] } "
                       "match($0, /prev_pid=[0-9]+/); delete begin[substr($0, RSTART + 9, RLENGTH - 9)] }");
        made = test_command("perf record -q -c 1 -o %s -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -- find /etc -maxdepth 2 "
                            ">/dev/null 2>&1; ls %s 2>/dev/null", path, path);
        if (made && *made)
                expect_as_perf(path, pair_rule_find("syscall"),
                               "/sys_enter:/ { begin[$1] = t } /sys_exit:/ && ($1 in begin) { n++; sum += t - begin[$1]; delete begin[$1] }");
        free(made);
        made = test_command("cd /var/tmp && perf record -q -a -c 1 -o %s -e block:block_rq_issue,block:block_rq_complete -- sh -c 'dd if=/dev/zero "
                            "of=event-pairs.$$ bs=64K count=64 oflag=direct; rm event-pairs.$$' >/dev/null 2>&1; perf script -i %s 2>/dev/null | "
                            "grep -m 1 block_rq_complete:", path, path);
        if (made && *made)
                expect_as_perf(path, pair_rule_find("block"),
                               "{ match($0, /[0-9]+ \\+ /); k = $4 \" \" substr($0, RSTART, RLENGTH) } /rq_issue:/ { begin[k] = t } "
                               "/rq_complete:/ && (k in begin) { n++; sum += t - begin[k]; delete begin[k] }");
}
END_TEST

TEST_RUN("event-pairs", keys, several_keys, order_of_time, begun_again, selection, lost_records, too_many_open, sched, lacks, as_perf);
