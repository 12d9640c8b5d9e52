/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* This decides which dumps are made, and when. One dump is made at a time; pending ones wait in a list, in the order
 * of their first triggers, and that which is due first is made first. Only triggers_run() begins a dump; triggers_fire() never
 * does. triggers_run() is called after all handlers of a wake-up of the loop, so all triggers of one wake-up share a dump. Two
 * handlers call it themselves: the timer of a dump that is due, and perf's word "snapshot", which is acknowledged only once its
 * dump has begun.
 *
 * Joining: dumps that are due are made as soon as possible, so triggers that are due join one another. Triggers that
 * wait for the options' delay join one another too; their dump is made a delay after the last of them, but at most two
 * delays after the first, so that endless triggers can't put it off for ever. A trigger with another delay has a dump
 * of its own.
 *
 * Invariant: a dump has all samples up to the time of each trigger that it answers (triggers_fix_cutoff()), and each
 * trigger with an id is answered exactly once. The recording, which makes the dump, knows nothing of triggers and only
 * reports its end (triggers_dump_done()). Answers for which the receiver has no room are sent again later; nothing
 * waits for that. */

#include "trigger.h"

#include <inttypes.h>
#include <perf-recorder/control-words.h>
#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include <sys/random.h>
#include "list.h"
#include "log.h"
#include "pending-dump.h"
#include "strv.h"
#include "trigger-counts.h"

#define CUTOFF_ROUNDS_MAX 16u /* more: triggers come faster than they can be read */

#define UNSENT_MAX 10000u
#define UNSENT_PAUSE (50 * USEC_PER_MSEC)

#define APART_MAX 64u /* pending dumps with delays of their own, or with windows of time */

typedef enum DumpStage {
        DUMP_STAGE_NONE,
        DUMP_STAGE_BEGUN,   /* it is announced, and waits until the recording can mark its cut-off */
        DUMP_STAGE_CUTTING, /* its cut-off is being fixed */
        DUMP_STAGE_MADE,    /* its cut-off is fixed: triggers are for the next dump */
} DumpStage;

struct Triggers {
        TriggersOptions options;
        Loop *loop;
        PendingDump *pending; /* list, in the order of their first triggers */
        PendingDump *current; /* NULL: the stage is none */
        DumpStage stage;      /* of the current dump */
        int timer;        /* for a delay, -EBADF: none */
        usec_t timer_due;
        TriggerCounts counts;
        unsigned n_refused;
        char **unsent;    /* answers */
        int unsent_timer;
};

int triggers_new(const TriggersOptions *options, Loop *loop, Triggers **ret) {
        Triggers *t = calloc(1, sizeof(Triggers));

        if (!t)
                return -ENOMEM;
        t->options = *options;
        t->loop = loop;
        t->timer = t->unsent_timer = -EBADF;
        *ret = t;
        return 0;
}

Triggers *triggers_free(Triggers *t) {
        if (!t)
                return NULL;
        loop_remove_timer(t->loop, t->timer);
        loop_remove_timer(t->loop, t->unsent_timer);
        STRV_FOREACH(message, t->unsent)
                notifier_send(t->options.notifier, "%s", *message);
        strv_free(t->unsent);
        while (t->pending) {
                PendingDump *p = t->pending;

                t->pending = p->next;
                pending_dump_free(p);
        }
        pending_dump_free(t->current);
        free(t);
        return NULL;
}

static int triggers_send_answers(Triggers *t);

static int triggers_on_unsent_time(void *userdata, int fd, uint32_t events) {
        Triggers *t = userdata;

        loop_remove_timer(t->loop, t->unsent_timer);
        t->unsent_timer = -EBADF;
        return triggers_send_answers(t);
}

/* Sends answers in order, until there is no room for one. */
static int triggers_send_answers(Triggers *t) {
        size_t sent = 0, n = strv_length(t->unsent);
        int fd;

        while (sent < n && notifier_try(t->options.notifier, t->unsent[sent]) != -EAGAIN)
                free(t->unsent[sent++]);
        if (sent > 0)
                memmove(t->unsent, t->unsent + sent, (n - sent + 1) * sizeof(char *));
        if (sent == n || t->unsent_timer >= 0)
                return 0;
        fd = loop_add_timer(t->loop, UNSENT_PAUSE, false, triggers_on_unsent_time, t);
        if (fd < 0)
                return fd;
        t->unsent_timer = fd;
        return 0;
}

