/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cgroup-names.h"
#include "code-places.h"

/* A view of the machines that recordings are of: who lives, what code is where, and which control groups there are. Numbers of
 * threads, names, places and groups are those of all recordings. Zero-initialise. */
typedef struct MachineView {
        ProcessView processes;
        CodePlaces places;
        CgroupNames cgroups;
} MachineView;

/* m must stay where it is. 0, -ENOMEM. */
int machine_view_init(MachineView *m);
void machine_view_done(MachineView *m);

/* Begins another recording. 0, -ENOMEM. */
int machine_view_begin_recording(MachineView *m, const PerfDataEvent *events, size_t n);
