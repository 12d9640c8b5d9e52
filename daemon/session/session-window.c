/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Windows of the samples in a recorder's memory. The recorder is asked by a word with an id; a notification with that id comes
 * back, with a descriptor of a file that has no name. It is looked at before it is handed over: a recorder runs a command of the
 * user's, and callers map what they get.
 *
 * A window leaves no trace: no dump, no message in the journal, and nothing in the descriptor store. If the daemon ends in the
 * meantime, the answer to an id of the previous one is dropped. */

#include "session-window.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#include <perf-recorder/control-words.h>
#include <perf-recorder/notify-fields.h>

#include "list.h"
#include "parse-number.h"
#include "session-parts.h"

#define ANSWER_TIMEOUT_USEC (60 * USEC_PER_SEC) /* a dump may be written before it */

struct WindowWaiter {
        Session *session;
        WindowWaiter *next;
        char id[PR_TRIGGER_ID_MAX + 1];
        WindowAnswer answer;
        void *userdata;
        sd_event_source *timer;
};

static WindowWaiter *window_waiter_free(WindowWaiter *w) {
        if (!w)
                return NULL;
        LIST_REMOVE(w->session->dumps.windows, w);
        sd_event_source_disable_unref(w->timer);
        free(w);
        return NULL;
}
DEFINE_CLEANUP(WindowWaiter *, window_waiter_free);

static void window_waiter_answer(WindowWaiter *w, Failure failure, const char *sentence, int fd, uint64_t until) {
        WindowAnswer answer = w->answer;
        void *userdata = w->userdata;

        window_waiter_free(w);
        answer(failure, sentence, fd, until, userdata);
}

static int on_window_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        window_waiter_answer(userdata, FAILURE_TIMEOUT, "its recorder did not answer in time", -EBADF, 0);
        return 0;
}

Failure session_open_window(Session *s, uint64_t since, bool whole, WindowAnswer answer, void *userdata) {
        _cleanup_(window_waiter_freep) WindowWaiter *w = NULL;
        char word[PR_TRIGGER_ID_MAX + 64];
        ControlWaiter *ack;
        unsigned n = 0;
        int r;

        if (s->recorder.phase != PHASE_UP || !s->recorder.control)
                return FAILURE_NOT_RUNNING;
        if (!s->recorder.makes_windows)
                return FAILURE_NOT_SUPPORTED;
        for (const WindowWaiter *other = s->dumps.windows; other; other = other->next)
                n++;
        if (n >= SESSION_WINDOWS_MAX)
                return FAILURE_BUSY;
        (void) session_renew_directory(s);
        w = calloc(1, sizeof(*w));
        if (!w)
                return FAILURE_NO_MEMORY;
        *w = (WindowWaiter) { .session = s, .next = s->dumps.windows, .answer = answer, .userdata = userdata };
        s->dumps.windows = w;
        snprintf(w->id, sizeof(w->id), "%" PRIx64 "-%" PRIu64, s->host->start_timestamp, ++s->host->last_trigger_id);
        snprintf(word, sizeof(word), PR_CONTROL_WINDOW " %s %" PRIu64 "%s", w->id, since, whole ? " whole" : "");
        r = sd_event_add_time_relative(s->host->event, &w->timer, CLOCK_MONOTONIC, ANSWER_TIMEOUT_USEC, USEC_PER_SEC,
                                       on_window_timeout, w);
        if (r >= 0)
                r = control_send(s->recorder.control, word, NULL, NULL, &ack);
        if (r < 0)
                return failure_of(r);
        control_waiter_free(ack);
        w = NULL;
        return FAILURE_NONE;
}

void session_withdraw_windows(Session *s, const void *userdata) {
        for (WindowWaiter *w = s->dumps.windows, *next; w; w = next) {
                next = w->next;
                if (w->userdata == userdata)
                        window_waiter_free(w);
        }
}

void session_end_windows(Session *s, Failure failure, const char *sentence) {
        while (s->dumps.windows)
                window_waiter_answer(s->dumps.windows, failure, sentence, -EBADF, 0);
}

bool session_take_window(Session *s, NotifyMessage *m) {
        const char *value = startswith(m->text, PR_NOTIFY_WINDOW), *error = startswith(m->text, PR_NOTIFY_WINDOW_ERROR);
        const char *number, *id;
        char *words = m->text + strlen(error ? PR_NOTIFY_WINDOW_ERROR : PR_NOTIFY_WINDOW);
        WindowWaiter *w = s->dumps.windows;
        uint64_t until;
        struct stat st;
        int k, flags;

        if (!value && !error)
                return false;
        id = strsep(&words, " ");
        while (w && !streq_ptr(w->id, id))
                w = w->next;
        number = strsep(&words, " ");
        flags = m->n_fds == 1 ? fcntl(m->fds[0], F_GETFL) : -1;
        if (!w || !number)
                return true;
        if (error)
                window_waiter_answer(w, parse_int(number, &k) < 0 || k <= 0 ? FAILURE_OTHER : failure_of(-k),
                                     words ?: "its recorder could not make it", -EBADF, 0);
        else if (parse_uint64(number, &until) < 0 || flags < 0 || (flags & (O_ACCMODE | O_PATH)) != O_RDONLY || /* only to read */
                 fstat(m->fds[0], &st) < 0 || !S_ISREG(st.st_mode))
                window_waiter_answer(w, FAILURE_OTHER, "its recorder sent something else", -EBADF, 0);
        else
                window_waiter_answer(w, FAILURE_NONE, NULL, m->fds[0], until);
        return true;
}
