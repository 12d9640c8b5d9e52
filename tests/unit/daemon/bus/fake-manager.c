/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The domain as the bus side sees it, without processes, files or units. */

#include "fake-manager.h"

#include <fcntl.h>
#include <stdarg.h>

#include "fd-file.h"
#include "journal.h"

static void fake_session_free(Session *s) {
        free(s->name);
        free(s);
}

static void dump_done(Dump *d) {
        free(d->id);
        free(d->session);
        free(d->symbols.path);
        lendings_done(&d->lent);
        free(d);
}

Manager *fake_manager_new(void) {
        Manager *m = calloc(1, sizeof(Manager));
        Session *s;

        m->sessions.all = m->all;
        s = fake_manager_add(m, "cycles");
        s->state = SESSION_RECORDING;
        s->main_pid = 4711;
        s->unit = "nginx.service";
        s->command = "-e cycles -F 99";
        s->scope = "perf-session-cycles.scope";
        s->counters = (PrCounters) { .magic = PR_COUNTERS_MAGIC, .samples = 7, .lost = 1, .lost_records = 5, .throttled = 2,
                                    .bytes_written = 4096, .files = 3, .ring_bytes = 524288,
                                    .first_sample_nsec = (now_usec(CLOCK_MONOTONIC) - USEC_PER_SEC) * NSEC_PER_USEC };
        fake_manager_add(m, "idle");
        return m;
}

Manager *fake_manager_free(Manager *m) {
        if (!m)
                return NULL;
        fake_manager_release(m, FAILURE_OTHER, NULL);
        for (size_t i = 0; i < m->sessions.n; i++)
                fake_session_free(m->all[i]);
        for (size_t i = 0; i < m->n_dumps; i++)
                dump_done(m->dumps[i]);
        strv_free(m->names);
        strv_free(m->assignments);
        free(m->reserve_who);
        free(m->reserve_why);
        free(m->dump_trigger);
        free(m->dump_detail);
        free(m);
        return NULL;
}

Session *fake_manager_add(Manager *m, const char *name) {
        Session *s = calloc(1, sizeof(Session));

        *s = (Session) { strdup(name), .description = "A session", .unit = "", .error = "", .command = "", .scope = "" };
        m->all[m->sessions.n++] = s;
        if (m->observer.session_new)
                m->observer.session_new(s, m->observer.userdata);
        return s;
}

void fake_manager_remove(Manager *m, const char *name) {
        for (size_t i = 0; i < m->sessions.n; i++)
                if (streq(m->all[i]->name, name)) {
                        Session *s = m->all[i];

                        if (m->observer.session_removed)
                                m->observer.session_removed(s, m->observer.userdata);
                        m->all[i] = m->all[--m->sessions.n];
                        fake_session_free(s);
                        return;
                }
}

void fake_manager_add_dump(Manager *m, const char *session, const char *stamp) {
        Dump *d = calloc(1, sizeof(Dump));

        *d = (Dump) { .session = strdup(session), .trigger = (char *) "request", .detail = (char *) "because",
                      .symbols.path = strdup(""), .boot_id = (char *) "cafe",
                      .incident = (char *) "beef", .path = (char *) "/base/session-a/perf.data.1",
                      .timestamp = 1000, .first = 900, .last = 1100, .samples = 7, .lost = DUMP_UNKNOWN, .lost_records = 5,
                      .throttled = 1,
                      .left_out_mappings = 12, .left_out_processes = 3,
                      .n_triggers = 2, .size = 4096, .usage = 8192 };
        if (asprintf(&d->id, "%s-%s", session, stamp) < 0 || lendings_begin(&d->lent, COUNTER_HARDWARE, "job 12", 950) < 0)
                abort();
        m->dumps[m->n_dumps++] = d;
        if (m->observer.dump_new)
                m->observer.dump_new(d, m->observer.userdata);
}

/* There is no store but the manager itself. */
DumpStore *manager_dumps(Manager *m) {
        return (DumpStore *) m;
}

const Dump *const *dump_store_all(const DumpStore *store, size_t *ret_n) {
        const Manager *m = (const Manager *) store;

        *ret_n = m->n_dumps;
        return (const Dump *const *) m->dumps;
}

const Dump *const *dump_store_of(const DumpStore *store, const char *session, size_t *ret_n) {
        const Manager *m = (const Manager *) store;
        size_t i = 0;

        *ret_n = 0;
        while (i < m->n_dumps && !streq(m->dumps[i]->session, session))
                i++;
        while (i + *ret_n < m->n_dumps && streq(m->dumps[i + *ret_n]->session, session))
                (*ret_n)++;
        return (const Dump *const *) m->dumps + i;
}

