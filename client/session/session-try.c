/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Trying a session. Only perf-recorder-worker knows which events, filters, users, programs and limits it accepts, so it runs
 * with --try and the same command line as from the daemon. If it refuses, its last line is the reason. */

#include "session-try.h"

#include <stdarg.h>
#include <sys/stat.h>

#include "exit-status.h"
#include "format-text.h"
#include "parse-number.h"
#include "program.h"
#include "resource-limits.h"
#include "run-line.h"
#include "session-name.h"
#include "unit-property.h"
#include "utf8.h"

#define WORKER "perf-recorder-worker"
#define OUTPUT_MAX (64 * 1024)
#define TIMEOUT_USEC USEC_PER_MINUTE

const char *recorder_path(void) {
        return getenv("PERF_RECORDER_WORKER") ?: PR_LIBEXECDIR "/" WORKER;
}

int recorder_execute(char *const *options, char *const *words) {
        _cleanup_strv_free_ char **argv = NULL;
        int r = strv_extend(&argv, "perfctl record"); /* which it prints in its help */

        if (r >= 0)
                r = strv_extend_strv(&argv, options);
        if (r >= 0)
                r = strv_extend_strv(&argv, words);
        if (r < 0)
                return r;
        (void) execv(recorder_path(), argv);
        return -errno;
}

void session_trial_done(SessionTrial *t) {
        free(t->error);
        *t = (SessionTrial) {};
}

/* Formats the error with the place in d. */
static int session_try_set_error(SessionTrial *t, Diagnosis *d, const char *format, ...) _printf_(3, 4);
static int session_try_set_error(SessionTrial *t, Diagnosis *d, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        d->sentence = format_text_va(format, ap);
        va_end(ap);
        free(t->error);
        t->error = d->sentence ? diagnosis_format(d) : NULL;
        return t->error ? 0 : -ENOMEM;
}

/* The last line with text; perf uses a line of its own to point at a place in the line above. */
static char *session_try_last_line(char *text) {
        char *last = NULL;

        for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                line += strspn(line, " ");
                line = (char *) (startswith(line, "\\___ ") ?: line);
                if (startswith(line, "Usage: ")) /* the usage of the option follows the error */
                        break;
                if (*line)
                        last = line;
        }
        return last ? utf8_line(last, SIZE_MAX, 4096) : NULL;
}

