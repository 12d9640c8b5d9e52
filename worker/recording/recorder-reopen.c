/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Opens the events again, since the control group, the CPUs or the file of a uprobe that they were opened for have changed. A file
 * has the ids of the events that it began with, so the open file is finished with a timestamp (a flight recorder dumps its memory),
 * and then the new events are enabled, with a new recording. If the new events can't be opened, or the file can't be finished, the
 * recording goes on as it was. A recording of one file, without --switch-output, does so too, as perf, and prints a warning.
 *
 * Events stay with the group that they were opened for, and a restarted service has another group of the same name. CPUs go offline
 * and come back by hand, by a hypervisor, or in a suspend, which takes all but one. The ring of an offline CPU stays as it is, and
 * the next file has its samples. From when a CPU comes online until the events are opened again, for about half a second, it is not
 * recorded. Events of tasks move with their tasks and need none of this. A uprobe is in the file that its path led to when it was
 * opened, whatever an update puts there: its place is found again in the new file before any events are opened again.
 *
 * When another unit comes that is counted, all get new events, whose counts go on where those before ended.
 *
 * A recorder that took over the events of a previous one looks at its control groups once it has ordered the dump of what
 * that one left: a group that was replaced in the meantime has its events opened again in the same way. */

#include "recorder.h"

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include <sys/stat.h>
#include "array.h"
#include "cgroup.h"
#include "fnv.h"
#include "log.h"
#include "probe.h"

#define UNITS_MAX 256u /* counted one by one */
#define PROBES_LOOK (2 * USEC_PER_SEC) /* twice it is from a replaced file to probes in the new one */

/* The new events' file is begun before any of their rings is read. */
static int recorder_replace_set(Recorder *r, EventSet *set) {
        _cleanup_(event_set_freep) EventSet *previous = r->set;
        _cleanup_(flight_memory_done) FlightMemory memory = FLIGHT_MEMORY_EMPTY;
        int q;

        (void) previous; /* for compilers that do not count its end as a use */
        if (r->recording->kind->leave)
                r->recording->kind->leave(r->recording, &memory);
        r->recording = recording_free(r->recording);
        r->watch = ring_watch_free(r->watch);
        r->files.description = file_description_free(r->files.description);
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
        probes_opened(&r->options->events);
        q = recorder_replace_set(r, steal_ptr(set));
        if (q >= 0 && enabled)
                q = recorder_enable(r, NULL, true);
        if (q >= 0)
                recorder_hand_over(r);
        return q < 0 ? q : 1;
}

static int recorder_on_cgroup_gone(void *userdata, const char *name) {
        Recorder *r = userdata;

        log_info("The control group %s is gone", name);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "The control group %s is gone", name);
        return 0;
}

/* "system.slice/web.service" is the group of the unit web.service. Other groups have no unit, so their path is returned. */
static const char *cgroup_unit(const char *cgroup) {
        static const char *const types[] = { ".service", ".scope", ".slice" };
        const char *name = basename(cgroup), *dot = strrchr(name, '.');

        return dot && ANY_OF(ELEMENTSOF(types), i, streq(dot, types[i])) ? name : cgroup;
}

/* The kernel takes events that are triggers off a CPU, too, and counters of a control group end with it. Returns 1; 0: the failure
 * was printed, and those so far go on. */
static int recorder_reopen_trigger_sources(Recorder *r) {
        TriggerSources *sources = NULL;
        int q = recorder_open_trigger_sources(r, &sources);

        if (q >= 0) {
                trigger_sources_free(r->sources);
                r->sources = sources;
                probes_opened(&r->options->triggers.events);
                probes_opened(&r->options->switch_events);
                q = trigger_sources_enable(sources);
        }
        return q >= 0 ? 1 : q == -ENOMEM ? q : 0;
}

static int recorder_on_cgroup_come(void *userdata, const char *name) {
        Recorder *r = userdata;
        int q;

        if (!r->options->switch_output.enabled) {
                log_warning("There is a control group %s again, but this recording goes on with the one that it began with: "
                            "use --switch-output to follow it", name);
                return 0;
        }
        log_info("There is a control group %s again", name);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "Recording the control group %s", name);
        q = recorder_reopen(r, PR_TRIGGER_UNIT_RESTART, cgroup_unit(name));
        return q > 0 && r->options->triggers.n_counters > 0 ? recorder_reopen_trigger_sources(r) : q;
}

