/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "daemon-fixture.h"
#include "directory-tree.h"
#include "fd-file.h"
#include "scratch.h"

static char *base, *moved;
static bool missing;

static void setup(void) {
        daemon_fixture_setup();
        base = path_join(fixture.dir, "base");
        moved = path_join(fixture.dir, "moved");
        start_session("a", "", "");
        fixture.manager->watch = session_watch_free(fixture.manager->watch); /* it would reload too */
}

static void teardown(void) {
        daemon_fixture_teardown();
        free(base);
        free(moved);
}

static void on_reloaded(Failure failure, const char *sentence, const ReloadRow *rows, size_t n_rows, void *userdata) {
        fixture_done(failure, sentence, userdata);
}

static Failure reload(void) {
        fixture.done = false;
        manager_reload(fixture.manager, on_reloaded, NULL);
        return finish_verb();
}

static void on_dumped(Failure failure, const char *sentence, const DumpRow *rows, size_t n, void *userdata) {
        fixture_done(failure, sentence, userdata);
}

static Failure dump(void) {
        const DumpRequest request = { .trigger = "request" };

        fixture.done = false;
        manager_dump(fixture.manager, NULL, &request, on_dumped, NULL);
        return finish_verb();
}

static void on_pinged(Failure failure, const char *sentence, const PingRow *rows, size_t n_rows, void *userdata) {
        missing = false;
        for (size_t i = 0; i < n_rows; i++)
                missing = missing || (streq(rows[i].name, base) && streq(rows[i].status, "missing"));
        fixture_done(failure, sentence, userdata);
}

static bool ping_reports_it(void) {
        fixture.done = false;
        manager_ping(fixture.manager, NULL, 0, on_pinged, NULL);
        ck_assert_int_eq(finish_verb(), 0);
        return missing;
}

static void check_sentence(const char *end) {
        _cleanup_free_ char *expected = NULL;

        ck_assert_int_gt(asprintf(&expected, "the base directory %s was removed or moved away: run `perfctl reload' or `systemctl "
                                  "reload perf-recorderd' to have it made again%s", base, end), 0);
        ck_assert_str_eq(fixture.sentence, expected);
}

static mode_t mode_of(const char *name) {
        _cleanup_free_ char *path = path_join(base, name);
        struct stat st;

        ck_assert_int_eq(lstat(path, &st), 0);
        return st.st_mode;
}

static void check_refused(pid_t pid) {
        ck_assert(ping_reports_it());
        ck_assert_int_eq(dump(), FAILURE_OTHER);
        check_sentence("; sessions go on recording");
        ck_assert_int_eq(run_verb(manager_restart, "a"), FAILURE_RECORDER);
        check_sentence("; it goes on recording");
        ck_assert_int_eq(session_view(session("a")).main_pid, pid);
        write_session("b", "", "Restart=no");
        ck_assert_int_ne(run_verb(manager_start, "b"), 0);
        check_sentence("");
}

static void check_made_again(pid_t pid) {
        ck_assert_int_eq(reload(), 0);
        ck_assert(!ping_reports_it());
        ck_assert_uint_eq(mode_of(""), S_IFDIR | 0700);
        ck_assert_uint_eq(mode_of("lock"), S_IFREG | 0600);
        ck_assert_uint_eq(mode_of("notify"), S_IFSOCK | 0600);
        ck_assert_int_eq(session_view(session("a")).main_pid, pid);
        ck_assert_int_eq(session_view(session("a")).state, SESSION_RECORDING);
        ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
        ck_assert_int_eq(run_verb(manager_start, "b"), 0);
        ck_assert_int_eq(dump(), 0); /* which is reported by the socket */
}

START_TEST(test_removed) {
        pid_t pid = session_view(session("a")).main_pid;

        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, base), 0);
        check_refused(pid);
        ck_assert_int_lt(access(base, F_OK), 0);
        check_made_again(pid);
}
END_TEST

START_TEST(test_moved) {
        pid_t pid = session_view(session("a")).main_pid;
        size_t n;

        ck_assert_int_eq(dump(), 0);
        ck_assert_int_eq(rename(base, moved), 0);
        check_refused(pid);
        check_made_again(pid);
        (void) dump_store_of(manager_dumps(fixture.manager), "a", &n);
        ck_assert_uint_eq(n, 1); /* the first dump is in the other directory */
}
END_TEST

