/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The events are opened again because what they were opened for is another one now. A file belongs to the events that it
 * begins with, so the one that is open is finished with a timestamp, of a flight recorder one is made of all that is in memory,
 * and then the new events begin. What can't be opened or finished leaves the recording as it was: the rest of it
 * may go on. */

#include "recorder.h"

#include "log.h"

/* The new events' file is begun before anything of them is read. */
static int replace_set(Recorder *r, EventSet *set) {
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
        if (q >= 0 && recording_begin(r->recording) == -ENOMEM) /* otherwise it is begun when there are samples */
                q = -ENOMEM;
        return q < 0 ? q : recorder_arm_switch_timer(r);
}

/* No sample is in both files, and the time that it takes to write one is in the next. */
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
        q = replace_set(r, steal_ptr(set));
        if (q >= 0 && enabled)
                q = recorder_enable(r, NULL, true);
        if (q >= 0)
                recorder_hand_over(r);
        return q < 0 ? q : 1;
}
