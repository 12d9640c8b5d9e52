/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* TOTAL_MEM, NUMA_TOPOLOGY and MEM_TOPOLOGY: the size of the memory, of each node, and the blocks of physical
 * addresses of each node. Sizes are in kB, as the kernel has them; blocks are numbered, in a bitmap for each node. */

#include <sys/types.h>

#include "array.h"
#include "format-text.h"
#include "machine-part.h"
#include "parse-number.h"

#define MEMORY_TOPOLOGY_VERSION 1u
#define BLOCKS_MAX (1u << 20) /* of memory, in a node */
#define NODE_DIRECTORY "/sys/devices/system/node"

/* The number after "KEY:" in the lines of a meminfo. */
static int find_kilobytes(const char *text, const char *key, uint64_t *ret) {
        const char *p = strstr(text, key);
        char *end;

        if (!p)
                return -ENODATA;
        p += strlen(key);
        errno = 0;
        *ret = strtoull(p, &end, 10);
        return end == p || errno != 0 ? -EINVAL : 0;
}

int machine_add_total_memory(FeatureTable *t, const char *root) {
        char text[MACHINE_LIST_SIZE];
        uint64_t total;
        int r = machine_read(root, text, sizeof(text), "/proc/meminfo");

        if (r >= 0)
                r = find_kilobytes(text, "MemTotal:", &total);
        return r < 0 ? r : feature_table_put(t, PERF_FEATURE_TOTAL_MEM, &total, sizeof(total));
}

static int online_nodes(const char *root, int **ret, size_t *ret_n) {
        char list[MACHINE_LIST_SIZE];
        int r = machine_read(root, list, sizeof(list), NODE_DIRECTORY "/online");

        return r < 0 ? r : parse_cpu_list(list, ret, ret_n);
}

static int put_node(ByteBuffer *b, const char *root, int node) {
        char text[MACHINE_LIST_SIZE];
        uint64_t total, unused;
        int r = machine_read(root, text, sizeof(text), NODE_DIRECTORY "/node%d/meminfo", node);

        if (r >= 0)
                r = find_kilobytes(text, "MemTotal:", &total);
        if (r >= 0)
                r = find_kilobytes(text, "MemFree:", &unused);
        if (r >= 0)
                r = machine_read(root, text, sizeof(text), NODE_DIRECTORY "/node%d/cpulist", node);
        if (r < 0)
                return r;
        byte_buffer_put_u32(b, (uint32_t) node);
        byte_buffer_put_u64(b, total);
        byte_buffer_put_u64(b, unused);
        byte_buffer_put_string(b, text);
        return b->error;
}

int machine_add_numa_topology(FeatureTable *t, const char *root) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_free_ int *nodes = NULL;
        size_t n;
        int r = online_nodes(root, &nodes, &n);

        if (r < 0)
                return r;
        byte_buffer_put_u32(&b, (uint32_t) n);
        for (size_t i = 0; i < n; i++) {
                r = put_node(&b, root, nodes[i]);
                if (r < 0)
                        return r;
        }
        return feature_table_take(t, PERF_FEATURE_NUMA_TOPOLOGY, &b);
}

typedef struct Bitmap {
        uint64_t *words;
        size_t n_words;
        uint64_t n_bits; /* one more than the highest that is set */
} Bitmap;

static void bitmap_done(Bitmap *m) {
        free(m->words);
}

static int bitmap_set(Bitmap *m, unsigned bit) {
        size_t n_words = m->n_words;

        if (ARRAY_RESERVE(m->words, m->n_words, bit / 64 + 1) < 0)
                return -ENOMEM;
        memset(m->words + n_words, 0, (m->n_words - n_words) * sizeof(*m->words));
        m->words[bit / 64] |= UINT64_C(1) << (bit % 64);
        m->n_bits = MAX_OF(m->n_bits, (uint64_t) bit + 1);
        return 0;
}

/* A node's directory has a link "memoryN" per block. */
static int read_blocks(Bitmap *m, const char *root, int node) {
        _cleanup_closedir_ DIR *d = NULL;
        _cleanup_free_ char *path = format_text("%s" NODE_DIRECTORY "/node%d", root, node);
        const struct dirent *e;

        if (!path)
                return -ENOMEM;
        d = opendir(path);
        if (!d)
                return -errno;
        while ((e = readdir(d))) {
                const char *number = startswith(e->d_name, "memory");
                unsigned block;

                if (!number || parse_uint(number, &block) < 0 || block >= BLOCKS_MAX)
                        continue;
                if (bitmap_set(m, block) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int put_blocks(ByteBuffer *b, const char *root, int node) {
        _cleanup_(bitmap_done) Bitmap m = {};
        int r = read_blocks(&m, root, node);

        if (r < 0)
                return r;
        byte_buffer_put_u64(b, (uint64_t) node);
        byte_buffer_put_u64(b, m.n_bits);
        byte_buffer_put_u64(b, m.n_bits); /* of the bitmap, which follows */
        byte_buffer_put(b, m.words, PERF_ALIGN_UP(m.n_bits, 64u) / 8);
        return b->error;
}

static int read_block_size(const char *root, uint64_t *ret) {
        char text[64], *end;
        int r = machine_read(root, text, sizeof(text), "/sys/devices/system/memory/block_size_bytes");

        if (r < 0)
                return r;
        *ret = strtoull(text, &end, 16); /* hexadecimal without 0x */
        return end == text ? -EINVAL : 0;
}

int machine_add_memory_topology(FeatureTable *t, const char *root) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_free_ int *nodes = NULL;
        uint64_t block_size;
        size_t n;
        int r = read_block_size(root, &block_size);

        if (r >= 0)
                r = online_nodes(root, &nodes, &n);
        if (r < 0)
                return r;
        byte_buffer_put_u64(&b, MEMORY_TOPOLOGY_VERSION);
        byte_buffer_put_u64(&b, block_size);
        byte_buffer_put_u64(&b, n);
        for (size_t i = 0; i < n; i++) {
                r = put_blocks(&b, root, nodes[i]);
                if (r < 0)
                        return r;
        }
        return feature_table_take(t, PERF_FEATURE_MEM_TOPOLOGY, &b);
}
