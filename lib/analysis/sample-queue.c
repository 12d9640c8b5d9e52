/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recording has each CPU's records in order, one CPU after the other. When a round ends, nothing can follow that is
 * older than the newest record of the previous round, so everything up to that time is due. Samples are sorted only if
 * a record of the side band is due with them, which is rare after the beginning.
 *
 * A dump is one round, which has its side band before the samples. It is held as a whole, up to QUEUE_MAX samples: then these
 * are due, and all records are kept, to be handed on once more with the next part of the samples, which has other CPUs' of the
 * same time. In a file whose rounds are that long, the older half is due. */

#include "sample-queue.h"

#include "array.h"

#define QUEUE_MAX ((size_t) 1 << 20)
#define RECORDS_BYTES_MAX ((size_t) 256 << 20)

typedef struct QueuedRecord {
        uint64_t time, number;
        struct perf_event_header *record;
} QueuedRecord;

struct SampleQueue {
        SampleQueueUser user;
        QueuedSample *samples, *later; /* later: room for those that stay */
        QueuedRecord *records;
        size_t n_samples, samples_allocated, later_allocated, n_records, records_allocated, records_bytes;
        uint64_t number, newest, newest_before; /* newest: so far; newest_before: without this round */
        bool rounds; /* a round ended */
        bool replay; /* records are kept, and handed on for each part of the samples */
};

int sample_queue_new(const SampleQueueUser *user, SampleQueue **ret) {
        SampleQueue *q = calloc(1, sizeof(*q));

        if (!q)
                return -ENOMEM;
        q->user = *user;
        *ret = q;
        return 0;
}

SampleQueue *sample_queue_free(SampleQueue *q) {
        if (!q)
                return NULL;
        for (size_t i = 0; i < q->n_records; i++)
                free(q->records[i].record);
        free(q->records);
        free(q->samples);
        free(q->later);
        free(q);
        return NULL;
}

static int queue_compare_places(uint64_t time, uint64_t number, uint64_t other_time, uint64_t other_number) {
        if (time != other_time)
                return time < other_time ? -1 : 1;
        return number < other_number ? -1 : number > other_number;
}

static int queue_compare_samples(const void *a, const void *b) {
        const QueuedSample *x = a, *y = b;

        return queue_compare_places(x->time, x->number, y->time, y->number);
}

static int compare_records(const void *a, const void *b) {
        const QueuedRecord *x = a, *y = b;

        return queue_compare_places(x->time, x->number, y->time, y->number);
}

/* Moves the samples up to that time to the front; all stay in the order of the file. *ret_n: how many these are. */
static int queue_part(SampleQueue *q, uint64_t until, size_t *ret_n) {
        size_t n = 0, n_later = 0;

        if (ARRAY_RESERVE(q->later, q->later_allocated, q->n_samples) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < q->n_samples; i++)
                if (q->samples[i].time > until)
                        q->later[n_later++] = q->samples[i];
                else if (n++ < i)
                        q->samples[n - 1] = q->samples[i];
        if (n_later > 0)
                memcpy(q->samples + n, q->later, n_later * sizeof(*q->later));
        *ret_n = n;
        return 0;
}

static int queue_hand_on_samples(SampleQueue *q, size_t *from, size_t to) {
        int r = 0;

        while (r >= 0 && *from < to)
                r = q->user.sample(q->user.userdata, q->samples + (*from)++);
        return r;
}

/* Hands on the first n_records records and the first n samples, which are sorted if there is a record. */
static int queue_merge(SampleQueue *q, size_t n_records, size_t n) {
        size_t given = 0;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n_records; i++) {
                const QueuedRecord *record = q->records + i;
                size_t before = given + LOWER_BOUND(n - given, k, queue_compare_places(q->samples[given + k].time,
                                                                                       q->samples[given + k].number, record->time,
                                                                                       record->number) < 0);

                r = queue_hand_on_samples(q, &given, before);
                if (r >= 0)
                        r = q->user.record(q->user.userdata, record->record);
        }
        return r < 0 ? r : queue_hand_on_samples(q, &given, n);
}

static void queue_drop_records(SampleQueue *q, size_t n) {
        for (size_t i = 0; i < n; i++) {
                q->records_bytes -= q->records[i].record->size;
                free(q->records[i].record);
        }
        q->n_records -= n;
        if (q->n_records > 0)
                memmove(q->records, q->records + n, q->n_records * sizeof(*q->records));
}

