/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "dump-store.h"
#include "scratch.h"

#define FIRST "perf.data.2026112110531801"
#define FIRST_SYMBOLS "symbols.2026112110531801"
#define SECOND "perf.data.2026112110531802"

static char *dir, *last_added, *last_removed;
static int fd;
static sd_event *event;
static DumpStore *store;
static unsigned n_added, n_removed, n_changed;

static void on_added(const Dump *d, void *userdata) {
        n_added++;
        ck_assert_ptr_eq(dump_store_find(store, d->id), d);
        ck_assert_int_eq(free_and_strdup(&last_added, d->id), 0);
}

static void on_removed(const Dump *d, void *userdata) {
        n_removed++;
        ck_assert_ptr_ne(dump_store_find(store, d->id), d);
        ck_assert_int_eq(free_and_strdup(&last_removed, d->id), 0);
}

static void on_changed(const Dump *d, void *userdata) {
        n_changed++;
}

static void open_store(void) {
        const DumpStoreObserver observer = { .added = on_added, .removed = on_removed, .changed = on_changed };
        bool watching;

        ck_assert_int_eq(dump_store_new(event, fd, dir, &observer, &store, &watching), 0);
        ck_assert(watching);
}

static void setup(void) {
        dir = scratch_new();
        scratch_write_text(dir, "session-cpu/" SECOND, "2");
        scratch_write_text(dir, "session-cpu/" FIRST, "1");
        scratch_write_text(dir, "session-cpu/perf.data", "running");
        scratch_write_text(dir, "session-cpu-2/" FIRST, "other");
        scratch_write_text(dir, "session-@bad/" FIRST, "no name");
        scratch_write_text(dir, "other/" FIRST, "no session");
        fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert_int_ge(sd_event_new(&event), 0);
        n_added = n_removed = n_changed = 0;
        open_store();
}

static void teardown(void) {
        store = dump_store_free(store);
        sd_event_unref(event);
        safe_close(fd);
        free(last_added);
        free(last_removed);
        scratch_done(&dir);
}

/* Waits until the count is reached, and then handles all pending events. */
static void await(const unsigned *count, unsigned expected) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + 10 * USEC_PER_SEC;

        while (*count < expected && now_usec(CLOCK_MONOTONIC) < end)
                ck_assert_int_ge(sd_event_run(event, 100 * USEC_PER_MSEC), 0);
        while (sd_event_run(event, 0) > 0)
                ;
        ck_assert_uint_eq(*count, expected);
}

static size_t count(void) {
        size_t n;

        (void) dump_store_all(store, &n);
        return n;
}

static void remove_file(const char *path) {
        ck_assert_int_eq(unlinkat(fd, path, 0), 0);
}

/* Finishes a dump as a recorder does. */
static void finish(const char *session, const char *name) {
        _cleanup_free_ char *temporary = NULL, *path = NULL;

        ck_assert_int_gt(asprintf(&temporary, "session-%s/.#%s", session, name), 0);
        ck_assert_int_gt(asprintf(&path, "session-%s/%s", session, name), 0);
        scratch_write_text(dir, temporary, "new");
        ck_assert_int_eq(renameat(fd, temporary, fd, path), 0);
}

/* Adds symbols as a recorder does: renames them when they are complete. */
static void add_symbols(const char *name) {
        scratch_write_text(dir, "session-cpu/temporary/bin/cat", "elf");
        ck_assert_int_eq(renameat(fd, "session-cpu/temporary", fd, name), 0);
        await(&n_changed, 2); /* they appear, they are measured */
}

START_TEST(test_reads_what_is_there) {
        const Dump *const *dumps;
        size_t n;

        dumps = dump_store_all(store, &n);
        ck_assert_uint_eq(n, 3);
        ck_assert_str_eq(dumps[0]->id, "cpu-2026112110531801");
        ck_assert_str_eq(dumps[1]->id, "cpu-2026112110531802");
        ck_assert_str_eq(dumps[2]->id, "cpu-2-2026112110531801");
        ck_assert_ptr_eq(dump_store_find(store, "cpu-2-2026112110531801"), dumps[2]);
        ck_assert_ptr_null(dump_store_find(store, "cpu-2-2026112110531802"));
        ck_assert_ptr_null(dump_store_find(store, "cpu"));
        ck_assert_ptr_eq(dump_store_newest(store, "cpu"), dumps[1]);
        ck_assert_ptr_null(dump_store_newest(store, "other"));
        (void) dump_store_of(store, "cpu", &n);
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(n_added, 0);
}
END_TEST

START_TEST(test_a_new_one) {
        finish("cpu", "perf.data.2026112110531803");
        await(&n_added, 1);
        ck_assert_str_eq(last_added, "cpu-2026112110531803");
        dump_store_look(store, "cpu", "perf.data.2026112110531803");
        ck_assert_uint_eq(n_added, 1);
        ck_assert_uint_eq(n_removed, 0);
}
END_TEST

START_TEST(test_told_before_it_is_seen) {
        finish("cpu", "perf.data.2026112110531803");
        dump_store_look(store, "cpu", "perf.data.2026112110531803");
        ck_assert_uint_eq(n_added, 1);
        await(&n_added, 1);
}
END_TEST

