/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Takes back what a previous daemon left. Before the event loop runs, the descriptor store gives back sessions with all that
 * is known of them. Then systemd is asked for the scopes of sessions: a recorder in a scope is adopted by the session of that
 * name if it has none, and a scope that belongs to no session is stopped. So no session gets a second recorder and none is
 * left over, whether the store was kept or not.
 *
 * Sessions are started, and the bus is served, after that. */

#include "fd-file.h"
#include "fdstore.h"
#include "parse-number.h"
#include "quote.h"
#include "reservation.h"

#define TRIGGER_NAME "trigger" /* FileDescriptorName= in perf-recorderd.socket */
#define PROCESSES_MAX 65536
#define RECORD_MAX (256 * 1024) /* bytes */

struct Adoption {
        Manager *manager;
        ScopeRequest *request;
        char **units;
        size_t next;
        void (*done)(int error, void *userdata);
        void *userdata;
};

Adoption *adoption_free(Adoption *a) {
        if (!a)
                return NULL;
        scope_request_free(a->request);
        strv_free(a->units);
        free(a);
        return NULL;
}

/* A session whose file is gone gets an object too: its recorder must be ended. */
static int find_recorded(Manager *m, const SessionRecord *r, Session **ret) {
        const char *name = session_record_text(r, "name");
        Session *s;
        int k;

        if (!session_record_number(r, "transient", 1)) {
                Failure failure = sessions_load(&m->sessions, name, ret);

                if (!failure || failure == FAILURE_NO_MEMORY)
                        return failure ? -ENOMEM : 0;
        }
        if (!session_name_is_valid(name))
                return -EBADMSG;
        k = session_new(&m->host, name, &s);
        if (k < 0)
                return k;
        session_read_settings(s, r);
        k = sessions_add(&m->sessions, s);
        if (k < 0)
                return k;
        *ret = s;
        return 0;
}

int manager_restore_session(Manager *m, const char *store_name, int pidfd, int counters_fd, int state_fd) {
        _cleanup_close_ int process = pidfd, counters = counters_fd, state = state_fd;
        _cleanup_(session_record_done) SessionRecord r = {};
        char *text = NULL;
        Session *s;
        int k;

        if (lseek(state, 0, SEEK_SET) < 0)
                return -errno;
        k = read_fd(state, RECORD_MAX, &text, NULL);
        if (k >= 0)
                k = session_record_parse(text, &r);
        if (k >= 0)
                k = find_recorded(m, &r, &s);
        return k < 0 ? k : session_restore(s, &r, store_name, steal_fd(&process), steal_fd(&counters), steal_fd(&state));
}

static void restore_entry(Manager *m, FdStoreEntry *e) {
        int pidfd = -EBADF, counters = -EBADF, state = -EBADF, r;
        char name[FDSTORE_NAME_MAX];

        for (size_t i = 0; i < e->n_fds; i++)
                switch (fdstore_kind(e->fds[i], name)) {
                case FD_KIND_PIDFD:
                        safe_close(pidfd);
                        pidfd = steal_fd(&e->fds[i]);
                        break;
                case FD_KIND_MEMFD:
                        if (streq(name, "perf-recorder-state")) {
                                safe_close(state);
                                state = steal_fd(&e->fds[i]);
                        } else {
                                safe_close(counters);
                                counters = steal_fd(&e->fds[i]);
                        }
                        break;
                default:
                        break;
                }
        r = manager_restore_session(m, e->name, pidfd, counters, state);
        if (r >= 0)
                return;
        journal_log(LOG_WARNING, "An entry of the descriptor store could not be used: %s", strerror(-r));
        fdstore_remove(e->name);
}

/* Sessions get back what they lent for a reservation that cannot be read. */
static void restore_reservation(Manager *m, FdStoreEntry *e, const char *kind) {
        int fd = -EBADF, state = -EBADF, r;
        char name[FDSTORE_NAME_MAX];
        CounterKind k = counter_kind_from_string(kind);

        for (size_t i = 0; i < e->n_fds && k >= 0; i++) {
                int *to = fdstore_kind(e->fds[i], name) == FD_KIND_MEMFD ? &state : &fd;

                safe_close(*to);
                *to = steal_fd(&e->fds[i]);
        }
        r = k < 0 ? -EBADMSG : manager_restore_reservation(m, k, fd, state);
        if (r >= 0)
                return;
        journal_log(LOG_WARNING, "A reservation of counters is given up: its entry of the descriptor store could not be used: %s",
                    strerror(-r));
        fdstore_remove(e->name);
}

static int steal_socket(FdStoreEntry *e) {
        char name[FDSTORE_NAME_MAX];

        for (size_t i = 0; i < e->n_fds; i++)
                if (fdstore_kind(e->fds[i], name) == FD_KIND_SOCKET)
                        return steal_fd(&e->fds[i]);
        return -EBADF;
}

