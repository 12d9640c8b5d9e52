/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/errors.h>

#include "bus-fixture.h"
#include "check-main.h"

static void check_fd(int fd) {
        char text[16] = "";

        ck_assert_int_gt(pread(fd, text, sizeof(text) - 1, 0), 0);
        ck_assert_str_eq(text, "dump");
}

START_TEST(test_dump) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *name, *path;
        int fd;

        ck_assert_int_eq(MANAGER_CALL(NULL, &reply, "Dump", "asa{sv}", 2, "cycles", "idle", 0), 0);
        ck_assert_int_ge(sd_bus_message_enter_container(reply, 'a', "(soh)"), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "(soh)", &name, &path, &fd), 0);
        ck_assert_str_eq(name, "cycles");
        ck_assert_str_eq(path, PR_BUS_DUMP_PATH "/_31");
        check_fd(fd);
        ck_assert_int_gt(sd_bus_message_read(reply, "(soh)", &name, &path, &fd), 0);
        ck_assert_str_eq(name, "idle");
        check_fd(fd);
        ck_assert_int_eq(sd_bus_message_at_end(reply, false), 1);
        ck_assert_str_eq(fixture.manager->dump_trigger, PR_TRIGGER_REQUEST);
        ck_assert(fixture.manager->dump.since == 0 && fixture.manager->dump.until == 0);
        ck_assert(!fixture.manager->dump.has_delay);
        ck_assert(!fixture.manager->dump.fresh && !fixture.manager->dump.force);
        ck_assert_ptr_nonnull(startswith(fixture.manager->dump_detail, "uid "));
}
END_TEST

START_TEST(test_dump_one) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_free_ char *detail = NULL;
        const char *path;
        int fd;

        ck_assert_int_eq(fixture_call(NULL, &reply, PR_BUS_SESSION_PATH "/cycles", PR_BUS_SESSION_INTERFACE, "Dump", "a{sv}", 6,
                                      "since", "t", UINT64_C(5000000), "until", "t", UINT64_C(6000000), "delay", "t",
                                      UINT64_C(7), "force", "b", 1, "reason", "s", "it was slow", "timeout", "t", UINT64_C(8)), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "oh", &path, &fd), 0);
        ck_assert_str_eq(path, PR_BUS_DUMP_PATH "/_31");
        check_fd(fd);
        ck_assert_uint_eq(strv_length(fixture.manager->names), 1);
        ck_assert_str_eq(fixture.manager->names[0], "cycles");
        ck_assert_uint_eq(fixture.manager->dump.since, 5000000);
        ck_assert_uint_eq(fixture.manager->dump.until, 6000000);
        ck_assert_uint_eq(fixture.manager->dump.delay, 7);
        ck_assert_uint_eq(fixture.manager->dump.timeout, 8);
        ck_assert(fixture.manager->dump.has_delay);
        ck_assert(fixture.manager->dump.force && !fixture.manager->dump.fresh);
        ck_assert_int_gt(asprintf(&detail, "uid %u (test-daemon-bus[%d]", (unsigned) getuid(), (int) getpid()), 0);
        ck_assert_ptr_nonnull(startswith(fixture.manager->dump_detail, detail));
        ck_assert_ptr_nonnull(strstr(fixture.manager->dump_detail, "): it was slow"));
}
END_TEST

START_TEST(test_all) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;

        ck_assert_int_eq(MANAGER_CALL(NULL, &reply, "Dump", "asa{sv}", 0, 0), 0);
        ck_assert_uint_eq(strv_length(fixture.manager->names), 0);
}
END_TEST

