/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sessions that dump with another one (Also=). The recorder says that a dump begins, before it makes it: the samples of the
 * others go on being overwritten. They are asked for the same samples under the same incident, and what they are asked for
 * is not announced by them again, so that two sessions that name each other dump once.
 *
 * The words are a recorder's, so nothing of them is passed on that was not read. */

#include <perf-recorder/control-words.h>
#include <perf-recorder/dump-facts.h>

#include "format-text.h"
#include "parse-number.h"
#include "session-parts.h"

static bool incident_is_valid(const char *s) {
        return strlen(s) == PR_INCIDENT_SIZE - 1 && strspn(s, "0123456789abcdef") == PR_INCIDENT_SIZE - 1;
}

/* -EINVAL: it is not what a recorder says. The strings are within words. */
static int parse_words(char *words, DumpRequest *ret) {
        DumpRequest q = { .trigger = PR_TRIGGER_ALSO };
        uint64_t fresh = 0, all = 0;
        char *detail = strstr(words, " " PR_SNAPSHOT_DETAIL), *word;
        int r = 0;

        if (detail) {
                *detail = '\0';
                q.detail = detail + strlen(" " PR_SNAPSHOT_DETAIL);
        }
        while (r >= 0 && (word = strsep(&words, " "))) {
                const char *value;

                if ((value = startswith(word, PR_SNAPSHOT_INCIDENT)))
                        q.incident = value;
                else if ((value = startswith(word, PR_SNAPSHOT_SINCE)))
                        r = parse_uint64(value, &q.since);
                else if ((value = startswith(word, PR_SNAPSHOT_UNTIL)))
                        r = parse_uint64(value, &q.until);
                else if ((value = startswith(word, PR_SNAPSHOT_NEW)))
                        r = parse_uint64(value, &fresh);
                else if ((value = startswith(word, PR_SNAPSHOT_ALL)))
                        r = parse_uint64(value, &all);
        }
        if (r < 0 || !q.incident || !incident_is_valid(q.incident))
                return -EINVAL;
        q.fresh = fresh > 0;
        q.all = all > 0 && q.since == 0 && q.until == 0;
        *ret = q;
        return 0;
}

static Failure dump_one(const Session *s, const char *name, const DumpRequest *request) {
        Session *other = s->host->calls->find(name, s->host->userdata);

        if (other == s)
                return FAILURE_NONE;
        return other ? session_dump(other, request, NULL, NULL, NULL) : FAILURE_NO_SUCH_SESSION;
}

void session_dump_also(Session *s, char *words) {
        JournalSession j = session_journal(s);
        _cleanup_free_ char *detail = NULL;
        DumpRequest request;

        if (!s->config.settings || !s->config.settings->trigger.also || parse_words(words, &request) < 0)
                return;
        detail = format_text("%s: %s", s->name, request.detail ?: "");
        if (!detail)
                return;
        request.detail = detail;
        request.unit = s->name; /* the limit of the others counts what each session causes separately */
        STRV_FOREACH(name, s->config.settings->trigger.also) {
                Failure failure = dump_one(s, *name, &request);

                if (failure)
                        journal_log_session(&j, LOG_WARNING, NULL, "Also=: no dump of %s: %s", *name,
                                            failure_sentence(failure));
        }
}
