/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A service of one method that asks polkit before it answers, with a caller and a polkit on a private bus. */

#include <sys/prctl.h>

#include "check-main.h"
#include "fake-polkit.h"
#include "polkit.h"

#define SERVICE "org.example.service"

static PrivateBus bus;
static FakePolkit fake;
static Polkit *polkit;
static sd_bus *service, *client;
static PolkitCheck checks[3] = { { "cycles", "nginx.service" }, { "other", "" }, { "cycles", NULL } };
static size_t n_checks;
static const char *action, *dump, *group;
static unsigned n_entered, n_done, n_units;
static size_t limit;
static Caller caller;

static char *unit_of(const char *session, void *userdata) {
        n_units++;
        ck_assert_str_eq(session, "cycles");
        return strdup("late.service");
}

static bool admits(uid_t uid, void *userdata) {
        return polkit_n_asked(polkit, uid) <= limit;
}

static int on_do(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const PolkitQuestion question = { action, "stop", checks, n_checks, unit_of, dump, group, .admits = admits };
        const char *argument;
        int r;

        n_entered++;
        ck_assert_int_gt(sd_bus_message_read(m, "s", &argument), 0);
        ck_assert_str_eq(argument, "argument");
        (void) polkit_caller(polkit, m, &caller);
        r = polkit_authorize(polkit, m, &question, on_do, userdata, error);
        if (r < 0)
                return r;
        if (r == 0) {
                ck_assert(polkit_is_asked(polkit, m));
                return 1;
        }
        n_done++;
        return sd_bus_reply_method_return(m, NULL);
}

static const sd_bus_vtable vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD("Do", "s", NULL, on_do, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_VTABLE_END,
};

static void setup(void) {
        private_bus_start(&bus);
        fake_polkit_start(&fake, &bus, FAKE_POLKIT_YES);
        service = private_bus_connect(&bus, geteuid());
        client = private_bus_connect(&bus, geteuid());
        ck_assert_int_ge(sd_bus_add_object_vtable(service, NULL, "/x", "org.example.X", vtable, NULL), 0);
        ck_assert_int_ge(sd_bus_request_name(service, SERVICE, 0), 0);
        /* No caller is privileged unless a test sets it. */
        ck_assert_int_eq(polkit_new(service, geteuid() + 1, &polkit), 0);
        n_checks = 1;
        action = "org.perfrecorder1.manage";
        dump = group = NULL;
        n_entered = n_done = n_units = 0;
        limit = 1;
        caller = (Caller) CALLER_UNKNOWN;
}

static void teardown(void) {
        client = sd_bus_flush_close_unref(client);
        polkit = polkit_free(polkit);
        service = sd_bus_flush_close_unref(service);
        fake_polkit_stop(&fake);
        private_bus_stop(&bus);
}

static sd_bus_message *new_call(void) {
        sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_method_call(client, &m, SERVICE, "/x", "org.example.X", "Do"), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "s", "argument"), 0);
        return m;
}

static int call(sd_bus_error *e) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_call();
        int r = private_bus_call(&bus, client, m, e, NULL);

        ck_assert_uint_eq(polkit_n_asked(polkit, geteuid()), 0);
        return r;
}

static void check_refused(const char *name, const char *part) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;

        ck_assert_int_ne(call(&e), 0);
        ck_assert_str_eq(e.name, name);
        ck_assert_msg(strstr(e.message, part), "'%s' not in '%s'", part, e.message);
        ck_assert_uint_eq(n_done, 0);
}

START_TEST(test_yes) {
        const char *name;

        ck_assert_int_eq(call(NULL), 0);
        ck_assert_uint_eq(n_entered, 2);
        ck_assert_uint_eq(n_done, 1);
        ck_assert_int_ge(sd_bus_get_unique_name(client, &name), 0);
        ck_assert_str_eq(fake.subject, name);
        ck_assert_str_eq(fake.action, "org.perfrecorder1.manage");
        ck_assert_uint_eq(fake.n_details, 4);
        ck_assert_str_eq(fake.session, "cycles");
        ck_assert_str_eq(fake.verb, "stop");
        ck_assert_str_eq(fake.unit, "nginx.service");
        ck_assert_str_eq(fake.request, "stop session 'cycles'");
        ck_assert_uint_eq(fake.flags, 0);
}
END_TEST

