/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"
#include "top-samples.h"

/* One refresh as text, as perf top --stdio has it, or as an object of JSON in a line. */
typedef struct TopRefresh {
        TopSamples *samples;  /* named */
        const Target *target;
        size_t n_cpus;        /* of the target */
        double seconds;       /* since the last refresh */
        uint64_t rows;        /* of each event that are shown at most */
        unsigned lines, columns; /* of the screen that has room for all and cuts rows; 0: no limit */
        uint64_t time_nsec;   /* CLOCK_REALTIME */
} TopRefresh;

/* 0, -ENOMEM, and errors of writing. */
int top_print(const TopRefresh *r, TextBuffer *out);
