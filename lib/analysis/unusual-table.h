/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "sample-table.h"
#include "span-counts.h"

/* Finds what took unusually much or little time in a short span (what is compared), against a longer one (the baseline): units,
 * names of threads, functions, or all of them together. */

enum { UNUSUAL_BASELINE, UNUSUAL_COMPARED, _UNUSUAL_RANGES };

#define UNUSUAL_MAX 3u      /* findings */
#define UNUSUAL_LEVEL 0.001 /* of dumps without a change, this part is expected to have a finding at most */

/* The kinds of groups of samples, the one that names a change best first. */
typedef enum UnusualKind {
        UNUSUAL_UNIT,
        UNUSUAL_COMM,
        UNUSUAL_FUNCTION,
        UNUSUAL_ALL, /* everything that is not idle */
        _UNUSUAL_KIND_MAX,
} UnusualKind;

/* The measure of shares: what all samples of a range are. */
typedef enum UnusualMeasure {
        UNUSUAL_CPU_TIME, /* with the time of idle CPUs */
        UNUSUAL_LOAD,     /* the busy time only */
        UNUSUAL_EVENTS,   /* another event */
} UnusualMeasure;

/* A group that changed, and the parts of it that have most of the change; strings are the table's, "" for what is not named. */
typedef struct UnusualFinding {
        UnusualKind kind; /* of the group that changed */
        const char *unit, *comm, *dso, *symbol;
        char level;       /* of the function; 'k': in the kernel */
        bool elsewhere;   /* samples that an earlier finding has are left out */
        double part;      /* of the change that is in the most specific of the parts; 0: no part is named */
        uint64_t samples[_UNUSUAL_RANGES];
        double percent[_UNUSUAL_RANGES]; /* of all samples of that range */
        double times;     /* what it has in a second, as a multiple of what it usually has; INFINITY: that is nothing */
        double chance;    /* the probability of such numbers without a change */
} UnusualFinding;

typedef struct UnusualGroup UnusualGroup;
typedef struct UnusualPiece UnusualPiece;

/* Zero-initialise, and set seconds and measure. */
typedef struct UnusualTable {
        double seconds[_UNUSUAL_RANGES];
        UnusualMeasure measure;
        const char *event;                 /* its name */
        uint64_t lost, throttled;          /* in what is compared */
        uint64_t samples[_UNUSUAL_RANGES]; /* all of the event, those of idle CPUs included */
        double weight[_UNUSUAL_RANGES];
        uint32_t first_span, n_spans;      /* the baseline has those from first_span on */
        double span_seconds;
        BytePool keys;                     /* of groups: their numbers */
        UnusualGroup *groups;
        size_t n_groups, groups_allocated;
        UnusualPiece *pieces;              /* samples that have all keys in common, once for each span */
        size_t n_pieces, pieces_allocated;
        UnusualFinding findings[UNUSUAL_MAX];
        size_t n;
} UnusualTable;

void unusual_table_done(UnusualTable *t);

/* Chooses the event that is compared: the first one that counts CPU time, or otherwise the first one that has samples. -ENODATA:
 * none has. */
int unusual_choose_event(const SampleTable *table, uint32_t *ret);

/* Adds the samples of an event as they are in the spans. Those of the first span are compared if first_compared is true; all are
 * if range is UNUSUAL_COMPARED. The table, which rows distinguish by control group, and the names must outlive t. 0, -ENOMEM. */
int unusual_table_add(UnusualTable *t, SampleTable *table, const PlaceNames *names, const SpanCounts *spans, uint32_t event,
                      unsigned range, bool first_compared);

/* Sets the measure, by the event and the samples of idle CPUs. no_idle: these are left out. */
void unusual_table_set_measure(UnusualTable *t, const SampleEvent *event, bool no_idle);

/* Finds what changed most, with the greatest change first. Needs samples in the baseline. 0, -ENOMEM. */
int unusual_table_find(UnusualTable *t);

/* Returns whether nothing was found because there is hardly anything that it could have been found in. */
bool unusual_table_has_little(const UnusualTable *t);
