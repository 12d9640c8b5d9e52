/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sys/stat.h>
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

#include <perf-recorder/message-ids.h>

#include "check-main.h"
#include "journal.h"
#include "scratch.h"

static char *dir;
static int copy_fd, stderr_fd;
static char *messages[3];
static size_t n_messages;
static char fields_of_last[1024]; /* a line each */

/* Without journald, lines go to stderr, which is a file here. */
static void setup(void) {
        _cleanup_free_ char *copy = NULL, *err = NULL;

        dir = scratch_new();
        copy = path_join(dir, "copy");
        err = path_join(dir, "stderr");
        copy_fd = open(copy, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        stderr_fd = open(err, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        ck_assert_int_ge(dup2(stderr_fd, STDERR_FILENO), 0);
        ck_assert_int_eq(unsetenv("JOURNAL_STREAM"), 0);
        journal_init(false);
}

static void teardown(void) {
        journal_set_copy(-EBADF);
        safe_close(copy_fd);
        safe_close(stderr_fd);
        scratch_done(&dir);
}

static char *content(const char *name) {
        _cleanup_free_ char *path = path_join(dir, name);
        char *text;

        ck_assert_int_eq(read_file(path, 8 << 20, &text, NULL), 0);
        return text;
}

START_TEST(test_lines) {
        const JournalSession s = { .name = "a", .scope = "perf-session-a.scope" };
        _cleanup_free_ char *copied = NULL, *told = NULL;

        journal_log(LOG_INFO, "before %d", 1);
        journal_set_copy(copy_fd);
        journal_log(LOG_INFO, "after");
        journal_log_session(&s, LOG_ERR, "5c83dfba76414fb9b021596a82016beb", "failed: %s", "why");
        journal_forward(&s, "a line and more", 6);
        told = content("stderr");
        ck_assert_str_eq(told, "before 1\nafter\na: failed: why\na: a line\n");
        copied = content("copy");
        ck_assert_ptr_null(strstr(copied, "before"));
        ck_assert_ptr_nonnull(strstr(copied, "] after\n"));
        ck_assert_ptr_nonnull(strstr(copied, "] a: failed: why\n"));
        ck_assert_ptr_null(strstr(copied, "a line")); /* the recorder has an output of its own */
}
END_TEST

START_TEST(test_the_copy_is_bounded) {
        struct stat st;
        char line[1024];

        memset(line, 'x', sizeof(line));
        line[sizeof(line) - 1] = '\0';
        journal_set_copy(copy_fd);
        for (unsigned i = 0; i < 3000; i++)
                journal_log(LOG_INFO, "%s", line);
        ck_assert_int_eq(fstat(copy_fd, &st), 0);
        ck_assert_int_lt(st.st_size, 2 << 20);
        ck_assert_int_gt(st.st_size, 0);
}
END_TEST

/* Stands in for libsystemd's. */
int sd_journal_sendv(const struct iovec *fields, int n) {
        ck_assert_int_gt(n, 0);
        ck_assert_uint_lt(n_messages, ELEMENTSOF(messages));
        messages[n_messages++] = strndup(fields[0].iov_base, fields[0].iov_len);
        *fields_of_last = '\0';
        for (int i = 0; i < n; i++) {
                size_t used = strlen(fields_of_last);

                snprintf(fields_of_last + used, sizeof(fields_of_last) - used, "%.*s\n", (int) fields[i].iov_len,
                         (const char *) fields[i].iov_base);
        }
        return 0;
}

static void go_under_journald(void) {
        char stream[64];
        struct stat st;

        ck_assert_int_eq(fstat(STDERR_FILENO, &st), 0);
        snprintf(stream, sizeof(stream), "%llu:%llu", (unsigned long long) st.st_dev, (unsigned long long) st.st_ino);
        ck_assert_int_eq(setenv("JOURNAL_STREAM", stream, 1), 0);
        journal_init(false);
}

START_TEST(test_reservation) {
        const Caller caller = { .uid = 7, .login_uid = UID_INVALID, .pid = 77, .comm = "x" };

        go_under_journald();
        journal_log_reservation("hardware:2", &caller, LOG_INFO, "3e6a0cbe0b8b4f0c8d2e7f1f9f0a4c11", "lent to %s", "gdb");
        ck_assert_str_eq(fields_of_last, "MESSAGE=lent to gdb\nPRIORITY=6\nMESSAGE_ID=3e6a0cbe0b8b4f0c8d2e7f1f9f0a4c11\n"
                         "PERF_RESERVATION=hardware:2\nPERF_CALLER_UID=7\nPERF_CALLER_PID=77\nPERF_CALLER_COMM=x\n");
        free(messages[--n_messages]);
}
END_TEST

START_TEST(test_unusual) {
        const JournalSession s = { .name = "a" };
        const Dump d = { .id = (char *) "a-1", .trigger = (char *) "event", .samples = 7, .lost = DUMP_UNKNOWN };

        go_under_journald();
        journal_log_unusual(&s, &d, "b took 9 %\nc took\033 none");
        ck_assert_str_eq(fields_of_last, "MESSAGE=a: Before the trigger of dump a-1:\nb took 9 %\nc took? none\nPRIORITY=6\n"
                         "MESSAGE_ID=" PR_MESSAGE_DUMP_UNUSUAL "\nPERF_SESSION=a\nPERF_DUMP=a-1\nPERF_TRIGGER=event\n"
                         "PERF_SAMPLES=7\nPERF_LOST=\nPERF_UNUSUAL=b took 9 %\nc took? none\n");
        free(messages[--n_messages]);
}
END_TEST

START_TEST(test_under_journald) {
        const JournalSession s = { .name = "a", .scope = "" };
        _cleanup_free_ char *copied = NULL, *told = NULL;

        go_under_journald();
        journal_set_copy(copy_fd);
        journal_log(LOG_INFO, "structured");
        journal_log_session(&s, LOG_INFO, NULL, "structured");
        journal_forward(&s, "line", 4);
        ck_assert_uint_eq(n_messages, 3);
        ck_assert_str_eq(messages[0], "MESSAGE=structured");
        ck_assert_str_eq(messages[1], "MESSAGE=a: structured");
        ck_assert_str_eq(messages[2], "MESSAGE=a: line");
        told = content("stderr");
        ck_assert_str_eq(told, "");
        copied = content("copy");
        ck_assert_ptr_nonnull(strstr(copied, "] a: structured\n"));
        while (n_messages > 0)
                free(messages[--n_messages]);
}
END_TEST

/* As the service manager starts a service while journald is down. */
START_TEST(test_journald_is_down) {
        _cleanup_close_ int null = open("/dev/null", O_RDWR | O_CLOEXEC), old = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

        ck_assert_int_eq(setenv("INVOCATION_ID", "f0b1a0e0f2e64a3c9b1d0d7a5e6c4b21", 1), 0);
        ck_assert_int_ge(dup2(null, STDERR_FILENO), 0);
        journal_init(false);
        journal_log(LOG_INFO, "discarded"); /* as an administrator wants it who set StandardError=null */
        ck_assert_uint_eq(n_messages, 0);
        ck_assert_int_ge(dup2(null, STDOUT_FILENO), 0);
        journal_init(false);
        journal_log(LOG_INFO, "structured");
        ck_assert_int_ge(dup2(old, STDOUT_FILENO), 0);
        ck_assert_uint_eq(n_messages, 1);
        ck_assert_str_eq(messages[0], "MESSAGE=structured");
        free(messages[--n_messages]);
        ck_assert_int_eq(unsetenv("INVOCATION_ID"), 0);
}
END_TEST

CHECK_MAIN_WITH("journal", setup, teardown, test_lines, test_the_copy_is_bounded, test_reservation, test_unusual, test_under_journald,
                test_journald_is_down);
