/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The identity of this machine: names, numbers of CPUs, the CPUs' own descriptions. Larger features have files of
 * their own. The sources have the same text that perf 6.1 writes, although perf takes some of it from uname(2), cpuid
 * and sysconf(3). */

#include <sys/utsname.h>

#include "feature-machine.h"
#include "machine-part.h"
#include "parse-number.h"

static int put_text(FeatureTable *t, unsigned feature, const char *text) {
        ByteBuffer b = {};

        byte_buffer_put_string(&b, text);
        return feature_table_take(t, feature, &b);
}

static int add_name(FeatureTable *t, const char *root, unsigned feature, const char *path) {
        char text[MACHINE_LIST_SIZE];
        int r = machine_read(root, text, sizeof(text), "%s", path);

        return r < 0 ? r : put_text(t, feature, text);
}

/* /proc/sys/kernel/arch exists since Linux 6.1. */
static int add_architecture(FeatureTable *t, const char *root) {
        struct utsname u;
        int r = add_name(t, root, PERF_FEATURE_ARCH, "/proc/sys/kernel/arch");

        if (r != -ENOENT || *root)
                return r;
        return uname(&u) < 0 ? -errno : put_text(t, PERF_FEATURE_ARCH, u.machine);
}

static int add_number_of_cpus(FeatureTable *t, const char *root) {
        _cleanup_free_ int *online = NULL;
        size_t n_present, n_online;
        char list[MACHINE_LIST_SIZE];
        int r = machine_count_cpus(root, &n_present);

        if (r == 0)
                r = machine_read(root, list, sizeof(list), "/sys/devices/system/cpu/online");
        if (r == 0)
                r = parse_cpu_list(list, &online, &n_online);
        if (r < 0)
                return r;
        return feature_table_put(t, PERF_FEATURE_NRCPUS, (uint32_t[]) { (uint32_t) n_present, (uint32_t) n_online },
                                 2 * sizeof(uint32_t));
}

/* The value of "KEY<blanks>: VALUE", up to the end of the line; NULL: no such line. Within text. */
static char *find_value(char *text, const char *key, char **ret_end) {
        for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
                const char *rest = startswith(line, key);
                char *value;

                if (!rest)
                        continue;
                rest += strspn(rest, " \t");
                if (*rest != ':')
                        continue;
                value = line + (rest - line) + 1;
                value += strspn(value, " \t");
                *ret_end = value + strcspn(value, "\n");
                return value;
        }
        return NULL;
}

/* A copy of the value with runs of blanks made one, as perf does. */
static int read_value(const char *cpuinfo, const char *key, char *buf, size_t size) {
        char *end, *value = find_value((char *) cpuinfo, key, &end);
        size_t n = 0;

        if (!value)
                return -ENODATA;
        for (; value < end && n + 1 < size; value++)
                if (*value != ' ' || n == 0 || buf[n - 1] != ' ')
                        buf[n++] = *value;
        buf[n] = '\0';
        return 0;
}

static int add_cpu_description(FeatureTable *t, const char *cpuinfo) {
        /* x86, most others; arm; powerpc; sh */
        static const char *const keys[] = { "model name", "Processor", "cpu", "cpu type" };
        char value[256];

        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (read_value(cpuinfo, keys[i], value, sizeof(value)) == 0)
                        return put_text(t, PERF_FEATURE_CPUDESC, value);
        return -ENODATA;
}

/* x86: vendor, family, model, stepping; arm64: the main id register of the first CPU. */
static int add_cpu_id(FeatureTable *t, const char *root, const char *cpuinfo) {
        char vendor[64], family[32], model[32], stepping[32], id[256];

        if (read_value(cpuinfo, "vendor_id", vendor, sizeof(vendor)) == 0 &&
            read_value(cpuinfo, "cpu family", family, sizeof(family)) == 0 &&
            read_value(cpuinfo, "model", model, sizeof(model)) == 0 &&
            read_value(cpuinfo, "stepping", stepping, sizeof(stepping)) == 0) {
                (void) snprintf(id, sizeof(id), "%s,%s,%s,%s", vendor, family, model, stepping);
                return put_text(t, PERF_FEATURE_CPUID, id);
        }
        return add_name(t, root, PERF_FEATURE_CPUID, "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
}

/* The first CPU is enough, and the kernel takes milliseconds to print all of them on large machines: hence one short read. */
static int add_cpu_names(FeatureTable *t, const char *root) {
        char cpuinfo[2048];
        int r, q;

        r = machine_read(root, cpuinfo, sizeof(cpuinfo), "/proc/cpuinfo");
        if (r < 0)
                return r;
        r = add_cpu_description(t, cpuinfo);
        q = add_cpu_id(t, root, cpuinfo);
        return r == -ENOMEM ? r : q;
}

int feature_table_add_machine(FeatureTable *t, const char *root) {
        static int (*const parts[])(FeatureTable *t, const char *root) = {
                add_architecture,          add_number_of_cpus,        add_cpu_names,
                machine_add_total_memory,  machine_add_cpu_topology,  machine_add_numa_topology,
                machine_add_pmus,          machine_add_caches,        machine_add_memory_topology,
        };
        static const uint32_t none = 0;
        int r;

        root = root ?: "";
        if (add_name(t, root, PERF_FEATURE_HOSTNAME, "/proc/sys/kernel/hostname") == -ENOMEM ||
            add_name(t, root, PERF_FEATURE_OSRELEASE, "/proc/sys/kernel/osrelease") == -ENOMEM)
                return -ENOMEM;
        for (size_t i = 0; i < ELEMENTSOF(parts); i++) {
                r = parts[i](t, root);
                if (r == -ENOMEM)
                        return r;
        }
        /* perf 6.1 puts these with a count of 0 if there are no BPF programs. A caller that knows programs replaces them. */
        r = feature_table_put(t, PERF_FEATURE_BPF_PROG_INFO, &none, sizeof(none));
        return r < 0 ? r : feature_table_put(t, PERF_FEATURE_BPF_BTF, &none, sizeof(none));
}
