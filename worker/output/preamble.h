/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-catalog.h"
#include "event-set.h"
#include "parse-time.h"
#include "record.h"
#include "synthesis.h"

/* The records that each file begins with: the relations of events, CPUs and threads, and the side band. */
typedef struct PreambleOptions {
        const EventSet *set;
        const Target *target;
        pid_t command;      /* before its exec: only its name is put */
        pid_t command_runs; /* after its exec: its maps too, for a file that is begun later */
        usec_t map_timeout; /* for the mappings of one process; 0: no limit */
        const BpfCatalog *programs; /* NULL: no records of BPF */
        bool no_bpf_event;          /* only the programs' functions */
        uint64_t interval;  /* ms between two readings of a set that counts */
        bool event_names;   /* for readers of a stream, which has no header with names */
        const char *root;   /* prefix of "/proc"; "" for the real one */
        const pid_t *processes; /* of preamble_put_processes() */
        size_t n_processes;
        SynthesisLeftOut left_out; /* called for processes with more mappings than their share; may be NULL */
        void *userdata;     /* of left_out */
} PreambleOptions;

/* Appends them to b, in perf's order. */
int preamble_put(const PreambleOptions *o, RecordBuffer *b);

/* The two halves of that, for flight recorders, which need the second one only once. */
int preamble_put_events(const PreambleOptions *o, RecordBuffer *b);   /* the relations of events, CPUs and threads */
int preamble_put_sideband(const PreambleOptions *o, RecordBuffer *b); /* kernel, programs, control groups, processes */
int preamble_put_modules(const PreambleOptions *o, RecordBuffer *b);  /* a part of the second half: only the kernel's modules */
int preamble_put_processes(const PreambleOptions *o, RecordBuffer *b); /* and only some processes */
int preamble_put_cgroups(const PreambleOptions *o, RecordBuffer *b); /* and only the control groups, if they are recorded */

bool preamble_needs_kernel(const EventSet *set); /* any event sees the kernel */
