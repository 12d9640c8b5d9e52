/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"
#include "pmu.h"

/* Probes: functions of programs (uprobes) and of the kernel (kprobes) as events, by the kernel's PMUs of these names. They
 * live as long as their descriptors. */

ProbeKind probe_kind_from_string(const char *s); /* the PMU's name: "uprobe", "kprobe" */

/* A place as the user named it. */
struct ProbePlace {
        ProbeKind kind;
        char *path;      /* of the program or library; PROBE_KERNEL: NULL */
        char *symbol;    /* NULL: offset only */
        uint64_t offset; /* from the symbol; without one the offset in the file, or an address of the kernel */
        bool is_return;  /* when the function returns */
        uint64_t file, opened; /* probe_file() of the path when the place was found, and of what was opened */
};

void probe_place_done(ProbePlace *p);
ProbePlace *probe_place_free(ProbePlace *p);

/* Opens the PMU of such probes. root NULL: PMU_DEFAULT_ROOT. -ENOENT: this kernel has none; d suggests others. */
int probe_open_pmu(const char *root, ProbeKind kind, Pmu **ret, Diagnosis *d);

/* Finds the values for perf_event_open(2): the text that config1 points to (a path, a function; NULL: config2 is an
 * address) and config2. kallsyms: of the kernel's symbols, NULL: /proc/kallsyms. Errors are those of elf_file_open()
 * and elf_file_find_function(), and -EINVAL for a place where a probe is not allowed. */
int probe_resolve(const ProbePlace *p, const char *kallsyms, char **ret_text, uint64_t *ret_config2, Diagnosis *d);

/* Returns what tells the file that a path leads to now from others, and from itself with another content; 0: there is none. */
uint64_t probe_file(const char *path);

/* A uprobe stays in the file that it was opened for. These are about those whose path leads to another file now, by an update of
 * the program. probes_replaced() returns the path of the first, NULL: none, and mixes what the paths lead to now into *files.
 * probes_renew() finds their places again, for events that are opened next: the kernel puts the breakpoint where it is told to.
 * 0, or the errors of probe_resolve(); -ESTALE: the place is an offset, which has no meaning in another file. probes_opened()
 * notes that these events are in use. */
const char *probes_replaced(const EventSpecs *l, uint64_t *files);
int probes_renew(EventSpecs *l, Diagnosis *d);
void probes_opened(EventSpecs *l);

/* Sets d to the meaning of error (a negative errno of perf_event_open(2)) for a probe, and returns error; 0: the
 * meaning is that for other events (attr_diagnose_open()). attr is the one that the kernel refused. */
int probe_diagnose_open(Diagnosis *d, int error, const EventSpec *spec, const struct perf_event_attr *attr);
