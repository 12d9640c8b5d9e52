/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/file.h>
#include <sys/xattr.h>

#include <perf-recorder/dump-facts.h>

#include "check-main.h"
#include "dump.h"
#include "file-facts.h"
#include "scratch.h"

#define NAME "perf.data.2026112110531842"
#define SYMBOLS "symbols.2026112110531842"
#define OLD_SYMBOLS NAME ".symfs"

static char *dir;
static int fd;

static void setup(void) {
        (void) setenv("TZ", "UTC", 1);
        dir = scratch_new();
        scratch_write_text(dir, NAME, "0123456789");
        fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert_int_ge(fd, 0);
}

static void teardown(void) {
        safe_close(fd);
        scratch_done(&dir);
}

static Dump *read_it(void) {
        Dump *d;

        ck_assert_int_eq(dump_read(fd, "/base", "cpu", NAME, &d), 0);
        return d;
}

/* Returns false if the file system has no attributes. */
static bool set_fact(const char *attribute, const char *value) {
        _cleanup_free_ char *path = path_join(dir, NAME);

        return setxattr(path, attribute, value, strlen(value), 0) >= 0;
}

START_TEST(test_names) {
        ck_assert(dump_name_is_valid(NAME));
        ck_assert(!dump_name_is_valid("perf.data"));
        ck_assert(!dump_name_is_valid("perf.data.old"));
        ck_assert(!dump_name_is_valid("perf.data.202611211053184"));
        ck_assert(!dump_name_is_valid("perf.data.20261121105318421"));
        ck_assert(!dump_name_is_valid(".#perf.data.2026112110531842"));
        ck_assert(!dump_name_is_valid(SYMBOLS));
        ck_assert(!dump_name_is_valid(OLD_SYMBOLS));
}
END_TEST

START_TEST(test_ids) {
        _cleanup_free_ char *session = NULL, *name = NULL;

        ck_assert_int_eq(dump_id_split("unit@web-1-2026112110531842", &session, &name), 0);
        ck_assert_str_eq(session, "unit@web-1");
        ck_assert_str_eq(name, NAME);
        ck_assert_int_eq(dump_id_split("", &session, &name), -EINVAL);
        ck_assert_int_eq(dump_id_split("-2026112110531842", &session, &name), -EINVAL);
        ck_assert_int_eq(dump_id_split("cpu-202611211053184x", &session, &name), -EINVAL);
        ck_assert_int_eq(dump_id_split("../cpu-2026112110531842", &session, &name), -EINVAL);
}
END_TEST

START_TEST(test_a_file_that_says_nothing) {
        _cleanup_(dump_freep) Dump *d = read_it();

        ck_assert_str_eq(d->id, "cpu-2026112110531842");
        ck_assert_str_eq(d->path, "/base/session-cpu/" NAME);
        ck_assert_str_eq(d->trigger, "");
        ck_assert_str_eq(d->symbols.path, "");
        ck_assert_uint_eq(d->timestamp, UINT64_C(1795258398420000)); /* Sat 2026-11-21 10:53:18.42 UTC */
        ck_assert_uint_eq(d->size, 10);
        ck_assert_uint_eq(d->samples, DUMP_UNKNOWN);
        ck_assert_uint_eq(d->lost, DUMP_UNKNOWN);
        ck_assert_uint_eq(d->first, 0);
        ck_assert_uint_eq(d->n_triggers, 1);
}
END_TEST

START_TEST(test_facts) {
        _cleanup_(dump_freep) Dump *d = NULL;

        if (!set_fact(PR_DUMP_XATTR_TRIGGER, PR_TRIGGER_EVENT))
                return;
        ck_assert(set_fact(PR_DUMP_XATTR_DETAIL, "sched:sched_process_exit, gr\303\274n"));
        ck_assert(set_fact(PR_DUMP_XATTR_TIMESTAMP, "1000001"));
        ck_assert(set_fact(PR_DUMP_XATTR_TRIGGERS, "3"));
        ck_assert(set_fact(PR_DUMP_XATTR_SAMPLES, "1234"));
        ck_assert(set_fact(PR_DUMP_XATTR_LOST, "0"));
        ck_assert(set_fact(PR_DUMP_XATTR_LOST_RECORDS, "5"));
        ck_assert(set_fact(PR_DUMP_XATTR_THROTTLED, "many"));
        ck_assert(set_fact(PR_DUMP_XATTR_FIRST, "900001"));
        ck_assert(set_fact(PR_DUMP_XATTR_LAST, "1000002"));
        ck_assert(set_fact(PR_DUMP_XATTR_LEFT_OUT_MAPPINGS, "12"));
        ck_assert(set_fact(PR_DUMP_XATTR_LEFT_OUT_PROCESSES, "3"));
        ck_assert(set_fact(PR_DUMP_XATTR_BOOT, "cafe"));
        ck_assert(set_fact(PR_DUMP_XATTR_LENT, "900001 950000 hardware job 12; 960000 0 breakpoint gdb"));
        d = read_it();
        ck_assert_str_eq(d->trigger, "event");
        ck_assert_str_eq(d->detail, "sched:sched_process_exit, gr\303\274n");
        ck_assert_str_eq(d->boot_id, "cafe");
        ck_assert_uint_eq(d->timestamp, 1000001);
        ck_assert_uint_eq(d->n_triggers, 3);
        ck_assert_uint_eq(d->samples, 1234);
        ck_assert_uint_eq(d->lost, 0);
        ck_assert_uint_eq(d->lost_records, 5);
        ck_assert_uint_eq(d->throttled, DUMP_UNKNOWN);
        ck_assert_uint_eq(d->left_out_mappings, 12);
        ck_assert_uint_eq(d->left_out_processes, 3);
        ck_assert_uint_eq(d->first, 900001);
        ck_assert_uint_eq(d->last, 1000002);
        ck_assert_uint_eq(d->lent.n, 2);
        ck_assert_uint_eq(d->lent.all[0].first, 900001);
        ck_assert_uint_eq(d->lent.all[0].last, 950000);
        ck_assert_int_eq(d->lent.all[0].kind, COUNTER_HARDWARE);
        ck_assert_str_eq(d->lent.all[0].who, "job 12");
        ck_assert_uint_eq(d->lent.all[1].last, 0);
        d = dump_free(d);

        ck_assert(set_fact(PR_DUMP_XATTR_LENT, "since yesterday"));
        d = read_it();
        ck_assert_uint_eq(d->lent.n, 0);
}
END_TEST

