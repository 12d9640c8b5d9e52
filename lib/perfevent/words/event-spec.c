/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The list of events to record. It owns their strings, grows by doubling up to a limit, and can be truncated, so that
 * a parser that fails in the middle leaves it unchanged. Options that follow an -e on the command line (--filter, -G)
 * are applied to it in the order in which they are given, as perf does. */

#include "event-spec.h"
#include "array.h"
#include "event-name.h"
#include "fd-file.h"
#include "format-text.h"
#include "probe.h"

static void event_spec_done(EventSpec *s) {
        free(s->name);
        free(s->tracepoint_system);
        free(s->tracepoint_name);
        free(s->probe_text);
        probe_place_free(s->probe_place);
        free(s->filter);
        free(s->cgroup);
        free(s->cpus);
        free(s->core);
        free(s->group_name);
        free(s->unit);
}

int event_spec_set_unit(EventSpec *s, const char *unit, double scale) {
        s->scale = scale;
        return free_and_strdup(&s->unit, unit);
}

int event_spec_set_cpus(EventSpec *s, const int *cpus, size_t n_cpus) {
        int *copy;

        if (n_cpus == 0)
                return 0;
        copy = calloc(n_cpus, sizeof(int));
        if (!copy)
                return -ENOMEM;
        memcpy(copy, cpus, n_cpus * sizeof(int));
        free(s->cpus);
        s->cpus = copy;
        s->n_cpus = n_cpus;
        return 0;
}

void event_specs_truncate(EventSpecs *list, size_t n) {
        while (list->n_specs > n)
                event_spec_done(&list->specs[--list->n_specs]);
}

int event_specs_end(EventSpecs *list, const EventSpecs *before, int r) {
        if (r < 0) {
                event_specs_truncate(list, before->n_specs);
                list->n_groups = before->n_groups;
        } else
                list->last_begin = before->n_specs;
        return r;
}

void event_specs_done(EventSpecs *list) {
        event_specs_truncate(list, 0);
        free(list->specs);
        *list = (EventSpecs){};
}

int event_specs_add(EventSpecs *list, uint32_t type, uint64_t config, EventSpec **ret) {
        bool clock = type == PERF_TYPE_SOFTWARE && (config == PERF_COUNT_SW_CPU_CLOCK || config == PERF_COUNT_SW_TASK_CLOCK);
        size_t n = list->n_specs;

        if (n >= EVENT_SPECS_MAX)
                return -E2BIG;
        if (ARRAY_RESERVE_NEXT(list->specs, n) < 0)
                return -ENOMEM;
        list->specs[n] = (EventSpec){
                .attr = { .type = type, .size = sizeof(struct perf_event_attr), .config = config, .exclude_guest = true },
                .leader = true,
                .scale = 1,
        };
        *ret = &list->specs[n];
        list->n_specs++;
        return clock ? event_spec_set_unit(*ret, "msec", 1e-6) : 0; /* it counts nanoseconds, which perf shows as milliseconds */
}

void event_specs_group(EventSpecs *list, size_t first) {
        unsigned size = (unsigned) (list->n_specs - first);

        list->n_groups++;
        for (size_t i = first; i < list->n_specs; i++) {
                list->specs[i].group = list->n_groups;
                list->specs[i].group_size = size;
                list->specs[i].leader = i == first;
        }
}

int event_specs_leave_out_kernel(EventSpecs *list) {
        int r = 0;

        for (size_t i = 0; i < list->n_specs && r >= 0; i++) {
                r = event_name_add_user(&list->specs[i].name);
                list->specs[i].attr.exclude_kernel = true;
        }
        return r;
}

static int add_filter(EventSpec *s, const char *filter) {
        char *joined = s->filter ? format_text("(%s) && (%s)", s->filter, filter) : strdup(filter);

        if (!joined)
                return -ENOMEM;
        free(s->filter);
        s->filter = joined;
        return 0;
}

int event_specs_set_filter(EventSpecs *list, const char *filter, Diagnosis *d) {
        int r = 0;

        if (list->last_begin >= list->n_specs)
                return diagnosis_set(d, -EINVAL, "A filter must follow the tracepoints (-e) that it is for");
        for (size_t i = list->last_begin; i < list->n_specs; i++)
                if (!list->specs[i].tracepoint_name)
                        return diagnosis_set(d, -EINVAL, "%s is not a tracepoint: it can't be filtered", list->specs[i].name);
        for (size_t i = list->last_begin; i < list->n_specs && r >= 0; i++)
                r = add_filter(&list->specs[i], filter);
        return r;
}

int event_specs_set_cgroups(EventSpecs *list, const char *names, Diagnosis *d) {
        _cleanup_free_ char *copy = strdup(names);
        char *rest = copy, *name;
        int r = 0;

        if (!copy)
                return -ENOMEM;
        if (list->n_specs == 0)
                return diagnosis_set(d, -EINVAL, "A control group must follow the events (-e) that it is for");
        while ((name = strsep(&rest, ",")) && r >= 0) {
                if (*name && list->n_cgroups >= list->n_specs)
                        return diagnosis_set(d, -EINVAL, "There is no event (-e) for the control group \"%s\"", name);
                if (path_leads_up(name))
                        return diagnosis_set(d, -EINVAL, "The control group \"%s\" has a \"..\" in it", name);
                if (*name)
                        r = free_and_strdup(&list->specs[list->n_cgroups].cgroup, name);
                list->n_cgroups++;
        }
        if (list->n_cgroups == 1)
                for (size_t i = 1; i < list->n_specs && r >= 0; i++)
                        r = free_and_strdup(&list->specs[i].cgroup, list->specs[0].cgroup);
        return r;
}

void event_specs_group_all(EventSpecs *list) {
        if (list->n_specs < 2)
                return;
        list->n_groups = 1;
        for (size_t i = 0; i < list->n_specs; i++) {
                list->specs[i].group = 1;
                list->specs[i].group_size = (unsigned) list->n_specs;
                list->specs[i].leader = i == 0;
        }
}
