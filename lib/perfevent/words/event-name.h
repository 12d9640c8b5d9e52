/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "near-name.h"
#include "strv.h"

/* The names of perf-list(1) for the kernel's generic events. */

/* Hardware and software events: "cycles", "cs". False: not one of them. */
bool event_name_find(const char *word, uint32_t *ret_type, uint64_t *ret_config);

/* Cache events: "L1-dcache-load-misses", "LLC-loads", "node". False: not one of them. */
bool event_name_find_cache(const char *word, uint64_t *ret_config);

/* The names one by one, in perf list's order, those of one event the one after the other. NULL: there are no more. */
const char *event_name_at(size_t i, uint32_t *ret_type, uint64_t *ret_config);

/* The cache events as perf list names them, those that may exist; a new array. -ENOMEM. */
int event_name_list_cache(char ***ret);

/* "r1a8", "r0x1a8". -EINVAL: it is not one, -ERANGE: more than 64 bits. */
int event_name_parse_raw(const char *word, uint64_t *ret_config);

/* Offers all of these names as what may have been meant. */
void event_name_offer(NearNames *near);

/* A name with modifiers for what an attr says, as perf makes it where nobody gave one: "cpu-clock:uH", "dummy:HG". A new
 * string, or NULL without memory. */
char *event_name_of(const struct perf_event_attr *attr);
