/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl, the client of perf-recorderd: reads the command line, finds the verb, checks its options and arguments, and runs
 * it. It sets no locale and loads no library, because monitoring calls "perfctl ping" every few seconds. */

#include <signal.h>

#include "pager.h"
#include "session-names.h"
#include "strv.h"
#include "verbs.h"

/* The verb's arguments: the words of the command line and, if they are sessions, those of --session=. */
static int take_arguments(const Verb *v, const ClientOptions *o, char *const *words, char ***ret) {
        _cleanup_strv_free_ char **arguments = strv_copy(words);
        int r;

        if (words && *words && !arguments)
                return -ENOMEM;
        if (v->flags & VERB_SESSIONS) {
                r = strv_extend_strv(&arguments, o->sessions);
                if (r < 0)
                        return r;
        }
        *ret = steal_ptr(arguments);
        return 0;
}

static int run_verb(const ClientOptions *o, char *const *words) {
        const char *name = words ? words[0] : "list";
        const Verb *v = verb_find(name);
        _cleanup_strv_free_ char **arguments = NULL;
        int status;

        if (!v) {
                (void) fprintf(stderr, "Unknown command '%s'; 'perfctl --help' lists them\n", name);
                return STATUS_FAILED;
        }
        if (o->given & OPTION_BIT(OPTION_HELP)) {
                pager_open(!o->no_pager);
                verb_print_help(words ? v : NULL);
                return STATUS_OK;
        }
        if (take_arguments(v, o, words ? words + 1 : NULL, &arguments) < 0) {
                (void) fprintf(stderr, "Out of memory\n");
                return STATUS_FAILED;
        }
        status = verb_check(v, o, arguments);
        if (status != STATUS_OK)
                return status;
        if (v->flags & VERB_SESSIONS && !(v->flags & VERB_OWN_PATTERNS)) {
                status = v->flags & VERB_ASKS ? STATUS_NO_SUCH_STATUS : STATUS_OK;
                if (session_names_expand(o, v->flags, &arguments, &status) <= 0) /* no session matches, or it failed */
                        return status;
        }
        return v->run(o, arguments);
}

int main(int argc, char *argv[]) {
        _cleanup_(client_options_done) ClientOptions o = {};
        _cleanup_strv_free_ char **words = NULL;
        int status;

        (void) signal(SIGPIPE, SIG_DFL); /* it ends with its reader, also if its parent ignores the signal */
        if (client_options_parse(&o, argc, argv, verb_word_order, &words) < 0)
                return STATUS_FAILED;
        if (o.given & OPTION_BIT(OPTION_VERSION)) {
                (void) puts("perf-recorder " PR_VERSION);
                return STATUS_OK;
        }
        status = run_verb(&o, words);
        if (fflush(stdout) != 0 && status == STATUS_OK) {
                (void) fprintf(stderr, "Failed to write: %s\n", strerror(errno));
                status = STATUS_FAILED;
        }
        pager_close();
        return status;
}
