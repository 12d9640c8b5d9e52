/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "format.h"
#include "header.h"

/* The fields that attr.sample_type asked for, of a sample or of the trailer of another record. Fields that the type
 * lacks are 0; pointers lead into the record. */
typedef struct PerfSample {
        uint64_t sample_type; /* which of the fields count */
        uint64_t id;          /* IDENTIFIER or ID */
        uint64_t ip;
        uint32_t pid, tid;
        uint64_t time;
        uint64_t address;
        uint64_t stream_id;
        uint32_t cpu;
        uint64_t period;
        const uint64_t *read; /* READ: n_read words in attr.read_format's layout */
        size_t n_read;
        const uint64_t *callchain; /* with PERF_CONTEXT_* markers */
        size_t n_callchain;
        const void *raw;
        uint32_t raw_size;
        const struct perf_branch_entry *branches;
        size_t n_branches;
        uint64_t branch_index; /* hw_idx: the CPU's number of the newest, with BRANCH_HW_INDEX */
        const uint64_t *branch_counters; /* one per branch, with BRANCH_COUNTERS, otherwise NULL */
        uint64_t user_abi, intr_abi;
        const uint64_t *user_registers, *intr_registers;
        size_t n_user_registers, n_intr_registers;
        const void *stack;
        uint64_t stack_size; /* bytes of it that were dumped */
        const uint64_t *user; /* the n_user words of user_abi, user_registers and the stack */
        size_t n_user;
        uint64_t weight; /* of WEIGHT, or the three parts of WEIGHT_STRUCT */
        uint64_t data_source, transaction, physical_address, cgroup, data_page_size, code_page_size;
        const void *aux;
        uint64_t aux_size;
} PerfSample;

/* Parses a PERF_RECORD_SAMPLE, of which record->size bytes are readable. -EBADMSG: its fields do not fit into that size. */
int sample_parse(const struct perf_event_attr *attr, const struct perf_event_header *record, PerfSample *ret);

/* Parses the trailer of any other kernel record, if attr.sample_id_all; -ENODATA: it has none; -EBADMSG. */
int sample_parse_trailer(const struct perf_event_attr *attr, const struct perf_event_header *record, PerfSample *ret);
