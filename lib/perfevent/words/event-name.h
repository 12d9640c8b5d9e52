/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "near-name.h"
#include "strv.h"

/* The names of perf-list(1) for the kernel's generic events. */

/* Finds a hardware or software event: "cycles", "cs". False: there is none. */
bool event_name_find(const char *word, uint32_t *ret_type, uint64_t *ret_config);

/* Finds a cache event: "L1-dcache-load-misses", "LLC-loads", "node". False: there is none. */
bool event_name_find_cache(const char *word, uint64_t *ret_config);

/* Returns the name of number i, in perf list's order; those of one event follow each other. NULL: there are no
 * more. */
const char *event_name_at(size_t i, uint32_t *ret_type, uint64_t *ret_config);

/* Lists the cache events that may exist, as perf list names them; a new array. -ENOMEM. */
int event_name_list_cache(char ***ret);

/* Says what a hardware, software or cache event counts; a new string. -ENOENT: it is none of these, -ENOMEM. */
int event_name_describe(uint32_t type, uint64_t config, char **ret);

/* Parses "r1a8", "r0x1a8". -EINVAL: not of this form, -ERANGE: more than 64 bits. */
int event_name_parse_raw(const char *word, uint64_t *ret_config);

/* Offers all of these names as suggestions. */
void event_name_offer(NearNames *near);

/* Adds the modifier u to a name. 0 or -ENOMEM. */
int event_name_add_user(char **name);

/* Returns a name with modifiers for an attr, as perf makes it for an event without a name: "cpu-clock:uH", "dummy:HG".
 * A new string, or NULL without memory. */
char *event_name_of(const struct perf_event_attr *attr);
