/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A session as a whole: it is made, follows its file, goes on with what a previous daemon left, and gets the reports of its
 * recorder. Every change of its state is reported to the manager and kept for the next daemon here, in one place.
 *
 * A session whose own settings changed is restarted if it runs, one whose file is gone ends and goes. A file that turned bad takes
 * nothing away from a recorder that runs. */

#include <poll.h>

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/message-ids.h>

#include "fd-file.h"
#include "format-text.h"
#include "late-error.h"
#include "session-parts.h"

static JournalSession recorder_journal(const void *userdata) {
        return session_journal(userdata);
}

static bool is_stop_asked(const void *userdata) {
        const Session *s = userdata;

        return s->restart.stop_asked;
}

/* also: what changed besides the state, if that did. */
static void on_changed(SessionChange also, void *userdata) {
        Session *s = userdata;
        SessionState before = s->state;

        session_update_state(s);
        session_save(s);
        session_follow_lent(s);
        if (s->state != before)
                also |= SESSION_CHANGE_STATE;
        if (s->recorder.lent.shown != session_lent(s))
                also |= SESSION_CHANGE_LENT;
        s->recorder.lent.shown = session_lent(s);
        if (also)
                session_changed(s, also);
}

static int set_paths(Session *s) {
        s->directory = format_text("%s/session-%s", s->host->base.path, s->name);
        if (!s->directory)
                return -ENOMEM;
        s->control_path = path_join(s->directory, "control");
        s->ack_path = path_join(s->directory, "ack");
        s->output_path = path_join(s->directory, "output");
        s->scope_name = scope_unit_name(s->name);
        return s->control_path && s->ack_path && s->output_path && s->scope_name ? 0 : -ENOMEM;
}

int session_new(SessionHost *host, const char *name, Session **ret) {
        Session *s = calloc(1, sizeof(Session));
        int r;

        if (!s)
                return -ENOMEM;
        *s = (Session){
                .host = host,
                .name = strdup(name),
                .recorder = RECORDER_EMPTY,
                .entry = { .fd = -EBADF },
                .config.creator = host->caller ? host->caller->uid : UID_INVALID,
                .caller = CALLER_UNKNOWN,
                .state = SESSION_BAD_SETTING,
        };
        s->look = calloc(1, sizeof(CountersLook));
        r = s->name && s->look ? set_paths(s) : -ENOMEM;
        if (r < 0) {
                session_free(s);
                return r;
        }
        s->owner = (RecorderOwner) {
                .host = host, .name = s->name, .scope_name = s->scope_name, .directory = s->directory, .userdata = s,
                .journal = recorder_journal, .is_stop_asked = is_stop_asked, .changed = on_changed,
                .opened = session_on_opened, .stopping = session_on_stopping, .ended = session_on_ended,
        };
        s->recorder.owner = &s->owner;
        *ret = s;
        return 0;
}

Session *session_free(Session *s) {
        if (!s)
                return NULL;
        session_end_dumps(s, FAILURE_OTHER, "the daemon is ending");
        session_end_windows(s, FAILURE_OTHER, "the daemon is ending");
        recorder_done(&s->recorder);
        sd_event_source_disable_unref(s->delay);
        calendar_timer_free(s->calendar);
        gather_list_leave(&s->start_waiters, FAILURE_OTHER, "the daemon is ending");
        gather_list_leave(&s->stop_waiters, FAILURE_OTHER, "the daemon is ending");
        ring_keeper_done(&s->rings);
        session_config_done(&s->config);
        free(s->entry.name);
        safe_close(s->entry.fd);
        free(s->look);
        free(s->name);
        free(s->scope_name);
        free(s->directory);
        free(s->control_path);
        free(s->ack_path);
        free(s->output_path);
        free(s->error);
        free(s);
        return NULL;
}

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

        session_log(s, LOG_INFO, NULL, "Session file: %s", change);
}

/* A file took the place of another one, such as a packaged one, and unlike that it starts with the daemon. The link by which an
 * instance is enabled is no such file. */
static bool is_enabled_by_another_file(const Session *s, const SessionFile *f) {
        return f->enabled && !s->config.enabled && s->config.file && !session_is_made_up(s) &&
               !streq(f->fragment_path, s->config.file->fragment_path);
}

/* No caller asked for it: the recorder's last dump gets the reason. */
static void end_for(Session *s, const char *reason, void (*verb)(Session *s, Gather *g), Gather *g) {
        s->restart.stop_reason = reason;
        verb(s, g);
        s->restart.stop_reason = NULL;
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
        if (session_is_active(s))
                end_for(s, "restarted for changed settings", session_restart, g);
        else if (has_failed || was_bad || was_doomed || was_replaced)
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
        end_for(s, "its session file was removed or masked", session_stop, g);
}

