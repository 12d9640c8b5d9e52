/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* The place of a CPU in a machine; -1: it is not known. A machine without dies has one with the number 0, as in perf. */
typedef struct CpuPlace {
        int core, die, socket, node;
} CpuPlace;

/* As sysfs has it: /sys/devices/system/cpu/cpuN/topology, and a link to the node. root: the directory "system" in sysfs; NULL: that
 * of the running system. */
CpuPlace cpu_place_read(const char *root, int cpu);

/* The places of these CPUs, which ascend, in the machine that was recorded, by CPU_TOPOLOGY and NUMA_TOPOLOGY: a new array. Broken
 * numbers are not known. -ENODATA: it has no CPU_TOPOLOGY. -ENOMEM. */
int cpu_places_recorded(const PerfDataReader *recording, const int *cpus, size_t n, CpuPlace **ret);
