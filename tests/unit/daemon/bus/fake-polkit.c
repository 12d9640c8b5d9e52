/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The part of polkit's authority that a caller sees. */

#include "fake-polkit.h"

#include <check.h>

#define COPY(to, from) ck_assert_int_lt(snprintf(to, sizeof(to), "%s", from), (int) sizeof(to))

static void read_subject(FakePolkit *p, sd_bus_message *m) {
        const char *kind, *key, *name;

        ck_assert_int_gt(sd_bus_message_enter_container(m, 'r', "sa{sv}"), 0);
        ck_assert_int_gt(sd_bus_message_read(m, "s", &kind), 0);
        ck_assert_str_eq(kind, "system-bus-name");
        ck_assert_int_gt(sd_bus_message_read(m, "a{sv}", 1, &key, "s", &name), 0);
        ck_assert_str_eq(key, "name");
        COPY(p->subject, name);
        ck_assert_int_ge(sd_bus_message_exit_container(m), 0);
}

static void read_details(FakePolkit *p, sd_bus_message *m) {
        const char *key, *value;

        p->n_details = 0;
        ck_assert_int_gt(sd_bus_message_enter_container(m, 'a', "{ss}"), 0);
        while (sd_bus_message_read(m, "{ss}", &key, &value) > 0) {
                p->n_details++;
                if (streq(key, "session"))
                        COPY(p->session, value);
                else if (streq(key, "verb"))
                        COPY(p->verb, value);
                else if (streq(key, "unit"))
                        COPY(p->unit, value);
                else if (streq(key, "request"))
                        COPY(p->request, value);
                else if (streq(key, "what"))
                        COPY(p->what, value);
                else
                        ck_abort_msg("unexpected detail %s", key);
        }
        ck_assert_int_ge(sd_bus_message_exit_container(m), 0);
}

static int on_check(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        FakePolkit *p = userdata;
        const char *action, *cancellation;
        bool yes;

        read_subject(p, m);
        ck_assert_int_gt(sd_bus_message_read(m, "s", &action), 0);
        COPY(p->action, action);
        read_details(p, m);
        ck_assert_int_gt(sd_bus_message_read(m, "us", &p->flags, &cancellation), 0);
        COPY(p->cancellation, cancellation);
        p->asked = true;
        p->cancelled = false;
        p->n_asked++;

        if (p->mood == FAKE_POLKIT_HOLDS)
                return 1;
        if (p->mood == FAKE_POLKIT_FAILS)
                return sd_bus_error_set(error, "org.freedesktop.PolicyKit1.Error.Failed", "Out of order");
        if (p->mood == FAKE_POLKIT_NONSENSE)
                return sd_bus_reply_method_return(m, "s", "yes");
        yes = p->mood == FAKE_POLKIT_YES || (p->mood == FAKE_POLKIT_ONLY_CYCLES && streq(p->session, "cycles"));
        return sd_bus_reply_method_return(m, "(bba{ss})", yes, p->mood == FAKE_POLKIT_CHALLENGE, 0);
}

static int on_cancel(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        FakePolkit *p = userdata;
        const char *cancellation;

        ck_assert_int_gt(sd_bus_message_read(m, "s", &cancellation), 0);
        p->cancelled = streq(p->cancellation, cancellation);
        return sd_bus_reply_method_return(m, NULL);
}

#define METHODS(answer)                                                                                                    \
        {                                                                                                                  \
                SD_BUS_VTABLE_START(0),                                                                                    \
                SD_BUS_METHOD("CheckAuthorization", "(sa{sv})sa{ss}us", answer, on_check, SD_BUS_VTABLE_UNPRIVILEGED),     \
                SD_BUS_METHOD("CancelCheckAuthorization", "s", NULL, on_cancel, SD_BUS_VTABLE_UNPRIVILEGED),               \
                SD_BUS_VTABLE_END,                                                                                         \
        }

static const sd_bus_vtable vtable[] = METHODS("(bba{ss})"), nonsense_vtable[] = METHODS("s");

void fake_polkit_start(FakePolkit *p, PrivateBus *b, FakePolkitMood mood) {
        *p = (FakePolkit) { .bus = private_bus_connect(b, geteuid()), .mood = mood };
        ck_assert_int_ge(sd_bus_add_object_vtable(p->bus, NULL, "/org/freedesktop/PolicyKit1/Authority",
                                                  "org.freedesktop.PolicyKit1.Authority",
                                                  mood == FAKE_POLKIT_NONSENSE ? nonsense_vtable : vtable, p), 0);
        ck_assert_int_ge(sd_bus_request_name(p->bus, "org.freedesktop.PolicyKit1", 0), 0);
}

void fake_polkit_stop(FakePolkit *p) {
        p->bus = sd_bus_flush_close_unref(p->bus);
}