int manager_restore(Manager *m, int *ret_notify_fd, int *ret_trigger_fd) {
        FdStore store = {};
        int r;

        r = fdstore_restore(&store);
        if (r < 0) {
                journal_log(LOG_WARNING, "The descriptor store could not be read: %s", strerror(-r));
                return 0;
        }
        for (size_t i = 0; i < store.n_entries; i++) { /* before the sessions, which follow them */
                const char *kind = startswith(store.entries[i].name, RESERVATION_STORE_PREFIX);

                if (kind)
                        restore_reservation(m, &store.entries[i], kind);
        }
        for (size_t i = 0; i < store.n_entries; i++)
                if (startswith(store.entries[i].name, RESERVATION_STORE_PREFIX))
                        continue;
                else if (streq(store.entries[i].name, NOTIFY_STORE_NAME))
                        *ret_notify_fd = steal_socket(&store.entries[i]);
                else if (streq(store.entries[i].name, TRIGGER_NAME))
                        *ret_trigger_fd = steal_socket(&store.entries[i]);
                else
                        restore_entry(m, &store.entries[i]);
        fdstore_done(&store);
        return 0;
}

static void next_unit(Adoption *a);

static void end_adoption(Adoption *a, int error) {
        void (*done)(int error, void *userdata) = a->done;
        void *userdata = a->userdata;

        a->manager->adoption = NULL;
        adoption_free(a);
        done(error, userdata);
}

static int find_recorder(Manager *m, const char *name, const char *text, pid_t *ret) {
        size_t n = 0, max = MIN_OF(strlen(text) / 2 + 1, (size_t) PROCESSES_MAX);
        _cleanup_free_ char *copy = strdup(text);
        _cleanup_free_ pid_t *pids = NULL;
        char *rest = copy, *line;

        pids = calloc(max, sizeof(pid_t));
        if (!copy || !pids)
                return -ENOMEM;
        while (n < max && (line = strsep(&rest, "\n")))
                n += parse_pid(line, &pids[n]) >= 0;
        *ret = session_find_recorder(m->host.base.fd, name, pids, n);
        return 0;
}

/* An empty scope may stay for good: if its process has just died, systemd makes it without an error, and then waits
 * for its end. A scope that has processes, but no recorder of this daemon, belongs to another daemon. */
static void take_scope(Manager *m, const char *unit, const char *name, const char *text) {
        Session *s;
        pid_t pid = 0;
        int r;

        if (!*text) {
                scope_stop(m->host.scopes, unit);
                return;
        }
        r = find_recorder(m, name, text, &pid);
        if (r < 0 || pid == 0)
                return;
        if (sessions_load(&m->sessions, name, &s) || session_view(s).main_pid > 0 || session_adopt_from_scope(s, pid) < 0) {
                journal_log(LOG_WARNING, "The scope %s belongs to no session: stopping it", unit);
                scope_stop(m->host.scopes, unit);
        }
}

static void on_processes(int error, const char *text, void *userdata) {
        Adoption *a = userdata;
        const char *unit = a->units[a->next++];
        _cleanup_free_ char *name = scope_session_name(unit);

        a->request = NULL;
        if (error >= 0 && name)
                take_scope(a->manager, unit, name, text);
        next_unit(a);
}

/* Scopes of sessions that the descriptor store gave back are skipped. */
static void next_unit(Adoption *a) {
        int r;

        for (; a->units && a->units[a->next]; a->next++) {
                const char *unit = a->units[a->next];
                _cleanup_free_ char *name = scope_session_name(unit);
                const Session *s = name ? sessions_find(&a->manager->sessions, name) : NULL;

                if (s && session_view(s).main_pid > 0)
                        continue;
                r = scope_list_processes(a->manager->host.scopes, unit, on_processes, a, &a->request);
                if (r >= 0)
                        return;
                journal_log(LOG_WARNING, "Cannot look into the scope %s: %s", unit, strerror(-r));
        }
        end_adoption(a, 0);
}

static void on_units(int error, const char *text, void *userdata) {
        Adoption *a = userdata;
        int r = error;

        a->request = NULL;
        if (r < 0)
                journal_log(LOG_ERR, "%s. No session can be started without systemd", text);
        else
                r = split_names(text, PROCESSES_MAX, &a->units);
        if (r < 0)
                end_adoption(a, r);
        else
                next_unit(a);
}

int manager_adopt_from_scopes(Manager *m, void (*adopted)(int error, void *userdata), void *userdata) {
        Adoption *a;
        int r;

        a = calloc(1, sizeof(Adoption));
        if (!a)
                return -ENOMEM;
        *a = (Adoption){ .manager = m, .done = adopted, .userdata = userdata };
        r = scope_list(m->host.scopes, on_units, a, &a->request);
        if (r < 0) {
                journal_log(LOG_ERR, "Cannot reach systemd on the bus: %s. No session can be started without it", strerror(-r));
                adoption_free(a);
                return r;
        }
        m->adoption = a;
        return 0;
}
