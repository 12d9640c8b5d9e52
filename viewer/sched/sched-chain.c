/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The call chain of a switch begins in the scheduler, whose functions say nothing. */

#include "sched-chain.h"

#include "array.h"

#define SCHEDULER_FRAMES 2u /* of a call chain, that perf takes besides those that it shows */

int sched_chain_next(Replay *replay, const Moment *m, ChainCursor *c, NamedPlace *ret) {
        uint32_t place;
        int r;

        if (chain_cursor_next(c) != 1)
                return 0;
        r = (c->caller ? replay_find_caller : replay_find_place)(replay, m->sample->pid, c->cpumode, c->ip, &place);
        if (r >= 0)
                r = place_lookup_name(replay_names(replay), place, ret);
        return r < 0 ? r : 1;
}

int sched_chain_put(Replay *replay, const Moment *m, unsigned max, TextBuffer *out) {
        ChainCursor c = chain_cursor_of(m->sample->callchain, m->sample->n_callchain);
        static const char *const schedulers[] = { "schedule", "__schedule", "preempt_schedule" };
        NamedPlace named;
        const char *name;
        bool begun = false;
        int r = 1;

        for (unsigned i = 0; i < max + SCHEDULER_FRAMES && (r = sched_chain_next(replay, m, &c, &named)) == 1; i++) {
                name = named.symbol->name ?: "[unknown]";
                if (ANY_OF(ELEMENTSOF(schedulers), k, streq(name, schedulers[k])))
                        continue;
                text_buffer_puts(out, begun ? " <- " : "   ");
                text_buffer_puts(out, name);
                begun = true;
        }
        return r < 0 ? r : out->error;
}
