/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* Puts records into the order of time, as far as a recording's rounds show it; of samples it keeps only where they
 * hit. */
typedef struct OrderedSample {
        uint64_t ip, cgroup;
        uint32_t pid, tid;
        uint16_t cpumode;
        bool has_ip, has_pid;
} OrderedSample;

/* Exactly one of sample and record is set; both are valid for the call only. 0, or a negative errno that ends it
 * all. */
typedef int (*OrderedTake)(void *userdata, uint64_t time, const OrderedSample *sample, const struct perf_event_header *record);

typedef struct ProfileOrder ProfileOrder;

int profile_order_new(OrderedTake take, void *userdata, ProfileOrder **ret);
ProfileOrder *profile_order_free(ProfileOrder *o);
DEFINE_CLEANUP(ProfileOrder *, profile_order_free);

/* All return 0, -ENOMEM, or the error of take. */
int profile_order_put_sample(ProfileOrder *o, uint64_t time, const OrderedSample *sample);
int profile_order_put_record(ProfileOrder *o, uint64_t time, const struct perf_event_header *record); /* copied */
int profile_order_finish_round(ProfileOrder *o); /* FINISHED_ROUND */
int profile_order_finish(ProfileOrder *o);       /* everything that is left */
