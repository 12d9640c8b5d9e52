/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* D-Bus, seen from the client: it connects (this machine, another by ssh, a container; the system's bus or the user's),
 * sends one call at a time, reads any answer into json-c's objects (bus-client-answer.c), and turns errors into sentences
 * and exit statuses. The verbs know what answers mean. */

#include "bus-client.h"

#include <systemd/sd-bus.h>

#include <perf-recorder/bus-names.h>
#include <perf-recorder/errors.h>

#include "bus-client-answer.h"
#include "bus-client-monitor.h"
#include "bus-client-unit.h"
#include "exit-status.h"
#include "format-text.h"
#include "polkit-agent.h"
#include "strv.h"
#include "text-width.h"

#define NOT_RUNNING "perf-recorderd is not running; 'perfctl start' starts it"
#define USER_NOT_RUNNING "the user's perf-recorderd is not running; 'perfctl --user start' starts it"
#define NOT_STARTING "perf-recorderd is not installed or does not start; see 'systemctl status perf-recorderd'"
#define USER_NOT_STARTING \
        "the user's perf-recorderd is not installed or does not start; see 'systemctl --user status perf-recorderd'"
#define UNIT_MASKED_ERROR "org.freedesktop.systemd1.UnitMasked" /* the error of a call that would start it */
#define ERROR_SPAWN "org.freedesktop.DBus.Error.Spawn" /* prefix of the errors of a service that cannot be started */
#define ERROR_NOT_STARTED "org.freedesktop.DBus.Error.TimedOut" /* dbus-daemon's, of a service that did not take its name */
#define SSH_TIMEOUT (90 * USEC_PER_SEC) /* ssh may ask for a password, for which sd-bus gives this time */
#define LOOK_TIMEOUT (2 * USEC_PER_SEC) /* of calls that only explain or look at the unit: the bus itself may hang */
#define REMARK_DELAY (3 * USEC_PER_SEC)
#define EXPLAIN_DELAY (10 * USEC_PER_SEC) /* of a call that waits for work to be done */
#define UNIT_INTERVAL (500 * USEC_PER_MSEC)  /* between two looks at the unit that a call starts */
#define NAME_TIMEOUT (1 * USEC_PER_SEC)      /* for the name of a service that runs */
#define NAME_INTERVAL (50 * USEC_PER_MSEC)

struct BusClient {
        sd_bus *bus;
        sd_bus_error error; /* of the last failed call */
        int number;         /* its errno */
        usec_t timeout;     /* of calls, and of the opening of the connection: sd-bus's own, 25 s or $SYSTEMD_BUS_TIMEOUT */
        bool auto_start;    /* the last call could have started the daemon */
        bool may_ask;       /* polkit may ask through an agent on this terminal */
        bool user;          /* this is the user's bus */
        bool local, quiet;  /* it is on this machine; no remarks are wanted */
        bool heard;         /* the signal that is listened for has come since the last call */
        pid_t agent;
};

static int bus_client_print_connect_failure(const ClientOptions *o, int r) {
        const char *remote = o->host ?: o->machine;

        (void) fprintf(stderr, "Failed to connect to %s%s: %s\n", remote ? "the bus of " : "",
                       remote ?: o->user ? "the user's bus" : "the system bus",
                       remote || r != -ENOMEDIUM ? strerror(-r) : "neither $DBUS_SESSION_BUS_ADDRESS nor $XDG_RUNTIME_DIR is set; "
                                                                  "for another user's bus give --machine=USER@.host");
        return r;
}

