/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An interval begins with its first dump, as systemd counts the starts of a unit, and a count whose interval is over is free for
 * another kind or unit. So a table of fixed size suffices, however many units fire: those that find no place count with their
 * kind, and kinds that find none share the last place.
 *
 * It does not decide which triggers a limit holds for, and keeps no dump from being made: trigger.c does. */

#include "trigger-counts.h"

#include "format-text.h"
#include "hash-index.h"

/* NULL: there are too many others. */
static TriggerCount *find_count(TriggerCount *all, size_t n, uint64_t key, usec_t interval, usec_t now) {
        TriggerCount *unused = NULL;

        for (size_t i = 0; i < n; i++) {
                bool is_over = all[i].n == 0 || now - all[i].begin >= interval;

                if (!is_over && all[i].key == key)
                        return &all[i];
                if (is_over && !unused)
                        unused = &all[i];
        }
        if (unused)
                *unused = (TriggerCount) { .key = key, .begin = now };
        return unused;
}

TriggerCount *trigger_counts_find(TriggerCounts *c, const Trigger *trigger, usec_t interval, usec_t now) {
        const char *word = trigger->request.trigger, *unit = trigger->request.unit;
        uint64_t kind = hash_bytes(0, word, strlen(word));
        TriggerCount *count = NULL;

        if (unit)
                count = find_count(c->units, TRIGGER_UNITS_MAX, hash_bytes(kind, unit, strlen(unit)), interval, now);
        if (count) {
                count->of_unit = true;
                return count;
        }
        return find_count(c->kinds, TRIGGER_KINDS_MAX, kind, interval, now) ?: &c->kinds[TRIGGER_KINDS_MAX - 1];
}

char *trigger_count_describe(const TriggerCount *count, const TriggerLimit *limit, const Trigger *trigger, usec_t now) {
        usec_t wait = count->begin + limit->interval - now;
        char interval[64], left[64];

        (void) format_timespan(interval, sizeof(interval), limit->interval);
        (void) format_timespan(left, sizeof(left), MAX_OF(wait / USEC_PER_SEC * USEC_PER_SEC, (usec_t) USEC_PER_SEC));
        return format_text("there %s %u dump%s for the trigger %s%s%s within %s (RateLimitBurst=, RateLimitIntervalSec=); the "
                           "next one is possible in %s", limit->burst == 1 ? "was" : "were", limit->burst,
                           limit->burst == 1 ? "" : "s", trigger->request.trigger, count->of_unit ? " of " : "",
                           count->of_unit ? trigger->request.unit : "", interval, left);
}
