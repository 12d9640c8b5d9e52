/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The daemon's messages go to the journal. Under journald (stderr is the stream that $JOURNAL_STREAM names, or
 * journald was down when the service started) each is one structured entry, sent with sd_journal_sendv(3), so that
 * journalctl finds it by PERF_SESSION= and with -u by the scope. Run by hand, the daemon writes lines to stderr.
 *
 * Every message is logged once, where the decision is taken. The copy in BASE/output is for people who know perf
 * daemon: it is bounded, and never read back. Nobody could handle an error here, so the functions return none. */

#include <stdarg.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#define SD_JOURNAL_SUPPRESS_LOCATION /* CODE_FILE= would be this file for all messages, with its path on the build machine */
#include <systemd/sd-journal.h>
#include <time.h>

#include "journal.h"

#include <perf-recorder/message-ids.h>

#include "fd-file.h"
#include "format-text.h"
#include "strv.h"
#include "utf8.h"

#define FIELDS_MAX 16
#define COPY_MAX (1024 * 1024) /* bytes */

static bool under_journal, user_instance;
static int copy_fd = -EBADF;

typedef struct Entry {
        struct iovec fields[FIELDS_MAX];
        char *strings[FIELDS_MAX];
        size_t n_fields;
} Entry;

static void entry_done(Entry *e) {
        for (size_t i = 0; i < e->n_fields; i++)
                free(e->strings[i]);
}

/* Without memory a field is left out: a message without it is better than none. */
static void entry_add(Entry *e, const char *key, const char *value, size_t length) {
        char *s = e->n_fields < FIELDS_MAX ? format_text("%s=%.*s", key, (int) length, value) : NULL;

        if (!s)
                return;
        e->strings[e->n_fields] = s;
        e->fields[e->n_fields++] = (struct iovec){ .iov_base = s, .iov_len = strlen(s) };
}

/* systemd.exec(5): $JOURNAL_STREAM has the device and inode of the stream that the service manager made for us. */
static bool stderr_is_journal(void) {
        const char *e = getenv("JOURNAL_STREAM");
        unsigned long long device, inode;
        struct stat st;

        if (!e || sscanf(e, "%llu:%llu", &device, &inode) != 2 || fstat(STDERR_FILENO, &st) < 0)
                return false;
        return st.st_dev == device && st.st_ino == inode;
}

static bool is_null_device(int fd) {
        struct stat st;

        return fstat(fd, &st) >= 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
}

/* A service that starts while journald is down gets /dev/null for its streams, and no $JOURNAL_STREAM. Entries need
 * no stream: they arrive once journald's socket exists again. */
static bool journal_was_down(void) {
        return getenv("INVOCATION_ID") && !getenv("JOURNAL_STREAM") && is_null_device(STDOUT_FILENO) &&
               is_null_device(STDERR_FILENO);
}

void journal_init(bool user) {
        user_instance = user;
        under_journal = stderr_is_journal() || journal_was_down();
}

void journal_set_copy(int fd) {
        copy_fd = fd;
}

static void copy_line(const char *line) {
        _cleanup_free_ char *whole = NULL;
        char stamp[32] = "";
        time_t now = time(NULL);
        struct tm tm;
        struct stat st;

        if (copy_fd < 0)
                return;
        if (fstat(copy_fd, &st) >= 0 && st.st_size > COPY_MAX)
                (void) ftruncate(copy_fd, 0);
        if (localtime_r(&now, &tm))
                (void) strftime(stamp, sizeof(stamp), "[%F %T] ", &tm);
        whole = format_text("%s%s\n", stamp, line);
        if (whole)
                (void) write_all(copy_fd, whole, strlen(whole));
}

static void entry_add_number(Entry *e, const char *key, uint64_t n) {
        char text[24] = "";

        if (n != DUMP_UNKNOWN)
                snprintf(text, sizeof(text), "%" PRIu64, n);
        entry_add(e, key, text, strlen(text));
}

static void entry_add_caller(Entry *e, const Caller *c) {
        entry_add_number(e, "PERF_CALLER_UID", c->uid);
        if (c->pid > 0)
                entry_add_number(e, "PERF_CALLER_PID", (uint64_t) c->pid);
        if (*c->comm)
                entry_add(e, "PERF_CALLER_COMM", c->comm, strlen(c->comm));
        if (c->login_uid != UID_INVALID)
                entry_add_number(e, "PERF_CALLER_LOGIN_UID", c->login_uid);
}

/* The subject of an entry: a session, perhaps a dump of it, or a reservation; all NULL: the daemon itself. */
typedef struct Subject {
        const JournalSession *session;
        const Dump *dump;
        const char *unusual;
        const char *reservation;
        const Caller *caller;
} Subject;

