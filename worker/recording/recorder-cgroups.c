/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Control groups that come and go while they are recorded. Events stay with the group that they were opened for, and a
 * restarted service has another group of the same name: then the events are opened again (recorder-reopen.c). A
 * recording of one file, without --switch-output, goes on with the group that it began with, as perf does, and prints
 * a warning. */

#include "recorder.h"

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include "log.h"

static int recorder_on_cgroup_gone(void *userdata, const char *name) {
        Recorder *r = userdata;

        log_info("The control group %s is gone", name);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "The control group %s is gone", name);
        return 0;
}

/* "system.slice/web.service" is the group of the unit web.service. Other groups have no unit, so their path is returned. */
static const char *cgroup_unit(const char *cgroup) {
        static const char *const types[] = { ".service", ".scope", ".slice" };
        const char *slash = strrchr(cgroup, '/'), *name = slash ? slash + 1 : cgroup, *dot = strrchr(name, '.');

        for (size_t i = 0; dot && i < ELEMENTSOF(types); i++)
                if (streq(dot, types[i]))
                        return name;
        return cgroup;
}

static int recorder_on_cgroup_come(void *userdata, const char *name) {
        Recorder *r = userdata;

        if (!r->options->switch_output.enabled) {
                log_warning("There is a control group %s again, but this recording goes on with the one that it began with: "
                            "use --switch-output to follow it", name);
                return 0;
        }
        log_info("There is a control group %s again", name);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "Recording the control group %s", name);
        return recorder_reopen(r, PR_TRIGGER_UNIT_RESTART, cgroup_unit(name));
}

/* Returns an allocated array of the groups, each once; the strings are borrowed from the options. */
static char **specs_cgroups(const EventSpecs *specs) {
        char **names = calloc(specs->n_specs + 1, sizeof(char *));
        size_t n = 0;

        for (size_t i = 0; names && i < specs->n_specs; i++) {
                char *name = specs->specs[i].cgroup;
                size_t k = 0;

                while (k < n && name && !streq(names[k], name))
                        k++;
                if (name && k == n)
                        names[n++] = name;
        }
        return names;
}

int recorder_watch_cgroups(Recorder *r) {
        const CGroupWatchHandlers handlers = { .gone = recorder_on_cgroup_gone, .come = recorder_on_cgroup_come, .userdata = r };
        _cleanup_free_ char **names = specs_cgroups(&r->options->events);
        int q = names ? 0 : -ENOMEM;

        if (q >= 0 && names[0])
                q = cgroup_watch_new(r->loop, NULL, names, &handlers, &r->cgroup_watch);
        return q < 0 ? log_diagnosis(NULL, q, "The control groups can't be watched") : 0;
}
