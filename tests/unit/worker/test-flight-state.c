/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a process leaves to the next one, wherever it died. */

#include "check-main.h"
#include "flight-state.h"
#include "scratch.h"

static void pend(FlightState *s, uint64_t head, const char *name) {
        for (size_t i = 0; i < s->n_rings; i++)
                s->rings[i].pending = head + i;
        flight_state_announce(s, name);
}

START_TEST(test_settle) {
        _cleanup_close_ int fd = -EBADF;
        _cleanup_(flight_state_freep) FlightState *s = NULL;

        ck_assert_int_eq(flight_state_new(3, &fd, &s), 0);
        ck_assert_uint_eq(s->rings[2].dumped, 0);
        pend(s, 100, "perf.data.1");
        ck_assert_str_eq(s->name, "perf.data.1");
        flight_state_settle(s, false);
        ck_assert_str_eq(s->name, "");
        ck_assert_uint_eq(s->rings[0].dumped, 0);
        pend(s, 200, "a");
        ck_assert_str_eq(s->name, "a");
        flight_state_settle(s, true);
        for (size_t i = 0; i < 3; i++)
                ck_assert_uint_eq(s->rings[i].dumped, 200 + i);
}
END_TEST

/* It died with the name said: whether the file has it decides. */
START_TEST(test_take_over) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int fd = -EBADF, dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        FlightState *s = NULL, *next = NULL;

        ck_assert_int_eq(flight_state_new(2, &fd, &s), 0);
        pend(s, 100, "perf.data.1");
        ck_assert_int_eq(flight_state_take_over(fd, 2, dir_fd, &next), 0);
        ck_assert(*next->name == '\0' && next->rings[0].dumped == 0);
        next = flight_state_free(next);

        scratch_write_text(dir, "perf.data.2", "");
        pend(s, 200, "perf.data.2");
        ck_assert_int_eq(flight_state_take_over(fd, 2, dir_fd, &next), 0);
        ck_assert(*next->name == '\0' && next->rings[1].dumped == 201);
        next = flight_state_free(next);

        ck_assert_int_eq(flight_state_take_over(fd, 3, dir_fd, &next), -EBADMSG);
        pend(s, 200, "../perf.data.2");
        ck_assert_int_eq(flight_state_take_over(fd, 2, dir_fd, &next), -EBADMSG);
        s->name[0] = '\0';
        s->magic++;
        ck_assert_int_eq(flight_state_take_over(fd, 2, dir_fd, &next), -EBADMSG);
        flight_state_free(s);
}
END_TEST

CHECK_MAIN("flight-state", test_settle, test_take_over);
