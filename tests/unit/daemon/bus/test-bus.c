/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <perf-recorder/errors.h>

#include "bus-fixture.h"
#include "check-main.h"

START_TEST(test_name_is_taken) {
        Bus *second = NULL;

        ck_assert_int_eq(bus_new(fixture.bus.event, fixture.manager, true, &second), -EEXIST);
        ck_assert_ptr_null(second);
}
END_TEST

START_TEST(test_no_bus) {
        Bus *second = NULL;

        (void) setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1);
        ck_assert_int_lt(bus_new(fixture.bus.event, fixture.manager, true, &second), 0);
        ck_assert_ptr_null(second);
}
END_TEST

static int on_owner(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        *(bool *) userdata = true;
        return 0;
}

/* The bus goes and comes back: so does the service, and its signals go to the new bus. */
START_TEST(test_bus_restarts) {
        Session *s = fixture.manager->all[0];
        bool there = false;

        fixture.client = sd_bus_flush_close_unref(fixture.client);
        private_bus_restart(&fixture.bus);
        (void) setenv("DBUS_SESSION_BUS_ADDRESS", fixture.bus.address, 1);

        fixture.client = private_bus_connect(&fixture.bus, geteuid());
        ck_assert_int_ge(sd_bus_match_signal(fixture.client, NULL, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                             "org.freedesktop.DBus", "NameOwnerChanged", on_owner, &there), 0);
        while (MANAGER_CALL(NULL, NULL, "ListSessions", NULL) != 0) {
                there = false;
                ck_assert(private_bus_wait(&fixture.bus, &there));
        }
        ck_assert_uint_eq(fixture.manager->n_retries, 1);
        fake_manager_change(fixture.manager, s, SESSION_RECORDING, SESSION_CHANGE_STATE);
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Start", "as", 1, "cycles"), 0);
}
END_TEST

/* Sessions change also while there is no bus. */
START_TEST(test_bus_is_gone) {
        Session *s = fixture.manager->all[0];

        fixture.client = sd_bus_flush_close_unref(fixture.client);
        private_bus_restart(&fixture.bus);
        (void) setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1);
        for (unsigned i = 0; i < 10; i++)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 50 * USEC_PER_MSEC), 0);
        fake_manager_change(fixture.manager, s, SESSION_FAILED, SESSION_CHANGE_STATE | SESSION_CHANGE_PROCESS);
        fake_manager_add(fixture.manager, "new");
        fake_manager_remove(fixture.manager, "new");
}
END_TEST

/* The files are read before properties too, and not before Reload, which reports what changed. */
START_TEST(test_calls_see_the_files_as_they_are) {
        ck_assert_uint_eq(fixture.manager->n_catch_ups, 0);
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Reload", NULL), 0);
        ck_assert_uint_eq(fixture.manager->n_catch_ups, 0);
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "ListSessions", NULL), 0);
        ck_assert_uint_eq(fixture.manager->n_catch_ups, 1);
        ck_assert_int_eq(fixture_call(NULL, NULL, PR_BUS_SESSION_PATH "/cycles", "org.freedesktop.DBus.Properties", "GetAll", "s",
                                      PR_BUS_SESSION_INTERFACE), 0);
        ck_assert_uint_eq(fixture.manager->n_catch_ups, 2);
}
END_TEST

static unsigned count_fds(void) {
        _cleanup_closedir_ DIR *d = opendir("/proc/self/fd");
        unsigned n = 0;

        ck_assert_ptr_nonnull(d);
        while (readdir(d))
                n++;
        return n;
}

/* Sends wrong calls with descriptors, and one that nobody waits for. */
static void send_descriptors(int fd) {
        MANAGER_FAILS(SD_BUS_ERROR_UNKNOWN_METHOD, "NoSuchMethod", "h", fd);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Start", "ash", 1, "cycles", fd);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Start", "ah", 3, fd, fd, fd);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Dump", "asa{sv}", 1, "cycles", 1, "since", "h", fd);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Dump", "asa{sv}", 1, "cycles", 1, "nosuch", "h", fd);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Dump", "asa{sv}", 1, "cycles", 1, "nosuch", "ah", 2, fd, fd);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "StartTransient", "sa{sv}", "new", 1, "Record.Event", "h", fd);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "StartTransient", "sa{sv}", "../new", 1, "Record.Event", "h", fd);
        MANAGER_FAILS(PR_ERROR_NO_SUCH_SESSION, "Start", "as", 1, "nosuch");
        fixture_call_fails(SD_BUS_ERROR_UNKNOWN_OBJECT, PR_BUS_SESSION_PATH "/nosuch", PR_BUS_SESSION_INTERFACE, "Start", "h", fd);
        fixture_call_fails(SD_BUS_ERROR_INVALID_ARGS, PR_BUS_SESSION_PATH "/cycles", PR_BUS_SESSION_INTERFACE, "Start", "h", fd);
        ck_assert_int_ge(sd_bus_call_method_async(fixture.client, NULL, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE,
                                                  "Reload", NULL, NULL, "h", fd), 0);
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "ListSessions", NULL), 0);
}

/* A caller can attach descriptors to anything. The service, which is in this process, closes them with the message. */
START_TEST(test_descriptors_of_wrong_calls) {
        int pair[2];
        unsigned n;

        ck_assert_int_eq(pipe2(pair, O_CLOEXEC), 0);
        send_descriptors(pair[1]); /* what the first calls open for good is open then */
        n = count_fds();
        for (unsigned i = 0; i < 50; i++)
                send_descriptors(pair[1]);
        ck_assert_uint_eq(count_fds(), n);
        ck_assert_int_eq(close(pair[1]), 0);
        ck_assert_int_eq(read(pair[0], &(char){ 0 }, 1), 0); /* nobody has the other end any more */
        ck_assert_int_eq(close(pair[0]), 0);
}
END_TEST

CHECK_MAIN_WITH("bus", fixture_setup_user, fixture_teardown, test_name_is_taken, test_no_bus, test_bus_restarts,
                test_bus_is_gone, test_calls_see_the_files_as_they_are, test_descriptors_of_wrong_calls);
