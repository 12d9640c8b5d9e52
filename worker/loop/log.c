/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Only this file writes lines to standard error. A line is put together first and written with one write(2), so that
 * lines of several processes in one file do not mix. The state is the process's: the level, and the notifier for lines
 * that the file has no space for. */

#include "log.h"

#include <stdarg.h>
#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>

#define LOG_LINE_MAX 4096 /* bytes; evlist -v and -vv print longer texts, which come as several lines */

static struct {
        bool quiet;
        unsigned verbose;
        Notifier *notifier;
        char last_error[2 * LOG_LINE_MAX]; /* twice: log_join_lines() replaces one byte by two */
} state;

void log_set_quiet(bool quiet) {
        state.quiet = quiet;
}

void log_set_verbose(unsigned level) {
        state.verbose = level;
}

void log_set_notifier(Notifier *n) {
        state.notifier = n;
}

bool log_is_for_daemon(void) {
        return state.notifier && state.notifier->fd >= 0 && getenv(PR_SESSION_ENV);
}

bool log_is_verbose(unsigned level) {
        return level > 0 ? state.verbose >= level : !state.quiet;
}

const char *log_last_error(void) {
        return state.last_error;
}

__attribute__((format(printf, 2, 0)))
static void log_put_line(char buffer[static LOG_LINE_MAX + 1], const char *format, va_list ap) {
        int n = vsnprintf(buffer, LOG_LINE_MAX, format, ap);
        size_t length = n < 0 ? 0 : MIN_OF((size_t) n, (size_t) LOG_LINE_MAX - 1);
        int saved = errno;

        buffer[length] = '\n';
        if (TEMP_FAILURE_RETRY(write(STDERR_FILENO, buffer, length + 1)) < 0 &&
            (errno == ENOSPC || errno == EDQUOT || errno == EIO) && state.notifier)
                notifier_send(state.notifier, PR_NOTIFY_MESSAGE "%.*s", (int) length, buffer);
        buffer[length] = '\0';
        errno = saved;
}

/* The daemon has one line for an error. An arrow to a place in the line above would mean nothing there. */
static void log_join_lines(char *to, const char *text) {
        const char *begin = to;

        while (*text) {
                size_t n;

                text += strspn(text, " \n");
                text = startswith(text, "\\___ ") ?: text;
                n = strcspn(text, "\n");
                if (to > begin && n > 0)
                        to = stpcpy(to, ": ");
                to = mempcpy(to, text, n);
                text += n;
        }
        *to = '\0';
}

void log_error(const char *format, ...) {
        char buffer[LOG_LINE_MAX + 1];
        va_list ap;

        va_start(ap, format);
        log_put_line(buffer, format, ap);
        va_end(ap);
        log_join_lines(state.last_error, buffer);
}

void log_verbose(unsigned level, const char *format, ...) {
        char buffer[LOG_LINE_MAX + 1];
        va_list ap;

        if (!log_is_verbose(level))
                return;
        va_start(ap, format);
        log_put_line(buffer, format, ap);
        va_end(ap);
}

int log_diagnosis(const Diagnosis *d, int r, const char *what) {
        _cleanup_free_ char *text = NULL;

        if (d && d->sentence)
                text = diagnosis_format(d);
        if (text)
                log_error("%s", text);
        else
                log_error("%s: %s", what, strerror(-r));
        return r;
}
