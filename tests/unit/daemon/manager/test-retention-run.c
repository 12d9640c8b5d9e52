/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "daemon-fixture.h"
#include "scratch.h"

static void write_dump(const char *session, unsigned n) {
        _cleanup_free_ char *path = NULL, *text = calloc(1, 8192);

        ck_assert_int_gt(asprintf(&path, "base/session-%s/perf.data.%016llu", session, 2026010100000000ULL + n), 0);
        scratch_write(fixture.dir, path, text, 8192);
}

static size_t n_dumps(const char *session) {
        size_t n;

        (void) dump_store_of(manager_dumps(fixture.manager), session, &n);
        return n;
}

static void await_dumps(const char *session, size_t expected) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + 10 * USEC_PER_SEC;

        while (n_dumps(session) != expected && now_usec(CLOCK_MONOTONIC) < end)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC), 0);
        run_loop(400 * USEC_PER_MSEC); /* longer than a run waits for */
        ck_assert_uint_eq(n_dumps(session), expected);
}

/* Writes a configuration that does not depend on this machine's disk. */
static void configure(const char *more) {
        _cleanup_free_ char *text = NULL;

        ck_assert_int_gt(asprintf(&text, "[Storage]\nKeepFree=0\nTotalMaxUse=infinity\nMaxUse=infinity\n%s", more), 0);
        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", text);
}

START_TEST(test_each_session) {
        configure("MaxFiles=3\n");
        write_session("cpu", "", "Enabled=no\n[Storage]\nMaxFiles=2");
        for (unsigned i = 0; i < 5; i++) {
                write_dump("cpu", i);
                write_dump("gone", i);
        }
        daemon_start();
        await_dumps("cpu", 2);
        await_dumps("gone", 3);
        ck_assert_ptr_nonnull(dump_store_find(manager_dumps(fixture.manager), "cpu-2026010100000004"));
        write_dump("cpu", 5);
        await_dumps("cpu", 2);
        ck_assert_ptr_null(dump_store_find(manager_dumps(fixture.manager), "cpu-2026010100000003"));
}
END_TEST

START_TEST(test_one_that_is_read_stays) {
        _cleanup_close_ int fd = -EBADF;

        configure("");
        write_session("cpu", "", "Enabled=no\n[Storage]\nMaxUse=20K");
        write_dump("cpu", 0);
        daemon_start();
        ck_assert_int_eq(dump_store_open(manager_dumps(fixture.manager), dump_store_find(manager_dumps(fixture.manager), "cpu-2026010100000000"), &fd), 0);
        for (unsigned i = 1; i < 5; i++)
                write_dump("cpu", i);
        await_dumps("cpu", 2);
        ck_assert_ptr_nonnull(dump_store_find(manager_dumps(fixture.manager), "cpu-2026010100000000"));
        ck_assert_ptr_nonnull(dump_store_find(manager_dumps(fixture.manager), "cpu-2026010100000004"));
}
END_TEST

START_TEST(test_all_together) {
        configure("TotalMaxFiles=2\n");
        write_session("cpu", "", "Enabled=no");
        write_dump("cpu", 0);
        for (unsigned i = 1; i < 4; i++)
                write_dump("gone", i);
        daemon_start();
        await_dumps("gone", 1);
        ck_assert_uint_eq(n_dumps("cpu"), 1); /* the newest of an existing session */
}
END_TEST

static bool is_there(const char *name) {
        _cleanup_free_ char *path = path_join(fixture.dir, name);

        return access(path, F_OK) == 0;
}

static void await_gone(const char *name) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + 10 * USEC_PER_SEC;

        while (is_there(name) && now_usec(CLOCK_MONOTONIC) < end)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, 100 * USEC_PER_MSEC), 0);
        ck_assert(!is_there(name));
}

/* Other files count, and unneeded ones are removed first. */
START_TEST(test_what_is_no_dump) {
        _cleanup_free_ char *text = calloc(1, 65536);

        configure("MaxUse=100K\n");
        write_session("cpu", "", "Enabled=no");
        for (unsigned i = 0; i < 4; i++)
                write_dump("cpu", i);
        scratch_write(fixture.dir, "base/session-cpu/perf.data.old", text, 65536);
        scratch_write(fixture.dir, "base/session-cpu/perf.data", text, 65536);
        scratch_write(fixture.dir, "base/session-gone/perf.data", text, 65536);
        daemon_start();
        await_gone("base/session-cpu/perf.data.old");
        await_dumps("cpu", 4); /* 64K and 32K */
        ck_assert(is_there("base/session-gone/perf.data"));
        write_dump("cpu", 4);
        await_dumps("cpu", 4);
        ck_assert(is_there("base/session-cpu/perf.data"));
}
END_TEST

