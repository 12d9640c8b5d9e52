/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl sched, lock, mem and c2c: verbs of two words, as perf has them. A view takes dumps and options as report does; "record"
 * records what the views need, and "script" shows samples. */

#include <unistd.h>

#include "memory-events.h"
#include "session-try.h"
#include "strv.h"
#include "tracepoint.h"
#include "verb-view.h"

/* One of these verbs. */
typedef struct SchedFamily {
        const char *name, *subject; /* of its help */
        const Verb *views;          /* their names are two words */
        size_t n;
        /* For the recorder, with the arguments. 1: something else was shown; -ENODEV, -EINVAL: an error was printed. */
        int (*add_words)(char ***words, char **arguments);
} SchedFamily;

#define VIEW_ROW(words, help_) \
        { .name = (words), .max_arguments = ARGUMENTS_MAX, .flags = VERB_DUMPS | VERB_VERBATIM, \
          .usage = "[DUMP...] [OPTION...]", .help = (help_) }

static const Verb sched_views[] = {
        VIEW_ROW("sched latency", "Show how long threads that could run waited for a CPU"),
        VIEW_ROW("sched timehist", "Show each time that a thread had a CPU, and what it waited for"),
        VIEW_ROW("sched map", "Show which thread each CPU has, a line for each switch"),
        VIEW_ROW("sched blame", "Show the longest waits for a CPU, who ran instead, and who woke whom"),
        VIEW_ROW("sched replay", "Do again what the threads did, and show how long it takes"),
};
static const Verb lock_views[] = {
        VIEW_ROW("lock contention", "Show for which locks of the kernel threads waited"),
};
static const Verb mem_views[] = {
        VIEW_ROW("mem report", "Show what memory was accessed, from where the data came, and how long it took"),
};
static const Verb c2c_views[] = {
        VIEW_ROW("c2c report", "Show cache lines for which cores compete, and which code of which threads accesses them"),
};

static int family_add(char ***words, const char *const *add, size_t n) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = strv_extend(words, add[i]);
        return r;
}

/* The events of perf sched record. Those of sched_stat_wait and the like are only on kernels that count these times. */
static int sched_add_words(char ***words, char **arguments) {
        static const char *const options[] = { "-a", "-R", "-m", "1024", "-c", "1" };
        static const char *const events[] = {
                "sched_switch", "sched_stat_wait", "sched_stat_sleep", "sched_stat_iowait", "sched_stat_runtime",
                "sched_process_fork", "sched_wakeup_new", "sched_migrate_task", "sched_waking",
        };
        _cleanup_free_ char *root = NULL;
        int r = family_add(words, options, ELEMENTSOF(options));

        (void) tracefs_find(&root);
        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(events); i++) {
                bool optional = startswith(events[i], "sched_stat_") && !streq(events[i], "sched_stat_runtime");
                uint64_t id;

                if (!optional || (root && tracepoint_id(root, "sched", events[i], &id) >= 0))
                        r = strv_extendf(words, "--event=sched:%s", events[i]);
        }
        return r < 0 ? r : strv_extend_strv(words, arguments);
}

static int lock_add_words(char ***words, char **arguments) {
        static const char *const options[] = {
                "-R", "-m", "1024", "-c", "1", "--call-graph", "fp", "-e", "lock:contention_begin", "-e", "lock:contention_end",
        };
        int r = family_add(words, options, ELEMENTSOF(options));

        return r < 0 ? r : strv_extend_strv(words, arguments);
}

static int mem_add_words(char ***words, char **arguments) {
        return memory_events_add(words, arguments, false);
}

static int c2c_add_words(char ***words, char **arguments) {
        return memory_events_add(words, arguments, true);
}

static const SchedFamily families[] = {
        { "sched", "Show what the scheduler did", sched_views, ELEMENTSOF(sched_views), sched_add_words },
        { "lock", "Show which locks were contended", lock_views, ELEMENTSOF(lock_views), lock_add_words },
        { "mem", "Show memory accesses", mem_views, ELEMENTSOF(mem_views), mem_add_words },
        { "c2c", "Show cache lines for which cores compete", c2c_views, ELEMENTSOF(c2c_views), c2c_add_words },
};

static const char *second_word(const Verb *view) {
        return strchr(view->name, ' ') + 1;
}

static int family_help(const SchedFamily *f) {
        (void) printf("perfctl [OPTIONS...] %s VIEW [DUMP...] [OPTION...]\nperfctl %s record [OPTION...] [COMMAND...]\n\n"
                      "%s in dumps, or in the newest.\n\nViews:\n", f->name, f->name, f->subject);
        for (size_t i = 0; i < f->n; i++)
                (void) printf("  %-24s %s\n", second_word(f->views + i), f->views[i].help);
        (void) printf("  %-24s %s\n  %-24s Record what the views need, as perf %s record does\n\nSee 'perfctl %s VIEW --help', and "
                      "perfctl(1).\n", "script", "Show each sample, as script does", "record", f->name, f->name);
        return STATUS_OK;
}

/* perf takes some options before the view, too: they come behind it. *ret is the word of the view, NULL: there is none. */
static int family_read_words(char **arguments, const char **ret, char ***rest) {
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

/* The report of memory accesses is report with its keys for them. */
static int mem_report(const ClientOptions *o, char **rest) {
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "--mem-mode");

        if (r >= 0)
                r = strv_extend(&words, "--show-nr-samples");
        if (r >= 0)
                r = strv_extend_strv(&words, rest);
        return r < 0 ? verb_fail("run the viewer", r) : verb_report(o, words);
}

static int verb_family(const SchedFamily *f, const ClientOptions *o, char **arguments) {
        _cleanup_strv_free_ char **rest = NULL, **options = NULL;
        const char *word = NULL;
        int r = family_read_words(arguments, &word, &rest);

        if (r < 0)
                return verb_fail("run the viewer", r);
        if (!word || streq(word, "-h") || streq(word, "--help") || streq(word, "help"))
                return family_help(f);
        if (streq(word, "record")) {
                r = f->add_words(&options, rest);
                if (r == -ENODEV || r == -EINVAL)
                        return STATUS_FAILED;
                if (r == 1)
                        return STATUS_OK;
                return verb_fail("run the recorder", r < 0 ? r : recorder_execute(options, NULL));
        }
        if (streq(word, "script"))
                return verb_script(o, rest);
        if (streq(word, "lat")) /* perf's short words */
                word = "latency";
        if (streq(word, "con"))
                word = "contention";
        for (const Verb *view = f->views; view < f->views + f->n; view++)
                if (streq(word, second_word(view))) {
                        const ViewVerb shown = { view->name, .row = view, .symbols = true, .several = true };

                        return view == mem_views ? mem_report(o, rest) : view_run_verb(&shown, o, rest);
                }
        (void) fprintf(stderr, "There is no '%s %s'; see 'perfctl %s --help'\n", f->name, word, f->name);
        return STATUS_FAILED;
}

int verb_sched(const ClientOptions *o, char **arguments) {
        return verb_family(families, o, arguments);
}

int verb_lock(const ClientOptions *o, char **arguments) {
        return verb_family(families + 1, o, arguments);
}

int verb_mem(const ClientOptions *o, char **arguments) {
        return verb_family(families + 2, o, arguments);
}

int verb_c2c(const ClientOptions *o, char **arguments) {
        return verb_family(families + 3, o, arguments);
}
