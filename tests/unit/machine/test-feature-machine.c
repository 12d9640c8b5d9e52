/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* All features of a machine, from two trees of tests/machines: a small virtual machine as it was recorded, and a hybrid one
 * made by hand with a CPU that is offline, a node without CPUs and capabilities. */

#include <sys/utsname.h>

#include "fd-file.h"
#include "feature-machine.h"
#include "perfdata-test.h"

typedef struct Bytes {
        const uint8_t *p;
        size_t left;
} Bytes;

static Bytes feature(const FeatureTable *t, unsigned number) {
        const void *data;
        size_t size;

        ck_assert_msg(feature_table_get(t, number, &data, &size), "feature %u is missing", number);
        return (Bytes) { .p = data, .left = size };
}

static uint32_t u32(Bytes *b) {
        uint32_t v;

        ck_assert_uint_ge(b->left, sizeof(v));
        memcpy(&v, b->p, sizeof(v));
        b->p += sizeof(v);
        b->left -= sizeof(v);
        return v;
}

static uint64_t u64(Bytes *b) {
        uint64_t low = u32(b), high = u32(b);

        return low | high << 32; /* little endian, like the machines of the trees */
}

static const char *string(Bytes *b) {
        uint32_t n = u32(b);
        const char *s = (const char *) b->p;

        ck_assert_uint_ge(b->left, n);
        ck_assert_uint_eq(n % 64, 0);
        ck_assert_ptr_nonnull(memchr(s, 0, n));
        b->p += n;
        b->left -= n;
        return s;
}

static FeatureTable *read_machine(const char *name) {
        _cleanup_free_ char *root = path_join(TEST_MACHINES, name);
        FeatureTable *t = NULL;

        ck_assert_ptr_nonnull(root);
        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_machine(t, root));
        return t;
}

static void assert_string(const FeatureTable *t, unsigned number, const char *expected) {
        Bytes b = feature(t, number);

        ck_assert_str_eq(string(&b), expected);
        ck_assert_uint_eq(b.left, 0);
}

START_TEST(names) {
        _cleanup_feature_table_free_ FeatureTable *vm = read_machine("vm"), *hybrid = read_machine("hybrid");
        Bytes b;

        assert_string(vm, PERF_FEATURE_HOSTNAME, "vm");
        assert_string(vm, PERF_FEATURE_OSRELEASE, "6.18.44-fc-v669");
        assert_string(vm, PERF_FEATURE_ARCH, "x86_64");
        assert_string(vm, PERF_FEATURE_CPUDESC, "AMD EPYC");
        assert_string(vm, PERF_FEATURE_CPUID, "AuthenticAMD,26,2,1");
        assert_string(hybrid, PERF_FEATURE_CPUDESC, "12th Gen Intel(R) Core(TM) i5");
        assert_string(hybrid, PERF_FEATURE_CPUID, "GenuineIntel,6,154,3");
        b = feature(hybrid, PERF_FEATURE_TOTAL_MEM);
        ck_assert_uint_eq(u64(&b), 16000000);
        b = feature(hybrid, PERF_FEATURE_NRCPUS);
        ck_assert_uint_eq(u32(&b), 6); /* present */
        ck_assert_uint_eq(u32(&b), 5); /* online */
}
END_TEST

START_TEST(cpu_topology) {
        static const uint32_t cores[] = { 0, 0, 8, 9, UINT32_MAX, 11 }, packages[] = { 0, 0, 0, 0, UINT32_MAX, 0 };
        _cleanup_feature_table_free_ FeatureTable *t = read_machine("hybrid");
        Bytes b = feature(t, PERF_FEATURE_CPU_TOPOLOGY);

        ck_assert_uint_eq(u32(&b), 1);
        ck_assert_str_eq(string(&b), "0-3,5");
        ck_assert_uint_eq(u32(&b), 4);
        ck_assert_str_eq(string(&b), "0-1");
        ck_assert_str_eq(string(&b), "2");
        ck_assert_str_eq(string(&b), "3");
        ck_assert_str_eq(string(&b), "5");
        for (size_t i = 0; i < 6; i++) {
                ck_assert_uint_eq(u32(&b), cores[i]);
                ck_assert_uint_eq(u32(&b), packages[i]);
        }
        ck_assert_uint_eq(u32(&b), 1);
        ck_assert_str_eq(string(&b), "0-3,5");
        for (size_t i = 0; i < 6; i++)
                ck_assert_uint_eq(u32(&b), i == 4 ? UINT32_MAX : 0);
        ck_assert_uint_eq(b.left, 0);
}
END_TEST