int recorder_list_units(const Recorder *r, char ***ret, Diagnosis *d) {
        const Options *o = r->options;
        size_t max = MIN_OF((size_t) UNITS_MAX, EVENT_SPECS_MAX / MAX_OF(o->events.n_specs, (size_t) 1));
        _cleanup_strv_free_ char **units = NULL;
        int q = cgroup_list_units(NULL, o->each_unit, &units, NULL);

        if (q >= 0 && !units && !r->set)
                return diagnosis_set(d, -ESRCH, "no unit whose name matches %s runs", o->each_unit);
        if (q >= 0 && strv_length(units) > max)
                return diagnosis_set(d, -E2BIG, "%zu units have names that match %s, and at most %zu are counted one by one",
                                     strv_length(units), o->each_unit, max);
        STRV_FOREACH(known, r->set ? r->set->groups : NULL)
                if (q >= 0 && !strv_contains(units, *known) && strv_length(units) < max)
                        q = strv_extend(&units, *known);
        if (q >= 0)
                *ret = steal_ptr(units);
        return q;
}

/* Finds a unit that runs in a control group for which no event was opened. */
static const char *recorder_new_unit(const Recorder *r, char *const *units) {
        const EventSet *s = r->set;

        STRV_FOREACH(unit, units) {
                _cleanup_free_ char *path = NULL;
                struct stat st;

                if (cgroup_path(NULL, *unit, &path) >= 0 && stat(path, &st) >= 0 &&
                    !ANY_OF(s->n_members, i, s->members[i].cgroup == st.st_ino && streq(s->members[i].spec->cgroup, *unit)))
                        return *unit;
        }
        return NULL;
}

/* A unit that has ended keeps its events, which count nothing from then on. */
static int recorder_on_units(void *userdata) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_strv_free_ char **units = NULL;
        Recorder *r = userdata;
        int q = recorder_list_units(r, &units, &d);
        const char *unit = q >= 0 ? recorder_new_unit(r, units) : NULL;

        if (q < 0) {
                log_diagnosis(&d, q, "Units can't be followed");
                return q == -ENOMEM ? q : 0;
        }
        if (!unit)
                return 0;
        if (!r->options->switch_output.enabled) {
                log_warning("%s has started, but this recording goes on with the units that it began with: use --switch-output to "
                            "follow them", cgroup_unit_name(unit));
                return 0;
        }
        log_info("%s has started, and is counted from now on", cgroup_unit_name(unit));
        return MIN_OF(recorder_reopen(r, PR_TRIGGER_UNIT_RESTART, cgroup_unit_name(unit)), 0);
}

int recorder_watch_units(Recorder *r) {
        int q = r->options->each_unit ? slice_watch_new(r->loop, NULL, recorder_on_units, r, &r->watched.units) : 0;

        return q < 0 ? log_diagnosis(NULL, q, "The units can't be watched") : 0;
}

int recorder_look_for_units(Recorder *r) {
        return r->watched.units ? recorder_on_units(r) : 0;
}

/* The watch gets each group once. The names are borrowed from the options. */
int recorder_watch_cgroups(Recorder *r) {
        const CGroupWatchHandlers handlers = { .gone = recorder_on_cgroup_gone, .come = recorder_on_cgroup_come, .userdata = r };
        const EventSet *s = r->set;
        _cleanup_free_ char **names = calloc(s->n_members + 1, sizeof(char *));
        _cleanup_free_ uint64_t *inodes = calloc(s->n_members + 1, sizeof(uint64_t));
        int q = names && inodes ? 0 : -ENOMEM;
        size_t n = 0;

        for (size_t i = 0; q >= 0 && !s->groups && i < s->n_members; i++) {
                char *name = s->members[i].spec->cgroup;

                if (!name || strv_contains(names, name))
                        continue;
                inodes[n] = s->members[i].cgroup;
                names[n++] = name;
        }
        if (n > 0)
                q = cgroup_watch_new(r->loop, NULL, names, inodes, &handlers, &r->watched.cgroups);
        return q < 0 ? log_diagnosis(NULL, q, "The control groups can't be watched") : 0;
}

