/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "header.h"
#include "history.h"

/* Moves records from a set's rings into a history, in the order of time, where samples get call chains instead of their copies of
 * the stack (unwound-sample.h). */
typedef struct HistoryStacks HistoryStacks;

/* events: the set's, as the file has them, so after unwound_sample_attr(); all must outlive it. registers: samples keep the user's
 * registers. 0, -ENOMEM, or an error of unwind_rules_new(). */
int history_stacks_new(const EventSet *set, const PerfDataEvent *events, size_t n_events, bool registers, HistoryStacks **ret);
int history_stacks_renew_ids(HistoryStacks *s); /* when the events have other ids */
HistoryStacks *history_stacks_free(HistoryStacks *s);
DEFINE_CLEANUP(HistoryStacks *, history_stacks_free);

/* Forgets all processes: history_stacks_follow() is to be called with all that is known of them. */
void history_stacks_begin(HistoryStacks *s);

/* Follows records of what processes do, before their ring is consumed; see SidebandFollower. */
int history_stacks_follow(void *userdata, uint32_t ring, const struct iovec *records, size_t n, uint64_t tail);

/* Appends all that is in the rings now. The caller commits it. When so much time of this thread's CPU has been used, call chains
 * get the address that was interrupted only, and are marked. */
int history_stacks_drain(HistoryStacks *s, History *h, EventSet *set, usec_t time);

/* So many binaries are known that it should begin again. */
bool history_stacks_is_full(const HistoryStacks *s);
