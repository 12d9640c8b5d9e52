/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps of every method call: polkit's question by the row's action, limits, and answers to callers who may have
 * left. */

#include <check.h>
#include <signal.h>

#include "bus-call.h"
#include "bus-fixture.h"
#include "fake-polkit.h"
#include "format-text.h"

#define CYCLES PR_BUS_SESSION_PATH "/cycles"

static FakePolkit polkit;
static sd_bus *ordinary; /* a caller that root's service does not trust */

static void setup_polkit(void) {
        fixture_setup_system();
        fake_polkit_start(&polkit, &fixture.bus, FAKE_POLKIT_YES);
        ordinary = private_bus_connect(&fixture.bus, geteuid() == 0 ? 65534 : geteuid());
}

static void teardown_polkit(void) {
        ordinary = sd_bus_flush_close_unref(ordinary);
        fake_polkit_stop(&polkit);
        fixture_teardown();
}

static int call(sd_bus *caller, sd_bus_error *e, const char *path, const char *interface, const char *member,
                const char *types, ...) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        va_list ap;

        ck_assert_int_ge(sd_bus_message_new_method_call(caller, &m, PR_BUS_NAME, path, interface, member), 0);
        va_start(ap, types);
        if (types)
                ck_assert_int_ge(sd_bus_message_appendv(m, types, ap), 0);
        va_end(ap);
        return private_bus_call(&fixture.bus, caller, m, e, NULL);
}

static void check_asked(const char *verb, const char *action, const char *session, const char *unit) {
        ck_assert_msg(polkit.asked == (action != NULL), "%s", verb);
        if (action) {
                ck_assert_str_eq(polkit.action, action);
                ck_assert_str_eq(polkit.verb, verb);
                ck_assert_str_eq(polkit.session, session);
                ck_assert_str_eq(polkit.unit, unit);
        }
        polkit.asked = false;
}

#define MANAGER(member, ...) ck_assert_int_eq(call(ordinary, NULL, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, member, __VA_ARGS__), 0)
#define SESSION(member, ...) ck_assert_int_eq(call(ordinary, NULL, CYCLES, PR_BUS_SESSION_INTERFACE, member, __VA_ARGS__), 0)

START_TEST(test_actions_of_manager) {
        static const char *const verbs[][2] = {
                { "Start", "start" }, { "Stop", "stop" }, { "Restart", "restart" }, { "Pause", "pause" }, { "Resume", "resume" },
        };

        for (size_t i = 0; i < ELEMENTSOF(verbs); i++) {
                MANAGER(verbs[i][0], "as", 1, "cycles");
                check_asked(verbs[i][1], PR_POLKIT_MANAGE, "cycles", "nginx.service");
                MANAGER(verbs[i][0], "as", 0);
                check_asked(verbs[i][1], PR_POLKIT_MANAGE, "", "");
        }
        MANAGER("Enable", "asb", 1, "cycles", 1);
        check_asked("enable", PR_POLKIT_MANAGE, "cycles", "nginx.service");
        MANAGER("Disable", "asb", 1, "idle", 0);
        check_asked("disable", PR_POLKIT_MANAGE, "idle", "");
        MANAGER("GetSessionFileState", "s", "cycles");
        check_asked("get-file-state", NULL, NULL, NULL);
        MANAGER("Signal", "asi", 1, "idle", SIGUSR2);
        check_asked("signal", PR_POLKIT_MANAGE, "idle", "");
        MANAGER("Signal", "asi", 1, "nosuch", SIGUSR2);
        check_asked("signal", PR_POLKIT_MANAGE, "nosuch", "");
        MANAGER("Reload", NULL);
        check_asked("reload", PR_POLKIT_MANAGE, "", "");
        MANAGER("Exit", NULL);
        check_asked("exit", PR_POLKIT_MANAGE, "", "");
        MANAGER("StartTransient", "sa{sv}", "new", 1, "Record.Unit", "s", "nginx.service");
        check_asked("start-transient", PR_POLKIT_RECORD, "new", "nginx.service");
        MANAGER("Ping", "ast", 1, "cycles", UINT64_C(0));
        check_asked("ping", NULL, NULL, NULL);
        MANAGER("ListSessions", NULL);
        check_asked("list", NULL, NULL, NULL);
        MANAGER("GetSession", "s", "cycles");
        check_asked("get", NULL, NULL, NULL);
}
END_TEST