static void triggers_answer(Triggers *t, const TriggerIds *ids, const DumpResult *result) {
        _cleanup_strv_free_ char **messages = NULL;

        if (strv_length(t->unsent) >= UNSENT_MAX)
                log_warning("The answers to triggers are not read: one is dropped");
        else if (trigger_ids_answer(ids, result, &messages) < 0 || strv_extend_strv(&t->unsent, messages) < 0 ||
                 triggers_send_answers(t) < 0)
                log_warning("An answer to triggers can't be sent: %s", strerror(ENOMEM));
}

static bool triggers_limit_holds(const Triggers *t, const Trigger *trigger) {
        static const char *const unlimited[] = { PR_TRIGGER_ROTATION, PR_TRIGGER_SHUTDOWN, PR_TRIGGER_RECORDER,
                                                 PR_TRIGGER_UNIT_RESTART };
        const char *word = trigger->request.trigger;

        for (size_t i = 0; i < ELEMENTSOF(unlimited); i++)
                if (streq(word, unlimited[i]))
                        return false;
        if (trigger->request.force || t->options.limit.set)
                return !trigger->request.force;
        return !trigger->as_perf && (!trigger_is_request(word) || streq(word, PR_TRIGGER_SIGNAL));
}

static void triggers_answer_one(Triggers *t, const char *id, const DumpResult *result) {
        TriggerIds ids = {};

        if (id && *id && trigger_ids_add(&ids, id) < 0)
                return;
        triggers_answer(t, &ids, result);
        trigger_ids_done(&ids);
}

void triggers_refuse(Triggers *t, const char *id, int error, const char *sentence) {
        triggers_answer_one(t, id, &(DumpResult) { .error = error, .sentence = sentence });
}

/* Answers each refused trigger that has an id. The first one of an interval is also reported with its cause, and logged;
 * the number of all is logged with the next dump. */
static void triggers_refuse_by_limit(Triggers *t, const Trigger *trigger, TriggerCount *count, const char *sentence) {
        const char *word = trigger->request.trigger, *detail = trigger->request.detail;
        bool first = !count->refused;
        DumpResult result = { .error = -EBUSY, .sentence = sentence ?: "the rate limit of dumps is reached" };

        t->n_refused++;
        count->refused = true;
        if (first) {
                if (!log_is_for_daemon())
                        log_warning("No dump for %s%s%s: there were enough of them lately", word, detail && *detail ? ": " : "",
                                    detail ?: "");
                result.trigger = word;
                result.detail = detail;
        }
        if (trigger->id || first)
                triggers_answer_one(t, trigger->id, &result);
}

/* Counts a dump for the trigger. Returns 1 if it may have one, 0 if it was refused. */
static int triggers_check_limit(Triggers *t, const Trigger *trigger, usec_t now) {
        const TriggerLimit usual = TRIGGER_LIMIT_DEFAULT;
        const TriggerLimit *limit = t->options.limit.set ? &t->options.limit : &usual;
        _cleanup_free_ char *sentence = NULL;
        TriggerCount *count;

        if (!triggers_limit_holds(t, trigger) || limit->interval == 0 || limit->burst == 0)
                return 1;
        count = trigger_counts_find(&t->counts, trigger, limit->interval, now);
        if (count->n < limit->burst) {
                count->n++;
                return 1;
        }
        sentence = trigger_count_describe(count, limit, trigger, now);
        triggers_refuse_by_limit(t, trigger, count, sentence);
        return 0;
}

/* True if there is a current dump and triggers can still join it. */
static bool triggers_has_open_dump(const Triggers *t) {
        return t->stage == DUMP_STAGE_BEGUN || t->stage == DUMP_STAGE_CUTTING;
}

/* Dumps of the options' delay need no limit: there is one for each kind of wish. */
static bool triggers_has_room(const Triggers *t, const DumpWish *wish, bool waits_apart) {
        unsigned n = 0;

        if (!waits_apart && wish->since == 0 && wish->until == 0)
                return true;
        for (const PendingDump *p = t->pending; p; p = p->next)
                n += p->apart || p->wish.since > 0 || p->wish.until > 0;
        return n < APART_MAX;
}

static int triggers_add_pending(Triggers *t, const Trigger *trigger, const DumpWish *wish, bool apart, usec_t now,
                                PendingDump **ret) {
        PendingDump **at = &t->pending;
        int r = pending_dump_new(trigger, wish, apart, now, ret);

        if (r < 0)
                return r;
        while (*at)
                at = &(*at)->next;
        *at = *ret;
        return 0;
}

