/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Asks several recorders for a dump side by side, and answers when all have finished. Each dump is opened as soon
 * as it exists, so that the descriptor is valid even if the file is removed before the last one has finished. */

#include <perf-recorder/bus-names.h>

#include "format-text.h"
#include "list.h"
#include "manager-parts.h"

typedef struct DumpSlot {
        DumpCall *call;
        DumpWaiter *waiter;
} DumpSlot;

struct DumpCall {
        Manager *manager;
        DumpCall *next;
        DumpsDone done;
        void *userdata;
        Gather *gather; /* NULL: all have answered */
        DumpRow *rows;
        DumpSlot *slots;
        size_t n_rows;
        bool named; /* the caller asked for that one session */
        char **failures; /* a line for each session that has no dump, and for each name without a session */
};

static DumpCall *dump_call_free(DumpCall *c) {
        if (!c)
                return NULL;
        LIST_REMOVE(c->manager->dump_calls, c);
        for (size_t i = 0; i < c->n_rows; i++) {
                dump_waiter_free(c->slots[i].waiter);
                safe_close(c->rows[i].fd);
        }
        gather_free(c->gather);
        strv_free(c->failures);
        free(c->rows);
        free(c->slots);
        free(c);
        return NULL;
}
DEFINE_CLEANUP(DumpCall *, dump_call_free);

/* Rows of the sessions that have a dump, whether the others failed or not. */
static void answer(const DumpCall *c, Failure failure, const char *sentence) {
        _cleanup_free_ DumpRow *rows = calloc(c->n_rows + 1, sizeof(DumpRow));
        size_t n = 0;

        for (size_t i = 0; rows && i < c->n_rows; i++)
                if (c->rows[i].dump)
                        rows[n++] = c->rows[i];
        c->done(rows ? failure : FAILURE_NO_MEMORY, sentence, rows, n, c->userdata);
}

/* A session without anything of the requested time is left out, unless none has any. An error has a line for each
 * session that failed. */
static void on_all_answered(Failure failure, const char *sentence, void *userdata) {
        _cleanup_(dump_call_freep) DumpCall *c = userdata;
        _cleanup_free_ char *sentences = c->failures ? strv_join(c->failures, "\n") : NULL;
        size_t n = 0;

        for (size_t i = 0; i < c->n_rows; i++)
                n += c->rows[i].dump != NULL;
        if (!failure && n == 0 && c->failures)
                failure = FAILURE_NOTHING;
        answer(c, failure, failure && sentences ? sentences : sentence);
        c->gather = NULL;
}

/* The line has the session's name if there are several. */
static void leave(DumpCall *c, const DumpRow *row, Failure failure, const char *sentence) {
        _cleanup_free_ char *text = NULL;

        if (failure)
                text = format_text("%s%s%s", c->named ? "" : row->session, c->named ? "" : ": ",
                                   sentence ?: failure_sentence(failure));
        if (text)
                (void) strv_extend(&c->failures, text);
        gather_leave(c->gather, failure == FAILURE_NOTHING ? FAILURE_NONE : failure, text);
}

static void on_answer(Failure failure, const char *sentence, const Dump *d, void *userdata) {
        DumpSlot *slot = userdata;
        DumpCall *c = slot->call;
        DumpRow *row = &c->rows[slot - c->slots];

        slot->waiter = NULL;
        if (!failure && d && dump_store_open(c->manager->host.dumps, d, &row->fd) >= 0)
                row->dump = gather_keep(c->gather, d->id);
        if (!failure && !row->dump)
                leave(c, row, FAILURE_OTHER, "the dump was removed right after it was written, or the session's directory was "
                      "moved away: then restart the session");
        else
                leave(c, row, failure, sentence);
}

static int dump_call_new(Manager *m, const SessionList *l, DumpsDone done, void *userdata, DumpCall **ret) {
        _cleanup_(dump_call_freep) DumpCall *c = NULL;
        int r;

        c = calloc(1, sizeof(DumpCall));
        if (!c)
                return -ENOMEM;
        *c = (DumpCall){ .manager = m, .done = done, .userdata = userdata };
        c->rows = calloc(l->n_sessions + 1, sizeof(DumpRow));
        c->slots = calloc(l->n_sessions + 1, sizeof(DumpSlot));
        r = c->rows && c->slots ? gather_new(on_all_answered, c, &c->gather) : -ENOMEM;
        if (r < 0)
                return r;
        for (; c->n_rows < l->n_sessions; c->n_rows++) {
                c->slots[c->n_rows].call = c;
                c->rows[c->n_rows].session = gather_keep(c->gather, session_name(l->sessions[c->n_rows]));
                c->rows[c->n_rows].fd = -EBADF;
                if (!c->rows[c->n_rows].session)
                        return -ENOMEM;
        }
        c->next = m->dump_calls;
        *ret = m->dump_calls = steal_ptr(c);
        return 0;
}

static void ask_all(DumpCall *c, const SessionList *l, const DumpRequest *request) {
        for (size_t i = 0; i < l->n_sessions; i++) {
                Failure failure = session_dump(l->sessions[i], request, on_answer, &c->slots[i], &c->slots[i].waiter);

                gather_join(c->gather);
                if (failure)
                        leave(c, &c->rows[i], failure, failure == FAILURE_NOT_RUNNING ? session_why_not_up(l->sessions[i]) : NULL);
        }
        gather_seal(c->gather);
}

void manager_dump(Manager *m, char *const *names, const DumpRequest *request, DumpsDone done, void *userdata) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_free_ char *sentence = NULL;
        Failure failure;
        DumpCall *c = NULL;

        if (base_directory_is_missing(&m->host.base)) {
                sentence = format_text(BASE_DIRECTORY_MISSING "; sessions go on recording", m->host.base.path);
                done(FAILURE_OTHER, sentence, NULL, 0, userdata);
                return;
        }
        failure = sessions_select(&m->sessions, names, false, session_is_recording, &l, &sentence);
        if (failure == FAILURE_NO_MEMORY || dump_call_new(m, &l, done, userdata, &c) < 0) {
                done(FAILURE_NO_MEMORY, NULL, NULL, 0, userdata);
                return;
        }
        c->named = strv_length(names) == 1;
        if (failure) {
                gather_join(c->gather);
                if (sentence)
                        (void) strv_extend(&c->failures, sentence);
                gather_leave(c->gather, failure, NULL);
        }
        ask_all(c, &l, request);
}

void manager_withdraw_dumps(Manager *m, const void *userdata) {
        DumpCall *c = m->dump_calls;

        while (c && c->userdata != userdata)
                c = c->next;
        for (size_t i = 0; c && i < c->n_rows; i++)
                if (c->slots[i].waiter)
                        c->slots[i].waiter = dump_waiter_withdraw(c->slots[i].waiter);
        dump_call_free(c);
}

int manager_remove_dump(Manager *m, const Dump *d) {
        char why[sizeof(m->host.caller->text) + sizeof("it was asked for by ")];
        int r;

        snprintf(why, sizeof(why), "it was asked for%s%s", m->host.caller ? " by " : "",
                 m->host.caller ? m->host.caller->text : "");
        m->removal = why;
        r = dump_store_remove(m->host.dumps, d, false);
        m->removal = NULL;
        return r;
}
