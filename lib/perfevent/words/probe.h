/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"
#include "pmu.h"

/* Probes: functions of programs (uprobes) and of the kernel (kprobes) as events, by the kernel's PMUs of these names. They
 * live as long as their descriptors. */

const char *probe_kind_to_string(ProbeKind kind); /* the PMU's name: "uprobe", "kprobe" */
ProbeKind probe_kind_from_string(const char *s);

/* A place as somebody named it. */
typedef struct ProbePlace {
        ProbeKind kind;
        char *path;      /* of the program or library; PROBE_KERNEL: NULL */
        char *symbol;    /* NULL: offset alone says it */
        uint64_t offset; /* from the symbol; without one: in the file, or an address of the kernel */
        bool is_return;  /* when the function returns */
} ProbePlace;

void probe_place_done(ProbePlace *p);

/* The PMU of such probes. root NULL: PMU_DEFAULT_ROOT. -ENOENT: this kernel has none; d says what would serve. */
int probe_open_pmu(const char *root, ProbeKind kind, Pmu **ret, Diagnosis *d);

/* What perf_event_open(2) wants: the text that config1 points to (a path, a function; NULL: config2 is an address) and
 * config2. kallsyms: of the kernel's symbols, NULL: /proc/kallsyms. Errors are those of elf_file_open() and
 * elf_file_find_function(), and -EINVAL for a place where no probe may stand. */
int probe_resolve(const ProbePlace *p, const char *kallsyms, char **ret_text, uint64_t *ret_config2, Diagnosis *d);

/* Sets d to what error (a negative errno of perf_event_open(2)) means for a probe, and answers error; 0: it means what it means
 * for other events (attr_diagnose_open()). attr is what the kernel did not take. */
int probe_diagnose_open(Diagnosis *d, int error, const EventSpec *spec, const struct perf_event_attr *attr);
