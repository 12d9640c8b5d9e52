/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Filtering and counting in the list; test-perfctl.c checks its order. */

#include "check-main.h"
#include "session-list.h"

static json_object *make(const char *name, uint64_t pid) {
        json_object *v = json_object_new_object();

        ck_assert_int_eq(json_set(v, "Name", json_new_string(name)), 0);
        ck_assert_int_eq(json_set(v, "MainPID", json_object_new_uint64(pid)), 0);
        return v;
}

static void expect_kept(char *const *patterns, const char *expected) {
        _cleanup_(json_object_putp) json_object *cpu = make("cpu", 7), *web1 = make("web@1", 0), *web2 = make("web@2", 8);
        const json_object *sessions[] = { cpu, web1, web2 };
        SessionList l = { .sessions = sessions, .n = 3 };
        char names[64] = "";

        ck_assert_uint_eq(session_list_count_running(&l), 2);
        session_list_filter(&l, "Name", patterns);
        for (size_t i = 0; i < l.n; i++) {
                strcat(names, json_get_string(l.sessions[i], "Name"));
                strcat(names, " ");
        }
        ck_assert_str_eq(names, expected);
}

START_TEST(test_filter) {
        expect_kept(NULL, "cpu web@1 web@2 ");
        expect_kept((char *[]){ (char *) "web@*", NULL }, "web@1 web@2 ");
        expect_kept((char *[]){ (char *) "*2", (char *) "cpu", NULL }, "cpu web@2 ");
        expect_kept((char *[]){ (char *) "none", NULL }, "");
}
END_TEST

CHECK_MAIN("session-list", test_filter);
