/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A map of CPUs is a list of numbers, a mask of words of either size, or a range (record_put_cpu_map()). What follows the kind is
 * packed: words of 64 bits stand behind padding that older perfs had there, and need not be aligned. */

#include "record-cpus.h"

#include "array.h"
#include "feature-cursor.h"

#define ANY_CPU UINT16_MAX /* of a list */

/* Behind the kind. */
typedef struct CpuMapHead {
        uint16_t n, word_size;       /* of a list: only n */
} CpuMapHead;

typedef struct CpuMapRange {
        uint8_t any, reserved;
        uint16_t first, last;
} CpuMapRange;

static int read_range(FeatureCursor *c, int *cpus, size_t *n) {
        const void *p = feature_cursor_take(c, sizeof(CpuMapRange));
        CpuMapRange range;

        if (!p)
                return -EBADMSG;
        memcpy(&range, p, sizeof(range));
        if (range.any)
                cpus[(*n)++] = -1;
        for (int cpu = range.first; cpu <= range.last; cpu++)
                cpus[(*n)++] = cpu;
        return 0;
}

static int read_list(FeatureCursor *c, int *cpus, size_t *n) {
        const void *p = feature_cursor_take(c, sizeof(uint16_t));
        uint16_t left, cpu;

        if (!p)
                return -EBADMSG;
        memcpy(&left, p, sizeof(left));
        for (; left > 0; left--) {
                p = feature_cursor_take(c, sizeof(cpu));
                if (!p)
                        return -EBADMSG;
                memcpy(&cpu, p, sizeof(cpu));
                cpus[(*n)++] = cpu == ANY_CPU ? -1 : cpu;
        }
        return 0;
}

static int read_mask(FeatureCursor *c, int *cpus, size_t *n) {
        const void *p = feature_cursor_take(c, sizeof(CpuMapHead));
        CpuMapHead head;

        if (!p)
                return -EBADMSG;
        memcpy(&head, p, sizeof(head));
        if ((head.word_size != 4 && head.word_size != 8) || (head.word_size == 8 && !feature_cursor_take(c, 4)))
                return -EBADMSG;
        for (int word = 0; word < head.n; word++) {
                uint64_t bits = 0;

                p = feature_cursor_take(c, head.word_size);
                if (!p)
                        return -EBADMSG;
                memcpy(&bits, p, head.word_size);
                for (int bit = 0; bit < head.word_size * 8; bit++)
                        if (bits >> bit & 1)
                                cpus[(*n)++] = word * head.word_size * 8 + bit;
        }
        return 0;
}

int record_read_cpus(const PerfRecordCpuMap *record, int **ret, size_t *ret_n) {
        static int (*const reads[])(FeatureCursor *c, int *cpus, size_t *n) = {
                [CPU_MAP_LIST] = read_list,
                [CPU_MAP_MASK] = read_mask,
                [CPU_MAP_RANGE] = read_range,
        };
        FeatureCursor c = { record->map, record->header.size - sizeof(*record) };
        _cleanup_free_ int *cpus = calloc(c.left * 8 + UINT16_MAX + 2, sizeof(*cpus)); /* a bit each, or a range and any CPU */
        const void *kind = feature_cursor_take(&c, sizeof(uint16_t));
        uint16_t number = UINT16_MAX;
        size_t n = 0;

        if (!cpus)
                return -ENOMEM;
        if (kind)
                memcpy(&number, kind, sizeof(number));
        if (number >= ELEMENTSOF(reads) || reads[number](&c, cpus, &n) < 0 || ANY_OF(n, i, i > 0 && cpus[i] <= cpus[i - 1]))
                return -EBADMSG;
        *ret = steal_ptr(cpus);
        *ret_n = n;
        return 0;
}
