/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "failure.h"

/* Waits for many answers: a caller's request to one or more sessions, until all of them have finished. done is
 * called exactly once, perhaps before the call that began it returns. A failure does not stop the other sessions;
 * the first one is reported. */

typedef struct Gather Gather;

/* sentence: for people, with what to do about it; NULL if nothing failed. */
typedef void (*GatherDone)(Failure failure, const char *sentence, void *userdata);

int gather_new(GatherDone done, void *userdata, Gather **ret);
Gather *gather_free(Gather *g); /* without calling done; nobody may leave it any more */

/* Each join is ended by one leave. sentence may be NULL. */
void gather_join(Gather *g);
void gather_leave(Gather *g, Failure failure, const char *sentence);

/* Makes a gather for the part of whole that is about name; it joins whole, and leaves it when the part has
 * finished. The sentence of whole has a line for each part that failed, "NAME: SENTENCE"; without "NAME: " if name
 * is NULL, for a single part. Returns NULL without memory, which is a failure of whole. */
Gather *gather_part(Gather *whole, const char *name);

/* Nothing joins it after this: when the last one leaves (or at once), done is called and g is freed. */
void gather_seal(Gather *g);

/* A copy of text for the rows of the answer, since the session may be gone by then. It is valid until done returns.
 * NULL: no memory. */
const char *gather_keep(Gather *g, const char *text);

/* Gathers that wait for the same event. */
typedef struct GatherList {
        Gather **gathers;
        size_t n;
} GatherList;

void gather_list_join(GatherList *l, Gather *g); /* joins g; NULL: nothing waits for it */
void gather_list_leave(GatherList *l, Failure failure, const char *sentence); /* all of them */
