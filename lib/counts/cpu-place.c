/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A CPU's directory in sysfs has the numbers of its core, die and socket, and a link to its node. In a recording, CPU_TOPOLOGY has
 * two lists of lists, the numbers of core and socket of each CPU, and, since Linux 5.3, a list of lists and the die of each CPU;
 * NUMA_TOPOLOGY has the CPUs of each node (perf.data-file-format.txt of Linux 6.1). */

#include "cpu-place.h"

#include <dirent.h>
#include <limits.h>

#include "array.h"
#include "fd-file.h"
#include "feature-cursor.h"
#include "format-text.h"
#include "parse-number.h"
#include "strv.h"

#define SYSTEM "/sys/devices/system"
#define NUMBER_SIZE ((size_t) 32)
#define NODES_MAX 4096u /* four times as many as kernels have */

static int place_read_number(const char *root, int cpu, const char *name) {
        _cleanup_free_ char *path = format_text("%s/cpu/cpu%d/topology/%s", root, cpu, name), *text = NULL;
        char *end;
        size_t n;
        long number;

        if (!path || read_file(path, NUMBER_SIZE, &text, &n) < 0)
                return -1;
        number = strtol(text, &end, 10);
        return end == text || number < 0 || number > INT_MAX ? -1 : (int) number;
}

static int place_read_node(const char *root, int cpu) {
        _cleanup_free_ char *path = format_text("%s/cpu/cpu%d", root, cpu);
        _cleanup_closedir_ DIR *dir = path ? opendir(path) : NULL;
        int node = -1;

        for (const struct dirent *d; dir && node < 0 && (d = readdir(dir));) {
                const char *number = startswith(d->d_name, "node");

                if (number && *number >= '0' && *number <= '9')
                        node = atoi(number);
        }
        return node;
}

CpuPlace cpu_place_read(const char *root, int cpu) {
        const char *system = root ?: SYSTEM;

        return (CpuPlace) {
                .core = place_read_number(system, cpu, "core_id"), .die = MAX_OF(place_read_number(system, cpu, "die_id"), 0),
                .socket = place_read_number(system, cpu, "physical_package_id"), .node = place_read_node(system, cpu),
        };
}

static bool skip_lists(FeatureCursor *c) {
        uint32_t n;

        if (!feature_cursor_u32(c, &n))
                return false;
        for (; n > 0 && feature_cursor_string(c); n--)
                ;
        return n == 0;
}

/* Reads word number at of the words that begin there; -1: it has no such word. */
static int word_at(FeatureCursor c, uint64_t at) {
        uint32_t word;

        return feature_cursor_take(&c, at * sizeof(word)) && feature_cursor_u32(&c, &word) ? (int) word : -1;
}

static void places_take_nodes(const PerfDataReader *recording, const int *cpus, size_t n, CpuPlace *places) {
        uint32_t left, node;
        FeatureCursor c;

        if (feature_cursor_init(&c, recording, PERF_FEATURE_NUMA_TOPOLOGY) < 0 || !feature_cursor_u32(&c, &left))
                return;
        for (left = MIN_OF(left, NODES_MAX); left > 0; left--) {
                _cleanup_free_ int *list = NULL;
                const char *text = NULL;
                size_t n_list;

                if (feature_cursor_u32(&c, &node) && feature_cursor_take(&c, 2 * sizeof(uint64_t))) /* its memory */
                        text = feature_cursor_string(&c);
                if (!text)
                        return;
                if (parse_cpu_list(text, &list, &n_list) < 0)
                        continue;
                for (size_t i = 0; i < n_list; i++) {
                        size_t at = LOWER_BOUND(n, k, cpus[k] < list[i]);

                        if (at < n && cpus[at] == list[i])
                                places[at].node = (int) node;
                }
        }
}

int cpu_places_recorded(const PerfDataReader *recording, const int *cpus, size_t n, CpuPlace **ret) {
        CpuPlace *places;
        uint32_t n_cpus;
        FeatureCursor c, numbers, dies;
        bool has_dies;

        if (feature_cursor_init(&c, recording, PERF_FEATURE_NRCPUS) < 0 || !feature_cursor_u32(&c, &n_cpus) ||
            feature_cursor_init(&numbers, recording, PERF_FEATURE_CPU_TOPOLOGY) < 0 || !skip_lists(&numbers) ||
            !skip_lists(&numbers))
                return -ENODATA;
        places = calloc(n + 1, sizeof(*places));
        if (!places)
                return -ENOMEM;
        dies = numbers;
        has_dies = feature_cursor_take(&dies, UINT64_C(2) * sizeof(uint32_t) * n_cpus) && skip_lists(&dies);
        for (size_t i = 0; i < n; i++) {
                places[i] = (CpuPlace) { -1, -1, -1, -1 };
                if (cpus[i] < 0 || (uint32_t) cpus[i] >= n_cpus)
                        continue;
                places[i].core = word_at(numbers, 2 * (uint64_t) cpus[i]);
                places[i].socket = word_at(numbers, 2 * (uint64_t) cpus[i] + 1);
                places[i].die = has_dies ? MAX_OF(word_at(dies, (uint64_t) cpus[i]), 0) : 0;
        }
        places_take_nodes(recording, cpus, n, places);
        *ret = places;
        return 0;
}
