/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorderd as perfctl sees it, with sessions that have fixed properties: "cpu" records, "sched" has failed,
 * "web@1" is inactive. Each call's method and arguments are appended to the file of
 * --log=, a line a call. A start of "late" makes it a session that waits, one of "slow" a session that runs with an
 * error, one of "long" a session with a long name whose samples are not known, one of "web" or "cpu-2" a session without dumps. The
 * names "nosuch", "broken" and "denied" cause an error, and a ping finds "hung" hung. */

#include <getopt.h>
#include <stdarg.h>
#include <systemd/sd-bus.h>

#include <perf-recorder/bus-names.h>
#include <perf-recorder/errors.h>

#include "mock-dumps.h"
#include "mock-reservations.h"
#include "parse-time.h"
#include "strv.h"

#define SESSIONS_MAX 6

typedef struct MockSession {
        char name[32];
        const char *state, *result, *error, *description;
        uint32_t pid;
        uint64_t samples, lost, lost_records;
} MockSession;

static MockSession sessions[SESSIONS_MAX] = {
        { "cpu", "recording", "success", "", "CPU samples of the whole machine, with all stacks",
          1001, 12345, 3, 19031 },
        { "sched", "failed", "exit-code", "No permission to open sched:sched_switch", "sched", 0, 0, 0 },
        { "web@1", "inactive", "success", "", "Web\tserver \033[31m1", 0, 0, 0 },
};
static size_t n_sessions = 3;
static const char *log_path;
static bool leaving;

static void write_log(const char *format, ...) _printf_(1, 2);
static void write_log(const char *format, ...) {
        _cleanup_fclose_ FILE *f = log_path ? fopen(log_path, "a") : NULL;
        va_list ap;

        if (!f)
                return;
        va_start(ap, format);
        (void) vfprintf(f, format, ap);
        va_end(ap);
}

static MockSession *find(const char *name) {
        for (size_t i = 0; i < n_sessions; i++)
                if (streq(sessions[i].name, name))
                        return &sessions[i];
        return NULL;
}

/* Finds the session of an object path, for sd-bus. */
static int find_object(sd_bus *bus, const char *path, const char *interface, void *userdata, void **ret,
                       sd_bus_error *e) {
        _cleanup_free_ char *name = NULL;

        if (sd_bus_path_decode(path, PR_BUS_SESSION_PATH, &name) <= 0)
                return 0;
        *ret = find(name);
        return *ret ? 1 : 0;
}

static int enumerate(sd_bus *bus, const char *prefix, void *userdata, char ***ret, sd_bus_error *e) {
        char **nodes = calloc(n_sessions + 1, sizeof(char *));

        for (size_t i = 0; i < n_sessions; i++)
                if (sd_bus_path_encode(PR_BUS_SESSION_PATH, sessions[i].name, &nodes[i]) < 0)
                        return -ENOMEM;
        *ret = nodes;
        return 1;
}