static void session_try_read_facts(const char *text, SessionTrial *t) {
        static const struct {
                const char *key;
                size_t offset;
        } facts[] = {
                { "EVENTS=", offsetof(SessionTrial, n_events) },
                { "RINGS=", offsetof(SessionTrial, n_rings) },
                { "RING_BYTES=", offsetof(SessionTrial, ring_bytes) },
        };

        for (const char *line = text; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n'))
                for (size_t i = 0; i < ELEMENTSOF(facts); i++) {
                        _cleanup_free_ char *number = NULL;
                        const char *value = startswith(line, facts[i].key);

                        number = value ? strndup(value, strcspn(value, "\n")) : NULL;
                        if (number)
                                (void) parse_uint64(number, (uint64_t *) ((char *) t + facts[i].offset));
                }
}

static int session_try_run_recorder(const SessionFile *f, char *const *argv, SessionTrial *t, Diagnosis *d) {
        _cleanup_free_ char *output = NULL, *errors = NULL, *reason = NULL;
        const ProgramRun run = { .argv = argv, .timeout = TIMEOUT_USEC, .output_max = OUTPUT_MAX, .errors = &errors };
        int r = program_run(&run, &output);

        if (r < 0)
                return r;
        if (r == 0) {
                session_try_read_facts(output, t);
                return 0;
        }
        diagnosis_locate(d, f->fragment_path, 0, NULL);
        reason = session_try_last_line(errors);
        return session_try_set_error(t, d, "%s%s", reason ?: "the recorder refuses it and gives no reason",
                         geteuid() == 0 ? "" : " (tried without the service's privileges: try it as root)");
}

/* The recorder runs with our limit here, and root's may go beyond any: the service's is compared with what was opened. */
static int session_try_check_descriptors(SessionTrial *t, bool user, Diagnosis *d) {
        _cleanup_free_ char *text = NULL;
        uint64_t limit;
        int r = unit_property("perf-recorderd.service", "LimitNOFILE", user, &text);

        if (r == -ENOMEM)
                return r;
        if (t->error || r < 0 || parse_uint64(text, &limit) < 0 || t->n_events + RESOURCE_LIMITS_ELSEWHERE <= limit)
                return 0;
        return session_try_set_error(t, d, "Too many events: %" PRIu64 " descriptors are needed, one for each event on each CPU "
                                     "and thread, the service has %" PRIu64 "; name fewer, or raise LimitNOFILE= of "
                                     "perf-recorderd.service", t->n_events + RESOURCE_LIMITS_ELSEWHERE, limit);
}

static int session_try_build_argv(const SessionFile *f, const DaemonSettings *daemon, const char *group, char ***ret,
                                  Diagnosis *d) {
        _cleanup_strv_free_ char **argv = NULL, **words = NULL;
        int r = run_line_from_settings(f->settings, group, &words, d);

        if (r >= 0)
                r = strv_extend(&argv, recorder_path());
        if (r >= 0)
                r = strv_extend(&argv, "--try");
        if (r >= 0 && daemon->default_buffer_size > 0)
                r = strv_extendf(&argv, "--mmap-pages=%" PRIu64 "B", daemon->default_buffer_size);
        if (r >= 0)
                r = strv_extend_strv(&argv, words);
        if (r < 0)
                return r;
        *ret = steal_ptr(argv);
        return 0;
}

static int session_try_foreign(const char *path, SessionTrial *t, Diagnosis *d) {
        struct stat st;

        if (stat(path, &st) < 0)
                return session_try_set_error(t, d, "%s: %s", path, strerror(errno));
        if (!S_ISREG(st.st_mode) || access(path, X_OK) < 0)
                return session_try_set_error(t, d, "%s is not a program that can be run", path);
        return 0;
}

static void session_try_locate(const SessionFile *f, const char *section, const char *key, Diagnosis *d) {
        diagnosis_locate(d, f->fragment_path, settings_report_line(&f->report, section, key, NULL), key);
}

static int session_try_own(const SessionFile *f, const DaemonSettings *daemon, bool user, SessionTrial *t, Diagnosis *d) {
        const SessionSettings *s = f->settings;
        _cleanup_strv_free_ char **argv = NULL;
        _cleanup_free_ char *group = NULL;
        int r = 0;

        if (s->record.unit && !s->run && !unit_name_is_pattern(s->record.unit))
                r = unit_property(s->record.unit, "ControlGroup", user, &group);
        if (r == -ESRCH) {
                session_try_locate(f, "Record", "Unit", d);
                return session_try_set_error(t, d, "%s is not running", s->record.unit);
        }
        if (r >= 0)
                r = session_try_build_argv(f, daemon, group ? group + strspn(group, "/") : NULL, &argv, d);
        if (r >= 0)
                r = session_try_run_recorder(f, argv, t, d);
        return r < 0 ? r : session_try_check_descriptors(t, user, d);
}

int session_try(const SessionFile *f, const DaemonSettings *daemon, bool user, SessionTrial *ret) {
        _cleanup_(session_trial_done) SessionTrial t = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r;

        if (f->settings->recorder) {
                session_try_locate(f, "Session", "Recorder", &d);
                r = session_try_foreign(f->settings->recorder, &t, &d);
        } else if (session_name_is_template(f->name)) {
                diagnosis_locate(&d, f->fragment_path, 0, NULL);
                r = session_try_set_error(&t, &d, "a template: only its instances can be tried");
        } else
                r = session_try_own(f, daemon, user, &t, &d);
        if (r < 0)
                return r;
        *ret = t;
        t = (SessionTrial) {};
        return 0;
}
