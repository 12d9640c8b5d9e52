/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A CPU's directory has the numbers of its core, die and socket, and a link to its node. */

#include "cpu-place.h"

#include <dirent.h>
#include <limits.h>

#include "fd-file.h"
#include "format-text.h"
#include "strv.h"

#define SYSTEM "/sys/devices/system"
#define NUMBER_SIZE ((size_t) 32)

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
                .core = place_read_number(system, cpu, "core_id"), .die = place_read_number(system, cpu, "die_id"),
                .socket = place_read_number(system, cpu, "physical_package_id"), .node = place_read_node(system, cpu),
        };
}
