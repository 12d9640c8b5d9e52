/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "loop.h"

/* BPF programs whose output is a trigger, from an object file as clang makes it. */
typedef struct TriggerBpf TriggerBpf;

#define TRIGGER_BPF_PAUSE (100 * USEC_PER_MSEC) /* after an output; outputs in the meantime are read at its end */

typedef struct TriggerBpfOptions {
        const char *file; /* "FILE[:MAP]"; only borrowed for trigger_bpf_new() */
        /* detail: the first output as text. n: the outputs since the last call. */
        int (*fired)(void *userdata, const char *detail, unsigned n);
        void *userdata;
        const char *library; /* NULL: BPF_LIBRARY */
} TriggerBpfOptions;

/* Loads all programs of the file, attaches each as its section says, and reads the map: a ring buffer or an array of perf
 * events. Without MAP the file must have exactly one. On failure d says why. */
int trigger_bpf_new(const TriggerBpfOptions *options, Loop *loop, TriggerBpf **ret, Diagnosis *d);
TriggerBpf *trigger_bpf_free(TriggerBpf *t); /* before its loop; detaches and unloads the programs */
DEFINE_CLEANUP(TriggerBpf *, trigger_bpf_free);

/* Reads the outputs that have come by now; calls fired() once if there were any. */
int trigger_bpf_look(TriggerBpf *t);

/* Describes an output in a line: its text if it is one, otherwise the first bytes in hexadecimal. */
void trigger_bpf_describe(const void *data, size_t size, char *ret, size_t ret_size);
