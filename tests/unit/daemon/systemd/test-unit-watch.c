/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Failing units, reported by the test's own systemd on a private bus. */

#include "check-main.h"
#include "private-bus.h"
#include "unit-watch.h"

#define SERVICE "org.freedesktop.systemd1"
#define UNIT_INTERFACE SERVICE ".Unit"
#define SERVICE_INTERFACE SERVICE ".Service"
#define WEB SERVICE_PATH "web_2eservice"
#define SERVICE_PATH "/org/freedesktop/systemd1/unit/"

static PrivateBus bus;
static sd_bus *systemd;
static ScopeClient *client;
static UnitWatch *watch;
static const char *active, *sub, *result;
static uint8_t invocation[16];
static usec_t changed; /* StateChangeTimestampMonotonic */
static unsigned n_failed;
static bool failed_now;
static char last[512], subscriber[64];

static int get_text(sd_bus *b, const char *path, const char *interface, const char *property, sd_bus_message *reply, void *userdata,
                    sd_bus_error *error) {
        return sd_bus_message_append(reply, "s", **(const char ***) userdata);
}

static int get_invocation(sd_bus *b, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                          void *userdata, sd_bus_error *error) {
        return sd_bus_message_append_array(reply, 'y', invocation, sizeof(invocation));
}

static int get_changed(sd_bus *b, const char *path, const char *interface, const char *property, sd_bus_message *reply, void *userdata,
                       sd_bus_error *error) {
        return sd_bus_message_append(reply, "t", changed);
}

static int subscribe(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        (void) snprintf(subscriber, sizeof(subscriber), "%s", sd_bus_message_get_sender(m));
        return sd_bus_reply_method_return(m, NULL);
}

static const char **texts[] = { &active, &sub, &result };

static const sd_bus_vtable manager_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD("Subscribe", NULL, NULL, subscribe, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_VTABLE_END,
};

static const sd_bus_vtable unit_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_PROPERTY("ActiveState", "s", get_text, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("SubState", "s", get_text, sizeof(*texts), SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("InvocationID", "ay", get_invocation, 0, 0),
        SD_BUS_PROPERTY("StateChangeTimestampMonotonic", "t", get_changed, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_VTABLE_END,
};

static const sd_bus_vtable service_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_PROPERTY("Result", "s", get_text, 2 * sizeof(*texts), SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_VTABLE_END,
};

static int find(sd_bus *b, const char *path, const char *interface, void *userdata, void **ret, sd_bus_error *error) {
        *ret = texts;
        return 1;
}

static void begin_systemd(void) {
        systemd = private_bus_connect(&bus, getuid());
        ck_assert_int_ge(sd_bus_add_object_vtable(systemd, NULL, "/org/freedesktop/systemd1", SERVICE ".Manager", manager_vtable, NULL), 0);
        ck_assert_int_ge(sd_bus_add_fallback_vtable(systemd, NULL, "/org/freedesktop/systemd1/unit", UNIT_INTERFACE, unit_vtable,
                                                    find, NULL), 0);
        ck_assert_int_ge(sd_bus_add_fallback_vtable(systemd, NULL, "/org/freedesktop/systemd1/unit", SERVICE_INTERFACE,
                                                    service_vtable, find, NULL), 0);
        ck_assert_int_ge(sd_bus_request_name(systemd, SERVICE, 0), 0);
}

static void on_failed(const char *unit, const char *id, void *userdata) {
        n_failed++;
        failed_now = true;
        (void) snprintf(last, sizeof(last), "%s %s", unit, id);
}

/* Runs the loop: Hello, matches and questions need a few turns each. */
static void settle(void) {
        for (int i = 0; i < 10; i++)
                private_bus_settle(&bus, systemd);
}

static void setup(void) {
        private_bus_start(&bus);
        begin_systemd();
        n_failed = 0;
        active = "active";
        sub = "running";
        result = "success";
        memset(invocation, 0xa5, sizeof(invocation));
        ck_assert_int_eq(scope_client_new(bus.event, false, &client), 0);
        ck_assert_int_eq(unit_watch_new(client, on_failed, NULL, &watch), 0);
        settle();
}

static void teardown(void) {
        watch = unit_watch_free(watch);
        client = scope_client_free(client);
        systemd = sd_bus_flush_close_unref(systemd);
        private_bus_stop(&bus);
}

static void set_state(const char *new_active, const char *new_sub, const char *new_result) {
        active = new_active;
        sub = new_sub;
        result = new_result;
        changed = now_usec(CLOCK_MONOTONIC);
}

/* systemd sends all of them when one changes, also when a job is queued. */
static void emit(void) {
        failed_now = false;
        ck_assert_int_ge(sd_bus_emit_properties_changed(systemd, WEB, SERVICE_INTERFACE, "Result", NULL), 0);
        ck_assert_int_ge(sd_bus_emit_properties_changed(systemd, WEB, UNIT_INTERFACE, "ActiveState", "SubState",
                                                        "StateChangeTimestampMonotonic", NULL), 0);
}

static void change(const char *new_active, const char *new_sub, const char *new_result) {
        set_state(new_active, new_sub, new_result);
        emit();
}

/* Before the question about the signal that was sent last is answered. */
static void start_again(void) {
        set_state("active", "running", "success");
        invocation[0]++;
}

START_TEST(test_failed) {
        change("failed", "failed", "exit-code");
        ck_assert(private_bus_wait(&bus, &failed_now));
        ck_assert_str_eq(last, "web.service a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5");
        settle();
        ck_assert_uint_eq(n_failed, 1);
}
END_TEST

/* Before systemd 254 a service that is restarted is never "failed"; since then it is, before it waits for its
 * restart. */
START_TEST(test_restarted) {
        change("activating", "auto-restart", "exit-code");
        ck_assert(private_bus_wait(&bus, &failed_now));
        change("failed", "failed-before-auto-restart", "exit-code");
        change("activating", "auto-restart", "exit-code");
        settle();
        ck_assert_uint_eq(n_failed, 1);

        invocation[0] = 1; /* it failed again */
        change("activating", "auto-restart", "signal");
        ck_assert(private_bus_wait(&bus, &failed_now));
        ck_assert_uint_eq(n_failed, 2);
        ck_assert_str_eq(last, "web.service 01a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5");
}
END_TEST

START_TEST(test_no_failure) {
        change("activating", "auto-restart", "success"); /* Restart=always */
        change("inactive", "dead", "success");
        change("active", "running", "success");
        settle();
        ck_assert_uint_eq(n_failed, 0);
}
END_TEST

/* The job for the start of a failed unit makes systemd send its state once more, and the answer to the question about that
 * already has the next invocation. */
START_TEST(test_failed_again) {
        change("failed", "failed", "signal");
        ck_assert(private_bus_wait(&bus, &failed_now));
        emit();
        start_again();
        settle();
        emit();
        settle();
        ck_assert_uint_eq(n_failed, 1);

        change("failed", "failed", "signal");
        ck_assert(private_bus_wait(&bus, &failed_now));
        ck_assert_str_eq(last, "web.service a6a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5");
        change("inactive", "dead", "success"); /* systemctl reset-failed */
        settle();
        ck_assert_uint_eq(n_failed, 2);
}
END_TEST

/* The invocation that failed is not the one that the answer has. */
START_TEST(test_started_before_the_answer) {
        change("failed", "failed", "signal");
        start_again();
        ck_assert(private_bus_wait(&bus, &failed_now));
        ck_assert_str_eq(last, "web.service ");
        emit();
        change("failed", "failed", "signal");
        ck_assert(private_bus_wait(&bus, &failed_now));
        ck_assert_str_eq(last, "web.service a6a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5");
        settle();
        ck_assert_uint_eq(n_failed, 2);
}
END_TEST

/* A job of a unit, or a reload of systemd, shows a failure from before anybody listened. */
START_TEST(test_failed_before) {
        set_state("failed", "failed", "signal");
        watch = unit_watch_free(watch);
        settle();
        ck_assert_int_eq(unit_watch_new(client, on_failed, NULL, &watch), 0);
        settle();
        emit();
        settle();
        emit();
        start_again();
        settle();
        ck_assert_uint_eq(n_failed, 0);
        change("failed", "failed", "signal");
        ck_assert(private_bus_wait(&bus, &failed_now));
}
END_TEST

static void forge_owner(sd_bus *user, const char *owner) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_signal(user, &m, "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged"), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "sss", SERVICE, "", owner), 0);
        ck_assert_int_ge(sd_bus_send_to(user, m, subscriber, NULL), 0);
}