/* A question has the request in words, which are not the verbs of the bus. */
START_TEST(test_requests_in_words) {
        static const struct {
                const char *member, *session, *request;
        } calls[] = {
                { "Stop", "cycles", "stop session 'cycles'" },
                { "Stop", NULL, "stop all sessions" },
                { "Dump", "cycles", "dump session 'cycles'" },
                { "Signal", "idle", "send a signal to session 'idle'" },
                { "StartTransient", "try", "start the transient session 'try'" },
                { "Reload", NULL, "reload the session files" },
                { "Exit", NULL, "end perf-recorderd" },
        };

        polkit.mood = FAKE_POLKIT_CHALLENGE;
        for (size_t i = 0; i < ELEMENTSOF(calls); i++) {
                _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;
                const char *member = calls[i].member, *session = calls[i].session;
                _cleanup_free_ char *expected = format_text("Authentication is required to %s: use sudo", calls[i].request);

                if (streq(member, "StartTransient"))
                        (void) call(ordinary, &e, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, member, "sa{sv}", session, 0);
                else if (streq(member, "Signal"))
                        (void) call(ordinary, &e, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, member, "asi", 1, session, SIGUSR2);
                else if (streq(member, "Dump"))
                        (void) call(ordinary, &e, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, member, "asa{sv}", 1, session, 0);
                else if (session)
                        (void) call(ordinary, &e, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, member, "as", 1, session);
                else
                        (void) call(ordinary, &e, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, member,
                                    streq(member, "Stop") ? "as" : NULL, 0);
                ck_assert_str_eq(polkit.request, calls[i].request);
                ck_assert_msg(e.message && startswith(e.message, expected), "%s", e.message);
        }
}
END_TEST

START_TEST(test_actions_of_session) {
        static const char *const verbs[][2] = {
                { "Start", "start" }, { "Stop", "stop" }, { "Restart", "restart" }, { "Pause", "pause" }, { "Resume", "resume" },
        };

        for (size_t i = 0; i < ELEMENTSOF(verbs); i++) {
                SESSION(verbs[i][0], NULL);
                check_asked(verbs[i][1], PR_POLKIT_MANAGE, "cycles", "nginx.service");
        }
        SESSION("Enable", "b", 0);
        check_asked("enable", PR_POLKIT_MANAGE, "cycles", "nginx.service");
        SESSION("Disable", "b", 1);
        check_asked("disable", PR_POLKIT_MANAGE, "cycles", "nginx.service");
        SESSION("Signal", "i", SIGUSR2);
        check_asked("signal", PR_POLKIT_MANAGE, "cycles", "nginx.service");
        SESSION("Ping", "t", UINT64_C(0));
        check_asked("ping", NULL, NULL, NULL);
}
END_TEST

