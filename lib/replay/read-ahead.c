/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records travel in batches, which lie in a circle: the threads meet once a batch, and a lock is held only there. */

#include "read-ahead.h"

#include <pthread.h>
#include <sched.h>

#define BATCH_SIZE ((size_t) 256 << 10) /* the largest record fits */
#define BATCHES 8u

/* It is followed by the bytes of the record. */
typedef struct Item {
        uint64_t time;
        uint32_t source, size; /* size: of the bytes that follow, a multiple of 8 */
} Item;

typedef struct Batch {
        uint8_t *data;
        size_t filled;
} Batch;

struct ReadAhead {
        ReadAheadSource next;
        void *userdata;
        pthread_t thread;
        bool runs, takes;     /* takes: the caller has a batch in its hands */
        size_t at;            /* its place there */
        pthread_mutex_t lock; /* of all that follows but for the batches, each of which one thread has at a time */
        pthread_cond_t changed;
        size_t given, taken;  /* batches so far */
        bool ended, unwanted; /* ended: all were given; unwanted: none is taken any more */
        int result;           /* how the reading ended */
        Batch batches[BATCHES]; /* batch i is at i % BATCHES; that number "given" is being filled */
};

bool read_ahead_pays_off(void) {
        cpu_set_t cpus;

        return sched_getaffinity(0, sizeof(cpus), &cpus) < 0 || CPU_COUNT(&cpus) > 1;
}

/* Hands over the batch that is being filled, and waits until the next one is free. Returns whether it is wanted. */
static bool give_batch(ReadAhead *a) {
        bool wanted;

        (void) pthread_mutex_lock(&a->lock);
        a->given++;
        (void) pthread_cond_signal(&a->changed);
        while (!a->unwanted && a->given - a->taken == BATCHES)
                (void) pthread_cond_wait(&a->changed, &a->lock);
        wanted = !a->unwanted;
        (void) pthread_mutex_unlock(&a->lock);
        a->batches[a->given % BATCHES].filled = 0;
        return wanted;
}

static bool give_record(ReadAhead *a, const OrderedRecord *r) {
        size_t size = r->record ? PERF_ALIGN_UP((size_t) r->record->size, sizeof(uint64_t)) : 0;
        Batch *b = a->batches + a->given % BATCHES;
        Item *item;

        if (size + sizeof(*item) > BATCH_SIZE - b->filled) {
                if (!give_batch(a))
                        return false;
                b = a->batches + a->given % BATCHES;
        }
        item = (void *) (b->data + b->filled);
        *item = (Item) { .time = r->time, .source = r->source, .size = (uint32_t) size };
        if (r->record)
                memcpy(item + 1, r->record, r->record->size);
        b->filled += sizeof(*item) + size;
        return true;
}

static void *read_all(void *userdata) {
        ReadAhead *a = userdata;
        OrderedRecord r = {};
        int result;

        while ((result = a->next(a->userdata, &r)) == 1 && give_record(a, &r))
                ;
        (void) pthread_mutex_lock(&a->lock);
        a->given++;
        a->ended = true;
        a->result = result;
        (void) pthread_cond_signal(&a->changed);
        (void) pthread_mutex_unlock(&a->lock);
        return NULL;
}

int read_ahead_new(ReadAheadSource next, void *userdata, ReadAhead **ret) {
        _cleanup_(read_ahead_freep) ReadAhead *a = calloc(1, sizeof(*a));
        int r;

        if (!a)
                return -ENOMEM;
        a->next = next;
        a->userdata = userdata;
        (void) pthread_mutex_init(&a->lock, NULL);
        (void) pthread_cond_init(&a->changed, NULL);
        for (size_t i = 0; i < BATCHES; i++) {
                a->batches[i].data = malloc(BATCH_SIZE);
                if (!a->batches[i].data)
                        return -ENOMEM;
        }
        r = pthread_create(&a->thread, NULL, read_all, a);
        if (r != 0)
                return -r;
        a->runs = true;
        *ret = steal_ptr(a);
        return 0;
}

ReadAhead *read_ahead_free(ReadAhead *a) {
        if (!a)
                return NULL;
        if (a->runs) {
                (void) pthread_mutex_lock(&a->lock);
                a->unwanted = true;
                (void) pthread_cond_signal(&a->changed);
                (void) pthread_mutex_unlock(&a->lock);
                (void) pthread_join(a->thread, NULL);
        }
        for (size_t i = 0; i < BATCHES; i++)
                free(a->batches[i].data);
        (void) pthread_cond_destroy(&a->changed);
        (void) pthread_mutex_destroy(&a->lock);
        free(a);
        return NULL;
}

/* Gives the batch back that was taken, and waits for the next one. Returns whether there is one. */
static bool take_batch(ReadAhead *a) {
        (void) pthread_mutex_lock(&a->lock);
        if (a->takes) {
                a->taken++;
                (void) pthread_cond_signal(&a->changed);
        }
        while (a->taken == a->given && !a->ended)
                (void) pthread_cond_wait(&a->changed, &a->lock);
        a->takes = a->taken < a->given;
        (void) pthread_mutex_unlock(&a->lock);
        a->at = 0;
        return a->takes;
}

int read_ahead_next(ReadAhead *a, OrderedRecord *ret) {
        const Item *item;

        while (!a->takes || a->at == a->batches[a->taken % BATCHES].filled)
                if (!take_batch(a))
                        return a->result;
        item = (const void *) (a->batches[a->taken % BATCHES].data + a->at);
        a->at += sizeof(*item) + item->size;
        *ret = (OrderedRecord) {
                .time = item->time, .source = item->source, .record = item->size > 0 ? (const void *) (item + 1) : NULL,
        };
        return 1;
}
