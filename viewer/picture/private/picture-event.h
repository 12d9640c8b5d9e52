/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counted-samples.h"

/* A picture shows the samples of one event. */

/* *ret: the event of that name, or, without one, that with the most samples; other events are reported then. -ENODATA: there is no
 * such event, which was printed with those that there are. */
int picture_event_find(const CountedSamples *c, const char *name, uint32_t *ret);

/* Returns the rows of one event; order is sample_table_order()'s. */
const uint32_t *picture_event_rows(const SampleTable *table, const uint32_t *order, uint32_t event, size_t *ret_n);
