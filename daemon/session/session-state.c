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
        [SESSION_PAUSED] = PR_STATE_PAUSED,     [SESSION_RESERVED] = PR_STATE_RESERVED,
        [SESSION_STOPPING] = PR_STATE_STOPPING, [SESSION_FAILED] = PR_STATE_FAILED,
        [SESSION_BAD_SETTING] = PR_STATE_BAD_SETTING,
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

SessionView session_view(const Session *s) {
        const SessionSettings *settings = s->config.settings;
        const SessionFile *file = s->config.file;
        bool runs = s->recorder.process.pid > 0;

        return (SessionView) {
                .state = s->state,
                .result = s->result,
                .error = s->error ?: "",
                .description = settings && settings->description && *settings->description ? settings->description : s->name,
                .command = s->config.command ?: "",
                .unit = settings && settings->record.unit ? settings->record.unit : "",
                .main_pid = s->recorder.process.pid,
                .start_timestamp = runs ? s->recorder.start_timestamp : 0,
                .n_restarts = s->restart.n_restarts,
                .scope = runs ? s->scope_name : "",
                .fragment_path = file && file->fragment_path ? file->fragment_path : "",
                .drop_in_paths = file ? file->drop_in_paths : NULL,
                .directory = s->directory,
                .control_path = s->control_path,
                .ack_path = s->ack_path,
                .output_path = s->output_path,
                .settings = settings,
                .creator = s->config.creator,
                .is_enabled = s->config.enabled,
                .is_transient = s->config.transient,
                .is_made_up = session_is_made_up(s),
                .has_bad_file = session_config_has_bad_file(&s->config),
                .is_leaving = s->doomed || s->gone,
                .is_gone = s->gone,
        };
}

/* The samples that the kernel lost in the meantime are in the number: it is lost for the same reason, mostly. */
int session_describe_error(const Session *s, char **ret) {
        const RecorderBlocked *b = &s->recorder.blocked;
        const char *why = b->error == ENOSPC ? "the disk is full" : strerror(b->error);
        const char *trouble = s->recorder.process.pid > 0 ? s->recorder.reported.trouble : NULL;
        char since[64], *text;
        PrCounters c;

        if (b->error == 0 || s->error) {
                text = strdup(s->error || !trouble ? s->error ?: "" : trouble);
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

bool session_is_made_up(const Session *s) {
        return !s->config.transient && session_name_is_made_up(s->name, s->config.file ? s->config.file->fragment_path : NULL);
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

int session_counts(const Session *s, SessionCounts *ret) {
        return session_counts_read(s->recorder.counters.fd, ret);
}

uint64_t session_cpu_usage(const Session *s) {
        return recorder_cpu_usage(&s->recorder);
}

static SessionState state_of(const Session *s) {
        switch (s->recorder.phase) {
        case PHASE_UP:
                return s->recorder.lent.is_all ? SESSION_RESERVED : s->recorder.is_paused ? SESSION_PAUSED : SESSION_RECORDING;
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

const char *session_why_not_up(const Session *s) {
        switch (s->recorder.phase) {
        case PHASE_WAIT:
                return "it waits for its unit, and records as soon as that runs";
        case PHASE_DELAY:
                return "its recorder ended and is about to be started again: try again in a moment";
        case PHASE_TERM:
        case PHASE_KILL:
                return s->restart.start_again ? "its recorder is being restarted: try again in a moment" : "it is being stopped";
        case PHASE_NONE:
                return "it is not running: start it first";
        case PHASE_LOOKUP:
        case PHASE_SCOPE:
        case PHASE_EXEC:
        case PHASE_OPEN:
        case PHASE_UP:
        case _PHASE_MAX:
        case _PHASE_INVALID:
                break;
        }
        return "its recorder is being started: try again in a moment";
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
