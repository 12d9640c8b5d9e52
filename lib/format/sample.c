/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Parses a record by the sample_type of its event. The order of the fields is that of the comment on
 * PERF_RECORD_SAMPLE in linux/perf_event.h (Linux 6.1). A record is a sequence of words of 8 bytes; each take_…()
 * checks what is left, and the first one that needs more marks the record as bad, after which all of them return
 * zeros. */

#include "sample.h"

#include "record-trailer.h"

typedef struct WordCursor {
        const uint64_t *words;
        size_t left;
        bool bad;
} WordCursor;

static const uint64_t *take_words(WordCursor *c, uint64_t n) {
        const uint64_t *p = c->words;

        if (c->bad || n > c->left) {
                c->bad = true;
                return NULL;
        }
        c->words += n;
        c->left -= n;
        return p;
}

static uint64_t take(WordCursor *c) {
        const uint64_t *p = take_words(c, 1);

        return p ? *p : 0;
}

static void take_pair(WordCursor *c, uint32_t *ret_first, uint32_t *ret_second) {
        const uint64_t *p = take_words(c, 1);

        if (p) {
                memcpy(ret_first, p, sizeof(*ret_first));
                memcpy(ret_second, (const uint8_t *) p + sizeof(*ret_first), sizeof(*ret_second));
        }
}

/* Takes a count of words or entries, bounded by what is left so that its products stay small. */
static uint64_t take_count(WordCursor *c) {
        uint64_t n = take(c);

        if (n > c->left) {
                c->bad = true;
                return 0;
        }
        return n;
}

static WordCursor cursor_over(const struct perf_event_header *record) {
        return (WordCursor) {
                .words = (const uint64_t *) (record + 1),
                .left = record->size < sizeof(*record) ? 0 : record->size / sizeof(uint64_t) - 1,
        };
}

static void take_read(WordCursor *c, uint64_t format, PerfSample *s) {
        uint64_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
        uint64_t each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
        uint64_t n = times + each;

        if (format & PERF_FORMAT_GROUP) {
                uint64_t members = c->left > 0 ? *c->words : 0;

                if (members > c->left)
                        c->bad = true;
                else
                        n = 1 + times + members * each;
        }
        s->read = take_words(c, n);
        s->n_read = s->read ? n : 0;
}

/* 4 bytes of size, then the data; together a multiple of 8. */
static void take_raw(WordCursor *c, PerfSample *s) {
        uint32_t size = 0;

        if (c->bad || c->left == 0) {
                c->bad = true;
                return;
        }
        memcpy(&size, c->words, sizeof(size));
        s->raw = (const uint8_t *) c->words + sizeof(size);
        s->raw_size = size;
        if (!take_words(c, PERF_ALIGN_UP((uint64_t) size + sizeof(size), sizeof(uint64_t)) / sizeof(uint64_t))) {
                s->raw = NULL;
                s->raw_size = 0;
        }
}

#define BRANCH_COUNTERS (UINT64_C(1) << 19) /* PERF_SAMPLE_BRANCH_COUNTERS of Linux 6.8 */

static void take_branches(WordCursor *c, uint64_t branch_type, PerfSample *s) {
        uint64_t n = take_count(c);

        if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
                s->branch_index = take(c);
        s->branches = (const struct perf_branch_entry *) take_words(c, n * (sizeof(*s->branches) / sizeof(uint64_t)));
        s->n_branches = s->branches ? n : 0;
        if (branch_type & BRANCH_COUNTERS)
                s->branch_counters = take_words(c, n);
}

static void take_registers(WordCursor *c, uint64_t mask, uint64_t *ret_abi, const uint64_t **ret, size_t *ret_n) {
        *ret_abi = take(c);
        if (*ret_abi == PERF_SAMPLE_REGS_ABI_NONE)
                return;
        *ret = take_words(c, (uint64_t) __builtin_popcountll(mask));
        *ret_n = *ret ? (size_t) __builtin_popcountll(mask) : 0;
}

static void take_aux(WordCursor *c, PerfSample *s) {
        uint64_t size = take(c);

        if (size / sizeof(uint64_t) > c->left) {
                c->bad = true;
                return;
        }
        s->aux = take_words(c, PERF_ALIGN_UP(size, sizeof(uint64_t)) / sizeof(uint64_t));
        s->aux_size = s->aux ? size : 0;
}

