/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An interval begins with its first dump, as systemd counts starts. */

#include "trigger-limit.h"

#include "strv.h"

static unsigned find_kind(TriggerCounts *c, const char *word) {
        unsigned i = 0;

        while (i < c->n_kinds && !streq(c->kinds[i].word, word))
                i++;
        if (i < c->n_kinds)
                return i;
        if (i == TRIGGER_KINDS_MAX)
                return i - 1;
        (void) snprintf(c->kinds[i].word, sizeof(c->kinds[i].word), "%s", word);
        return c->n_kinds++;
}

bool trigger_counts_take(TriggerCounts *c, const TriggerLimit *limit, const char *word, usec_t now, usec_t *ret_wait) {
        unsigned i = find_kind(c, word);

        if (limit->interval == 0 || limit->burst == 0)
                return true;
        if (c->kinds[i].n == 0 || now - c->kinds[i].begin >= limit->interval) {
                c->kinds[i].begin = now;
                c->kinds[i].n = 0;
        }
        if (c->kinds[i].n >= limit->burst) {
                *ret_wait = c->kinds[i].begin + limit->interval - now;
                return false;
        }
        c->kinds[i].n++;
        return true;
}
