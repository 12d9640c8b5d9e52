/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From triggers to dumps. There are at most two dumps at a time: one that is being made, and one that is to come, which
 * all triggers join that come after the moment up to which the first one goes. A dump is begun from the loop and never
 * while a trigger is handed in, so what one wake-up brought is one dump. What a trigger waits for longest, its delay, is
 * waited for by those that joined it too; a dump is put off that way to at most twice the longest delay after its first
 * trigger, so triggers without end can't put it off for good. Whoever waits is answered exactly once; answers that the
 * receiver has no room for are sent again, and hold up nothing. */

#include "trigger.h"

#include <perf-recorder/dump-facts.h>
#include "log.h"
#include "strv.h"
#include "trigger-ids.h"

#define SETTLING_MAX 16u /* then triggers come faster than they can be read */

#define UNSENT_MAX 10000u
#define UNSENT_PAUSE (50 * USEC_PER_MSEC)

typedef struct PendingDump {
        unsigned n;       /* triggers; 0: there is none to come, and the rest is empty */
        char *word, *detail;
        usec_t timestamp; /* CLOCK_REALTIME of the first trigger; all others are CLOCK_MONOTONIC */
        usec_t first;
        usec_t due;
        usec_t longest;   /* delay */
        usec_t from;      /* only samples from here on; 0: all that are new */
        bool overlap;
        TriggerIds ids;
} PendingDump;

struct Triggers {
        TriggersOptions options;
        Loop *loop;
        PendingDump next, current;
        bool dumping;
        bool joining;     /* what comes now is before the moment up to which the dump that is being made goes */
        unsigned n_settling; /* how often that moment was settled */
        int timer;        /* for a delay, -EBADF: none */
        usec_t timer_due;
        usec_t window;    /* when the rate limit began to count, and what it counted */
        unsigned n_in_window;
        unsigned n_refused;
        char **unsent;    /* answers */
        int unsent_timer;
};

static void pending_dump_done(PendingDump *p) {
        free(p->word);
        free(p->detail);
        trigger_ids_done(&p->ids);
        *p = (PendingDump) {};
}

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
        pending_dump_done(&t->next);
        pending_dump_done(&t->current);
        free(t);
        return NULL;
}

/* In order; those that have to wait stay. */
static int send_answers(Triggers *t);

static int on_unsent_time(void *userdata, int fd, uint32_t events) {
        Triggers *t = userdata;

        loop_remove_timer(t->loop, t->unsent_timer);
        t->unsent_timer = -EBADF;
        return send_answers(t);
}

static int send_answers(Triggers *t) {
        size_t sent = 0, n = strv_length(t->unsent);
        int fd;

        while (sent < n && notifier_try(t->options.notifier, t->unsent[sent]) != -EAGAIN)
                free(t->unsent[sent++]);
        if (sent > 0)
                memmove(t->unsent, t->unsent + sent, (n - sent + 1) * sizeof(char *));
        if (sent == n || t->unsent_timer >= 0)
                return 0;
        fd = loop_add_timer(t->loop, UNSENT_PAUSE, false, on_unsent_time, t);
        if (fd < 0)
                return fd;
        t->unsent_timer = fd;
        return 0;
}

static void answer(Triggers *t, const TriggerIds *ids, const DumpResult *result) {
        _cleanup_strv_free_ char **messages = NULL;

        if (strv_length(t->unsent) >= UNSENT_MAX)
                log_warning("Nobody reads the answers to triggers: one is dropped");
        else if (trigger_ids_answer(ids, result, &messages) < 0 || strv_extend_strv(&t->unsent, messages) < 0 ||
                 send_answers(t) < 0)
                log_warning("An answer to triggers can't be sent: %s", strerror(ENOMEM));
}

static bool is_limited(const Triggers *t, const Trigger *trigger) {
        if (streq(trigger->word, PR_TRIGGER_ROTATION) || streq(trigger->word, PR_TRIGGER_SHUTDOWN) ||
            streq(trigger->word, PR_TRIGGER_RECORDER))
                return false;
        return t->options.limit.set || trigger->by_itself;
}

/* A window of time that begins with its first dump, as systemd counts starts. */
static bool limit_allows(Triggers *t, usec_t now) {
        const TriggerLimit usual = TRIGGER_LIMIT_DEFAULT;
        const TriggerLimit *l = t->options.limit.set ? &t->options.limit : &usual;

        if (l->interval == 0 || l->burst == 0)
                return true;
        if (t->n_in_window == 0 || now - t->window >= l->interval) {
                t->window = now;
                t->n_in_window = 0;
        }
        if (t->n_in_window >= l->burst)
                return false;
        t->n_in_window++;
        return true;
}

void triggers_refuse(Triggers *t, const char *id, int error, const char *sentence) {
        TriggerIds ids = {};

        if (id && *id && trigger_ids_add(&ids, id) < 0)
                return;
        answer(t, &ids, &(DumpResult) { .error = error, .sentence = sentence });
        trigger_ids_done(&ids);
}

/* Who waits is told each time; of others the first one is told of, the number later. */
static void refuse_by_limit(Triggers *t, const Trigger *trigger) {
        if (t->n_refused++ == 0)
                log_warning("No dump for %s%s%s: there were enough of them lately", trigger->word,
                            trigger->detail && *trigger->detail ? ": " : "", trigger->detail ?: "");
        if (trigger->id || t->n_refused == 1)
                triggers_refuse(t, trigger->id, -EBUSY, "the rate limit of dumps is reached");
}