START_TEST(test_moved_back) {
        ck_assert_int_eq(rename(base, moved), 0);
        ck_assert(ping_reports_it());
        ck_assert_int_eq(rename(moved, base), 0);
        ck_assert(!ping_reports_it());
        ck_assert_int_eq(dump(), 0);
}
END_TEST

START_TEST(test_there) {
        _cleanup_free_ char *lock = path_join(base, "lock");
        struct stat before, after;

        ck_assert_int_eq(stat(lock, &before), 0);
        ck_assert_int_eq(reload(), 0);
        ck_assert_int_eq(stat(lock, &after), 0);
        ck_assert_uint_eq(after.st_ino, before.st_ino);
}
END_TEST

START_TEST(test_a_file_in_its_place) {
        _cleanup_free_ char *expected = NULL;

        ck_assert_int_gt(asprintf(&expected, "The base directory %s was removed or moved away, and cannot be made again: Not a "
                                  "directory", base), 0);
        ck_assert_int_eq(rename(base, moved), 0);
        scratch_write_text(fixture.dir, "base", "");
        ck_assert_int_eq(reload(), FAILURE_OTHER);
        ck_assert_str_eq(fixture.sentence, expected);
        ck_assert_int_eq(unlink(base), 0);
        ck_assert_int_eq(reload(), 0);
}
END_TEST

static void mount_as(unsigned long flags) {
        ck_assert_int_eq(mount(NULL, fixture.dir, NULL, MS_REMOUNT | MS_BIND | flags, NULL), 0);
}

/* As in the packaged unit's sandbox: only systemd can make the directory, and has to mount it before the daemon can use it. */
START_TEST(test_sandbox) {
        _cleanup_close_ int parent = open(fixture.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
                return;
        ck_assert_int_eq(mount(fixture.dir, fixture.dir, NULL, MS_BIND, NULL), 0);
        mount_as(MS_RDONLY);
        ck_assert_int_eq(directory_tree_remove(parent, "base"), 0);
        ck_assert_int_eq(reload(), FAILURE_OTHER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "cannot be made again: Read-only file system"));
        ck_assert_uint_eq(mode_of(""), S_IFDIR | 0700);

        ck_assert_int_eq(directory_tree_remove(parent, "base"), 0);
        run_loop(200 * USEC_PER_MSEC); /* until the unit is removed */
        fixture.done = false;
        manager_reload(fixture.manager, on_reloaded, NULL);
        manager_reload(fixture.manager, NULL, NULL); /* waits for the same request */
        while (access(base, F_OK) < 0)
                ck_assert_int_ge(sd_event_run(fixture.bus.event, USEC_PER_SEC), 0);
        mount_as(0);
        ck_assert_int_eq(finish_verb(), 0);
        ck_assert_uint_eq(mode_of("lock"), S_IFREG | 0600);
        ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
        ck_assert_int_eq(umount2(fixture.dir, MNT_DETACH), 0);
}
END_TEST

/* A reload that waits for the directory ends with the daemon. */
START_TEST(test_daemon_ends) {
        _cleanup_close_ int parent = open(fixture.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
                return;
        ck_assert_int_eq(mount(fixture.dir, fixture.dir, NULL, MS_BIND, NULL), 0);
        mount_as(MS_RDONLY);
        ck_assert_int_eq(directory_tree_remove(parent, "base"), 0);
        fixture.done = false;
        manager_reload(fixture.manager, on_reloaded, NULL);
        ck_assert(!fixture.done);
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        daemon_leave();
        ck_assert(fixture.done);
        ck_assert_int_eq(fixture.failure, FAILURE_OTHER);
        ck_assert_int_eq(umount2(fixture.dir, MNT_DETACH), 0);
}
END_TEST

CHECK_MAIN_WITH("manager-base", setup, teardown, test_removed, test_moved, test_moved_back, test_there, test_a_file_in_its_place,
                test_sandbox, test_daemon_ends);
