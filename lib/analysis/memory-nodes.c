/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Numbers of recordings are not trusted: a walk ends with the bytes of its feature, and so many ranges are kept at most. */

#include "memory-nodes.h"

#include "array.h"
#include "feature-cursor.h"
#include "parse-number.h"

#define VERSION 1u /* of MEM_TOPOLOGY */

void memory_nodes_done(MemoryNodes *m) {
        free(m->node_of);
        free(m->ranges);
        *m = (MemoryNodes) {};
}

static int nodes_put_cpus(MemoryNodes *m, uint32_t node, const char *list) {
        _cleanup_free_ int *cpus = NULL;
        size_t n, need;

        if (node >= MEMORY_NODES_MAX || parse_cpu_list(list, &cpus, &n) < 0 || n == 0)
                return 0;
        need = (size_t) cpus[n - 1] + 1;
        if (need > m->n_cpus) {
                if (ARRAY_RESIZE(m->node_of, need) < 0)
                        return -ENOMEM;
                for (; m->n_cpus < need; m->n_cpus++)
                        m->node_of[m->n_cpus] = MEMORY_NODE_UNKNOWN;
        }
        for (size_t i = 0; i < n; i++)
                m->node_of[cpus[i]] = node;
        return 0;
}

static int nodes_read_cpus(MemoryNodes *m, const PerfDataReader *reader) {
        FeatureCursor c;
        uint32_t n, node;
        const char *cpus;
        int r = 0;

        if (feature_cursor_init(&c, reader, PERF_FEATURE_NUMA_TOPOLOGY) < 0 || !feature_cursor_u32(&c, &n))
                return 0;
        for (; r >= 0 && n > 0; n--) {
                if (!feature_cursor_u32(&c, &node) || !feature_cursor_take(&c, 2 * sizeof(uint64_t)) ||
                    !(cpus = feature_cursor_string(&c)))
                        return 0;
                r = nodes_put_cpus(m, node, cpus);
        }
        return r;
}

static bool block_is_set(const uint8_t *bits, uint64_t block) {
        return bits[block / 8] >> (block % 8) & 1;
}

static int nodes_put_blocks(MemoryNodes *m, uint32_t node, uint64_t block_size, const uint8_t *bits, uint64_t n_bits) {
        for (uint64_t from = 0, to; from < n_bits && m->n_ranges < MEMORY_RANGES_MAX; from = to + 1) {
                while (from < n_bits && !block_is_set(bits, from))
                        from++;
                for (to = from; to < n_bits && block_is_set(bits, to);)
                        to++;
                if (from == to || to > UINT64_MAX / block_size)
                        continue;
                if (ARRAY_RESERVE_NEXT(m->ranges, m->n_ranges) < 0)
                        return -ENOMEM;
                m->ranges[m->n_ranges++] = (MemoryRange) { .start = from * block_size, .end = to * block_size, .node = node };
        }
        return 0;
}

static int nodes_read_blocks(MemoryNodes *m, const PerfDataReader *reader) {
        uint64_t version, block_size, n, node, size, n_bits;
        FeatureCursor c;
        int r = 0;

        if (feature_cursor_init(&c, reader, PERF_FEATURE_MEM_TOPOLOGY) < 0 || !feature_cursor_u64(&c, &version) ||
            version != VERSION || !feature_cursor_u64(&c, &block_size) || block_size == 0 || !feature_cursor_u64(&c, &n))
                return 0;
        for (; r >= 0 && n > 0; n--) {
                const uint8_t *bits;

                if (!feature_cursor_u64(&c, &node) || !feature_cursor_u64(&c, &size) || !feature_cursor_u64(&c, &n_bits) ||
                    n_bits > c.left * UINT64_C(8))
                        return 0;
                bits = feature_cursor_take(&c, PERF_ALIGN_UP(n_bits, UINT64_C(64)) / 8);
                if (!bits)
                        return 0;
                if (node < MEMORY_NODES_MAX)
                        r = nodes_put_blocks(m, (uint32_t) node, block_size, bits, n_bits);
        }
        return r;
}

static int compare_ranges(const void *a, const void *b) {
        const MemoryRange *x = a, *y = b;

        return x->start < y->start ? -1 : x->start > y->start;
}

int memory_nodes_read(MemoryNodes *m, const PerfDataReader *reader) {
        int r;

        memory_nodes_done(m);
        r = nodes_read_cpus(m, reader);
        if (r >= 0)
                r = nodes_read_blocks(m, reader);
        if (r >= 0 && m->n_ranges > 1) /* nodes may be interleaved */
                qsort(m->ranges, m->n_ranges, sizeof(*m->ranges), compare_ranges);
        return r;
}

uint32_t memory_nodes_of_cpu(const MemoryNodes *m, uint32_t cpu) {
        return cpu < m->n_cpus ? m->node_of[cpu] : MEMORY_NODE_UNKNOWN;
}

uint32_t memory_nodes_of_address(const MemoryNodes *m, uint64_t physical) {
        size_t i = LOWER_BOUND(m->n_ranges, k, m->ranges[k].end <= physical);

        return i < m->n_ranges && physical >= m->ranges[i].start ? m->ranges[i].node : MEMORY_NODE_UNKNOWN;
}
