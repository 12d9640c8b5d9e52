/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

/* The cost of a session on this machine, estimated from its settings. Unknown values are 0, unknown times USEC_INFINITY. */
typedef struct SessionCost {
        size_t n_cpus;
        size_t n_counters;          /* on each CPU, of a session that counts: of the rest it has bytes_per_hour and reach */
        uint64_t ring_size, sideband_size; /* bytes for each CPU; ring_size 0: only the recorder can tell, from Run= */
        uint64_t locked;            /* bytes in all */
        double samples_per_sec;     /* for each CPU that is always busy; 0: the rate is unknown */
        uint64_t sample_size;       /* bytes that are assumed */
        double bytes_per_hour;      /* for samples of all busy CPUs, before compression */
        usec_t reach;               /* time that memory covers, with all CPUs busy */
} SessionCost;

/* default_buffer_size: DefaultBufferSize=, 0: not set. */
void session_cost_estimate(const SessionSettings *s, uint64_t default_buffer_size, SessionCost *ret);

/* Prints two sentences for people, each after "file: ". */
void session_cost_print(const SessionSettings *s, const SessionCost *c, const char *file);
