/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A session asks its recorder by words: for dumps, to pause, to resume, and for an ack (ping). A word for a dump has an id, and a
 * notification with that id comes back, when the file has its name. Each waiter is answered once, by the notification, by the end
 * of the recorder, or after a while. The ids hold the time at which this daemon started, so that what a previous one asked for is
 * never taken for an answer. The recorder acks the other words in turn (control.h).
 *
 * A foreign recorder knows no ids: it gets the signal that has perf switch its output, and the next dump of its session is
 * the answer to all who wait.
 *
 * Invariant: each pause and resume that was sent leaves its gather once: with the ack, with the end of the recorder,
 * or after a while without either. A ping's caller has its own limit of time. */

#include "session-dump.h"

#include <signal.h>

#include <perf-recorder/control-words.h>
#include <perf-recorder/dump-facts.h>
#include <perf-recorder/message-ids.h>
#include <perf-recorder/notify-fields.h>

#include "format-text.h"
#include "list.h"
#include "parse-number.h"
#include "session-parts.h"
#include "utf8.h"

#define ACK_TIMEOUT_USEC (10 * USEC_PER_SEC)
#define ANSWER_TIMEOUT_USEC (90 * USEC_PER_SEC) /* after the delays */
#define RECORDER_IS_LATE "its recorder did not answer in time"
#define REFUSALS_INTERVAL_USEC (10 * USEC_PER_SEC)
#define SENTENCE_SHOWN_MAX 500

int session_kill(Session *s, int sig) {
        const Caller *caller = s->host->caller;

        if (caller && s->recorder.process.pid > 0)
                session_log(s, LOG_INFO, NULL, "SIG%s sent by %s", signal_name(sig) ?: "?", caller->text);
        return recorder_signal(&s->recorder, caller && caller->pid > 0 ? caller : NULL, sig);
}

struct DumpWaiter {
        Session *session;
        DumpWaiter *next;
        uint64_t number;
        usec_t asked, delay; /* CLOCK_MONOTONIC; its own delay, or that of the session */
        usec_t timeout;      /* after asked, the caller's; USEC_INFINITY: none */
        char id[PR_TRIGGER_ID_MAX + 1];
        char *trigger, *detail; /* of one for a foreign recorder */
        DumpAnswer answer;
        void *userdata;
        ControlWaiter *word;
        sd_event_source *timer;
};

DumpWaiter *dump_waiter_free(DumpWaiter *w) {
        if (!w)
                return NULL;
        LIST_REMOVE(w->session->dumps.first, w);
        control_waiter_free(w->word);
        sd_event_source_disable_unref(w->timer);
        free(w->trigger);
        free(w->detail);
        free(w);
        return NULL;
}

/* The ack is not awaited: a recorder that does not read the word has not made the dump, or makes it for nobody. */
DumpWaiter *dump_waiter_withdraw(DumpWaiter *w) {
        char word[sizeof(PR_CONTROL_WITHDRAW " ") + PR_TRIGGER_ID_MAX];
        Session *s = w->session;
        ControlWaiter *ack;

        snprintf(word, sizeof(word), PR_CONTROL_WITHDRAW " %s", w->id);
        dump_waiter_free(w);
        if (s->recorder.control && !session_config_is_foreign(&s->config) &&
            control_send(s->recorder.control, word, NULL, NULL, &ack) >= 0)
                control_waiter_free(ack);
        return NULL;
}

static void answer_after(DumpWaiter *w, DumpWaiter *(*end)(DumpWaiter *), Failure failure, const char *sentence, const Dump *dump) {
        DumpAnswer tell = w->answer;
        void *userdata = w->userdata;

        end(w);
        if (tell)
                tell(failure, sentence, dump, userdata);
}

static void answer(DumpWaiter *w, Failure failure, const char *sentence, const Dump *dump) {
        answer_after(w, dump_waiter_free, failure, sentence, dump);
}

/* A dump has all its triggers wait for the longest delay among them, and is put off to twice that after the first at most. */
usec_t dump_waiter_deadline(const DumpWaiter *w) {
        usec_t longest = 0;

        for (const DumpWaiter *i = w->session->dumps.first; i; i = i->next)
                longest = MAX_OF(longest, i->delay);
        return w->asked + MIN_OF(w->timeout, 2 * longest + ANSWER_TIMEOUT_USEC);
}

