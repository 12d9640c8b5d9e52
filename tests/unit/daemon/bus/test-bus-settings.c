/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "bus-settings.h"
#include "check-main.h"
#include "private-bus.h"

static PrivateBus private_bus;
static sd_bus *client;

static void setup(void) {
        private_bus_start(&private_bus);
        client = private_bus_connect(&private_bus, geteuid());
}

static void teardown(void) {
        client = sd_bus_flush_close_unref(client);
        private_bus_stop(&private_bus);
}

static sd_bus_message *new_message(void) {
        sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_signal(client, &m, "/x", "org.example.X", "Settings"), 0);
        return m;
}

static int read_back(sd_bus_message *m, char ***ret, sd_bus_error *e) {
        ck_assert_int_ge(sd_bus_message_seal(m, 1, 0), 0);
        ck_assert_int_ge(sd_bus_message_rewind(m, true), 0);
        return bus_read_settings(m, ret, e);
}

/* The arguments behind e are those of an a{sv}, as for sd_bus_message_append(). */
#define read_settings(ret, e, ...)                                                              \
        ({                                                                                      \
                _cleanup_(sd_bus_message_unrefp) sd_bus_message *_m = new_message();            \
                                                                                                \
                ck_assert_int_ge(sd_bus_message_append(_m, "a{sv}", __VA_ARGS__), 0);           \
                read_back(_m, ret, e);                                                          \
        })

START_TEST(test_types) {
        _cleanup_strv_free_ char **l = NULL;
        static const char *const expected[] = {
                "Record.Event=cpu-clock", "Record.AllCPUs=yes", "Record.Inherit=no", "A.Y=255", "A.N=-32768", "A.Q=65535",
                "A.I=-2147483648", "A.U=4294967295",
        };

        ck_assert_int_eq(read_settings(&l, NULL, 8, "Record.Event", "s", "cpu-clock", "Record.AllCPUs", "b", 1,
                                       "Record.Inherit", "b", 0, "A.Y", "y", 255, "A.N", "n", INT16_MIN, "A.Q", "q",
                                       UINT16_MAX, "A.I", "i", INT32_MIN, "A.U", "u", UINT32_MAX), 0);
        ck_assert_uint_eq(strv_length(l), ELEMENTSOF(expected));
        for (size_t i = 0; i < ELEMENTSOF(expected); i++)
                ck_assert_str_eq(l[i], expected[i]);
}
END_TEST

START_TEST(test_large_integers) {
        _cleanup_strv_free_ char **l = NULL;

        ck_assert_int_eq(read_settings(&l, NULL, 2, "A.X", "x", INT64_MIN, "A.T", "t", UINT64_MAX), 0);
        ck_assert_str_eq(l[0], "A.X=-9223372036854775808");
        ck_assert_str_eq(l[1], "A.T=18446744073709551615");
}
END_TEST

START_TEST(test_lists) {
        _cleanup_strv_free_ char **l = NULL;

        ck_assert_int_eq(read_settings(&l, NULL, 2, "Record.Event", "as", 2, "a", "b=c", "Record.PID", "as", 0), 0);
        ck_assert_uint_eq(strv_length(l), 3);
        ck_assert_str_eq(l[0], "Record.Event=a");
        ck_assert_str_eq(l[1], "Record.Event=b=c");
        ck_assert_str_eq(l[2], "Record.PID=");
}
END_TEST

START_TEST(test_none) {
        char **l = NULL;

        ck_assert_int_eq(read_settings(&l, NULL, 0), 0);
        ck_assert_ptr_null(l);
}
END_TEST

static void check_refused(const char *key, const char *value) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;
        char **l = NULL;

        ck_assert_msg(read_settings(&l, &e, 2, "Record.Event", "s", "cpu-clock", key, "s", value) == -EINVAL, "%s", key);
        ck_assert_str_eq(e.name, SD_BUS_ERROR_INVALID_ARGS);
        ck_assert_ptr_null(l);
}

START_TEST(test_keys) {
        static const char *const bad[] = {
                "", "Event", ".Event", "Record.", ".", "Record.Event.x", "Record..Event", "Record.Ev=ent", "Record.E\n[Scope]",
                "[Record].Event", "Rec ord.Event", "Record.Ev\xc3\xa4nt", "Session.Recorder",
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                check_refused(bad[i], "x");
}
END_TEST

START_TEST(test_values_stay_on_their_line) {
        check_refused("Record.Event", "x\nRecorder=/bin/sh");
        check_refused("Record.Event", "x\r");
        check_refused("Record.Event", "\x7f");
}
END_TEST

START_TEST(test_other_types) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL, f = SD_BUS_ERROR_NULL, g = SD_BUS_ERROR_NULL;
        char **l = NULL;

        ck_assert_int_eq(read_settings(&l, &e, 1, "Record.Event", "d", 1.5), -EINVAL);
        ck_assert_int_eq(read_settings(&l, &f, 1, "Record.Event", "o", "/x"), -EINVAL);
        ck_assert_int_eq(read_settings(&l, &g, 1, "Record.Event", "au", 1, 2u), -EINVAL);
        ck_assert_ptr_null(l);
}
END_TEST

/* Reads a setting with n list items of that size. */
static int read_many(unsigned n, size_t size, sd_bus_error *e) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = new_message();
        _cleanup_strv_free_ char **l = NULL;
        _cleanup_free_ char *item = malloc(size + 1);

        memset(item, 'x', size);
        item[size] = '\0';
        ck_assert_int_ge(sd_bus_message_open_container(m, 'a', "{sv}"), 0);
        ck_assert_int_ge(sd_bus_message_open_container(m, 'e', "sv"), 0);
        ck_assert_int_ge(sd_bus_message_append(m, "s", "Record.Event"), 0);
        ck_assert_int_ge(sd_bus_message_open_container(m, 'v', "as"), 0);
        ck_assert_int_ge(sd_bus_message_open_container(m, 'a', "s"), 0);
        for (unsigned i = 0; i < n; i++)
                ck_assert_int_ge(sd_bus_message_append(m, "s", item), 0);
        for (unsigned i = 0; i < 4; i++)
                ck_assert_int_ge(sd_bus_message_close_container(m), 0);
        return read_back(m, &l, e);
}

START_TEST(test_limits) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL, f = SD_BUS_ERROR_NULL;
        const size_t longest = BUS_SETTINGS_SIZE_MAX - strlen("Record.Event") - 2;

        ck_assert_int_eq(read_many(BUS_SETTINGS_MAX, 10, NULL), 0);
        ck_assert_int_eq(read_many(BUS_SETTINGS_MAX + 1, 10, &e), -ENOBUFS);
        ck_assert_str_eq(e.name, SD_BUS_ERROR_LIMITS_EXCEEDED);
        ck_assert_int_eq(read_many(1, longest, NULL), 0);
        ck_assert_int_eq(read_many(1, longest + 1, &f), -ENOBUFS);
}
END_TEST

CHECK_MAIN_WITH("bus-settings", setup, teardown, test_types, test_large_integers, test_lists, test_none, test_keys,
                test_values_stay_on_their_line, test_other_types, test_limits);
