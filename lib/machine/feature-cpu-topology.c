/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* CPU_TOPOLOGY: the lists of CPUs that share a package, a core and (x86) a die, then for each CPU its numbers of
 * these. A list is only read for one CPU of each package, die and core, since it names the others, so that a machine
 * of n CPUs takes about n reads, and not 6 n as in perf. Each list of lists is in order of the lowest CPU. */

#include "machine-part.h"

#define TOPOLOGY_DIRECTORY "/sys/devices/system/cpu/cpu%zu/topology/"

/* One way of grouping the CPUs. */
typedef struct Grouping {
        const char *list_name, *old_list_name; /* the latter before Linux 5.3 */
        const char *number_name;
        bool *seen;         /* per CPU: in a list that was read */
        int32_t *numbers;   /* per CPU; -1: not known */
        ByteBuffer strings; /* the lists */
        uint32_t n_strings;
} Grouping;

static void grouping_done(Grouping *g) {
        free(g->seen);
        free(g->numbers);
        byte_buffer_done(&g->strings);
}

/* Reads the list that cpu is in, and gives the number to all CPUs in it. */
static int add_group(Grouping *g, const char *root, size_t cpu, size_t n_cpus) {
        _cleanup_free_ bool *members = NULL;
        char list[MACHINE_LIST_SIZE];
        uint64_t number;
        int r = machine_read(root, list, sizeof(list), TOPOLOGY_DIRECTORY "%s", cpu, g->list_name);

        if (r < 0 && g->old_list_name)
                r = machine_read(root, list, sizeof(list), TOPOLOGY_DIRECTORY "%s", cpu, g->old_list_name);
        if (r < 0)
                return r;
        members = calloc(n_cpus, sizeof(*members));
        if (!members)
                return -ENOMEM;
        r = machine_mark_cpus(list, members, n_cpus);
        if (r < 0)
                return r;
        byte_buffer_put_string(&g->strings, list);
        g->n_strings++;
        members[cpu] = true;
        r = machine_read_number(root, &number, TOPOLOGY_DIRECTORY "%s", cpu, g->number_name);
        for (size_t i = 0; i < n_cpus; i++) {
                g->seen[i] = g->seen[i] || members[i];
                if (r == 0 && members[i])
                        g->numbers[i] = (int32_t) number;
        }
        return g->strings.error;
}

static int read_grouping(Grouping *g, const char *root, size_t n_cpus) {
        int r = 0;

        g->seen = calloc(n_cpus, sizeof(*g->seen));
        g->numbers = calloc(n_cpus, sizeof(*g->numbers));
        if (!g->seen || !g->numbers)
                return -ENOMEM;
        memset(g->numbers, 0xff, n_cpus * sizeof(*g->numbers));
        for (size_t cpu = 0; r >= 0 && cpu < n_cpus; cpu++) {
                if (g->seen[cpu])
                        continue;
                r = add_group(g, root, cpu, n_cpus);
                if (r == -ENOENT) /* a CPU that is offline has no topology */
                        r = 0;
        }
        return r;
}

static void put_lists(ByteBuffer *b, const Grouping *g) {
        byte_buffer_put_u32(b, g->n_strings);
        byte_buffer_put(b, g->strings.data, g->strings.size);
}

int machine_add_cpu_topology(FeatureTable *t, const char *root) {
        _cleanup_(grouping_done) Grouping packages = {
                .list_name = "package_cpus_list", .old_list_name = "core_siblings_list", .number_name = "physical_package_id",
        };
        _cleanup_(grouping_done) Grouping cores = {
                .list_name = "core_cpus_list", .old_list_name = "thread_siblings_list", .number_name = "core_id",
        };
        _cleanup_(grouping_done) Grouping dies = { .list_name = "die_cpus_list", .number_name = "die_id" };
        ByteBuffer b = {};
        size_t n_cpus;
        int r = machine_count_cpus(root, &n_cpus);

        if (r >= 0)
                r = read_grouping(&packages, root, n_cpus);
        if (r >= 0)
                r = read_grouping(&cores, root, n_cpus);
        if (r >= 0)
                r = read_grouping(&dies, root, n_cpus);
        if (r < 0)
                return r;
        if (packages.n_strings == 0 || cores.n_strings == 0)
                return -ENODATA;

        put_lists(&b, &packages);
        put_lists(&b, &cores);
        for (size_t i = 0; i < n_cpus; i++) {
                byte_buffer_put_u32(&b, (uint32_t) cores.numbers[i]);
                byte_buffer_put_u32(&b, (uint32_t) packages.numbers[i]);
        }
        if (dies.n_strings > 0) {
                put_lists(&b, &dies);
                for (size_t i = 0; i < n_cpus; i++)
                        byte_buffer_put_u32(&b, (uint32_t) dies.numbers[i]);
        }
        return feature_table_take(t, PERF_FEATURE_CPU_TOPOLOGY, &b);
}
