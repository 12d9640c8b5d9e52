/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "feature.h"

/* The parts of feature-machine.c, and their functions to read /proc and /sys. Each part puts its features, or returns
 * an error; no feature is put incompletely. root is a prefix, "" for the machine's own files. */

/* Reads the start of a file, at most size - 1 bytes, in one read (more than a page of /sys is never needed), without
 * its final newline. The path is formatted. 0 or an error of open(2) or read(2). */
int machine_read(const char *root, char *buf, size_t size, const char *format, ...) _printf_(4, 5);
int machine_read_number(const char *root, uint64_t *ret, const char *format, ...) _printf_(3, 4);

/* One more than the highest CPU that is present; -ENOENT, -EINVAL … */
int machine_count_cpus(const char *root, size_t *ret);

/* Marks the CPUs of a list "0-3,8" in an array of n. */
int machine_mark_cpus(const char *list, bool *cpus, size_t n);

int machine_add_cpu_topology(FeatureTable *t, const char *root);
int machine_add_caches(FeatureTable *t, const char *root);
int machine_add_total_memory(FeatureTable *t, const char *root);
int machine_add_numa_topology(FeatureTable *t, const char *root);
int machine_add_memory_topology(FeatureTable *t, const char *root);
int machine_add_pmus(FeatureTable *t, const char *root); /* PMU_MAPPINGS, CPU_PMU_CAPS, PMU_CAPS, HYBRID_TOPOLOGY */

#define MACHINE_LIST_SIZE 4096u /* bytes of a CPU list or any other small file, one page */
