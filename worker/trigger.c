/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From triggers to dumps. One dump is made at a time; those that are to come wait in a list, in the order of their first
 * triggers. A dump is begun from the loop and never while a trigger is handed in, so what one wake-up brought is one dump.
 *
 * Joining: dumps that are due are made as soon as possible, so triggers that are due join one another. Those that wait for
 * the delay of the options join one another too, and the dump is made after the last of them, at most twice the delay
 * after the first, so that triggers without end can't put it off for good. A trigger with another delay has a dump of its
 * own: it neither waits for others nor has others wait for it.
 *
 * Whoever waits is answered exactly once; answers that the receiver has no room for are sent again, and hold up nothing. */

#include "trigger.h"

#include <inttypes.h>
#include <perf-recorder/control-words.h>
#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include <sys/random.h>
#include "log.h"
#include "strv.h"
#include "dump-wish.h"
#include "trigger-ids.h"

#define SETTLING_MAX 16u /* then triggers come faster than they can be read */

#define UNSENT_MAX 10000u
#define UNSENT_PAUSE (50 * USEC_PER_MSEC)

#define REASONS_MAX 400u /* bytes of a dump's detail */
#define APART_MAX 64u /* dumps to come that are not shared: of other delays, or of windows of time */

typedef struct PendingDump PendingDump;
struct PendingDump {
        PendingDump *next;
        unsigned n;       /* triggers */
        char *word, *detail;
        usec_t timestamp; /* CLOCK_REALTIME of the first trigger; all others are CLOCK_MONOTONIC */
        usec_t first;
        usec_t due;
        bool own;         /* one of its triggers is ours, not that of another session */
        char incident[PR_INCIDENT_SIZE];
        bool apart;       /* its delay is not that of the options */
        DumpWish wish;
        TriggerIds ids;
};

struct Triggers {
        TriggersOptions options;
        Loop *loop;
        PendingDump *coming;  /* in the order of their first triggers */
        PendingDump *current; /* that is being made; NULL: none */
        bool joining;     /* what comes now is before the moment up to which the dump that is being made goes */
        unsigned n_settling; /* how often that moment was settled */
        int timer;        /* for a delay, -EBADF: none */
        usec_t timer_due;
        TriggerCounts counts;
        unsigned n_refused;
        char **unsent;    /* answers */
        int unsent_timer;
};

static PendingDump *pending_dump_free(PendingDump *p) {
        if (!p)
                return NULL;
        free(p->word);
        free(p->detail);
        trigger_ids_done(&p->ids);
        free(p);
        return NULL;
}
DEFINE_CLEANUP(PendingDump *, pending_dump_free);

/* Takes it out of the list. */
static void unlink_pending(Triggers *t, PendingDump *p) {
        PendingDump **at = &t->coming;

        while (*at && *at != p)
                at = &(*at)->next;
        if (*at)
                *at = p->next;
        p->next = NULL;
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
        while (t->coming) {
                PendingDump *p = t->coming;

                t->coming = p->next;
                pending_dump_free(p);
        }
        pending_dump_free(t->current);
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
        static const char *const unlimited[] = { PR_TRIGGER_ROTATION, PR_TRIGGER_SHUTDOWN, PR_TRIGGER_RECORDER,
                                                 PR_TRIGGER_UNIT_RESTART };

        for (size_t i = 0; i < ELEMENTSOF(unlimited); i++)
                if (streq(trigger->word, unlimited[i]))
                        return false;
        if (trigger->force || t->options.limit.set)
                return !trigger->force;
        return !trigger->as_perf && (!trigger_is_request(trigger->word) || streq(trigger->word, PR_TRIGGER_SIGNAL));
}

void triggers_refuse(Triggers *t, const char *id, int error, const char *sentence) {
        TriggerIds ids = {};

        if (id && *id && trigger_ids_add(&ids, id) < 0)
                return;
        answer(t, &ids, &(DumpResult) { .error = error, .sentence = sentence });
        trigger_ids_done(&ids);
}

