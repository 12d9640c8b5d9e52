/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The place of a CPU in the machine, as sysfs has it: /sys/devices/system/cpu/cpuN/topology, and a link to the node. -1: it is not
 * known. */
typedef struct CpuPlace {
        int core, die, socket, node;
} CpuPlace;

/* root: the directory "system" in sysfs; NULL: that of the running system. */
CpuPlace cpu_place_read(const char *root, int cpu);
