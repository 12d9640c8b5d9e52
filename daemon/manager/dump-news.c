/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A dump that comes or goes is reported once to the observer and once to the journal, whether a recorder reported
 * it or its file was found. Dumps that exist when the daemon starts are not reported. */

#include <perf-recorder/message-ids.h>

#include "manager-parts.h"
#include "utf8.h"

#define DETAIL_SHOWN_MAX 200

/* A dump outlives its session. */
static JournalSession journal_of(Manager *m, const Dump *d) {
        Session *s = sessions_find(&m->sessions, d->session);

        return s ? session_journal(s) : (JournalSession) { .name = d->session, .caller = m->host.caller };
}

/* The number of bytes of a detail to show: whole triggers, which "; " separates; and the mark for the rest. */
static int shown_detail(const char *detail, const char **ret_mark) {
        int n = utf8_prefix(detail, DETAIL_SHOWN_MAX);

        *ret_mark = detail[n] ? "…" : "";
        for (int i = n; detail[n] && i > 0; i--)
                if (startswith(detail + i, "; ")) {
                        *ret_mark = "; …";
                        return i;
                }
        return n;
}

static void log_added(Manager *m, const Dump *d) {
        JournalSession j = journal_of(m, d);
        char samples[48] = "";
        const char *mark;
        int shown = shown_detail(d->detail, &mark);

        if (d->samples != DUMP_UNKNOWN)
                snprintf(samples, sizeof(samples), ", %" PRIu64 " samples", d->samples);
        journal_log_dump(&j, d, LOG_INFO, PR_MESSAGE_DUMP_WRITTEN, "Dump %s written: %" PRIu64 " bytes%s%s%s%s%.*s%s", d->id,
                         d->size, samples, *d->trigger ? ", because of " : "", d->trigger, *d->detail ? ": " : "", shown,
                         d->detail, mark);
}

static void on_found(int directory_fd, const char *session, const char *name, void *userdata) {
        const Manager *m = userdata;
        const Session *s = sessions_find(&m->sessions, session);

        if (s)
                session_explain_dump(s, directory_fd, name);
}

static void on_added(const Dump *d, void *userdata) {
        Manager *m = userdata;
        Session *s = sessions_find(&m->sessions, d->session);

        log_added(m, d);
        if (m->observer.dump_new)
                m->observer.dump_new(d, m->observer.userdata);
        if (s && m->observer.session_changed)
                m->observer.session_changed(s, SESSION_CHANGE_DUMP, m->observer.userdata);
        if (s)
                session_dump_appeared(s, d->name);
        manager_start_on_dump(m, d);
        manager_look_at_dump(m, d);
        manager_retain_later(m);
}

static void on_removed(const Dump *d, void *userdata) {
        Manager *m = userdata;
        Session *s = sessions_find(&m->sessions, d->session);
        JournalSession j = journal_of(m, d);

        journal_log_dump(&j, d, LOG_INFO, PR_MESSAGE_DUMP_REMOVED, "Dump %s removed: %s", d->id,
                         m->removal ?: "its file is gone");
        if (m->observer.dump_removed)
                m->observer.dump_removed(d, m->observer.userdata);
        if (s && m->observer.session_changed)
                m->observer.session_changed(s, SESSION_CHANGE_DUMP, m->observer.userdata);
        if (s)
                session_leave_if_idle(s);
}

static void on_changed(const Dump *d, void *userdata) {
        Manager *m = userdata;

        if (m->observer.dump_changed)
                m->observer.dump_changed(d, m->observer.userdata);
        manager_retain_later(m);
}

int manager_read_dumps(Manager *m) {
        const DumpStoreObserver observer = {
                .found = on_found,
                .added = on_added,
                .removed = on_removed,
                .changed = on_changed,
                .userdata = m,
        };
        bool watching;
        int r;

        r = dump_store_new(m->host.event, m->host.base.fd, m->host.base.path, &observer, &m->host.dumps, &watching);
        if (r < 0)
                journal_log(LOG_ERR, "Cannot read the dumps in %s: %s", m->host.base.path, strerror(-r));
        else if (!watching)
                journal_log(LOG_WARNING, "No inotify watch: dumps that others make or remove are noticed at the next start");
        return r;
}
