/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recording has each CPU's records in order, one CPU after the other. When a round ends, nothing can follow that is
 * older than the newest record of the previous round, so everything up to that time can be sorted and handed on. A
 * file without rounds (a dump is one round) is held as a whole, up to QUEUE_MAX entries: then the older half is handed
 * on. */

#include "profile-order.h"

#include "array.h"

#define QUEUE_MAX (2u << 20)

typedef struct Queued {
        uint64_t time, number; /* number: its position in the file, for equal times */
        OrderedSample sample;
        struct perf_event_header *record; /* NULL: a sample */
} Queued;

struct ProfileOrder {
        OrderedTake take;
        void *userdata;
        Queued *queue;
        size_t n, allocated;
        uint64_t number, newest, newest_before; /* newest: the newest time so far; newest_before: without this round */
};

int profile_order_new(OrderedTake take, void *userdata, ProfileOrder **ret) {
        ProfileOrder *o = calloc(1, sizeof(*o));

        if (!o)
                return -ENOMEM;
        o->take = take;
        o->userdata = userdata;
        *ret = o;
        return 0;
}

ProfileOrder *profile_order_free(ProfileOrder *o) {
        if (!o)
                return NULL;
        for (size_t i = 0; i < o->n; i++)
                free(o->queue[i].record);
        free(o->queue);
        free(o);
        return NULL;
}

static int compare_queued(const void *a, const void *b) {
        const Queued *x = a, *y = b;

        if (x->time != y->time)
                return x->time < y->time ? -1 : 1;
        return x->number < y->number ? -1 : x->number > y->number;
}

/* Hands on the records up to a time, at most n_max of them; the others stay. */
static int profile_order_hand_on(ProfileOrder *o, uint64_t until, size_t n_max) {
        size_t n = 0;
        int r = 0;

        if (o->n == 0)
                return 0;
        qsort(o->queue, o->n, sizeof(*o->queue), compare_queued);
        for (; r >= 0 && n < o->n && n < n_max && o->queue[n].time <= until; n++) {
                Queued *q = o->queue + n;

                r = o->take(o->userdata, q->time, q->record ? NULL : &q->sample, q->record);
                free(q->record);
        }
        o->n -= n;
        memmove(o->queue, o->queue + n, o->n * sizeof(*o->queue));
        return r;
}

static int profile_order_put(ProfileOrder *o, const Queued *q) {
        int r = 0;

        if (o->n >= QUEUE_MAX)
                r = profile_order_hand_on(o, UINT64_MAX, QUEUE_MAX / 2);
        if (r >= 0)
                r = ARRAY_RESERVE(o->queue, o->allocated, o->n + 1);
        if (r < 0)
                return r;
        o->queue[o->n] = *q;
        o->queue[o->n++].number = o->number++;
        o->newest = MAX_OF(o->newest, q->time);
        return 0;
}

int profile_order_put_sample(ProfileOrder *o, uint64_t time, const OrderedSample *sample) {
        return profile_order_put(o, &(Queued) { .time = time, .sample = *sample });
}

int profile_order_put_record(ProfileOrder *o, uint64_t time, const struct perf_event_header *record) {
        Queued q = { .time = time, .record = malloc(record->size) };
        int r;

        if (!q.record)
                return -ENOMEM;
        memcpy(q.record, record, record->size);
        r = profile_order_put(o, &q);
        if (r < 0)
                free(q.record);
        return r;
}

int profile_order_finish_round(ProfileOrder *o) {
        int r = o->n > 0 && o->newest_before > 0 ? profile_order_hand_on(o, o->newest_before, SIZE_MAX) : 0;

        o->newest_before = o->newest;
        return r;
}

int profile_order_finish(ProfileOrder *o) {
        return profile_order_hand_on(o, UINT64_MAX, SIZE_MAX);
}