static int begin_pending(PendingDump *p, const Trigger *trigger, usec_t now) {
        PendingDump begun = {
                .timestamp = now_usec(CLOCK_REALTIME),
                .first = now,
                .due = now,
                .from = now,
                .word = strdup(trigger->word),
                .detail = strdup(trigger->detail ?: ""),
        };

        if (!begun.word || !begun.detail) {
                pending_dump_done(&begun);
                return -ENOMEM;
        }
        *p = begun;
        return 0;
}

static void join(PendingDump *p, const Trigger *trigger, usec_t delay, usec_t now) {
        usec_t from = trigger->since >= now ? 0 : now - trigger->since;

        p->n += MAX_OF(trigger->n, 1u);
        p->longest = MAX_OF(p->longest, delay);
        p->due = MAX_OF(p->due, now + delay);
        p->due = MIN_OF(p->due, p->first + 2 * p->longest);
        p->from = MIN_OF(p->from, from);
        p->overlap = p->overlap || trigger->overlap;
}

/* Whether the dump that is being made will have all that the trigger wants. */
static bool may_join_current(const Triggers *t, const Trigger *trigger, usec_t delay, usec_t now) {
        const PendingDump *p = &t->current;

        if (!t->joining || delay > 0 || (trigger->overlap && !p->overlap))
                return false;
        return p->from == 0 || (trigger->since < now && now - trigger->since >= p->from);
}

int triggers_fire(Triggers *t, const Trigger *trigger) {
        usec_t now = now_usec(CLOCK_MONOTONIC);
        usec_t wanted = trigger->delay == USEC_INFINITY ? t->options.delay : trigger->delay;
        usec_t delay = MIN_OF(wanted, TRIGGER_DELAY_MAX);
        PendingDump *p = may_join_current(t, trigger, delay, now) ? &t->current : &t->next;
        int r = 0;

        if (p->n == 0) {
                if (is_limited(t, trigger) && !limit_allows(t, now))
                        return refuse_by_limit(t, trigger), 0;
                r = begin_pending(p, trigger, now);
        }
        if (r >= 0 && trigger->id && *trigger->id)
                r = trigger_ids_add(&p->ids, trigger->id);
        if (r == -ENOBUFS) {
                triggers_refuse(t, trigger->id, r, "too many triggers wait for the next dump");
                return 0;
        }
        if (r >= 0)
                join(p, trigger, delay, now);
        return r;
}

void triggers_hurry(Triggers *t) {
        t->next.due = 0;
}

bool triggers_is_dumping(const Triggers *t) {
        return t->dumping;
}

bool triggers_is_waiting(const Triggers *t) {
        return t->next.n > 0;
}

static void remove_timer(Triggers *t) {
        loop_remove_timer(t->loop, t->timer);
        t->timer = -EBADF;
}

static int on_due(void *userdata, int fd, uint32_t events) {
        Triggers *t = userdata;

        remove_timer(t);
        return triggers_run(t);
}

static int wait_until_due(Triggers *t, usec_t now) {
        int fd;

        if (t->timer >= 0 && t->timer_due == t->next.due)
                return 0;
        remove_timer(t);
        fd = loop_add_timer(t->loop, t->next.due - now, false, on_due, t);
        if (fd < 0)
                return fd;
        t->timer = fd;
        t->timer_due = t->next.due;
        return 0;
}

static int begin_dump(Triggers *t, usec_t now) {
        const PendingDump *p = &t->current;

        t->current = t->next;
        t->next = (PendingDump) {};
        t->dumping = true;
        t->n_settling = 0;
        remove_timer(t);
        return t->options.dump(t->options.userdata,
                               &(DumpOrder) {
                                       .trigger = p->word,
                                       .detail = p->detail,
                                       .timestamp = p->timestamp,
                                       .n_triggers = p->n,
                                       .since = p->from == 0 ? USEC_INFINITY : now - p->from,
                                       .overlap = p->overlap,
                               });
}

int triggers_run(Triggers *t) {
        usec_t now;

        if (t->dumping || t->next.n == 0)
                return 0;
        now = now_usec(CLOCK_MONOTONIC);
        return t->next.due <= now ? begin_dump(t, now) : wait_until_due(t, now);
}

/* What has come since the dump was begun, for one that takes its samples later. */
static int take_next(Triggers *t) {
        PendingDump *p = &t->current, *next = &t->next;
        int r;

        if (next->n == 0 || next->due > now_usec(CLOCK_MONOTONIC) || (next->overlap && !p->overlap) || next->from < p->from)
                return 0;
        r = trigger_ids_add_all(&p->ids, &next->ids);
        if (r < 0)
                return r == -ENOBUFS ? 0 : r;
        p->n += next->n;
        pending_dump_done(next);
        return 0;
}

int triggers_settle(Triggers *t, unsigned *n_triggers) {
        unsigned before;
        int r = 0;

        if (!t->dumping)
                return 1;
        if (t->n_settling++ == 0)
                r = take_next(t);
        before = t->current.n;
        if (r >= 0 && t->options.collect && t->n_settling <= SETTLING_MAX) {
                t->joining = true;
                r = t->options.collect(t->options.userdata);
                t->joining = false;
        }
        if (n_triggers)
                *n_triggers = t->current.n;
        return r < 0 ? r : t->current.n == before;
}

void triggers_dump_done(Triggers *t, const DumpResult *result) {
        if (!t->dumping)
                return;
        t->dumping = false;
        if (t->n_refused > 1)
                log_info("%u triggers had no dump because of the rate limit", t->n_refused);
        t->n_refused = 0;
        answer(t, &t->current.ids, result);
        pending_dump_done(&t->current);
}
