/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sessions that dump with another one (Also=). The recorder says that a dump begins, before it makes it: the samples of the
 * others go on being overwritten. They are asked for the same samples under the same incident, and what they are asked for
 * is not announced by them again, so that two sessions that name each other dump once.
 *
 * The words are a recorder's, so nothing of them is passed on that was not read. */

#include "format-text.h"
#include "session-parts.h"

static Failure dump_one(const Session *s, const char *name, const DumpRequest *request) {
        Session *other = s->host->calls->find(name, s->host->userdata);

        if (other == s)
                return FAILURE_NONE;
        return other ? session_dump(other, request, NULL, NULL, NULL) : FAILURE_NO_SUCH_SESSION;
}

void session_dump_also(Session *s, const char *words) {
        JournalSession j = session_journal(s);
        _cleanup_free_ char *detail = NULL;
        DumpRequestText announced;
        DumpRequest *request = &announced.request;

        if (!s->config.settings || !s->config.settings->trigger.also ||
            dump_request_parse(words, DUMP_WORD_ANNOUNCED, &announced, NULL) < 0 ||
            !request->incident || strlen(request->incident) != PR_INCIDENT_SIZE - 1)
                return;
        detail = format_text("%s: %s", s->name, request->detail);
        if (!detail)
                return;
        request->trigger = PR_TRIGGER_ALSO;
        request->detail = detail;
        request->unit = s->name; /* the limit of the others counts what each session causes separately */
        request->all = request->all && request->since == 0 && request->until == 0;
        STRV_FOREACH(name, s->config.settings->trigger.also) {
                Failure failure = dump_one(s, *name, request);

                if (failure)
                        journal_log_session(&j, LOG_WARNING, NULL, "Also=: no dump of %s: %s", *name,
                                            failure_sentence(failure));
        }
}