static void assert_cache(Bytes *b, uint32_t level, const char *type, const char *size, const char *cpus) {
        ck_assert_uint_eq(u32(b), level);
        ck_assert_uint_eq(u32(b), 64);
        ck_assert_uint_gt(u32(b), 0);
        ck_assert_uint_gt(u32(b), 0);
        ck_assert_str_eq(string(b), type);
        ck_assert_str_eq(string(b), size);
        ck_assert_str_eq(string(b), cpus);
}

START_TEST(caches) {
        _cleanup_feature_table_free_ FeatureTable *t = read_machine("hybrid");
        Bytes b = feature(t, PERF_FEATURE_CACHE);

        ck_assert_uint_eq(u32(&b), 1);
        ck_assert_uint_eq(u32(&b), 11);
        assert_cache(&b, 1, "Data", "48K", "0-1");
        assert_cache(&b, 1, "Instruction", "32K", "0-1");
        assert_cache(&b, 1, "Data", "32K", "2");
        assert_cache(&b, 1, "Instruction", "64K", "2");
        assert_cache(&b, 1, "Data", "32K", "3");
        assert_cache(&b, 1, "Instruction", "64K", "3");
        assert_cache(&b, 1, "Data", "32K", "5");
        assert_cache(&b, 1, "Instruction", "64K", "5");
        assert_cache(&b, 2, "Unified", "1280K", "0-1");
        assert_cache(&b, 2, "Unified", "2048K", "2-3,5");
        assert_cache(&b, 3, "Unified", "12288K", "0-3,5");
        ck_assert_uint_eq(b.left, 0);
}
END_TEST

START_TEST(no_caches) {
        _cleanup_feature_table_free_ FeatureTable *t = read_machine("uncached");
        Bytes b = feature(t, PERF_FEATURE_CACHE);

        ck_assert_uint_eq(u32(&b), 1);
        ck_assert_uint_eq(u32(&b), 0);
        ck_assert_uint_eq(b.left, 0);
}
END_TEST

START_TEST(nodes) {
        _cleanup_feature_table_free_ FeatureTable *t = read_machine("hybrid");
        Bytes b = feature(t, PERF_FEATURE_NUMA_TOPOLOGY);

        ck_assert_uint_eq(u32(&b), 2);
        ck_assert_uint_eq(u32(&b), 0);
        ck_assert_uint_eq(u64(&b), 12000000);
        ck_assert_uint_eq(u64(&b), 6000000);
        ck_assert_str_eq(string(&b), "0-3,5");
        ck_assert_uint_eq(u32(&b), 1);
        ck_assert_uint_eq(u64(&b), 4000000);
        ck_assert_uint_eq(u64(&b), 2000000);
        ck_assert_str_eq(string(&b), "");
        ck_assert_uint_eq(b.left, 0);
}
END_TEST

