/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl trace: the meter shows what happens now, the viewer recordings, and "record" is the recorder's. A first word that is a
 * program is run, and any other one is a dump. */

#include "array.h"
#include "command.h"
#include "dump-list.h"
#include "run-meter.h"
#include "session-try.h"
#include "strv.h"
#include "verb-view.h"
#include "view-line.h"
#include "view-words.h"

/* Returns whether the words, of which the first one stands for the program, are about recordings: by an option that only these
 * have, or by the first word that is no option. Help is that of what happens now. */
static int trace_shows_recordings(char **words, bool *ret) {
        ViewTable table = VIEW_TABLE_EMPTY;
        size_t n, n_live, n_own, back;
        const ViewWord *rows = view_words_find("trace", &n), *live = view_words_find("trace live", &n_live);
        const ViewWord *own = view_line_own(&n_own), *word;
        int argc = (int) strv_length(words), r = view_table_add(&table, rows, n);
        const char *value;

        if (r >= 0)
                r = view_table_add(&table, live, n_live);
        if (r >= 0)
                r = view_table_add(&table, own, n_own);
        if (r < 0)
                return r;
        opterr = optind = 0;
        (void) view_table_next(&table, 1, words, &word, &value); /* begins anew, in front of the first word */
        while (!*ret) {
                if (optind < argc && dump_word_counts_back(words[optind], &back)) {
                        *ret = true;
                        break;
                }
                if (view_table_next(&table, argc, words, &word, &value) <= 0)
                        break;
                if (!word) {
                        *ret = command_find(value) < 0;
                        break;
                }
                if (streq(word->name, "help"))
                        break;
                *ret = !ANY_OF(n_live, i, streq(live[i].name, word->name));
        }
        return 0;
}

int verb_trace(const ClientOptions *o, char **arguments) {
        static char *const options[] = {
                (char *) "-R", (char *) "-m", (char *) "1024", (char *) "-c", (char *) "1", (char *) "-e",
                (char *) "raw_syscalls:sys_enter", (char *) "-e", (char *) "raw_syscalls:sys_exit", NULL,
        };
        static const ViewVerb shown = { "trace", .session = "syscalls", .several = true };
        _cleanup_strv_free_ char **words = NULL;
        bool recordings = false;
        int r = strv_extend(&words, "perfctl");

        if (arguments && arguments[0] && streq(arguments[0], "record"))
                return verb_fail("run the recorder", recorder_execute(options, arguments + 1));
        if (r >= 0)
                r = strv_extend_strv(&words, arguments);
        if (r >= 0)
                r = trace_shows_recordings(words, &recordings);
        if (r >= 0 && recordings)
                return view_run_verb(&shown, o, arguments);
        words = strv_free(words);
        r = strv_extend(&words, "perfctl");
        if (r >= 0)
                r = strv_extend(&words, "trace");
        if (r >= 0)
                r = strv_extend_strv(&words, arguments);
        return r < 0 ? verb_fail("run the meter", r) : meter_execute(words);
}
