/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* CACHE: every cache of the machine, by level and then by its lowest CPU. A cache that several CPUs share is only read
 * by way of the first of them; perf reads all and drops duplicates. A machine without caches (some virtual ones) has a list
 * of none, as perf writes it. */

#include "array.h"
#include "machine-part.h"

#define CACHE_VERSION 1u
#define CACHE_INDEXES 10u /* the number that perf reads */
#define CACHES_MAX 16384u
#define CACHE_DIRECTORY "/sys/devices/system/cpu/cpu%zu/cache/index%u/"

typedef struct Cache {
        uint64_t level;
        ByteBuffer encoded;
} Cache;

typedef struct CacheList {
        Cache *caches;
        size_t n, allocated;
        bool *seen[CACHE_INDEXES]; /* per index and CPU: in the list of a cache that was read */
} CacheList;

static void cache_list_done(CacheList *l) {
        for (size_t i = 0; i < l->n; i++)
                byte_buffer_done(&l->caches[i].encoded);
        for (size_t i = 0; i < CACHE_INDEXES; i++)
                free(l->seen[i]);
        free(l->caches);
}

static int read_numbers(const char *root, size_t cpu, unsigned index, Cache *c) {
        static const char *const names[] = { "level", "coherency_line_size", "number_of_sets", "ways_of_associativity" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                uint64_t value;
                int r = machine_read_number(root, &value, CACHE_DIRECTORY "%s", cpu, index, names[i]);

                if (r < 0)
                        return r;
                if (i == 0)
                        c->level = value;
                byte_buffer_put_u32(&c->encoded, (uint32_t) value);
        }
        return 0;
}

static int read_strings(const char *root, size_t cpu, unsigned index, Cache *c, char *list, size_t size) {
        static const char *const names[] = { "type", "size", "shared_cpu_list" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                int r = machine_read(root, list, size, CACHE_DIRECTORY "%s", cpu, index, names[i]);

                if (r < 0)
                        return r;
                byte_buffer_put_string(&c->encoded, list);
        }
        return c->encoded.error;
}

static int read_cache(CacheList *l, const char *root, size_t cpu, size_t n_cpus, unsigned index) {
        char list[MACHINE_LIST_SIZE];
        Cache c = {};
        int r;

        if (!l->seen[index])
                l->seen[index] = calloc(n_cpus, sizeof(bool));
        if (!l->seen[index])
                return -ENOMEM;
        if (l->seen[index][cpu])
                return 0;
        r = read_numbers(root, cpu, index, &c);
        if (r >= 0)
                r = read_strings(root, cpu, index, &c, list, sizeof(list));
        if (r >= 0)
                r = machine_mark_cpus(list, l->seen[index], n_cpus);
        if (r >= 0)
                r = ARRAY_RESERVE(l->caches, l->allocated, l->n + 1);
        if (r >= 0)
                l->caches[l->n++] = steal_value(c, (Cache) {});
        byte_buffer_done(&c.encoded);
        return r;
}

static int read_caches(CacheList *l, const char *root, size_t n_cpus) {
        for (size_t cpu = 0; cpu < n_cpus && l->n < CACHES_MAX; cpu++)
                for (unsigned index = 0; index < CACHE_INDEXES; index++) {
                        int r = read_cache(l, root, cpu, n_cpus, index);

                        if (r == -ENOMEM)
                                return r;
                        if (r < 0) /* no more of them, or offline */
                                break;
                }
        return 0;
}

int machine_add_caches(FeatureTable *t, const char *root) {
        _cleanup_(cache_list_done) CacheList l = {};
        ByteBuffer b = {};
        size_t n_cpus, left;
        int r = machine_count_cpus(root, &n_cpus);

        if (r >= 0)
                r = read_caches(&l, root, n_cpus);
        if (r < 0)
                return r;
        byte_buffer_put_u32(&b, CACHE_VERSION);
        byte_buffer_put_u32(&b, (uint32_t) l.n);
        left = l.n;
        for (uint64_t level = 0; left > 0 && level <= CACHE_INDEXES; level++)
                for (size_t i = 0; i < l.n; i++)
                        if (l.caches[i].level == level) {
                                byte_buffer_put(&b, l.caches[i].encoded.data, l.caches[i].encoded.size);
                                left--;
                        }
        byte_buffer_set_u32(&b, sizeof(uint32_t), (uint32_t) (l.n - left));
        return feature_table_take(t, PERF_FEATURE_CACHE, &b);
}
