/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"
#include "pmu.h"

/* Probes: functions of programs (uprobes) and of the kernel (kprobes) as events, by the kernel's PMUs of these names. They
 * live as long as their descriptors. */

ProbeKind probe_kind_from_string(const char *s); /* the PMU's name: "uprobe", "kprobe" */

/* A place as the user named it. */
typedef struct ProbePlace {
        ProbeKind kind;
        char *path;      /* of the program or library; PROBE_KERNEL: NULL */
        char *symbol;    /* NULL: offset only */
        uint64_t offset; /* from the symbol; without one the offset in the file, or an address of the kernel */
        bool is_return;  /* when the function returns */
} ProbePlace;

void probe_place_done(ProbePlace *p);

/* Opens the PMU of such probes. root NULL: PMU_DEFAULT_ROOT. -ENOENT: this kernel has none; d suggests others. */
int probe_open_pmu(const char *root, ProbeKind kind, Pmu **ret, Diagnosis *d);

/* Finds the values for perf_event_open(2): the text that config1 points to (a path, a function; NULL: config2 is an
 * address) and config2. kallsyms: of the kernel's symbols, NULL: /proc/kallsyms. Errors are those of elf_file_open()
 * and elf_file_find_function(), and -EINVAL for a place where a probe is not allowed. */
int probe_resolve(const ProbePlace *p, const char *kallsyms, char **ret_text, uint64_t *ret_config2, Diagnosis *d);

/* Sets d to the meaning of error (a negative errno of perf_event_open(2)) for a probe, and returns error; 0: the
 * meaning is that for other events (attr_diagnose_open()). attr is the one that the kernel refused. */
int probe_diagnose_open(Diagnosis *d, int error, const EventSpec *spec, const struct perf_event_attr *attr);
