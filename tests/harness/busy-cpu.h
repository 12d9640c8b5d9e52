/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Keeps the CPU busy until this process, a child of the test, is killed; it exits with the test in any case. */
static inline _Noreturn void keep_cpu_busy(int cpu) {
        cpu_set_t one;

        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || sched_setaffinity(0, sizeof(one), &one) < 0)
                _exit(1);
        for (;;)
                __asm__ volatile("");
}