static int on_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        DumpWaiter *w = userdata;
        usec_t until = dump_waiter_deadline(w); /* others may have come with longer delays */

        if (until > usec && sd_event_source_set_time(source, until) >= 0 &&
            sd_event_source_set_enabled(source, SD_EVENT_ONESHOT) >= 0)
                return 0;
        if (until - w->asked < w->timeout)
                answer(w, FAILURE_TIMEOUT, RECORDER_IS_LATE ": if the dump comes later, it is among the dumps", NULL);
        else
                answer_after(w, dump_waiter_withdraw, FAILURE_TIMEOUT,
                             w->timeout > w->delay ? RECORDER_IS_LATE : "the time to wait for the dump ended before its delay",
                             NULL);
        return 0;
}

/* The ack only confirms receipt; the answer is a notification, or the recorder exits. */
static void on_taken(int error, usec_t round_trip, void *userdata) {
        DumpWaiter *w = userdata;

        w->word = NULL;
}

static Failure ask(DumpWaiter *w, const DumpRequest *r) {
        char words[PR_CONTROL_WORD_MAX - sizeof(PR_CONTROL_SNAPSHOT " ") - PR_TRIGGER_ID_MAX], word[PR_CONTROL_WORD_MAX];
        char detail[PR_DUMP_DETAIL_MAX];

        if (!session_config_is_foreign(&w->session->config)) {
                if (dump_request_format(r, DUMP_WORD_RECORDER, words, sizeof(words)) < 0)
                        return FAILURE_ARGUMENT;
                snprintf(word, sizeof(word), PR_CONTROL_SNAPSHOT " %s%s", w->id, words);
                return failure_of(control_send(w->session->recorder.control, word, on_taken, w, &w->word));
        }
        if (dump_request_needs_worker(r))
                return FAILURE_NOT_SUPPORTED;
        (void) utf8_line_to(detail, sizeof(detail), r->detail ?: "");
        w->trigger = strdup(r->trigger);
        w->detail = strdup(detail);
        if (!w->trigger || !w->detail)
                return FAILURE_NO_MEMORY;
        return session_kill(w->session, SIGUSR2) < 0 ? FAILURE_NOT_RUNNING : FAILURE_NONE;
}

Failure session_dump(Session *s, const DumpRequest *r, DumpAnswer tell, void *userdata, DumpWaiter **ret) {
        _cleanup_(dump_waiter_freep) DumpWaiter *w = NULL;
        const SessionSettings *settings = s->config.settings;
        DumpWaiter *asked;
        Failure failure;
        int k;

        if (s->recorder.phase != PHASE_UP || !s->recorder.control)
                return FAILURE_NOT_RUNNING;
        (void) session_renew_directory(s);
        w = calloc(1, sizeof(DumpWaiter));
        if (!w)
                return FAILURE_NO_MEMORY;
        *w = (DumpWaiter){ .session = s, .next = s->dumps.first, .number = ++s->host->last_trigger_id,
                           .asked = now_usec(CLOCK_MONOTONIC),
                           .delay = r->has_delay ? r->delay : settings ? settings->trigger.delay : 0,
                           .timeout = r->timeout ?: USEC_INFINITY, .answer = tell, .userdata = userdata };
        s->dumps.first = w;
        snprintf(w->id, sizeof(w->id), "%" PRIx64 "-%" PRIu64, s->host->start_timestamp, w->number);
        k = sd_event_add_time(s->host->event, &w->timer, CLOCK_MONOTONIC, dump_waiter_deadline(w), 10 * USEC_PER_MSEC,
                              on_timeout, w);
        failure = k < 0 ? failure_of(k) : ask(w, r);
        if (failure)
                return failure;
        asked = steal_ptr(w);
        if (ret)
                *ret = asked;
        return FAILURE_NONE;
}

void session_dump_for(Session *s, const DumpRequest *r) {
        Failure failure = session_dump(s, r, NULL, NULL, NULL);

        if (failure)
                session_log(s, LOG_WARNING, NULL, "No dump for %s (%s): %s", r->trigger, r->detail,
                            failure_sentence(failure));
}

