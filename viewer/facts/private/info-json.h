/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json-writer.h"
#include "parse-time.h"
#include "profile.h"
#include "recording-counts.h"
#include "symbols-missing.h"
#include "unusual-text.h"

/* All that "info" knows of a recording. */
typedef struct RecordingInfo {
        const PerfDataReader *reader;
        const RecordingCounts *counts;
        const Profile *profile;        /* NULL: the recording is broken */
        const ProfileSeconds *seconds; /* NULL: its samples are not those of CPU time */
        size_t n_seconds;
        usec_t begin;                  /* of them, since the epoch; 0: not known */
        size_t trigger;                /* the second in which the dump was triggered; SIZE_MAX: not known */
        const UnusualTable *unusual;   /* before the trigger; NULL: not known, or nobody asks that of such a dump */
        const SymbolsMissing *missing; /* NULL: there is no directory of symbols */
} RecordingInfo;

/* Writes it as an object. Errors are the writer's. */
void info_json_put(JsonWriter *w, const RecordingInfo *info);
