/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The region of a history ring: the places of its parts (history-region.h has the layout), and the checks of a region
 * that another recorder left. All sizes follow from the options, which the head has; offsets and sizes that a region
 * itself contains are checked before they are used. Nothing here changes a region that is valid. */

#include "history-region.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include "format.h"
#include "record-counts.h"
#include "record-trailer.h"

#define HEAD_MAGIC UINT64_C(0x3130747369682d70)  /* "p-hist01" */
#define HEAD_SIZE 4096u
#define FILL_MIN ((uint64_t) 64 * 1024) /* the longest record fits */
#define FILL_MAX ((uint64_t) 1024 * 1024)
#define FILL_SHARE 16u /* the block being filled takes 1/16 of the region */

uint64_t history_region_size(uint64_t size) {
        uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);

        return PERF_ALIGN_UP(size, page);
}

static bool options_are_valid(const HistoryOptions *o) {
        return o->size >= HISTORY_SIZE_MIN && o->size <= HISTORY_SIZE_MAX && o->n_rings <= HISTORY_RINGS_MAX &&
               o->level >= 0 && o->level <= COMPRESS_LEVEL_MAX && o->time_word >= -1 && o->time_word < 64 &&
               o->chain_word <= SAMPLE_COLUMNS_FRONT_MAX && o->switch_word < 64;
}

static void region_lay_out(History *h) {
        uint64_t size = h->options.size, fill = size / FILL_SHARE & ~UINT64_C(4095);

        h->state_size = sizeof(RegionState) + h->options.n_rings * sizeof(uint64_t);
        h->fill_max = (size_t) MIN_OF(MAX_OF(fill, FILL_MIN), FILL_MAX);
        h->head = (RegionHead *) h->region;
        h->slots[0] = h->region + HEAD_SIZE;
        h->slots[1] = h->slots[0] + PERF_ALIGN_UP(h->state_size, HEAD_SIZE);
        h->fill = h->slots[1] + PERF_ALIGN_UP(h->state_size, HEAD_SIZE);
        h->store = h->fill + h->fill_max;
        h->store_size = (size_t) size - (size_t) (h->store - h->region);
}

/* A block that can't be compressed must find room, also if the end of the store is near. */
static bool options_leave_room(const HistoryOptions *o) {
        uint64_t slots = 2 * PERF_ALIGN_UP(sizeof(RegionState) + o->n_rings * sizeof(uint64_t), (uint64_t) HEAD_SIZE);
        uint64_t fill = MIN_OF(MAX_OF(o->size / FILL_SHARE, FILL_MIN), FILL_MAX);

        return o->size >= HEAD_SIZE + slots + fill + 4 * (fill + sizeof(RegionBlock));
}

int history_map(int fd, const HistoryOptions *options, History **ret) {
        _cleanup_(history_freep) History *h = NULL;
        void *p;

        if (!options_are_valid(options) || !options_leave_room(options))
                return -EINVAL;
        h = calloc(1, sizeof(*h));
        if (!h)
                return -ENOMEM;
        h->fd = -EBADF;
        h->options = *options;
        (void) pthread_mutex_init(&h->lock, NULL);
        p = mmap(NULL, (size_t) options->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (p == MAP_FAILED)
                return -errno;
        h->region = p;
        region_lay_out(h);
        h->state = calloc(1, h->state_size);
        h->packed = malloc(h->fill_max);
        if (!h->state || !h->packed)
                return -ENOMEM;
        if (options->level > 0) {
                int r = block_compressor_new(&h->compressor);

                if (r >= 0 && options->chain_word > 0 && options->time_word >= 0)
                        r = sample_columns_new(&h->columns);
                if (r < 0)
                        return r;
        }
        h->fd = fd;
        *ret = steal_ptr(h);
        return 0;
}

History *history_free(History *h) {
        if (!h)
                return NULL;
        if (h->region)
                (void) munmap(h->region, (size_t) h->options.size);
        (void) safe_close(h->fd);
        block_compressor_free(h->compressor);
        sample_columns_free(h->columns);
        byte_buffer_done(&h->arranged);
        (void) pthread_mutex_destroy(&h->lock);
        free(h->state);
        free(h->packed);
        free(h);
        return NULL;
}

uint64_t history_checksum(const void *data, size_t size) {
        const uint8_t *p = data;
        uint64_t sum = UINT64_C(0x9e3779b97f4a7c15) ^ size;

        for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
                uint64_t word;

                memcpy(&word, p + i, sizeof(word));
                sum = (sum ^ word) * UINT64_C(0xff51afd7ed558ccd);
                sum ^= sum >> 32;
        }
        return sum;
}

void history_seal_head(RegionHead *head) {
        head->magic = HEAD_MAGIC;
        head->checksum = history_checksum(head, offsetof(RegionHead, checksum));
}

bool history_head_is_valid(const RegionHead *head) {
        return head->magic == HEAD_MAGIC && head->checksum == history_checksum(head, offsetof(RegionHead, checksum));
}

const RegionState *history_committed(const History *h) {
        return (const RegionState *) h->slots[__atomic_load_n(&h->head->committed, __ATOMIC_ACQUIRE) & 1];
}

uint64_t history_block_span(uint32_t stored) {
        return sizeof(RegionBlock) + PERF_ALIGN_UP((uint64_t) stored, sizeof(uint64_t));
}

size_t history_columns_max(uint32_t size) {
        return 2 * (size_t) size + 4096;
}

