/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json.h"

/* All facts about a dump: its properties, and what the viewer found in it. */
typedef struct DumpInfo {
        const json_object *dump;
        const json_object *found; /* what perf-recorder-view info writes */
        bool selected;            /* its processes and functions are those of some samples only */
        bool no_idle;             /* its shares leave out the time of idle CPUs */
        bool removed;             /* its files are gone */
        bool symbols_by_service;  /* this user may not read SymbolsPath */
} DumpInfo;

/* Prints it, with lines cut to columns; 0: not cut. */
void dump_info_print(const DumpInfo *d, unsigned columns);

/* Makes a new object of it, for JSON. 0 or -ENOMEM. */
int dump_info_to_json(const DumpInfo *d, json_object **ret);
