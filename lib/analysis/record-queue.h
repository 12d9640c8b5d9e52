/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "record-layout.h"

/* Brings the records of a recording into the order of time, whole, as far as its rounds show it. */
typedef struct RecordQueue RecordQueue;

/* A round beyond that is handed on before its end: its older half by time, and what of it comes later is out of
 * order. */
#define RECORD_QUEUE_BYTES_MAX ((size_t) 1 << 30)

/* Called for each record in the order of time; records of the same time come in the order of the file. The record is
 * aligned to 8 bytes and valid during the call. 0, or a negative errno that ends it all. */
typedef int RecordQueueUser(void *userdata, const struct perf_event_header *record, uint64_t time);

int record_queue_new(RecordQueueUser *user, void *userdata, RecordQueue **ret);
RecordQueue *record_queue_free(RecordQueue *q);
DEFINE_CLEANUP(RecordQueue *, record_queue_free);

/* Time 0 means that it is not known: as in perf, such a record is handed on at once. Others are copied. All return
 * 0, -ENOMEM, or the user's error. */
int record_queue_put(RecordQueue *q, uint64_t time, const struct perf_event_header *record);
int record_queue_finish_round(RecordQueue *q); /* FINISHED_ROUND */
int record_queue_finish(RecordQueue *q);       /* everything that is left */
