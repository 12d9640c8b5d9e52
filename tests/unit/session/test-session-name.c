/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names of sessions, templates, instances and units. */

#include "check-main.h"
#include "session-name.h"

START_TEST(test_valid) {
        static const char *const good[] = { "cpu", "a:b-c_d.e\\x2d", "unit@nginx.service", "unit@user@1000.service", "unit@", "0" };
        static const char *const bad[] = { "", "../x", "a/b", ".", "..", ".hidden", "@x", "a b", "a\n", "\xc3\xa4", "a*", "a%i", "a," };
        char name[SESSION_NAME_MAX + 2];

        for (size_t i = 0; i < ELEMENTSOF(good); i++)
                ck_assert_msg(session_name_is_valid(good[i]), "%s", good[i]);
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                ck_assert_msg(!session_name_is_valid(bad[i]), "%s", bad[i]);

        memset(name, 'a', sizeof(name));
        name[SESSION_NAME_MAX + 1] = '\0';
        ck_assert(!session_name_is_valid(name));
        name[SESSION_NAME_MAX] = '\0';
        ck_assert(session_name_is_valid(name));
}
END_TEST

START_TEST(test_parts) {
        _cleanup_free_ char *template = NULL;

        ck_assert_str_eq(session_name_instance("unit@user@1000.service"), "user@1000.service");
        ck_assert_str_eq(session_name_instance("unit@"), "");
        ck_assert_ptr_null(session_name_instance("cpu"));
        ck_assert(session_name_is_template("unit@"));
        ck_assert(!session_name_is_template("unit@x"));
        ck_assert(!session_name_is_template("cpu"));
        ck_assert(!session_name_is_template("unit@x@"));

        ck_assert_int_eq(session_name_template("cpu", &template), -EINVAL);
        ck_assert_int_eq(session_name_template("unit@", &template), -EINVAL);
        ck_assert_ptr_null(template);
        ck_assert_int_eq(session_name_template("unit@user@1000.service", &template), 0);
        ck_assert_str_eq(template, "unit@");
}
END_TEST

START_TEST(test_unescape) {
        static const struct {
                const char *s, *plain;
        } cases[] = {
                { "", "" },
                { "usr-bin-cat", "usr/bin/cat" },
                { "a\\x2db", "a-b" },
                { "\\xe2\\x82\\xac", "\xe2\x82\xac" },
                { "a\\", NULL },
                { "a\\n", NULL },
                { "a\\x2", NULL },
                { "a\\x2G", NULL },
                { "a\\x00", NULL },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *plain = NULL;

                ck_assert_msg(unit_name_unescape(cases[i].s, &plain) == (cases[i].plain ? 0 : -EINVAL), "%s", cases[i].s);
                ck_assert_pstr_eq(plain, cases[i].plain);
        }
}
END_TEST

/* Instances are escaped as by systemd-escape(1). */
START_TEST(test_instantiate) {
        static const struct {
                const char *template, *instance, *unit;
                int error;
        } cases[] = {
                { "upload@.service", "cpu-2026112110531800", "upload@cpu\\x2d2026112110531800.service", 0 },
                { "a@.b@.target", "x", "a@.b@x.target", 0 },
                { "u@.service", ".a.b/c:d_e", "u@\\x2ea.b-c:d_e.service", 0 },
                { "u@.service", "a@b \\\n\xc3\xa4;$(x)", "u@a\\x40b\\x20\\x5c\\x0a\\xc3\\xa4\\x3b\\x24\\x28x\\x29.service", 0 },
                { "u@", "x", NULL, -EINVAL },
                { "u.service", "x", NULL, -EINVAL },
                { "u@i.service", "x", NULL, -EINVAL },
                { "../u@.service", "x", NULL, -EINVAL },
        };
        char instance[300];
        char *unit = NULL;

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *made = NULL;

                ck_assert_int_eq(unit_name_instantiate(cases[i].template, cases[i].instance, &made), cases[i].error);
                ck_assert_pstr_eq(made, cases[i].unit);
                ck_assert(!made || unit_name_is_valid(made));
        }
        memset(instance, 'a', sizeof(instance) - 1);
        instance[sizeof(instance) - 1] = '\0';
        ck_assert_int_eq(unit_name_instantiate("u@.service", instance, &unit), -ENAMETOOLONG);
}
END_TEST

START_TEST(test_unit) {
        static const char *const good[] = { "nginx.service", "a@b@c.service", "-.slice", "dev-sda.device", "x.y.scope" };
        static const char *const bad[] = { "", "nginx", ".service", "@.service", "a b.service", "a/b.service", "x.session", "x.", "nginx.service " };
        char name[300];

        for (size_t i = 0; i < ELEMENTSOF(good); i++)
                ck_assert_msg(unit_name_is_valid(good[i]), "%s", good[i]);
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                ck_assert_msg(!unit_name_is_valid(bad[i]), "%s", bad[i]);
        memset(name, 'a', sizeof(name));
        memcpy(name + sizeof(name) - 9, ".service", 9);
        ck_assert(!unit_name_is_valid(name));
}
END_TEST

START_TEST(test_unit_pattern) {
        static const char *const good[] = { "web-*.service", "*.scope", "a?.slice", "web@[!a-c]*.service" };
        static const char *const bad[] = { "", "web-1.service", "web-*", "a/*.service", "*.session", "* .service", ".service" };
        char name[300];

        for (size_t i = 0; i < ELEMENTSOF(good); i++)
                ck_assert_msg(unit_name_is_pattern(good[i]), "%s", good[i]);
        for (size_t i = 0; i < ELEMENTSOF(bad); i++)
                ck_assert_msg(!unit_name_is_pattern(bad[i]), "%s", bad[i]);
        memset(name, '*', sizeof(name));
        memcpy(name + sizeof(name) - 9, ".service", 9);
        ck_assert(!unit_name_is_pattern(name));
}
END_TEST

START_TEST(test_unit_complete) {
        static const char *const names[][2] = {
                { "nginx", "nginx.service" }, { "nginx.service", "nginx.service" }, { "user.slice", "user.slice" }, { "a.b", "a.b.service" },
                { "web-*", "web-*.service" }, { "web-*.service", "web-*.service" }, { "*.scope", "*.scope" },
        };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_free_ char *complete = unit_name_complete(names[i][0]);

                ck_assert_pstr_eq(complete, names[i][1]);
        }
}
END_TEST

CHECK_MAIN("session-name", test_valid, test_parts, test_unescape, test_instantiate, test_unit, test_unit_pattern, test_unit_complete);
