/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json.h"
#include "profile.h"
#include "recording-counts.h"
#include "symbols-missing.h"

/* All facts about a dump: its properties, the file's header, counts of its records, and, unless the file is broken, the
 * profile of its samples. */
typedef struct DumpInfo {
        const json_object *dump;
        PerfDataReader *reader;
        const RecordingCounts *counts;
        const Profile *profile; /* or NULL */
        bool filtered;          /* the profile covers only some of the samples */
        const SymbolsMissing *left_out; /* binaries that lack symbols beside the dump; empty if there is no directory */
        bool symbols_by_service;        /* this user may not read SymbolsPath */
} DumpInfo;

/* Prints it, with lines cut to columns; 0: not cut. */
void dump_info_print(const DumpInfo *d, unsigned columns);

/* Makes a new object of it, for JSON. 0 or -ENOMEM. */
int dump_info_to_json(const DumpInfo *d, json_object **ret);