static char *describe_refusal(const TriggerLimit *l, const char *word, usec_t wait) {
        char interval[64], left[64];
        char *sentence;

        (void) format_timespan(interval, sizeof(interval), l->interval);
        (void) format_timespan(left, sizeof(left), MAX_OF(wait / USEC_PER_SEC * USEC_PER_SEC, (usec_t) USEC_PER_SEC));
        if (asprintf(&sentence,
                     "there were %u dumps for the trigger %s within %s (RateLimitBurst=, RateLimitIntervalSec=); the next one is "
                     "possible in %s",
                     l->burst, word, interval, left) < 0)
                return NULL;
        return sentence;
}

/* Whoever waits is told each time; of the others the first one is told, and the number later. */
static void refuse_by_limit(Triggers *t, const Trigger *trigger, const TriggerLimit *limit, usec_t wait) {
        _cleanup_free_ char *sentence = describe_refusal(limit, trigger->word, wait);
        bool first = t->n_refused++ == 0;

        if (first)
                log_warning("No dump for %s%s%s: there were enough of them lately", trigger->word,
                            trigger->detail && *trigger->detail ? ": " : "", trigger->detail ?: "");
        if (trigger->id || first)
                triggers_refuse(t, trigger->id, -EBUSY, sentence ?: "the rate limit of dumps is reached");
}

/* 1: it may have a dump. 0: it was refused. */
static int check_limit(Triggers *t, const Trigger *trigger, usec_t now) {
        const TriggerLimit usual = TRIGGER_LIMIT_DEFAULT;
        const TriggerLimit *limit = t->options.limit.set ? &t->options.limit : &usual;
        usec_t wait;

        if (!is_limited(t, trigger) || trigger_counts_take(&t->counts, limit, trigger->word, now, &wait))
                return 1;
        refuse_by_limit(t, trigger, limit, wait);
        return 0;
}

/* A dump is part of one incident. */
static bool may_be_of(const PendingDump *p, const char *incident) {
        return !incident || *p->incident == '\0' || streq(p->incident, incident);
}

/* The dump to come that a trigger joins; NULL: it begins one. */
static PendingDump *find_pending(const Triggers *t, const Trigger *trigger, const DumpWish *wish, usec_t due, bool apart,
                                 usec_t now) {
        for (PendingDump *p = t->coming; p; p = p->next)
                if (dump_wishes_agree(&p->wish, wish) && may_be_of(p, trigger->incident) &&
                    ((p->due <= now && due <= now) || (!p->apart && !apart)))
                        return p;
        return NULL;
}

/* Those of the options' delay are few: one for each kind of wish. */
static bool has_room(const Triggers *t, const DumpWish *wish, bool waits_apart) {
        unsigned n = 0;

        if (!waits_apart && wish->since == 0 && wish->until == 0)
                return true;
        for (const PendingDump *p = t->coming; p; p = p->next)
                n += p->apart || p->wish.since > 0 || p->wish.until > 0;
        return n < APART_MAX;
}

static int begin_pending(Triggers *t, const Trigger *trigger, const DumpWish *wish, bool apart, usec_t now, PendingDump **ret) {
        _cleanup_(pending_dump_freep) PendingDump *p = calloc(1, sizeof(PendingDump));
        PendingDump **at = &t->coming;

        if (!p)
                return -ENOMEM;
        *p = (PendingDump) {
                .timestamp = now_usec(CLOCK_REALTIME),
                .first = now,
                .due = now,
                .apart = apart,
                .wish = *wish,
                .word = strdup(trigger->word),
                .detail = strdup(trigger->detail ?: ""),
        };
        if (!p->word || !p->detail)
                return -ENOMEM;
        while (*at)
                at = &(*at)->next;
        *ret = *at = steal_ptr(p);
        return 0;
}

/* A dump names all that caused it, each reason once, see PR_DUMP_XATTR_DETAIL. What has no room is counted only. */
static void add_reason(PendingDump *p, const Trigger *trigger) {
        _cleanup_free_ char *reason = NULL;
        const char *detail = trigger->detail ?: "";
        char *all;

        if (streq(p->word, trigger->word) && (streq(p->detail, detail) || *detail == '\0'))
                return;
        if (asprintf(&reason, "%s%s%s", trigger->word, *detail ? ": " : "", detail) < 0)
                reason = NULL;
        if (!reason || strstr(p->detail, reason) || strlen(p->detail) + strlen(reason) + 2 > REASONS_MAX ||
            asprintf(&all, "%s%s%s", p->detail, *p->detail ? "; " : "", reason) < 0)
                return;
        free(p->detail);
        p->detail = all;
}

