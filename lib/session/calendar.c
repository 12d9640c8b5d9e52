/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Only systemd parses calendar expressions, and no library of it does, so its program is run: OnCalendar= means the
 * same times here as in a timer unit. The expression is one word of the command line, after "--".
 *
 * The program prints the local time and, if that is not UTC, another line "(in UTC): Fri 2025-10-10 04:05:06 UTC", in
 * whole seconds. */

#include "calendar.h"

#include <poll.h>
#include <time.h>

#include "cleanup.h"
#include "strv.h"

#define ANSWER_MAX 8192 /* bytes */

extern char **environ;

/* "Fri 2025-10-10 04:05:06 UTC", perhaps with a fraction of the second. */
static int parse_utc(const char *s, usec_t *ret) {
        struct tm tm = {};
        const char *end;
        time_t t;

        s += strcspn(s, " ");
        end = strptime(s, " %Y-%m-%d %H:%M:%S", &tm);
        if (!end)
                return -EBADMSG;
        if (*end == '.')
                end += 1 + strspn(end + 1, "0123456789");
        if (!startswith(end, " UTC"))
                return -EBADMSG;
        t = timegm(&tm);
        if (t < 0)
                return -EBADMSG;
        *ret = (usec_t) t * USEC_PER_SEC;
        return 0;
}

int calendar_parse_answer(const char *text, usec_t *ret) {
        static const char *const labels[] = { "(in UTC): ", "Next elapse: " };

        for (size_t i = 0; i < ELEMENTSOF(labels); i++) {
                const char *p = strstr(text, labels[i]);

                if (!p)
                        continue;
                p += strlen(labels[i]);
                if (startswith(p, "never")) {
                        *ret = USEC_INFINITY;
                        return 0;
                }
                return parse_utc(p, ret);
        }
        return -EBADMSG;
}

/* The environment without variables that colour or translate the output, and without the service manager's socket, to which the
 * program would report its exit status as if it were the service. */
static int make_environment(char ***ret) {
        _cleanup_strv_free_ char **list = NULL;
        int r = strv_extend(&list, "SYSTEMD_COLORS=0");

        if (r >= 0)
                r = strv_extend(&list, "LC_ALL=C.UTF-8");
        STRV_FOREACH(v, environ)
                if (r >= 0 && !startswith(*v, "SYSTEMD_COLORS=") && !startswith(*v, "LC_") && !startswith(*v, "LANG") &&
                    !startswith(*v, "NOTIFY_SOCKET="))
                        r = strv_extend(&list, *v);
        if (r < 0)
                return r;
        *ret = steal_ptr(list);
        return 0;
}

static ProgramRun make_run(char *const *argv, char *const *environment) {
        return (ProgramRun) {
                .argv = argv, .environment = environment, .timeout = CALENDAR_TIMEOUT_USEC, .output_max = ANSWER_MAX,
        };
}

int calendar_ask(const char *expression, usec_t from, Program *ret, Diagnosis *d) {
        _cleanup_strv_free_ char **environment = NULL;
        char base[64];
        char *argv[] = { (char *) "systemd-analyze", (char *) "calendar", base, (char *) "--", (char *) expression, NULL };
        ProgramRun run;
        int r;

        (void) snprintf(base, sizeof(base), "--base-time=@%" PRIu64, from / USEC_PER_SEC);
        r = make_environment(&environment);
        if (r < 0)
                return r;
        run = make_run(argv, environment);
        r = program_begin(&run, ret);
        if (r == -ENOENT)
                return diagnosis_set(d, r, "there is no systemd-analyze, which reads calendar events");
        return r < 0 ? diagnosis_set(d, r, "systemd-analyze(1) cannot be asked when \"%s\" is: %s", expression, strerror(-r)) : 0;
}

int calendar_take_answer(Program *p, const char *expression, usec_t *ret, Diagnosis *d) {
        const ProgramRun run = make_run(NULL, NULL);
        _cleanup_free_ char *answer = NULL;
        int r = program_end(p, &run, &answer);

        if (r > 0 && answer) {
                answer[strcspn(answer, "\n")] = '\0';
                return diagnosis_set(d, -EINVAL, "%s", *answer ? answer : "not a calendar event, systemd.time(7)");
        }
        if (r == -ETIMEDOUT)
                return diagnosis_set(d, r, "systemd-analyze(1), which reads calendar events, did not answer within 2 s");
        if (r >= 0)
                r = answer ? calendar_parse_answer(answer, ret) : -EBADMSG;
        if (r < 0)
                return diagnosis_set(d, r, "systemd-analyze(1) does not say when \"%s\" is: %s", expression, strerror(-r));
        return 0;
}

int calendar_next(const char *expression, usec_t from, usec_t *ret, Diagnosis *d) {
        Program p = PROGRAM_EMPTY;
        struct pollfd fd = { .events = POLLIN };
        int r = calendar_ask(expression, from, &p, d);

        if (r < 0)
                return r;
        fd.fd = p.pidfd;
        (void) poll(&fd, 1, CALENDAR_TIMEOUT_USEC / USEC_PER_MSEC);
        return calendar_take_answer(&p, expression, ret, d);
}