int bus_client_try_open(const ClientOptions *o, BusClient **ret) {
        _cleanup_(bus_client_freep) BusClient *c = calloc(1, sizeof(*c));
        int r;

        if (!c)
                return -ENOMEM;
        c->user = o->user;
        c->quiet = o->quiet;
        c->local = !o->host && !o->machine;
        c->may_ask = !o->no_ask_password && !o->host && !o->machine;
        if (o->host)
                r = sd_bus_open_system_remote(&c->bus, o->host);
        else if (o->machine)
                r = o->user ? sd_bus_open_user_machine(&c->bus, o->machine) : sd_bus_open_system_machine(&c->bus, o->machine);
        else
                r = o->user ? sd_bus_open_user(&c->bus) : sd_bus_open_system(&c->bus);
        if (r >= 0 && !o->no_ask_password)
                r = sd_bus_set_allow_interactive_authorization(c->bus, true);
        if (r >= 0)
                r = sd_bus_get_method_call_timeout(c->bus, &c->timeout);
        if (o->host)
                c->timeout = MAX_OF(c->timeout, SSH_TIMEOUT);
        if (r >= 0)
                r = sd_bus_set_method_call_timeout(c->bus, LOOK_TIMEOUT);
        if (r < 0)
                return r;
        *ret = steal_ptr(c);
        return 0;
}

int bus_client_open(const ClientOptions *o, BusClient **ret) {
        int r = bus_client_try_open(o, ret);

        return r < 0 ? bus_client_print_connect_failure(o, r) : 0;
}

BusClient *bus_client_free(BusClient *c) {
        if (!c)
                return NULL;
        polkit_agent_stop(c->agent);
        sd_bus_error_free(&c->error);
        sd_bus_close_unref(c->bus); /* each answer was awaited, and a flush waits for a bus that hangs */
        free(c);
        return NULL;
}

static int bus_client_on_answer(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        *(sd_bus_message **) userdata = sd_bus_message_ref(m);
        return 0;
}

/* dbus-daemon waits for a service that it starts, and does not see it fail. A unit that has failed may wait for its RestartSec=
 * to pass, and the start with it: only when it fails again is it known to. failed: since when it had at the first look, or 0. */
static int bus_client_check_start(BusClient *c, uint64_t *failed, usec_t *due) {
        uint64_t began;
        UnitState state;

        if (sd_bus_is_ready(c->bus) <= 0) { /* sd_bus_call() would wait for that first, past its timeout */
                *due = now_usec(CLOCK_MONOTONIC) + UNIT_INTERVAL;
                return 0;
        }
        state = bus_client_unit_state(c->bus, &began);
        if (state != UNIT_STATE_FAILED)
                began = 0;
        *due = state == UNIT_STATE_UNKNOWN || state == UNIT_STATE_ACTIVE ? USEC_INFINITY :
                                                                           now_usec(CLOCK_MONOTONIC) + UNIT_INTERVAL;
        if (*failed > 0 && began > 0 && began != *failed)
                return sd_bus_error_set(&c->error, ERROR_SPAWN ".Failed", NULL);
        *failed = *failed ?: began;
        return 0;
}

/* Runs the bus until the answer has arrived, or the error that stands for it. Prints the call's remark, and what it waits for,
 * if that takes long. */
static int bus_client_await(BusClient *c, sd_bus_message *const *answer, usec_t timeout, const BusClientCall *call) {
        bool waits = call && call->flags & BUS_CALL_WAIT && !c->quiet;
        usec_t begin = now_usec(CLOCK_MONOTONIC), asked = call ? call->asked : 0;
        usec_t explain = waits ? begin + asked + EXPLAIN_DELAY : USEC_INFINITY;
        usec_t due = call && call->remark ? begin + asked + REMARK_DELAY : USEC_INFINITY;
        usec_t end = timeout < USEC_INFINITY - begin ? begin + timeout : USEC_INFINITY;
        usec_t look = c->auto_start ? begin + UNIT_INTERVAL : USEC_INFINITY;
        uint64_t failed = 0;
        int r = 0;

        while (r >= 0 && !*answer) {
                usec_t now, next;

                r = sd_bus_process(c->bus, NULL);
                if (r != 0 || *answer)
                        continue;
                now = now_usec(CLOCK_MONOTONIC);
                if (now >= end || (now - begin >= c->timeout && sd_bus_is_ready(c->bus) <= 0))
                        return -ETIMEDOUT;
                if (now >= due) {
                        (void) fprintf(stderr, "%s\n", call->remark);
                        due = USEC_INFINITY;
                }
                if (end - now < LOOK_TIMEOUT) /* the look might outlast the call */
                        look = explain = USEC_INFINITY;
                if (now >= explain) {
                        bus_client_unit_explain_wait(c->bus, &(BusClientWait) { .names = call->names, .user = c->user,
                                                                                .local = c->local, .asks = c->agent > 0 });
                        explain = USEC_INFINITY;
                        continue;
                }
                if (now >= look) {
                        r = bus_client_check_start(c, &failed, &look);
                        continue;
                }
                next = MIN_OF(due, end);
                next = MIN_OF(next, look);
                next = MIN_OF(next, explain);
                if (sd_bus_is_ready(c->bus) <= 0)
                        next = MIN_OF(next, begin + c->timeout);
                r = sd_bus_wait(c->bus, next == USEC_INFINITY ? USEC_INFINITY : next - now);
                if (r == -EINTR)
                        r = 0;
        }
        return MIN_OF(r, 0);
}

