/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What one dump is to be, from its first trigger to its order. Which dumps there are, and when they begin, is up to trigger.c. */

#include "pending-dump.h"

#include <perf-recorder/dump-facts.h>
#include "strv.h"

#define REASONS_MAX 400u /* bytes of a dump's detail */

PendingDump *pending_dump_free(PendingDump *p) {
        if (!p)
                return NULL;
        free(p->word);
        free(p->detail);
        trigger_ids_done(&p->ids);
        free(p);
        return NULL;
}

int pending_dump_new(const Trigger *trigger, const DumpWish *wish, bool apart, usec_t now, PendingDump **ret) {
        _cleanup_(pending_dump_freep) PendingDump *p = calloc(1, sizeof(PendingDump));

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
        *ret = steal_ptr(p);
        return 0;
}

/* A dump is part of one incident. */
static bool suits_incident(const PendingDump *p, const char *incident) {
        return !incident || *p->incident == '\0' || streq(p->incident, incident);
}

bool pending_dump_suits(const PendingDump *p, const Trigger *trigger, const DumpWish *wish, usec_t due, bool apart, usec_t now) {
        return dump_wishes_agree(&p->wish, wish) && suits_incident(p, trigger->incident) &&
               ((p->due <= now && due <= now) || (!p->apart && !apart));
}

/* A dump names all that caused it, each reason once, see PR_DUMP_XATTR_DETAIL. What has no room is counted only. */
static void pending_dump_add_reason(PendingDump *p, const Trigger *trigger) {
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

void pending_dump_join(PendingDump *p, const Trigger *trigger, const DumpWish *wish, usec_t delay, usec_t now) {
        if (p->n > 0)
                pending_dump_add_reason(p, trigger);
        p->n += MAX_OF(trigger->n, 1u);
        p->own = p->own || (!streq(trigger->word, PR_TRIGGER_ALSO) && !streq(trigger->word, PR_TRIGGER_ROTATION) &&
                            !streq(trigger->word, PR_TRIGGER_RECORDER));
        if (trigger->incident && *p->incident == '\0')
                (void) snprintf(p->incident, sizeof(p->incident), "%s", trigger->incident);
        p->due = MIN_OF(MAX_OF(p->due, now + delay), p->first + 2 * delay);
        dump_wish_add(&p->wish, wish);
}

DumpOrder pending_dump_order(const PendingDump *p) {
        return (DumpOrder) {
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
        };
}
