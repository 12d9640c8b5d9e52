/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Opens the events again, since the control group or the CPUs that they were opened for have changed. A file has the
 * ids of the events that it began with, so the open file is finished with a timestamp (a flight recorder dumps its
 * memory), and then the new events are enabled, with a new recording. If the new events can't be opened, or the file
 * can't be finished, the recording goes on as it was. */

#include "recorder.h"

#include "log.h"

/* The new events' file is begun before any of their rings is read. */
static int recorder_replace_set(Recorder *r, EventSet *set) {
        FlightMemory memory = FLIGHT_MEMORY_EMPTY;
        int q;

        r->recording = recording_free(r->recording);
        r->watch = ring_watch_free(r->watch);
        r->files.description = file_description_free(r->files.description);
        event_set_free(r->set);
        r->set = set;
        q = recorder_describe(r);
        if (q >= 0)
                q = recording_new(r, &memory, &r->recording);
        if (q >= 0)
                q = recorder_watch_rings(r);
        if (q >= 0 && recording_begin(r->recording) == -ENOMEM) /* after another failure it is begun when there are samples */
                q = -ENOMEM;
        return q < 0 ? q : recorder_arm_switch_timer(r);
}

/* No sample is in both files, and no time is missing while the first one is written. */
static int switch_events(EventSet *from, EventSet *to) {
        int q = event_set_enable(from, NULL, false);

        return q < 0 ? q : event_set_enable(to, NULL, true);
}

int recorder_reopen(Recorder *r, const char *trigger, const char *detail) {
        const DumpOrder order = recording_own_order(r, trigger, detail);
        _cleanup_(event_set_freep) EventSet *set = NULL;
        bool enabled = event_set_is_enabled(r->set);
        int q = recorder_open_events(r, &set);

        if (q >= 0)
                q = recording_finish_dumps(r->recording);
        if (q >= 0 && enabled)
                q = switch_events(r->set, set);
        if (q >= 0)
                q = recording_split(r->recording, &order);
        if (q < 0) {
                if (enabled)
                        (void) event_set_enable(r->set, NULL, true);
                return q == -ENOMEM ? q : 0;
        }
        q = recorder_replace_set(r, steal_ptr(set));
        if (q >= 0 && enabled)
                q = recorder_enable(r, NULL, true);
        if (q >= 0)
                recorder_hand_over(r);
        return q < 0 ? q : 1;
}
