/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The state of a session, and what is shown of it. The phase says where its recorder is; the state that others see follows from
 * it. The other files of a session stand on this one, in this order: its entry of the descriptor store, its rings, its dumps, its
 * start, its end, what its recorder reports, and session.c. */

#include <perf-recorder/bus-names.h>

#include "format-text.h"
#include "session-parts.h"
#include "string-table.h"
#include "utf8.h"

#define ERROR_MAX 4096 /* bytes */

static const char *const session_state_table[_SESSION_STATE_MAX] = {
        [SESSION_INACTIVE] = PR_STATE_INACTIVE, [SESSION_WAITING] = PR_STATE_WAITING,
        [SESSION_STARTING] = PR_STATE_STARTING, [SESSION_RECORDING] = PR_STATE_RECORDING,
        [SESSION_PAUSED] = PR_STATE_PAUSED,     [SESSION_STOPPING] = PR_STATE_STOPPING,
        [SESSION_FAILED] = PR_STATE_FAILED,     [SESSION_BAD_SETTING] = PR_STATE_BAD_SETTING,
};

static const char *const session_result_table[_SESSION_RESULT_MAX] = {
        [SESSION_RESULT_SUCCESS] = "success",
        [SESSION_RESULT_RESOURCES] = "resources",
        [SESSION_RESULT_PROTOCOL] = "protocol",
        [SESSION_RESULT_TIMEOUT] = "timeout",
        [SESSION_RESULT_EXIT_CODE] = "exit-code",
        [SESSION_RESULT_SIGNAL] = "signal",
        [SESSION_RESULT_CORE_DUMP] = "core-dump",
        [SESSION_RESULT_START_LIMIT_HIT] = "start-limit-hit",
        [SESSION_RESULT_BAD_SETTING] = "bad-setting",
};

DEFINE_STRING_TABLE(session_state, SessionState);
DEFINE_STRING_TABLE(session_result, SessionResult);

const char *session_name(const Session *s) {
        return s->name;
}

const char *session_description(const Session *s) {
        const char *description = s->config.settings ? s->config.settings->description : NULL;

        return description && *description ? description : s->name;
}

SessionState session_state(const Session *s) {
        return s->state;
}

SessionResult session_result(const Session *s) {
        return s->result;
}

const char *session_error(const Session *s) {
        return s->error ?: "";
}

/* The samples that the kernel lost in the meantime are in the number: it is lost for the same reason, mostly. */
int session_describe_error(const Session *s, char **ret) {
        const RecorderBlocked *b = &s->recorder.blocked;
        const char *why = b->error == ENOSPC ? "the disk is full" : strerror(b->error);
        const char *trouble = s->recorder.process.pid > 0 ? s->recorder.reported.trouble : NULL;
        char since[64], *text;
        PrCounters c;

        if (b->error == 0 || s->error) {
                text = strdup(s->error || !trouble ? session_error(s) : trouble);
                if (!text)
                        return -ENOMEM;
                *ret = text;
                return 0;
        }
        session_counters(s, &c);
        (void) format_timestamp(since, sizeof(since), b->since);
        text = b->is_dump ? format_text("%s: no dump was written since %s", why, since) :
                            format_text("%s: %" PRIu64 " samples dropped since %s", why, c.lost - MIN_OF(c.lost, b->lost), since);
        if (!text)
                return -ENOMEM;
        *ret = text;
        return 0;
}

const char *session_command(const Session *s) {
        return s->config.command ?: "";
}

pid_t session_main_pid(const Session *s) {
        return s->recorder.process.pid;
}

const char *session_scope(const Session *s) {
        return s->recorder.process.pid > 0 ? s->scope_name : "";
}

const char *session_fragment_path(const Session *s) {
        return s->config.file && s->config.file->fragment_path ? s->config.file->fragment_path : "";
}

char *const *session_drop_in_paths(const Session *s) {
        return s->config.file ? s->config.file->drop_in_paths : NULL;
}

const char *session_directory(const Session *s) {
        return s->directory;
}

const char *session_control_path(const Session *s) {
        return s->control_path;
}

const char *session_ack_path(const Session *s) {
        return s->ack_path;
}

const char *session_output_path(const Session *s) {
        return s->output_path;
}

usec_t session_start_timestamp(const Session *s) {
        return s->recorder.process.pid > 0 ? s->recorder.start_timestamp : 0;
}

unsigned session_n_restarts(const Session *s) {
        return s->restart.n_restarts;
}

const SessionSettings *session_settings(const Session *s) {
        return s->config.settings;
}

bool session_is_enabled(const Session *s) {
        return s->config.enabled;
}

bool session_is_transient(const Session *s) {
        return s->config.transient;
}