int triggers_fire(Triggers *t, const Trigger *trigger) {
        usec_t now = now_usec(CLOCK_MONOTONIC);
        usec_t wanted = trigger->request.has_delay ? trigger->request.delay : t->options.delay;
        usec_t delay = MIN_OF(wanted, PR_SNAPSHOT_DELAY_MAX);
        bool apart = delay != t->options.delay;
        DumpWish wish = dump_wish_of(trigger, t->options.overlap);
        PendingDump *p = NULL;
        int r = 0;

        if (triggers_has_open_dump(t) && delay == 0 && !trigger->request.incident && dump_wish_covers(&t->current->wish, &wish))
                p = t->current;
        else
                for (p = t->pending; p && !pending_dump_suits(p, trigger, &wish, now + delay, apart, now);)
                        p = p->next;
        if (!p) {
                if (triggers_check_limit(t, trigger, now) == 0)
                        return 0;
                if (!triggers_has_room(t, &wish, apart && delay > 0)) {
                        triggers_refuse(t, trigger->id, -ENOBUFS, "too many dumps wait for their delays");
                        return 0;
                }
                r = triggers_add_pending(t, trigger, &wish, apart, now, &p);
        }
        if (r >= 0 && trigger->id && *trigger->id)
                r = trigger_ids_add(&p->ids, trigger->id);
        if (r >= 0)
                pending_dump_join(p, trigger, &wish, delay, now);
        else if (p && p->n == 0) {
                LIST_REMOVE(t->pending, p);
                pending_dump_free(p);
        }
        if (r == -ENOBUFS) {
                triggers_refuse(t, trigger->id, r, "too many triggers wait for the next dump");
                return 0;
        }
        return r;
}

void triggers_withdraw(Triggers *t, const char *id) {
        for (PendingDump *p = t->pending; p; p = p->next) {
                if (!trigger_ids_remove(&p->ids, id))
                        continue;
                if (--p->n == 0) {
                        LIST_REMOVE(t->pending, p);
                        pending_dump_free(p);
                }
                return;
        }
}

void triggers_hurry(Triggers *t) {
        for (PendingDump *p = t->pending; p; p = p->next)
                p->due = 0;
}

bool triggers_is_waiting(const Triggers *t) {
        return t->pending || triggers_has_open_dump(t);
}

bool triggers_holds_file(const Triggers *t) {
        for (const PendingDump *p = t->pending; p; p = p->next)
                if (!p->apart)
                        return true;
        return false;
}

/* Returns the pending dump that is due first; NULL: there is none. */
static PendingDump *triggers_next_pending(const Triggers *t) {
        PendingDump *next = t->pending;

        for (PendingDump *p = t->pending; p; p = p->next)
                if (p->due < next->due)
                        next = p;
        return next;
}

usec_t triggers_next(const Triggers *t) {
        const PendingDump *p = triggers_next_pending(t);

        return p ? p->due : USEC_INFINITY;
}

static void triggers_remove_timer(Triggers *t) {
        loop_remove_timer(t->loop, t->timer);
        t->timer = -EBADF;
}

static int triggers_on_due(void *userdata, int fd, uint32_t events) {
        Triggers *t = userdata;

        triggers_remove_timer(t);
        return triggers_run(t);
}

static int triggers_wait_until_due(Triggers *t, usec_t due, usec_t now) {
        int fd;

        if (t->timer >= 0 && t->timer_due == due)
                return 0;
        triggers_remove_timer(t);
        fd = loop_add_timer(t->loop, due - now, false, triggers_on_due, t);
        if (fd < 0)
                return fd;
        t->timer = fd;
        t->timer_due = due;
        return 0;
}

/* Other sessions dump with this one. Their samples are being overwritten, so this is sent before the dump is made. A
 * dump that only answers another session's is not announced, or two sessions would have each other dump for ever. */
static void triggers_announce(Triggers *t, PendingDump *p) {
        uint8_t id[(PR_INCIDENT_SIZE - 1) / 2];
        char detail[2 * PR_DUMP_DETAIL_MAX], words[2 * PR_DUMP_DETAIL_MAX];
        const DumpWish *w = &p->wish;
        const DumpRequest q = { .since = w->since, .until = w->until, .fresh = w->content == DUMP_CONTENT_NEW,
                                .all = !w->automatic && w->content == DUMP_CONTENT_ALL, .detail = detail };

        if (!t->options.announce || !p->own)
                return;
        if (*p->incident == '\0' && getrandom(id, sizeof(id), 0) == (ssize_t) sizeof(id))
                for (size_t i = 0; i < sizeof(id); i++)
                        (void) snprintf(p->incident + 2 * i, 3, "%02x", id[i]);
        (void) snprintf(detail, sizeof(detail), "%s%s%s", p->word, *p->detail ? ": " : "", p->detail);
        if (dump_request_format(&q, DUMP_WORD_ANNOUNCED, words, sizeof(words)) >= 0)
                notifier_send(t->options.notifier, PR_NOTIFY_INCIDENT "incident=%s%s", p->incident, words);
}

