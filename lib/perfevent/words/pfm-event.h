/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"

/* Events by the names that libpfm4 has for those of CPUs, as perf record's --pfm-events takes them. The library is
 * loaded when it is first needed, and is no dependency otherwise. */

#define PFM_LIBRARY "libpfm.so.4"

/* The sources of events; NULL: the running system's. */
typedef struct PfmSources {
        const char *library;         /* PFM_LIBRARY */
        const char *event_source;    /* see grammar.h */
} PfmSources;

/* Appends "EVENT,EVENT,{EVENT,EVENT}" to list, each as libpfm spells it: "INST_RETIRED:ANY_P:u". sources may be NULL.
 * On failure the list is unchanged and d has the sentence and the column. -EOPNOTSUPP: the library is missing;
 * -EINVAL; -ENOENT: it knows no such event for this machine's CPU; -E2BIG; -ENOMEM. */
int event_specs_parse_pfm(EventSpecs *list, const char *text, const PfmSources *sources, Diagnosis *d);

/* Calls take for each event of this machine's CPUs, as it would be recorded, until it returns a negative errno.
 * -EOPNOTSUPP: the library is missing. description: a sentence of libpfm's. */
typedef int (*PfmTake)(const EventSpec *spec, const char *description, void *userdata);
int pfm_visit_events(const PfmSources *sources, PfmTake take, void *userdata);
