/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One reservation: what was asked for and by whom, and once it is granted a pipe. Its caller has one end, and gives the counters
 * back by closing it, or by its exit, since the kernel closes it then. The daemon has the other end, in which nothing is ever read.
 *
 * A granted one outlives the daemon: the descriptor store has our end, so that the pipe stays, and beside it a text in the form
 * of session-record.h. */

#include "reservation.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "fd-file.h"
#include "fdstore.h"
#include "format-text.h"
#include "session-record.h"

#define STATE_NAME "perf-recorder-reservation"
#define STATE_MAX (64 * 1024) /* bytes */

char *reservation_describe(const Reservation *r) {
        return format_text("%s:%u", counter_kind_to_string(r->kind), r->n);
}

Reservation *reservation_free(Reservation *r) {
        if (!r)
                return NULL;
        sd_event_source_disable_unref(r->hangup);
        sd_event_source_disable_unref(r->timer);
        safe_close(r->fd);
        safe_close(r->state_fd);
        free(r->who);
        free(r->why);
        free(r);
        return NULL;
}

int reservation_new(Manager *m, const ReserveRequest *request, const Caller *caller, Reservation **ret) {
        _cleanup_(reservation_freep) Reservation *r = calloc(1, sizeof(Reservation));

        if (!r)
                return -ENOMEM;
        *r = (Reservation) {
                .manager = m, .kind = request->kind, .n = request->n, .who = strdup(request->who), .why = strdup(request->why),
                .caller = CALLER_UNKNOWN, .fd = -EBADF, .state_fd = -EBADF,
        };
        if (!r->who || !r->why)
                return -ENOMEM;
        if (caller)
                r->caller = *caller;
        *ret = steal_ptr(r);
        return 0;
}

static int write_state(const Reservation *r) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return -ENOMEM;
        session_record_put_text(f, "name", r->who);
        session_record_put_text(f, "why", r->why);
        session_record_put_text(f, "caller", r->caller.text);
        session_record_put_number(f, "uid", r->caller.uid);
        session_record_put_number(f, "pid", (uint64_t) r->caller.pid);
        session_record_put_number(f, "n", r->n);
        session_record_put_number(f, "since", r->since);
        fputs("end=1\n", f);
        return fclose(f) != 0 ? -ENOMEM : write_all(r->state_fd, text, size);
}

static void name_entry(CounterKind kind, char name[static FDSTORE_NAME_MAX]) {
        snprintf(name, FDSTORE_NAME_MAX, RESERVATION_STORE_PREFIX "%s", counter_kind_to_string(kind));
}

int reservation_grant(Reservation *r, int *ret_fd) {
        _cleanup_close_ int theirs = -EBADF;
        char name[FDSTORE_NAME_MAX];
        int fds[2], k;

        if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
                return -errno;
        r->fd = fds[0];
        theirs = fds[1];
        r->since = now_usec(CLOCK_REALTIME);
        r->state_fd = open_memfd(STATE_NAME, 0);
        k = r->state_fd < 0 ? r->state_fd : write_state(r);
        name_entry(r->kind, name);
        if (k >= 0)
                k = fdstore_push(name, (const int[]) { r->fd, r->state_fd }, 2);
        if (k < 0)
                return k;
        *ret_fd = steal_fd(&theirs);
        return 0;
}

/* No event is asked for: the kernel reports EPOLLHUP all the same, and what somebody writes into the pipe wakes nobody. */
int reservation_watch(Reservation *r, sd_event_io_handler_t handler) {
        return sd_event_add_io(r->manager->host.event, &r->hangup, r->fd, 0, handler, r);
}

void reservation_forget(const Reservation *r) {
        char name[FDSTORE_NAME_MAX];

        name_entry(r->kind, name);
        fdstore_remove(name);
}

int reservation_restore(Manager *m, CounterKind kind, int fd, int state_fd, Reservation **ret) {
        _cleanup_close_ int pipe_fd = fd, state = state_fd;
        _cleanup_(session_record_done) SessionRecord record = {};
        _cleanup_(reservation_freep) Reservation *r = NULL;
        ReserveRequest request = { .kind = kind };
        Caller caller = CALLER_UNKNOWN;
        char *text = NULL;
        struct stat st;
        int k;

        if (fstat(pipe_fd, &st) < 0 || lseek(state, 0, SEEK_SET) < 0)
                return -errno;
        k = S_ISFIFO(st.st_mode) ? read_fd(state, STATE_MAX, &text, NULL) : -EBADFD;
        if (k >= 0)
                k = session_record_parse(text, &record);
        if (k < 0)
                return k;
        request.n = (unsigned) session_record_number(&record, "n", COUNTER_CLAIM_MAX);
        request.who = session_record_text(&record, "name");
        request.why = session_record_text(&record, "why") ?: "";
        caller.uid = (uid_t) session_record_number(&record, "uid", UINT32_MAX);
        caller.pid = (pid_t) session_record_number(&record, "pid", INT32_MAX);
        snprintf(caller.text, sizeof(caller.text), "%s", session_record_text(&record, "caller") ?: "somebody");
        k = reservation_new(m, &request, &caller, &r);
        if (k < 0)
                return k;
        r->since = session_record_number(&record, "since", UINT64_MAX);
        r->fd = steal_fd(&pipe_fd);
        r->state_fd = steal_fd(&state);
        *ret = steal_ptr(r);
        return 0;
}
