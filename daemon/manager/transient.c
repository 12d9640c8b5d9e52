/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sessions from a caller's settings instead of a file, which exist until they stop. The caller may record anything,
 * but must not make the daemon run a program as recorder, or open a path of the caller's choice. Keys that name
 * files are refused here; options and events that name files are refused by the recorder's parser (the option
 * --untrusted, session-start.c). */

#include "manager-parts.h"

static int check_allowed(const SessionSettings *settings, Diagnosis *d) {
        if (settings->recorder && *settings->recorder)
                return diagnosis_set(d, -EINVAL, "Session.Recorder is not for callers: write a session file");
        if (settings->trigger.bpf)
                return diagnosis_set(d, -EINVAL, "Trigger.BPF is not for callers: write a session file");
        if (settings->trigger.on_dump)
                return diagnosis_set(d, -EINVAL, "Trigger.OnDump is not for callers: write a session file");
        return 0;
}

static Failure refuse(Diagnosis *d, Failure failure, const char *sentence) {
        (void) diagnosis_set(d, -EINVAL, "%s", sentence);
        return failure;
}

static Failure make_session(Manager *m, const char *name, char *const *assignments, Diagnosis *d, Session **ret) {
        _cleanup_(session_settings_freep) SessionSettings *settings = NULL;
        Session *s;
        Failure failure;
        int r;

        if (!session_name_is_valid(name) || session_name_is_template(name))
                return refuse(d, FAILURE_BAD_SETTING, "this is not a valid name of a session");
        r = session_settings_from_assignments(assignments, &settings, d);
        if (r >= 0)
                r = check_allowed(settings, d);
        if (r < 0)
                return r == -ENOMEM ? FAILURE_NO_MEMORY : FAILURE_BAD_SETTING;
        diagnosis_reset(d); /* the settings are valid: later errors are about none of their keys */
        sessions_sweep(&m->sessions);
        failure = sessions_load(&m->sessions, name, &s);
        if (!failure)
                session_leave_if_idle(s);
        if (!failure || failure == FAILURE_MASKED) {
                (void) diagnosis_set(d, -EINVAL, "there is a session %s already: take another name", name);
                return FAILURE_ALREADY_RUNNING;
        }
        if (!sessions_have_room(&m->sessions))
                return refuse(d, FAILURE_LIMIT, SESSIONS_NO_ROOM);
        r = session_new(&m->host, name, &s);
        if (r < 0)
                return failure_of(r);
        r = session_set_transient(s, steal_ptr(settings), assignments);
        if (r < 0) {
                session_free(s);
                return failure_of(r);
        }
        *ret = s;
        return failure_of(sessions_add(&m->sessions, s));
}

void manager_start_transient(Manager *m, const char *name, char *const *assignments, GatherDone done, void *userdata) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        Session *s = NULL;
        Failure failure;
        Gather *g;

        if (m->host.exiting) {
                done(FAILURE_BUSY, MANAGER_IS_ENDING, userdata);
                return;
        }
        failure = make_session(m, name, assignments, &d, &s);
        if (!failure)
                failure = failure_of(gather_new(done, userdata, &g));
        if (failure) {
                sentence = diagnosis_format(&d);
                done(failure, sentence && *sentence ? sentence : failure_sentence(failure), userdata);
                return;
        }
        session_start(s, g);
        gather_seal(g);
}
