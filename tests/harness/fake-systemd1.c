/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A service manager on a private bus, as far as the daemon sees one: org.freedesktop.systemd1 with transient scopes
 * whose jobs end a moment after the call was answered, units that are removed when their last process exits, and the
 * job of the unit that a caller belongs to. It moves no process and makes no control group.
 *
 * It does not check its arguments as the real one does: tests/machine covers that. Options: --delay-ms= (from the
 * answer to JobRemoved), --linger-ms= (from a scope's last process to UnitRemoved), --fail=GLOB (jobs of these scopes
 * end as "failed"), --job=TYPE (the job of the daemon's own unit; "shutdown": a stop while the system shuts down),
 * --unit=NAME:CGROUP (a unit that runs). Prints "ready" once it has its name. */

#include <fnmatch.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#include "parse-number.h"
#include "strv.h"

#define SERVICE "org.freedesktop.systemd1"
#define ROOT "/org/freedesktop/systemd1"
#define MANAGER SERVICE ".Manager"
#define OWN_UNIT "perf-recorderd.service"
#define UNITS_MAX 4096

typedef struct Fake Fake;

typedef struct FakeUnit {
        Fake *fake;
        char *name, *path, *control_group, *description;
        pid_t *pids;
        sd_event_source **exits;
        size_t n_pids, n_alive;
        uint64_t memory_max; /* as requested; 0: not set */
        unsigned job; /* 0: none */
        sd_event_source *timer;
} FakeUnit;

struct Fake {
        sd_event *event;
        sd_bus *bus;
        FakeUnit *units[UNITS_MAX];
        size_t n_units;
        unsigned last_job;
        unsigned delay_ms, linger_ms;
        const char *fail;
        char *own_job; /* "" for none */
        FakeUnit *own;
};

static FakeUnit *unit_free(FakeUnit *u) {
        if (!u)
                return NULL;
        for (size_t i = 0; i < u->n_pids; i++)
                sd_event_source_disable_unref(u->exits[i]);
        sd_event_source_disable_unref(u->timer);
        free(u->name);
        free(u->path);
        free(u->control_group);
        free(u->description);
        free(u->pids);
        free(u->exits);
        free(u);
        return NULL;
}
DEFINE_CLEANUP(FakeUnit *, unit_free);

static FakeUnit *find_unit(Fake *f, const char *name) {
        for (size_t i = 0; i < f->n_units; i++)
                if (streq(f->units[i]->name, name))
                        return f->units[i];
        return NULL;
}

static int unit_new(Fake *f, const char *name, const char *control_group, FakeUnit **ret) {
        _cleanup_(unit_freep) FakeUnit *u = NULL;
        int r;

        if (f->n_units >= UNITS_MAX)
                return -E2BIG;
        u = calloc(1, sizeof(FakeUnit));
        if (!u)
                return -ENOMEM;
        u->fake = f;
        u->name = strdup(name);
        u->description = strdup("");
        if (control_group)
                u->control_group = strdup(control_group);
        else if (asprintf(&u->control_group, "/perf-recorder.slice/%s", name) < 0)
                u->control_group = NULL;
        if (!u->name || !u->description || !u->control_group)
                return -ENOMEM;
        r = sd_bus_path_encode(ROOT "/unit", name, &u->path);
        if (r < 0)
                return r;
        f->units[f->n_units++] = u;
        *ret = steal_ptr(u);
        return 0;
}

static int remove_unit(sd_event_source *source, uint64_t usec, void *userdata) {
        FakeUnit *u = userdata;
        Fake *f = u->fake;

        (void) sd_bus_emit_signal(f->bus, ROOT, MANAGER, "UnitRemoved", "so", u->name, u->path);
        for (size_t i = 0; i < f->n_units; i++)
                if (f->units[i] == u) {
                        f->units[i] = f->units[--f->n_units];
                        break;
                }
        unit_free(u);
        return 0;
}

static int later(FakeUnit *u, unsigned msec, sd_event_time_handler_t handler) {
        u->timer = sd_event_source_disable_unref(u->timer);
        return sd_event_add_time_relative(u->fake->event, &u->timer, CLOCK_MONOTONIC, msec * UINT64_C(1000), 1, handler, u);
}

static int process_gone(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        FakeUnit *u = userdata;

        (void) sd_event_source_set_enabled(source, SD_EVENT_OFF);
        if (--u->n_alive == 0 && u->job == 0)
                return later(u, u->fake->linger_ms, remove_unit);
        return 0;
}

static int watch_process(FakeUnit *u, pid_t pid) {
        int fd, r;

        fd = pidfd_open(pid, 0);
        if (fd < 0)
                return -errno;
        r = sd_event_add_io(u->fake->event, &u->exits[u->n_pids], fd, EPOLLIN, process_gone, u);
        if (r < 0) {
                safe_close(fd);
                return r;
        }
        (void) sd_event_source_set_io_fd_own(u->exits[u->n_pids], true);
        u->pids[u->n_pids++] = pid;
        u->n_alive++;
        return 0;
}

static int adopt_processes(FakeUnit *u, sd_bus_message *m) {
        const uint32_t *pids;
        const void *array;
        size_t size;
        int r;

        r = sd_bus_message_read_array(m, 'u', &array, &size);
        if (r < 0)
                return r;
        pids = array;
        u->pids = calloc(size / sizeof(uint32_t) + 1, sizeof(pid_t));
        u->exits = calloc(size / sizeof(uint32_t) + 1, sizeof(sd_event_source *));
        if (!u->pids || !u->exits)
                return -ENOMEM;
        for (size_t i = 0; i < size / sizeof(uint32_t); i++) {
                r = watch_process(u, (pid_t) pids[i]);
                if (r < 0)
                        return r;
        }
        return 0;
}

/* Runs the command at once, and waits for it. */
static int run_command(sd_bus_message *m) {
        _cleanup_strv_free_ char **argv = NULL;
        const char *program;
        pid_t pid;
        int r;

        r = sd_bus_message_enter_container(m, 'v', "a(sasb)");
        if (r >= 0)
                r = sd_bus_message_enter_container(m, 'a', "(sasb)");
        if (r >= 0)
                r = sd_bus_message_enter_container(m, 'r', "sasb");
        if (r >= 0)
                r = sd_bus_message_read(m, "s", &program);
        if (r >= 0)
                r = sd_bus_message_read_strv(m, &argv);
        if (r >= 0)
                r = sd_bus_message_skip(m, "b");
        for (unsigned i = 0; r >= 0 && i < 3; i++)
                r = sd_bus_message_exit_container(m);
        if (r < 0)
                return r;
        r = posix_spawn(&pid, program, NULL, NULL, argv, environ);
        return r != 0 ? -r : waitpid(pid, NULL, 0) < 0 ? -errno : 0;
}

static int read_property(FakeUnit *u, sd_bus_message *m) {
        const char *name, *text;
        int r;

        r = sd_bus_message_read(m, "s", &name);
        if (r < 0)
                return r;
        if (streq(name, "PIDs")) {
                r = sd_bus_message_enter_container(m, 'v', "au");
                if (r < 0)
                        return r;
                r = adopt_processes(u, m);
                return r < 0 ? r : sd_bus_message_exit_container(m);
        }
        if (streq(name, "ExecStart"))
                return run_command(m);
        if (streq(name, "MemoryMax"))
                return sd_bus_message_read(m, "v", "t", &u->memory_max);
        if (!streq(name, "Description"))
                return sd_bus_message_skip(m, "v");
        r = sd_bus_message_read(m, "v", "s", &text);
        return r < 0 ? r : free_and_strdup(&u->description, text);
}

static int read_properties(FakeUnit *u, sd_bus_message *m) {
        int r;

        r = sd_bus_message_enter_container(m, 'a', "(sv)");
        if (r < 0)
                return r;
        while ((r = sd_bus_message_enter_container(m, 'r', "sv")) > 0) {
                r = read_property(u, m);
                if (r >= 0)
                        r = sd_bus_message_exit_container(m);
                if (r < 0)
                        return r;
        }
        return r < 0 ? r : sd_bus_message_exit_container(m);
}

static int emit_job_removed(FakeUnit *u, const char *result) {
        char path[64];
        unsigned job = u->job;

        u->job = 0;
        snprintf(path, sizeof(path), ROOT "/job/%u", job);
        return sd_bus_emit_signal(u->fake->bus, ROOT, MANAGER, "JobRemoved", "uoss", job, path, u->name, result);
}

static int end_job(sd_event_source *source, uint64_t usec, void *userdata) {
        FakeUnit *u = userdata;
        bool failed = u->fake->fail && fnmatch(u->fake->fail, u->name, 0) == 0;

        (void) emit_job_removed(u, failed ? "failed" : "done");
        if (failed || u->n_alive == 0)
                return later(u, u->fake->linger_ms, remove_unit);
        return 0;
}

static int reply_job(FakeUnit *u, sd_bus_message *m) {
        char path[64];

        u->job = ++u->fake->last_job;
        snprintf(path, sizeof(path), ROOT "/job/%u", u->job);
        return sd_bus_reply_method_return(m, "o", path);
}

static void drop_unit(FakeUnit *u) {
        u->fake->n_units--;
        unit_free(u);
}

static int method_start_transient_unit(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        Fake *f = userdata;
        const char *name, *mode;
        FakeUnit *u;
        int r;

        r = sd_bus_message_read(m, "ss", &name, &mode);
        if (r < 0)
                return r;
        if (find_unit(f, name))
                return sd_bus_error_setf(error, SERVICE ".UnitExists", "Unit %s was already loaded or has a fragment file.", name);
        r = unit_new(f, name, NULL, &u);
        if (r < 0)
                return r;
        r = read_properties(u, m);
        if (r < 0) {
                drop_unit(u);
                return r;
        }
        (void) sd_bus_emit_signal(f->bus, ROOT, MANAGER, "UnitNew", "so", u->name, u->path);
        r = reply_job(u, m);
        return r < 0 ? r : later(u, f->delay_ms, end_job);
}

/* Reads the arguments of StartUnit and StopUnit: a name and a mode. */
static int read_name(sd_bus_message *m, const char **ret) {
        const char *mode;

        return sd_bus_message_read(m, "ss", ret, &mode);
}

static void signal_unit(const FakeUnit *u, int signal) {
        for (size_t i = 0; i < u->n_pids; i++)
                if (sd_event_source_get_enabled(u->exits[i], NULL) > 0)
                        (void) kill(u->pids[i], signal);
}

static int method_stop_unit(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *name;
        FakeUnit *u;
        int r = read_name(m, &name);

        if (r < 0)
                return r;
        u = find_unit(userdata, name);
        if (!u)
                return sd_bus_error_setf(error, SERVICE ".NoSuchUnit", "Unit %s not loaded.", name);
        signal_unit(u, SIGTERM);
        r = reply_job(u, m);
        return r < 0 ? r : emit_job_removed(u, "done");
}

static int method_kill_unit(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *name, *whom;
        int32_t signal;
        FakeUnit *u;
        int r = sd_bus_message_read(m, "ssi", &name, &whom, &signal);

        if (r < 0)
                return r;
        u = find_unit(userdata, name);
        if (!u)
                return sd_bus_error_setf(error, SERVICE ".NoSuchUnit", "Unit %s not loaded.", name);
        signal_unit(u, signal);
        return sd_bus_reply_method_return(m, NULL);
}

/* Units called nosuch… have no file; the others become active, without a process. */
static int method_start_unit(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *name;
        FakeUnit *u;
        int r = read_name(m, &name);

        if (r < 0)
                return r;
        if (startswith(name, "nosuch"))
                return sd_bus_error_setf(error, SERVICE ".NoSuchUnit", "Unit %s not found.", name);
        r = unit_new(userdata, name, "/system.slice", &u);
        return r < 0 ? r : reply_job(u, m);
}

static int method_get_unit(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *name;
        FakeUnit *u;
        int r;

        r = sd_bus_message_read(m, "s", &name);
        if (r < 0)
                return r;
        u = find_unit(userdata, name);
        if (!u)
                return sd_bus_error_setf(error, SERVICE ".NoSuchUnit", "Unit %s not loaded.", name);
        return sd_bus_reply_method_return(m, "o", u->path);
}

/* A process in no scope counts as the daemon's service. */
static int method_get_unit_by_pid(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        Fake *f = userdata;
        uint32_t pid;
        int r;

        r = sd_bus_message_read(m, "u", &pid);
        if (r < 0)
                return r;
        for (size_t i = 0; i < f->n_units; i++)
                for (size_t k = 0; k < f->units[i]->n_pids; k++)
                        if (f->units[i]->pids[k] == (pid_t) pid)
                                return sd_bus_reply_method_return(m, "o", f->units[i]->path);
        return sd_bus_reply_method_return(m, "o", f->own->path);
}

static int append_unit_row(sd_bus_message *reply, const FakeUnit *u) {
        return sd_bus_message_append(reply, "(ssssssouso)", u->name, u->description, "loaded", "active", "running", "", u->path,
                                     u->job, u->job ? "start" : "", "/");
}

static int method_list_units_by_patterns(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_strv_free_ char **states = NULL, **patterns = NULL;
        Fake *f = userdata;
        int r;

        r = sd_bus_message_read_strv(m, &states);
        if (r >= 0)
                r = sd_bus_message_read_strv(m, &patterns);
        if (r >= 0)
                r = sd_bus_message_new_method_return(m, &reply);
        if (r >= 0)
                r = sd_bus_message_open_container(reply, 'a', "(ssssssouso)");
        for (size_t i = 0; r >= 0 && i < f->n_units; i++)
                STRV_FOREACH(pattern, patterns)
                        if (r >= 0 && fnmatch(*pattern, f->units[i]->name, 0) == 0)
                                r = append_unit_row(reply, f->units[i]);
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_send(NULL, reply, NULL);
}

static int method_get_unit_processes(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const char *name;
        FakeUnit *u;
        int r;

        r = sd_bus_message_read(m, "s", &name);
        if (r < 0)
                return r;
        u = find_unit(userdata, name);
        if (!u)
                return sd_bus_error_setf(error, SERVICE ".NoSuchUnit", "Unit %s not loaded.", name);
        r = sd_bus_message_new_method_return(m, &reply);
        if (r >= 0)
                r = sd_bus_message_open_container(reply, 'a', "(sus)");
        for (size_t i = 0; r >= 0 && i < u->n_pids; i++)
                if (sd_event_source_get_enabled(u->exits[i], NULL) > 0)
                        r = sd_bus_message_append(reply, "(sus)", u->control_group, (uint32_t) u->pids[i], "");
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_send(NULL, reply, NULL);
}

static int method_nothing(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        return sd_bus_reply_method_return(m, NULL);
}

/* For tests: org.perfrecorder1.Fake.SetJob(s). */
static int method_set_job(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        Fake *f = userdata;
        const char *type;
        int r;

        r = sd_bus_message_read(m, "s", &type);
        if (r >= 0)
                r = free_and_strdup(&f->own_job, type);
        return r < 0 ? r : sd_bus_reply_method_return(m, NULL);
}

static int get_system_state(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                            void *userdata, sd_bus_error *error) {
        const Fake *f = userdata;

        return sd_bus_message_append(reply, "s", streq(f->own_job, "shutdown") ? "stopping" : "running");
}

static const sd_bus_vtable manager_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD("Subscribe", NULL, NULL, method_nothing, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Unsubscribe", NULL, NULL, method_nothing, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("StartTransientUnit", "ssa(sv)a(sa(sv))", "o", method_start_transient_unit, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("StartUnit", "ss", "o", method_start_unit, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("StopUnit", "ss", "o", method_stop_unit, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("KillUnit", "ssi", NULL, method_kill_unit, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("GetUnit", "s", "o", method_get_unit, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("LoadUnit", "s", "o", method_get_unit, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("GetUnitByPID", "u", "o", method_get_unit_by_pid, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("ListUnitsByPatterns", "asas", "a(ssssssouso)", method_list_units_by_patterns, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("GetUnitProcesses", "s", "a(sus)", method_get_unit_processes, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_PROPERTY("SystemState", "s", get_system_state, 0, 0),
        SD_BUS_SIGNAL("UnitNew", "so", 0),
        SD_BUS_SIGNAL("UnitRemoved", "so", 0),
        SD_BUS_SIGNAL("JobNew", "uos", 0),
        SD_BUS_SIGNAL("JobRemoved", "uoss", 0),
        SD_BUS_VTABLE_END,
};

static int tell_state(Fake *f, const char *name, const char *state) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *changed = NULL;
        _cleanup_free_ char *path = NULL;
        int r;

        r = sd_bus_path_encode(ROOT "/unit", name, &path);
        if (r >= 0)
                r = sd_bus_message_new_signal(f->bus, &changed, path, "org.freedesktop.DBus.Properties", "PropertiesChanged");
        if (r >= 0)
                r = sd_bus_message_append(changed, "sa{sv}as", SERVICE ".Unit", 1, "ActiveState", "s", state, 0);
        return r < 0 ? r : sd_bus_send(f->bus, changed, NULL);
}