/* A service that starts, or whose bus was restarted, takes its name a moment later. True: it has it now, and the call that found
 * nobody can be repeated. */
static bool bus_client_await_name(BusClient *c) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + NAME_TIMEOUT;

        if (c->auto_start || !sd_bus_error_has_names(&c->error, SD_BUS_ERROR_SERVICE_UNKNOWN, SD_BUS_ERROR_NAME_HAS_NO_OWNER))
                return false;
        do {
                _cleanup_free_ char *owner = NULL;
                UnitState state = bus_client_unit_state(c->bus, NULL);

                if (state != UNIT_STATE_STARTING && state != UNIT_STATE_ACTIVE)
                        return false;
                if (bus_client_unit_owner(c->bus, &owner) >= 0 && owner)
                        return true;
                (void) usleep(NAME_INTERVAL);
        } while (now_usec(CLOCK_MONOTONIC) < end);
        sd_bus_error_free(&c->error);
        (void) sd_bus_error_set(&c->error, SD_BUS_ERROR_NO_REPLY, NULL); /* it runs, so this is not its absence */
        return false;
}

/* Sends the call and keeps its error if it fails. With d, *ret has the values of an error, too, which sd_bus_call() does not
 * return. */
static int bus_client_transact(BusClient *c, sd_bus_message *m, usec_t timeout, const BusClientCall *call, BusDescriptors *d,
                               json_object **ret) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_(sd_bus_slot_unrefp) sd_bus_slot *slot = NULL;
        int r, k = 0;

        sd_bus_error_free(&c->error);
        r = sd_bus_call_async(c->bus, &slot, m, bus_client_on_answer, &reply, USEC_INFINITY);
        if (r >= 0)
                r = bus_client_await(c, &reply, timeout, call);
        if (reply)
                r = sd_bus_error_copy(&c->error, sd_bus_message_get_error(reply));
        else if (!sd_bus_error_is_set(&c->error))
                r = sd_bus_error_set_errno(&c->error, r);
        if (r < 0 && bus_client_await_name(c))
                return bus_client_transact(c, m, timeout, call, d, ret);
        if (reply && ret && (r >= 0 || d))
                k = bus_read_arguments(reply, d, ret);
        c->number = r < 0 ? r : k;
        return c->number;
}

static int bus_client_append_option(sd_bus_message *m, const BusOption *o) {
        switch (o->type) {
        case SD_BUS_TYPE_STRING:
                return sd_bus_message_append(m, "{sv}", o->key, "s", o->string);
        case SD_BUS_TYPE_BOOLEAN:
                return sd_bus_message_append(m, "{sv}", o->key, "b", (int) o->number);
        default:
                return sd_bus_message_append(m, "{sv}", o->key, "t", o->number);
        }
}

