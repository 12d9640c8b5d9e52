/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Asks several recorders for a dump side by side, and answers when all are through. A dump is opened when it is there, so
 * that the descriptor is good whatever becomes of the file until the last one is. */

#include <perf-recorder/bus-names.h>

#include "session-internal.h"


typedef struct DumpSlot {
        DumpCall *call;
        DumpWaiter *waiter;
        char *session, *dump;
        int fd;
} DumpSlot;

struct DumpCall {
        Manager *manager;
        DumpCall *next;
        DumpsDone done;
        void *userdata;
        DumpSlot *slots;
        size_t n_slots, n_pending;
        bool named; /* the caller asked for that one session */
        int error; /* of the first that failed; -ENODATA gives way to others */
        char *sentence;
};

static DumpCall *dump_call_free(DumpCall *c) {
        if (!c)
                return NULL;
        for (DumpCall **p = &c->manager->dump_calls; *p; p = &(*p)->next)
                if (*p == c) {
                        *p = c->next;
                        break;
                }
        for (size_t i = 0; i < c->n_slots; i++) {
                dump_waiter_free(c->slots[i].waiter);
                free(c->slots[i].session);
                free(c->slots[i].dump);
                safe_close(c->slots[i].fd);
        }
        free(c->slots);
        free(c->sentence);
        free(c);
        return NULL;
}
DEFINE_CLEANUP(DumpCall *, dump_call_free);

static void note_failure(DumpCall *c, int error, const char *session, const char *sentence) {
        if (error >= 0 || (c->error < 0 && (c->error != -ENODATA || error == -ENODATA)))
                return;
        c->error = error;
        free(c->sentence);
        if (asprintf(&c->sentence, "%s%s%s", c->named ? "" : session, c->named ? "" : ": ", sentence ?: strerror(-error)) < 0)
                c->sentence = NULL;
}

/* A session that has nothing of what was asked for is left out, unless none has. */
static void dump_call_end(DumpCall *call) {
        _cleanup_(dump_call_freep) DumpCall *c = call;
        _cleanup_free_ DumpRow *rows = calloc(c->n_slots + 1, sizeof(DumpRow));
        size_t n = 0;
        int error;

        if (!rows)
                note_failure(c, -ENOMEM, "dumps", NULL);
        for (size_t i = 0; rows && i < c->n_slots; i++)
                if (c->slots[i].dump)
                        rows[n++] = (DumpRow){ .session = c->slots[i].session, .dump = c->slots[i].dump, .fd = c->slots[i].fd };
        error = c->error == -ENODATA && n > 0 ? 0 : c->error;
        c->done(error, error < 0 ? c->sentence : NULL, error < 0 ? NULL : rows, error < 0 ? 0 : n, c->userdata);
}

static int take_dump(DumpSlot *slot, const Dump *d) {
        if (!d)
                return -ENOENT;
        slot->dump = strdup(d->id);
        return slot->dump ? manager_open_dump(slot->call->manager, d, &slot->fd) : -ENOMEM;
}

static void on_answer(int error, const char *sentence, const Dump *d, void *userdata) {
        DumpSlot *slot = userdata;
        DumpCall *c = slot->call;

        slot->waiter = NULL;
        if (error >= 0) {
                error = take_dump(slot, d) < 0 ? -EIO : 0;
                sentence = "it was written, and removed by somebody just then";
        }
        note_failure(c, error, slot->session, sentence);
        if (--c->n_pending == 0)
                dump_call_end(c);
}

static const char *reason_of(const SessionObject *s, int error) {
        switch (error) {
        case -ESRCH:
                return session_why_not_up(s);
        case -EBUSY:
                return "its recorder does not answer what it was asked before";
        case -EOPNOTSUPP:
                return "its recorder is a program of its own, which writes all that it has, and at once: leave the options out";
        default:
                return strerror(-error);
        }
}

static int dump_call_new(Manager *m, const SessionList *l, DumpsDone done, void *userdata, DumpCall **ret) {
        _cleanup_(dump_call_freep) DumpCall *c = NULL;

        c = calloc(1, sizeof(DumpCall));
        if (!c)
                return -ENOMEM;
        *c = (DumpCall){ .manager = m, .done = done, .userdata = userdata };
        c->slots = calloc(l->n_sessions + 1, sizeof(DumpSlot));
        if (!c->slots)
                return -ENOMEM;
        for (; c->n_slots < l->n_sessions; c->n_slots++) {
                c->slots[c->n_slots] = (DumpSlot){ .call = c, .session = strdup(l->sessions[c->n_slots]->name), .fd = -EBADF };
                if (!c->slots[c->n_slots].session)
                        return -ENOMEM;
        }
        c->next = m->dump_calls;
        *ret = m->dump_calls = steal_ptr(c);
        return 0;
}

/* The call counts itself as pending while it asks, so that it cannot end in between. */
static void ask_all(DumpCall *c, const SessionList *l, const DumpRequest *request) {
        c->n_pending = 1;
        for (size_t i = 0; i < l->n_sessions; i++) {
                DumpSlot *slot = &c->slots[i];
                int r;

                r = session_object_dump(l->sessions[i], request, on_answer, slot, &slot->waiter);
                if (r < 0)
                        note_failure(c, r, slot->session, reason_of(l->sessions[i], r));
                else
                        c->n_pending++;
        }
        if (--c->n_pending == 0)
                dump_call_end(c);
}

static bool is_up(const SessionObject *s) {
        return s->phase == PHASE_UP;
}

void manager_dump(Manager *m, char *const *names, const DumpRequest *request, DumpsDone done, void *userdata) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_free_ char *sentence = NULL;
        DumpCall *c;
        int r;

        r = manager_select(m, names, false, is_up, &l, &sentence);
        if (r >= 0)
                r = dump_call_new(m, &l, done, userdata, &c);
        if (r < 0)
                done(r, sentence, NULL, 0, userdata);
        else {
                c->named = strv_length(names) == 1;
                ask_all(c, &l, request);
        }
}

void manager_withdraw_dumps(Manager *m, const void *userdata) {
        DumpCall *c = m->dump_calls;

        while (c && c->userdata != userdata)
                c = c->next;
        for (size_t i = 0; c && i < c->n_slots; i++)
                if (c->slots[i].waiter)
                        c->slots[i].waiter = dump_waiter_withdraw(c->slots[i].waiter);
        dump_call_free(c);
}
