/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf daemon's two lists, for programs and for people, exactly as perf 6.1 prints them, so that a script only needs to replace
 * "perf daemon" by "perfctl list". Sessions without a recorder are left out, because perf's sessions have no other state.
 * As in perf, nothing is quoted. */

#include "perf-daemon.h"

#include <inttypes.h>

static uint64_t perf_daemon_minutes_up(const PerfDaemon *d, usec_t start) {
        return start > 0 && d->now > start ? (d->now - start) / USEC_PER_MINUTE : 0;
}

static uint64_t perf_daemon_session_minutes(const PerfDaemon *d, const json_object *session) {
        return perf_daemon_minutes_up(d, json_get_unsigned(session, "StartTimestamp"));
}

void perf_daemon_print_fields(FILE *f, const PerfDaemon *d, const SessionList *l, const char *separator) {
        static const char *const properties[] = {
                "Name", "Command", "Directory", "OutputPath", "ControlPath", "AckPath",
        };
        const char *x = separator;

        (void) fprintf(f, "%i%sdaemon%s%s%s%s/output%s%s/lock%s%" PRIu64 "\n", d->pid, x, x, d->base, x, d->base, x,
                       d->base, x, perf_daemon_minutes_up(d, d->start));
        for (size_t i = 0; i < l->n; i++) {
                if (!session_runs(l->sessions[i]))
                        continue;
                (void) fprintf(f, "%" PRIu64, json_get_unsigned(l->sessions[i], "MainPID"));
                for (size_t p = 0; p < ELEMENTSOF(properties); p++)
                        (void) fprintf(f, "%s%s", x, json_get_string(l->sessions[i], properties[p]));
                (void) fprintf(f, "%s%" PRIu64 "\n", x, perf_daemon_session_minutes(d, l->sessions[i]));
        }
}

static void perf_daemon_print_session(FILE *f, const PerfDaemon *d, const json_object *s, bool verbose) {
        (void) fprintf(f, "[%" PRIu64 ":%s] perf record %s\n", json_get_unsigned(s, "MainPID"),
                       json_get_string(s, "Name"), json_get_string(s, "Command"));
        if (!verbose)
                return;
        (void) fprintf(f, "  base:    %s\n", json_get_string(s, "Directory"));
        (void) fprintf(f, "  output:  %s\n", json_get_string(s, "OutputPath"));
        (void) fprintf(f, "  control: %s\n", json_get_string(s, "ControlPath"));
        (void) fprintf(f, "  ack:     %s\n", json_get_string(s, "AckPath"));
        (void) fprintf(f, "  up:      %" PRIu64 " minutes\n", perf_daemon_session_minutes(d, s));
}

void perf_daemon_print_lines(FILE *f, const PerfDaemon *d, const SessionList *l, bool verbose) {
        (void) fprintf(f, "[%i:daemon] base: %s\n", d->pid, d->base);
        if (verbose) {
                (void) fprintf(f, "  output:  %s/output\n", d->base);
                (void) fprintf(f, "  lock:    %s/lock\n", d->base);
                (void) fprintf(f, "  up:      %" PRIu64 " minutes\n", perf_daemon_minutes_up(d, d->start));
        }
        for (size_t i = 0; i < l->n; i++)
                if (session_runs(l->sessions[i]))
                        perf_daemon_print_session(f, d, l->sessions[i], verbose);
}

int perf_daemon_ask(BusClient *c, json_object **manager, PerfDaemon *ret) {
        PerfDaemon d = { .now = now_usec(CLOCK_REALTIME) };
        int r = bus_client_get_manager(c, manager);

        if (r >= 0)
                r = bus_client_get_daemon_pid(c, &d.pid);
        if (r < 0)
                return r;
        d.base = json_get_string(*manager, "BaseDirectory");
        d.start = json_get_unsigned(*manager, "StartTimestamp");
        *ret = d;
        return 0;
}
