/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The fixture of the tests of the bus side. */

#include "bus-fixture.h"

#include <check.h>
#include <stdarg.h>

#include "fd-file.h"

Fixture fixture;

static void setup(bool user) {
        private_bus_start(&fixture.bus);
        fixture.manager = fake_manager_new();
        ck_assert_int_eq(bus_new(fixture.bus.event, fixture.manager, user, &fixture.service), 0);
        fixture.client = private_bus_connect(&fixture.bus, geteuid());
}

void fixture_setup_user(void) {
        setup(true);
}

void fixture_setup_system(void) {
        setup(false);
}

void fixture_teardown(void) {
        fixture.client = sd_bus_flush_close_unref(fixture.client);
        fixture.service = bus_free(fixture.service);
        fixture.manager = fake_manager_free(fixture.manager);
        private_bus_stop(&fixture.bus);
}

static int call(sd_bus_error *e, sd_bus_message **ret, const char *path, const char *interface, const char *member,
                const char *types, va_list ap) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;

        ck_assert_int_ge(sd_bus_message_new_method_call(fixture.client, &m, PR_BUS_NAME, path, interface, member), 0);
        if (types)
                ck_assert_int_ge(sd_bus_message_appendv(m, types, ap), 0);
        return private_bus_call(&fixture.bus, fixture.client, m, e, ret);
}

int fixture_call(sd_bus_error *e, sd_bus_message **ret, const char *path, const char *interface, const char *member,
                 const char *types, ...) {
        va_list ap;
        int r;

        va_start(ap, types);
        r = call(e, ret, path, interface, member, types, ap);
        va_end(ap);
        return r;
}

void fixture_call_fails(const char *error_name, const char *path, const char *interface, const char *member,
                        const char *types, ...) {
        _cleanup_(sd_bus_error_free) sd_bus_error e = SD_BUS_ERROR_NULL;
        va_list ap;
        int r;

        va_start(ap, types);
        r = call(&e, NULL, path, interface, member, types, ap);
        va_end(ap);
        ck_assert_int_ne(r, 0);
        ck_assert_msg(streq(e.name, error_name), "%s: %s instead of %s", e.name, e.message, error_name);
        ck_assert_ptr_nonnull(e.message);
        ck_assert_int_gt(strlen(e.message), 10);
}

static int on_signal(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        *(bool *) userdata = true;
        return 0;
}

void fixture_match(sd_bus_slot **slot, const char *path, const char *interface, const char *member, bool *flag) {
        ck_assert_int_ge(sd_bus_match_signal(fixture.client, slot, PR_BUS_NAME, path, interface, member, on_signal, flag), 0);
}

/* Returns the lines from the interface's start to its end, without blanks at their ends, empty lines and comments. */
static char *normalize(const char *xml, const char *interface) {
        _cleanup_free_ char *head = NULL, *buffer = NULL;
        const char *from, *to;
        size_t size;
        FILE *f;

        ck_assert_int_gt(asprintf(&head, "<interface name=\"%s\">", interface), 0);
        from = strstr(xml, head);
        ck_assert_msg(from, "no interface %s", interface);
        to = strstr(from, "</interface>");
        ck_assert_ptr_nonnull(to);

        f = open_memstream(&buffer, &size);
        while (from < to) {
                size_t n;

                from += strspn(from, " \t\n");
                if (startswith(from, "<!--")) {
                        from = strstr(from, "-->") + 3;
                        continue;
                }
                n = strcspn(from, "\n");
                (void) fprintf(f, "%.*s\n", (int) n, from);
                from += n;
        }
        (void) fclose(f);
        return steal_ptr(buffer);
}

char *fixture_introspect(const char *path, const char *interface) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *xml;

        ck_assert_int_eq(fixture_call(NULL, &reply, path, "org.freedesktop.DBus.Introspectable", "Introspect", NULL), 0);
        ck_assert_int_gt(sd_bus_message_read(reply, "s", &xml), 0);
        return normalize(xml, interface);
}

char *fixture_read_interface(const char *file, const char *interface) {
        _cleanup_free_ char *xml = NULL;

        ck_assert_int_eq(read_file(file, 1024 * 1024, &xml, NULL), 0);
        return normalize(xml, interface);
}
