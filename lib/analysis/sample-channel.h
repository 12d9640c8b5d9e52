/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample-queue.h"

/* Brings the samples and records of a recording, in their order, from the thread that reads it to a thread of its own, which puts
 * them into a queue: its user counts them there, beside the reading. The queue belongs to that thread until the channel ended. */
typedef struct SampleChannel SampleChannel;

/* Returns true where two threads take less time than one: there is a second CPU. */
bool sample_channel_pays_off(void);

/* Starts the thread. queue must outlive the channel. 0, -ENOMEM, errors of pthread_create(3). */
int sample_channel_new(SampleQueue *queue, SampleChannel **ret);

/* Ends the thread, after what is in its hands; what was put later is lost. */
SampleChannel *sample_channel_free(SampleChannel *c);
DEFINE_CLEANUP(SampleChannel *, sample_channel_free);

/* As those of the queue, whose error, or that of its user, comes from a later call. The record is copied. */
int sample_channel_put_sample(SampleChannel *c, const QueuedSample *s);
int sample_channel_put_record(SampleChannel *c, uint64_t time, const struct perf_event_header *record);
int sample_channel_finish_round(SampleChannel *c);

/* Waits until the queue has everything, and ends the thread. 0 or the error. */
int sample_channel_finish(SampleChannel *c);