/* For tests: org.perfrecorder1.Fake.Fail(s), the signals of a unit that has just failed. */
static int method_fail(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *name;
        int r;

        r = sd_bus_message_read(m, "s", &name);
        if (r >= 0)
                r = tell_state(userdata, name, "failed");
        return r < 0 ? r : sd_bus_reply_method_return(m, NULL);
}

/* For tests: org.perfrecorder1.Fake.Run(s), a unit starts. */
static int method_run(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        _cleanup_free_ char *group = NULL;
        const char *name;
        FakeUnit *u;
        int r;

        r = sd_bus_message_read(m, "s", &name);
        if (r < 0)
                return r;
        if (asprintf(&group, "/system.slice/%s", name) < 0) {
                group = NULL;
                return -ENOMEM;
        }
        r = unit_new(userdata, name, group, &u);
        if (r >= 0)
                r = tell_state(userdata, name, "active");
        return r < 0 ? r : sd_bus_reply_method_return(m, NULL);
}

/* For tests: org.perfrecorder1.Fake.Stop(s), a unit that Run() started or that ran from the beginning stops. */
static int method_stop(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        Fake *f = userdata;
        const char *name;
        int r;

        r = sd_bus_message_read(m, "s", &name);
        for (size_t i = 0; r >= 0 && i < f->n_units; i++)
                if (streq(f->units[i]->name, name)) {
                        unit_free(f->units[i]);
                        f->units[i] = f->units[--f->n_units];
                        break;
                }
        if (r >= 0)
                r = tell_state(f, name, "inactive");
        return r < 0 ? r : sd_bus_reply_method_return(m, NULL);
}