static int session_property(sd_bus *bus, const char *path, const char *interface, const char *property,
                            sd_bus_message *reply, void *userdata, sd_bus_error *e) {
        const MockSession *s = userdata;
        bool runs = s->pid > 0;

        if (streq(property, "Name"))
                return sd_bus_message_append(reply, "s", s->name);
        if (streq(property, "Description"))
                return sd_bus_message_append(reply, "s", s->description);
        if (streq(property, "State"))
                return sd_bus_message_append(reply, "s", s->state);
        if (streq(property, "Result"))
                return sd_bus_message_append(reply, "s", s->result);
        if (streq(property, "Error"))
                return sd_bus_message_append(reply, "s", s->error);
        if (streq(property, "Command"))
                return sd_bus_message_append(reply, "s", "-e cpu-clock -F 99 -a");
        if (streq(property, "MainPID"))
                return sd_bus_message_append(reply, "u", s->pid);
        if (streq(property,
                  "StartTimestamp")) /* half a minute past two hours, far from the next minute */
                return sd_bus_message_append(reply, "t", runs ? now_usec(CLOCK_REALTIME) - 7230 * USEC_PER_SEC : 0);
        if (streq(property, "HistoryUsec")) /* a paused one has everything since 1970 */
                return sd_bus_message_append(reply, "t", streq(s->state, "paused") ? now_usec(CLOCK_REALTIME) : runs ? UINT64_C(12345678) : 0);
        if (streq(property, "Samples"))
                return sd_bus_message_append(reply, "t", s->samples);
        if (streq(property, "Lost"))
                return sd_bus_message_append(reply, "t", s->lost);
        if (streq(property, "NRestarts"))
                return sd_bus_message_append(reply, "u", 0);
        if (streq(property, "DumpsWritten")) /* of web@1 by another recorder, which shares no figures */
                return sd_bus_message_append(reply, "t", streq(s->name, "web@1") ? UINT64_MAX : runs ? UINT64_C(5) : 0);
        if (streq(property, "Throttled"))
                return sd_bus_message_append(reply, "t", UINT64_C(0));
        if (streq(property, "CPUUsageNSec"))
                return sd_bus_message_append(reply, "t", runs ? UINT64_C(61070200000) : UINT64_MAX);
        if (streq(property, "LostRecords"))
                return sd_bus_message_append(reply, "t", s->lost_records);
        if (streq(property, "DropInPaths"))
                return sd_bus_message_append(reply, "as", 2, "/etc/p/a.conf", "/etc/p/b.conf");
        if (streq(property, "Scope"))
                return sd_bus_message_append(reply, "s", runs ? "perf-session-cpu.scope" : "");
        if (streq(property, "Unit"))
                return sd_bus_message_append(reply, "s", runs ? "nginx.service" : "");
        if (streq(property, "LastDump"))
                return sd_bus_message_append(reply, "o", runs ? PR_BUS_DUMP_PATH "/cpu_2d2026112110541800" : "/");
        if (streq(property, "FragmentPath"))
                return sd_bus_message_append(reply, "s", "/etc/p/x.session");
        return sd_bus_message_append(reply, "t", UINT64_C(4) << 20);
}

static int session_path(sd_bus *bus, const char *path, const char *interface, const char *property,
                        sd_bus_message *reply, void *userdata, sd_bus_error *e) {
        const char *leaf = streq(property, "Directory") ? "" : streq(property, "ControlPath") ? "/control" :
                           streq(property, "AckPath") ? "/ack" : "/output";
        _cleanup_free_ char *value = NULL;

        if (asprintf(&value, "/base/session-%s%s", ((MockSession *) userdata)->name, leaf) < 0)
                return -ENOMEM;
        return sd_bus_message_append(reply, "s", value);
}