/* Hands on what is not newer than that. Without rounds so far, records without a time were kept, too, and are known. */
static int queue_hand_on(SampleQueue *q, uint64_t until) {
        size_t n, n_records = 0, known = 0;
        int r = queue_part(q, until, &n);

        if (r < 0)
                return r;
        if (q->n_records > 0) {
                qsort(q->records, q->n_records, sizeof(*q->records), compare_records);
                known = LOWER_BOUND(q->n_records, i, q->records[i].time == 0);
                queue_drop_records(q, known);
                n_records = LOWER_BOUND(q->n_records, i, q->records[i].time <= until);
        }
        if ((n_records > 0 || q->user.ordered) && n > 0)
                qsort(q->samples, n, sizeof(*q->samples), queue_compare_samples);
        r = queue_merge(q, n_records, n);
        queue_drop_records(q, n_records);
        q->n_samples -= n;
        if (q->n_samples > 0)
                memmove(q->samples, q->samples + n, q->n_samples * sizeof(*q->samples));
        return r;
}

/* Hands on all samples, and all records from the first on. */
static int queue_replay(SampleQueue *q) {
        int r;

        if (q->n_records > 0)
                qsort(q->records, q->n_records, sizeof(*q->records), compare_records);
        if (q->n_samples > 0)
                qsort(q->samples, q->n_samples, sizeof(*q->samples), queue_compare_samples);
        q->user.restart(q->user.userdata);
        r = queue_merge(q, q->n_records, q->n_samples);
        q->n_samples = 0;
        return r;
}

int sample_queue_make_room(SampleQueue *q) {
        q->replay = q->replay || (!q->rounds && q->records_bytes <= RECORDS_BYTES_MAX);
        if (q->replay)
                return queue_replay(q);
        if (q->n_samples == 0)
                return queue_hand_on(q, UINT64_MAX);
        qsort(q->samples, q->n_samples, sizeof(*q->samples), queue_compare_samples);
        return queue_hand_on(q, q->samples[q->n_samples / 2].time);
}

int sample_queue_put_sample(SampleQueue *q, const QueuedSample *s) {
        int r = 0;

        if (s->time == 0)
                return q->user.sample(q->user.userdata, s);
        if (q->n_samples >= QUEUE_MAX)
                r = sample_queue_make_room(q);
        if (r < 0)
                return r;
        if (ARRAY_RESERVE(q->samples, q->samples_allocated, q->n_samples + 1) < 0)
                return -ENOMEM;
        q->samples[q->n_samples] = *s;
        q->samples[q->n_samples++].number = q->number++;
        q->newest = MAX_OF(q->newest, s->time);
        return 0;
}

/* Records beyond the limit are left out if they cannot be handed on yet. */
int sample_queue_put_record(SampleQueue *q, uint64_t time, const struct perf_event_header *record) {
        QueuedRecord queued = { .time = time, .number = q->number++ };
        int r = 0;

        if (time == 0)
                r = q->user.record(q->user.userdata, record);
        else if (q->records_bytes > RECORDS_BYTES_MAX && !q->replay)
                r = sample_queue_make_room(q);
        if (r < 0 || (time == 0 && q->rounds) || q->records_bytes > RECORDS_BYTES_MAX)
                return r;
        if (ARRAY_RESERVE(q->records, q->records_allocated, q->n_records + 1) < 0)
                return -ENOMEM;
        queued.record = malloc(record->size);
        if (!queued.record)
                return -ENOMEM;
        memcpy(queued.record, record, record->size);
        q->records[q->n_records++] = queued;
        q->records_bytes += record->size;
        q->newest = MAX_OF(q->newest, time);
        return 0;
}

int sample_queue_finish_round(SampleQueue *q) {
        int r = q->newest_before > 0 && !q->replay ? queue_hand_on(q, q->newest_before) : 0;

        q->rounds = q->rounds || q->newest_before > 0;
        q->newest_before = q->newest;
        return r;
}

int sample_queue_finish(SampleQueue *q) {
        return q->replay ? queue_replay(q) : queue_hand_on(q, UINT64_MAX);
}
