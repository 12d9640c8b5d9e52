/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "record-order.h"

/* Records are read in a thread of its own, while the caller does something with those that came before. */
typedef struct ReadAhead ReadAhead;

/* Reads the next one. 1; or how the reading ended: 0 or a negative errno. A record that is NULL is handed on, too. */
typedef int (*ReadAheadSource)(void *userdata, OrderedRecord *ret);

/* Returns true where two threads take less time than one: there is a second CPU. */
bool read_ahead_pays_off(void);

/* Starts the thread, which alone calls next() from now on. 0, -ENOMEM, errors of pthread_create(3). */
int read_ahead_new(ReadAheadSource next, void *userdata, ReadAhead **ret);

/* Ends the thread; what was not taken is lost. */
ReadAhead *read_ahead_free(ReadAhead *a);
DEFINE_CLEANUP(ReadAhead *, read_ahead_free);

/* Takes the next record, which is valid until the next call. The result is that of next(), in the same order. */
int read_ahead_next(ReadAhead *a, OrderedRecord *ret);
