/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json.h"
#include "profile.h"
#include "recording-counts.h"
#include "symbols-missing.h"

/* All that is known of a dump: what its properties say, what the file's head says, what was counted in it, and, if the
 * file is not broken, what its samples hit. */
typedef struct DumpInfo {
        const json_object *dump;
        PerfDataReader *reader;
        const RecordingCounts *counts;
        const Profile *profile; /* or NULL */
        bool filtered;          /* the profile is of some of the samples */
        const SymbolsMissing *left_out; /* of the symbols beside it; empty if there are none */
        bool symbols_by_service;        /* this user may not read their path */
} DumpInfo;

/* Prints it, cut to columns, 0: not at all. */
void dump_info_print(const DumpInfo *d, unsigned columns);

/* The same for JSON: a new object. 0 or -ENOMEM. */
int dump_info_to_json(const DumpInfo *d, json_object **ret);