static void forge_failure(sd_bus *user) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_signal(user, &m, WEB, "org.freedesktop.DBus.Properties", "PropertiesChanged"), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "sa{sv}as", UNIT_INTERFACE, 1, "ActiveState", "s", "failed", 0), 0);
        ck_assert_int_ge(sd_bus_send_to(user, m, subscriber, NULL), 0);
}

/* Any user may send signals straight to a connection. */
START_TEST(test_forged_signals) {
        sd_bus *user = private_bus_connect(&bus, getuid());
        const char *name;

        ck_assert_int_ge(sd_bus_get_unique_name(user, &name), 0);
        forge_failure(user);
        forge_owner(user, name);
        forge_failure(user);
        private_bus_settle(&bus, user);
        settle();
        ck_assert_uint_eq(n_failed, 0);
        change("failed", "failed", "exit-code"); /* systemd's own still count */
        ck_assert(private_bus_wait(&bus, &failed_now));
        sd_bus_flush_close_unref(user);
}
END_TEST

/* systemd has another connection after systemctl daemon-reexec. */
START_TEST(test_systemd_restarts) {
        systemd = sd_bus_flush_close_unref(systemd);
        begin_systemd();
        settle();
        change("failed", "failed", "exit-code");
        ck_assert(private_bus_wait(&bus, &failed_now));
}
END_TEST

START_TEST(test_bus_restarts) {
        systemd = sd_bus_flush_close_unref(systemd);
        private_bus_restart(&bus);
        begin_systemd();
        for (int i = 0; i < 100 && n_failed == 0; i++) { /* it listens again after a second */
                change("failed", "failed", "exit-code");
                settle();
                (void) sd_event_run(bus.event, 100000);
        }
        ck_assert_uint_eq(n_failed, 1);
}
END_TEST

/* Anybody may send messages to a connection; descriptors in them would use up the service's. */
START_TEST(test_no_descriptors) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL, *reply = NULL;
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;

        ck_assert_int_ge(sd_bus_message_new_method_call(systemd, &m, subscriber, "/", "org.freedesktop.DBus.Peer", "Ping"), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "h", STDIN_FILENO), 0);
        ck_assert_int_ne(private_bus_call(&bus, systemd, m, &e, &reply), 0);
        ck_assert_str_eq(e.name, SD_BUS_ERROR_NOT_SUPPORTED);
}
END_TEST

CHECK_MAIN_WITH("unit-watch", setup, teardown, test_no_descriptors, test_failed, test_restarted, test_no_failure, test_failed_again,
                test_started_before_the_answer, test_failed_before, test_forged_signals, test_systemd_restarts, test_bus_restarts);