static const sd_bus_vtable fake_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD("Fail", "s", NULL, method_fail, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Run", "s", NULL, method_run, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Stop", "s", NULL, method_stop, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("SetJob", "s", NULL, method_set_job, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_VTABLE_END,
};

/* Any unit has a path, as with the real one; a missing one is inactive. */
static int find_unit_object(sd_bus *bus, const char *path, const char *interface, void *userdata, void **ret, sd_bus_error *error) {
        static FakeUnit inactive;
        Fake *f = userdata;

        for (size_t i = 0; i < f->n_units; i++)
                if (streq(f->units[i]->path, path)) {
                        *ret = f->units[i];
                        return 1;
                }
        *ret = &inactive;
        return 1;
}

static int get_control_group(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                             void *userdata, sd_bus_error *error) {
        const FakeUnit *u = userdata;

        return sd_bus_message_append(reply, "s", u->control_group ?: "");
}

static int get_active_state(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                            void *userdata, sd_bus_error *error) {
        const FakeUnit *u = userdata;

        return sd_bus_message_append(reply, "s", u->name ? "active" : "inactive");
}

/* Units called nosuch… have no file. */
static int get_load_state(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                          void *userdata, sd_bus_error *error) {
        return sd_bus_message_append(reply, "s", strstr(path, "nosuch") ? "not-found" : "loaded");
}

static int get_job(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                   void *userdata, sd_bus_error *error) {
        const FakeUnit *u = userdata;
        char job[64];

        if (u->fake && u == u->fake->own && *u->fake->own_job)
                return sd_bus_message_append(reply, "(uo)", 1000000, ROOT "/job/1000000");
        if (u->job == 0)
                return sd_bus_message_append(reply, "(uo)", 0, "/");
        snprintf(job, sizeof(job), ROOT "/job/%u", u->job);
        return sd_bus_message_append(reply, "(uo)", u->job, job);
}

static int get_job_type(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                        void *userdata, sd_bus_error *error) {
        const Fake *f = userdata;

        if (!streq(path, ROOT "/job/1000000"))
                return sd_bus_message_append(reply, "s", "start");
        return sd_bus_message_append(reply, "s", streq(f->own_job, "shutdown") ? "stop" : f->own_job);
}

static int get_memory_max(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                          void *userdata, sd_bus_error *error) {
        const FakeUnit *u = userdata;

        return sd_bus_message_append(reply, "t", u->name ? u->memory_max : UINT64_MAX);
}

static const sd_bus_vtable unit_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_PROPERTY("ActiveState", "s", get_active_state, 0, 0),
        SD_BUS_PROPERTY("LoadState", "s", get_load_state, 0, 0),
        SD_BUS_PROPERTY("Job", "(uo)", get_job, 0, 0),
        SD_BUS_VTABLE_END,
};

