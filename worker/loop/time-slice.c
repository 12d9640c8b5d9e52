/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder is woken when a ring is half full, and has to run before the other half is full. If all CPUs are busy,
 * the kernel lets other threads finish their slices of one to three milliseconds first; a storm of system calls fills
 * more than half a ring in that time. Since Linux 6.12 a thread may ask for a slice length of its own (SCHED_OTHER's
 * sched_runtime, sched_setattr(2)): threads with short slices run earlier, without a larger share of the CPU. That
 * halves the losses; real time (-r) does more and costs the others more. */

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
