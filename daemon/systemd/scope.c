/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Scopes of recorders. The process exists already, and waits at its gate; systemd is asked to make a scope around it,
 * which is done when the job ends. The match for that signal is added before the job is requested, on the same
 * connection, so that the signal cannot be missed, and only while there are jobs.
 *
 * The scope of a process that has just died may still exist under the same name. Then the start is tried again when
 * systemd has removed it, or after a while, in case the signal came before the match. */

#include <signal.h>
#include <systemd/sd-bus.h>

#include "format-text.h"
#include "list.h"
#include "scope-client.h"
#include "strv.h"
#include "utf8.h"

#define DEFAULT_SLICE "perf-recorder.slice"
#define SCOPE_PREFIX "perf-session-"
#define SCOPE_SUFFIX ".scope"
#define UNIT_EXISTS SYSTEMD_SERVICE ".UnitExists"
#define RETRY_USEC (250 * USEC_PER_MSEC)
#define TRIES_TO_KILL 60
#define LEFT_USEC (TRIES_TO_KILL * RETRY_USEC)
#define KILL_TIMEOUT_USEC USEC_PER_SEC
#define TRIES_MAX 80
/* A last dump may take long on a slow disk. The daemon, which watches the progress, kills recorders that hang; this
 * is for a shutdown of the machine without a daemon. */
#define STOP_TIMEOUT_USEC (5 * USEC_PER_MINUTE)
/* At shutdown systemd stops the daemon first, which stops its recorders and lists their last dumps. */
#define BEFORE_UNIT "perf-recorderd.service"

/* A unit's name may have all characters of session names, but a scope cannot be an instance: "@" is escaped as
 * systemd-escape(1) does, and so is the backslash, to keep names unique. */
char *scope_unit_name(const char *session) {
        char *name, *p;

        name = malloc(strlen(SCOPE_PREFIX SCOPE_SUFFIX) + 4 * strlen(session) + 1);
        if (!name)
                return NULL;
        p = stpcpy(name, SCOPE_PREFIX);
        for (const char *c = session; *c; c++)
                if (*c == '@' || *c == '\\')
                        p += sprintf(p, "\\x%02x", (unsigned) *c);
                else
                        *p++ = *c;
        strcpy(p, SCOPE_SUFFIX);
        return name;
}

char *scope_session_name(const char *unit) {
        const char *s = startswith(unit, SCOPE_PREFIX);
        size_t n = s ? strlen(s) : 0, k = strlen(SCOPE_SUFFIX);
        char *name, *p;
        unsigned c;

        if (n <= k || !streq(s + n - k, SCOPE_SUFFIX))
                return NULL;
        p = name = malloc(n + 1);
        if (!name)
                return NULL;
        for (const char *end = s + n - k; s < end;)
                if (end - s >= 4 && sscanf(s, "\\x%2x", &c) == 1 && c > 0) {
                        *p++ = (char) c;
                        s += 4;
                } else
                        *p++ = *s++;
        *p = '\0';
        return name;
}

static int on_job_removed(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        _cleanup_free_ char *sentence = NULL;
        const char *job, *unit, *result;
        const ScopeClient *c = userdata;
        ScopeRequest *q;
        uint32_t id;
        int r;

        if (sd_bus_message_read(m, "uoss", &id, &job, &unit, &result) < 0)
                return 0;
        for (q = c->first; q && !streq_ptr(q->job, job); q = q->next)
                ;
        if (!q)
                return 0;
        if (!streq(result, "done")) {
                sentence = format_text("systemd could not start %s: its job ended as \"%s\"", unit, result);
                scope_request_end(q, SCOPE_JOB_FAILED, sentence ?: "systemd's job failed");
                return 0;
        }
        r = q->job_done ? q->job_done(q) : 0;
        if (r < 0 || !q->job_done)
                scope_request_end(q, r, r < 0 ? "systemd cannot be asked" : "");
        return 0;
}

static int send_start(ScopeRequest *q);

static void try_again(ScopeRequest *q) {
        int r;

        q->retry = sd_event_source_disable_unref(q->retry);
        r = send_start(q);
        if (r < 0)
                scope_request_end(q, r, "cannot ask systemd for a scope");
}

static int on_unit_removed(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *unit, *path;
        ScopeClient *c = userdata;

        if (sd_bus_message_read(m, "so", &unit, &path) < 0)
                return 0;
        for (ScopeRequest *q = c->first; q; q = q->next)
                if (q->retry && streq_ptr(q->unit, unit)) {
                        try_again(q);
                        return 0;
                }
        return 0;
}

static int on_retry(sd_event_source *source, uint64_t usec, void *userdata) {
        try_again(userdata);
        return 0;
}

