/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OnCalendar=: dumps of a session at certain times. The timer lives as long as the session records, and is made
 * again only if the expressions have changed.
 *
 * That an expression is wrong is found out only when systemd's program is asked about it. Then the session has an
 * error, and records on. */

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/message-ids.h>

#include "format-text.h"
#include "late-error.h"
#include "session-parts.h"

static void on_elapsed(const char *expression, void *userdata) {
        session_dump_for(userdata, &(DumpRequest){ .trigger = PR_TRIGGER_CALENDAR, .detail = expression });
}

/* It is known only now: the parser of the file does not wait for systemd's program. */
static void on_wrong(const char *expression, const char *sentence, void *userdata) {
        Session *s = userdata;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *text = NULL;
        JournalSession j = session_journal(s);

        if (s->config.file)
                (void) late_error_locate(s->config.file, "Trigger", "OnCalendar", expression, sentence, &d);
        text = s->config.file ? diagnosis_format(&d) : NULL;
        text = text ?: format_text("OnCalendar=%s: %s", expression, sentence);
        journal_log_session(&j, LOG_ERR, PR_MESSAGE_BAD_SETTING, "Bad setting: %s", text ?: sentence);
        session_set_error(s, text ?: sentence);
        session_changed(s, SESSION_CHANGE_STATE);
}

void session_update_calendar(Session *s) {
        const CalendarHandler handler = { .elapsed = on_elapsed, .wrong = on_wrong, .userdata = s };
        char *const *wanted = s->config.settings && session_is_recording(s) ? s->config.settings->trigger.calendar : NULL;
        JournalSession j = session_journal(s);
        int r;

        if (wanted && s->calendar && calendar_timer_is_of(s->calendar, wanted))
                return;
        s->calendar = calendar_timer_free(s->calendar);
        r = wanted ? calendar_timer_new(s->host->event, wanted, &handler, &s->calendar) : 0;
        if (r < 0)
                journal_log_session(&j, LOG_WARNING, NULL, "OnCalendar= does not elapse: %s", strerror(-r));
}
