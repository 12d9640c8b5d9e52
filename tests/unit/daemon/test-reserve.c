/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reserve from the call to the end of the reservation, as main() puts the parts together: nobody but the caller has its end of the
 * pipe, so that closing it gives the counters back. The kernel's counters are always free here. */

#include <fcntl.h>

#include <perf-recorder/bus-names.h>

#include "bus.h"
#include "counter-proof.h"
#include "daemon-fixture.h"
#include "fd-file.h"

static Bus *service;
static sd_bus *client;

static int fake_open(void *userdata, struct perf_event_attr *attr, int cpu, int group_fd) {
        return open_memfd("event", 0);
}

static ssize_t fake_read(void *userdata, int fd, void *buf, size_t size) {
        const uint64_t counts[] = { 1, 1000, 1000 };

        ck_assert_uint_eq(size, sizeof(counts));
        memcpy(buf, counts, sizeof(counts));
        return sizeof(counts);
}

static void setup(void) {
        static const CounterProofOps ops = { .open = fake_open, .read = fake_read };

        daemon_fixture_setup();
        fixture.proof = &ops;
        start_session("a", "--fake-holds=hardware", "");
        ck_assert_int_eq(bus_new(fixture.bus.event, fixture.manager, true, &service), 0);
        client = private_bus_connect(&fixture.bus, geteuid());
}

static void teardown(void) {
        client = sd_bus_flush_close_unref(client);
        service = bus_free(service);
        daemon_fixture_teardown();
}

/* Returns a copy of the descriptor in the answer. */
static int reserve(const char *what) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL, *reply = NULL;
        int fd, copy;

        ck_assert_int_ge(sd_bus_message_new_method_call(client, &m, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Reserve"), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "sss", what, "job 12", "its run"), 0);
        ck_assert_int_eq(private_bus_call(&fixture.bus, client, m, NULL, &reply), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "h", &fd), 0);
        copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        ck_assert_int_ge(copy, 0);
        return copy;
}

static int on_released(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *what;

        ck_assert_int_gt(sd_bus_message_read(m, "s", &what), 0);
        ck_assert_str_eq(what, "hardware:3");
        *(bool *) userdata = true;
        return 0;
}

START_TEST(test_whole_way) {
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;
        bool released = false;
        int fd;

        ck_assert_int_ge(sd_bus_match_signal(client, &slot, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Released", on_released,
                                             &released), 0);
        fd = reserve("hardware:3");
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RESERVED);
        private_bus_settle(&fixture.bus, client);
        ck_assert(!released);
        safe_close(fd);
        ck_assert(private_bus_wait(&fixture.bus, &released));
        await_state("a", SESSION_RECORDING);
}
END_TEST

/* The connection is not what holds the counters. */
START_TEST(test_caller_leaves_the_bus) {
        int fd = reserve("hardware");

        client = sd_bus_flush_close_unref(client);
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RESERVED);
        safe_close(fd);
        await_state("a", SESSION_RECORDING);
}
END_TEST

CHECK_MAIN_WITH("reserve", setup, teardown, test_whole_way, test_caller_leaves_the_bus);