bool session_is_made_up(const Session *s) {
        return !s->config.transient && session_name_is_made_up(s->name, session_fragment_path(s));
}

bool session_is_active(const Session *s) {
        return s->recorder.phase != PHASE_NONE;
}

bool session_is_recording(const Session *s) {
        return s->recorder.phase == PHASE_UP;
}

bool session_has_failed(const Session *s) {
        return s->state == SESSION_FAILED || (s->state == SESSION_BAD_SETTING && s->config.enabled);
}

bool session_cannot_write(const Session *s) {
        return s->recorder.blocked.error > 0;
}

bool session_is_leaving(const Session *s) {
        return s->doomed || s->gone;
}

bool session_is_gone(const Session *s) {
        return s->gone;
}

uid_t session_creator(const Session *s) {
        return s->config.creator;
}

uint64_t session_ring_bytes(const Session *s) {
        PrCounters c;

        session_counters(s, &c);
        return c.ring_bytes;
}

uint64_t session_n_processes(const Session *s) {
        return s->recorder.process.pid > 0;
}

/* A recorder that is not woken while the kernel overwrites its rings says little; the rings themselves say the rest. */
static void read_counters(const Session *s, PrCounters *ret) {
        *ret = (PrCounters){};
        if (!recorder_read_counters(&s->recorder, ret))
                return;
        if (s->recorder.process.pid <= 0)
                ret->ring_bytes = kept_rings_bytes(s->rings.kept);
        ring_keeper_read(&s->rings, &s->look->given, ret);
}

/* An answer with all properties of all sessions asks for one figure after the other: one look in a turn of the loop is enough. */
void session_counters(const Session *s, PrCounters *ret) {
        uint64_t turn = 0;

        if (!s->look || sd_event_get_state(s->host->event) != SD_EVENT_RUNNING ||
            sd_event_get_iteration(s->host->event, &turn) < 0) {
                read_counters(s, ret);
                return;
        }
        if (s->look->turn != turn)
                read_counters(s, &s->look->counters);
        s->look->turn = turn;
        *ret = s->look->counters;
}

static SessionState state_of(const Session *s) {
        switch (s->recorder.phase) {
        case PHASE_UP:
                return s->recorder.is_paused ? SESSION_PAUSED : SESSION_RECORDING;
        case PHASE_TERM:
        case PHASE_KILL:
                return SESSION_STOPPING;
        case PHASE_WAIT:
        case PHASE_DELAY:
                return SESSION_WAITING;
        case PHASE_NONE:
                if (!s->config.settings)
                        return SESSION_BAD_SETTING;
                return s->result == SESSION_RESULT_SUCCESS ? SESSION_INACTIVE : SESSION_FAILED;
        case PHASE_LOOKUP:
        case PHASE_SCOPE:
        case PHASE_EXEC:
        case PHASE_OPEN:
        case _PHASE_MAX:
        case _PHASE_INVALID:
                break;
        }
        return SESSION_STARTING;
}

void session_update_state(Session *s) {
        s->state = state_of(s);
}

JournalSession session_journal(const Session *s) {
        const Caller *caller = s->host->caller ?: s->caller.uid != UID_INVALID ? &s->caller : NULL;

        return (JournalSession){ .name = s->name, .scope = s->scope_name, .caller = caller };
}

void session_note_caller(Session *s) {
        if (s->host->caller)
                s->caller = *s->host->caller;
        else
                session_drop_caller(s);
}

void session_drop_caller(Session *s) {
        s->caller = (Caller) CALLER_UNKNOWN;
}

const char *session_by(const Session *s, char *buf, size_t size) {
        snprintf(buf, size, "%s%s", s->caller.uid != UID_INVALID ? " by " : "", s->caller.uid != UID_INVALID ? s->caller.text : "");
        return buf;
}

void session_changed(Session *s, SessionChange mask) {
        s->host->calls->changed(s, mask, s->host->userdata);
}

void session_set_error(Session *s, const char *sentence) {
        char *text = sentence && *sentence ? utf8_text(sentence, SIZE_MAX, ERROR_MAX) : NULL;

        free(s->error); /* which the sentence may be */
        s->error = text;
}

int session_renew_directory(Session *s) {
        _cleanup_close_ int fd = -EBADF;

        return base_directory_open_session(&s->host->base, s->name, &fd);
}

void session_show_bad_file(Session *s) {
        _cleanup_free_ char *sentence = diagnosis_format(&s->config.file->error);

        session_set_error(s, sentence ?: "no memory");
        if (session_is_active(s))
                return;
        session_config_drop_settings(&s->config);
        s->result = SESSION_RESULT_BAD_SETTING;
}