static void join(PendingDump *p, const Trigger *trigger, const DumpWish *wish, usec_t delay, usec_t now) {
        if (p->n > 0)
                add_reason(p, trigger);
        p->n += MAX_OF(trigger->n, 1u);
        p->own = p->own || (!streq(trigger->word, PR_TRIGGER_ALSO) && !streq(trigger->word, PR_TRIGGER_ROTATION) &&
                            !streq(trigger->word, PR_TRIGGER_RECORDER));
        if (trigger->incident && *p->incident == '\0')
                (void) snprintf(p->incident, sizeof(p->incident), "%s", trigger->incident);
        p->due = MIN_OF(MAX_OF(p->due, now + delay), p->first + 2 * delay);
        dump_wish_add(&p->wish, wish);
}

int triggers_fire(Triggers *t, const Trigger *trigger) {
        usec_t now = now_usec(CLOCK_MONOTONIC);
        usec_t wanted = trigger->delay == USEC_INFINITY ? t->options.delay : trigger->delay;
        usec_t delay = MIN_OF(wanted, TRIGGER_DELAY_MAX);
        bool apart = delay != t->options.delay;
        DumpWish wish = dump_wish_of(trigger, t->options.overlap);
        PendingDump *p = NULL;
        int r = 0;

        if (t->joining && delay == 0 && !trigger->incident && dump_wish_covers(&t->current->wish, &wish))
                p = t->current;
        else
                p = find_pending(t, trigger, &wish, now + delay, apart, now);
        if (!p) {
                if (check_limit(t, trigger, now) == 0)
                        return 0;
                if (!has_room(t, &wish, apart && delay > 0)) {
                        triggers_refuse(t, trigger->id, -ENOBUFS, "too many dumps wait for their delays");
                        return 0;
                }
                r = begin_pending(t, trigger, &wish, apart, now, &p);
        }
        if (r >= 0 && trigger->id && *trigger->id)
                r = trigger_ids_add(&p->ids, trigger->id);
        if (r >= 0)
                join(p, trigger, &wish, delay, now);
        else if (p && p->n == 0) {
                unlink_pending(t, p);
                pending_dump_free(p);
        }
        if (r == -ENOBUFS) {
                triggers_refuse(t, trigger->id, r, "too many triggers wait for the next dump");
                return 0;
        }
        return r;
}

void triggers_withdraw(Triggers *t, const char *id) {
        for (PendingDump *p = t->coming; p; p = p->next) {
                if (!trigger_ids_remove(&p->ids, id))
                        continue;
                if (--p->n == 0) {
                        unlink_pending(t, p);
                        pending_dump_free(p);
                }
                return;
        }
}

void triggers_hurry(Triggers *t) {
        for (PendingDump *p = t->coming; p; p = p->next)
                p->due = 0;
}

bool triggers_is_dumping(const Triggers *t) {
        return t->current;
}

bool triggers_is_waiting(const Triggers *t) {
        return t->coming;
}

bool triggers_holds_file(const Triggers *t) {
        for (const PendingDump *p = t->coming; p; p = p->next)
                if (!p->apart)
                        return true;
        return false;
}

/* The one that is due first; NULL: there is none to come. */
static PendingDump *next_pending(const Triggers *t) {
        PendingDump *next = t->coming;

        for (PendingDump *p = t->coming; p; p = p->next)
                if (p->due < next->due)
                        next = p;
        return next;
}