int scope_request_hold_jobs(ScopeRequest *q, sd_bus *bus) {
        ScopeClient *c = q->client;
        int r;

        if (!q->holds_jobs) {
                q->holds_jobs = true;
                c->n_jobs++;
        }
        if (c->job_removed)
                return scope_request_subscribe(q, bus);
        r = sd_bus_match_signal_async(bus, &c->job_removed, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "JobRemoved",
                                      on_job_removed, NULL, c);
        if (r >= 0)
                r = sd_bus_match_signal_async(bus, &c->unit_removed, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "UnitRemoved",
                                              on_unit_removed, NULL, c);
        return r < 0 ? r : scope_request_subscribe(q, bus);
}

void scope_request_take_job(ScopeRequest *q, sd_bus_message *reply) {
        const char *job;
        int r;

        scope_request_answered(q);
        r = sd_bus_message_read(reply, "o", &job);
        if (r >= 0)
                r = free_and_strdup(&q->job, job);
        if (r < 0)
                scope_request_end(q, r, "systemd's answer could not be read");
}

/* A command that outlives its recorder may ignore the SIGTERM of scope_stop(). */
static int await_old_scope(ScopeRequest *q) {
        if (++q->n_tries >= TRIES_MAX)
                return -EBUSY;
        if (q->is_left && q->n_tries == TRIES_TO_KILL)
                scope_kill(q->client, q->unit);
        return sd_event_add_time_relative(q->client->event, &q->retry, CLOCK_MONOTONIC, RETRY_USEC, RETRY_USEC / 10, on_retry,
                                          q);
}

static int on_start_answer(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;
        int r;

        if (sd_bus_message_is_method_error(m, UNIT_EXISTS) > 0) {
                scope_request_answered(q);
                r = await_old_scope(q);
                if (r < 0)
                        scope_request_end(q, r, "systemd has not ended its previous scope yet");
                return 0;
        }
        if (!scope_request_failed(q, m, "systemd made no scope"))
                scope_request_take_job(q, m);
        return 0;
}

static int append_settings(sd_bus_message *m, const ScopeSettings *s) {
        const struct {
                const char *name;
                uint64_t value, unset;
        } numbers[] = {
                { "CPUQuotaPerSecUSec", s->cpu_quota_per_sec, USEC_INFINITY },
                { "CPUWeight", s->cpu_weight, 0 },
                { "IOWeight", s->io_weight, 0 },
                { "MemoryMax", s->memory_max, 0 },
                { "MemoryHigh", s->memory_high, 0 },
                { "TasksMax", s->tasks_max, UINT64_MAX },
        };
        int r;

        r = sd_bus_message_append(m, "(sv)", "Slice", "s", s->slice ?: DEFAULT_SLICE);
        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(numbers); i++)
                if (numbers[i].value != numbers[i].unset)
                        r = sd_bus_message_append(m, "(sv)", numbers[i].name, "t", numbers[i].value);
        return r;
}

static int append_properties(sd_bus_message *m, const ScopeRequest *q) {
        int r;

        r = sd_bus_message_open_container(m, 'a', "(sv)");
        if (r >= 0)
                r = sd_bus_message_append(m, "(sv)(sv)(sv)(sv)(sv)", "Description", "s", q->description, "PIDs", "au", 1,
                                          (uint32_t) q->pid, "CollectMode", "s", "inactive-or-failed",
                                          "TimeoutStopUSec", "t", STOP_TIMEOUT_USEC, "Before", "as", 1, BEFORE_UNIT);
        if (r >= 0)
                r = append_settings(m, &q->settings);
        return r < 0 ? r : sd_bus_message_close_container(m);
}

static int send_start(ScopeRequest *q) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        sd_bus *bus;
        int r;

        r = scope_client_bus(q->client, &bus);
        if (r < 0)
                return r;
        r = scope_request_hold_jobs(q, bus);
        if (r >= 0)
                r = scope_client_new_call(q->client, "StartTransientUnit", &m);
        if (r >= 0)
                r = sd_bus_message_append(m, "ss", q->unit, "fail");
        if (r >= 0)
                r = append_properties(m, q);
        if (r >= 0)
                r = sd_bus_message_append(m, "a(sa(sv))", 0);
        return r < 0 ? r : scope_request_call(q, m, on_start_answer);
}

static void left_scope_free(LeftScope *left) {
        LIST_REMOVE(left->client->left, left);
        sd_event_source_disable_unref(left->timer);
        free(left->unit);
        free(left);
}

