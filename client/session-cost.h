/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

/* What a session will cost on this machine, as far as its settings say it: an estimate with its assumptions. What is not known
 * is 0, USEC_INFINITY for times. */
typedef struct SessionCost {
        size_t n_cpus;
        uint64_t ring_size, sideband_size; /* bytes for each CPU; ring_size 0: Run= says it, which is the recorder's to read */
        uint64_t locked;            /* bytes in all */
        double samples_per_sec;     /* of each CPU that is always busy; 0: nobody knows how often the events come */
        uint64_t sample_size;       /* bytes that are assumed */
        double bytes_per_hour;      /* of samples on all CPUs, before compression */
        usec_t reach;               /* how far back memory goes, with all CPUs busy */
} SessionCost;

/* default_buffer_size: DefaultBufferSize=, 0: not set. */
void session_cost_estimate(const SessionSettings *s, uint64_t default_buffer_size, SessionCost *ret);

/* Two sentences for people, each with "file: " before it. */
void session_cost_print(const SessionSettings *s, const SessionCost *c, const char *file);
