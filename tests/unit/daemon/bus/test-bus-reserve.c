/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reserve: who may, what is refused, and what the caller gets. */

#include <check.h>
#include <perf-recorder/errors.h>
#include <unistd.h>

#include "bus-fixture.h"
#include "check-main.h"
#include "fake-polkit.h"

static FakePolkit polkit;
static sd_bus *ordinary; /* a caller that root's service does not trust */

static void setup(void) {
        fixture_setup_system();
        fake_polkit_start(&polkit, &fixture.bus, FAKE_POLKIT_YES);
        ordinary = private_bus_connect(&fixture.bus, geteuid() == 0 ? 65534 : geteuid());
}

static void teardown(void) {
        ordinary = sd_bus_flush_close_unref(ordinary);
        fake_polkit_stop(&polkit);
        fixture_teardown();
}

static sd_bus_message *new_call(const char *what, const char *who, const char *why) {
        sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_method_call(ordinary, &m, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE,
                                                        "Reserve"), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "sss", what, who, why), 0);
        return m;
}

static void check_refused(const char *error_name, const char *said, const char *what, const char *who, const char *why) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_call(what, who, why);
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;

        ck_assert_int_ne(private_bus_call(&fixture.bus, ordinary, m, &e, NULL), 0);
        ck_assert_str_eq(e.name, error_name);
        ck_assert_msg(strstr(e.message, said) != NULL, "%s", e.message);
}

START_TEST(test_granted) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_call("breakpoint", "gdb", ""), *reply = NULL, *list = NULL;
        const char *what, *who, *why;
        uint32_t uid, pid;
        int fd;

        ck_assert_int_eq(private_bus_call(&fixture.bus, ordinary, m, NULL, &reply), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "h", &fd), 0);
        ck_assert_int_ge(fd, 0);
        ck_assert_str_eq(polkit.action, PR_POLKIT_RESERVE);
        ck_assert_str_eq(polkit.verb, "reserve");
        ck_assert_str_eq(polkit.session, "");
        ck_assert_str_eq(polkit.what, "breakpoint:1");
        ck_assert_str_eq(polkit.request, "reserve counters of the CPUs");
        ck_assert_int_eq(fixture.manager->reserve.kind, COUNTER_BREAKPOINT);
        ck_assert_uint_eq(fixture.manager->reserve.n, 1);
        ck_assert_str_eq(fixture.manager->reserve_who, "gdb");
        ck_assert_str_eq(fixture.manager->reserve_why, "");
        ck_assert_uint_eq(fixture.manager->caller.uid, geteuid() == 0 ? 65534 : geteuid());

        ck_assert_int_eq(MANAGER_CALL(NULL, &list, "ListReservations", NULL), 0);
        ck_assert_int_gt(sd_bus_message_enter_container(list, 'a', "(sssuu)"), 0);
        ck_assert_int_gt(sd_bus_message_read(list, "(sssuu)", &what, &who, &why, &uid, &pid), 0);
        ck_assert_str_eq(what, "breakpoint:1");
        ck_assert_str_eq(who, "gdb");
        ck_assert_str_eq(why, "");
        ck_assert_uint_eq(uid, UINT32_MAX);
        ck_assert_uint_eq(pid, 77);
        ck_assert_int_eq(sd_bus_message_at_end(list, false), 1);
}
END_TEST

START_TEST(test_arguments) {
        char who[130], why[514];

        memset(who, 'w', sizeof(who));
        memset(why, 'y', sizeof(why));
        who[129] = why[513] = '\0';
        check_refused(SD_BUS_ERROR_INVALID_ARGS, "\"software\" is no kind of counters", "software", "x", "");
        check_refused(SD_BUS_ERROR_INVALID_ARGS, "\"0\" is no number of counters", "hardware:0", "x", "");
        check_refused(SD_BUS_ERROR_INVALID_ARGS, "who is empty", "hardware", "", "");
        check_refused(SD_BUS_ERROR_INVALID_ARGS, "who is a line of at most 128 bytes", "hardware", who, "");
        check_refused(SD_BUS_ERROR_INVALID_ARGS, "who is a line", "hardware", "x\nlend breakpoint y", "");
        check_refused(SD_BUS_ERROR_INVALID_ARGS, "why is a line of at most 512 bytes", "hardware", "x", why);
        check_refused(SD_BUS_ERROR_INVALID_ARGS, "why is a line", "hardware", "x", "\033[2J");
        ck_assert_uint_eq(fixture.manager->n_calls, 0);
        ck_assert_uint_eq(polkit.n_asked, 0);

        who[128] = why[512] = '\0';
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Reserve", "sss", "hardware:64", who, why), 0);
        ck_assert_str_eq(fixture.manager->reserve_who, who);
        ck_assert_str_eq(fixture.manager->reserve_why, why);
}
END_TEST

START_TEST(test_not_allowed) {
        if (geteuid() != 0)
                return; /* then the caller is the service's own user */
        polkit.mood = FAKE_POLKIT_NO;
        check_refused(SD_BUS_ERROR_ACCESS_DENIED, "polkit does not allow you to reserve counters of the CPUs", "hardware", "x", "");
        polkit.mood = FAKE_POLKIT_CHALLENGE;
        check_refused(SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED, "Authentication is required to reserve counters", "hardware", "x",
                      "");
        ck_assert_uint_eq(fixture.manager->n_calls, 0);
}
END_TEST

START_TEST(test_busy) {
        fixture.manager->reserve_error = FAILURE_BUSY;
        check_refused(PR_ERROR_BUSY, "for this reason", "hardware", "x", "");
}
END_TEST

static int ignore(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        return 0;
}

START_TEST(test_caller_leaves) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_call("hardware", "x", "");

        fixture.manager->hold = true;
        ck_assert_int_ge(sd_bus_call_async(ordinary, NULL, m, ignore, NULL, UINT64_MAX), 0);
        while (fixture.manager->n_pings == 0)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC), 0);
        private_bus_settle(&fixture.bus, fixture.client); /* the service waits for the end of callers */
        ordinary = sd_bus_flush_close_unref(ordinary);
        while (fixture.manager->n_withdrawn == 0)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC), 0);
        ck_assert_uint_eq(fixture.manager->n_withdrawn, 1);
}
END_TEST

START_TEST(test_signals) {
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *reserved_slot = NULL, *released_slot = NULL;
        bool reserved = false, released = false;

        fixture_match(&reserved_slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Reserved", &reserved);
        fixture_match(&released_slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Released", &released);
        fixture.manager->observer.reserved("hardware:2", true, fixture.manager->observer.userdata);
        ck_assert(private_bus_wait(&fixture.bus, &reserved));
        ck_assert(!released);
        fixture.manager->observer.reserved("hardware:2", false, fixture.manager->observer.userdata);
        ck_assert(private_bus_wait(&fixture.bus, &released));
}
END_TEST

CHECK_MAIN_WITH("bus-reserve", setup, teardown, test_granted, test_arguments, test_not_allowed, test_busy, test_caller_leaves,
                test_signals);