/* Merges pending dumps that are due into the current one if that covers them: since it was begun, they may have been
 * fired while the recording was busy, or have been hurried. */
static int triggers_absorb_due(Triggers *t) {
        usec_t now = now_usec(CLOCK_MONOTONIC);
        PendingDump *next;

        for (PendingDump *p = t->pending; p; p = next) {
                int r;

                next = p->next;
                if (p->due > now || *p->incident || !dump_wish_covers(&t->current->wish, &p->wish))
                        continue;
                r = trigger_ids_add_all(&t->current->ids, &p->ids);
                if (r < 0)
                        return r == -ENOBUFS ? 0 : r;
                t->current->n += p->n;
                LIST_REMOVE(t->pending, p);
                pending_dump_free(p);
        }
        return 0;
}

/* The cut-off of a dump is the time up to which its samples go. The recording marks where its samples end now. Then
 * the sources are read once more, because something may have happened before the mark that the loop has not seen yet.
 * A trigger that is found joins the dump; it may have happened after the mark, so a later one is needed. This repeats
 * until nothing is found. Returns 1 if the cut-off is fixed, 0 if the recording is busy; the next triggers_run() asks
 * again. */
static int triggers_fix_cutoff(Triggers *t) {
        int r = triggers_absorb_due(t);

        for (unsigned round = 0; r >= 0; round++) {
                unsigned before = t->current->n;

                r = t->options.mark(t->options.userdata);
                if (r <= 0 || !t->options.collect || round == CUTOFF_ROUNDS_MAX)
                        return r;
                r = t->options.collect(t->options.userdata);
                if (r >= 0 && t->current->n == before)
                        return 1;
        }
        return r;
}

static int triggers_make_dump(Triggers *t) {
        DumpOrder order;
        int r;

        t->stage = DUMP_STAGE_CUTTING;
        r = triggers_fix_cutoff(t);
        if (r == 0)
                t->stage = DUMP_STAGE_BEGUN;
        if (r < 0 && r != -ENOMEM) {
                triggers_dump_done(t, &(DumpResult) { .error = r });
                return 0;
        }
        if (r <= 0)
                return r;
        t->stage = DUMP_STAGE_MADE;
        order = pending_dump_order(t->current);
        return t->options.dump(t->options.userdata, &order);
}

/* Begins the dump that is due. If it is finished within the call, the next one begins at the loop's next turn. */
int triggers_run(Triggers *t) {
        PendingDump *p = t->stage == DUMP_STAGE_NONE ? triggers_next_pending(t) : NULL;
        usec_t now = now_usec(CLOCK_MONOTONIC);
        int r;

        if (p && p->due <= now) {
                LIST_REMOVE(t->pending, p);
                t->current = p;
                t->stage = DUMP_STAGE_BEGUN;
                triggers_remove_timer(t);
                triggers_announce(t, p);
                p = NULL;
        }
        r = t->stage == DUMP_STAGE_BEGUN ? triggers_make_dump(t) : 0;
        if (!p && t->stage == DUMP_STAGE_NONE)
                p = triggers_next_pending(t);
        if (r < 0 || !p)
                return r;
        now = now_usec(CLOCK_MONOTONIC);
        return triggers_wait_until_due(t, MAX_OF(p->due, now + 1), now);
}

void triggers_dump_done(Triggers *t, const DumpResult *result) {
        _cleanup_(pending_dump_freep) PendingDump *p = steal_ptr(t->current);
        DumpResult answer = *result;

        t->stage = DUMP_STAGE_NONE;
        if (!p)
                return;
        if (t->n_refused > 1)
                log_info("%u triggers had no dump because of the rate limit", t->n_refused);
        t->n_refused = 0;
        if (result->error == -ENODATA && p->n == 1 && streq(p->word, PR_TRIGGER_ROTATION))
                return; /* it is usual for a session that is idle */
        answer.trigger = p->word;
        answer.detail = p->detail;
        triggers_answer(t, &p->ids, &answer);
}
