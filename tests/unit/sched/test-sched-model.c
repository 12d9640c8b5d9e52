/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Steps of made recordings: "CPU out>in", then of the thread that leaves when it had left, was ready and came, and of the one that
 * comes when it had left and was ready. Times are microseconds, and "-" is not known. */

#include "made-switches.h"
#include "sched-model.h"
#include "text-buffer.h"

static void put_time(TextBuffer *out, uint64_t nsec) {
        if (nsec > 0)
                text_buffer_format(out, " %ju", (uintmax_t) (nsec / 1000));
        else
                text_buffer_puts(out, " -");
}

static void put_step(TextBuffer *out, const SchedModel *m, const SchedStep *s) {
        if (!sched_event_is_switch(&s->event)) {
                text_buffer_format(out, "%c %u>%u\n", (char) s->event.kind, m->threads[s->out].tid, m->threads[s->in].tid);
                return;
        }
        text_buffer_format(out, "%u %u>%u", s->cpu, m->threads[s->out].tid, m->threads[s->in].tid);
        put_time(out, s->stay.left);
        put_time(out, s->stay.ready);
        put_time(out, s->stay.came);
        text_buffer_puts(out, " |");
        put_time(out, s->wait.left);
        put_time(out, s->wait.ready);
        text_buffer_puts(out, s->wait.lost > 0 ? " lost\n" : "\n");
}

static void make_overwritten(struct perf_event_attr *attr) {
        attr->write_backward = 1;
}

/* Reads what was put as a recording, and expects these steps. */
static void expect(const RecordBuffer *b, const char *waking, void (*change)(struct perf_event_attr *), const char *expected) {
        _cleanup_free_ char *path = test_path("sched.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(sched_model_freep) SchedModel *model = NULL;
        _cleanup_(text_buffer_done) TextBuffer out = {};
        _cleanup_replay_free_ Replay *replay = NULL;
        SchedStep step;
        Moment m;

        made_sched_recording(path, b, waking, change);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        ck_assert_ok(replay_new(reader, &(ReplayOptions) {}, &replay));
        ck_assert_ok(sched_model_new(reader, &model));
        while (replay_next(replay, &m) == 1) {
                int r = sched_model_take(model, &m, &step);

                ck_assert_int_ge(r, 0);
                if (r == 1)
                        put_step(&out, model, &step);
        }
        text_buffer_putc(&out, '\0');
        ck_assert_str_eq(out.data, expected);
}

#define PUT(b, ...) made_switches(b, (const MadeSwitch[]) { __VA_ARGS__ }, sizeof((const MadeSwitch[]) { __VA_ARGS__ }) / sizeof(MadeSwitch))

/* A thread that sleeps is ready once it is woken, the first time; one that is preempted is so at once. */
START_TEST(waits) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        PUT(&b, { 1000, 0, 7, 0, 1, {}, NULL }, { 1100, 1, 9, 7, 0, {}, "web" }, { 1150, 1, 9, 7, 0, {}, "web" },
            { 1300, 0, 0, 7, 0, {}, NULL }, { 1350, 1, 9, 7, 0, {}, "web" }, { 1800, 0, 7, 8, 0, {}, NULL },
            { 1850, 1, 9, 7, 0, {}, "web" }, { 2000, 0, 8, 7, 2, {}, NULL }, { 2600, 0, 7, 0, 0x10, {}, NULL });
        expect(&b, "sched:sched_waking", NULL,
               "0 7>0 - - - | - -\n" "w 9>7\n" "w 9>7\n" "0 0>7 - - 1000 | 1000 1100\n" "w 9>7\n" "0 7>8 1000 1100 1300 | - -\n"
               "w 9>7\n" "0 8>7 - - 1800 | 1800 1800\n" "0 7>0 1800 1800 2000 | 1300 1300\n");
}
END_TEST

/* When a switch shows that another one is missing, nothing is known of what is between them. */
START_TEST(missing) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        PUT(&b, { 1000, 0, 7, 8, 1, {}, NULL }, { 1200, 0, 9, 7, 1, {}, NULL }, { 1300, 1, 7, 0, 1, {}, NULL },
            { 1400, 0, 7, 8, 1, {}, NULL });
        expect(&b, "sched:sched_waking", NULL,
               "0 7>8 - - - | - -\n" "0 9>7 - - - | 1000 -\n" "1 7>0 - - - | - -\n" "0 7>8 1300 - - | - -\n");
}
END_TEST