SamplePlaces history_places(const HistoryOptions *o) {
        return (SamplePlaces) { .time = (unsigned) o->time_word, .chain = o->chain_word };
}

void history_seal_block(RegionBlock *b) {
        b->checksum = history_checksum(&b->magic, sizeof(*b) - offsetof(RegionBlock, magic));
}

static bool block_is_valid(const History *h, const RegionBlock *b, uint64_t room) {
        return (b->magic == BLOCK_MAGIC || b->magic == BLOCK_MAGIC_COLUMNS) &&
               b->checksum == history_checksum(&b->magic, sizeof(*b) - offsetof(RegionBlock, magic)) &&
               b->size > 0 && b->size <= h->fill_max && b->size % sizeof(uint64_t) == 0 && b->stored <= b->size &&
               history_block_span(b->stored) <= room;
}

/* At an offset where a block could begin there is either its magic or, in the empty rest of the store, a zero. */
const RegionBlock *history_block(const History *h, uint64_t *at, uint64_t end) {
        uint64_t left = h->store_size - *at % h->store_size;
        const RegionBlock *b = (const RegionBlock *) (h->store + *at % h->store_size);

        if (left < sizeof(*b) || b->magic == 0) {
                if (left >= end - *at)
                        return NULL;
                *at += left;
                left = h->store_size;
                b = (const RegionBlock *) h->store;
        }
        left = MIN_OF(left, end - *at);
        return left >= sizeof(*b) && block_is_valid(h, b, left) ? b : NULL;
}

/* The blocks of the store follow each other without a gap, up to the one being filled. */
static int region_check_store(const History *h, const RegionState *s) {
        uint64_t position = 0, samples = 0;
        bool any = false;

        for (uint64_t at = s->first; at < s->end;) {
                const RegionBlock *b = history_block(h, &at, s->end);

                if (!b || (any && (b->position != position || b->samples_before != samples)))
                        return -EBADMSG;
                position = b->position + b->size;
                samples = b->samples_before + b->counts.samples;
                at += history_block_span(b->stored);
                any = true;
        }
        return !any || (position == s->fill_position && samples == s->samples_before) ? 0 : -EBADMSG;
}

int history_check(const History *h) {
        const RegionState *s = history_committed(h);
        HistoryCounts counts = {};
        bool bad;

        if (s->sequence != h->head->committed ||
            s->checksum != history_checksum(&s->sequence, h->state_size - offsetof(RegionState, sequence)))
                return -EBADMSG;
        if (s->first > s->end || s->end - s->first > h->store_size || s->end > UINT64_MAX / 2 || s->first % sizeof(uint64_t) != 0 ||
            s->fill_size > h->fill_max || s->fill_position > UINT64_MAX / 2)
                return -EBADMSG;
        /* history_scan() mends records, which it did already when they were appended: it changes nothing here. */
        if (history_scan(&h->options, h->fill, (size_t) s->fill_size, &counts, &bad) != s->fill_size ||
            memcmp(&counts, &s->fill, sizeof(counts)) != 0)
                return -EBADMSG;
        return region_check_store(h, s);
}

static void counts_add_time(HistoryCounts *c, uint64_t t) {
        if (t == 0)
                return;
        c->first = c->first == 0 ? t : MIN_OF(c->first, t);
        c->last = MAX_OF(c->last, t);
}

static bool is_sample(const HistoryOptions *o, const struct perf_event_header *h) {
        return h->type == (o->sample_type > 0 ? o->sample_type : (uint32_t) PERF_RECORD_SAMPLE);
}

/* Counts the time of a sample or of a context switch, for which a dump needs the side band too. */
static void counts_add_time_of(const HistoryOptions *o, const struct perf_event_header *h, HistoryCounts *c) {
        const uint64_t *time = NULL;

        if (h->type == PERF_RECORD_SWITCH || h->type == PERF_RECORD_SWITCH_CPU_WIDE)
                time = record_word_from_end(h, o->switch_word);
        else if (is_sample(o, h) && o->time_word >= 0 && ((size_t) o->time_word + 2) * sizeof(uint64_t) <= h->size)
                time = (const uint64_t *) (h + 1) + o->time_word;
        if (time)
                counts_add_time(c, *time);
}

size_t history_scan(const HistoryOptions *o, uint8_t *p, size_t size, HistoryCounts *counts, bool *ret_bad) {
        RecordCounts records = {};
        size_t at = 0;

        *ret_bad = false;
        while (size - at >= sizeof(struct perf_event_header)) {
                struct perf_event_header *h = (void *) (p + at);

                *ret_bad = h->size < sizeof(*h) || h->size % sizeof(uint64_t) != 0;
                if (*ret_bad || h->size > size - at)
                        break;
                record_counts_add(&records, h);
                counts->samples += is_sample(o, h);
                counts_add_time_of(o, h, counts);
                if (h->type == PERF_RECORD_MMAP2 && o->unmark_maps)
                        h->misc &= (uint16_t) ~PERF_RECORD_MISC_MMAP_BUILD_ID;
                at += h->size;
        }
        counts->lost += records.lost;
        counts->throttled += records.throttled;
        return at;
}

void history_counts_add(HistoryCounts *to, const HistoryCounts *c) {
        counts_add_time(to, c->first);
        counts_add_time(to, c->last);
        to->samples += c->samples;
        to->lost += c->lost;
        to->throttled += c->throttled;
}