const Dump *dump_store_newest(const DumpStore *store, const char *session) {
        size_t n;
        const Dump *const *all = dump_store_of(store, session, &n);

        return n > 0 ? all[n - 1] : NULL;
}

const Dump *dump_store_find(const DumpStore *store, const char *id) {
        const Manager *m = (const Manager *) store;

        for (size_t i = 0; i < m->n_dumps; i++)
                if (streq(m->dumps[i]->id, id))
                        return m->dumps[i];
        return NULL;
}

int dump_store_open(DumpStore *store, const Dump *d, int *ret_fd) {
        int fd = open_memfd("dump", 0);

        (void) write_all(fd, d->id, strlen(d->id));
        *ret_fd = fd;
        return 0;
}

int dump_store_open_symbols(DumpStore *store, const Dump *d, int *ret_fd) {
        if (!*d->symbols.path)
                return -ENODATA;
        *ret_fd = open(d->symbols.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return *ret_fd < 0 ? -errno : 0;
}

int manager_remove_dump(Manager *m, const Dump *d) {
        for (size_t i = 0; i < m->n_dumps; i++)
                if (m->dumps[i] == d) {
                        Dump *gone = m->dumps[i];

                        memmove(m->dumps + i, m->dumps + i + 1, (--m->n_dumps - i) * sizeof(Dump *));
                        m->observer.dump_removed(gone, m->observer.userdata);
                        dump_done(gone);
                        return 0;
                }
        return -ENOENT;
}

void fake_manager_change(Manager *m, Session *s, SessionState state, SessionChange mask) {
        s->state = state;
        m->observer.session_changed(s, mask, m->observer.userdata);
}

void fake_manager_release(Manager *m, Failure failure, const char *sentence) {
        size_t n = m->n_held;

        m->n_held = 0;
        for (size_t i = 0; i < n; i++)
                m->held[i].done(failure, sentence, m->held[i].userdata);
}

static void note(Manager *m, const char *verb, char *const *names) {
        m->verb = verb;
        strv_free(m->names);
        m->names = strv_copy(names);
        m->n_calls++;
}

static void finish(Manager *m, const char *verb, char *const *names, GatherDone done, void *userdata) {
        note(m, verb, names);
        if (m->hold) {
                m->held[m->n_held].done = done;
                m->held[m->n_held++].userdata = userdata;
                return;
        }
        STRV_FOREACH(name, names)
                if (!sessions_find(&m->sessions, *name)) {
                        done(FAILURE_NO_SUCH_SESSION, "There is no such session: see perfctl list", userdata);
                        return;
                }
        done(0, NULL, userdata);
}

char *manager_unit_of(Manager *m, const char *name, char *const *assignments) {
        const Session *s = sessions_find(&m->sessions, name);

        STRV_FOREACH(a, assignments)
                if (startswith(*a, "Record.Unit="))
                        return strdup(*a + strlen("Record.Unit="));
        return strdup(s && s->unit ? s->unit : "");
}

void manager_set_caller(Manager *m, const Caller *caller) {
        if (caller)
                m->caller = *caller;
}

void manager_set_observer(Manager *m, const ManagerObserver *observer) {
        m->observer = *observer;
}

Session *sessions_find(const Sessions *l, const char *name) {
        for (size_t i = 0; i < l->n; i++)
                if (streq(l->all[i]->name, name))
                        return l->all[i];
        return NULL;
}

char *sessions_explain_missing(const Sessions *l, const char *name) {
        return strdup("There is no such session, for a reason");
}

const Sessions *manager_sessions(Manager *m) {
        return &m->sessions;
}

size_t manager_n_running(Manager *m) {
        size_t n = 0;

        for (size_t i = 0; i < m->sessions.n; i++)
                n += m->all[i]->state == SESSION_RECORDING;
        return n;
}

const char *manager_base_directory(Manager *m) {
        return "/base";
}

usec_t manager_start_timestamp(Manager *m) {
        return 1000000;
}

uint64_t manager_locked_memory(Manager *m) {
        return 524288;
}

void manager_start(Manager *m, char *const *names, GatherDone done, void *userdata) {
        finish(m, "start", names, done, userdata);
}

void manager_stop(Manager *m, char *const *names, GatherDone done, void *userdata) {
        finish(m, "stop", names, done, userdata);
}

void manager_restart(Manager *m, char *const *names, GatherDone done, void *userdata) {
        finish(m, "restart", names, done, userdata);
}

void manager_pause(Manager *m, char *const *names, GatherDone done, void *userdata) {
        finish(m, "pause", names, done, userdata);
}

void manager_resume(Manager *m, char *const *names, GatherDone done, void *userdata) {
        finish(m, "resume", names, done, userdata);
}

/* Each session has a link. */
void manager_enable(Manager *m, char *const *names, bool enable, bool now, EnableDone done, void *userdata) {
        FileChange changes[FAKE_SESSIONS_MAX] = {};
        FileChanges all = { .changes = changes };

        note(m, "enable", names);
        m->enable = enable;
        m->now = now;
        STRV_FOREACH(name, names) {
                if (!sessions_find(&m->sessions, *name)) {
                        done(FAILURE_NO_SUCH_SESSION, "There is no such session", &(FileChanges) {}, userdata);
                        return;
                }
                changes[all.n++] = (FileChange) { .created = enable, .path = *name, .target = enable ? (char *) "/target" : NULL };
        }
        done(0, NULL, &all, userdata);
}

const char *manager_file_state(Manager *m, const char *name) {
        return sessions_find(&m->sessions, name) ? "enabled" : NULL;
}

void manager_exit(Manager *m, GatherDone done, void *userdata) {
        finish(m, "exit", NULL, done, userdata);
}

void manager_start_transient(Manager *m, const char *name, char *const *assignments, GatherDone done, void *userdata) {
        strv_free(m->assignments);
        m->assignments = strv_copy(assignments);
        note(m, "start-transient", (char *const[]) { (char *) name, NULL });
        if (sessions_find(&m->sessions, name)) {
                done(FAILURE_ALREADY_RUNNING, "There is a session of that name: choose another", userdata);
                return;
        }
        fake_manager_add(m, name);
        done(0, NULL, userdata);
}

void manager_reload(Manager *m, ReloadDone done, void *userdata) {
        static const ReloadRow rows[] = { { "cycles", "changed" }, { "gone", "removed" } };

        note(m, "reload", NULL);
        m->observer.reloading(true, m->observer.userdata);
        m->observer.reloading(false, m->observer.userdata);
        done(0, NULL, rows, ELEMENTSOF(rows), userdata);
}

/* Every session has a dump that is called 1, or if there is an error, all but the last. */
void manager_dump(Manager *m, char *const *names, const DumpRequest *request, DumpsDone done, void *userdata) {
        DumpRow rows[FAKE_ROWS_MAX] = {};
        size_t n = 0;

        note(m, "dump", names);
        m->dump = *request;
        (void) free_and_strdup(&m->dump_trigger, request->trigger);
        (void) free_and_strdup(&m->dump_detail, request->detail);
        if (m->hold_dumps)
                return;
        STRV_FOREACH(name, names) {
                rows[n] = (DumpRow) { .session = *name, .dump = "1", .fd = open_memfd("dump", 0) };
                (void) write_all(rows[n++].fd, "dump", strlen("dump"));
        }
        if (m->dump_error)
                done(m->dump_error, "There is none, for this reason", rows, n > 0 ? n - 1 : 0, userdata);
        else
                done(0, NULL, rows, n, userdata);
        for (size_t i = 0; i < n; i++)
                safe_close(rows[i].fd);
}

/* Its text has the arguments. */
void manager_open_window(Manager *m, const char *name, uint64_t since, bool whole, WindowAnswer done, void *userdata) {
        int fd = open_memfd("window", 0);

        note(m, "window", (char *const[]) { (char *) name, NULL });
        (void) dprintf(fd, "%s %d %d", name, (int) since, whole);
        if (m->hold_dumps)
                ;
        else if (m->dump_error)
                done(m->dump_error, "There is none, for this reason", -EBADF, 0, userdata);
        else
                done(FAILURE_NONE, NULL, fd, since + 5, userdata);
        safe_close(fd);
}

void manager_withdraw_window(Manager *m, const void *userdata) {
        m->n_withdrawn++;
}

void manager_withdraw_dumps(Manager *m, const void *userdata) {
        m->n_withdrawn++;
}

/* One is in force as soon as it was asked for. */
void manager_reserve(Manager *m, const ReserveRequest *request, ReserveDone done, void *userdata) {
        int fd = open_memfd("reservation", 0);

        note(m, "reserve", NULL);
        m->reserve = *request;
        (void) free_and_strdup(&m->reserve_who, request->who);
        (void) free_and_strdup(&m->reserve_why, request->why);
        if (m->hold)
                m->n_pings++;
        else if (m->reserve_error)
                done(m->reserve_error, "It is busy, for this reason", -EBADF, userdata);
        else
                done(0, NULL, fd, userdata);
        safe_close(fd);
}

void manager_withdraw_reservation(Manager *m, const void *userdata) {
        m->n_withdrawn++;
}

size_t manager_list_reservations(Manager *m, ReservationRow ret[static _COUNTER_KIND_MAX]) {
        ret[0] = (ReservationRow) { .kind = m->reserve.kind, .n = m->reserve.n, .who = m->reserve_who, .why = m->reserve_why,
                                    .uid = UID_INVALID, .pid = 77 };
        return m->reserve_who ? 1 : 0;
}

void manager_retry(Manager *m) {
        m->n_retries++;
}

void manager_catch_up(Manager *m) {
        m->n_catch_ups++;
}

static SignalRow signal_row(Manager *m, const char *name) {
        const Session *s = sessions_find(&m->sessions, name);

        if (!s)
                return (SignalRow) { name, 0, ENOENT };
        return (SignalRow) { name, s->main_pid, s->main_pid ? 0 : ESRCH };
}

int manager_signal(Manager *m, char *const *names, int sig, SignalRow **ret, size_t *ret_n) {
        SignalRow *rows = calloc(FAKE_SESSIONS_MAX, sizeof(SignalRow));
        size_t n = 0;

        note(m, "signal", names);
        m->signal = sig;
        STRV_FOREACH(name, names)
                rows[n++] = signal_row(m, *name);
        for (size_t i = 0; !names && i < m->sessions.n; i++)
                if (m->all[i]->main_pid)
                        rows[n++] = signal_row(m, m->all[i]->name);
        *ret = rows;
        *ret_n = n;
        return 0;
}

void manager_ping(Manager *m, char *const *names, usec_t timeout, PingDone done, void *userdata) {
        PingRow rows[FAKE_SESSIONS_MAX] = {};
        size_t n = 0;

        note(m, "ping", names);
        m->timeout = timeout;
        if (m->hold) {
                m->n_pings++;
                return;
        }
        STRV_FOREACH(name, names) {
                const Session *s = sessions_find(&m->sessions, *name);

                if (!s) {
                        done(FAILURE_NO_SUCH_SESSION, "There is no such session: see perfctl list", NULL, 0, userdata);
                        return;
                }
                rows[n++] = s->main_pid ? (PingRow) { s->name, "ok", 321 } : (PingRow) { s->name, "inactive", 0 };
        }
        done(0, NULL, rows, n, userdata);
}

void manager_withdraw_ping(Manager *m, const void *userdata) {
        m->n_pings--;
}

const char *session_name(const Session *s) {
        return s->name;
}

SessionView session_view(const Session *s) {
        static char *const paths[] = { (char *) "/etc/one.conf", (char *) "/etc/two.conf", NULL };

        return (SessionView) {
                .state = s->state, .result = s->result, .error = s->error, .description = s->description, .command = s->command,
                .main_pid = s->main_pid, .unit = s->unit ?: "", .start_timestamp = s->main_pid ? 2000000 : 0, .n_restarts = s->n_restarts, .scope = s->scope,
                .fragment_path = "/etc/perf-recorder/sessions.d/a.session", .drop_in_paths = paths, .directory = "/base/session-a",
                .control_path = "/base/session-a/control", .ack_path = "/base/session-a/ack", .output_path = "/base/session-a/output",
        };
}

int session_describe_error(const Session *s, char **ret) {
        *ret = strdup(s->error);
        return *ret ? 0 : -ENOMEM;
}

unsigned session_lent(const Session *s) {
        return s->lent;
}

bool session_is_recording(const Session *s) {
        return s->state == SESSION_RECORDING;
}

void session_counters(const Session *s, PrCounters *ret) {
        *ret = s->counters;
}

int session_counts(const Session *s, SessionCounts *ret) {
        SessionCounts c = { .n_rows = s->n_counts, .names = malloc(32), .rows = calloc(s->n_counts + 1, sizeof(PrCount)) };

        memcpy(c.names, "cycles\0web-1.service", sizeof("cycles\0web-1.service"));
        for (uint32_t i = 0; i < s->n_counts; i++)
                c.rows[i] = (PrCount) { .unit = i == 0 ? 7 : 6, .cpu = (int) i, .value = 1000 + i, .enabled_nsec = 200, .running_nsec = 100 };
        if (s->n_counts > 0)
                *ret = c;
        else
                session_counts_done(&c);
        return s->n_counts > 0 ? 0 : -ENODATA;
}

uint64_t session_cpu_usage(const Session *s) {
        return s->main_pid > 0 ? UINT64_C(1234567000) : UINT64_MAX;
}

const char *session_state_to_string(SessionState state) {
        return state == SESSION_RECORDING ? "recording" : state == SESSION_FAILED ? "failed" : "inactive";
}

const char *session_result_to_string(SessionResult result) {
        return result == SESSION_RESULT_SIGNAL ? "signal" : "success";
}

void journal_log(int priority, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        (void) vfprintf(stderr, format, ap);
        (void) fputc('\n', stderr);
        va_end(ap);
}
