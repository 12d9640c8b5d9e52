/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "diagnosis.h"

/* Performance monitoring units as sysfs shows them (Documentation/ABI/testing/sysfs-bus-event_source-devices-*): their
 * type, the bits of their terms, their named events, the CPUs to open them on. */

#define PMU_DEFAULT_ROOT "/sys/bus/event_source/devices"
#define PMU_FORMATS_MAX 256

typedef struct PmuFormat {
        char *name;
        unsigned word;    /* 0: config, 1: config1, … below PMU_WORDS */
        uint64_t bits;    /* the bits for the value, lowest first */
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

/* The words that terms fill: config, config1, config2, and config3 if the kernel has it. */
#ifdef PERF_ATTR_SIZE_VER8
#define PMU_WORDS 4
#else
#define PMU_WORDS 3
#endif

/* Adds value to the bits of the term: perf ORs the values of a term that is given twice, or by a named event and
 * again. -ENOENT: no such term, -ERANGE: it is too large for the bits. */
int pmu_set_term(const Pmu *p, const char *term, uint64_t value, uint64_t words[static PMU_WORDS]);
bool pmu_has_term(const Pmu *p, const char *term);

/* Returns the largest value of the term, 0 if there is no such term. */
uint64_t pmu_term_max(const Pmu *p, const char *term);

/* Returns the names of the terms, "event,umask,…", for messages. */
char *pmu_list_terms(const Pmu *p);

/* A named event: its terms, and the unit of its counts, if the PMU has one. */
typedef struct PmuAlias {
        char *terms;      /* "event=0x3c,umask=0x01"; a value of "?" must be given with it */
        char *unit;       /* "MiB", or NULL */
        double scale;     /* of a count to that unit; 1 if not set */
} PmuAlias;

/* Ignores case, as perf does. -ENOENT. */
int pmu_read_alias(const Pmu *p, const char *alias, PmuAlias *ret);
void pmu_alias_done(PmuAlias *a);

/* Lists the names of the PMU's events, for messages and lists; sorted. */
int pmu_list_aliases(const Pmu *p, char ***ret);

/* Finds the PMUs that a name stands for, in the directory's order, as perf does: the one of that name, otherwise all
 * that are called NAME_0, NAME_1, …, or uncore_NAME. -ENOENT: none. */
int pmu_find(const char *root, const char *name, char ***ret);

/* Finds all PMUs that have an event of that name ("mem-loads"), for names without a PMU. -ENOENT. */
int pmu_find_alias(const char *root, const char *alias, char ***ret);

/* Finds the PMUs of a hybrid machine (cpu_core, cpu_atom), each on some of its CPUs. None is no error. */
int pmu_find_hybrid(const char *root, char ***ret);
bool pmu_is_hybrid(const char *root, const char *name);

/* Lists the names of all PMUs, for messages; sorted. */
int pmu_list(const char *root, char ***ret);