/* Calls the method for the names "s0" and on. */
static int dump_many(const char *method, unsigned n, sd_bus_error *e, sd_bus_message **ret) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_method_call(fixture.client, &m, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE,
                                                        method), 0);
        ck_assert_int_ge(sd_bus_message_open_container(m, 'a', "s"), 0);
        for (unsigned i = 0; i < n; i++) {
                char name[16];

                snprintf(name, sizeof(name), "s%u", i);
                ck_assert_int_ge(sd_bus_message_append(m, "s", name), 0);
        }
        ck_assert_int_ge(sd_bus_message_close_container(m), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "a{sv}", 0), 0);
        return private_bus_call(&fixture.bus, fixture.client, m, e, ret);
}

/* A bus disconnects a peer that sends more descriptors than a message may carry. */
START_TEST(test_number_of_sessions) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL, *objects = NULL;
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;
        const char *name, *path;
        unsigned n = 0;

        ck_assert_int_eq(dump_many("Dump", 16, NULL, &reply), 0);
        fixture.manager->n_calls = 0;
        ck_assert_int_ne(dump_many("Dump", 17, &e, NULL), 0);
        ck_assert_str_eq(e.name, SD_BUS_ERROR_LIMITS_EXCEEDED);
        ck_assert_uint_eq(fixture.manager->n_calls, 0);
        ck_assert_int_eq(dump_many("DumpObjects", 50, NULL, &objects), 0);
        ck_assert_int_ge(sd_bus_message_enter_container(objects, 'a', "(so)"), 0);
        for (; sd_bus_message_read(objects, "(so)", &name, &path) > 0; n++)
                ck_assert_str_eq(path, PR_BUS_DUMP_PATH "/_31");
        ck_assert_uint_eq(n, 50);
}
END_TEST

/* Every word of a caller comes in as its row says. */
START_TEST(test_each_option) {
        for (const DumpWord *w = NULL; (w = dump_word_next(w, DUMP_WORD_CALLER));) {
                const char type[] = { dump_word_type(w), '\0' };
                _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;
                DumpWordValue value;

                fixture.manager->dump = (DumpRequest) {};
                if (*type == 's')
                        ck_assert_int_eq(MANAGER_CALL(&e, NULL, "Dump", "asa{sv}", 1, "cycles", 1, w->name, type, "text"), 0);
                else if (*type == 'b')
                        ck_assert_int_eq(MANAGER_CALL(&e, NULL, "Dump", "asa{sv}", 1, "cycles", 1, w->name, type, 1), 0);
                else
                        ck_assert_int_eq(MANAGER_CALL(&e, NULL, "Dump", "asa{sv}", 1, "cycles", 1, w->name, type, UINT64_C(7)), 0);
                ck_assert_msg(*type == 's' || dump_request_get(&fixture.manager->dump, w, &value), "%s", w->name);
                ck_assert(*type != 's' || strstr(fixture.manager->dump_detail, "text"));
        }
}
END_TEST

START_TEST(test_unknown_option) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;

        ck_assert_int_ne(MANAGER_CALL(&e, NULL, "Dump", "asa{sv}", 1, "cycles", 1, "output", "s", "x"), 0);
        ck_assert_str_eq(e.message, "Unknown option 'output'; options are since, until, delay, new, force, reason and timeout");
}
END_TEST

#define REFUSED(...) MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Dump", "asa{sv}", 1, "cycles", 1, __VA_ARGS__)

START_TEST(test_options_that_mean_nothing) {
        char reason[600];

        memset(reason, 'x', sizeof(reason) - 1);
        reason[sizeof(reason) - 1] = '\0';
        REFUSED("since", "t", UINT64_C(0));
        REFUSED("since", "s", "5s");
        REFUSED("since", "t", now_usec(CLOCK_REALTIME) + USEC_PER_MINUTE);
        REFUSED("until", "t", now_usec(CLOCK_REALTIME) + USEC_PER_MINUTE);
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Dump", "asa{sv}", 1, "cycles", 2, "since", "t", UINT64_C(6), "until", "t",
                      UINT64_C(5));
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "Dump", "asa{sv}", 1, "cycles", 2, "since", "t", UINT64_C(6), "new", "b", 1);
        REFUSED("delay", "t", UINT64_C(3600000001));
        REFUSED("timeout", "t", UINT64_C(0));
        REFUSED("new", "s", "yes");
        REFUSED("reason", "s", "two\nlines");
        REFUSED("reason", "s", reason);
        REFUSED("output", "s", "/etc/passwd");
        REFUSED("all", "b", 1);
        REFUSED("unit", "s", "a.service");
        ck_assert_uint_eq(fixture.manager->n_calls, 0);
}
END_TEST

