/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"

/* The events of a set whose counters are lent: they are closed, and opened again later, while the others go on. All events of a
 * group go together. What is lent, the caller has in EventSetOptions.lendings; a set that was opened without it lends nothing. */

/* Returns the kind of counters that an event needs; negative: none that can be lent. name: as perf shows it. */
CounterKind event_counter_kind(const struct perf_event_attr *attr, ProbeKind probe, const char *name);

bool event_set_lends(const EventSet *s, CounterKind kind); /* some of its events need such counters */

/* For event_set_open(): whether such an event, or one of its group, may be lent, or is now. */
bool event_set_may_lend(const EventSet *s, size_t member);
bool event_set_leaves_out(const EventSet *s, size_t member);

/* Closes the events whose counters are lent now. Returns whether any was open. */
bool event_set_close_lent(EventSet *s);

/* Opens the events that are closed, unless they need what is still lent when the lending of that kind is over. Returns 1, 0 if
 * there is none, or a negative errno with d filled: then they stay closed. Their ids are new: event_set_ids() has both. */
int event_set_open_lent(EventSet *s, CounterKind kind, Diagnosis *d);

bool event_set_is_lent(const EventSet *s); /* all events that were asked for are closed */