/* Accepts only the daemon's own service, and a directory bound onto itself. */
static int method_bind_mount(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *source, *destination;
        const FakeUnit *u = userdata;
        struct stat st;
        int r;

        r = sd_bus_message_read(m, "ssbb", &source, &destination, NULL, NULL);
        if (r < 0)
                return r;
        if (!u->fake || u != u->fake->own || !streq(source, destination) || stat(source, &st) < 0 || !S_ISDIR(st.st_mode))
                return sd_bus_error_setf(error, SD_BUS_ERROR_INVALID_ARGS, "%s cannot be mounted", source);
        return sd_bus_reply_method_return(m, NULL);
}

static const sd_bus_vtable control_group_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD("BindMount", "ssbb", NULL, method_bind_mount, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_PROPERTY("ControlGroup", "s", get_control_group, 0, 0),
        SD_BUS_PROPERTY("MemoryMax", "t", get_memory_max, 0, 0),
        SD_BUS_VTABLE_END,
};

static const sd_bus_vtable job_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_PROPERTY("JobType", "s", get_job_type, 0, 0),
        SD_BUS_VTABLE_END,
};

static int export(Fake *f) {
        static const char *const kinds[] = { SERVICE ".Service", SERVICE ".Scope", SERVICE ".Slice" };
        int r;

        r = sd_bus_add_object_vtable(f->bus, NULL, ROOT, MANAGER, manager_vtable, f);
        if (r >= 0)
                r = sd_bus_add_object_vtable(f->bus, NULL, ROOT, "org.perfrecorder1.Fake", fake_vtable, f);
        if (r >= 0)
                r = sd_bus_add_fallback_vtable(f->bus, NULL, ROOT "/unit", SERVICE ".Unit", unit_vtable, find_unit_object, f);
        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(kinds); i++)
                r = sd_bus_add_fallback_vtable(f->bus, NULL, ROOT "/unit", kinds[i], control_group_vtable, find_unit_object, f);
        if (r >= 0)
                r = sd_bus_add_fallback_vtable(f->bus, NULL, ROOT "/job", SERVICE ".Job", job_vtable, NULL, f);
        return r;
}

