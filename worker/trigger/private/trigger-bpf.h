/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "loop.h"

/* Programs of the kernel's whose output causes a dump: an object file as clang makes it for BPF. */
typedef struct TriggerBpf TriggerBpf;

#define TRIGGER_BPF_PAUSE (100 * USEC_PER_MSEC) /* after an output; what comes meanwhile is seen then */

typedef struct TriggerBpfOptions {
        const char *file; /* "FILE[:MAP]"; borrowed during the opening */
        /* detail: what the first output said. n: how many there were since the last call. */
        int (*fired)(void *userdata, const char *detail, unsigned n);
        void *userdata;
        const char *library; /* NULL: BPF_LIBRARY */
} TriggerBpfOptions;

/* Loads all programs of the file, attaches each to what its section names, and reads the map: a ring buffer or an array of
 * perf events. Without MAP it is the one there is. On failure d says why. */
int trigger_bpf_new(const TriggerBpfOptions *options, Loop *loop, TriggerBpf **ret, Diagnosis *d);
TriggerBpf *trigger_bpf_free(TriggerBpf *t); /* before its loop; takes the programs back */
DEFINE_CLEANUP(TriggerBpf *, trigger_bpf_free);

/* Reads what has come by now; calls fired() once if there was something. */
int trigger_bpf_look(TriggerBpf *t);

/* An output as a line: its text if it is one, else the first bytes in hexadecimal. */
void trigger_bpf_describe(const void *data, size_t size, char *ret, size_t ret_size);
