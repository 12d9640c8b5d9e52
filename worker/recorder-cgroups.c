/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Control groups that come and go while they are recorded. Events stay with the group they were opened for, and a service
 * that is restarted gets another one of the same name: then the events are opened anew. A file belongs to the events that
 * it begins with, so the one that is open is finished with a timestamp. A recording that makes one file only, without
 * --switch-output, goes on with what it began with, as perf does, and says so. */

#include "recorder.h"

#include <perf-recorder/notify-fields.h>
#include "log.h"

static int on_gone(void *userdata, const char *name) {
        Recorder *r = userdata;

        log_info("The control group %s is gone", name);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "The control group %s is gone", name);
        return 0;
}

/* The new events' file is begun before anything of them is read. */
static int replace_set(Recorder *r, EventSet *set) {
        const struct perf_event_attr *first = &set->members[0].attr;
        const RecordTrailer trailer = { .sample_type = first->sample_id_all ? first->sample_type : 0 };
        int q;

        recorder_close_flight(r);
        r->watch = ring_watch_free(r->watch);
        r->description = file_description_free(r->description);
        event_set_free(r->set);
        r->set = set;
        q = recorder_describe(r);
        if (q < 0)
                return q;
        output_set_description(r->output, r->description, &trailer);
        q = recorder_open_flight(r);
        if (q >= 0)
                q = recorder_watch_rings(r);
        return q < 0 ? q : recorder_begin_part(r);
}

/* What can't be opened or finished now leaves the recording as it was: other groups may go on being recorded. */
static int open_anew(Recorder *r) {
        _cleanup_(event_set_freep) EventSet *set = NULL;
        bool enabled = event_set_is_enabled(r->set);
        int q = recorder_open_events(r, &set);

        triggers_hurry(r->triggers); /* what waits for its delay is in the file that ends now */
        if (q >= 0)
                q = triggers_run(r->triggers);
        if (q >= 0)
                q = recorder_finish_part(r, NULL);
        if (q < 0)
                return q == -ENOMEM ? q : 0;
        q = replace_set(r, steal_ptr(set));
        if (q >= 0 && enabled)
                q = recorder_enable(r, NULL, true);
        if (q >= 0)
                recorder_hand_over(r);
        return q;
}

static int on_come(void *userdata, const char *name) {
        Recorder *r = userdata;

        if (!r->options->switch_output.enabled) {
                log_warning("There is a control group %s again, but this recording goes on with the one it began with: "
                            "--switch-output would follow it", name);
                return 0;
        }
        log_info("There is a control group %s again", name);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "Recording the control group %s", name);
        return open_anew(r);
}

static int add_name(char ***names, const char *name) {
        STRV_FOREACH(n, *names)
                if (streq(*n, name))
                        return 0;
        return strv_extend(names, name);
}

int recorder_watch_cgroups(Recorder *r) {
        const CGroupWatchHandlers handlers = { .gone = on_gone, .come = on_come, .userdata = r };
        const EventSpecs *specs = &r->options->events;
        int q = 0;

        for (size_t i = 0; i < specs->n_specs && q >= 0; i++)
                if (specs->specs[i].cgroup)
                        q = add_name(&r->cgroups, specs->specs[i].cgroup);
        if (q >= 0 && r->cgroups)
                q = cgroup_watch_new(r->loop, NULL, r->cgroups, &handlers, &r->cgroup_watch);
        return q < 0 ? log_diagnosis(NULL, q, "The control groups can't be watched") : 0;
}
