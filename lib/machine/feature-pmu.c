/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* PMU_MAPPINGS, CPU_PMU_CAPS, PMU_CAPS and HYBRID_TOPOLOGY: the PMUs of sysfs by name. "cpu" is the core's PMU, its
 * capabilities have a feature of their own; hybrid machines have cpu_core and cpu_atom in its place. */

#include "fd-file.h"
#include "format-text.h"
#include "machine-part.h"
#include "strv.h"

#define PMU_DIRECTORY "/sys/bus/event_source/devices"
#define PMUS_MAX 4096u
#define CAPABILITIES_MAX 256u

static int list(const char *root, const char *pmu, const char *sub, size_t max, char ***ret) {
        _cleanup_free_ char *path = NULL;

        path = format_text("%s" PMU_DIRECTORY "%s%s%s", root, *pmu ? "/" : "", pmu, sub);
        if (!path)
                return -ENOMEM;
        return list_directory(path, max, ret);
}

static int add_mappings(FeatureTable *t, const char *root, char **pmus) {
        ByteBuffer b = {};
        uint32_t n = 0;

        byte_buffer_put_u32(&b, 0);
        STRV_FOREACH(pmu, pmus) {
                uint64_t type;

                if (machine_read_number(root, &type, PMU_DIRECTORY "/%s/type", *pmu) < 0)
                        continue;
                byte_buffer_put_u32(&b, (uint32_t) type);
                byte_buffer_put_string(&b, *pmu);
                n++;
        }
        byte_buffer_set_u32(&b, 0, n);
        return feature_table_take(t, PERF_FEATURE_PMU_MAPPINGS, &b);
}

/* Appends the count and the pairs, and returns the count. */
static int put_capabilities(ByteBuffer *b, const char *root, const char *pmu) {
        _cleanup_strv_free_ char **names = NULL;
        size_t start = b->size;
        uint32_t n = 0;
        int r = list(root, pmu, "/caps", CAPABILITIES_MAX, &names);

        if (r == -ENOMEM)
                return r;
        byte_buffer_put_u32(b, 0);
        STRV_FOREACH(name, names) {
                char value[MACHINE_LIST_SIZE];

                if (machine_read(root, value, sizeof(value), PMU_DIRECTORY "/%s/caps/%s", pmu, *name) < 0)
                        continue;
                byte_buffer_put_string(b, *name);
                byte_buffer_put_string(b, value);
                n++;
        }
        byte_buffer_set_u32(b, start, n);
        return (int) n;
}

static int add_cpu_capabilities(FeatureTable *t, const char *root) {
        ByteBuffer b = {};
        int n = put_capabilities(&b, root, "cpu");

        if (n < 0) {
                byte_buffer_done(&b);
                return n;
        }
        return feature_table_take(t, PERF_FEATURE_CPU_PMU_CAPS, &b);
}

/* Puts the PMUs that are parts of a hybrid machine, or the others, and counts them. */
static int put_capabilities_of(ByteBuffer *b, const char *root, char **pmus, bool hybrid, uint32_t *n) {
        STRV_FOREACH(pmu, pmus) {
                size_t start = b->size;
                int k;

                if (streq(*pmu, "cpu") || !!startswith(*pmu, "cpu_") != hybrid)
                        continue;
                k = put_capabilities(b, root, *pmu);
                if (k < 0)
                        return k;
                if (k == 0) {
                        b->size = start;
                        continue;
                }
                byte_buffer_put_string(b, *pmu);
                (*n)++;
        }
        return 0;
}

/* PMUs of hybrid machines come first: readers before Linux 6.0 know no others. */
static int add_capabilities(FeatureTable *t, const char *root, char **pmus) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        uint32_t n = 0;
        int r;

        byte_buffer_put_u32(&b, 0);
        r = put_capabilities_of(&b, root, pmus, true, &n);
        if (r >= 0)
                r = put_capabilities_of(&b, root, pmus, false, &n);
        if (r < 0)
                return r;
        byte_buffer_set_u32(&b, 0, n);
        return feature_table_take(t, PERF_FEATURE_PMU_CAPS, &b);
}

static int add_hybrid_topology(FeatureTable *t, const char *root, char **pmus) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        char cpus[MACHINE_LIST_SIZE];
        uint32_t n = 0;

        byte_buffer_put_u32(&b, 0);
        STRV_FOREACH(pmu, pmus) {
                if (!startswith(*pmu, "cpu_") || machine_read(root, cpus, sizeof(cpus), PMU_DIRECTORY "/%s/cpus", *pmu) < 0)
                        continue;
                byte_buffer_put_string(&b, *pmu);
                byte_buffer_put_string(&b, cpus);
                n++;
        }
        if (n == 0)
                return 0;
        byte_buffer_set_u32(&b, 0, n);
        return feature_table_take(t, PERF_FEATURE_HYBRID_TOPOLOGY, &b);
}

int machine_add_pmus(FeatureTable *t, const char *root) {
        _cleanup_strv_free_ char **pmus = NULL;
        int r = list(root, "", "", PMUS_MAX, &pmus);

        if (r < 0)
                return r;
        r = add_mappings(t, root, pmus);
        if (r >= 0 && strv_contains(pmus, "cpu"))
                r = add_cpu_capabilities(t, root);
        if (r >= 0)
                r = add_capabilities(t, root, pmus);
        return r < 0 ? r : add_hybrid_topology(t, root, pmus);
}
