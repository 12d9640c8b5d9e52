/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Control groups that come and go while they are recorded. Events stay with the group they were opened for, and a service
 * that is restarted gets another one of the same name: then the events are opened again (recorder-reopen.c). A
 * recording that makes one file only, without --switch-output, goes on with what it began with, as perf does, and says so. */

#include "recorder.h"

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include "log.h"

static int on_gone(void *userdata, const char *name) {
        Recorder *r = userdata;

        log_info("The control group %s is gone", name);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "The control group %s is gone", name);
        return 0;
}

/* "system.slice/web.service" is the group of the unit web.service, another path is its own name. */
static const char *unit_of(const char *cgroup) {
        static const char *const types[] = { ".service", ".scope", ".slice" };
        const char *slash = strrchr(cgroup, '/'), *name = slash ? slash + 1 : cgroup, *dot = strrchr(name, '.');

        for (size_t i = 0; dot && i < ELEMENTSOF(types); i++)
                if (streq(dot, types[i]))
                        return name;
        return cgroup;
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
        return recorder_reopen(r, PR_TRIGGER_UNIT_RESTART, unit_of(name));
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
