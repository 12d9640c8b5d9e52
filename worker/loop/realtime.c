/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* SCHED_FIFO is requested twice: once before anything is opened, to fail early, and for good when the recording
 * begins, since the work in between, reading all of /proc, should not delay other processes. */

#include "realtime.h"

#include <sched.h>

int realtime_check_priority(unsigned priority, Diagnosis *d) {
        int min = sched_get_priority_min(SCHED_FIFO), max = sched_get_priority_max(SCHED_FIFO);

        if ((int) priority < min || (int) priority > max)
                return diagnosis_set(d, -ERANGE, "`%u' is no real-time priority: they go from %d to %d", priority, min, max);
        return 0;
}

static int realtime_set_policy(int policy, unsigned priority) {
        const struct sched_param parameter = { .sched_priority = (int) priority };

        return sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &parameter) < 0 ? -errno : 0;
}

/* EPERM has two meanings (sched(7)): the right is missing, or a control group of version 1 has no share of real time. */
int realtime_begin(unsigned priority, Diagnosis *d) {
        int r = realtime_set_policy(SCHED_FIFO, priority);

        if (r == -EPERM)
                return diagnosis_set(d, r, "Could not set realtime priority: root, CAP_SYS_NICE or a limit that allows it is "
                                     "needed (ulimit -r, LimitRTPRIO=), and with control groups of version 1 a share in "
                                     "cpu.rt_runtime_us");
        return r < 0 ? diagnosis_set(d, r, "Could not set realtime priority: %s", strerror(-r)) : 0;
}

int realtime_try(unsigned priority, Diagnosis *d) {
        int r = realtime_begin(priority, d);

        return r < 0 ? r : realtime_set_policy(SCHED_OTHER, 0);
}
