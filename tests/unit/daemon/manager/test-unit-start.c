/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OnDump=: the unit that systemd is asked to start; nothing depends on its success. */

#include <perf-recorder/dump-facts.h>

#include "daemon-fixture.h"

static bool answered;
static int dump_failure;

static void on_answer(Failure failure, const char *sentence, const Dump *d, void *userdata) {
        answered = true;
        dump_failure = failure;
}

static void dump(const char *name) {
        const DumpRequest request = { .trigger = PR_TRIGGER_REQUEST };
        DumpWaiter *w;

        answered = false;
        ck_assert_int_eq(session_dump(session(name), &request, on_answer, NULL, &w), 0);
        ck_assert(private_bus_wait(&fixture.bus, &answered));
        ck_assert_int_eq(dump_failure, 0);
}

static bool is_started(const char *unit) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        sd_bus *client = private_bus_connect(&fixture.bus, geteuid());
        int r;

        ck_assert_int_ge(sd_bus_message_new_method_call(client, &m, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                                                        "org.freedesktop.systemd1.Manager", "GetUnit"), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "s", unit), 0);
        r = private_bus_call(&fixture.bus, client, m, NULL, NULL);
        sd_bus_flush_close_unref(client);
        return r == 0;
}

START_TEST(test_started) {
        write_session("cpu", "", "[Trigger]\nOnDump=upload@.service");
        write_session("a@b-c", "", "[Trigger]\nOnDump=upload@.service");
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
        await_state("a@b-c", SESSION_RECORDING);
        ck_assert(!is_started("upload@cpu\\x2d2001010100000001.service"));
        dump("cpu");
        while (fixture.manager->followers.units)
                run_loop(USEC_PER_MSEC);
        ck_assert(is_started("upload@cpu\\x2d2001010100000001.service"));
        dump("a@b-c");
        while (fixture.manager->followers.units)
                run_loop(USEC_PER_MSEC);
        ck_assert(is_started("upload@a\\x40b\\x2dc\\x2d2001010100000001.service"));
}
END_TEST

START_TEST(test_failing) {
        write_session("cpu", "", "[Trigger]\nOnDump=nosuch@.service");
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
        dump("cpu");
        while (fixture.manager->followers.units)
                run_loop(USEC_PER_MSEC);
        dump("cpu"); /* while no caller waits for the answer any more */
        manager_cancel_on_dump(fixture.manager);
        ck_assert_ptr_null(fixture.manager->followers.units);
}
END_TEST

CHECK_MAIN_WITH("unit-start", daemon_fixture_setup, daemon_fixture_teardown, test_started, test_failing);