static const sd_bus_vtable session_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_PROPERTY("Name", "s", session_property, 0, 0),
        SD_BUS_PROPERTY("Description", "s", session_property, 0, 0),
        SD_BUS_PROPERTY("State", "s", session_property, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Result", "s", session_property, 0, 0),
        SD_BUS_PROPERTY("Error", "s", session_property, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Command", "s", session_property, 0, 0),
        SD_BUS_PROPERTY("MainPID", "u", session_property, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Scope", "s", session_property, 0, 0),
        SD_BUS_PROPERTY("Unit", "s", session_property, 0, 0),
        SD_BUS_PROPERTY("FragmentPath", "s", session_property, 0, 0),
        SD_BUS_PROPERTY("DropInPaths", "as", session_property, 0, 0),
        SD_BUS_PROPERTY("Directory", "s", session_path, 0, 0),
        SD_BUS_PROPERTY("ControlPath", "s", session_path, 0, 0),
        SD_BUS_PROPERTY("AckPath", "s", session_path, 0, 0),
        SD_BUS_PROPERTY("OutputPath", "s", session_path, 0, 0),
        SD_BUS_PROPERTY("StartTimestamp", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("Samples", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("Lost", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("LostRecords", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("BytesWritten", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("Throttled", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("DumpsWritten", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("NRestarts", "u", session_property, 0, 0),
        SD_BUS_PROPERTY("CPUUsageNSec", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("RingBytes", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("HistoryUsec", "t", session_property, 0, 0),
        SD_BUS_PROPERTY("LastDump", "o", session_property, 0, 0),
        SD_BUS_PROPERTY("Lent", "as", mock_reservations_lent, 0, 0),
        SD_BUS_METHOD("OpenWindow", "tb", "ht", mock_dumps_open_window, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_VTABLE_END,
};

/* Reads the names and logs the call; returns an error if one of them causes it. */
static int read_names(sd_bus_message *m, char ***ret, sd_bus_error *e) {
        _cleanup_free_ char *joined = NULL;
        int r = sd_bus_message_read_strv(m, ret);

        if (r < 0)
                return r;
        joined = strv_join(*ret, " ");
        write_log("%s%s%s%s%s", sd_bus_message_get_member(m), *joined ? " " : "", joined,
                  sd_bus_message_get_auto_start(m) ? "" : " (no auto start)",
                  sd_bus_message_get_allow_interactive_authorization(m) ? "" : " (no questions)");
        if (strv_contains(*ret, "nosuch"))
                return sd_bus_error_set(e, PR_ERROR_NO_SUCH_SESSION, "There is no session 'nosuch'");
        if (strv_contains(*ret, "broken"))
                return sd_bus_error_set(e, PR_ERROR_BAD_SETTING, "x.session:3: Event: no such event");
        if (strv_contains(*ret, "denied"))
                return sd_bus_error_set(e, SD_BUS_ERROR_ACCESS_DENIED, "Only root may do that");
        return 0;
}

static int method_names(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_strv_free_ char **names = NULL;
        int r = read_names(m, &names, e);

        write_log("\n");
        if (r < 0)
                return r;
        STRV_FOREACH(name, streq(sd_bus_message_get_member(m), "Pause") ? names : NULL)
                if (find(*name))
                        find(*name)->state = "paused";
        if (streq(sd_bus_message_get_member(m), "Start")) {
                sd_bus *bus = sd_bus_message_get_bus(m);

                if (strv_contains(names, "slow") && !find("slow"))
                        sessions[n_sessions++] = (MockSession){ "slow", "recording", "success", "The disk is full", "Slow disk",
                                                                1002, 5, 0, 0 };
                if (strv_contains(names, "long") && !find("payments-of-the-shop@europe-1"))
                        sessions[n_sessions++] = (MockSession){ "payments-of-the-shop@europe-1", "recording", "success", "",
                                                                "Payments of all shops of Europe", 1003, UINT64_MAX, 0, 0 };
                if (strv_contains(names, "late") && !find("late"))
                        sessions[n_sessions++] = (MockSession){ "late", "waiting", "success", "late.service does not run", "late", 0, 0, 0 };
                STRV_FOREACH(name, names)
                        if ((streq(*name, "web") || streq(*name, "cpu-2")) && !find(*name)) {
                                MockSession *s = &sessions[n_sessions++];

                                *s = (MockSession){ "", "inactive", "success", "", "", 0, 0, 0 };
                                (void) snprintf(s->name, sizeof(s->name), "%s", *name);
                        }
                (void) sd_bus_emit_signal(bus, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "SessionNew", "so", "cpu",
                                          PR_BUS_SESSION_PATH "/cpu");
                (void) sd_bus_emit_properties_changed(bus, PR_BUS_SESSION_PATH "/sched", PR_BUS_SESSION_INTERFACE,
                                                      "State", "Error", NULL);
        }
        return sd_bus_reply_method_return(m, NULL);
}

static int method_signal(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_strv_free_ char **names = NULL;
        int sig, r = read_names(m, &names, e);

        if (r >= 0)
                r = sd_bus_message_read(m, "i", &sig);
        write_log(" %d\n", r < 0 ? -1 : sig);
        if (r >= 0)
                r = sd_bus_message_new_method_return(m, &reply);
        if (r >= 0)
                r = sd_bus_message_open_container(reply, 'a', "(sui)");
        for (size_t i = 0; r >= 0 && i < n_sessions; i++) {
                const MockSession *s = &sessions[i];

                if (names ? strv_contains(names, s->name) : s->pid > 0)
                        r = sd_bus_message_append(reply, "(sui)", s->name, s->pid, s->pid > 0 ? 0 : ESRCH);
        }
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_message_send(reply);
}

static int method_ping(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_strv_free_ char **names = NULL;
        uint64_t timeout = 0;
        int r = read_names(m, &names, e);

        if (r >= 0)
                r = sd_bus_message_read(m, "t", &timeout);
        write_log(" %" PRIu64 "\n", timeout);
        if (r >= 0)
                r = sd_bus_message_new_method_return(m, &reply);
        if (r >= 0)
                r = sd_bus_message_open_container(reply, 'a', "(sst)");
        for (size_t i = 0; r >= 0 && i < n_sessions; i++) {
                const MockSession *s = &sessions[i];

                if (names ? strv_contains(names, s->name) : s->pid > 0 || streq(s->state, "waiting"))
                        r = sd_bus_message_append(reply, "(sst)", s->name, s->pid > 0 ? "ok" : "inactive",
                                                  UINT64_C(250));
        }
        if (r >= 0 && strv_contains(names, "hung"))
                r = sd_bus_message_append(reply, "(sst)", "hung", "timeout", UINT64_C(3000000));
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_message_send(reply);
}

static int method_enable(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_strv_free_ char **names = NULL;
        int now, r = read_names(m, &names, e);

        if (r >= 0)
                r = sd_bus_message_read(m, "b", &now);
        write_log("%s\n", r < 0 ? "" : now ? " now" : "");
        if (r < 0)
                return r;
        if (streq(sd_bus_message_get_member(m), "Disable"))
                return sd_bus_reply_method_return(m, "a(sss)", 1, "removed", "/etc/p/web@1.session", "");
        return sd_bus_reply_method_return(m, "a(sss)", 2, "created", "/etc/p/web@1.session", "/usr/p/web@.session", "created",
                                          "/etc/p/cpu.session.d/50-enabled.conf", "");
}

static int method_list(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        int r = sd_bus_message_new_method_return(m, &reply);

        if (r >= 0)
                r = sd_bus_message_open_container(reply, 'a', "(sossu)");
        for (size_t i = 0; r >= 0 && i < n_sessions; i++)
                r = sd_bus_message_append(reply, "(sossu)", sessions[i].name, "/", sessions[i].state, "", sessions[i].pid);
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_message_send(reply);
}

/* cpu counts an event on two CPUs, another one has not run yet, and a session that perfctl does not know counts too. */
static int method_list_counts(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_strv_free_ char **names = NULL;
        int r = read_names(m, &names, e);

        write_log("\n");
        return r < 0 ? r : sd_bus_reply_method_return(m, "a(sssittt)", 4,
                "cpu", "sched:\"a\"", "web-1.service", 0, UINT64_C(1000), UINT64_C(3000), UINT64_C(2000),
                "cpu", "sched:\"a\"", "web-2.service", 1, UINT64_MAX, UINT64_C(3000), UINT64_C(3000),
                "cpu", "faults", "", -1, UINT64_C(0), UINT64_C(0), UINT64_C(0),
                "new", "faults", "", -1, UINT64_C(5), UINT64_C(1), UINT64_C(1));
}

static int method_file_state(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        const char *name;
        int r = sd_bus_message_read(m, "s", &name);

        if (r < 0)
                return r;
        if (!find(name))
                return sd_bus_error_set(e, PR_ERROR_NO_SUCH_SESSION, "There is none");
        return sd_bus_reply_method_return(m, "s", streq(name, "cpu") ? "enabled" : "disabled");
}

static int method_get(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        const char *name;
        int r = sd_bus_message_read(m, "s", &name);

        if (r >= 0 && *name && name[strlen(name) - 1] == '@')
                return sd_bus_error_setf(e, SD_BUS_ERROR_INVALID_ARGS, "'%s' is a template, says the service", name);
        return r < 0 ? r : sd_bus_error_setf(e, PR_ERROR_NO_SUCH_SESSION, "There is no session '%s', says the service", name);
}

static int method_reload(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        static unsigned n;

        write_log("Reload\n");
        if (n++ > 0) /* nothing is new the second time */
                return sd_bus_reply_method_return(m, "a(ss)", 0);
        return sd_bus_reply_method_return(m, "a(ss)", 2, "cpu", "changed", "web@1", "added");
}

static int method_exit(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        write_log("Exit\n");
        leaving = true;
        return sd_bus_reply_method_return(m, NULL);
}

static int manager_property(sd_bus *bus, const char *path, const char *interface, const char *property,
                            sd_bus_message *reply, void *userdata, sd_bus_error *e) {
        if (streq(property, "Version"))
                return sd_bus_message_append(reply, "s", "0.1.0");
        if (streq(property, "BaseDirectory"))
                return sd_bus_message_append(reply, "s", "/base");
        if (streq(property, "StartTimestamp"))
                return sd_bus_message_append(reply, "t", now_usec(CLOCK_REALTIME) - 10830 * USEC_PER_SEC);
        return sd_bus_message_append(reply, "t", UINT64_C(8) << 20);
}

static const sd_bus_vtable manager_vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD("Start", "as", "", method_names, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Stop", "as", "", method_names, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Restart", "as", "", method_names, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Pause", "as", "", method_names, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Resume", "as", "", method_names, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Enable", "asb", "a(sss)", method_enable, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Disable", "asb", "a(sss)", method_enable, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("ListSessions", "", "a(sossu)", method_list, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("ListCounts", "as", "a(sssittt)", method_list_counts, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("GetSession", "s", "o", method_get, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("GetSessionFileState", "s", "s", method_file_state, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Signal", "asi", "a(sui)", method_signal, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Ping", "ast", "a(sst)", method_ping, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Reload", "", "a(ss)", method_reload, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Dump", "asa{sv}", "a(soh)", mock_dumps_dump, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("DumpObjects", "asa{sv}", "a(so)", mock_dumps_dump_objects, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Reserve", "sss", "h", mock_reservations_reserve, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("ListReservations", "", "a(sssuu)", mock_reservations_list, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Exit", "", "", method_exit, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_PROPERTY("Version", "s", manager_property, 0, 0),
        SD_BUS_PROPERTY("BaseDirectory", "s", manager_property, 0, 0),
        SD_BUS_PROPERTY("StartTimestamp", "t", manager_property, 0, 0),
        SD_BUS_PROPERTY("LockedMemory", "t", manager_property, 0, 0),
        SD_BUS_SIGNAL("SessionNew", "so", 0),
        SD_BUS_SIGNAL("Released", "s", 0),
        SD_BUS_VTABLE_END,
};

static int run(sd_bus *bus, const char *name) {
        int r = sd_bus_request_name(bus, name, 0);

        if (r < 0)
                return r;
        (void) puts("ready");
        (void) fflush(stdout);
        while (r >= 0 && !leaving) {
                r = sd_bus_process(bus, NULL);
                if (r == 0)
                        r = sd_bus_wait(bus, UINT64_MAX);
        }
        return sd_bus_flush(bus);
}

static int serve(sd_bus *bus) {
        _cleanup_free_ char *directory = log_path ? strndup(log_path, (size_t) (strrchr(log_path, '/') - log_path)) : NULL;
        int r = sd_bus_add_object_vtable(bus, NULL, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, manager_vtable, NULL);

        mock_reservations_init(write_log);
        if (r >= 0)
                r = sd_bus_add_fallback_vtable(bus, NULL, PR_BUS_SESSION_PATH, PR_BUS_SESSION_INTERFACE,
                                               session_vtable, find_object, NULL);
        if (r >= 0)
                r = sd_bus_add_node_enumerator(bus, NULL, PR_BUS_SESSION_PATH, enumerate, NULL);
        if (r >= 0 && log_path)
                r = mock_dumps_add(bus, directory, write_log);
        if (r >= 0)
                r = sd_bus_add_object_manager(bus, NULL, PR_BUS_PATH);
        return r < 0 ? r : run(bus, PR_BUS_NAME);
}

/* systemd's object of the service's unit; state is "ActiveState/SubState", or several, with '>' between them: a look sees one. */
static int unit_property(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                         void *userdata, sd_bus_error *e) {
        const char *state = userdata, *sub = strchr(state, '/') + 1;
        _cleanup_free_ char *active = strndup(state, strcspn(state, "/")), *last = strndup(sub, strcspn(sub, ">"));

        return sd_bus_message_append(reply, "s", streq(property, "ActiveState") ? active : last);
}

/* A unit that is started again and again has a new state at each look; one whose start waits for its turn, the same. */
static int unit_time(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                     void *userdata, sd_bus_error *e) {
        char *next = strchr(userdata, '>');

        if (next) /* the look's last property */
                memmove(userdata, next + 1, strlen(next));
        return sd_bus_message_append(reply, "t", strstr(userdata, "-queued") ? UINT64_C(1) : now_usec(CLOCK_MONOTONIC));
}

/* Recorders run while the unit has failed. */
static int method_list_units(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        if (!startswith(userdata, "failed/"))
                return sd_bus_reply_method_return(m, "a(ssssssouso)", 0);
        return sd_bus_reply_method_return(m, "a(ssssssouso)", 2, "perf-session-cpu.scope", "", "", "", "", "", "/a", 0, "", "/",
                                          "perf-session-sched.scope", "", "", "", "", "", "/b", 0, "", "/");
}

static int serve_unit(sd_bus *bus, char *state) {
        static const sd_bus_vtable manager[] = {
                SD_BUS_VTABLE_START(0),
                SD_BUS_METHOD("ListUnitsByPatterns", "asas", "a(ssssssouso)", method_list_units, SD_BUS_VTABLE_UNPRIVILEGED),
                SD_BUS_VTABLE_END,
        };
        static const sd_bus_vtable vtable[] = {
                SD_BUS_VTABLE_START(0),
                SD_BUS_PROPERTY("ActiveState", "s", unit_property, 0, 0),
                SD_BUS_PROPERTY("SubState", "s", unit_property, 0, 0),
                SD_BUS_PROPERTY("StateChangeTimestampMonotonic", "t", unit_time, 0, 0),
                SD_BUS_VTABLE_END,
        };
        int r = sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/systemd1/unit/perf_2drecorderd_2eservice",
                                         "org.freedesktop.systemd1.Unit", vtable, state);

        if (r >= 0)
                r = sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", manager, state);
        return r < 0 ? r : run(bus, "org.freedesktop.systemd1");
}

int main(int argc, char *argv[]) {
        static const struct option longs[] = {
                { "log", required_argument, NULL, 'l' },
                { "unit", required_argument, NULL, 'u' },
                {},
        };
        char *unit = NULL;
        sd_bus *bus = NULL;
        int c, r;

        while ((c = getopt_long(argc, argv, "", longs, NULL)) >= 0)
                if (c == 'l')
                        log_path = optarg;
                else if (c == 'u')
                        unit = optarg;
                else
                        return EXIT_FAILURE;
        r = sd_bus_open_system(&bus);
        if (r >= 0)
                r = unit ? serve_unit(bus, unit) : serve(bus);
        (void) sd_bus_flush_close_unref(bus);
        if (r < 0)
                (void) fprintf(stderr, "mock-service: %s\n", strerror(-r));
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
