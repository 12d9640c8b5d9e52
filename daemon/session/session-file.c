/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A session follows its file: one whose own settings changed is restarted if it runs, one whose file is gone ends and goes. A
 * file that turned bad takes nothing away from a recorder that runs. */

#include "session-parts.h"

/* New settings are another matter than what was wrong with those before. */
static void settings_changed(Session *s) {
        if (s->config.settings && s->result == SESSION_RESULT_BAD_SETTING)
                s->result = SESSION_RESULT_SUCCESS;
        session_update_state(s);
}

int session_set_transient(Session *s, SessionSettings *settings, char *const *assignments) {
        int r = session_config_set_transient(&s->config, settings, assignments);

        if (r >= 0)
                settings_changed(s);
        return r;
}

void session_read_settings(Session *s, const SessionRecord *r) {
        s->doomed = !session_record_number(r, "transient", 1) || session_config_read(&s->config, r) < 0;
        settings_changed(s);
}

bool session_has_bad_file(const Session *s) {
        return session_config_has_bad_file(&s->config);
}

void session_show_bad_file(Session *s) {
        _cleanup_free_ char *sentence = diagnosis_format(&s->config.file->error);

        session_set_error(s, sentence ?: "no memory");
        if (session_is_active(s))
                return;
        session_config_drop_settings(&s->config);
        s->result = SESSION_RESULT_BAD_SETTING;
}

int session_take_file(Session *s, SessionFile *f, SessionUpdate *ret) {
        bool was_bad = session_config_has_bad_file(&s->config);
        JournalSession j = session_journal(s);
        int r;

        r = session_config_set_file(&s->config, f, &j, ret);
        if (r < 0)
                return r;
        if (session_config_has_bad_file(&s->config))
                session_show_bad_file(s);
        else if (was_bad)
                session_set_error(s, NULL);
        settings_changed(s);
        return 0;
}

int session_set_file(Session *s, SessionFile *f) {
        SessionUpdate update;

        return session_take_file(s, f, &update);
}

void session_log_change(const Session *s, const char *change) {
        JournalSession j = session_journal(s);

        journal_log_session(&j, LOG_INFO, NULL, "Session file: %s", change);
}

/* A file took the place of another one, such as a packaged one, and unlike that it starts with the daemon. The link by which an
 * instance is enabled is no such file. */
static bool is_enabled_by_another_file(const Session *s, const SessionFile *f) {
        return f->enabled && !s->config.enabled && s->config.file && !session_is_made_up(s) &&
               !streq(f->fragment_path, s->config.file->fragment_path);
}

/* A stopped session stays so; one that could not run because of its file, or failed with what it said, and one whose file is
 * replaced by one that is enabled, is started as a new one is. A change that is of no concern to a recorder neither restarts nor
 * starts one. */
int session_follow_file(Session *s, SessionFile *f, Gather *g, const char **ret_change) {
        bool was_bad = !s->config.settings, was_doomed = s->doomed;
        bool was_replaced = !session_is_active(s) && is_enabled_by_another_file(s, f);
        bool has_failed = !session_is_active(s) && s->result != SESSION_RESULT_SUCCESS;
        SessionUpdate update;
        int r;

        *ret_change = NULL;
        s->doomed = false;
        r = session_take_file(s, f, &update);
        if (r < 0)
                return r;
        if (update == SESSION_SAME && !was_doomed && !was_replaced)
                return 0;
        if (update == SESSION_MENDED) {
                session_changed(s, SESSION_CHANGE_STATE);
                return 0;
        }
        *ret_change = update == SESSION_TURNED_BAD ? "bad-setting" : was_doomed ? "added" : "changed";
        session_log_change(s, *ret_change);
        session_changed(s, SESSION_CHANGE_SETTINGS | SESSION_CHANGE_STATE);
        if (!s->config.settings || update == SESSION_TURNED_BAD || (update == SESSION_RETAINED && !was_doomed && !was_replaced))
                return 0;
        if (session_is_active(s)) {
                s->restart.stop_reason = "restarted for changed settings";
                session_restart(s, g);
                s->restart.stop_reason = NULL;
        } else if (has_failed || was_bad || was_doomed || was_replaced)
                session_start_unasked(s, has_failed, g);
        return 0;
}

void session_remove(Session *s, const char *change, Gather *g) {
        session_log_change(s, change);
        s->doomed = true;
        s->config.enabled = false;
        if (!session_is_active(s)) {
                session_leave(s);
                return;
        }
        s->restart.stop_reason = "its session file was removed or masked";
        session_stop(s, g);
        s->restart.stop_reason = NULL;
}
