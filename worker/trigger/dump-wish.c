/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a dump is to have, from the trigger that causes it. Triggers share a dump if one file can be what both want: all that
 * is in memory has what no automatic dump has as well; what no dump has yet is meant to be that and no more. */

#include "dump-wish.h"

#include <perf-recorder/dump-facts.h>
#include "strv.h"

bool trigger_is_request(const char *word) {
        return streq(word, PR_TRIGGER_SIGNAL) || streq(word, PR_TRIGGER_CONTROL) || streq(word, PR_TRIGGER_REQUEST);
}

DumpWish dump_wish_of(const Trigger *trigger, bool overlap) {
        if (trigger->since > 0 || trigger->until > 0)
                return (DumpWish) { DUMP_CONTENT_ALL, .requested = true, .since = trigger->since, .until = trigger->until };
        if (trigger->fresh)
                return (DumpWish) { DUMP_CONTENT_NEW, .requested = true };
        if (trigger->all || trigger_is_request(trigger->word))
                return (DumpWish) { DUMP_CONTENT_ALL, .requested = true };
        return (DumpWish) { overlap ? DUMP_CONTENT_ALL : DUMP_CONTENT_AUTOMATIC, .automatic = true };
}

bool dump_wishes_agree(const DumpWish *a, const DumpWish *b) {
        return a->since == b->since && a->until == b->until &&
               (a->content == DUMP_CONTENT_NEW) == (b->content == DUMP_CONTENT_NEW);
}

void dump_wish_add(DumpWish *to, const DumpWish *w) {
        to->content = MAX_OF(to->content, w->content);
        to->automatic = to->automatic || w->automatic;
        to->requested = to->requested || w->requested;
}

bool dump_wish_covers(const DumpWish *begun, const DumpWish *w) {
        return dump_wishes_agree(begun, w) && begun->content >= w->content && begun->automatic >= w->automatic &&
               begun->requested >= w->requested;
}