static LeftScope *find_left(ScopeClient *c, const char *unit) {
        for (LeftScope *left = c->left; left; left = left->next)
                if (streq(left->unit, unit))
                        return left;
        return NULL;
}

int scope_start(ScopeClient *c, const ScopePlan *plan, ScopeDone done, void *userdata, ScopeRequest **ret) {
        LeftScope *left;
        ScopeRequest *q;
        int r;

        r = scope_request_new(c, plan->unit, done, userdata, &q);
        if (r < 0)
                return r;
        q->pid = plan->pid;
        q->is_left = plan->is_left;
        q->settings = *plan->settings;
        q->settings.slice = NULL;
        q->description = utf8_text(plan->description, SIZE_MAX, SIZE_MAX);
        r = q->description ? free_and_strdup(&q->settings.slice, plan->settings->slice) : -ENOMEM;
        if (r >= 0)
                r = send_start(q);
        if (r < 0) {
                scope_request_free(q);
                return r;
        }
        /* From now on the unit may be the new scope: the request itself kills the processes of the old one if that
         * stays for long. */
        left = find_left(c, plan->unit);
        if (left)
                left_scope_free(left);
        *ret = q;
        return 0;
}

static int on_unit_started(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;

        if (!scope_request_failed(q, m, "systemd did not start it"))
                scope_request_end(q, 0, "");
        return 0;
}

int scope_start_unit(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        int r;

        r = scope_client_new_call(c, "StartUnit", &m);
        if (r >= 0)
                r = sd_bus_message_append(m, "ss", unit, "replace");
        return r < 0 ? r : scope_request_send(c, unit, m, on_unit_started, done, userdata, ret);
}

void scope_stop(ScopeClient *c, const char *unit) {
        sd_bus *bus;

        if (scope_client_bus(c, &bus) >= 0)
                (void) sd_bus_call_method_async(bus, NULL, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "StopUnit", NULL, NULL,
                                                "ss", unit, "replace");
}

/* By systemd, since cgroup.kill is not writable in the daemon's sandbox. */
void scope_kill(ScopeClient *c, const char *unit) {
        sd_bus *bus;

        if (scope_client_bus(c, &bus) >= 0)
                (void) sd_bus_call_method_async(bus, NULL, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "KillUnit", NULL, NULL,
                                                "ssi", unit, "all", (int32_t) SIGKILL);
}

void scope_thaw(ScopeClient *c, const char *unit) {
        sd_bus *bus;

        if (scope_client_bus(c, &bus) >= 0)
                (void) sd_bus_call_method_async(bus, NULL, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "ThawUnit", NULL, NULL,
                                                "s", unit);
}

/* Usually the scope has ended by now, and systemd refuses the call. */
static int on_left(sd_event_source *source, uint64_t usec, void *userdata) {
        LeftScope *left = userdata;

        scope_kill(left->client, left->unit);
        left_scope_free(left);
        return 0;
}

/* systemd asks the bus for the caller's credentials, so the connection stays until it has answered. */
static void kill_and_wait(sd_bus *bus, const char *unit) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;

        if (sd_bus_message_new_method_call(bus, &m, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "KillUnit") >= 0 &&
            sd_bus_message_append(m, "ssi", unit, "all", (int32_t) SIGKILL) >= 0)
                (void) sd_bus_call(bus, m, KILL_TIMEOUT_USEC, NULL, NULL);
}

void scope_client_end_left(ScopeClient *c) {
        while (c->left) {
                if (c->bus && sd_bus_is_ready(c->bus) > 0)
                        kill_and_wait(c->bus, c->left->unit);
                left_scope_free(c->left);
        }
}

static int on_event_exit(sd_event_source *source, void *userdata) {
        scope_client_end_left(userdata);
        return 0;
}

/* sd-bus closes the connection when the loop ends, at a lower priority. */
static int end_left_with_event(ScopeClient *c) {
        int r = c->at_exit ? 0 : sd_event_add_exit(c->event, &c->at_exit, on_event_exit, c);

        return r < 0 ? r : sd_event_source_set_priority(c->at_exit, SD_EVENT_PRIORITY_IMPORTANT);
}

void scope_stop_left(ScopeClient *c, const char *unit) {
        LeftScope *left = find_left(c, unit);

        scope_stop(c, unit);
        if (left || !(left = calloc(1, sizeof(*left))))
                return;
        *left = (LeftScope) { .client = c, .next = c->left, .unit = strdup(unit) };
        c->left = left;
        if (!left->unit || end_left_with_event(c) < 0 ||
            sd_event_add_time_relative(c->event, &left->timer, CLOCK_MONOTONIC, LEFT_USEC, RETRY_USEC, on_left, left) < 0)
                left_scope_free(left);
}
