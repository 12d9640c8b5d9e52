/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "header.h"

/* Which event a record belongs to, by the id in it. */
typedef struct EventIndex EventIndex;

int event_index_new(const PerfDataEvent *events, size_t n_events, EventIndex **ret); /* the events must outlive it */
EventIndex *event_index_free(EventIndex *x);
DEFINE_CLEANUP(EventIndex *, event_index_free);
#define _cleanup_event_index_free_ _cleanup_(event_index_freep)

/* The first event if there is one only, or no id in the records; NULL: an id that no event has. */
const PerfDataEvent *event_index_find(const EventIndex *x, const struct perf_event_header *record);
const PerfDataEvent *event_index_find_id(const EventIndex *x, uint64_t id);

/* Where the id stands in a sample of any event, in words behind the header; -1: not at the same place, or nowhere. */
int event_index_sample_word(const EventIndex *x);
