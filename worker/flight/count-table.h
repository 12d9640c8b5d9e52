/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"

/* The counts of the last reading, behind the page of counters, where the daemon reads them when it is asked;
 * <perf-recorder/counters.h> has the layout. A row is an event of the session's settings on a CPU, for each unit if the set has
 * groups: the threads of a target are added up, and so are other control groups of events of one name. NULL is a table that nobody
 * reads. */
typedef struct CountTable CountTable;

/* fd: of the page of counters, which is made longer. The table has no rows until the first reading is published. Only the layout
 * of the set is looked at, and only now. */
int count_table_new(int fd, const EventSet *set, CountTable **ret);
CountTable *count_table_free(CountTable *t); /* readers keep what was published */
DEFINE_CLEANUP(CountTable *, count_table_free);

/* A reading: begin it, add the words of each event of the set (value, time enabled, time running), and publish it as a whole. */
void count_table_begin(CountTable *t);
void count_table_add(CountTable *t, size_t event, const uint64_t words[static 3]);
void count_table_publish(CountTable *t);
