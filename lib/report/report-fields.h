/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-cell.h"

/* The columns that a report can have, each a row of the table in report-fields.c: numbers in perf's order, then the keys in the
 * order in which JSON has them. */
typedef enum ReportField {
        REPORT_FIELD_CHILDREN, REPORT_FIELD_OVERHEAD, REPORT_FIELD_SYSTEM, REPORT_FIELD_USER, REPORT_FIELD_LATENCY,
        REPORT_FIELD_SAMPLES, REPORT_FIELD_PERIOD,
        REPORT_FIELD_KEYS, /* from here on */
        REPORT_FIELD_COMM = REPORT_FIELD_KEYS, REPORT_FIELD_PID, REPORT_FIELD_DSO, REPORT_FIELD_SYMBOL, REPORT_FIELD_CPU,
        REPORT_FIELD_TIME, REPORT_FIELD_CGROUP, REPORT_FIELD_UNIT, REPORT_FIELD_CONTAINER, REPORT_FIELD_HOST,
        REPORT_FIELD_PARALLELISM, REPORT_FIELD_SOURCE_LINE, REPORT_FIELD_SOURCE_FILE, REPORT_FIELD_TRACE, REPORT_FIELD_PARENT,
        /* what only some events record */
        REPORT_FIELD_WEIGHT, REPORT_FIELD_LOCAL_WEIGHT, REPORT_FIELD_INSTRUCTION, REPORT_FIELD_LOCAL_INSTRUCTION,
        REPORT_FIELD_STAGE, REPORT_FIELD_LOCAL_STAGE, REPORT_FIELD_RETIRE, REPORT_FIELD_LOCAL_RETIRE,
        REPORT_FIELD_MEMORY_LEVEL, REPORT_FIELD_SNOOP, REPORT_FIELD_LOCKED, REPORT_FIELD_TLB, REPORT_FIELD_BLOCKED,
        REPORT_FIELD_CACHE_LINE, REPORT_FIELD_DATA_SYMBOL, REPORT_FIELD_DATA_DSO, REPORT_FIELD_CODE_SYMBOL,
        REPORT_FIELD_PHYSICAL, REPORT_FIELD_DATA_PAGE, REPORT_FIELD_CODE_PAGE, REPORT_FIELD_TRANSACTION,
        REPORT_FIELD_DSO_FROM, REPORT_FIELD_DSO_TO, REPORT_FIELD_SYMBOL_FROM, REPORT_FIELD_SYMBOL_TO, REPORT_FIELD_LINE_FROM,
        REPORT_FIELD_LINE_TO, REPORT_FIELD_ADDRESS_FROM, REPORT_FIELD_ADDRESS_TO, REPORT_FIELD_MISPREDICTED,
        REPORT_FIELD_ABORT, REPORT_FIELD_IN_TRANSACTION, REPORT_FIELD_CYCLES,
        /* measures of the place that was hit */
        REPORT_FIELD_ADDRESS, REPORT_FIELD_SYMBOL_SIZE, REPORT_FIELD_DSO_SIZE,
        _REPORT_FIELD_MAX,
        REPORT_FIELD_TRACES = _REPORT_FIELD_MAX, /* + a number of TraceColumns; of trace_words, before report_keys_complete() */
        _REPORT_FIELD_INVALID = -EINVAL,
} ReportField;

_Static_assert(_REPORT_FIELD_MAX <= 64, "a field is a bit of ReportPlan");

const ReportFieldType *report_field_type(ReportField field);

/* Returns the field of a word of --sort and --fields; -EINVAL: it is none, but may be one of a tracepoint. */
ReportField report_field_from_word(const char *word);

static inline bool report_field_is_number(ReportField field) {
        return field < REPORT_FIELD_KEYS;
}

/* Fields of tracepoints are in the label. */
static inline bool report_field_is_trace(ReportField field) {
        return field >= REPORT_FIELD_TRACES;
}

static inline bool report_field_is(ReportField field, ReportFieldFlag flag) {
        return report_field_type(field)->flags & flag;
}

/* Returns what a column has of an entry of its report. */
ReportCell report_cell(const ReportColumns *c, ReportField field, const ReportEntry *e);

/* Is the ReportValueOf of reports. */
ReportValue report_field_value(const Report *report, unsigned field, const ReportEntry *e);