static int bus_client_append_arguments(sd_bus_message *m, const BusClientCall *call) {
        int r = 0;

        if (call->flags & BUS_CALL_NAMES)
                r = sd_bus_message_append_strv(m, (char **) call->names);
        for (const char *const *s = call->strings; r >= 0 && s && *s; s++)
                r = sd_bus_message_append(m, "s", *s);
        if (r >= 0 && call->number_type == SD_BUS_TYPE_BOOLEAN)
                r = sd_bus_message_append(m, "b", (int) call->number);
        if (r >= 0 && call->number_type == SD_BUS_TYPE_INT32)
                r = sd_bus_message_append(m, "i", (int32_t) call->number);
        if (r >= 0 && call->number_type == SD_BUS_TYPE_UINT64)
                r = sd_bus_message_append(m, "t", call->number);
        if (r >= 0 && call->flags & (BUS_CALL_TRUE | BUS_CALL_FALSE))
                r = sd_bus_message_append(m, "b", (call->flags & BUS_CALL_TRUE) != 0);
        if (r < 0 || !(call->flags & BUS_CALL_OPTIONS))
                return r;
        r = sd_bus_message_open_container(m, SD_BUS_TYPE_ARRAY, "{sv}");
        for (size_t i = 0; r >= 0 && i < call->n_options; i++)
                r = bus_client_append_option(m, &call->options[i]);
        return r < 0 ? r : sd_bus_message_close_container(m);
}

/* Replaces the bus's error by the service's own, which knows why there is no such session. */
static void bus_client_explain_missing(BusClient *c, const char *name);

static int bus_client_send(BusClient *c, const BusClientCall *call, BusDescriptors *d, json_object **ret) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        usec_t timeout = call->timeout ?: call->flags & BUS_CALL_WAIT ? USEC_INFINITY : c->timeout;
        const char *interface = call->session ? PR_BUS_SESSION_INTERFACE : call->object ? PR_BUS_DUMP_INTERFACE :
                                PR_BUS_MANAGER_INTERFACE;
        _cleanup_free_ char *path = NULL;
        int r;

        if ((call->flags & BUS_CALL_AUTHORIZE) && c->may_ask && c->agent == 0)
                c->agent = polkit_agent_start();
        r = call->session ? sd_bus_path_encode(PR_BUS_SESSION_PATH, call->session, &path) : 0;
        if (r >= 0)
                r = sd_bus_message_new_method_call(c->bus, &m, PR_BUS_NAME, path ?: call->object ?: PR_BUS_PATH, interface,
                                                   call->method);
        if (r >= 0)
                r = bus_client_append_arguments(m, call);
        c->auto_start = !(call->flags & BUS_CALL_NO_AUTO_START);
        c->heard = false;
        if (r >= 0)
                r = sd_bus_message_set_auto_start(m, c->auto_start);
        if (r < 0) {
                c->number = r;
                return r;
        }
        r = bus_client_transact(c, m, timeout, call, d, ret);
        if (call->session && sd_bus_error_has_names(&c->error, SD_BUS_ERROR_UNKNOWN_OBJECT, SD_BUS_ERROR_UNKNOWN_INTERFACE))
                bus_client_explain_missing(c, call->session);
        return r;
}

int bus_client_call(BusClient *c, const BusClientCall *call, json_object **ret) {
        return bus_client_send(c, call, NULL, ret);
}

int bus_client_call_for_descriptors(BusClient *c, const BusClientCall *call, json_object **ret, BusDescriptors *ret_descriptors) {
        return bus_client_send(c, call, ret_descriptors, ret);
}

/* Calls a standard method with at most one string as argument; *ret is its first result. Does not start the daemon. */
static int bus_client_ask(BusClient *c, const char *destination, const char *path, const char *interface, const char *method,
               const char *argument, json_object **ret) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        _cleanup_(json_object_putp) json_object *values = NULL;
        int r = sd_bus_message_new_method_call(c->bus, &m, destination, path, interface, method);

        if (r >= 0 && argument)
                r = sd_bus_message_append(m, "s", argument);
        c->auto_start = false;
        if (r >= 0)
                r = sd_bus_message_set_auto_start(m, false);
        if (r < 0) {
                sd_bus_error_free(&c->error);
                c->number = r;
                return r;
        }
        r = bus_client_transact(c, m, c->timeout, NULL, NULL, &values);
        if (r >= 0)
                *ret = json_ref(json_at(values, 0));
        return r;
}

int bus_client_get_manager(BusClient *c, json_object **ret) {
        return bus_client_ask(c, PR_BUS_NAME, PR_BUS_PATH, "org.freedesktop.DBus.Properties", "GetAll", PR_BUS_MANAGER_INTERFACE,
                   ret);
}

