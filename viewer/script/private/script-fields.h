/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "header.h"

/* The fields of a line of "script", for each type of events, as -F of perf script chooses them. */
typedef enum ScriptField {
        SCRIPT_COMM,
        SCRIPT_TID,
        SCRIPT_PID,
        SCRIPT_TIME,
        SCRIPT_CPU,
        SCRIPT_EVENT,
        SCRIPT_TRACE,
        SCRIPT_IP,
        SCRIPT_SYM,
        SCRIPT_DSO,
        SCRIPT_ADDR,
        SCRIPT_SYMOFF,
        SCRIPT_PERIOD,
        SCRIPT_IREGS,
        SCRIPT_UREGS,
        SCRIPT_WEIGHT,
        SCRIPT_BPF_OUTPUT,
        SCRIPT_PHYS_ADDR,
        SCRIPT_MISC,
        SCRIPT_TOD,
        SCRIPT_DATA_PAGE_SIZE,
        SCRIPT_CODE_PAGE_SIZE,
        SCRIPT_INS_LAT,
        SCRIPT_FLAGS,
        SCRIPT_CGROUP,
        SCRIPT_SRCLINE,
        SCRIPT_BRSTACK,
        SCRIPT_BRSTACKSYM,
        SCRIPT_BRSTACKOFF,
        SCRIPT_DATA_SRC,
        SCRIPT_RETIRE_LAT,
        SCRIPT_DSOFF,
        SCRIPT_MACHINE_PID,
        SCRIPT_VCPU,
        SCRIPT_IPC,
        SCRIPT_SYNTH,
        SCRIPT_INSN,
        SCRIPT_INSNLEN,
        SCRIPT_DISASM,
        _SCRIPT_FIELD_MAX,
        _SCRIPT_FIELD_INVALID = -EINVAL,
} ScriptField;

_Static_assert(_SCRIPT_FIELD_MAX < 64, "a field is a bit, and frame-texts.c has the last one");

#define SCRIPT_FIELD(field) (UINT64_C(1) << SCRIPT_##field)

#define SCRIPT_INSTRUCTIONS (SCRIPT_FIELD(INSN) | SCRIPT_FIELD(INSNLEN) | SCRIPT_FIELD(DISASM))

/* The kernel's types of events, and one for those of all other PMUs. */
#define SCRIPT_TYPES (PERF_TYPE_MAX + 1u)

typedef struct ScriptTypeFields {
        uint64_t fields;
        uint64_t wanted;  /* by name */
        bool chosen;      /* any by name */
} ScriptTypeFields;

typedef struct ScriptFields {
        ScriptTypeFields types[SCRIPT_TYPES];
} ScriptFields;

/* The defaults are perf's. */
void script_fields_init(ScriptFields *f);

/* Parses "[TYPE:]FIELD,…", each with + or -, or none. 0, -ENOMEM; -EINVAL: an error was printed. */
int script_fields_parse(ScriptFields *f, const char *words);

/* Leaves out what samples of the first event of each type do not have. chains: call chains are shown. 0; -EINVAL: a
 * field that was chosen by name is not there, and an error was printed. */
int script_fields_check(ScriptFields *f, const PerfDataEvent *events, size_t n_events, bool chains);

/* True if any type of events has the field. */
bool script_fields_have(const ScriptFields *f, ScriptField field);

uint64_t script_fields_of(const ScriptFields *f, const struct perf_event_attr *attr);

/* True if the address of samples is one of memory that a symbol may be at. */
bool script_fields_has_data_place(const struct perf_event_attr *attr);
