/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reservations: all sessions lend counters of a kind to a caller, at most one reservation of each kind at a time. Every session is
 * asked first, and when all have answered, events are opened to prove that the counters are free; the kernel says so in no other
 * way. If they are not, or a session does not answer in time, everything is given back, and the refusal names who may be in the
 * way. Nothing here blocks the loop.
 *
 * Invariant: host.lent_to[kind] is set exactly while there is a reservation of the kind, granted or not, and every change of it is
 * followed by session_follow_lent() of all sessions. Sessions that start or are adopted later follow it by themselves. */

#include <poll.h>

#include <perf-recorder/message-ids.h>

#include "array.h"
#include "counter-holders.h"
#include "defer.h"
#include "fdstore.h"
#include "format-text.h"
#include "reservation.h"

#define ANSWER_TIMEOUT_USEC (2 * USEC_PER_SEC)
#define PROOFS_MAX 8u /* the kernel may free a breakpoint a moment after its last descriptor was closed */
#define PROOF_INTERVAL_USEC (1 * USEC_PER_MSEC) /* the first; each is twice as long as the one before */
#define SEARCH_TIMEOUT_USEC (50 * USEC_PER_MSEC) /* for holders in /proc, while the loop waits */

static void set_lent(Manager *m, CounterKind kind, const char *who) {
        m->host.lent_to[kind] = who;
        for (size_t i = 0; i < m->sessions.n; i++)
                session_follow_lent(m->sessions.all[i]);
}

static void remove_reservation(Reservation *r) {
        r->manager->reservations->all[r->kind] = NULL;
        set_lent(r->manager, r->kind, NULL);
}

static void refuse_reservation(Reservation *r, Failure failure, const char *sentence) {
        remove_reservation(r);
        r->done(failure, sentence, -EBADF, r->userdata);
        reservation_free(r);
}

_printf_(4, 5)
static void log_reservation(const Reservation *r, const char *message_id, int priority, const char *format, ...) {
        _cleanup_free_ char *what = reservation_describe(r), *text = NULL;
        va_list ap;

        va_start(ap, format);
        text = format_text_va(format, ap);
        va_end(ap);
        if (what && text)
                journal_log_reservation(what, &r->caller, priority, message_id, "%s", text);
}

static void report_change(const Reservation *r, bool is_reserved) {
        const ManagerObserver *o = &r->manager->observer;
        _cleanup_free_ char *what = reservation_describe(r);

        if (o->reserved && what)
                o->reserved(what, is_reserved, o->userdata);
}

static void release_reservation(Reservation *r) {
        usec_t now = now_usec(CLOCK_REALTIME), since = MIN_OF(now, r->since);
        char lasted[64];

        remove_reservation(r);
        format_timespan(lasted, sizeof(lasted), (now - since) / USEC_PER_MSEC * USEC_PER_MSEC);
        log_reservation(r, PR_MESSAGE_COUNTERS_RETURNED, LOG_INFO, "The %s that were lent to %s are back after %s",
                        counter_kind_describe(r->kind), r->who, lasted);
        reservation_forget(r);
        report_change(r, false);
        reservation_free(r);
}

static int on_hangup(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        release_reservation(userdata);
        return 0;
}

static void grant_reservation(Reservation *r) {
        _cleanup_close_ int fd = -EBADF;
        int k = reservation_grant(r, &fd);

        if (k >= 0)
                k = reservation_watch(r, on_hangup);
        if (k < 0) {
                reservation_forget(r);
                refuse_reservation(r, failure_of(k), strerror(-k));
                return;
        }
        log_reservation(r, PR_MESSAGE_COUNTERS_LENT, LOG_INFO, "%u of the %s of each CPU are lent to %s, at the request of %s%s%s",
                        r->n, counter_kind_describe(r->kind), r->who, r->caller.text, *r->why ? ": " : "", r->why);
        report_change(r, true);
        r->done(FAILURE_NONE, NULL, fd, r->userdata);
}

