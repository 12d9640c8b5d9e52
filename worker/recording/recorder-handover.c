/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A flight recording outlives its process: its descriptor set is handed to the daemon (handover.c), and a successor
 * begins with it (takeover.c). It takes over the events, the samples in their rings or in the history, the positions
 * up to which they were dumped, and the side band. A set that does not fit is dropped as a whole, and the recording
 * begins as any other.
 *
 * A command's events are not handed over, since the command is the recorder's own child; nor are events that are
 * enabled later or at times, since the times count from the start. */

#include "recorder.h"

#include <perf-recorder/dump-facts.h>
#include "log.h"

static bool recorder_may_outlive(const Recorder *r) {
        return !target_is_command(&r->options->target) && !enable_times_delay(&r->options->enable_times);
}

int recorder_open_handover(Recorder *r) {
        int q = handover_new(r->loop, r->notifier, r->command_line, &r->handover);

        if (q >= 0)
                q = takeover_new(r->notifier, r->command_line, &r->takeover);
        return q < 0 ? log_diagnosis(NULL, q, "The previous recorder's rings can't be taken over") : 0;
}

int recorder_take_over(Recorder *r, EventSet **ret, FlightMemory *ret_memory) {
        _cleanup_(event_set_freep) EventSet *set = NULL;
        int q;

        if (!r->takeover)
                return 0;
        if (!recorder_may_outlive(r) || !recording_wants_flight(r)) {
                takeover_refuse(r->takeover, "this recording is of another kind");
                r->takeover = takeover_free(r->takeover);
                return 0;
        }
        q = takeover_events(r->takeover, &r->options->events, &r->lending.all, &set);
        if (q >= 0) {
                q = flight_memory_take_over(ret_memory, r->takeover, set, r->files.place.dir_fd, r->options->history_size > 0);
                if (q < 0 && q != -ENOMEM) {
                        set = event_set_free(set);
                        takeover_refuse(r->takeover, strerror(-q));
                }
        }
        if (q == -ENOMEM)
                return log_diagnosis(NULL, q, "The previous recorder's rings can't be taken over");
        if (q < 0) {
                r->takeover = takeover_free(r->takeover);
                return 0;
        }
        log_info("Taking over from the previous recorder: %s", takeover_ended(r->takeover));
        counters_set(&r->counters->page->ring_bytes, event_set_ring_bytes(set));
        *ret = steal_ptr(set);
        return 1;
}

/* A failure does not end the recording: it only matters to a successor. */
void recorder_hand_over(Recorder *r) {
        int files[] = HANDOVER_FILES_NONE, q;

        if (!r->handover)
                return;
        if (!recorder_may_outlive(r) || !recording_hand_over(r->recording, files)) {
                handover_withdraw(r->handover);
                return;
        }
        q = handover_set(r->handover, r->set, files);
        if (q < 0)
                log_warning("The rings can't be handed over: %s", strerror(-q));
}

/* Dumps the samples of the previous recorder at once: only a file makes them safe. */
int recorder_dump_of_predecessor(Recorder *r) {
        Trigger trigger = TRIGGER(PR_TRIGGER_RECORDER);
        int q;

        if (!r->takeover)
                return 0;
        trigger.request.detail = takeover_ended(r->takeover);
        trigger.request.has_delay = true;
        q = triggers_fire(r->triggers, &trigger);
        r->takeover = takeover_free(r->takeover);
        return q < 0 ? q : triggers_run(r->triggers);
}
