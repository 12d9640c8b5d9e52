/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <dirent.h>

#include "perfdata-test.h"
#include "recording-turns.h"

#define WALKS 3u

typedef struct Walks {
        char shown[64];
        size_t n;
        unsigned cancel_at; /* the number of lines; 0: never */
} Walks;

static unsigned count_threads(void) {
        _cleanup_closedir_ DIR *threads = opendir("/proc/self/task");
        unsigned n = 0;

        ck_assert_ptr_nonnull(threads);
        for (const struct dirent *d; (d = readdir(threads));)
                n += d->d_name[0] != '.';
        return n;
}

/* Each has lines of its own times, and the second one none. */
static int walk(void *userdata, size_t number, RecordingTurns *turns) {
        static const char *const times[WALKS] = { "158", "", "124569" };
        Walks *w = userdata;
        int r = 0;

        for (const char *p = times[number]; r >= 0 && *p; p++) {
                r = recording_turns_wait(turns, number, (uint64_t) *p);
                if (r >= 0)
                        w->shown[w->n++] = number == 0 ? *p : (char) (*p - '1' + 'a');
                if (r >= 0 && w->n == w->cancel_at)
                        recording_turns_cancel(turns);
                ck_assert_uint_eq(count_threads(), WALKS + 1);
        }
        return r < 0 ? r : 1 << number;
}

START_TEST(in_the_order_of_time) {
        Walks w = {};

        ck_assert_int_eq(recording_turns_run(WALKS, walk, &w), 7);
        ck_assert_str_eq(w.shown, "1abd5ef8i");
}
END_TEST

START_TEST(cancelled) {
        Walks w = { .cancel_at = 4 };

        ck_assert_int_eq(recording_turns_run(WALKS, walk, &w), -ECANCELED);
        ck_assert_str_eq(w.shown, "1abd");
}
END_TEST

static int walk_alone(void *userdata, size_t number, RecordingTurns *turns) {
        ck_assert_uint_eq(count_threads(), 1);
        ck_assert_ok(recording_turns_wait(turns, number, 1));
        return 0;
}

START_TEST(one_takes_no_thread) {
        ck_assert_int_eq(recording_turns_run(1, walk_alone, NULL), 0);
}
END_TEST

TEST_RUN("recording-turns", in_the_order_of_time, cancelled, one_takes_no_thread);
