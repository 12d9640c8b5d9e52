/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder that is woken when a ring is half full has as long as the other half lasts. Where all CPUs are busy, the
 * kernel lets others go on for their slice of one to three milliseconds first, in which a storm of system calls fills more
 * than that half. Since Linux 6.12 a thread may ask for slices of its own (SCHED_OTHER's sched_runtime, sched_setattr(2)):
 * short ones come first, and get no larger share of the CPU. It halves what is lost; real time (-r) does more and costs
 * the others more. */

#include "time-slice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE_NSEC UINT64_C(100000) /* the shortest that the kernel gives; a half of the default ring takes as long */

void time_slice_shorten(void) {
        struct sched_attr a = { .size = sizeof(a) };

        if (syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0) < 0 || a.sched_policy != SCHED_NORMAL)
                return;
        a.sched_runtime = SLICE_NSEC;
        (void) syscall(SYS_sched_setattr, 0, &a, 0);
}
