/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* Mappings that a file lacks, since their processes have more than their share of the side band. They are reported in
 * the journal when that begins, and in the file. */
typedef struct LeftOut {
        uint64_t mappings;
        size_t processes; /* that have these mappings */
} LeftOut;

/* The number of reports. Zero-initialise. */
typedef struct LeftOutNotes {
        usec_t since; /* of this minute */
        unsigned n;
} LeftOutNotes;

#define LEFT_OUT_NOTES_MAX 5u /* a minute */

/* Reports a process in the journal; the caller does so once for each. After LEFT_OUT_NOTES_MAX in a minute the others are not
 * named. */
void left_out_tell(LeftOutNotes *n, uint32_t pid, const char *name, uint64_t mappings);