/* A recorder may report any errno. The daemon has a failure for some of them. */
static Failure failure_of_recorder(unsigned n) {
        switch (n) {
        case EBUSY:
                return FAILURE_RATE_LIMIT;
        case ENOSPC:
        case EDQUOT:
        case ENOMEM:
        case EOPNOTSUPP:
        case EINVAL:
                return failure_of(-(int) n);
        case ENODATA:
                return FAILURE_NOTHING;
        default:
                return FAILURE_OTHER;
        }
}

/* "ERRNO SENTENCE" */
static Failure parse_error(const char *text, const char **ret_sentence) {
        char number[16];
        size_t n = strcspn(text, " ");
        unsigned error;

        *ret_sentence = "its recorder could not write it";
        snprintf(number, sizeof(number), "%.*s", (int) MIN_OF(n, sizeof(number) - 1), text);
        if (text[n] == ' ' && text[n + 1])
                *ret_sentence = text + n + 1;
        return failure_of_recorder(parse_uint(number, &error) < 0 ? 0 : error);
}

/* Refusals can come as often as triggers do: those within a while are counted, and their number is logged with the next. That
 * does not hold for the first one of a kind or unit which a rate limit refuses: the recorder reports only that one with its
 * trigger. */
static void log_refusal(Session *s, Failure failure, const char *trigger, const char *sentence) {
        usec_t now = now_usec(CLOCK_MONOTONIC);
        char more[64] = "";

        if (!(failure == FAILURE_RATE_LIMIT && *trigger) && s->dumps.refusal_told > 0 &&
            now - s->dumps.refusal_told < REFUSALS_INTERVAL_USEC) {
                s->dumps.n_refusals++;
                return;
        }
        if (s->dumps.n_refusals > 0)
                snprintf(more, sizeof(more), " (%u earlier refusal%s not logged)", s->dumps.n_refusals,
                         s->dumps.n_refusals == 1 ? " was" : "s were");
        session_log(s, LOG_WARNING, PR_MESSAGE_DUMP_REFUSED, "No dump%s%.*s: %.*s%s", *trigger ? " for " : "",
                    utf8_prefix(trigger, SENTENCE_SHOWN_MAX), trigger, utf8_prefix(sentence, SENTENCE_SHOWN_MAX), sentence,
                    more);
        s->dumps.refusal_told = now;
        s->dumps.n_refusals = 0;
}

/* error: a positive errno; 0: a dump was written. While the recorder drops samples, the session has that error. */
static void note_room(Session *s, int error) {
        RecorderBlocked *b = &s->recorder.blocked;

        if (b->error == error || (b->error > 0 && !b->is_dump))
                return;
        *b = (RecorderBlocked){ .error = error, .is_dump = error > 0, .since = now_usec(CLOCK_REALTIME) };
        recorder_set_phase(&s->recorder, s->recorder.phase, SESSION_CHANGE_STATE);
}

void session_take_dump_answer(Session *s, const char *name, const char *error_text, const char *trigger, char *ids) {
        const char *id, *sentence = NULL;
        Failure failure = FAILURE_NONE;

        if (name) {
                dump_store_look(s->host->dumps, s->name, name);
                note_room(s, 0);
                if (!dump_name_is_valid(name)) {
                        failure = FAILURE_OTHER;
                        sentence = "it was written, but not as a dump in the session's directory: -o has it elsewhere";
                }
        } else {
                failure = parse_error(error_text, &sentence);
                log_refusal(s, failure, trigger ?: "", sentence);
                if (failure == FAILURE_NO_SPACE) {
                        s->host->calls->files_changed(s->host->userdata);
                        note_room(s, ENOSPC);
                }
        }
        while ((id = strsep(&ids, " "))) {
                DumpWaiter *w = s->dumps.first;

                while (w && !streq(w->id, id))
                        w = w->next;
                if (w)
                        answer(w, failure, sentence, failure ? NULL : dump_store_find_name(s->host->dumps, s->name, name));
        }
}

