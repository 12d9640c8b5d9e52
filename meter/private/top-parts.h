/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "live-rings.h"
#include "live-windows.h"
#include "parse-time.h"
#include "text-buffer.h"
#include "top-samples.h"

/* Top while it runs, for its files. */

typedef struct Top Top;

/* Samples come from the rings of events that are opened here, or from the windows of a session. */
typedef struct TopSource {
        usec_t round;                /* it is to be read so often, also between refreshes; USEC_INFINITY: only for them */
        void (*wait)(Top *t, const struct timespec *timeout);
        const char *(*ended)(const Top *t); /* what is sampled is gone: a sentence, or ""; NULL: it is not */
        /* Takes what is due; last: all, since nothing is read after it. -EINTR: a signal came before that. */
        int (*take)(Top *t, bool last);
} TopSource;

struct Top {
        const TopOptions *o;
        const TopSource *source;
        LiveWindows windows;
        EventSet *set;
        size_t n_events;   /* members that are asked for: of each control group, the same ones */
        LiveRings rings;
        TopSamples samples;
        TextBuffer out;
        sigset_t waiting;
        bool screen;       /* each refresh replaces the one before */
        bool browser;      /* they are browsed */
        usec_t shown;      /* the last refresh; CLOCK_MONOTONIC */
};

#define TOP_FIRST_USEC (150 * USEC_PER_MSEC) /* of the first refresh on a terminal, in two rounds */

#define TOP_BACK_NSEC (60 * NSEC_PER_SEC)    /* of a session, so much from before the begin is in a browser at least */

/* Shows it in a browser until the user leaves: 0, or what ended it is over. Negative errors are those of reading. */
int top_browse(Top *t);
