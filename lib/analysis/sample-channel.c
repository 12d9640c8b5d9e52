/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Items travel in batches, which lie in a circle: the threads meet once a batch, and a lock is held only there. An item is its kind
 * and its bytes. */

#include "sample-channel.h"

#include <pthread.h>
#include <sched.h>

#define BATCH_SIZE ((size_t) 256 << 10)
#define BATCHES 8u

typedef enum ItemKind {
        ITEM_SAMPLE, /* a QueuedSample */
        ITEM_RECORD, /* its time, then the record */
        ITEM_ROUND,  /* nothing: FINISHED_ROUND */
} ItemKind;

typedef struct Item {
        uint32_t kind, size; /* size: of the bytes that follow, a multiple of 8 */
} Item;

typedef struct Batch {
        uint8_t *data;
        size_t filled;
} Batch;

struct SampleChannel {
        SampleQueue *queue;
        pthread_t thread;
        bool runs;
        pthread_mutex_t lock; /* of all that follows but for the batches, each of which one thread has at a time */
        pthread_cond_t changed;
        size_t given, taken;  /* batches so far */
        bool ended;
        int error;
        Batch batches[BATCHES]; /* batch i is at i % BATCHES; that number "given" is being filled */
};

bool sample_channel_pays_off(void) {
        cpu_set_t cpus;

        return sched_getaffinity(0, sizeof(cpus), &cpus) < 0 || CPU_COUNT(&cpus) > 1;
}

static int take_item(SampleQueue *queue, const Item *item) {
        const uint64_t *words = (const void *) (item + 1);

        switch ((ItemKind) item->kind) {
        case ITEM_SAMPLE:
                return sample_queue_put_sample(queue, (const void *) words);
        case ITEM_RECORD:
                return sample_queue_put_record(queue, *words, (const void *) (words + 1));
        default:
                return sample_queue_finish_round(queue);
        }
}

static int channel_take_batch(SampleQueue *queue, const Batch *b) {
        int r = 0;

        for (size_t at = 0; r >= 0 && at < b->filled;) {
                const Item *item = (const void *) (b->data + at);

                r = take_item(queue, item);
                at += sizeof(*item) + item->size;
        }
        return r;
}

static void *take_all(void *userdata) {
        SampleChannel *c = userdata;

        (void) pthread_mutex_lock(&c->lock);
        while (c->error >= 0) {
                int r;

                if (c->taken == c->given) {
                        if (c->ended)
                                break;
                        (void) pthread_cond_wait(&c->changed, &c->lock);
                        continue;
                }
                (void) pthread_mutex_unlock(&c->lock);
                r = channel_take_batch(c->queue, c->batches + c->taken % BATCHES);
                (void) pthread_mutex_lock(&c->lock);
                c->taken++;
                c->error = r;
                (void) pthread_cond_signal(&c->changed);
        }
        (void) pthread_mutex_unlock(&c->lock);
        return NULL;
}

/* Hands over the batch that is being filled, and waits until the next one is free. */
static int give_batch(SampleChannel *c, bool ended) {
        int r;

        (void) pthread_mutex_lock(&c->lock);
        c->given++;
        c->ended = ended;
        (void) pthread_cond_signal(&c->changed);
        while (!ended && c->error >= 0 && c->given - c->taken == BATCHES)
                (void) pthread_cond_wait(&c->changed, &c->lock);
        r = c->error;
        (void) pthread_mutex_unlock(&c->lock);
        if (!ended)
                c->batches[c->given % BATCHES].filled = 0;
        return r;
}

int sample_channel_new(SampleQueue *queue, SampleChannel **ret) {
        _cleanup_(sample_channel_freep) SampleChannel *c = calloc(1, sizeof(*c));
        int r;

        if (!c)
                return -ENOMEM;
        c->queue = queue;
        (void) pthread_mutex_init(&c->lock, NULL);
        (void) pthread_cond_init(&c->changed, NULL);
        for (size_t i = 0; i < BATCHES; i++) {
                c->batches[i].data = malloc(BATCH_SIZE);
                if (!c->batches[i].data)
                        return -ENOMEM;
        }
        r = pthread_create(&c->thread, NULL, take_all, c);
        if (r != 0)
                return -r;
        c->runs = true;
        *ret = steal_ptr(c);
        return 0;
}

SampleChannel *sample_channel_free(SampleChannel *c) {
        if (!c)
                return NULL;
        if (c->runs)
                (void) sample_channel_finish(c);
        for (size_t i = 0; i < BATCHES; i++)
                free(c->batches[i].data);
        (void) pthread_cond_destroy(&c->changed);
        (void) pthread_mutex_destroy(&c->lock);
        free(c);
        return NULL;
}

/* Adds an item, whose bytes the caller fills in. Those of the batch are aligned for it. */
static int add_item(SampleChannel *c, ItemKind kind, size_t size, void **ret) {
        Batch *b = c->batches + c->given % BATCHES;
        size_t room = (size + sizeof(uint64_t) - 1) & ~(sizeof(uint64_t) - 1);
        Item *item;
        int r = 0;

        if (room + sizeof(*item) > BATCH_SIZE - b->filled) {
                r = give_batch(c, false);
                b = c->batches + c->given % BATCHES;
        }
        if (r < 0)
                return r;
        item = (void *) (b->data + b->filled);
        *item = (Item) { .kind = kind, .size = (uint32_t) room };
        b->filled += sizeof(*item) + room;
        *ret = item + 1;
        return 0;
}

int sample_channel_put_sample(SampleChannel *c, const QueuedSample *s) {
        void *to;
        int r = add_item(c, ITEM_SAMPLE, sizeof(*s), &to);

        if (r >= 0)
                memcpy(to, s, sizeof(*s));
        return r;
}

int sample_channel_put_record(SampleChannel *c, uint64_t time, const struct perf_event_header *record) {
        uint64_t *to;
        int r = add_item(c, ITEM_RECORD, sizeof(*to) + record->size, (void **) &to);

        if (r < 0)
                return r;
        *to = time;
        memcpy(to + 1, record, record->size);
        return 0;
}

int sample_channel_finish_round(SampleChannel *c) {
        void *to;

        return add_item(c, ITEM_ROUND, 0, &to);
}

int sample_channel_finish(SampleChannel *c) {
        int r = give_batch(c, true);

        (void) pthread_join(c->thread, NULL);
        c->runs = false;
        return r < 0 ? r : c->error;
}