START_TEST(test_facts_at_the_end) {
        _cleanup_(file_facts_done) FileFacts facts = {};
        _cleanup_(dump_freep) Dump *d = NULL;
        _cleanup_close_ int file = openat(fd, NAME, O_WRONLY | O_CLOEXEC);

        ck_assert_int_eq(file_facts_add(&facts, PR_DUMP_XATTR_TRIGGER, "calendar", 8), 0);
        ck_assert_int_eq(file_facts_add(&facts, PR_DUMP_XATTR_SAMPLES, "12", 2), 0);
        ck_assert_int_eq(file_facts_append(&facts, file), 0);
        dump_put_reason(fd, NAME, "request", "uid 7");
        d = read_it();
        ck_assert_str_eq(d->trigger, "calendar");
        ck_assert_uint_eq(d->samples, 12);
        ck_assert_uint_eq(d->lost, DUMP_UNKNOWN);
}
END_TEST

START_TEST(test_facts_that_cannot_be_shown) {
        _cleanup_(dump_freep) Dump *d = NULL;

        if (!set_fact(PR_DUMP_XATTR_DETAIL, "a\nb\377\033[m"))
                return;
        d = read_it();
        ck_assert_str_eq(d->detail, "a b\xef\xbf\xbd?[m");
}
END_TEST

START_TEST(test_reason) {
        _cleanup_(dump_freep) Dump *d = NULL;

        dump_put_reason(fd, NAME, "request", "uid 7");
        dump_put_reason(fd, NAME, "calendar", "later");
        dump_put_reason(fd, "nosuch", "calendar", "later");
        d = read_it();
        if (*d->trigger) {
                ck_assert_str_eq(d->trigger, "request");
                ck_assert_str_eq(d->detail, "uid 7");
        }
}
END_TEST

