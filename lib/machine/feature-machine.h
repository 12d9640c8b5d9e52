/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "feature.h"

/* The features that describe the machine: HOSTNAME, OSRELEASE, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM, CPU_TOPOLOGY,
 * NUMA_TOPOLOGY, PMU_MAPPINGS, CACHE, MEM_TOPOLOGY, CPU_PMU_CAPS, HYBRID_TOPOLOGY, PMU_CAPS, each as perf 6.1 writes
 * it. They are read from root/proc and root/sys (root "" or NULL: the machine's own), so call it once, at the end.
 * Features that cannot be read are left out. Returns 0, or -ENOMEM. */
int feature_table_add_machine(FeatureTable *t, const char *root);
