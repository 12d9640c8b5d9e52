/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "script-lines.h"

/* Records of the side band as lines of script. */
typedef enum ScriptRecords {
        SCRIPT_RECORDS_TASKS = 1 << 0, /* COMM, FORK, EXIT */
        SCRIPT_RECORDS_MAPS = 1 << 1,
        SCRIPT_RECORDS_SWITCHES = 1 << 2,
        SCRIPT_RECORDS_NAMESPACES = 1 << 3,
        SCRIPT_RECORDS_CGROUPS = 1 << 4,
        SCRIPT_RECORDS_LOST = 1 << 5,
        SCRIPT_RECORDS_BPF = 1 << 6,   /* KSYMBOL, BPF_EVENT */
        SCRIPT_RECORDS_TEXT_POKE = 1 << 7,
        SCRIPT_RECORDS_ROUNDS = 1 << 8, /* FINISHED_ROUND: the recording is in the order of time up to there */
} ScriptRecords;

/* Returns whether a record's kind is wanted, a set of ScriptRecords; samples are not. */
bool script_records_want(unsigned wanted, const Moment *r);

/* Puts the line of a record. 0, -ENOMEM, -ENOSPC, errors of writing. */
int script_records_put(ScriptLines *lines, Replay *replay, const Moment *r, TextBuffer *out);