START_TEST(test_the_caller_is_described) {
        char expected[128];

        ck_assert_int_eq(prctl(PR_SET_NAME, "a\033\xff"), 0);
        ck_assert_int_eq(call(NULL), 0);
        ck_assert_str_eq(caller.comm, "a?\xef\xbf\xbd");
        ck_assert_uint_eq(caller.uid, geteuid());
        ck_assert_int_eq(caller.pid, getpid());
        snprintf(expected, sizeof(expected), "uid %u (%s[%d]", (unsigned) geteuid(), caller.comm, (int) getpid());
        ck_assert_ptr_nonnull(startswith(caller.text, expected)); /* the login, if there is one, follows */
        ck_assert_int_eq(caller.text[strlen(caller.text) - 1], ')');
}
END_TEST

START_TEST(test_what_is_allowed_to_all_needs_the_user_only) {
        fake.mood = FAKE_POLKIT_NO;
        action = NULL;
        ck_assert_int_eq(call(NULL), 0);
        ck_assert_uint_eq(fake.n_asked, 0);
        ck_assert_uint_eq(caller.uid, geteuid());
        ck_assert_int_eq(caller.pid, 0);
}
END_TEST

START_TEST(test_answers_are_not_kept) {
        ck_assert_int_eq(call(NULL), 0);
        ck_assert_int_eq(call(NULL), 0);
        ck_assert_uint_eq(fake.n_asked, 2);
        fake.mood = FAKE_POLKIT_NO;
        ck_assert_int_ne(call(NULL), 0);
}
END_TEST

START_TEST(test_no) {
        fake.mood = FAKE_POLKIT_NO;
        check_refused(SD_BUS_ERROR_ACCESS_DENIED, "stop session 'cycles'");
}
END_TEST

START_TEST(test_challenge) {
        fake.mood = FAKE_POLKIT_CHALLENGE;
        check_refused(SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED,
                      "required to stop session 'cycles': use sudo, or run it on a terminal");
        group = "viewers";
        dump = "cycles-2026";
        check_refused(SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED,
                      "required to stop dump 'cycles-2026': use sudo, or run it on a terminal; members of the group viewers need no password");
}
END_TEST

START_TEST(test_polkit_fails) {
        fake.mood = FAKE_POLKIT_FAILS;
        check_refused(SD_BUS_ERROR_ACCESS_DENIED, "Out of order");
}
END_TEST

START_TEST(test_nonsense) {
        fake_polkit_stop(&fake);
        fake_polkit_start(&fake, &bus, FAKE_POLKIT_NONSENSE);
        check_refused(SD_BUS_ERROR_ACCESS_DENIED, "no valid answer");
}
END_TEST

START_TEST(test_no_polkit) {
        fake_polkit_stop(&fake);
        check_refused(SD_BUS_ERROR_ACCESS_DENIED, "only root");
}
END_TEST

START_TEST(test_privileged) {
        polkit_free(polkit);
        ck_assert_int_eq(polkit_new(service, geteuid(), &polkit), 0);
        fake.mood = FAKE_POLKIT_NO;
        ck_assert_int_eq(call(NULL), 0);
        ck_assert_uint_eq(fake.n_asked, 0);
}
END_TEST

START_TEST(test_every_check_must_pass) {
        n_checks = 3;
        ck_assert_int_eq(call(NULL), 0);
        ck_assert_uint_eq(fake.n_asked, 3);
        ck_assert_uint_eq(n_units, 1);
        ck_assert_str_eq(fake.unit, "late.service");

        n_done = n_units = 0;
        fake.n_asked = 0;
        fake.mood = FAKE_POLKIT_ONLY_CYCLES;
        check_refused(SD_BUS_ERROR_ACCESS_DENIED, "'other'");
        ck_assert_uint_eq(fake.n_asked, 2); /* the third question is saved */
        ck_assert_uint_eq(n_units, 0);      /* and so is the look for its unit */
}
END_TEST