START_TEST(test_errors) {
        static const struct {
                Failure failure;
                const char *name;
        } errors[] = {
                { FAILURE_RATE_LIMIT, PR_ERROR_RATE_LIMITED }, { FAILURE_NO_SPACE, PR_ERROR_NO_SPACE },
                { FAILURE_TIMEOUT, PR_ERROR_TIMEOUT }, { FAILURE_NOT_RUNNING, PR_ERROR_NOT_RUNNING },
                { FAILURE_RECORDER, PR_ERROR_RECORDER_FAILED }, { FAILURE_NO_SUCH_SESSION, PR_ERROR_NO_SUCH_SESSION },
        };

        for (size_t i = 0; i < ELEMENTSOF(errors); i++) {
                fixture.manager->dump_error = errors[i].failure;
                MANAGER_FAILS(errors[i].name, "Dump", "asa{sv}", 1, "cycles", 0);
        }
}
END_TEST

/* A caller gets the dumps of the sessions that did not fail, and the error of the others. */
START_TEST(test_error_beside_dumps) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *sentence, *name, *path;
        int fd;

        fixture.manager->dump_error = FAILURE_NOT_RUNNING;
        ck_assert_int_ne(MANAGER_CALL(NULL, &reply, "Dump", "asa{sv}", 2, "cycles", "idle", 0), 0);
        ck_assert(sd_bus_message_is_method_error(reply, PR_ERROR_NOT_RUNNING));
        ck_assert_int_ge(sd_bus_message_rewind(reply, true), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "s", &sentence), 0);
        ck_assert_str_eq(sentence, "There is none, for this reason");
        ck_assert_int_gt(sd_bus_message_enter_container(reply, 'a', "(soh)"), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "(soh)", &name, &path, &fd), 0);
        ck_assert_str_eq(name, "cycles");
        ck_assert_str_eq(path, PR_BUS_DUMP_PATH "/_31");
        check_fd(fd);
        ck_assert_int_eq(sd_bus_message_at_end(reply, false), 1);
}
END_TEST

/* A dump that no caller waits for any more is withdrawn, also if the caller left before the first check. */
START_TEST(test_caller_leaves) {
        for (unsigned i = 0; i < 2; i++) {
                sd_bus *other = private_bus_connect(&fixture.bus, geteuid());

                fixture.manager->hold_dumps = true;
                fixture.manager->n_calls = fixture.manager->n_withdrawn = 0;
                ck_assert_int_ge(sd_bus_call_method_async(other, NULL, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Dump",
                                                          NULL, NULL, "asa{sv}", 1, "cycles", 0), 0);
                while (i == 0 && fixture.manager->n_calls == 0)
                        private_bus_settle(&fixture.bus, other);
                ck_assert_uint_eq(fixture.manager->n_withdrawn, 0);
                sd_bus_flush_close_unref(other);
                for (unsigned n = 0; n < 20 || fixture.manager->n_withdrawn < fixture.manager->n_calls; n++)
                        private_bus_settle(&fixture.bus, fixture.client);
                ck_assert_uint_eq(fixture.manager->n_withdrawn, fixture.manager->n_calls);
        }
}
END_TEST

CHECK_MAIN_WITH("bus-dump-verb", fixture_setup_user, fixture_teardown, test_dump, test_dump_one, test_number_of_sessions, test_all,
                test_each_option, test_unknown_option, test_options_that_mean_nothing, test_errors, test_error_beside_dumps, test_caller_leaves);