/* Five small dumps have links to the same large symbols: these are removed, and the dumps stay. */
START_TEST(test_symbols) {
        _cleanup_free_ char *text = calloc(1, 256 * 1024), *first = NULL;

        configure("");
        write_session("cpu", "", "Enabled=no\n[Storage]\nMaxUse=128K");
        scratch_write(fixture.dir, "base/session-cpu/symbols.2026010100000000/lib", text, 256 * 1024);
        first = path_join(fixture.dir, "base/session-cpu/symbols.2026010100000000/lib");
        write_dump("cpu", 0);
        for (unsigned i = 1; i < 5; i++) {
                _cleanup_free_ char *name = NULL, *path = NULL;

                write_dump("cpu", i);
                ck_assert_int_gt(asprintf(&name, "base/session-cpu/symbols.%016llu/lib", 2026010100000000ULL + i), 0);
                scratch_write_text(fixture.dir, name, "");
                path = path_join(fixture.dir, name);
                ck_assert_int_eq(unlink(path), 0);
                ck_assert_int_eq(link(first, path), 0);
        }
        daemon_start();
        await_gone("base/session-cpu/symbols.2026010100000000");
        await_gone("base/session-cpu/symbols.2026010100000004");
        await_dumps("cpu", 5);
}
END_TEST

START_TEST(test_leftovers_of_gone_sessions) {
        configure("");
        write_session("cpu", "", "Enabled=no");
        scratch_write_text(fixture.dir, "base/session-gone/output", "lines");
        scratch_write_text(fixture.dir, "base/session-cpu/output", "lines");
        scratch_write_text(fixture.dir, "base/session-cpu/.#perf.data.123456", "half");
        scratch_write_text(fixture.dir, "base/session-kept/somebodys", "file");
        daemon_start();
        await_gone("base/session-gone");
        await_gone("base/session-cpu/.#perf.data.123456");
        ck_assert(is_there("base/session-cpu/output"));
        ck_assert(is_there("base/session-kept/somebodys"));
}
END_TEST

START_TEST(test_age) {
        configure("MaxAge=1h\n");
        write_session("cpu", "", "Enabled=no");
        write_dump("cpu", 0);
        daemon_start();
        await_dumps("cpu", 0);
}
END_TEST

/* Changed limits apply at once, and nothing is restarted for them. */
/* There a share of the size would be 0. */
START_TEST(test_no_size) {
        _cleanup_free_ char *base = path_join(fixture.dir, "base");

        if (!scratch_mount_ramfs(base))
                return;
        write_session("cpu", "", "Enabled=no");
        for (unsigned i = 0; i < 3; i++)
                write_dump("cpu", i);
        daemon_start();
        await_dumps("cpu", 3);
        (void) umount2(base, MNT_DETACH);
}
END_TEST

START_TEST(test_reload) {
        pid_t pid;

        configure("");
        write_session("cpu", "", "");
        for (unsigned i = 0; i < 5; i++)
                write_dump("cpu", i);
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
        pid = session_view(session("cpu")).main_pid;
        await_dumps("cpu", 5);
        write_session("cpu", "", "[Storage]\nMaxFiles=1");
        await_dumps("cpu", 1);
        run_loop(300 * USEC_PER_MSEC);
        ck_assert_int_eq(session_view(session("cpu")).main_pid, pid);
}
END_TEST

/* Requests that come within a moment have one run, which they do not put off. */
START_TEST(test_many_requests) {
        usec_t begin;

        configure("");
        write_session("cpu", "", "Enabled=no");
        daemon_start();
        run_loop(400 * USEC_PER_MSEC);
        ck_assert(!fixture.manager->retains);
        begin = now_usec(CLOCK_MONOTONIC);
        do {
                manager_retain_later(fixture.manager);
                run_loop(20 * USEC_PER_MSEC);
        } while (now_usec(CLOCK_MONOTONIC) - begin < 100 * USEC_PER_MSEC);
        ck_assert(fixture.manager->retains || now_usec(CLOCK_MONOTONIC) - begin > 200 * USEC_PER_MSEC);
        run_loop(400 * USEC_PER_MSEC);
        ck_assert(!fixture.manager->retains);
}
END_TEST

CHECK_MAIN_WITH("manager-retention", daemon_fixture_setup, daemon_fixture_teardown, test_each_session,
                test_one_that_is_read_stays, test_all_together, test_what_is_no_dump, test_symbols, test_leftovers_of_gone_sessions,
                test_age, test_no_size, test_reload, test_many_requests);