/* It is what it was before, if nothing runs: not started again because it is enabled, unless it was about to start. */
static void restore_rest(Session *s, RecorderPhase phase, SessionResult result, const char *error) {
        s->recorder.phase = PHASE_NONE;
        if (s->config.transient || s->doomed) {
                session_leave(s);
                return;
        }
        if (s->restart.start_again || (phase != PHASE_NONE && phase != PHASE_TERM && phase != PHASE_KILL)) {
                session_keep_rings_for_successor(s, 0); /* what was kept for it went with the previous daemon */
                s->restart.start_wanted = true;
                return;
        }
        if (!s->config.settings)
                return;
        s->result = result;
        session_set_error(s, error);
        s->restart.restored = true;
        recorder_set_phase(&s->recorder, PHASE_NONE, 0);
}

int session_restore(Session *s, const SessionRecord *r, const char *store_name, int pidfd, int counters_fd, int state_fd) {
        _cleanup_close_ int process = pidfd, counters = counters_fd, state = state_fd;
        SessionResult result = session_result_from_string(session_record_text(r, "result") ?: "success");
        struct pollfd end = { .fd = pidfd, .events = POLLIN }; /* a dead process is readable */
        RecorderPhase phase;
        int k;

        if (s->entry.name) /* a second entry of the same name */
                return -EEXIST;
        k = result < 0 ? -EBADMSG : session_get_record(s, r);
        if (k < 0)
                return k;
        s->entry.name = strdup(store_name);
        if (!s->entry.name)
                return -ENOMEM;
        s->recorder.counters.fd = steal_fd(&counters);
        s->entry.fd = steal_fd(&state);
        s->entry.size = SIZE_MAX; /* not known */
        phase = s->recorder.phase;
        /* one that was up and died ends by its pidfd, as any other does */
        if (!recorder_phase_has_process(phase) || process < 0 || (phase != PHASE_UP && poll(&end, 1, 0) != 0)) {
                restore_rest(s, phase, result, session_record_text(r, "error"));
                return 0;
        }
        s->restart.restored = true;
        s->restart.outdated = s->config.settings && s->recorder.settings_hash != session_config_hash(&s->config);
        s->recorder.is_foreign = session_config_is_foreign(&s->config);
        return recorder_attach(&s->recorder, s->entry.pid, steal_fd(&process),
                               (unsigned) session_record_number(r, "outstanding", UINT32_MAX));
}

int session_adopt_from_scope(Session *s, pid_t pid) {
        s->recorder.is_foreign = session_config_is_foreign(&s->config);
        if (s->config.settings)
                s->recorder.settings_hash = session_config_hash(&s->config);
        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++) /* not known: either word is written */
                s->recorder.lent.asked |= s->host->lent_to[k] ? 0 : 1u << k;
        return recorder_adopt_from_scope(&s->recorder, pid);
}

void session_continue(Session *s) {
        bool is_active = session_is_active(s), ends = s->recorder.phase == PHASE_TERM || s->recorder.phase == PHASE_KILL;
        bool is_startable = s->config.settings && !session_config_has_bad_file(&s->config);
        char path[PATH_MAX];

        if (s->doomed) {
                if (is_active)
                        session_stop(s, NULL);
                else
                        session_leave(s);
        } else if (!ends && recorder_is_displaced(&s->recorder, path)) {
                session_log(s, LOG_NOTICE, NULL, "The recorder writes in %s, and its directory is %s now: "
                            "ending it and starting it again there", path, s->directory);
                end_for(s, "the base directory was changed", is_startable ? session_restart : session_stop, NULL);
        } else if (is_active && s->restart.outdated)
                session_restart(s, NULL);
        else if (s->restart.start_wanted || !s->restart.restored)
                session_start_unasked(s, s->restart.start_wanted, NULL);
}

static void on_elapsed(const char *expression, void *userdata) {
        session_dump_for(userdata, &(DumpRequest){ .trigger = PR_TRIGGER_CALENDAR, .detail = expression });
}

/* It is known only now: the parser of the file does not wait for systemd's program. */
static void on_wrong(const char *expression, const char *sentence, void *userdata) {
        Session *s = userdata;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *text = NULL;

        if (s->config.file)
                (void) late_error_locate(s->config.file, "Trigger", "OnCalendar", expression, sentence, &d);
        text = s->config.file ? diagnosis_format(&d) : NULL;
        text = text ?: format_text("OnCalendar=%s: %s", expression, sentence);
        session_log(s, LOG_ERR, PR_MESSAGE_BAD_SETTING, "Bad setting: %s", text ?: sentence);
        session_set_error(s, text ?: sentence);
        session_changed(s, SESSION_CHANGE_STATE);
}

void session_update_calendar(Session *s) {
        const CalendarHandler handler = { .elapsed = on_elapsed, .wrong = on_wrong, .userdata = s };
        char *const *wanted = s->config.settings && session_is_recording(s) ? s->config.settings->trigger.calendar : NULL;
        int r;

        if (wanted && s->calendar && calendar_timer_is_of(s->calendar, wanted))
                return;
        s->calendar = calendar_timer_free(s->calendar);
        r = wanted ? calendar_timer_new(s->host->event, wanted, &handler, &s->calendar) : 0;
        if (r < 0)
                session_log(s, LOG_WARNING, NULL, "OnCalendar= does not elapse: %s", strerror(-r));
}
