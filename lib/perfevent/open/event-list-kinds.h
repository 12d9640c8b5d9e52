/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Private to the files of event-list.h. */

#include "event-list.h"

/* One pass over all events. */
typedef struct EventListing {
        EventList *list;
        char *const *patterns;
        const EventListOptions *options;
} EventListing;

bool event_listing_wants(const EventListing *l, const EventRow *row);
bool event_listing_wants_group(const EventListing *l, EventGroup group); /* false: no name in it can match */

/* Sets error and reason of a row to the result of words as an argument of -e. */
void event_listing_check(const EventListing *l, const char *words, EventRow *row);

/* Moves the row into the list unless it fails. */
int event_list_add(EventList *l, EventRow *row);
void event_row_done(EventRow *r);

EventGroup event_group_of_system(const char *system); /* of a tracepoint's */
