/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl sched: the views of the scheduler, of which each takes dumps and options as report does, and perf sched's words for
 * recording and for showing samples. */

#include "session-try.h"
#include "strv.h"
#include "tracepoint.h"
#include "verb-view.h"

#define VIEW_ROW(word, help_) \
        { .name = "sched " word, .max_arguments = ARGUMENTS_MAX, .flags = VERB_DUMPS | VERB_VERBATIM, .run = verb_sched, \
          .usage = "[DUMP...] [OPTION...]", .help = (help_) }

static const Verb sched_rows[] = {
        VIEW_ROW("latency", "Show how long threads that could run waited for a CPU"),
        VIEW_ROW("timehist", "Show each time that a thread had a CPU, and what it waited for"),
        VIEW_ROW("map", "Show which thread each CPU has, a line for each switch"),
        VIEW_ROW("blame", "Show the longest waits for a CPU, who ran instead, and who woke whom"),
};

static int sched_help(void) {
        (void) printf("perfctl [OPTIONS...] sched VIEW [DUMP...] [OPTION...]\nperfctl sched record [OPTION...] [COMMAND...]\n\n"
                      "Show what the scheduler did in dumps, or in the newest.\n\nViews:\n");
        for (size_t i = 0; i < ELEMENTSOF(sched_rows); i++)
                (void) printf("  %-24s %s\n", sched_rows[i].name + strlen("sched "), sched_rows[i].help);
        (void) printf("  %-24s %s\n  %-24s %s\n\nSee 'perfctl sched VIEW --help', and perfctl(1).\n", "script",
                      "Show each sample, as script does", "record", "Record the scheduler now, as perf sched record does");
        return STATUS_OK;
}

/* The events of perf sched record. Those of sched_stat_wait and the like are only on kernels that count these times. */
static int sched_add_events(char ***words) {
        static const char *const events[] = {
                "sched_switch", "sched_stat_wait", "sched_stat_sleep", "sched_stat_iowait", "sched_stat_runtime",
                "sched_process_fork", "sched_wakeup_new", "sched_migrate_task", "sched_waking",
        };
        _cleanup_free_ char *root = NULL;
        int r = 0;

        (void) tracefs_find(&root);
        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(events); i++) {
                bool optional = startswith(events[i], "sched_stat_") && !streq(events[i], "sched_stat_runtime");
                uint64_t id;

                if (optional && (!root || tracepoint_id(root, "sched", events[i], &id) < 0))
                        continue;
                r = strv_extend(words, "-e");
                if (r >= 0)
                        r = strv_extendf(words, "sched:%s", events[i]);
        }
        return r;
}

static int sched_record(char **arguments) {
        static const char *const options[] = { "perfctl record", "-a", "-R", "-m", "1024", "-c", "1" };
        _cleanup_strv_free_ char **words = NULL;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(options); i++)
                r = strv_extend(&words, options[i]);
        if (r >= 0)
                r = sched_add_events(&words);
        if (r >= 0)
                r = strv_extend_strv(&words, arguments);
        if (r >= 0) {
                (void) execv(recorder_path(), words);
                r = -errno;
        }
        return verb_fail("run the recorder", r);
}

/* perf takes some options before the view, too: they come behind it. *ret is the word of the view, NULL: there is none. */
static int sched_read_words(char **arguments, const char **ret, char ***rest) {
        size_t n = 0;
        int r = 0;

        if (!arguments)
                return 0;
        while (arguments[n] && *arguments[n] == '-' && arguments[n][1] && !streq(arguments[n], "-h") &&
               !streq(arguments[n], "--help"))
                n += (streq(arguments[n], "-i") || streq(arguments[n], "--input")) && arguments[n + 1] ? 2 : 1;
        *ret = arguments[n];
        for (char **word = arguments + n; *word && word[1] && r >= 0; word++)
                r = strv_extend(rest, word[1]);
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = strv_extend(rest, arguments[i]);
        return r;
}

int verb_sched(const ClientOptions *o, char **arguments) {
        _cleanup_strv_free_ char **rest = NULL;
        const char *word = NULL;
        int r = sched_read_words(arguments, &word, &rest);

        if (r < 0)
                return verb_fail("run the viewer", r);
        if (!word || streq(word, "-h") || streq(word, "--help") || streq(word, "help"))
                return sched_help();
        if (streq(word, "record"))
                return sched_record(rest);
        if (streq(word, "script"))
                return verb_script(o, rest);
        if (streq(word, "lat")) /* perf's short word */
                word = "latency";
        for (size_t i = 0; i < ELEMENTSOF(sched_rows); i++)
                if (streq(word, sched_rows[i].name + strlen("sched "))) {
                        const ViewVerb view = {
                                sched_rows[i].name, .row = sched_rows + i, .symbols = streq(word, "timehist"), .several = true,
                        };

                        return view_run_verb(&view, o, rest);
                }
        (void) fprintf(stderr, "There is no 'sched %s'; see 'perfctl sched --help'\n", word);
        return STATUS_FAILED;
}
