/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Also=: a recorder's announcements reach the named sessions, and no other message does. */

#include "daemon-fixture.h"

#define INCIDENT "0123456789abcdef0123456789abcdef"

static void announce(const char *name, const char *words) {
        _cleanup_free_ char *copy = strdup(words);

        session_dump_also(session(name), copy);
}

static bool has_dump(const Session *s) {
        return !s->dumps.first && dump_store_newest(manager_dumps(fixture.manager), s->name);
}

START_TEST(test_others_dump) {
        _cleanup_close_ int fd = -EBADF;
        char text[512] = "";

        write_session("cpu", "", "[Trigger]\nAlso=sched cpu nosuch");
        write_session("sched", "", "[Trigger]\nAlso=cpu");
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
        await_state("sched", SESSION_RECORDING);
        announce("cpu", "incident=" INCIDENT " since=0 until=0 new=0 all=1 detail=request: uid 0: why");
        ck_assert_ptr_null(session("cpu")->dumps.first); /* it is dumping */
        await(has_dump, "sched");
        ck_assert_int_eq(dump_store_open(manager_dumps(fixture.manager), dump_store_newest(manager_dumps(fixture.manager), "sched"), &fd), 0);
        ck_assert_int_gt(pread(fd, text, sizeof(text) - 1, 0), 0);
        ck_assert_ptr_nonnull(strstr(text, " trigger=also all=1 incident=" INCIDENT " unit=cpu detail=cpu: request: uid 0: why"));
}
END_TEST

START_TEST(test_what_is_not_understood) {
        static const char *const wrong[] = {
                "", "since=5 detail=x", "incident=../../x since=0 until=0", "incident=" INCIDENT "0", "incident=" INCIDENT " since=x",
        };

        write_session("cpu", "", "[Trigger]\nAlso=sched");
        write_session("sched", "", "");
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
        await_state("sched", SESSION_RECORDING);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                announce("cpu", wrong[i]);
                ck_assert_ptr_null(session("sched")->dumps.first);
        }
        announce("sched", "incident=" INCIDENT " since=0 until=0 new=0 all=0 detail=event"); /* which has no Also= */
        ck_assert_ptr_null(session("cpu")->dumps.first);
}
END_TEST

CHECK_MAIN_WITH("session-also", daemon_fixture_setup, daemon_fixture_teardown, test_others_dump, test_what_is_not_understood);