static void bus_client_explain_missing(BusClient *c, const char *name) {
        _cleanup_(json_object_putp) json_object *path = NULL;
        _cleanup_free_ char *why = NULL;

        (void) bus_client_ask(c, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "GetSession", name, &path);
        if (sd_bus_error_has_name(&c->error, PR_ERROR_NO_SUCH_SESSION))
                return;
        if (sd_bus_error_has_name(&c->error, SD_BUS_ERROR_INVALID_ARGS)) /* a template, or no name of a session */
                why = strdup(c->error.message ?: "");
        sd_bus_error_free(&c->error);
        c->number = -ENOENT;
        if (why && *why)
                (void) sd_bus_error_set(&c->error, PR_ERROR_NO_SUCH_SESSION, why);
        else
                (void) sd_bus_error_setf(&c->error, PR_ERROR_NO_SUCH_SESSION,
                                         "There is no session '%s'; 'perfctl list' shows all", name);
}

int bus_client_get_session(BusClient *c, const char *name, json_object **ret) {
        _cleanup_free_ char *path = NULL;
        int r = sd_bus_path_encode(PR_BUS_SESSION_PATH, name, &path);

        if (r < 0) {
                sd_bus_error_free(&c->error);
                c->number = r;
                return r;
        }
        r = bus_client_ask(c, PR_BUS_NAME, path, "org.freedesktop.DBus.Properties", "GetAll", PR_BUS_SESSION_INTERFACE, ret);
        if (!sd_bus_error_has_names(&c->error, SD_BUS_ERROR_UNKNOWN_OBJECT, SD_BUS_ERROR_UNKNOWN_INTERFACE))
                return r;
        bus_client_explain_missing(c, name);
        return r;
}

int bus_client_get_file_state(BusClient *c, const char *name, json_object **ret) {
        return bus_client_ask(c, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "GetSessionFileState", name, ret);
}

int bus_client_get_dump(BusClient *c, const char *object, json_object **ret) {
        return bus_client_ask(c, PR_BUS_NAME, object, "org.freedesktop.DBus.Properties", "GetAll", PR_BUS_DUMP_INTERFACE, ret);
}

char *bus_client_dump_id(const char *object) {
        char *id;

        return sd_bus_path_decode(object, PR_BUS_DUMP_PATH, &id) > 0 ? id : strdup(object);
}

