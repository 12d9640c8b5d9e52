/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-worker --try knows events, filters, users, programs and limits as no one else does: here it gets the session's
 * command line, as the daemon would give it one, and its last line is the reason if it refuses. */

#include "session-try.h"

#include <stdarg.h>
#include <sys/stat.h>

#include "parse-number.h"
#include "program.h"
#include "run-line.h"
#include "utf8.h"
#include "verbs.h"

#define OUTPUT_MAX (64 * 1024)
#define TIMEOUT_USEC USEC_PER_MINUTE

void session_trial_done(SessionTrial *t) {
        free(t->error);
        *t = (SessionTrial) {};
}

static int set_error(SessionTrial *t, const char *format, ...) _printf_(2, 3);
static int set_error(SessionTrial *t, const char *format, ...) {
        va_list ap;
        int n;

        free(t->error);
        va_start(ap, format);
        n = vasprintf(&t->error, format, ap);
        va_end(ap);
        if (n >= 0)
                return 0;
        t->error = NULL;
        return -ENOMEM;
}

static int find_control_group(const char *unit, bool user, char **ret) {
        char *argv[] = { (char *) "systemctl", (char *) (user ? "--user" : "--system"), (char *) "show", (char *) "-P",
                         (char *) "ControlGroup", (char *) "--", (char *) unit, NULL };
        const ProgramRun run = { .argv = argv, .timeout = TIMEOUT_USEC, .output_max = OUTPUT_MAX };
        int r = program_run(&run, ret);

        if (r < 0)
                return r;
        (*ret)[strcspn(*ret, "\n")] = '\0';
        return r > 0 || !**ret ? -ESRCH : 0;
}

/* perf's way to point at a place in the line above takes a line of its own: the last one that says something counts. */
static char *last_line(char *text) {
        char *last = NULL;

        for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                line += strspn(line, " ");
                line = (char *) (startswith(line, "\\___ ") ?: line);
                if (startswith(line, "Usage: ")) /* of the option, after the error */
                        break;
                if (*line)
                        last = line;
        }
        return last ? utf8_line(last, SIZE_MAX, 4096) : NULL;
}

static void take_facts(const char *text, SessionTrial *t) {
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

static int run_recorder(char *const *argv, SessionTrial *t) {
        _cleanup_free_ char *output = NULL, *errors = NULL, *reason = NULL;
        const ProgramRun run = { .argv = argv, .timeout = TIMEOUT_USEC, .output_max = OUTPUT_MAX, .errors = &errors };
        int r = program_run(&run, &output);

        if (r < 0)
                return r;
        if (r == 0) {
                take_facts(output, t);
                return 0;
        }
        reason = last_line(errors);
        return set_error(t, "%s%s", reason ?: "the recorder refuses it without a word",
                         geteuid() == 0 ? "" : " (tried as an ordinary user; the service has more rights: try it as root)");
}

static int build_argv(const SessionFile *f, const DaemonSettings *daemon, const char *group, char ***ret, Diagnosis *d) {
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

static int try_foreign(const char *path, SessionTrial *t) {
        struct stat st;

        if (stat(path, &st) < 0)
                return set_error(t, "Recorder: %s: %s", path, strerror(errno));
        if (!S_ISREG(st.st_mode) || access(path, X_OK) < 0)
                return set_error(t, "Recorder: %s is not a program that can be run", path);
        return 0;
}

int session_try(const SessionFile *f, const DaemonSettings *daemon, bool user, SessionTrial *ret) {
        const SessionSettings *s = f->settings;
        _cleanup_(session_trial_done) SessionTrial t = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_strv_free_ char **argv = NULL;
        _cleanup_free_ char *group = NULL;
        int r = 0;

        if (s->recorder)
                r = try_foreign(s->recorder, &t);
        else if (session_name_is_template(f->name))
                r = set_error(&t, "a template: only its instances can be tried");
        else {
                if (s->record.unit && !s->run)
                        r = find_control_group(s->record.unit, user, &group);
                if (r == -ESRCH)
                        r = set_error(&t, "Unit: %s is not running", s->record.unit);
                else if (r >= 0) {
                        r = build_argv(f, daemon, group ? group + strspn(group, "/") : NULL, &argv, &d);
                        if (r >= 0)
                                r = run_recorder(argv, &t);
                }
        }
        if (r < 0)
                return r;
        *ret = t;
        t = (SessionTrial) {};
        return 0;
}
