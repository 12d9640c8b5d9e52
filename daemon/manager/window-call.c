/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Asks one session's recorder for the samples in its memory, for a caller who looks at them while they are recorded. The session
 * keeps the request; nothing of it is kept here. */

#include "format-text.h"
#include "manager-parts.h"

#define FOREIGN "its recorder is another program, or one of an earlier version: what it has in memory can't be looked at"

void manager_open_window(Manager *m, const char *name, uint64_t since, bool whole, WindowAnswer done, void *userdata) {
        bool root = !m->host.caller || m->host.caller->uid == 0; /* who may fill the disk anyway */
        Session *s = sessions_find(&m->sessions, name);
        _cleanup_free_ char *sentence = NULL;
        Failure failure;

        if (!s)
                sentence = sessions_explain_missing(&m->sessions, name);
        else if (!root)
                sentence = manager_explain_full(m, session_view(s).settings);
        failure = !s ? FAILURE_NO_SUCH_SESSION : sentence ? FAILURE_NO_SPACE : FAILURE_NONE;
        if (!failure && base_directory_is_missing(&m->host.base)) {
                failure = FAILURE_OTHER;
                sentence = format_text(BASE_DIRECTORY_MISSING, m->host.base.path);
        }
        if (failure) {
                done(failure, sentence, -EBADF, 0, userdata);
                return;
        }
        failure = session_open_window(s, since, whole, done, userdata);
        if (failure == FAILURE_NOT_RUNNING)
                done(failure, session_why_not_up(s), -EBADF, 0, userdata);
        else if (failure)
                done(failure, failure == FAILURE_NOT_SUPPORTED ? FOREIGN : NULL, -EBADF, 0, userdata);
}

void manager_withdraw_window(Manager *m, const void *userdata) {
        for (size_t i = 0; i < m->sessions.n; i++)
                session_withdraw_windows(m->sessions.all[i], userdata);
}