START_TEST(test_refusal_reaches_no_session) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;

        polkit.mood = FAKE_POLKIT_ONLY_CYCLES;
        ck_assert_int_ne(call(ordinary, &e, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Stop", "as", 2, "cycles", "idle"), 0);
        ck_assert_str_eq(e.name, SD_BUS_ERROR_ACCESS_DENIED);
        ck_assert_int_ne(call(ordinary, NULL, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Stop", "as", 0), 0);
        ck_assert_int_ne(call(ordinary, NULL, PR_BUS_SESSION_PATH "/idle", PR_BUS_SESSION_INTERFACE, "Stop", NULL), 0);
        ck_assert_uint_eq(fixture.manager->n_calls, 0);
        MANAGER("Stop", "as", 1, "cycles");
        ck_assert_uint_eq(fixture.manager->n_calls, 1);
}
END_TEST

/* Names are checked before polkit is asked, so it is only asked about valid names. */
START_TEST(test_validation_comes_first) {
        ck_assert_int_ne(call(ordinary, NULL, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Stop", "as", 1, "../x"), 0);
        ck_assert(!polkit.asked);
}
END_TEST

START_TEST(test_root_is_not_asked_about) {
        if (geteuid() != 0)
                return; /* as the caller is not root then */
        polkit.mood = FAKE_POLKIT_NO;
        ck_assert_int_eq(call(fixture.client, NULL, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Stop", "as", 1, "cycles"), 0);
        ck_assert(!polkit.asked);
}
END_TEST

#define DUMP_OBJECT PR_BUS_DUMP_PATH "/cycles_2d2026112110531801"
#define DUMP(member) call(ordinary, NULL, DUMP_OBJECT, PR_BUS_DUMP_INTERFACE, member, NULL)

START_TEST(test_actions_of_dumps) {
        _cleanup_free_ char *detail = NULL;

        fake_manager_add_dump(fixture.manager, "cycles", "2026112110531801");
        MANAGER("ListDumps", "as", 0);
        check_asked("list-dumps", NULL, NULL, NULL);
        MANAGER("Dump", "asa{sv}", 1, "cycles", 1, "reason", "s", "why");
        check_asked("dump", PR_POLKIT_DUMP, "cycles", "nginx.service");
        ck_assert_int_gt(asprintf(&detail, "uid %u (", geteuid() == 0 ? 65534 : geteuid()), 0);
        ck_assert_ptr_nonnull(startswith(fixture.manager->dump_detail, detail));
        ck_assert_ptr_nonnull(strstr(fixture.manager->dump_detail, "): why"));
        MANAGER("Dump", "asa{sv}", 0, 0);
        check_asked("dump", PR_POLKIT_DUMP, "", "");
        MANAGER("DumpObjects", "asa{sv}", 1, "cycles", 0);
        check_asked("dump", PR_POLKIT_DUMP, "cycles", "nginx.service");
        SESSION("Dump", "a{sv}", 0);
        check_asked("dump", PR_POLKIT_DUMP, "cycles", "nginx.service");
        SESSION("OpenWindow", "tb", UINT64_C(0), 0);
        check_asked("open", PR_POLKIT_VIEW, "cycles", "nginx.service");
        ck_assert_int_eq(DUMP("Open"), 0);
        check_asked("open", PR_POLKIT_VIEW, "cycles", "nginx.service");
        ck_assert_int_ne(DUMP("OpenSymbols"), 0); /* it has none */
        check_asked("open", PR_POLKIT_VIEW, "cycles", "nginx.service");
        polkit.mood = FAKE_POLKIT_NO;
        ck_assert_int_ne(DUMP("Open"), 0);
        ck_assert_int_ne(DUMP("Remove"), 0);
        check_asked("remove", PR_POLKIT_DUMP, "cycles", "nginx.service");
        ck_assert_uint_eq(fixture.manager->n_dumps, 1);
        polkit.mood = FAKE_POLKIT_YES;
        ck_assert_int_eq(DUMP("Remove"), 0);
        ck_assert_uint_eq(fixture.manager->n_dumps, 0);
}
END_TEST

/* The dump is looked up again when polkit has answered. */
START_TEST(test_dump_leaves_while_polkit_is_asked) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;

        fake_manager_add_dump(fixture.manager, "cycles", "2026112110531801");
        polkit.mood = FAKE_POLKIT_HOLDS;
        ck_assert_int_ge(sd_bus_message_new_method_call(ordinary, &m, PR_BUS_NAME, DUMP_OBJECT, PR_BUS_DUMP_INTERFACE, "Open"), 0);
        ck_assert_int_ge(sd_bus_send(ordinary, m, NULL), 0);
        ck_assert(private_bus_wait(&fixture.bus, &polkit.asked));
        ck_assert_int_eq(manager_remove_dump(fixture.manager, fixture.manager->dumps[0]), 0);
        private_bus_settle(&fixture.bus, ordinary);
}
END_TEST

static int on_reply(sd_bus_message *reply, void *userdata, sd_bus_error *error) {
        bool *there = userdata;

        *there = true;
        return 0;
}

static void send_call(sd_bus *caller, const char *path, const char *interface, const char *member, const char *types,
                 const char *name, bool *there) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_method_call(caller, &m, PR_BUS_NAME, path, interface, member), 0);
        if (types)
                ck_assert_int_ge(sd_bus_message_append(m, types, 1, name), 0);
        ck_assert_int_ge(sd_bus_call_async(caller, NULL, m, on_reply, there, UINT64_MAX), 0);
}

START_TEST(test_session_leaves_while_polkit_is_asked) {
        bool there = false;

        polkit.mood = FAKE_POLKIT_HOLDS;
        send_call(ordinary, PR_BUS_SESSION_PATH "/idle", PR_BUS_SESSION_INTERFACE, "Stop", NULL, NULL, &there);
        ck_assert(private_bus_wait(&fixture.bus, &polkit.asked));
        fake_manager_remove(fixture.manager, "idle");
        fake_polkit_stop(&polkit); /* which ends the question */
        ck_assert(private_bus_wait(&fixture.bus, &there));
        ck_assert_uint_eq(fixture.manager->n_calls, 0);
}
END_TEST

/* Open and Remove of a dump, and Signal, are under way only then. */
START_TEST(test_service_ends_while_polkit_is_asked) {
        bool there[6] = {}, gone = false;

        fake_manager_add_dump(fixture.manager, "cycles", "2026112110531801");
        polkit.mood = FAKE_POLKIT_HOLDS;
        send_call(ordinary, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Stop", "as", "cycles", &there[0]);
        send_call(ordinary, CYCLES, PR_BUS_SESSION_INTERFACE, "Stop", NULL, NULL, &there[1]);
        send_call(ordinary, CYCLES, PR_BUS_SESSION_INTERFACE, "Signal", "i", NULL, &there[2]);
        send_call(ordinary, DUMP_OBJECT, PR_BUS_DUMP_INTERFACE, "Open", NULL, NULL, &there[3]);
        send_call(ordinary, DUMP_OBJECT, PR_BUS_DUMP_INTERFACE, "OpenSymbols", NULL, NULL, &there[4]);
        send_call(ordinary, DUMP_OBJECT, PR_BUS_DUMP_INTERFACE, "Remove", NULL, NULL, &there[5]);
        while (polkit.n_asked < ELEMENTSOF(there)) {
                polkit.asked = false;
                ck_assert(private_bus_wait(&fixture.bus, &polkit.asked));
        }
        private_bus_note_end(fixture.service->bus, &gone);
        fixture.service = bus_free(fixture.service);
        ck_assert(gone);
        for (size_t i = 0; i < ELEMENTSOF(there); i++)
                ck_assert(private_bus_wait(&fixture.bus, &there[i]));
}
END_TEST

/* Makes n more calls, so that n_all are held. */
static void hold(sd_bus *caller, unsigned n_all, unsigned n, bool *there) {
        fixture.manager->hold = true;
        for (unsigned i = 0; i < n; i++)
                send_call(caller, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Start", "as", "cycles", there);
        while (fixture.manager->n_held < n_all)
                private_bus_settle(&fixture.bus, caller);
}

START_TEST(test_caller_leaves) {
        sd_bus *other = private_bus_connect(&fixture.bus, geteuid());
        bool there = false;

        hold(other, 3, 3, &there);
        other = sd_bus_flush_close_unref(other);
        private_bus_settle(&fixture.bus, fixture.client);
        fake_manager_release(fixture.manager, FAILURE_RECORDER, "Failed");
        fixture.manager->hold = false;
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Start", "as", 1, "cycles"), 0);
}
END_TEST

/* Operations that can be withdrawn are. */
START_TEST(test_caller_of_ping_leaves) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        sd_bus *other = private_bus_connect(&fixture.bus, geteuid());

        fixture.manager->hold = true;
        ck_assert_int_ge(sd_bus_message_new_method_call(other, &m, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Ping"), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "ast", 1, "cycles", UINT64_C(0)), 0);
        ck_assert_int_ge(sd_bus_send(other, m, NULL), 0);
        while (fixture.manager->n_pings == 0)
                private_bus_settle(&fixture.bus, other);
        private_bus_settle(&fixture.bus, fixture.client);
        ck_assert_uint_eq(fixture.manager->n_pings, 1);
        m = sd_bus_message_unref(m);
        other = sd_bus_flush_close_unref(other);
        while (fixture.manager->n_pings > 0)
                private_bus_settle(&fixture.bus, fixture.client);
}
END_TEST

/* A user with many connections has one limit; root has a limit of its own. */
START_TEST(test_limit_per_user) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;
        unsigned n = 0;
        sd_bus *callers[BUS_CALLS_PER_USER_MAX / 32] = {};
        bool there = false;

        if (geteuid() != 0)
                return; /* as there is only one user then */
        for (size_t i = 0; i < ELEMENTSOF(callers); i++) {
                callers[i] = private_bus_connect(&fixture.bus, 65534);
                hold(callers[i], n += 32, 32, &there);
        }
        ck_assert_int_ne(call(ordinary, &e, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Start", "as", 1, "cycles"), 0);
        ck_assert_str_eq(e.name, SD_BUS_ERROR_LIMITS_EXCEEDED);
        ck_assert_int_ne(call(ordinary, NULL, CYCLES, PR_BUS_SESSION_INTERFACE, "Ping", "t", UINT64_C(0)), 0);
        hold(fixture.client, n + 1, 1, &there);
        fixture.manager->hold = false;
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Ping", "ast", 1, "cycles", UINT64_C(0)), 0);
        fake_manager_release(fixture.manager, 0, NULL);
        ck_assert_int_eq(call(ordinary, NULL, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Start", "as", 1, "cycles"), 0);
        for (size_t i = 0; i < ELEMENTSOF(callers); i++)
                sd_bus_flush_close_unref(callers[i]);
}
END_TEST

/* Calls that await authorization count, and leave room for other users. */
START_TEST(test_limit_of_questions) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;
        sd_bus *other;
        bool there = false;

        if (geteuid() != 0)
                return;
        other = private_bus_connect(&fixture.bus, 1);
        polkit.mood = FAKE_POLKIT_HOLDS;
        for (unsigned i = 0; i < BUS_CALLS_PER_USER_MAX; i++)
                send_call(ordinary, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Start", "as", "cycles", &there);
        while (polkit.n_asked < BUS_CALLS_PER_USER_MAX)
                private_bus_settle(&fixture.bus, ordinary);
        ck_assert_int_ne(call(ordinary, &e, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Start", "as", 1, "cycles"), 0);
        ck_assert_str_eq(e.name, SD_BUS_ERROR_LIMITS_EXCEEDED);
        polkit.mood = FAKE_POLKIT_YES;
        ck_assert_int_eq(call(other, NULL, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Start", "as", 1, "cycles"), 0);
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Start", "as", 1, "cycles"), 0);
        ck_assert(!there);
        sd_bus_flush_close_unref(other);
}
END_TEST

typedef struct Answers {
        unsigned n, n_errors;
} Answers;

static int on_objects(sd_bus_message *reply, void *userdata, sd_bus_error *error) {
        Answers *a = userdata;

        if (sd_bus_message_is_method_error(reply, SD_BUS_ERROR_LIMITS_EXCEEDED))
                a->n_errors++;
        else
                a->n++;
        return 0;
}

/* Once no large answer waits, their memory is given back, and nothing more wakes the service. */
static void await_trim(void) {
        ck_assert_ptr_nonnull(fixture.service->large.trim);
        while (sd_event_source_get_enabled(fixture.service->large.trim, NULL) > 0) /* it may have run already */
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 30 * USEC_PER_SEC), 1);
}

#define LARGE_SIZE (2U << 20)

/* The text is the caller's, who puts another in its place before freeing it. */
static void set_large_description(char **text) {
        *text = malloc(LARGE_SIZE);
        memset(*text, 'x', LARGE_SIZE - 1);
        (*text)[LARGE_SIZE - 1] = '\0';
        fixture.manager->all[0]->description = *text;
}

static void ask_for_objects(sd_bus *caller, unsigned n, Answers *answers) {
        for (unsigned i = 0; i < n; i++)
                ck_assert_int_ge(sd_bus_call_method_async(caller, NULL, PR_BUS_NAME, PR_BUS_PATH,
                                                          "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", on_objects,
                                                          answers, NULL), 0);
        ck_assert_int_ge(sd_bus_flush(caller), 0);
        (void) usleep(100000); /* until the bus has passed them on */
}

/* The number of unread answers is limited for every caller. */
START_TEST(test_large_answers) {
        _cleanup_free_ char *text = NULL;
        unsigned n = 60;
        Answers a = {};

        set_large_description(&text);
        ask_for_objects(fixture.client, n, &a);
        ck_assert_int_eq(kill(fixture.bus.pid, SIGSTOP), 0);
        while (sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC) > 0)
                ;
        ck_assert_int_eq(kill(fixture.bus.pid, SIGCONT), 0);
        while (a.n + a.n_errors < n)
                ck_assert_int_gt(sd_event_run(fixture.bus.event, 10 * USEC_PER_SEC), 0);
        ck_assert_uint_ge(a.n, 1);
        ck_assert_uint_le(a.n, 8 + 1 + LARGE_ANSWERS_PER_SENDER_MAX); /* the socket of sd-bus takes 16 MB: 8 of them */
        ck_assert_int_eq(fixture_call(NULL, NULL, PR_BUS_PATH, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", NULL), 0);
        fixture.manager->all[0]->description = "A session";
        await_trim();
}
END_TEST

static void let_bus_continue_later(void) {
        pid_t parent = getpid(), pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid > 0)
                return;
        (void) usleep(200000);
        _exit(getppid() == parent && kill(fixture.bus.pid, SIGCONT) >= 0 ? 0 : 1);
}

/* One call of the caller, while as many answers as there may be in all wait to be sent to others. Returns whether it is answered. The
 * bus continues when the service asks it about a caller, or else after that. */
static bool is_answered_behind_others(sd_bus *caller, bool bus_is_stuck) {
        _cleanup_free_ char *text = NULL;
        sd_bus *other = private_bus_connect(&fixture.bus, 65534);
        Answers of_others = {}, own = {};
        uint64_t n_queued = 0;
        const char *name;

        set_large_description(&text);
        ck_assert_int_ge(sd_bus_get_unique_name(other, &name), 0);
        ask_for_objects(other, 60, &of_others);
        ask_for_objects(caller, 1, &own);
        ck_assert_int_eq(kill(fixture.bus.pid, SIGSTOP), 0);
        while (n_queued == 0) {
                ck_assert_int_gt(sd_event_run(fixture.bus.event, 10 * USEC_PER_SEC), 0);
                ck_assert_int_ge(sd_bus_get_n_queued_write(fixture.service->bus, &n_queued), 0);
        }
        while (strv_length(fixture.service->large.receivers) < LARGE_ANSWERS_SENDERS_MAX)
                ck_assert_int_ge(strv_extend(&fixture.service->large.receivers, name), 0);
        if (!bus_is_stuck)
                let_bus_continue_later();
        while (bus_is_stuck && !fixture.service->large.is_stuck)
                ck_assert_int_gt(sd_event_run(fixture.bus.event, 10 * USEC_PER_SEC), 0);
        while (bus_is_stuck && sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC) > 0)
                ; /* the caller's call is last: a bus that continues may have read all before it is looked at */
        ck_assert_int_eq(bus_is_stuck ? kill(fixture.bus.pid, SIGCONT) : 0, 0);
        while (own.n + own.n_errors == 0)
                ck_assert_int_gt(sd_event_run(fixture.bus.event, 10 * USEC_PER_SEC), 0);
        fixture.manager->all[0]->description = "A session";
        sd_bus_close_unref(other);
        return own.n > 0;
}

/* Root is not refused because of what others leave unread, as long as the bus says who calls. */
START_TEST(test_large_answers_of_others) {
        if (geteuid() != 0)
                return; /* as there is only one user then */
        ck_assert(is_answered_behind_others(fixture.client, false));
        ck_assert(!fixture.service->large.is_stuck);
        ck_assert(!is_answered_behind_others(ordinary, true));
        fixture.service->large.limit = (RateLimit) {}; /* as after a while */
        ck_assert_int_eq(call(ordinary, NULL, PR_BUS_PATH, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", NULL), 0);
        ck_assert(!fixture.service->large.is_stuck);
}
END_TEST

/* A user who reads all answers gets a few of them in a time, and root gets all. */
START_TEST(test_large_answers_often) {
        const unsigned n = 4 * LARGE_ANSWERS_PER_USER_MAX;
        Answers a = {}, of_root = {};

        if (geteuid() != 0)
                return;
        ask_for_objects(ordinary, n, &a);
        while (a.n + a.n_errors < n)
                ck_assert_int_gt(sd_event_run(fixture.bus.event, 10 * USEC_PER_SEC), 0);
        ck_assert_uint_ge(a.n, 1);
        ck_assert_uint_le(a.n, 2 * LARGE_ANSWERS_PER_USER_MAX);
        ask_for_objects(fixture.client, n, &of_root);
        while (of_root.n + of_root.n_errors < n)
                ck_assert_int_gt(sd_event_run(fixture.bus.event, 10 * USEC_PER_SEC), 0);
        ck_assert_uint_eq(of_root.n, n);
}
END_TEST

START_TEST(test_names_are_asked_about_once) {
        ck_assert_int_eq(MANAGER_CALL(NULL, NULL, "Start", "as", 3, "cycles", "idle", "cycles"), 0);
        ck_assert_uint_eq(strv_length(fixture.manager->names), 2);
}
END_TEST

START_TEST(test_bus_leaves) {
        bool there = false;

        hold(fixture.client, 3, 3, &there);
        fixture.service = bus_free(fixture.service);
        fake_manager_release(fixture.manager, 0, NULL);
        ck_assert_uint_eq(fixture.manager->n_held, 0);
}
END_TEST

START_TEST(test_failure_is_told) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;

        ck_assert_int_ne(MANAGER_CALL(&e, NULL, "Start", "as", 1, "nosuch"), 0);
        ck_assert_str_eq(e.message, "There is no such session: see perfctl list");
}
END_TEST

/* The call is answered even if a recorder's error text is not valid. */
START_TEST(test_failure_that_is_no_text) {
        bool there = false;

        hold(fixture.client, 1, 1, &there);
        fake_manager_release(fixture.manager, FAILURE_RECORDER, "it failed: a\xc3");
        ck_assert(private_bus_wait(&fixture.bus, &there));
}
END_TEST

static TCase *new_case(const char *name, SFun setup, SFun teardown) {
        TCase *tests = tcase_create(name);

        tcase_add_checked_fixture(tests, setup, teardown);
        tcase_set_timeout(tests, 30);
        return tests;
}

int main(void) {
        Suite *suite = suite_create("bus-call");
        TCase *authorized = new_case("with polkit", setup_polkit, teardown_polkit);
        TCase *plain = new_case("without polkit", fixture_setup_user, fixture_teardown);
        SRunner *runner;
        int failed;

        tcase_add_test(authorized, test_actions_of_manager);
        tcase_add_test(authorized, test_requests_in_words);
        tcase_add_test(authorized, test_actions_of_session);
        tcase_add_test(authorized, test_refusal_reaches_no_session);
        tcase_add_test(authorized, test_validation_comes_first);
        tcase_add_test(authorized, test_root_is_not_asked_about);
        tcase_add_test(authorized, test_session_leaves_while_polkit_is_asked);
        tcase_add_test(authorized, test_actions_of_dumps);
        tcase_add_test(authorized, test_dump_leaves_while_polkit_is_asked);
        tcase_add_test(authorized, test_service_ends_while_polkit_is_asked);
        tcase_add_test(authorized, test_limit_per_user);
        tcase_add_test(authorized, test_limit_of_questions);
        tcase_add_test(plain, test_caller_leaves);
        tcase_add_test(plain, test_caller_of_ping_leaves);
        tcase_add_test(plain, test_large_answers);
        tcase_add_test(authorized, test_large_answers_of_others);
        tcase_add_test(authorized, test_large_answers_often);
        tcase_add_test(plain, test_names_are_asked_about_once);
        tcase_add_test(plain, test_bus_leaves);
        tcase_add_test(plain, test_failure_is_told);
        tcase_add_test(plain, test_failure_that_is_no_text);
        suite_add_tcase(suite, authorized);
        suite_add_tcase(suite, plain);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_ENV);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed > 0;
}
