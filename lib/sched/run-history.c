/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Runs of a CPU follow each other without gaps: what is not known is a run of nobody. */

#include "run-history.h"

#include "array.h"

void run_history_done(RunHistory *h) {
        for (size_t i = 0; i < h->n; i++)
                free(h->cpus[i].runs);
        free(h->cpus);
        *h = (RunHistory) {};
}

static int cpu_history_add(CpuHistory *c, const CpuRun *run) {
        if (run->since >= run->until)
                return 0;
        if (c->n < RUN_HISTORY_MAX) {
                if (ARRAY_RESERVE(c->runs, c->allocated, c->n + 1) < 0)
                        return -ENOMEM;
                c->runs[c->n++] = *run;
        } else
                c->runs[c->next] = *run;
        c->next = (c->next + 1) % RUN_HISTORY_MAX;
        return 0;
}

int run_history_take(RunHistory *h, const SchedStep *s) {
        CpuHistory *c;
        CpuRun run = { .thread = s->out, .since = s->stay.came, .until = s->time };
        int r;

        if (s->cpu >= SCHED_CPUS_MAX)
                return 0;
        if (ARRAY_RESERVE(h->cpus, h->allocated, (size_t) s->cpu + 1) < 0)
                return -ENOMEM;
        for (; h->n <= s->cpu; h->n++)
                h->cpus[h->n] = (CpuHistory) {};
        c = h->cpus + s->cpu;
        if (run.since == 0 || run.since > c->until) {
                r = cpu_history_add(c, &(CpuRun) { .thread = SCHED_NOBODY, .since = c->until, .until = run.since ?: run.until });
                if (r < 0)
                        return r;
        }
        r = run.since > 0 ? cpu_history_add(c, &run) : 0;
        c->until = MAX_OF(c->until, s->time);
        return r;
}

static void run_shares_add(RunShares *shares, uint32_t thread, uint64_t nsec) {
        size_t i = 0;

        if (nsec == 0)
                return;
        if (shares->n == 0)
                shares->shares[shares->n++] = (RunShare) { .thread = SCHED_NOBODY };
        while (i < shares->n && shares->shares[i].thread != thread)
                i++;
        if (i == RUN_SHARES_MAX)
                i = 0;
        else if (i == shares->n)
                shares->shares[shares->n++] = (RunShare) { .thread = thread };
        shares->shares[i].nsec += nsec;
}

void run_history_share(const RunHistory *h, uint32_t cpu, uint32_t running, uint64_t since, uint64_t until, RunShares *shares) {
        const CpuHistory *c = cpu < h->n ? h->cpus + cpu : NULL;
        uint64_t left = until; /* what is before it is not shared yet */

        if (c && until > c->until) {
                run_shares_add(shares, running, until - MAX_OF(since, c->until));
                left = MAX_OF(since, c->until);
        }
        for (size_t i = 1; c && i <= c->n && left > since; i++) {
                const CpuRun *run = c->runs + (c->next + RUN_HISTORY_MAX - i) % RUN_HISTORY_MAX;
                uint64_t begin = MAX_OF(run->since, since), end = MIN_OF(run->until, left);

                if (begin >= end)
                        continue;
                run_shares_add(shares, run->thread, end - begin);
                left = begin;
        }
        if (left > since)
                run_shares_add(shares, SCHED_NOBODY, left - since);
}
