/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of event-list.h share. Not for anybody else. */

#include "event-list.h"

/* One pass over everything that there is. */
typedef struct EventListing {
        EventList *list;
        char *const *patterns;
        const EventListOptions *options;
} EventListing;

bool event_listing_wants(const EventListing *l, const EventRow *row);
bool event_listing_wants_group(const EventListing *l, EventGroup group); /* false: no name of it can be wanted */

/* Sets error and reason of a row that stands for what -e makes of words. */
void event_listing_check(const EventListing *l, const char *words, EventRow *row);

/* Takes the row over if it could be added. */
int event_list_add(EventList *l, EventRow *row);
void event_row_done(EventRow *r);

EventGroup event_group_of_system(const char *system); /* of a tracepoint's */
