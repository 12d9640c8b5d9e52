/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The parser only makes checks that need no other program, so that reading a file never waits. perfctl verify runs the
 * programs afterwards and waits for them; the daemon gets their answers some time after the session began. Settings
 * have no file and line, and errors are rare, so the files are read again for the line. */

#include "late-error.h"

#include "calendar.h"
#include "settings-file.h"

static int accept_all(const char *section, const char *key, const char *value, Diagnosis *d, void *userdata) {
        return 0;
}

/* 0: not in this file. */
static unsigned find_line(const char *path, const char *section, const char *key, const char *value) {
        _cleanup_(settings_report_done) SettingsReport report = {};
        _cleanup_strv_free_ char **warnings = NULL;

        (void) settings_file_parse(path, accept_all, NULL, &warnings, &report, NULL);
        return settings_report_line(&report, section, key, value);
}

int late_error_locate(const SessionFile *f, const char *section, const char *key, const char *value, const char *sentence,
                      Diagnosis *d) {
        const char *file = f->fragment_path;
        unsigned line = find_line(file, section, key, value);

        STRV_FOREACH(path, f->drop_in_paths) {
                unsigned in_drop_in = find_line(*path, section, key, value);

                if (in_drop_in > 0) {
                        line = in_drop_in;
                        file = *path;
                }
        }
        diagnosis_locate(d, file, line, key);
        return diagnosis_set(d, -EINVAL, "%s", sentence);
}

int late_errors_of_calendar(SessionFile *f) {
        bool wrong = false;
        int r = 0;

        STRV_FOREACH(expression, f->settings->trigger.calendar) {
                _cleanup_(diagnosis_done) Diagnosis asked = {}, found = {};
                usec_t next;

                if (calendar_next(*expression, now_usec(CLOCK_REALTIME), &next, &asked) >= 0)
                        continue;
                (void) late_error_locate(f, "Trigger", "OnCalendar", *expression, asked.sentence ?: "no memory", &found);
                if (warnings_add(&f->report.errors, &found) < 0)
                        r = -ENOMEM;
                if (!wrong) {
                        f->error = steal_value(found, (Diagnosis) {});
                }
                wrong = true;
        }
        if (wrong)
                f->settings = session_settings_free(f->settings);
        return r;
}
