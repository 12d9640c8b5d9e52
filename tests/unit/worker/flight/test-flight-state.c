/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The state that a process leaves to the next one, at any point of its death. */

#include "check-main.h"
#include "flight-state.h"
#include "scratch.h"

static const FlightWish automatic = { .content = DUMP_CONTENT_AUTOMATIC, .automatic = true };

static void pend(FlightState *s, const FlightWish *wish, uint64_t head, const char *name) {
        for (size_t i = 0; i < s->n_rings; i++)
                s->rings[i].pending = head + i;
        flight_state_announce(s, wish, name);
}

static uint64_t begin(const FlightState *s, size_t ring, DumpContent content) {
        return flight_state_begin(s, ring, &(FlightWish) { .content = content });
}

START_TEST(test_settle) {
        _cleanup_close_ int fd = -EBADF;
        _cleanup_(flight_state_freep) FlightState *s = NULL;

        ck_assert_int_eq(flight_state_new(3, &fd, &s), 0);
        ck_assert_uint_eq(begin(s, 2, DUMP_CONTENT_AUTOMATIC), 0);
        pend(s, &automatic, 100, "perf.data.1");
        ck_assert_str_eq(s->name, "perf.data.1");
        flight_state_settle(s, false);
        ck_assert_str_eq(s->name, "");
        ck_assert_uint_eq(begin(s, 0, DUMP_CONTENT_AUTOMATIC), 0);
        pend(s, &automatic, 200, "a");
        ck_assert_str_eq(s->name, "a");
        flight_state_settle(s, true);
        for (size_t i = 0; i < 3; i++)
                ck_assert_uint_eq(begin(s, i, DUMP_CONTENT_AUTOMATIC), 200 + i);
        ck_assert_uint_eq(begin(s, 2, DUMP_CONTENT_NEW), 202);
        ck_assert_uint_eq(begin(s, 2, DUMP_CONTENT_ALL), 0);
}
END_TEST

/* Each kind of dump moves its own marks. */
START_TEST(test_marks) {
        static const FlightWish windows[] = {
                { .content = DUMP_CONTENT_ALL, .from = 1 },
                { .content = DUMP_CONTENT_ALL, .until = 1 },
        };
        _cleanup_close_ int fd = -EBADF;
        _cleanup_(flight_state_freep) FlightState *s = NULL;

        ck_assert_int_eq(flight_state_new(1, &fd, &s), 0);
        for (size_t i = 0; i < ELEMENTSOF(windows); i++) {
                pend(s, &windows[i], 100, "a");
                flight_state_settle(s, true);
                ck_assert(begin(s, 0, DUMP_CONTENT_AUTOMATIC) == 0 && begin(s, 0, DUMP_CONTENT_NEW) == 0);
        }
        pend(s, &(FlightWish) { .content = DUMP_CONTENT_ALL }, 200, "a");
        flight_state_settle(s, true);
        ck_assert(begin(s, 0, DUMP_CONTENT_AUTOMATIC) == 0 && begin(s, 0, DUMP_CONTENT_NEW) == 200);
        pend(s, &(FlightWish) { .content = DUMP_CONTENT_NEW }, 300, "a");
        flight_state_settle(s, true);
        ck_assert(begin(s, 0, DUMP_CONTENT_AUTOMATIC) == 0 && begin(s, 0, DUMP_CONTENT_NEW) == 300);
        pend(s, &automatic, 400, "a");
        flight_state_settle(s, true);
        ck_assert(begin(s, 0, DUMP_CONTENT_AUTOMATIC) == 400 && begin(s, 0, DUMP_CONTENT_NEW) == 400);
}
END_TEST

/* It died after it announced the name: the file having that name decides. */
START_TEST(test_take_over) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = -EBADF, dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        FlightState *s = NULL, *next = NULL;

        ck_assert_int_eq(flight_state_new(2, &fd, &s), 0);
        pend(s, &automatic, 100, "perf.data.1");
        ck_assert_int_eq(flight_state_take_over(fd, 2, dir_fd, &next), 0);
        ck_assert(*next->name == '\0' && begin(next, 0, DUMP_CONTENT_AUTOMATIC) == 0);
        next = flight_state_free(next);

        scratch_write_text(dir, "perf.data.2", "");
        pend(s, &automatic, 200, "perf.data.2");
        ck_assert_int_eq(flight_state_take_over(fd, 2, dir_fd, &next), 0);
        ck_assert(*next->name == '\0' && begin(next, 1, DUMP_CONTENT_AUTOMATIC) == 201);
        next = flight_state_free(next);

        pend(s, &(FlightWish) { .content = DUMP_CONTENT_ALL }, 300, "perf.data.2");
        ck_assert_int_eq(flight_state_take_over(fd, 2, dir_fd, &next), 0);
        ck_assert(begin(next, 1, DUMP_CONTENT_AUTOMATIC) == 201 && begin(next, 1, DUMP_CONTENT_NEW) == 301);
        next = flight_state_free(next);

        ck_assert_int_eq(flight_state_take_over(fd, 3, dir_fd, &next), -EBADMSG);
        pend(s, &automatic, 200, "../perf.data.2");
        ck_assert_int_eq(flight_state_take_over(fd, 2, dir_fd, &next), -EBADMSG);
        s->name[0] = '\0';
        s->magic++;
        ck_assert_int_eq(flight_state_take_over(fd, 2, dir_fd, &next), -EBADMSG);
        flight_state_free(s);
}
END_TEST

CHECK_MAIN("flight-state", test_settle, test_marks, test_take_over);