/* Processes other than ours, whose events are known. */
static char *find_holders(const Reservation *r) {
        const Sessions *l = &r->manager->sessions;
        CounterHoldersSearch search = { .kind = r->kind, .deadline = now_usec(CLOCK_MONOTONIC) + SEARCH_TIMEOUT_USEC };
        _cleanup_free_ pid_t *ours = calloc(l->n + 1, sizeof(pid_t));
        size_t n = 0, n_hidden = 0;
        CounterHolder *holders = NULL;
        char *text;

        if (!ours)
                return NULL;
        ours[search.n_except++] = getpid();
        for (size_t i = 0; i < l->n; i++)
                ours[search.n_except++] = session_view(l->all[i]).main_pid;
        search.except = ours;
        if (counter_holders_find(&search, &holders, &n, &n_hidden) < 0)
                return NULL;
        text = n > 0 || n_hidden > 0 ? counter_holders_describe(holders, n, n_hidden) : NULL;
        counter_holders_free(holders, n);
        return text;
}

static void refuse_as_held(Reservation *r, const CounterProof *proof) {
        const Sessions *l = &r->manager->sessions;
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *sentence = NULL, *all = NULL, *others = find_holders(r);

        for (size_t i = 0; i < l->n; i++) {
                _cleanup_free_ char *holding = NULL;

                if (session_describe_holding(l->all[i], &holding) >= 0 && holding)
                        (void) strv_extend(&names, holding);
        }
        if (others)
                (void) strv_extend(&names, others);
        all = names ? strv_join(names, ", ") : NULL;
        sentence = format_text(all ? "CPU %d has %u of %u %s free: they may be held by %s"
                                   : "CPU %d has %u of %u %s free, and no holder was found: it may have no more",
                               proof->cpu, proof->n_free, r->n, counter_kind_describe(r->kind), all);
        refuse_reservation(r, FAILURE_BUSY, sentence);
}

static int on_next_proof(sd_event_source *source, uint64_t usec, void *userdata);

static void prove_free(Reservation *r) {
        _cleanup_free_ char *sentence = NULL;
        CounterProof proof = {};
        int k = counter_proof_run(r->kind, r->n, r->manager->reservations->proof, &proof);

        r->n_proofs++;
        r->timer = sd_event_source_disable_unref(r->timer);
        if (k >= 0)
                grant_reservation(r);
        else if (k == -EBUSY && (r->n_proofs == PROOFS_MAX ||
                                 sd_event_add_time_relative(r->manager->host.event, &r->timer, CLOCK_MONOTONIC,
                                                            PROOF_INTERVAL_USEC << (r->n_proofs - 1),
                                                            USEC_PER_MSEC, on_next_proof, r) < 0))
                refuse_as_held(r, &proof);
        else if (k == -ENODEV) {
                sentence = format_text("This machine has no %s: %s", counter_kind_describe(r->kind), strerror(-k));
                refuse_reservation(r, FAILURE_NOT_SUPPORTED, sentence);
        } else if (k != -EBUSY) {
                sentence = format_text("The service cannot find out if %s are free: %s", counter_kind_describe(r->kind),
                                       strerror(-k));
                refuse_reservation(r, k == -ENOMEM ? FAILURE_NO_MEMORY : FAILURE_OTHER, sentence);
        }
}

static int on_next_proof(sd_event_source *source, uint64_t usec, void *userdata) {
        prove_free(userdata);
        return 0;
}

/* Names the recorders without an answer. A session without one may start later only, and the proof shows if what is kept for its
 * next recorder is in the way. */
static int on_no_answer(sd_event_source *source, uint64_t usec, void *userdata) {
        Reservation *r = userdata;
        const Sessions *l = &r->manager->sessions;
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *sentence = NULL;

        for (size_t i = 0; i < l->n; i++) {
                _cleanup_free_ char *holding = NULL;

                if (session_has_lent(l->all[i], r->kind) || session_view(l->all[i]).main_pid == 0)
                        continue;
                if (session_describe_holding(l->all[i], &holding) < 0 || !holding)
                        holding = format_text("session %s did not answer within 2 s", session_name(l->all[i]));
                if (holding)
                        (void) strv_consume(&names, steal_ptr(holding));
        }
        if (names) {
                sentence = strv_join(names, ", ");
                refuse_reservation(r, FAILURE_BUSY, sentence);
        } else
                prove_free(r);
        return 0;
}

