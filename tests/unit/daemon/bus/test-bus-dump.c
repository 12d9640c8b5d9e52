/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "bus-fixture.h"
#include "check-main.h"
#include "scratch.h"

#define OLD "2026112110531801"
#define NEW "2026112110531802"
#define OLD_PATH PR_BUS_DUMP_PATH "/a_2db_2d" OLD

static void setup(void) {
        fixture_setup_user();
        fake_manager_add_dump(fixture.manager, "a-b", OLD);
        fake_manager_add_dump(fixture.manager, "cycles", OLD);
        fake_manager_add_dump(fixture.manager, "cycles", NEW);
}

static void check_list(const char *session, const char *const *paths) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *path, *name, *trigger, *detail;
        uint64_t timestamp, size, samples;

        ck_assert_int_eq(session ? MANAGER_CALL(NULL, &reply, "ListDumps", "as", 1, session)
                                 : MANAGER_CALL(NULL, &reply, "ListDumps", "as", 0), 0);
        ck_assert_int_ge(sd_bus_message_enter_container(reply, 'a', "(ostttss)"), 0);
        for (; *paths; paths++) {
                ck_assert_int_gt(sd_bus_message_read(reply, "(ostttss)", &path, &name, &timestamp, &size, &samples, &trigger,
                                                     &detail), 0);
                ck_assert_str_eq(path, *paths);
                ck_assert_uint_eq(timestamp, 1000);
                ck_assert_uint_eq(size, 4096);
                ck_assert_uint_eq(samples, 7);
                ck_assert_str_eq(trigger, "request");
                ck_assert_str_eq(detail, "because");
        }
        ck_assert_int_eq(sd_bus_message_at_end(reply, false), 1);
}

START_TEST(test_list) {
        check_list(NULL, (const char *const[]) { OLD_PATH, PR_BUS_DUMP_PATH "/cycles_2d" OLD, PR_BUS_DUMP_PATH "/cycles_2d" NEW,
                                                 NULL });
        check_list("a-b", (const char *const[]) { OLD_PATH, NULL });
        check_list("nosuch", (const char *const[]) { NULL });
        MANAGER_FAILS(SD_BUS_ERROR_INVALID_ARGS, "ListDumps", "as", 1, "../x");
}
END_TEST

static void check_property(const char *path, const char *interface, const char *name, const char *type, const char *expected) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *text;
        char number[32];
        uint64_t t;
        uint32_t u;

        ck_assert_int_eq(fixture_call(NULL, &reply, path, "org.freedesktop.DBus.Properties", "Get", "ss", interface, name), 0);
        if (streq(type, "t")) {
                ck_assert_int_gt(sd_bus_message_read(reply, "v", "t", &t), 0);
                snprintf(number, sizeof(number), "%" PRIu64, t);
        } else if (streq(type, "u")) {
                ck_assert_int_gt(sd_bus_message_read(reply, "v", "u", &u), 0);
                snprintf(number, sizeof(number), "%" PRIu32, u);
        } else {
                ck_assert_int_gt(sd_bus_message_read(reply, "v", type, &text), 0);
                ck_assert_str_eq(text, expected);
                return;
        }
        ck_assert_str_eq(number, expected);
}

START_TEST(test_properties) {
        static const struct {
                const char *name, *type, *value;
        } expected[] = {
                { "Id", "s", "a-b-" OLD },      { "Session", "s", "a-b" },      { "Path", "s", "/base/session-a/perf.data.1" },
                { "Trigger", "s", "request" },  { "TriggerDetail", "s", "because" }, { "Triggers", "u", "2" },
                { "Timestamp", "t", "1000" },   { "Size", "t", "4096" },        { "DiskUsage", "t", "8192" },
                { "Samples", "t", "7" },        { "Lost", "t", "18446744073709551615" }, { "Throttled", "t", "1" },
                { "LostRecords", "t", "5" },
                { "FirstSampleUsec", "t", "900" }, { "LastSampleUsec", "t", "1100" }, { "BootID", "s", "cafe" }, { "Incident", "s", "beef" },
                { "SymbolsPath", "s", "" },     { "LeftOutMappings", "t", "12" }, { "LeftOutProcesses", "t", "3" },
        };

        for (size_t i = 0; i < ELEMENTSOF(expected); i++)
                check_property(OLD_PATH, PR_BUS_DUMP_INTERFACE, expected[i].name, expected[i].type, expected[i].value);
        check_property(PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "NDumps", "u", "3");
        check_property(PR_BUS_SESSION_PATH "/cycles", PR_BUS_SESSION_INTERFACE, "LastDump", "o",
                       PR_BUS_DUMP_PATH "/cycles_2d" NEW);
        check_property(PR_BUS_SESSION_PATH "/idle", PR_BUS_SESSION_INTERFACE, "LastDump", "o", "/");
}
END_TEST

START_TEST(test_lent) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *what, *who;
        uint64_t first, last;

        ck_assert_int_eq(fixture_call(NULL, &reply, OLD_PATH, "org.freedesktop.DBus.Properties", "Get", "ss", PR_BUS_DUMP_INTERFACE,
                                      "Lent"), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "v", "a(ttss)", 1, &first, &last, &what, &who), 0);
        ck_assert_uint_eq(first, 950);
        ck_assert_uint_eq(last, 0);
        ck_assert_str_eq(what, "hardware");
        ck_assert_str_eq(who, "job 12");
}
END_TEST

START_TEST(test_open) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        char text[64] = "";
        int fd;

        ck_assert_int_eq(fixture_call(NULL, &reply, OLD_PATH, PR_BUS_DUMP_INTERFACE, "Open", NULL), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "h", &fd), 0);
        ck_assert_int_gt(pread(fd, text, sizeof(text) - 1, 0), 0);
        ck_assert_str_eq(text, "a-b-" OLD);
}
END_TEST

