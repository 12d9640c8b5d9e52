/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <signal.h>

#include "event-set.h"
#include "reader.h"
#include "record-order.h"
#include "top-samples.h"

/* The samples in the memory of a session's recorder, by one window after the other, for which perfctl is asked
 * (<perf-recorder/live-window.h>). No event is opened. Initialise with LIVE_WINDOWS_EMPTY. */
typedef struct LiveWindows {
        int fd;               /* of perfctl; borrowed */
        const sigset_t *waiting; /* of stop_signals_catch() */
        SetMember *members;   /* the session's events that have samples, as an open set has them */
        size_t n_members;
        PerfDataReader *reader; /* of a window that was not taken yet; NULL: none */
        uint64_t until;       /* the windows so far go up to this time, ns of the samples' clock */
        uint64_t duration;    /* of the last one, ns; of the first one, since its first sample */
        uint64_t missed;      /* so much of that time its recorder had no longer in memory, ns */
        bool taken;           /* the first one was */
        RecordOrder order;
        bool gone;            /* perfctl answers no more, and says why itself */
} LiveWindows;

#define LIVE_WINDOWS_EMPTY { .fd = -EBADF }

/* Asks for the first window, which has what the session recorded in the last so long (ns; UINT64_MAX: all). 0; -ECONNRESET: there
 * is none, and w->gone is set; -EINTR: a signal came; -EPROTO; -ENOMEM and what perf_data_reader_new_fd() answers. */
int live_windows_open(LiveWindows *w, int fd, uint64_t last, const sigset_t *waiting);
void live_windows_done(LiveWindows *w);

/* Asks for what came since the last window, unless one waits to be taken. whole: with all that is known of processes. Errors are
 * the same; -ESTALE: the session has other events now. */
int live_windows_ask(LiveWindows *w, bool whole);

/* Has the samples take the window, in the order of time. 0 and errors of top_samples_take(). */
int live_windows_take(LiveWindows *w, TopSamples *s);
