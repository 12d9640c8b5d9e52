/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's pressure, caused by more processes than CPUs. */

#include "trigger-pressure.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "busy-cpu.h"
#include "cgroup.h"
#include "check-main.h"
#include "fd-file.h"
#include "scratch.h"
#include "stop-loop.h"

#define LOAD_PROCESSES 6

static char detail[512];

static int fired(void *userdata, PressureResource resource, const char *text) {
        ck_assert_int_eq(resource, PRESSURE_CPU);
        (void) snprintf(detail, sizeof(detail), "%s", text);
        loop_stop(userdata);
        return 0;
}

/* Starts processes on one CPU, so that they use no other. group: a cgroup.procs to join first, or NULL. */
static void start_load(pid_t *pids, const char *group) {
        for (unsigned i = 0; i < LOAD_PROCESSES; i++) {
                pids[i] = fork();
                ck_assert_int_ge(pids[i], 0);
                if (pids[i] > 0)
                        continue;
                if (group && write_all(open(group, O_WRONLY | O_CLOEXEC), "0", 1) < 0)
                        _exit(1);
                keep_cpu_busy(0);
        }
}

static void end_load(pid_t *pids) {
        for (unsigned i = 0; i < LOAD_PROCESSES; i++) {
                (void) kill(pids[i], SIGKILL);
                ck_assert_int_eq(waitpid(pids[i], NULL, 0), pids[i]);
        }
}

/* Returns 77 if the kernel has no pressure, or does not allow watching it. */
static int open_trigger(const PressureSpec *spec, bool read_only, Loop *loop, TriggerPressure **ret) {
        const TriggerPressureOptions o = { .spec = spec, .read_only = read_only, .fired = fired, .userdata = loop };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r = trigger_pressure_new(&o, loop, ret, &d);

        if (r == -ENOENT || r == -EOPNOTSUPP || r == -EPERM || r == -EACCES) {
                (void) fprintf(stderr, "left out: %s\n", d.sentence);
                return 77;
        }
        ck_assert_msg(r == 0, "%s", d.sentence);
        return 0;
}

static void assert_machine(const PressureSpec *spec, bool read_only, const char *expected) {
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(trigger_pressure_freep) TriggerPressure *t = NULL;
        pid_t pids[LOAD_PROCESSES];

        detail[0] = '\0';
        ck_assert_int_eq(loop_new(&loop), 0);
        if (open_trigger(spec, read_only, loop, &t) != 0)
                return;
        start_load(pids, NULL);
        ck_assert_int_ge(loop_add_timer(loop, 20 * USEC_PER_SEC, false, stop_loop, loop), 0);
        ck_assert_int_eq(loop_run(loop), 0);
        end_load(pids);
        ck_assert_msg(startswith(detail, expected), "%s", detail);
        ck_assert_ptr_null(strstr(detail, "avg60"));
}

START_TEST(test_machine) {
        const PressureSpec told = { .resource = PRESSURE_CPU, .threshold = 50 * USEC_PER_MSEC, .window = 2 * USEC_PER_SEC };
        const PressureSpec read = { .resource = PRESSURE_CPU, .threshold = 50 * USEC_PER_MSEC, .window = 500 * USEC_PER_MSEC };

        assert_machine(&told, false, "50ms in 2s, some avg10=");
        assert_machine(&read, true, "50ms in 500ms, some avg10=");
}
END_TEST

