/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "notifier.h"
#include "parse-time.h"

/* Whether there is space for what is recorded. A full disk is a state, not an end: it is said once, what comes meanwhile is
 * dropped and counted, and tried again now and then. */
typedef struct OutputSpace {
        bool full;
        usec_t try_again; /* full: not before that, CLOCK_MONOTONIC */
        uint64_t dropped; /* samples, since it is full */
        Notifier *notifier;
} OutputSpace;

/* What may pass by itself, and is no reason to end a recording that has older files to keep company. */
bool output_space_is_lacking(int r);

void output_space_lacks(OutputSpace *s, int r);
void output_space_is_back(OutputSpace *s);

/* While it is full: whether it is worth a try to write so much on the file system of fd. */
bool output_space_may_be_back(OutputSpace *s, int fd, const struct iovec *segments, size_t n_segments);
