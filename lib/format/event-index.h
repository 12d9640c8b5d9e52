/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "header.h"

/* Finds the event of a record by the id in it. */
typedef struct EventIndex EventIndex;

int event_index_new(const PerfDataEvent *events, size_t n_events, EventIndex **ret); /* the events must outlive it */
EventIndex *event_index_free(EventIndex *x);
DEFINE_CLEANUP(EventIndex *, event_index_free);
#define _cleanup_event_index_free_ _cleanup_(event_index_freep)

/* Returns the first event if there is only one, or if records have no id; NULL: no event has that id. */
const PerfDataEvent *event_index_find(const EventIndex *x, const struct perf_event_header *record);
const PerfDataEvent *event_index_find_id(const EventIndex *x, uint64_t id);

/* Returns the word of the id in samples of all events, behind the header; -1: it is not the same word, or there is none. */
int event_index_sample_word(const EventIndex *x);
