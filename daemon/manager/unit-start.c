/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Units of OnDump=, which are started when a dump is written. The administrator names the unit's template in a
 * session file, and the instance is escaped, so that the name of a session, which a caller may have chosen, cannot
 * name another unit. */

#include "list.h"
#include "manager-parts.h"
#include "session-name.h"

typedef struct OnDump OnDump;

struct OnDump {
        Manager *manager;
        OnDump *next;
        char *session, *unit;
        ScopeRequest *request;
};

static OnDump *on_dump_free(OnDump *o) {
        if (!o)
                return NULL;
        LIST_REMOVE(o->manager->followers.units, o);
        scope_request_free(o->request);
        free(o->session);
        free(o->unit);
        free(o);
        return NULL;
}
DEFINE_CLEANUP(OnDump *, on_dump_free);

static void warn(Manager *m, const char *session, const char *unit, const char *sentence) {
        const Session *s = sessions_find(&m->sessions, session);
        JournalSession j = s ? session_journal(s) : (JournalSession) { .name = session };

        journal_log_session(&j, LOG_WARNING, NULL, "OnDump=: %s: %s", unit, sentence);
}

static void on_done(int error, const char *text, void *userdata) {
        _cleanup_(on_dump_freep) OnDump *o = userdata;

        o->request = NULL;
        if (error < 0)
                warn(o->manager, o->session, o->unit, text ?: strerror(-error));
}

static int start(Manager *m, const Dump *d, const char *unit) {
        _cleanup_(on_dump_freep) OnDump *o = calloc(1, sizeof(OnDump));
        int r;

        if (!o)
                return -ENOMEM;
        *o = (OnDump) { .manager = m, .session = strdup(d->session), .unit = strdup(unit) };
        if (!o->session || !o->unit)
                return -ENOMEM;
        r = scope_start_unit(m->host.scopes, unit, on_done, o, &o->request);
        if (r < 0)
                return r;
        o->next = m->followers.units;
        m->followers.units = o;
        o = NULL;
        return 0;
}

void manager_start_on_dump(Manager *m, const Dump *d) {
        const Session *s = sessions_find(&m->sessions, d->session);
        const SessionSettings *settings = s ? session_view(s).settings : NULL;
        const char *template = settings ? settings->trigger.on_dump : NULL;
        _cleanup_free_ char *unit = NULL;
        int r;

        if (!template)
                return;
        r = unit_name_instantiate(template, d->id, &unit);
        if (r >= 0)
                r = start(m, d, unit);
        if (r < 0)
                warn(m, d->session, unit ?: template, r == -ENAMETOOLONG ? "the dump's id makes its name too long" : strerror(-r));
}

void manager_cancel_on_dump(Manager *m) {
        while (m->followers.units)
                on_dump_free(m->followers.units);
}