START_TEST(test_a_new_session) {
        finish("new", FIRST);
        await(&n_added, 1);
        finish("new", SECOND);
        await(&n_added, 2);
        ck_assert_str_eq(last_added, "new-2026112110531802");
}
END_TEST

START_TEST(test_removed_by_hand) {
        add_symbols("session-cpu/" FIRST_SYMBOLS);
        remove_file("session-cpu/" FIRST);
        await(&n_removed, 1);
        ck_assert_str_eq(last_removed, "cpu-2026112110531801");
        ck_assert_int_lt(faccessat(fd, "session-cpu/" FIRST_SYMBOLS, F_OK, 0), 0);
}
END_TEST

START_TEST(test_a_directory_that_vanishes) {
        remove_file("session-cpu/" FIRST);
        remove_file("session-cpu/" SECOND);
        remove_file("session-cpu/perf.data");
        ck_assert_int_eq(unlinkat(fd, "session-cpu", AT_REMOVEDIR), 0);
        await(&n_removed, 2);
        finish("cpu", FIRST);
        await(&n_added, 1);
        finish("cpu", SECOND);
        await(&n_added, 2);
}
END_TEST

START_TEST(test_a_directory_that_is_moved_away) {
        ck_assert_int_eq(renameat(fd, "session-cpu", fd, "away"), 0);
        await(&n_removed, 2);
        ck_assert_int_eq(renameat(fd, "away", fd, "session-back"), 0);
        await(&n_added, 2);
        ck_assert_uint_eq(count(), 3);
        finish("back", "perf.data.2026112110531803");
        await(&n_added, 3);
}
END_TEST

START_TEST(test_a_link_is_no_directory) {
        ck_assert_int_eq(symlinkat("session-cpu", fd, "session-link"), 0);
        ck_assert_int_eq(renameat(fd, "session-cpu", fd, "away"), 0);
        ck_assert_int_eq(symlinkat("away", fd, "session-cpu"), 0);
        await(&n_removed, 2);
        ck_assert_uint_eq(count(), 1);
        ck_assert_uint_eq(n_added, 0);
}
END_TEST

START_TEST(test_written_over) {
        finish("cpu", SECOND);
        await(&n_added, 1);
        ck_assert_uint_eq(n_removed, 1);
        ck_assert_uint_eq(count(), 3);
}
END_TEST

START_TEST(test_copied_into_it) {
        scratch_write_text(dir, "session-cpu/perf.data.2026112110531803", "copied");
        await(&n_added, 1);
        ck_assert_uint_eq(dump_store_find(store, "cpu-2026112110531803")->size, 6);
}
END_TEST

START_TEST(test_symbols_come_later) {
        const Dump *d = dump_store_find(store, "cpu-2026112110531801");

        ck_assert_str_eq(d->symbols.path, "");
        add_symbols("session-cpu/" FIRST_SYMBOLS);
        ck_assert_str_ne(dump_store_find(store, "cpu-2026112110531801")->symbols.path, "");
        ck_assert(dump_store_find(store, "cpu-2026112110531801")->symbols.measured);
        ck_assert_uint_eq(n_added + n_removed, 0);
}
END_TEST

START_TEST(test_remove) {
        _cleanup_close_ int reader = -EBADF;

        ck_assert_int_eq(dump_store_open(store, dump_store_find(store, "cpu-2026112110531801"), &reader), 0);
        ck_assert_int_eq(dump_store_remove(store, dump_store_find(store, "cpu-2026112110531801"), true), -EBUSY);
        ck_assert_uint_eq(n_removed, 0);
        ck_assert_int_eq(dump_store_remove(store, dump_store_find(store, "cpu-2026112110531801"), false), 0);
        ck_assert_uint_eq(n_removed, 1);
        remove_file("session-cpu/" SECOND);
        ck_assert_int_eq(dump_store_remove(store, dump_store_find(store, "cpu-2026112110531802"), false), -ENOENT);
        ck_assert_uint_eq(n_removed, 2);
        await(&n_removed, 2);
}
END_TEST

/* Symbols are noticed that a killed daemon did not get to. */
START_TEST(test_begins_again) {
        scratch_write_text(dir, "session-cpu/symbols.2026112110531800/bin/cat", "elf");
        scratch_write_text(dir, "session-cpu/perf.data.2026112110531800.symfs/bin/cat", "elf");
        remove_file("session-cpu/" FIRST);
        store = dump_store_free(store);
        open_store();
        ck_assert_uint_eq(count(), 2);
        ck_assert_int_lt(faccessat(fd, "session-cpu/symbols.2026112110531800", F_OK, 0), 0);
        ck_assert_int_lt(faccessat(fd, "session-cpu/perf.data.2026112110531800.symfs", F_OK, 0), 0);
}
END_TEST

CHECK_MAIN_WITH("dump-store", setup, teardown, test_reads_what_is_there, test_a_new_one, test_told_before_it_is_seen,
                test_a_new_session, test_removed_by_hand, test_a_directory_that_vanishes, test_a_directory_that_is_moved_away,
                test_a_link_is_no_directory, test_written_over, test_copied_into_it, test_symbols_come_later, test_remove,
                test_begins_again);