START_TEST(memory_blocks) {
        _cleanup_feature_table_free_ FeatureTable *t = read_machine("hybrid");
        Bytes b = feature(t, PERF_FEATURE_MEM_TOPOLOGY);

        ck_assert_uint_eq(u64(&b), 1);
        ck_assert_uint_eq(u64(&b), 0x8000000);
        ck_assert_uint_eq(u64(&b), 2);
        ck_assert_uint_eq(u64(&b), 0); /* node 0: blocks 0-3 */
        ck_assert_uint_eq(u64(&b), 4);
        ck_assert_uint_eq(u64(&b), 4);
        ck_assert_uint_eq(u64(&b), 0xf);
        ck_assert_uint_eq(u64(&b), 1); /* node 1: blocks 64 and 70 */
        ck_assert_uint_eq(u64(&b), 71);
        ck_assert_uint_eq(u64(&b), 71);
        ck_assert_uint_eq(u64(&b), 0);
        ck_assert_uint_eq(u64(&b), 0x41);
        ck_assert_uint_eq(b.left, 0);
}
END_TEST

START_TEST(pmus) {
        _cleanup_feature_table_free_ FeatureTable *t = read_machine("hybrid");
        Bytes b = feature(t, PERF_FEATURE_PMU_MAPPINGS);
        const void *none;
        size_t size;

        ck_assert_uint_eq(u32(&b), 5);
        ck_assert_uint_eq(u32(&b), 12);
        ck_assert_str_eq(string(&b), "armv9");
        ck_assert_uint_eq(u32(&b), 10);
        ck_assert_str_eq(string(&b), "cpu_atom");
        ck_assert_uint_eq(u32(&b), 4);
        ck_assert_str_eq(string(&b), "cpu_core");

        b = feature(t, PERF_FEATURE_HYBRID_TOPOLOGY);
        ck_assert_uint_eq(u32(&b), 2);
        ck_assert_str_eq(string(&b), "cpu_atom");
        ck_assert_str_eq(string(&b), "2-3,5");
        ck_assert_str_eq(string(&b), "cpu_core");
        ck_assert_str_eq(string(&b), "0-1");

        b = feature(t, PERF_FEATURE_PMU_CAPS);
        ck_assert_uint_eq(u32(&b), 3);
        ck_assert_uint_eq(u32(&b), 1);
        ck_assert_str_eq(string(&b), "max_precise");
        ck_assert_str_eq(string(&b), "2");
        ck_assert_str_eq(string(&b), "cpu_atom");
        ck_assert_uint_eq(u32(&b), 2);
        ck_assert_str_eq(string(&b), "branches");
        ck_assert_str_eq(string(&b), "32");
        ck_assert_str_eq(string(&b), "max_precise");
        ck_assert_str_eq(string(&b), "3");
        ck_assert_str_eq(string(&b), "cpu_core");
        ck_assert_uint_eq(u32(&b), 1); /* not hybrid: last */
        ck_assert_str_eq(string(&b), "precision");
        ck_assert_str_eq(string(&b), "1");
        ck_assert_str_eq(string(&b), "armv9");
        ck_assert_uint_eq(b.left, 0);
        ck_assert(!feature_table_get(t, PERF_FEATURE_CPU_PMU_CAPS, &none, &size));
}
END_TEST

START_TEST(what_is_missing_is_left_out) {
        _cleanup_feature_table_free_ FeatureTable *t = read_machine("no-such-machine");
        const void *none;
        size_t size;

        for (unsigned i = 1; i < _PERF_FEATURE_MAX; i++)
                ck_assert(feature_table_get(t, i, &none, &size) == (i == PERF_FEATURE_BPF_PROG_INFO || i == PERF_FEATURE_BPF_BTF));
}
END_TEST

START_TEST(this_machine) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        struct utsname u;

        ck_assert_ok(feature_table_new(&t));
        ck_assert_ok(feature_table_add_machine(t, NULL));
        ck_assert_int_eq(uname(&u), 0);
        assert_string(t, PERF_FEATURE_HOSTNAME, u.nodename);
        assert_string(t, PERF_FEATURE_OSRELEASE, u.release);
        assert_string(t, PERF_FEATURE_ARCH, u.machine);
}
END_TEST

TEST_RUN("feature-machine", names, cpu_topology, caches, no_caches, nodes, memory_blocks, pmus, what_is_missing_is_left_out,
         this_machine);
