/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words to a session's recorder that somebody waits for: pause, resume, ping. The recorder acks them in turn
 * (control.h).
 *
 * Invariant: each pause and resume that was sent leaves its gather once: with the ack, with the end of the recorder,
 * or after a while without either. A ping's caller has its own limit of time. Signals are sent in session-exit.c. */

#include <perf-recorder/control-words.h>

#include "session-parts.h"

#define ACK_TIMEOUT_USEC (10 * USEC_PER_SEC)

typedef struct WordCall {
        Session *session;
        Gather *gather;
        bool pause;
        ControlWaiter *waiter;
        sd_event_source *timer;
} WordCall;

static void word_call_end(WordCall *c, Failure failure, const char *sentence) {
        Gather *g = c->gather;

        control_waiter_free(c->waiter);
        sd_event_source_disable_unref(c->timer);
        free(c);
        gather_leave(g, failure, sentence);
}

/* Our recorder notifies its state as well; a foreign one does not. */
static void on_acked(int error, usec_t round_trip, void *userdata) {
        WordCall *c = userdata;
        Session *s = c->session;
        JournalSession j = session_journal(s);
        char by[SESSION_BY_SIZE];

        c->waiter = NULL;
        if (error >= 0)
                journal_log_session(&j, LOG_INFO, NULL, "%s%s", c->pause ? "Paused" : "Resumed", session_by(s, by, sizeof(by)));
        session_drop_caller(s);
        if (error >= 0 && s->recorder.phase == PHASE_UP && s->recorder.is_paused != c->pause) {
                s->recorder.is_paused = c->pause;
                recorder_set_phase(&s->recorder, PHASE_UP, 0);
        }
        word_call_end(c, error < 0 ? FAILURE_NOT_RUNNING : FAILURE_NONE, "its recorder ended before it answered");
}

static int on_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        word_call_end(userdata, FAILURE_TIMEOUT, "its recorder does not answer: look at it, or restart it");
        return 0;
}

static void send_word(Session *s, Gather *g, bool pause) {
        WordCall *c;
        int r;

        gather_join(g);
        if (s->recorder.phase != PHASE_UP) {
                gather_leave(g, FAILURE_NOT_RUNNING, session_why_not_up(s));
                return;
        }
        c = calloc(1, sizeof(WordCall));
        if (!c) {
                gather_leave(g, FAILURE_NO_MEMORY, NULL);
                return;
        }
        *c = (WordCall){ .session = s, .gather = g, .pause = pause };
        session_note_caller(s);
        r = sd_event_add_time_relative(s->host->event, &c->timer, CLOCK_MONOTONIC, ACK_TIMEOUT_USEC, 0, on_timeout, c);
        if (r >= 0)
                r = control_send(s->recorder.control, pause ? PR_CONTROL_DISABLE : PR_CONTROL_ENABLE, on_acked, c, &c->waiter);
        if (r < 0)
                word_call_end(c, failure_of(r), NULL);
}

void session_pause(Session *s, Gather *g) {
        send_word(s, g, true);
}

void session_resume(Session *s, Gather *g) {
        send_word(s, g, false);
}

const char *session_ping(Session *s, ControlDone done, void *userdata, ControlWaiter **ret) {
        if (s->state == SESSION_FAILED || s->state == SESSION_BAD_SETTING)
                return "dead";
        if (s->state == SESSION_INACTIVE || s->state == SESSION_WAITING)
                return "inactive";
        if (!s->recorder.control)
                return s->recorder.phase == PHASE_LOOKUP ? "timeout" : "dead";
        return control_send(s->recorder.control, PR_CONTROL_PING, done, userdata, ret) < 0 ? "timeout" : NULL;
}