int bus_client_get_objects(BusClient *c, json_object **ret) {
        return bus_client_ask(c, PR_BUS_NAME, PR_BUS_PATH, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", NULL, ret);
}

int bus_client_get_daemon_pid(BusClient *c, pid_t *ret) {
        _cleanup_(json_object_putp) json_object *pid = NULL;
        int r = bus_client_ask(c, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                    "GetConnectionUnixProcessID", PR_BUS_NAME, &pid);

        if (r < 0)
                return r;
        *ret = (pid_t) json_unsigned(pid);
        return 0;
}

/* The exit status for each error, and a sentence for those whose own message does not help. */
static const struct {
        const char *name;
        int status;
        const char *sentence;
        bool absent; /* the service is not on the bus and, if the call could start it, did not come there */
} meanings[] = {
        { SD_BUS_ERROR_SERVICE_UNKNOWN, STATUS_NOT_RUNNING, .absent = true },
        { SD_BUS_ERROR_NAME_HAS_NO_OWNER, STATUS_NOT_RUNNING, .absent = true }, /* dbus-broker's, too, if its unit failed */
        { UNIT_MASKED_ERROR, STATUS_NOT_RUNNING, .absent = true },
        { ERROR_NOT_STARTED, STATUS_FAILED, .absent = true },
        { SD_BUS_ERROR_NO_REPLY, STATUS_FAILED, "perf-recorderd ended, or did not answer in time" },
        { SD_BUS_ERROR_TIMEOUT, STATUS_FAILED, "perf-recorderd did not answer in time" },
        { SD_BUS_ERROR_ACCESS_DENIED, STATUS_DENIED, NULL },
        { SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED, STATUS_DENIED, NULL },
        { SD_BUS_ERROR_UNKNOWN_OBJECT, STATUS_FAILED, "the dump has been removed in the meantime" },
        { PR_ERROR_NO_SUCH_SESSION, STATUS_NO_SUCH_SESSION, NULL },
        { PR_ERROR_NOT_RUNNING, STATUS_NOT_RUNNING, NULL },
        { PR_ERROR_BAD_SETTING, STATUS_BAD_SETTING, NULL },
};

static const char *bus_client_explain_absence(const BusClient *c) {
        if (c->auto_start)
                return c->user ? USER_NOT_STARTING : NOT_STARTING;
        return c->user ? USER_NOT_RUNNING : NOT_RUNNING;
}

static const char *bus_client_find_sentence(const BusClient *c) {
        if (startswith(c->error.name ?: "", ERROR_SPAWN "."))
                return bus_client_explain_absence(c);
        for (size_t i = 0; i < ELEMENTSOF(meanings); i++)
                if (sd_bus_error_has_name(&c->error, meanings[i].name)) {
                        if (meanings[i].absent)
                                return bus_client_explain_absence(c);
                        if (meanings[i].sentence)
                                return meanings[i].sentence;
                }
        if (c->error.message && *c->error.message)
                return c->error.message;
        return strerror(c->number < 0 ? -c->number : ENOMEM);
}

int bus_client_status(const BusClient *c) {
        for (size_t i = 0; i < ELEMENTSOF(meanings); i++)
                if (sd_bus_error_has_name(&c->error, meanings[i].name))
                        return meanings[i].status;
        return STATUS_FAILED;
}

bool bus_client_was_busy(const BusClient *c) {
        return sd_bus_error_has_name(&c->error, PR_ERROR_BUSY);
}

static int bus_client_on_signal(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ((BusClient *) userdata)->heard = true;
        return 0;
}

int bus_client_listen(BusClient *c, const char *member) {
        sd_bus_error_free(&c->error);
        c->number = sd_bus_match_signal(c->bus, NULL, PR_BUS_NAME, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, member,
                                        bus_client_on_signal, c);
        return MIN_OF(c->number, 0);
}

int bus_client_await_signal(BusClient *c, usec_t timeout) {
        usec_t begin = now_usec(CLOCK_MONOTONIC);
        int r = 0;

        while (r >= 0 && !c->heard) {
                usec_t passed = now_usec(CLOCK_MONOTONIC) - begin;

                r = sd_bus_process(c->bus, NULL);
                if (r != 0)
                        continue;
                if (passed >= timeout)
                        return 0;
                r = sd_bus_wait(c->bus, timeout - passed);
                if (r == -EINTR)
                        r = 0;
        }
        sd_bus_error_free(&c->error);
        c->number = r;
        return r < 0 ? r : 1;
}

size_t bus_client_count_recorders(const BusClient *c) {
        return bus_client_unit_count_scopes(c->bus);
}

int bus_client_fail(const BusClient *c, const char *what) {
        _cleanup_free_ char *sentences = strdup(bus_client_find_sentence(c));
        char *rest = sentences, *line;

        (void) fflush(stdout);
        if (!sentences)
                (void) fprintf(stderr, "Failed to %s: %s\n", what, strerror(ENOMEM));
        while ((line = strsep(&rest, "\n"))) {
                _cleanup_free_ char *sentence = text_sanitize(line);

                (void) fprintf(stderr, "Failed to %s: %s\n", what, sentence ?: strerror(ENOMEM));
        }
        return bus_client_status(c);
}

int bus_client_fail_for(const BusClient *c, const char *what, char *const *names) {
        _cleanup_free_ char *with_name = strv_length(names) == 1 ? format_text("%s '%s'", what, names[0]) : NULL;

        return bus_client_fail(c, with_name ? with_name : what);
}

int bus_client_monitor(BusClient *c, int (*handler)(const BusSignal *s, void *userdata), void *userdata) {
        int r = sd_bus_set_method_call_timeout(c->bus, c->timeout);

        c->number = r < 0 ? r : bus_monitor_run(c->bus, handler, userdata);
        return c->number;
}