static int on_look(sd_event_source *source, void *userdata) {
        Reservations *l = userdata;
        const Sessions *sessions = &l->manager->sessions;

        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++)
                if (l->all[k] && l->all[k]->since == 0 && l->all[k]->n_proofs == 0 &&
                    !ANY_OF(sessions->n, i, !session_has_lent(sessions->all[i], k)))
                        prove_free(l->all[k]);
        return 0;
}

void reservations_look_later(Reservations *l) {
        for (CounterKind k = 0; l && k < _COUNTER_KIND_MAX; k++)
                if (l->all[k] && l->all[k]->since == 0)
                        defer_once(l->manager->host.event, &l->look, SD_EVENT_PRIORITY_NORMAL, on_look, l);
}

static int begin_reservation(Manager *m, const ReserveRequest *request, ReserveDone done, void *userdata) {
        _cleanup_(reservation_freep) Reservation *r = NULL;
        int k = reservation_new(m, request, m->host.caller, &r);

        if (k >= 0)
                k = sd_event_add_time_relative(m->host.event, &r->timer, CLOCK_MONOTONIC, ANSWER_TIMEOUT_USEC, USEC_PER_MSEC,
                                               on_no_answer, r);
        if (k < 0)
                return k;
        r->done = done;
        r->userdata = userdata;
        m->reservations->all[r->kind] = r;
        set_lent(m, r->kind, r->who);
        reservations_look_later(m->reservations);
        steal_ptr(r);
        return 0;
}

void manager_reserve(Manager *m, const ReserveRequest *request, ReserveDone done, void *userdata) {
        const Reservation *other = m->reservations->all[request->kind];
        _cleanup_free_ char *sentence = NULL;
        Failure failure = FAILURE_BUSY;

        if (other)
                sentence = format_text("The %s are reserved already, for %s (%s)%s%s", counter_kind_describe(other->kind),
                                       other->who, other->caller.text, *other->why ? ": " : "", other->why);
        else if (!m->host.exiting)
                failure = failure_of(begin_reservation(m, request, done, userdata));
        if (failure)
                done(failure, m->host.exiting ? MANAGER_IS_ENDING : sentence, -EBADF, userdata);
}

void manager_withdraw_reservation(Manager *m, const void *userdata) {
        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++) {
                Reservation *r = m->reservations->all[k];

                if (!r || r->since != 0 || r->userdata != userdata)
                        continue;
                remove_reservation(r);
                reservation_free(r);
        }
}

size_t manager_list_reservations(Manager *m, ReservationRow ret[static _COUNTER_KIND_MAX]) {
        size_t n = 0;

        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++) {
                const Reservation *r = m->reservations->all[k];

                if (!r || r->since == 0)
                        continue;
                ret[n] = (ReservationRow) { .kind = k, .n = r->n, .who = r->who, .why = r->why, .uid = r->caller.uid,
                                            .pid = r->caller.pid };
                n++;
        }
        return n;
}

int manager_restore_reservation(Manager *m, CounterKind kind, int fd, int state_fd) {
        _cleanup_(reservation_freep) Reservation *r = NULL;
        struct pollfd p = { .events = 0 };
        int k;

        k = reservation_restore(m, kind, fd, state_fd, &r);
        if (k < 0)
                return k;
        if (m->reservations->all[kind])
                return -EEXIST;
        p.fd = r->fd;
        if (poll(&p, 1, 0) <= 0)
                k = reservation_watch(r, on_hangup);
        if (k < 0)
                return k;
        m->reservations->all[kind] = r;
        set_lent(m, kind, r->who);
        if (p.revents & (POLLHUP | POLLERR))
                release_reservation(r);
        steal_ptr(r);
        return 0;
}

int reservations_new(Manager *m, const CounterProofOps *proof, Reservations **ret) {
        Reservations *l = calloc(1, sizeof(Reservations));

        if (!l)
                return -ENOMEM;
        *l = (Reservations) { .manager = m, .proof = proof };
        *ret = l;
        return 0;
}

Reservations *reservations_free(Reservations *l) {
        if (!l)
                return NULL;
        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++) {
                Reservation *r = steal_ptr(l->all[k]);

                if (r && r->since == 0)
                        r->done(FAILURE_OTHER, "the daemon is ending", -EBADF, r->userdata);
                reservation_free(r);
                l->manager->host.lent_to[k] = NULL;
        }
        sd_event_source_disable_unref(l->look);
        free(l);
        return NULL;
}
