/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl is-enabled, is-active, is-failed: print a word for each session. The exit status for scripts is systemctl's: 0 if the
 * answer is yes for at least one session, 4 if none exists, otherwise as the verb defines it. */

#include "bus-client.h"
#include "enablement.h"
#include "session-list.h"
#include "strv.h"
#include "verbs.h"

typedef struct IsAnswer {
        bool yes, found; /* for at least one session */
} IsAnswer;

static void is_print(const ClientOptions *o, const char *word) {
        if (!o->quiet)
                (void) puts(word);
}

static int is_status(const IsAnswer *a, int otherwise) {
        return a->yes ? STATUS_OK : !a->found ? STATUS_NO_SUCH_STATUS : otherwise;
}

/* True if a recorder exists and does what was requested last. */
static bool is_active(const char *state) {
        static const char *const states[] = { "recording", "paused", "reserved" };

        for (size_t i = 0; i < ELEMENTSOF(states); i++)
                if (streq(state, states[i]))
                        return true;
        return false;
}

static bool is_failed(const char *state) {
        return streq(state, "failed") || streq(state, "bad-setting");
}

/* Without a daemon no session is active, which is an answer and no failure. */
static int is_ask_state(const ClientOptions *o, BusClient *c, const char *name, bool (*is)(const char *state), IsAnswer *a) {
        _cleanup_(json_object_putp) json_object *properties = NULL;
        int r = bus_client_get_session(c, name, &properties), status = r < 0 ? bus_client_status(c) : STATUS_OK;
        const char *state = r < 0 ? "inactive" : json_get_string(properties, "State");

        if (status != STATUS_OK && status != STATUS_NOT_RUNNING && status != STATUS_NO_SUCH_SESSION)
                return bus_client_fail(c, "show the state");
        is_print(o, state);
        a->found = a->found || status != STATUS_NO_SUCH_SESSION;
        a->yes = a->yes || is(state);
        return STATUS_OK;
}

static int is_ask_states(const ClientOptions *o, char *const *names, bool (*is)(const char *state), int otherwise) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        IsAnswer a = {};

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        STRV_FOREACH(name, names) {
                int status = is_ask_state(o, c, *name, is, &a);

                if (status != STATUS_OK)
                        return status;
        }
        return is_status(&a, otherwise);
}

int verb_is_active(const ClientOptions *o, char **arguments) {
        return is_ask_states(o, arguments, is_active, STATUS_NOT_RUNNING);
}

/* Has any session failed? As systemctl is-failed for the whole system; a running session with an error counts, too. */
static int is_ask_all(const ClientOptions *o) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(session_list_done) SessionList l = {};
        bool failed = false;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (session_list_load(c, &l) < 0)
                return bus_client_fail(c, "list sessions");
        for (size_t i = 0; i < l.n; i++)
                failed = failed || is_failed(json_get_string(l.sessions[i], "State")) || session_runs_with_error(l.sessions[i]);
        is_print(o, failed ? "degraded" : "running");
        return failed ? STATUS_OK : STATUS_FAILED;
}

int verb_is_failed(const ClientOptions *o, char **arguments) {
        return arguments ? is_ask_states(o, arguments, is_failed, STATUS_FAILED) : is_ask_all(o);
}

static int is_file_state_from_files(const ClientOptions *o, const char *name, char **ret) {
        _cleanup_(search_path_done) SearchPath path = {};
        FileState state;
        int r = search_path_init(&path, o->user);

        if (r >= 0)
                r = file_state_get(&path, name, &state);
        return r < 0 ? r : free_and_strdup(ret, file_state_to_string(state));
}

/* *ret: NULL if there is no such session. */
static int is_get_file_state(const ClientOptions *o, BusClient *c, const char *name, char **ret) {
        _cleanup_(json_object_putp) json_object *state = NULL;
        int r, status;

        if (bus_client_get_file_state(c, name, &state) >= 0)
                return free_and_strdup(ret, json_string(state)) < 0 ? verb_fail("ask", -ENOMEM) : STATUS_OK;
        status = bus_client_status(c);
        if (status == STATUS_NO_SUCH_SESSION)
                return STATUS_OK;
        if (status != STATUS_NOT_RUNNING || o->host || o->machine)
                return bus_client_fail(c, "show whether it is enabled");
        r = is_file_state_from_files(o, name, ret);
        return r < 0 && r != -ENOENT && r != -EINVAL ? verb_fail("read the session's files", r) : STATUS_OK;
}

int verb_is_enabled(const ClientOptions *o, char **arguments) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        IsAnswer a = {};

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        STRV_FOREACH(name, arguments) {
                _cleanup_free_ char *state = NULL;
                int status = is_get_file_state(o, c, *name, &state);

                if (status != STATUS_OK)
                        return status;
                is_print(o, state ?: "not-found");
                a.found = a.found || state;
                a.yes = a.yes || (state && streq(state, "enabled"));
        }
        return is_status(&a, STATUS_FAILED);
}