static void take_stack(WordCursor *c, PerfSample *s) {
        uint64_t size = take(c), filled;

        if (size == 0)
                return;
        if (size / sizeof(uint64_t) > c->left) {
                c->bad = true;
                return;
        }
        s->stack = take_words(c, PERF_ALIGN_UP(size, sizeof(uint64_t)) / sizeof(uint64_t));
        filled = take(c);
        s->stack_size = MIN_OF(filled, size);
}

static void take_first_fields(WordCursor *c, uint64_t type, PerfSample *s) {
        uint32_t reserved;

        if (type & PERF_SAMPLE_IDENTIFIER)
                s->id = take(c);
        if (type & PERF_SAMPLE_IP)
                s->ip = take(c);
        if (type & PERF_SAMPLE_TID)
                take_pair(c, &s->pid, &s->tid);
        if (type & PERF_SAMPLE_TIME)
                s->time = take(c);
        if (type & PERF_SAMPLE_ADDR)
                s->address = take(c);
        if (type & PERF_SAMPLE_ID)
                s->id = take(c);
        if (type & PERF_SAMPLE_STREAM_ID)
                s->stream_id = take(c);
        if (type & PERF_SAMPLE_CPU)
                take_pair(c, &s->cpu, &reserved);
        if (type & PERF_SAMPLE_PERIOD)
                s->period = take(c);
}

static void take_blocks(WordCursor *c, const struct perf_event_attr *attr, PerfSample *s) {
        uint64_t type = attr->sample_type;

        if (type & PERF_SAMPLE_READ)
                take_read(c, attr->read_format, s);
        if (type & PERF_SAMPLE_CALLCHAIN) {
                uint64_t n = take_count(c);

                s->callchain = take_words(c, n);
                s->n_callchain = s->callchain ? n : 0;
        }
        if (type & PERF_SAMPLE_RAW)
                take_raw(c, s);
        if (type & PERF_SAMPLE_BRANCH_STACK)
                take_branches(c, attr->branch_sample_type, s);
        s->user = c->words;
        if (type & PERF_SAMPLE_REGS_USER)
                take_registers(c, attr->sample_regs_user, &s->user_abi, &s->user_registers, &s->n_user_registers);
        if (type & PERF_SAMPLE_STACK_USER)
                take_stack(c, s);
        s->n_user = (size_t) (c->words - s->user);
}

static void take_last_fields(WordCursor *c, const struct perf_event_attr *attr, PerfSample *s) {
        uint64_t type = attr->sample_type;

        if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
                s->weight = take(c);
        if (type & PERF_SAMPLE_DATA_SRC)
                s->data_source = take(c);
        if (type & PERF_SAMPLE_TRANSACTION)
                s->transaction = take(c);
        if (type & PERF_SAMPLE_REGS_INTR)
                take_registers(c, attr->sample_regs_intr, &s->intr_abi, &s->intr_registers, &s->n_intr_registers);
        if (type & PERF_SAMPLE_PHYS_ADDR)
                s->physical_address = take(c);
        if (type & PERF_SAMPLE_CGROUP)
                s->cgroup = take(c);
        if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
                s->data_page_size = take(c);
        if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
                s->code_page_size = take(c);
        if (type & PERF_SAMPLE_AUX)
                take_aux(c, s);
}

int sample_parse(const struct perf_event_attr *attr, const struct perf_event_header *record, PerfSample *ret) {
        PerfSample s = { .sample_type = attr->sample_type };
        WordCursor c = cursor_over(record);

        take_first_fields(&c, attr->sample_type, &s);
        take_blocks(&c, attr, &s);
        take_last_fields(&c, attr, &s);
        if (c.bad)
                return -EBADMSG;
        *ret = s;
        return 0;
}

int sample_parse_trailer(const struct perf_event_attr *attr, const struct perf_event_header *record, PerfSample *ret) {
        uint64_t type = attr->sample_type & RECORD_TRAILER_FIELDS;
        size_t n = record_trailer_size(type) / sizeof(uint64_t);
        PerfSample s = { .sample_type = type };
        WordCursor c = cursor_over(record);

        if (!attr->sample_id_all || n == 0 || record->type == PERF_RECORD_SAMPLE || record->type >= PERF_RECORD_USER_TYPE_START)
                return -ENODATA;
        if (n > c.left)
                return -EBADMSG;
        (void) take_words(&c, c.left - n);
        take_first_fields(&c, type & ~(uint64_t) PERF_SAMPLE_IDENTIFIER, &s);
        if (type & PERF_SAMPLE_IDENTIFIER)
                s.id = take(&c);
        *ret = s;
        return 0;
}
