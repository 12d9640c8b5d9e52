/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The call chain of a switch begins in the scheduler, whose functions say nothing. */

#include "sched-chain.h"

#include "array.h"
#include "chain-cursor.h"

#define SCHEDULER_FRAMES 2u /* of a call chain, that perf takes besides those that it shows */

int sched_chain_put(Replay *replay, const Moment *m, unsigned max, TextBuffer *out) {
        ChainCursor c = chain_cursor_of(m->sample->callchain, m->sample->n_callchain);
        static const char *const schedulers[] = { "schedule", "__schedule", "preempt_schedule" };
        const char *name;
        bool begun = false;

        for (unsigned i = 0; i < max + SCHEDULER_FRAMES && chain_cursor_next(&c) == 1; i++) {
                NamedPlace named;
                uint32_t place;
                int r = (c.caller ? replay_find_caller : replay_find_place)(replay, m->sample->pid, c.cpumode, c.ip, &place);

                if (r >= 0)
                        r = place_lookup_name(replay_names(replay), place, &named);
                if (r < 0)
                        return r;
                name = named.symbol->name ?: "[unknown]";
                if (ANY_OF(ELEMENTSOF(schedulers), k, streq(name, schedulers[k])))
                        continue;
                text_buffer_puts(out, begun ? " <- " : "   ");
                text_buffer_puts(out, name);
                begun = true;
        }
        return out->error;
}