static int add_running_unit(Fake *f, char *argument) {
        char *colon = strchr(argument, ':');
        FakeUnit *u;

        if (!colon)
                return -EINVAL;
        *colon = '\0';
        return unit_new(f, argument, colon + 1, &u);
}

static int parse_options(Fake *f, int argc, char **argv) {
        static const struct option options[] = {
                { "delay-ms", required_argument, NULL, 'd' }, { "linger-ms", required_argument, NULL, 'l' },
                { "fail", required_argument, NULL, 'f' },     { "job", required_argument, NULL, 'j' },
                { "unit", required_argument, NULL, 'u' },     {},
        };
        int c, r = 0;

        while (r >= 0 && (c = getopt_long(argc, argv, "", options, NULL)) >= 0)
                if (c == 'd')
                        r = parse_uint(optarg, &f->delay_ms);
                else if (c == 'l')
                        r = parse_uint(optarg, &f->linger_ms);
                else if (c == 'f')
                        f->fail = optarg;
                else if (c == 'j')
                        r = free_and_strdup(&f->own_job, optarg);
                else if (c == 'u')
                        r = add_running_unit(f, optarg);
                else
                        r = -EINVAL;
        return r;
}

static int stop_on_signals(sd_event *event) {
        static const int signals[] = { SIGTERM, SIGINT };
        sigset_t set;
        int r = 0;

        sigemptyset(&set);
        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                sigaddset(&set, signals[i]);
        sigprocmask(SIG_BLOCK, &set, NULL);
        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(signals); i++)
                r = sd_event_add_signal(event, NULL, signals[i], NULL, NULL);
        return r;
}

