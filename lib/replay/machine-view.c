/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The three parts of what a recording says of its machine begin and end together. */

#include "machine-view.h"

int machine_view_init(MachineView *m) {
        return code_places_init(&m->places, &m->processes);
}

void machine_view_done(MachineView *m) {
        cgroup_names_done(&m->cgroups);
        code_places_done(&m->places);
        process_view_done(&m->processes);
}

int machine_view_begin_recording(MachineView *m, const PerfDataEvent *events, size_t n) {
        cgroup_names_begin(&m->cgroups);
        return process_view_begin_recording(&m->processes, events, n);
}