START_TEST(test_reason_without_attributes) {
        _cleanup_free_ char *disk = path_join(dir, "disk");
        _cleanup_close_ int disk_fd = -EBADF;
        _cleanup_(dump_freep) Dump *d = NULL;

        if (!scratch_mount_ramfs(disk))
                return;
        scratch_write_text(disk, NAME, "0123456789");
        disk_fd = open(disk, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        dump_put_reason(disk_fd, NAME, "request", "uid 7");
        dump_put_reason(disk_fd, NAME, "calendar", "later");
        ck_assert_int_eq(dump_read(disk_fd, "/base", "cpu", NAME, &d), 0);
        ck_assert_str_eq(d->trigger, "request");
        ck_assert_str_eq(d->detail, "uid 7");
        ck_assert_int_eq(umount2(disk, MNT_DETACH), 0);
}
END_TEST

START_TEST(test_symbols) {
        _cleanup_(dump_freep) Dump *d = NULL, *without = read_it();

        scratch_write_text(dir, SYMBOLS "/usr/bin/cat", "elf");
        d = read_it();
        ck_assert_str_eq(d->symbols.path, "/base/session-cpu/" SYMBOLS);
        ck_assert(dump_is_same(d, without));
        ck_assert(without->symbols.measured);
        ck_assert(!d->symbols.measured);
        ck_assert_int_eq(dump_measure(fd, d), 0);
        ck_assert(d->symbols.measured);
        ck_assert_uint_ge(d->usage, without->usage);
}
END_TEST

START_TEST(test_open_symbols) {
        _cleanup_(dump_freep) Dump *d = read_it();
        _cleanup_close_ int symbols = -EBADF;

        ck_assert_int_eq(dump_open_symbols(fd, d, &symbols), -ENODATA);
        scratch_write_text(dir, SYMBOLS "/usr/bin/cat", "elf");
        ck_assert_int_eq(dump_open_symbols(fd, d, &symbols), 0);
        ck_assert_int_eq(faccessat(symbols, "usr/bin/cat", R_OK, 0), 0);
        ck_assert_int_eq(unlinkat(fd, d->name, 0), 0);
        ck_assert_int_eq(dump_open_symbols(fd, d, &symbols), -ENOENT);
}
END_TEST

/* A previous version of the recorder used this name. */
START_TEST(test_symbols_of_the_old_name) {
        _cleanup_(dump_freep) Dump *d = NULL;

        scratch_write_text(dir, OLD_SYMBOLS "/usr/bin/cat", "elf");
        d = read_it();
        ck_assert_str_eq(d->symbols.path, "/base/session-cpu/" OLD_SYMBOLS);
        ck_assert_int_eq(dump_measure(fd, d), 0);
        ck_assert_int_eq(dump_remove(fd, d, false), 0);
        ck_assert_int_lt(faccessat(fd, OLD_SYMBOLS, F_OK, 0), 0);
}
END_TEST

START_TEST(test_no_file) {
        Dump *d = NULL;

        ck_assert_int_eq(symlinkat(NAME, fd, "perf.data.2026112110531843"), 0);
        ck_assert_int_eq(mkfifoat(fd, "perf.data.2026112110531844", 0600), 0);
        ck_assert_int_eq(mkdirat(fd, "perf.data.2026112110531845", 0700), 0);
        ck_assert_int_eq(dump_read(fd, "/base", "cpu", "perf.data.2026112110531843", &d), -ELOOP);
        ck_assert_int_eq(dump_read(fd, "/base", "cpu", "perf.data.2026112110531844", &d), -EBADFD);
        ck_assert_int_eq(dump_read(fd, "/base", "cpu", "perf.data.2026112110531845", &d), -EBADFD);
        ck_assert_int_eq(dump_read(fd, "/base", "cpu", "perf.data.2026112110531846", &d), -ENOENT);
        ck_assert_int_eq(dump_read(fd, "/base", "cpu", "perf.data", &d), -EINVAL);
        ck_assert_ptr_null(d);
}
END_TEST

/* A dump is not removed while a process has it open, by a descriptor that was passed on or by its own. */
START_TEST(test_one_that_is_read_stays) {
        _cleanup_(dump_freep) Dump *d = read_it();
        _cleanup_close_ int reader = -EBADF, copy = -EBADF;

        ck_assert_int_eq(dump_open(fd, d, &reader), 0);
        copy = dup(reader);
        reader = safe_close(reader);
        ck_assert_int_eq(dump_remove(fd, d, true), -EBUSY);
        copy = safe_close(copy);
        reader = openat(fd, NAME, O_RDONLY);
        ck_assert_int_eq(dump_remove(fd, d, true), -EBUSY);
        reader = safe_close(reader);
        ck_assert_int_eq(dump_remove(fd, d, true), 0);
        ck_assert_int_lt(faccessat(fd, NAME, F_OK, 0), 0);
}
END_TEST

START_TEST(test_remove_takes_the_symbols) {
        _cleanup_(dump_freep) Dump *d = NULL;
        _cleanup_close_ int reader = -EBADF;

        scratch_write_text(dir, SYMBOLS "/usr/bin/cat", "elf");
        d = read_it();
        ck_assert_int_eq(dump_open(fd, d, &reader), 0);
        ck_assert_int_eq(dump_remove(fd, d, false), 0);
        ck_assert_int_lt(faccessat(fd, NAME, F_OK, 0), 0);
        ck_assert_int_lt(faccessat(fd, SYMBOLS, F_OK, 0), 0);
        ck_assert_int_eq(dump_remove(fd, d, false), -ENOENT);
}
END_TEST

START_TEST(test_another_file_of_that_name) {
        _cleanup_(dump_freep) Dump *d = read_it();
        _cleanup_close_ int reader = -EBADF;

        ck_assert_int_eq(renameat(fd, NAME, fd, "kept"), 0);
        scratch_write_text(dir, NAME, "another");
        ck_assert_int_eq(dump_open(fd, d, &reader), -ESTALE);
        ck_assert_int_eq(dump_remove(fd, d, false), -ESTALE);
        ck_assert_int_eq(faccessat(fd, NAME, F_OK, 0), 0);
}
END_TEST

CHECK_MAIN_WITH("dump", setup, teardown, test_names, test_ids, test_a_file_that_says_nothing, test_facts,
                test_facts_at_the_end, test_reason_without_attributes,
                test_facts_that_cannot_be_shown, test_reason, test_symbols, test_open_symbols, test_symbols_of_the_old_name, test_no_file, test_one_that_is_read_stays,
                test_remove_takes_the_symbols, test_another_file_of_that_name);
