/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-catalog.h"
#include "event-set.h"
#include "parse-time.h"
#include "record.h"
#include "sideband.h"

/* The records that each file begins with: how events, CPUs and threads belong together, and the side band. */
typedef struct PreambleOptions {
        const EventSet *set;
        const Target *target;
        pid_t command;      /* not executed yet: its name alone */
        pid_t command_runs; /* it was: its maps too, for a file that was begun later */
        usec_t map_timeout; /* for the mappings of one process; 0: no limit */
        const BpfCatalog *programs; /* NULL: nothing of BPF */
        bool no_bpf_event;          /* their functions only */
        bool event_names;   /* for who has no header to read them from */
        const char *root;   /* before "/proc"; "" for the real one */
        SidebandLeftOut left_out; /* is told of processes with more mappings than their share; may be NULL */
        void *userdata;     /* of that */
} PreambleOptions;

/* Appends them to b, in perf's order. */
int preamble_put(const PreambleOptions *o, RecordBuffer *b);

/* The two halves of that, for who follows the side band and so needs the second one only once. */
int preamble_put_events(const PreambleOptions *o, RecordBuffer *b);   /* how events, CPUs and threads belong together */
int preamble_put_sideband(const PreambleOptions *o, RecordBuffer *b); /* kernel, programs, control groups, processes */
int preamble_put_modules(const PreambleOptions *o, RecordBuffer *b);  /* of the second half: the kernel's modules alone */

bool preamble_needs_kernel(const EventSet *set); /* any event sees the kernel */
