/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* Performance monitoring units as sysfs shows them (Documentation/ABI/testing/sysfs-bus-event_source-devices-*): their
 * number, the bits of their terms, their named events, the CPUs to open them on. */

#define PMU_DEFAULT_ROOT "/sys/bus/event_source/devices"
#define PMU_FORMATS_MAX 256

typedef struct PmuFormat {
        char *name;
        unsigned word;    /* 0: config, 1: config1, 2: config2 */
        uint64_t bits;    /* where the value goes, lowest bit first */
} PmuFormat;

typedef struct Pmu {
        char *name;
        char *directory;
        uint32_t type;
        PmuFormat *formats;
        size_t n_formats;
        int *cpus;        /* cpumask or cpus; n_cpus 0: any CPU */
        size_t n_cpus;
} Pmu;

/* -ENOENT: no such PMU. root NULL: PMU_DEFAULT_ROOT. */
int pmu_open(const char *root, const char *name, Pmu **ret);
Pmu *pmu_free(Pmu *p);
DEFINE_CLEANUP(Pmu *, pmu_free);

/* Puts value into the bits of the term. words: config, config1, config2. -ENOENT: no such term, -ERANGE: it is too large
 * for the bits. */
int pmu_set_term(const Pmu *p, const char *term, uint64_t value, uint64_t words[static 3]);

/* The largest value of the term; 0 if there is no such term. */
uint64_t pmu_term_max(const Pmu *p, const char *term);

/* The text of a named event ("event=0x3c,umask=0x01"). -ENOENT. */
int pmu_read_alias(const Pmu *p, const char *alias, char **ret);

/* The first PMU that has an event of that name ("mem-loads"), for names without a PMU. -ENOENT. */
int pmu_find_alias(const char *root, const char *alias, Pmu **ret);

/* The names of the terms, "event,umask,…", for error texts. */
char *pmu_list_terms(const Pmu *p);
