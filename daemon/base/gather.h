/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "failure.h"

/* Waits for many answers: what a caller asked of one or more sessions, until all of them are through. done is called exactly
 * once, perhaps before the call that began it returns. Later sessions are worked on although one failed; the first failure is
 * reported. */

typedef struct Gather Gather;

/* sentence: for people, says what to do about it; NULL if nothing failed. */
typedef void (*GatherDone)(Failure failure, const char *sentence, void *userdata);

int gather_new(GatherDone done, void *userdata, Gather **ret);
Gather *gather_free(Gather *g); /* without calling done; those that joined must not leave any more */

/* Each join is ended by one leave. sentence may be NULL. */
void gather_join(Gather *g);
void gather_leave(Gather *g, Failure failure, const char *sentence);

/* Makes a gather for the part of whole that is about name, and joins whole with it; when the part is through, it leaves whole.
 * The sentence of whole has a line for each part that failed, "NAME: SENTENCE"; name NULL: without a name, as there is one part
 * only. NULL: no memory, which is a failure of whole. */
Gather *gather_part(Gather *whole, const char *name);

/* After this nothing joins it: when the last one leaves (or at once), done is called and g is gone. */
void gather_seal(Gather *g);

/* A copy of text for the rows of the answer, as what they name may be gone by then. It lives until done returns. NULL: no
 * memory. */
const char *gather_keep(Gather *g, const char *text);

/* A list of those that wait for the same thing. */
typedef struct GatherList {
        Gather **gathers;
        size_t n;
} GatherList;

void gather_list_join(GatherList *l, Gather *g); /* joins g; NULL: nothing waits for it */
void gather_list_leave(GatherList *l, Failure failure, const char *sentence); /* all of them */
