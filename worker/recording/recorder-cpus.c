/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* CPUs that go offline and come back while they are recorded: by hand, by a hypervisor, or in a suspend, which takes
 * all but one. The ring of an offline CPU stays as it is, and the next file has its samples. When a CPU comes online,
 * the events are opened again (recorder-reopen.c); until then, for about half a second, it is not recorded. Events of
 * tasks move with their tasks and need none of this. */

#include "recorder.h"

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include "log.h"

static int recorder_on_cpus_gone(void *userdata, const char *cpus) {
        Recorder *r = userdata;

        log_info("%s went offline", cpus);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "%s went offline", cpus);
        return 0;
}

/* The kernel takes events that are triggers off a CPU, too. */
static int recorder_reopen_trigger_sources(Recorder *r) {
        TriggerSources *sources = NULL;
        int q = recorder_open_trigger_sources(r, &sources);

        if (q >= 0) {
                trigger_sources_free(r->sources);
                r->sources = sources;
                q = trigger_sources_enable(sources);
        }
        return q == -ENOMEM ? q : 0; /* the failure was printed; the other triggers go on */
}

static int recorder_on_cpus_come(void *userdata, const char *cpus) {
        char detail[PR_DUMP_DETAIL_MAX];
        Recorder *r = userdata;
        int q;

        if (!r->options->switch_output.enabled) {
                log_warning("%s came online, but this recording goes on with the events that it began with: "
                            "use --switch-output to follow it", cpus);
                return 1;
        }
        (void) snprintf(detail, sizeof(detail), "%s came online and is recorded from now on", cpus);
        log_info("%s", detail);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "%s", detail);
        q = recorder_reopen(r, PR_TRIGGER_ROTATION, detail);
        if (q > 0) {
                int t = recorder_reopen_trigger_sources(r);

                q = t < 0 ? t : q;
        }
        return q;
}

int recorder_watch_cpus(Recorder *r) {
        const CpuWatchHandlers handlers = { .gone = recorder_on_cpus_gone, .come = recorder_on_cpus_come, .userdata = r };
        const Target *t = &r->options->target;
        CpuWatchOptions options = CPU_WATCH_OPTIONS_EMPTY;
        int q;

        if (!target_has_cpu(t))
                return 0;
        options.recorded = r->set->cpus;
        options.n_recorded = r->set->n_cpus;
        options.wanted = t->cpus;
        options.n_wanted = t->n_cpus;
        q = cpu_watch_new(r->loop, &options, &handlers, &r->cpu_watch);
        if (q < 0 && q != -ENOMEM) {
                log_verbose(1, "CPUs that go offline and come back can't be followed: %s", strerror(-q));
                return 0;
        }
        return q < 0 ? log_diagnosis(NULL, q, "The CPUs can't be watched") : 0;
}