static int run(Fake *f, int argc, char **argv) {
        int r;

        r = sd_event_new(&f->event);
        if (r >= 0)
                r = free_and_strdup(&f->own_job, "");
        if (r >= 0)
                r = unit_new(f, OWN_UNIT, "/system.slice/" OWN_UNIT, &f->own);
        if (r >= 0)
                r = parse_options(f, argc, argv);
        if (r >= 0)
                r = stop_on_signals(f->event);
        if (r >= 0)
                r = sd_bus_open_system(&f->bus);
        if (r >= 0)
                r = sd_bus_attach_event(f->bus, f->event, SD_EVENT_PRIORITY_NORMAL);
        if (r >= 0)
                r = export(f);
        if (r >= 0)
                r = sd_bus_request_name(f->bus, SERVICE, 0);
        if (r < 0)
                return r;
        puts("ready");
        fflush(stdout);
        return sd_event_loop(f->event);
}

int main(int argc, char **argv) {
        static Fake f;
        int r;

        r = run(&f, argc, argv);
        if (r < 0)
                fprintf(stderr, "fake-systemd1: %s\n", strerror(-r));
        while (f.n_units > 0)
                unit_free(f.units[--f.n_units]);
        sd_bus_flush_close_unref(f.bus);
        sd_event_unref(f.event);
        free(f.own_job);
        return r < 0 ? 1 : 0;
}