START_TEST(test_open_symbols) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_(scratch_done) char *dir = scratch_new();
        int fd;

        fixture_call_fails(SD_BUS_ERROR_FILE_NOT_FOUND, OLD_PATH, PR_BUS_DUMP_INTERFACE, "OpenSymbols", NULL);
        scratch_write_text(dir, "usr/bin/a", "a");
        ck_assert_int_eq(free_and_strdup(&fixture.manager->dumps[0]->symbols.path, dir), 0);
        ck_assert_int_eq(fixture_call(NULL, &reply, OLD_PATH, PR_BUS_DUMP_INTERFACE, "OpenSymbols", NULL), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "h", &fd), 0);
        ck_assert_int_eq(faccessat(fd, "usr/bin/a", R_OK, 0), 0);
        ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
        fixture_call_fails(SD_BUS_ERROR_UNKNOWN_OBJECT, PR_BUS_DUMP_PATH "/x", PR_BUS_DUMP_INTERFACE, "OpenSymbols", NULL);
}
END_TEST

START_TEST(test_remove) {
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *removed_slot = NULL, *interfaces_slot = NULL, *numbers_slot = NULL;
        bool removed = false, interfaces = false, numbers = false;

        fixture_match(&removed_slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "DumpRemoved", &removed);
        fixture_match(&interfaces_slot, PR_BUS_PATH, "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", &interfaces);
        fixture_match(&numbers_slot, PR_BUS_PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", &numbers);
        ck_assert_int_eq(fixture_call(NULL, NULL, OLD_PATH, PR_BUS_DUMP_INTERFACE, "Remove", NULL), 0);
        ck_assert(private_bus_wait(&fixture.bus, &removed));
        ck_assert(private_bus_wait(&fixture.bus, &interfaces));
        ck_assert(private_bus_wait(&fixture.bus, &numbers));
        check_property(PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "NDumps", "u", "2");
        fixture_call_fails(SD_BUS_ERROR_UNKNOWN_OBJECT, OLD_PATH, PR_BUS_DUMP_INTERFACE, "Remove", NULL);
        fixture_call_fails(SD_BUS_ERROR_UNKNOWN_OBJECT, PR_BUS_DUMP_PATH "/x", PR_BUS_DUMP_INTERFACE, "Open", NULL);
}
END_TEST

START_TEST(test_a_new_one_is_told) {
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *new_slot = NULL, *interfaces_slot = NULL, *numbers_slot = NULL;
        bool new = false, interfaces = false, numbers = false;

        fixture_match(&new_slot, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "DumpNew", &new);
        fixture_match(&interfaces_slot, PR_BUS_PATH, "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", &interfaces);
        fixture_match(&numbers_slot, PR_BUS_PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", &numbers);
        fake_manager_add_dump(fixture.manager, "idle", NEW);
        ck_assert(private_bus_wait(&fixture.bus, &new));
        ck_assert(private_bus_wait(&fixture.bus, &interfaces));
        ck_assert(private_bus_wait(&fixture.bus, &numbers));
        check_property(PR_BUS_SESSION_PATH "/idle", PR_BUS_SESSION_INTERFACE, "LastDump", "o", PR_BUS_DUMP_PATH "/idle_2d" NEW);
}
END_TEST

/* Symbols come after their dump. */
START_TEST(test_symbols_are_told) {
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;
        Dump *d = fixture.manager->dumps[0];
        bool changed = false;

        fixture_match(&slot, OLD_PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", &changed);
        ck_assert_int_eq(free_and_strdup(&d->symbols.path, "/base/session-a/symbols.1"), 0);
        fixture.manager->observer.dump_changed(d, fixture.manager->observer.userdata);
        ck_assert(private_bus_wait(&fixture.bus, &changed));
        check_property(OLD_PATH, PR_BUS_DUMP_INTERFACE, "SymbolsPath", "s", "/base/session-a/symbols.1");
}
END_TEST

START_TEST(test_managed_objects) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        unsigned n = 0;

        ck_assert_int_eq(fixture_call(NULL, &reply, PR_BUS_PATH, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", NULL), 0);
        ck_assert_int_ge(sd_bus_message_enter_container(reply, 'a', "{oa{sa{sv}}}"), 0);
        while (sd_bus_message_enter_container(reply, 'e', "oa{sa{sv}}") > 0) {
                const char *path;

                ck_assert_int_gt(sd_bus_message_read(reply, "o", &path), 0);
                n += startswith(path, PR_BUS_DUMP_PATH "/") != NULL;
                ck_assert_int_gt(sd_bus_message_skip(reply, "a{sa{sv}}"), 0);
                ck_assert_int_ge(sd_bus_message_exit_container(reply), 0);
        }
        ck_assert_uint_eq(n, 3);
}
END_TEST

START_TEST(test_description) {
        _cleanup_free_ char *served = NULL, *written = NULL;

        served = fixture_introspect(OLD_PATH, PR_BUS_DUMP_INTERFACE);
        written = fixture_read_interface(PR_DBUS_SOURCE "/org.perfrecorder1.Dump.xml", PR_BUS_DUMP_INTERFACE);
        ck_assert_str_eq(served, written);
}
END_TEST

CHECK_MAIN_WITH("bus-dump", setup, fixture_teardown, test_list, test_properties, test_lent, test_open, test_open_symbols,
                test_remove, test_a_new_one_is_told, test_symbols_are_told, test_managed_objects, test_description);