/* Checks a group of its own, which is removed and created again. */
static void assert_group(bool read_only) {
        PressureSpec spec = { .resource = PRESSURE_CPU, .threshold = 50 * USEC_PER_MSEC, .window = 2 * USEC_PER_SEC };
        _cleanup_free_ char *root = NULL, *directory = NULL, *procs = NULL;
        _cleanup_(loop_freep) Loop *loop = NULL;
        pid_t pids[LOAD_PROCESSES];
        TriggerPressure *t = NULL;
        char name[64];

        (void) snprintf(name, sizeof(name), "test-trigger-pressure-%d", getpid());
        spec.cgroup = name;
        if (cgroup_find_unified(NULL, &root) < 0) {
                (void) fprintf(stderr, "left out: no unified hierarchy\n");
                return;
        }
        directory = path_join(root, name);
        procs = path_join(directory, "cgroup.procs");
        if (mkdir(directory, 0755) < 0) {
                (void) fprintf(stderr, "left out: %s: %s\n", directory, strerror(errno));
                return;
        }
        ck_assert_int_eq(loop_new(&loop), 0);
        if (open_trigger(&spec, read_only, loop, &t) == 0) {
                _cleanup_free_ char *expected = NULL;

                ck_assert_int_eq(rmdir(directory), 0);
                ck_assert_int_eq(mkdir(directory, 0755), 0);
                start_load(pids, procs);
                ck_assert_int_ge(loop_add_timer(loop, 20 * USEC_PER_SEC, false, stop_loop, loop), 0);
                ck_assert_int_eq(loop_run(loop), 0);
                end_load(pids);
                ck_assert_int_ge(asprintf(&expected, "50ms in 2s of %s, some avg10=", name), 0);
                ck_assert_msg(startswith(detail, expected), "%s", detail);
        }
        for (unsigned left = 1000; rmdir(directory) < 0 && errno == EBUSY && left > 0; left--)
                (void) usleep(1000); /* until the kernel has removed the last process */
        trigger_pressure_free(t);
}

START_TEST(test_group) {
        assert_group(false);
        assert_group(true);
}
END_TEST

/* A successor's group may be gone when it is opened. */
START_TEST(test_group_that_is_gone) {
        const PressureSpec spec = { .resource = PRESSURE_IO, .threshold = USEC_PER_SEC, .window = 2 * USEC_PER_SEC,
                                    .cgroup = (char *) "a.slice" };
        _cleanup_(scratch_done) char *dir = scratch_new();
        const TriggerPressureOptions o = { .spec = &spec, .cgroup_root = dir, .group_may_be_gone = true, .fired = fired };
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        TriggerPressure *t = NULL;

        ck_assert_int_eq(loop_new(&loop), 0);
        ck_assert_msg(trigger_pressure_new(&o, loop, &t, &d) == 0, "%s", d.sentence);
        trigger_pressure_free(t);
}
END_TEST

static void assert_refused(const PressureSpec *spec, const char *proc_root, const char *cgroup_root, int error, const char *part) {
        const TriggerPressureOptions o = { .spec = spec, .proc_root = proc_root, .cgroup_root = cgroup_root, .fired = fired };
        _cleanup_(loop_freep) Loop *loop = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        TriggerPressure *t = NULL;

        ck_assert_int_eq(loop_new(&loop), 0);
        ck_assert_int_eq(trigger_pressure_new(&o, loop, &t, &d), error);
        ck_assert_ptr_null(t);
        ck_assert_msg(strstr(d.sentence, part), "%s", d.sentence);
}

START_TEST(test_refusals) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        PressureSpec spec = { .resource = PRESSURE_IO, .threshold = USEC_PER_SEC, .window = 2 * USEC_PER_SEC };

        assert_refused(&spec, dir, NULL, -ENOENT, "/proc/pressure/io: this kernel does not account for pressure");
        spec.cgroup = (char *) "a.slice";
        assert_refused(&spec, NULL, dir, -ENOENT, "/a.slice/io.pressure: there is no such control group");
}
END_TEST

START_TEST(test_names) {
        for (PressureResource r = 0; r < _PRESSURE_RESOURCE_MAX; r++)
                ck_assert_int_eq(pressure_resource_from_string(pressure_resource_to_string(r)), r);
        ck_assert_ptr_null(pressure_resource_to_string(_PRESSURE_RESOURCE_INVALID));
        ck_assert_int_eq(pressure_resource_from_string("x"), _PRESSURE_RESOURCE_INVALID);
}
END_TEST

CHECK_MAIN("trigger-pressure", test_machine, test_group, test_group_that_is_gone, test_refusals, test_names);