START_TEST(test_no_check_passes_nothing) {
        n_checks = 0;
        check_refused(SD_BUS_ERROR_ACCESS_DENIED, "nobody");
}
END_TEST

START_TEST(test_all_sessions) {
        PolkitCheck saved = checks[0];

        checks[0] = (PolkitCheck) { "", "" };
        ck_assert_int_eq(call(NULL), 0);
        ck_assert_str_eq(fake.session, "");
        ck_assert_uint_eq(fake.n_details, 4);
        n_done = 0;
        fake.mood = FAKE_POLKIT_NO;
        check_refused(SD_BUS_ERROR_ACCESS_DENIED, "to stop;");
        checks[0] = saved;
}
END_TEST

START_TEST(test_interactive) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_call();

        ck_assert_int_ge(sd_bus_message_set_allow_interactive_authorization(m, true), 0);
        ck_assert_int_eq(private_bus_call(&bus, client, m, NULL, NULL), 0);
        ck_assert_uint_eq(fake.flags, 1);
}
END_TEST

START_TEST(test_caller_leaves) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_call();

        fake.mood = FAKE_POLKIT_HOLDS;
        ck_assert_int_ge(sd_bus_call_async(client, NULL, m, NULL, NULL, UINT64_MAX), 0);
        ck_assert(private_bus_wait(&bus, &fake.asked));
        ck_assert_uint_eq(polkit_n_asked(polkit, geteuid()), 1);
        ck_assert_uint_eq(polkit_n_asked(polkit, geteuid() + 1), 0);

        client = sd_bus_flush_close_unref(client);
        ck_assert(private_bus_wait(&bus, &fake.cancelled));
        ck_assert_uint_eq(polkit_n_asked(polkit, geteuid()), 0);
        ck_assert_uint_eq(n_entered, 1);
}
END_TEST

START_TEST(test_limit_per_user) {
        sd_bus *other = private_bus_connect(&bus, geteuid());
        sd_bus *first = client;

        limit = 64;
        fake.mood = FAKE_POLKIT_HOLDS;
        for (unsigned i = 0; i < limit; i++) {
                _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_call();

                ck_assert_int_ge(sd_bus_call_async(client, NULL, m, NULL, NULL, UINT64_MAX), 0);
        }
        while (fake.n_asked < limit)
                private_bus_settle(&bus, client);

        /* Another connection can't either. */
        client = other;
        {
                _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;
                _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_call();

                ck_assert_int_ne(private_bus_call(&bus, client, m, &e, NULL), 0);
                ck_assert_str_eq(e.name, SD_BUS_ERROR_LIMITS_EXCEEDED);
        }
        ck_assert_uint_eq(fake.n_asked, limit);
        client = first;
        sd_bus_flush_close_unref(other);
}
END_TEST

START_TEST(test_freed_while_asking) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_call();

        fake.mood = FAKE_POLKIT_HOLDS;
        ck_assert_int_ge(sd_bus_call_async(client, NULL, m, NULL, NULL, UINT64_MAX), 0);
        ck_assert(private_bus_wait(&bus, &fake.asked));
        polkit = polkit_free(polkit);
        ck_assert(private_bus_wait(&bus, &fake.cancelled));
        ck_assert_uint_eq(n_entered, 1);
}
END_TEST

CHECK_MAIN_WITH("polkit", setup, teardown, test_yes, test_the_caller_is_described,
                test_what_is_allowed_to_all_needs_the_user_only, test_answers_are_not_kept, test_no, test_challenge,
                test_polkit_fails, test_nonsense, test_no_polkit, test_privileged, test_every_check_must_pass,
                test_no_check_passes_nothing, test_all_sessions, test_interactive, test_caller_leaves,
                test_limit_per_user, test_freed_while_asking);