usec_t triggers_next(const Triggers *t) {
        const PendingDump *p = next_pending(t);

        return p ? p->due : USEC_INFINITY;
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

static int wait_until_due(Triggers *t, usec_t due, usec_t now) {
        int fd;

        if (t->timer >= 0 && t->timer_due == due)
                return 0;
        remove_timer(t);
        fd = loop_add_timer(t->loop, due - now, false, on_due, t);
        if (fd < 0)
                return fd;
        t->timer = fd;
        t->timer_due = due;
        return 0;
}

/* Other sessions dump with this one, and their samples go on being overwritten: so it is said before the dump is made. What
 * only answers another session's dump is not said again, or two sessions would have each other dump for ever. */
static void announce(Triggers *t, PendingDump *p) {
        uint8_t id[(PR_INCIDENT_SIZE - 1) / 2];
        const DumpWish *w = &p->wish;

        if (!t->options.announce || !p->own)
                return;
        if (*p->incident == '\0' && getrandom(id, sizeof(id), 0) == (ssize_t) sizeof(id))
                for (size_t i = 0; i < sizeof(id); i++)
                        (void) snprintf(p->incident + 2 * i, 3, "%02x", id[i]);
        notifier_send(t->options.notifier,
                      PR_NOTIFY_INCIDENT PR_SNAPSHOT_INCIDENT "%s " PR_SNAPSHOT_SINCE "%" PRIu64 " " PR_SNAPSHOT_UNTIL "%" PRIu64
                      " " PR_SNAPSHOT_NEW "%d " PR_SNAPSHOT_ALL "%d " PR_SNAPSHOT_DETAIL "%s%s%s",
                      p->incident, w->since, w->until, w->content == DUMP_CONTENT_NEW,
                      !w->automatic && w->content == DUMP_CONTENT_ALL, p->word, *p->detail ? ": " : "", p->detail);
}

static int begin_dump(Triggers *t, PendingDump *p) {
        unlink_pending(t, p);
        t->current = p;
        t->n_settling = 0;
        remove_timer(t);
        announce(t, p);
        return t->options.dump(t->options.userdata,
                               &(DumpOrder) {
                                       .trigger = p->word,
                                       .detail = p->detail,
                                       .timestamp = p->timestamp,
                                       .incident = p->incident,
                                       .n_triggers = p->n,
                                       .content = p->wish.content,
                                       .automatic = p->wish.automatic,
                                       .requested = p->wish.requested,
                                       .since = p->wish.since,
                                       .until = p->wish.until,
                               });
}

int triggers_run(Triggers *t) {
        PendingDump *p = t->current ? NULL : next_pending(t);
        usec_t now;

        if (!p)
                return 0;
        now = now_usec(CLOCK_MONOTONIC);
        return p->due <= now ? begin_dump(t, p) : wait_until_due(t, p->due, now);
}

/* What has come since the dump was begun, for one that takes its samples later, and those that are hurried. */
static int take_next(Triggers *t) {
        usec_t now = now_usec(CLOCK_MONOTONIC);
        PendingDump *next;

        for (PendingDump *p = t->coming; p; p = next) {
                int r;

                next = p->next;
                if (p->due > now || *p->incident || !dump_wish_covers(&t->current->wish, &p->wish))
                        continue;
                r = trigger_ids_add_all(&t->current->ids, &p->ids);
                if (r < 0)
                        return r == -ENOBUFS ? 0 : r;
                t->current->n += p->n;
                unlink_pending(t, p);
                pending_dump_free(p);
        }
        return 0;
}

int triggers_settle(Triggers *t, unsigned *n_triggers) {
        unsigned before;
        int r = 0;

        if (!t->current)
                return 1;
        if (t->n_settling++ == 0)
                r = take_next(t);
        before = t->current->n;
        if (r >= 0 && t->options.collect && t->n_settling <= SETTLING_MAX) {
                t->joining = true;
                r = t->options.collect(t->options.userdata);
                t->joining = false;
        }
        if (n_triggers)
                *n_triggers = t->current->n;
        return r < 0 ? r : t->current->n == before;
}

void triggers_dump_done(Triggers *t, const DumpResult *result) {
        _cleanup_(pending_dump_freep) PendingDump *p = steal_ptr(t->current);

        if (!p)
                return;
        if (t->n_refused > 1)
                log_info("%u triggers had no dump because of the rate limit", t->n_refused);
        t->n_refused = 0;
        answer(t, &p->ids, result);
}
