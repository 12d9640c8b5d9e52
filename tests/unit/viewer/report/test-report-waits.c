/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view report --off-cpu end to end. */

#include "made-switches.h"

#define REPORT VIEWER " report "

/* 7 sleeps from 1000 to 1800, woken by 9, and comes to a CPU at 2000; from 3000 on it waits for a disk until an interrupt of an idle
 * CPU at 3300, and for a CPU until 3500. 8 is preempted from 2000 to 3000; at 3500 it sleeps, and still does at the end, 4500. */
static const MadeSwitch switches[] = {
        { 1000, 0, 7, 8, 1, { 0 }, NULL }, { 1800, 1, 9, 7, 0, { 0 }, "shop" }, { 2000, 0, 8, 7, 0, { 0 }, NULL },
        { 3000, 0, 7, 8, 2, { 0 }, NULL }, { 3300, 1, 0, 7, 0, { 0 }, "shop" }, { 3500, 0, 8, 7, 1, { 0 }, NULL },
        { 4000, 1, 9, 0, 0x10, { 0 }, NULL }, { 4500, 1, 0, 10, 0, { 0 }, NULL },
};

static char *put_waits(const char *waking) {
        const RecordTrailer trailer = { .sample_type = MADE_SCHED_TYPE };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        char *path = test_path("waits.data");

        ck_assert_ok(record_put_comm(&b, 7, 7, "shop", 0, &trailer));
        ck_assert_ok(record_put_comm(&b, 8, 8, "shop", 0, &trailer));
        ck_assert_ok(record_put_comm(&b, 9, 9, "queue", 0, &trailer));
        made_switches(&b, switches, ELEMENTSOF(switches));
        ck_assert_ok(record_put_finished_round(&b));
        made_sched_recording(path, &b, waking, NULL);
        return path;
}

/* Numbers are computed by hand. */
START_TEST(waits) {
        _cleanup_free_ char *path = put_waits("sched:sched_waking");
        _cleanup_free_ char *text = test_command(REPORT "-i %s --off-cpu --comms shop 2>&1", path);

        ck_assert_str_eq(text,
                         "Ready, without a CPU (R): 1.40ms in 3 waits\n"
                         "     Time     Waits   Longest    Average  Threads\n"
                         "   1.40ms         3    1.00ms      467us  shop (2)\n\n"
                         "In uninterruptible sleep, for a device or a lock of the kernel (D): 300us in 1 wait\n"
                         "     Time     Waits   Longest    Average  Threads               Woken by\n"
                         "    300us         1     300us      300us  shop                  an interrupt 100%\n\n"
                         "Asleep (S): 1.80ms in 2 waits\n"
                         "     Time     Waits   Longest    Average  Threads               Woken by\n"
                         "   1.80ms         2    1.00ms+     900us  shop (2)              queue 44%\n\n");
        free(steal_ptr(text));
        text = test_command(REPORT "-i %s --off-cpu --tid 7 --columns=60 2>&1 | tail -3", path);
        ck_assert_str_eq(text, "     Time     Waits   Longest    Average  Threads          …\n"
                         "    800us         1     800us      800us  shop             …\n\n");
}
END_TEST

/* Without wakings all of a wait is of the state in which the thread left. */
START_TEST(without_wakings) {
        _cleanup_free_ char *path = put_waits(NULL), *text = test_command(REPORT "-i %s --off-cpu --tid 7 2>&1", path);

        ck_assert_str_eq(text,
                         "In uninterruptible sleep, for a device or a lock of the kernel (D): 500us in 1 wait\n"
                         "     Time     Waits   Longest    Average  Threads\n"
                         "    500us         1     500us      500us  shop\n\n"
                         "Asleep (S): 1.00ms in 1 wait\n"
                         "     Time     Waits   Longest    Average  Threads\n"
                         "   1.00ms         1    1.00ms     1.00ms  shop\n\n");
}
END_TEST

START_TEST(refused) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data");
        _cleanup_free_ char *text = test_command(REPORT "-i %s --off-cpu --input-name=d 2>&1; echo $?", path);

        ck_assert_str_eq(text, "d: --off-cpu needs the event sched:sched_switch: it has none; record it with -a -g, or take the session 'sched'\n"
                         "1\n");
        free(steal_ptr(text));
        text = test_command(REPORT "-i %s --off-cpu --json 2>&1; echo $?", path);
        ck_assert_ptr_nonnull(strstr(text, "goes with none of"));
}
END_TEST

TEST_RUN("report-waits", waits, without_wakings, refused);
