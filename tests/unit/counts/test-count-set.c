/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A kernel that has hardware counters, and refuses some. Its descriptors are files in memory, which have what read(2) gives. */

#include <sys/mman.h>
#include <sys/syscall.h>

#include "check-main.h"
#include "count-set.h"
#include "fd-file.h"
#include "grammar.h"

typedef struct Kernel {
        struct {
                struct perf_event_attr attr;
                pid_t pid;
                int cpu, group, fd;
        } opened[64];
        size_t n, n_ioctls;
        uint64_t refused;      /* the config of hardware events that it does not have */
        int error;             /* with which it refuses these */
        bool refuses_groups;   /* of hardware events */
        bool refuses_kernel;
} Kernel;

static int kernel_open(void *userdata, struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags) {
        Kernel *k = userdata;
        int fd;

        if (attr->type == PERF_TYPE_HARDWARE && k->error < 0 && attr->config == k->refused)
                return k->error;
        if (attr->type == PERF_TYPE_HARDWARE && k->refuses_groups && group >= 0)
                return -EINVAL;
        if (k->refuses_kernel && !attr->exclude_kernel)
                return -EACCES;
        fd = memfd_create("counter", MFD_CLOEXEC);
        ck_assert_int_ge(fd, 0);
        ck_assert_uint_lt(k->n, ELEMENTSOF(k->opened));
        k->opened[k->n].attr = *attr;
        k->opened[k->n].pid = pid;
        k->opened[k->n].cpu = cpu;
        k->opened[k->n].group = group;
        k->opened[k->n++].fd = fd;
        return fd;
}

static int kernel_ioctl(void *userdata, int fd, unsigned long request, unsigned long argument) {
        ((Kernel *) userdata)->n_ioctls++;
        return 0;
}

static void give(int fd, const uint64_t *words, size_t n) {
        ck_assert_int_eq(pwrite(fd, words, n * sizeof(*words), 0), (ssize_t) (n * sizeof(*words)));
}

static CountSet *open_set(Kernel *k, EventSpecs *specs, const char *events, Target *target) {
        const EventOps ops = { .open = kernel_open, .ioctl = kernel_ioctl, .userdata = k };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        CountSet *s = NULL;

        ck_assert_int_eq(event_specs_parse(specs, events, NULL, &d), 0);
        ck_assert_msg(count_set_open(specs, &(CountSetOptions) { .target = target, .ops = &ops }, &s, &d) == 0, "%s", d.sentence);
        return s;
}

static Target own_process(void) {
        Target t = TARGET_EMPTY;

        ck_assert_int_eq(target_add_tids(&t, "1", NULL), 0);
        return t;
}

/* Software events are read with one call; hardware events have counters of their own. */
START_TEST(software_events_are_one_group) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_(target_done) Target t = { .uid = TARGET_UID_INVALID, .command = 1 };
        _cleanup_(count_set_freep) CountSet *s = NULL;
        Kernel k = {};

        s = open_set(&k, &specs, "task-clock,page-faults,cycles,context-switches", &t);
        ck_assert_uint_eq(k.n, 4);
        ck_assert(k.opened[0].group == -1 && k.opened[1].group == k.opened[0].fd && k.opened[2].group == -1 && k.opened[3].group == -1);
        ck_assert(k.opened[0].pid == 1 && k.opened[0].cpu == -1 && k.opened[0].attr.inherit);
        ck_assert(k.opened[0].attr.disabled && !k.opened[1].attr.disabled && k.opened[2].attr.disabled);
        ck_assert_int_eq(count_set_enable(s, true), 0);
        ck_assert_uint_eq(k.n_ioctls, 3);
        give(k.opened[0].fd, (const uint64_t[]) { 2, 100, 90, 7, 8 }, 5);
        give(k.opened[2].fd, (const uint64_t[]) { 1000, 100, 50 }, 3);
        give(k.opened[3].fd, (const uint64_t[]) { 3, 100, 100 }, 3);
        ck_assert_int_eq(count_set_read(s), 0);
        ck_assert(s->counts[0].value == 7 && s->counts[0].enabled == 100 && s->counts[0].running == 90);
        ck_assert(s->counts[1].value == 8 && s->counts[2].value == 1000 && s->counts[2].running == 50 && s->counts[3].value == 3);
}
END_TEST

/* A process that runs may fork while its events are opened, unless its children are not counted. */
START_TEST(tasks_have_no_groups_of_ours) {
        for (int no_inherit = 0; no_inherit < 2; no_inherit++) {
                Kernel k = {};
                const EventOps ops = { .open = kernel_open, .ioctl = kernel_ioctl, .userdata = &k };
                _cleanup_(event_specs_done) EventSpecs specs = {};
                _cleanup_(target_done) Target t = own_process();
                _cleanup_(count_set_freep) CountSet *set = NULL;
                _cleanup_(diagnosis_done) Diagnosis d = {};
                const CountSetOptions options = { .target = &t, .ops = &ops, .no_inherit = no_inherit };

                ck_assert_int_eq(event_specs_parse(&specs, "task-clock,page-faults,{cs,faults}", NULL, &d), 0);
                ck_assert_int_eq(count_set_open(&specs, &options, &set, &d), 0);
                ck_assert_uint_eq(k.n, 4);
                ck_assert(k.opened[1].group == (no_inherit ? k.opened[0].fd : -1) && k.opened[3].group == k.opened[2].fd);
        }
}
END_TEST

