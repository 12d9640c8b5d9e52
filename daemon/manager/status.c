/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* STATUS= of the service, for systemctl status: how many sessions record, and the names of those with an error. */

#include <systemd/sd-daemon.h>

#include "defer.h"
#include "format-text.h"
#include "manager-parts.h"

/* "a, b"; names that do not fit are left out. */
static void list_sessions(const Manager *m, bool (*is)(const Session *s), char *text, size_t size) {
        size_t used = 0;

        *text = '\0';
        for (size_t i = 0; i < m->sessions.n; i++) {
                const Session *s = m->sessions.all[i];
                int n;

                if (!is(s))
                        continue;
                n = snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ", session_name(s));
                if ((size_t) n >= size - used) {
                        text[used] = '\0';
                        return;
                }
                used += (size_t) n;
        }
}

int manager_describe_status(const Manager *m, char **ret) {
        size_t n_recording = 0, n_blocked = 0;
        char failed[512], blocked[512], number[64] = "", *text;
        const char *error = m->host.settings.error;

        for (size_t i = 0; i < m->sessions.n; i++) {
                n_recording += session_is_recording(m->sessions.all[i]);
                n_blocked += session_cannot_write(m->sessions.all[i]);
        }
        list_sessions(m, session_has_failed, failed, sizeof(failed));
        list_sessions(m, session_cannot_write, blocked, sizeof(blocked));
        if (n_blocked > 0)
                snprintf(number, sizeof(number), ", %zu cannot write: ", n_blocked);
        text = format_text("Recording %zu of %zu sessions%s%s%s%s%s%s", n_recording, m->sessions.n,
                           *failed ? ", failed: " : "", failed, number, blocked,
                           error ? "; the daemon's settings are rejected: " : "", error ?: "");
        if (!text)
                return -ENOMEM;
        *ret = text;
        return 0;
}

static int on_status(sd_event_source *source, void *userdata) {
        _cleanup_free_ char *text = NULL;

        if (manager_describe_status(userdata, &text) >= 0)
                (void) sd_notifyf(false, "STATUS=%s", text);
        return 0;
}

void manager_status_later(Manager *m) {
        if (getenv("NOTIFY_SOCKET"))
                defer_once(m->host.event, &m->status, SD_EVENT_PRIORITY_IDLE, on_status, m);
}