static void send_entry(const Subject *subject, int priority, const char *message_id, const char *line) {
        const JournalSession *s = subject->session;
        const Dump *d = subject->dump;
        _cleanup_(entry_done) Entry e = {};
        char number[] = { (char) ('0' + priority), '\0' };

        entry_add(&e, "MESSAGE", line, strlen(line));
        entry_add(&e, "PRIORITY", number, 1);
        if (message_id)
                entry_add(&e, "MESSAGE_ID", message_id, strlen(message_id));
        if (s)
                entry_add(&e, "PERF_SESSION", s->name, strlen(s->name));
        if (s && s->scope && *s->scope) {
                entry_add(&e, user_instance ? "USER_UNIT" : "UNIT", s->scope, strlen(s->scope));
                entry_add(&e, user_instance ? "OBJECT_SYSTEMD_USER_UNIT" : "OBJECT_SYSTEMD_UNIT", s->scope, strlen(s->scope));
        }
        if (d) {
                entry_add(&e, "PERF_DUMP", d->id, strlen(d->id));
                entry_add(&e, "PERF_TRIGGER", d->trigger, strlen(d->trigger));
                entry_add_number(&e, "PERF_SAMPLES", d->samples);
                entry_add_number(&e, "PERF_LOST", d->lost);
        }
        if (subject->unusual)
                entry_add(&e, "PERF_UNUSUAL", subject->unusual, strlen(subject->unusual));
        if (subject->reservation)
                entry_add(&e, "PERF_RESERVATION", subject->reservation, strlen(subject->reservation));
        if (subject->caller)
                entry_add_caller(&e, subject->caller);
        (void) sd_journal_sendv(e.fields, (int) e.n_fields);
}

/* The line begins with the session's name, since most formats of journalctl(1) show no fields. */
static void write_line(const Subject *subject, int priority, const char *message_id, const char *text, bool copy) {
        const JournalSession *s = subject->session;
        _cleanup_free_ char *line = format_text("%s%s%s", s ? s->name : "", s ? ": " : "", text);

        if (!line)
                return;
        if (under_journal)
                send_entry(subject, priority, message_id, line);
        else
                (void) dprintf(STDERR_FILENO, "%s\n", line);
        if (copy)
                copy_line(line);
}

_printf_(4, 0)
static void log_formatted(const Subject *subject, int priority, const char *message_id, const char *format, va_list ap) {
        _cleanup_free_ char *raw = format_text_va(format, ap), *text = raw ? utf8_text(raw, SIZE_MAX, SIZE_MAX) : NULL;

        if (text)
                write_line(subject, priority, message_id, text, true);
}

void journal_log(int priority, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        log_formatted(&(Subject) {}, priority, NULL, format, ap);
        va_end(ap);
}

void journal_log_session(const JournalSession *s, int priority, const char *message_id, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        log_formatted(&(Subject) { .session = s, .caller = s->caller }, priority, message_id, format, ap);
        va_end(ap);
}

void journal_log_dump(const JournalSession *s, const Dump *d, int priority, const char *message_id, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        log_formatted(&(Subject) { .session = s, .dump = d, .caller = s->caller }, priority, message_id, format, ap);
        va_end(ap);
}

void journal_log_unusual(const JournalSession *s, const Dump *d, const char *lines) {
        _cleanup_free_ char *clean = NULL, *text = NULL;
        _cleanup_strv_free_ char **all = NULL;
        int r = 0;

        for (size_t n; r >= 0 && *lines; lines += n + (lines[n] != '\0')) {
                n = strcspn(lines, "\n");
                r = strv_consume(&all, utf8_line(lines, n, SIZE_MAX));
        }
        clean = r >= 0 ? strv_join(all, "\n") : NULL;
        text = clean ? format_text("Before the trigger of dump %s:\n%s", d->id, clean) : NULL;
        if (text)
                write_line(&(Subject) { .session = s, .dump = d, .unusual = clean, .caller = s->caller }, LOG_INFO,
                           PR_MESSAGE_DUMP_UNUSUAL, text, true);
}

void journal_log_reservation(const char *what, const Caller *caller, int priority, const char *message_id, const char *format,
                             ...) {
        va_list ap;

        va_start(ap, format);
        log_formatted(&(Subject) { .reservation = what, .caller = caller }, priority, message_id, format, ap);
        va_end(ap);
}

/* journalctl does not show messages that are not text. */
void journal_forward(const JournalSession *s, const char *line, size_t length) {
        _cleanup_free_ char *text = utf8_line(line, length, SIZE_MAX);

        if (text)
                write_line(&(Subject) { .session = s, .caller = s->caller }, LOG_INFO, NULL, text, false);
}