/* An event that this CPU does not have is no failure. */
START_TEST(events_that_are_missing) {
        static const int errors[] = { -ENOENT, -EOPNOTSUPP, -EINVAL, -ENXIO };

        for (size_t i = 0; i < ELEMENTSOF(errors); i++) {
                _cleanup_(event_specs_done) EventSpecs specs = {};
                _cleanup_(target_done) Target t = own_process();
                _cleanup_(count_set_freep) CountSet *s = NULL;
                Kernel k = { .refused = PERF_COUNT_HW_BUS_CYCLES, .error = errors[i] };

                s = open_set(&k, &specs, "cycles,bus-cycles,instructions", &t);
                ck_assert(s->members[0].error == 0 && s->members[1].error == errors[i] && s->members[2].error == 0);
                ck_assert_int_eq(s->fds[1], -EBADF);
                give(s->fds[0], (const uint64_t[]) { 1, 2, 3 }, 3);
                give(s->fds[2], (const uint64_t[]) { 4, 5, 6 }, 3);
                ck_assert_int_eq(count_set_read(s), 0);
                ck_assert(s->counts[0].value == 1 && s->counts[1].running == 0 && s->counts[2].value == 4);
        }
}
END_TEST

/* A group whose leader is missing is not counted at all; a weak one is dissolved if the kernel does not take it. */
START_TEST(groups) {
        _cleanup_(event_specs_done) EventSpecs strict = {}, weak = {}, whole = {};
        _cleanup_(target_done) Target t = own_process();
        _cleanup_(count_set_freep) CountSet *s = NULL, *w = NULL, *g = NULL;
        Kernel k = { .refused = PERF_COUNT_HW_CPU_CYCLES, .error = -ENOENT }, dissolving = { .refuses_groups = true }, grouping = {};

        s = open_set(&k, &strict, "{cycles,instructions}", &t);
        ck_assert(s->members[0].error == -ENOENT && s->members[1].error == 0 && s->fds[1] == -EBADF);
        w = open_set(&dissolving, &weak, "{cycles,instructions}:W", &t);
        ck_assert(w->members[0].error == 0 && w->members[1].error == 0 && w->members[1].n == 1);
        ck_assert(w->fds[0] >= 0 && w->fds[1] >= 0);
        g = open_set(&grouping, &whole, "{cycles,instructions}:u", &t);
        ck_assert(grouping.opened[1].group == grouping.opened[0].fd && grouping.opened[0].attr.exclude_kernel);
        give(g->fds[0], (const uint64_t[]) { 2, 10, 5, 100, 200 }, 5);
        ck_assert_int_eq(count_set_read(g), 0);
        ck_assert(g->counts[0].value == 100 && g->counts[1].value == 200 && g->counts[1].running == 5);
}
END_TEST

/* A pinned event that lost its counter gives no byte. */
START_TEST(pinned_event_in_error) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_(target_done) Target t = own_process();
        _cleanup_(count_set_freep) CountSet *s = NULL;
        Kernel k = {};

        s = open_set(&k, &specs, "cycles:D", &t);
        ck_assert(k.opened[0].attr.pinned);
        ck_assert_int_eq(count_set_read(s), 0);
        ck_assert(s->counts[0].value == 0 && s->counts[0].running == 0);
}
END_TEST

/* Readers of counts see events, CPUs and threads without what opened them. */
START_TEST(layout) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_(target_done) Target t = own_process();
        _cleanup_(count_set_freep) CountSet *s = NULL;
        Kernel k = { .refused = PERF_COUNT_HW_BUS_CYCLES, .error = -ENOENT };
        _cleanup_free_ char *comm = NULL;

        s = open_set(&k, &specs, "task-clock,name{cycles,instructions},bus-cycles", &t);
        ck_assert(s->layout.n_events == 4 && s->layout.n_cpus == 1 && s->layout.cpus[0] == -1 && s->layout.n_threads == 1);
        ck_assert_str_eq(s->layout.events[0].unit, "msec");
        ck_assert(s->layout.events[0].scale == 1e-6 && s->layout.events[0].supported && s->layout.events[0].attr.inherit);
        ck_assert(s->layout.events[1].group_members == 2 && s->layout.events[2].group_members == 0);
        ck_assert_str_eq(s->layout.events[1].group_name, "name");
        ck_assert(!s->layout.events[3].supported && s->layout.threads[0].tid == 1);
        ck_assert_int_eq(read_file("/proc/1/comm", 64, &comm, NULL), 0);
        comm[strcspn(comm, "\n")] = '\0';
        ck_assert_str_eq(s->layout.threads[0].comm, comm);
}
END_TEST

START_TEST(without_the_kernel) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        _cleanup_(target_done) Target t = own_process();
        _cleanup_(count_set_freep) CountSet *s = NULL;
        Kernel k = { .refuses_kernel = true };

        s = open_set(&k, &specs, "cycles", &t);
        ck_assert_str_eq(s->members[0].name, "cycles:u");
        ck_assert(k.opened[0].attr.exclude_kernel && s->members[0].error == 0);
}
END_TEST

CHECK_MAIN("count-set", software_events_are_one_group, tasks_have_no_groups_of_ours, events_that_are_missing, groups, pinned_event_in_error, layout, without_the_kernel);