/* A callback may free another waiter, or add one for the next dump. */
static void answer_all(Session *s, Failure failure, const char *sentence, const char *name) {
        uint64_t last = s->host->last_trigger_id;
        DumpWaiter *w = s->dumps.first;

        while (w)
                if (w->number <= last) {
                        answer(w, failure, sentence, name ? dump_store_find_name(s->host->dumps, s->name, name) : NULL);
                        w = s->dumps.first;
                } else
                        w = w->next;
}

/* The oldest waiter has the reason. */
void session_explain_dump(const Session *s, int directory_fd, const char *name) {
        const DumpWaiter *first = s->dumps.first;

        while (first && first->next)
                first = first->next;
        if (first && first->trigger)
                dump_put_reason(directory_fd, name, first->trigger, first->detail);
}

void session_dump_appeared(Session *s, const char *name) {
        if (session_config_is_foreign(&s->config))
                answer_all(s, FAILURE_NONE, NULL, name);
}

void session_end_dumps(Session *s, Failure failure, const char *sentence) {
        answer_all(s, failure, sentence, NULL);
}

/* Has sessions dump with another one (Also=). The recorder says that a dump begins, before it makes it: the samples of the
 * others go on being overwritten. They are asked for the same samples under the same incident, and what they are asked for
 * is not announced by them again, so that two sessions that name each other dump once.
 *
 * The words are a recorder's, so nothing of them is passed on that was not read. */
void session_dump_also(Session *s, const char *words) {
        _cleanup_free_ char *detail = NULL;
        DumpRequestText announced;
        DumpRequest *request = &announced.request;

        if (!s->config.settings || !s->config.settings->trigger.also ||
            dump_request_parse(words, DUMP_WORD_ANNOUNCED, &announced, NULL) < 0 ||
            !request->incident || strlen(request->incident) != PR_INCIDENT_SIZE - 1)
                return;
        detail = format_text("%s: %s", s->name, request->detail);
        if (!detail)
                return;
        request->trigger = PR_TRIGGER_ALSO;
        request->detail = detail;
        request->unit = s->name; /* the limit of the others counts what each session causes separately */
        request->all = request->all && request->since == 0 && request->until == 0;
        STRV_FOREACH(name, s->config.settings->trigger.also) {
                Session *other = s->host->calls->find(*name, s->host->userdata);
                Failure failure = FAILURE_NONE;

                if (other != s)
                        failure = other ? session_dump(other, request, NULL, NULL, NULL) : FAILURE_NO_SUCH_SESSION;
                if (failure)
                        session_log(s, LOG_WARNING, NULL, "Also=: no dump of %s: %s", *name, failure_sentence(failure));
        }
}

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
        char by[SESSION_BY_SIZE];

        c->waiter = NULL;
        if (error >= 0)
                session_log(s, LOG_INFO, NULL, "%s%s", c->pause ? "Paused" : "Resumed", session_by(s, by, sizeof(by)));
        session_drop_caller(s);
        if (error >= 0 && s->recorder.phase == PHASE_UP && s->recorder.is_paused != c->pause) {
                s->recorder.is_paused = c->pause;
                recorder_set_phase(&s->recorder, PHASE_UP, 0);
        }
        word_call_end(c, error < 0 ? FAILURE_NOT_RUNNING : FAILURE_NONE, "its recorder ended before it answered");
}

static int on_no_ack(sd_event_source *source, uint64_t usec, void *userdata) {
        word_call_end(userdata, FAILURE_TIMEOUT, "its recorder does not answer: look at it, or restart it");
        return 0;
}

static void set_paused(Session *s, Gather *g, bool pause) {
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
        r = sd_event_add_time_relative(s->host->event, &c->timer, CLOCK_MONOTONIC, ACK_TIMEOUT_USEC, 0, on_no_ack, c);
        if (r >= 0)
                r = control_send(s->recorder.control, pause ? PR_CONTROL_DISABLE : PR_CONTROL_ENABLE, on_acked, c, &c->waiter);
        if (r < 0)
                word_call_end(c, failure_of(r), NULL);
}

void session_pause(Session *s, Gather *g) {
        set_paused(s, g, true);
}

void session_resume(Session *s, Gather *g) {
        set_paused(s, g, false);
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