START_TEST(losses) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        PUT(&b, { 1000, 0, 7, 8, 1, {}, NULL }, { 1100, 0, 8, 7, 1, {}, NULL });
        made_loss(&b, 0, 1150);
        PUT(&b, { 1200, 0, 7, 8, 1, {}, NULL }, { 1300, 0, 8, 7, 1, {}, NULL });
        expect(&b, "sched:sched_waking", NULL,
               "0 7>8 - - - | - -\n" "0 8>7 - - 1000 | 1000 -\n" "0 7>8 - - - | 1100 - lost\n" "0 8>7 1100 - 1200 | 1200 - lost\n");
}
END_TEST

/* Each CPU's ring begins at a time of its own. */
START_TEST(overwritten) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        PUT(&b, { 1000, 0, 7, 8, 1, {}, NULL }, { 1100, 1, 3, 4, 1, {}, NULL }, { 1200, 0, 8, 7, 1, {}, NULL });
        expect(&b, "sched:sched_waking", make_overwritten,
               "0 7>8 - - - | - - lost\n" "1 3>4 - - - | - - lost\n" "0 8>7 - - 1000 | 1000 - lost\n");
}
END_TEST

/* A new thread has waited for nothing but a CPU; with the id of one that exited it is another thread. */
START_TEST(new_threads) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        PUT(&b, { 1000, 0, 5, 7, 1, {}, NULL }, { 1100, 0, 7, 5, 0x10, {}, NULL }, { 1200, 0, 5, 7, 0, {}, "new" },
            { 1300, 0, 5, 7, 1, {}, NULL }, { 1400, 0, 7, 5, 1, {}, NULL });
        expect(&b, "sched:sched_wakeup_new", NULL,
               "0 5>7 - - - | - -\n" "0 7>5 - - 1000 | 1000 -\n" "n 5>7\n" "0 5>7 1000 - 1100 | - 1200\n" "0 7>5 - 1200 1300 | 1300 -\n");
}
END_TEST

/* A round that comes too late has times before those that were followed: what is later than the moment is not known. */
START_TEST(backwards) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        PUT(&b, { 1000, 0, 7, 8, 1, {}, NULL }, { 1100, 0, 8, 7, 0, {}, NULL }, { 1200, 1, 9, 8, 0, {}, "web" });
        for (int i = 0; i < 2; i++)
                ck_assert_ok(record_put_finished_round(&b));
        PUT(&b, { 500, 0, 7, 8, 1, {}, NULL }, { 600, 0, 8, 7, 1, {}, NULL }, { 700, 0, 7, 8, 1, {}, NULL });
        expect(&b, "sched:sched_waking", NULL,
               "0 7>8 - - - | - -\n" "0 8>7 - - 1000 | 1000 -\n" "w 9>8\n"
               "0 7>8 - - - | - -\n" "0 8>7 - - 500 | 500 -\n" "0 7>8 500 - 600 | 600 -\n");
}
END_TEST

/* One thread more than there may be is refused, those that are known go on. */
START_TEST(too_many) {
        _cleanup_free_ char *path = test_path("sched.data");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(sched_model_freep) SchedModel *model = NULL;
        _cleanup_replay_free_ Replay *replay = NULL;
        static const int expected[] = { 1, 1, -ENOSPC, 1 };
        SchedStep step;
        Moment m;

        PUT(&b, { 1000, 0, 7, 8, 1, {}, NULL }, { 1100, 0, 8, 9, 1, {}, NULL }, { 1200, 0, 9, 10, 1, {}, NULL },
            { 1300, 0, 9, 7, 1, {}, NULL });
        made_sched_recording(path, &b, NULL, NULL);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        ck_assert_ok(replay_new(reader, &(ReplayOptions) {}, &replay));
        ck_assert_ok(sched_model_new(reader, &model));
        ck_assert_uint_eq(model->threads_max, SCHED_THREADS_MAX);
        model->threads_max = 3;
        for (size_t i = 0; i < ELEMENTSOF(expected); i++) {
                ck_assert_int_eq(replay_next(replay, &m), 1);
                ck_assert_int_eq(sched_model_take(model, &m, &step), expected[i]);
        }
        ck_assert_uint_eq(model->n_threads, 3);
}
END_TEST

TEST_RUN("sched-model", waits, missing, losses, overwritten, new_threads, backwards, too_many);