static int recorder_on_cpus_gone(void *userdata, const char *cpus) {
        Recorder *r = userdata;

        log_info("%s went offline", cpus);
        notifier_send(r->notifier, PR_NOTIFY_STATUS "%s went offline", cpus);
        return 0;
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

/* The path of a uprobe that leads to another file now than the one that is probed; NULL: none. */
static const char *recorder_replaced_probe(const Recorder *r, uint64_t *ret_files) {
        const Options *o = r->options;
        const EventSpecs *lists[] = { &o->events, &o->triggers.events, &o->switch_events };
        const char *first = NULL;

        *ret_files = FNV_BEGIN;
        for (size_t i = 0; i < ELEMENTSOF(lists); i++) {
                const char *path = probes_replaced(lists[i], ret_files);

                first = first ?: path;
        }
        return first;
}

/* Returns 1, or 0 with the reason printed as an error. */
static int recorder_follow_probes(Recorder *r, const char *path) {
        char detail[PR_DUMP_DETAIL_MAX];
        uint64_t files = 0;
        int q = 1;

        (void) snprintf(detail, sizeof(detail), "%s was replaced, and the new file is probed from now on", path);
        if (probes_replaced(&r->options->events, &files)) {
                if (!r->options->switch_output.enabled) {
                        log_error("This recording goes on with the events that it began with: use --switch-output to follow files");
                        return 0;
                }
                q = recorder_reopen(r, PR_TRIGGER_ROTATION, detail);
        }
        if (q > 0)
                q = recorder_reopen_trigger_sources(r);
        if (q > 0)
                log_info("%s", detail);
        return q;
}

static void recorder_tell_trouble(Recorder *r, const char *path) {
        if (path)
                log_warning("%s was replaced: its probes do not fire in processes that run the new file, until this recording is "
                            "started again", path);
        notifier_send(r->notifier, PR_NOTIFY_TROUBLE "%s%s%s", path ?: "",
                      path ? " was replaced: its probes do not fire in processes that run the new file, until the session is "
                             "started again: " : "", path ? log_last_error() : "");
}

/* A file that is still being written is another one at the next look. */
static int recorder_on_probes_time(void *userdata, int fd, uint32_t events) {
        Recorder *r = userdata;
        ProbeFiles *p = &r->watched.probes;
        uint64_t files;
        const char *path = recorder_replaced_probe(r, &files);
        bool same = files == p->seen, was_tried = p->tried != 0;
        int q = 1;

        p->seen = path ? files : 0;
        if (path && (!same || files == p->tried))
                return 0;
        if (path)
                q = recorder_follow_probes(r, path);
        p->tried = q == 0 ? files : 0;
        if (q == 0 || (q > 0 && was_tried))
                recorder_tell_trouble(r, q == 0 ? path : NULL);
        return MIN_OF(q, 0);
}

/* Timed looks see more than inotify(7): a link in the middle of the path that is changed, a mount, another /proc/PID/root. */
int recorder_watch_probes(Recorder *r) {
        const Options *o = r->options;
        const EventSpecs *lists[] = { &o->events, &o->triggers.events, &o->switch_events };
        bool any = false;
        int q;

        for (size_t i = 0; i < ELEMENTSOF(lists); i++)
                any = any || ANY_OF(lists[i]->n_specs, k, lists[i]->specs[k].probe_kind == PROBE_USER);
        if (!any)
                return 0;
        q = loop_add_timer(r->loop, PROBES_LOOK, true, recorder_on_probes_time, r);
        return q < 0 ? log_diagnosis(NULL, q, "The files of probes can't be watched") : 0;
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
        q = cpu_watch_new(r->loop, &options, &handlers, &r->watched.cpus);
        if (q < 0 && q != -ENOMEM) {
                log_verbose(1, "CPUs that go offline and come back can't be followed: %s", strerror(-q));
                return 0;
        }
        return q < 0 ? log_diagnosis(NULL, q, "The CPUs can't be watched") : 0;
}
