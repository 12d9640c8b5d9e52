/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of verbs, and the dispatch, the check of options and arguments, and the help that are made from it. Each verb is in
 * its own verb-*.c. A test compares bash completion and perfctl(1) with this table. */

#include "verbs.h"

#include "strv.h"
#include "view-line.h"

#define BIT(name) OPTION_BIT(OPTION_##name)
#define OR_BIT(name, ...) | BIT(name)

const Verb verb_table[] = {
        { .flags = VERB_HEADING, .help = "Sessions" },
        { "list", 0, ARGUMENTS_MAX,
          BIT(SESSION) | BIT(FIELD_SEPARATOR) | BIT(VERBOSE) | BIT(JSON) | BIT(STATE) | BIT(NO_LEGEND) | BIT(FULL),
          VERB_SESSIONS | VERB_OWN_PATTERNS, verb_list, "[PATTERN...]", "List the sessions (also without a command)" },
        { "status", 0, ARGUMENTS_MAX, BIT(SESSION) | BIT(FULL) | BIT(LINES) | BIT(JSON),
          VERB_SESSIONS, verb_status, "[NAME...]", "Show how sessions, or the daemon, are doing" },
        { "show", 0, ARGUMENTS_MAX, BIT(SESSION) | BIT(PROPERTY) | BIT(VALUE_OF) | BIT(JSON),
          VERB_SESSIONS, verb_show, "[NAME...]", "Show properties of sessions, or of the daemon" },
        { "log", 0, ARGUMENTS_MAX, BIT(SESSION) | BIT(LINES) | BIT(FOLLOW) | BIT(PAGER_END),
          VERB_SESSIONS, verb_log, "[NAME...]", "Show the journal of sessions, or of the daemon" },
        { "metrics", 0, ARGUMENTS_MAX, BIT(SESSION) | BIT(TEXTFILE) | BIT(HTTP),
          VERB_SESSIONS | VERB_OWN_PATTERNS, verb_metrics, "[PATTERN...]", "Print metrics of sessions for monitoring" },
        { "monitor", 0, 0, BIT(JSON),
          0, verb_monitor, "", "Print the service's D-Bus signals as they come" },
        { "ping", 0, ARGUMENTS_MAX, BIT(SESSION) | BIT(VERBOSE) | BIT(JSON) | BIT(TIMEOUT),
          VERB_SESSIONS, verb_ping, "[NAME...]", "Ask recorders whether they answer" },
        { "is-active", 1, ARGUMENTS_MAX, BIT(SESSION),
          VERB_SESSIONS | VERB_ASKS, verb_is_active, "NAME...", "Check whether sessions record" },
        { "is-enabled", 1, ARGUMENTS_MAX, BIT(SESSION),
          VERB_SESSIONS | VERB_ASKS, verb_is_enabled, "NAME...", "Check whether they start with the service" },
        { "is-failed", 0, ARGUMENTS_MAX, BIT(SESSION),
          VERB_SESSIONS | VERB_ASKS, verb_is_failed, "[NAME...]", "Check whether they, or any, have failed" },

        { .flags = VERB_HEADING, .help = "Control" },
        { "start", 0, ARGUMENTS_MAX, BIT(SESSION),
          VERB_SESSIONS | VERB_ACTIVATES, verb_start, "[NAME...]", "Start sessions; without names all enabled ones" },
        { "stop", 0, ARGUMENTS_MAX, BIT(SESSION),
          VERB_SESSIONS, verb_stop, "[NAME...]", "Stop sessions; without names all, and the daemon" },
        { "restart", 0, ARGUMENTS_MAX, BIT(SESSION),
          VERB_SESSIONS | VERB_ACTIVATES, verb_restart, "[NAME...]", "Stop and start sessions; without names all running" },
        { "pause", 0, ARGUMENTS_MAX, BIT(SESSION),
          VERB_SESSIONS | VERB_RUNNING, verb_pause, "[NAME...]", "Switch events off; the recorders stay" },
        { "resume", 0, ARGUMENTS_MAX, BIT(SESSION),
          VERB_SESSIONS | VERB_RUNNING, verb_resume, "[NAME...]", "Switch the events of paused sessions on again" },
        { "enable", 1, ARGUMENTS_MAX, BIT(SESSION) | BIT(NOW),
          VERB_SESSIONS, verb_enable, "NAME...", "Have sessions start with the service" },
        { "disable", 1, ARGUMENTS_MAX, BIT(SESSION) | BIT(NOW),
          VERB_SESSIONS, verb_disable, "NAME...", "Have them no longer start with it" },
        { "signal", 0, ARGUMENTS_MAX, BIT(SESSION) | BIT(SIGNAL) | BIT(JSON),
          VERB_SESSIONS, verb_signal, "[NAME...]", "Send a signal; USR2 writes out what is in memory" },
        { "reload", 0, 0, BIT(JSON),
          0, verb_reload, "", "Read the session files again" },

        { .flags = VERB_HEADING, .help = "Dumps" },
        { "dump", 0, ARGUMENTS_MAX,
          BIT(SESSION) | BIT(SINCE) | BIT(UNTIL) | BIT(NEW) | BIT(FORCE) | BIT(DELAY) | BIT(OUTPUT) | BIT(TIMEOUT) | BIT(JSON)
                  DUMP_TEXT_OPTIONS(OR_BIT),
          VERB_SESSIONS, verb_dump, "[NAME...]", "Write out what is in memory; without names of all" },
        { "dumps", 0, ARGUMENTS_MAX,
          BIT(SESSION) | BIT(SINCE) | BIT(UNTIL) | BIT(TRIGGER) | BIT(LINES) | BIT(REVERSE) | BIT(JSON) |
                  BIT(NO_LEGEND) | BIT(FULL),
          VERB_SESSIONS | VERB_OWN_PATTERNS, verb_dumps, "[PATTERN...]", "List the dumps, the newest last" },
        { "info", 0, ARGUMENTS_MAX,
          BIT(JSON) | BIT(FULL) | BIT(NOW) | BIT(NO_KEEP) | BIT(COMM) | BIT(PID) | BIT(TID) | BIT(UNIT) | BIT(CPU) | BIT(TIME) |
                  BIT(LAST) | BIT(SINCE) | BIT(UNTIL) | BIT(BEFORE_TRIGGER) | BIT(AROUND_TRIGGER) | BIT(NO_IDLE),
          VERB_DUMPS, verb_info, "[DUMP...]", "Show all that is known of dumps, or of the newest" },
        { "report", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_report, "[DUMP...] [OPTION...]", "Show the functions of dumps, or of the newest" },
        { "script", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_script, "[DUMP...] [OPTION...]", "Show each sample of dumps, or of the newest" },
        { "annotate", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_annotate, "[DUMP...] [OPTION...]", "Show the instructions of functions that were hit" },
        { "header", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_header, "[DUMP] [OPTION...]", "Show on what, how and with which events it was made" },
        { "evlist", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_evlist, "[DUMP] [OPTION...]", "List the events of a dump, or of the newest" },
        { "flamegraph", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_flamegraph, "[DUMP...] [-o FILE]", "Draw the call chains of dumps, or of the newest" },
        { "heatmap", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_heatmap, "[DUMP...] [-o FILE]", "Draw when dumps, or the newest, have samples" },
        { "export", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_export, "[DUMP...] --format=FORMAT [-o FILE]", "Write call chains for other tools" },
        { "diff", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_diff, "[DUMP DUMP] [OPTION...]", "Show what changed from one dump to another" },
        { "sched", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_sched, "VIEW [DUMP...] [OPTION...]", "Show what the scheduler did; or record it" },
        { "lock", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_lock, "VIEW [DUMP...] [OPTION...]", "Show which locks were contended; or record them" },
        { "mem", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_mem, "VIEW [DUMP...] [OPTION...]", "Show memory accesses; or record them" },
        { "c2c", 0, ARGUMENTS_MAX, 0,
          VERB_DUMPS | VERB_VERBATIM, verb_c2c, "VIEW [DUMP...] [OPTION...]", "Show contended cache lines; or record accesses" },
        { "open", 0, ARGUMENTS_MAX, BIT(VIEWER) | BIT(NOW) | BIT(NO_KEEP),
          VERB_DUMPS, verb_open, "[DUMP] [-- ARGUMENT...]", "Open a dump, or the newest, in perf report" },
        { "cp", 2, 2, BIT(SYMBOLS) | BIT(BUNDLE),
          VERB_DUMPS, verb_cp, "DUMP FILE", "Copy a dump to a file; - is standard output" },
        { "rm", 0, ARGUMENTS_MAX, BIT(SESSION) | BIT(SINCE) | BIT(UNTIL) | BIT(TRIGGER),
          VERB_DUMPS, verb_rm, "[DUMP...]", "Remove dumps" },
        { "merge", 0, ARGUMENTS_MAX, BIT(OUTPUT) | BIT(SINCE) | BIT(UNTIL) | BIT(TRIGGER),
          VERB_DUMPS, verb_merge, "[DUMP...]", "Make one recording of several dumps" },

        { .flags = VERB_HEADING, .help = "Session files" },
        { "cat", 1, ARGUMENTS_MAX, BIT(SESSION),
          VERB_LOCAL | VERB_SESSIONS, verb_cat, "NAME...", "Print session files and their drop-ins" },
        { "edit", 1, 1, BIT(SESSION) | BIT(FULL) | BIT(FORCE),
          VERB_LOCAL | VERB_SESSIONS | VERB_OWN_PATTERNS, verb_edit, "NAME", "Edit a drop-in, or with --full the file" },
        { "verify", 1, ARGUMENTS_MAX, BIT(TRY) | BIT(STRICT) | BIT(JSON),
          VERB_LOCAL, verb_verify, "FILE|NAME...", "Check session files and say what they cost" },
        { "import", 0, 1, BIT(FORCE),
          VERB_LOCAL, verb_import, "[FILE]", "Make session files from a perfconfig file" },
        { "daemon", 0, ARGUMENTS_MAX, 0,
          VERB_VERBATIM, verb_daemon, "[COMMAND] [OPTION...]", "Take the command line of perf daemon" },

        { .flags = VERB_HEADING, .help = "Recording" },
        { "reserve", 0, ARGUMENTS_MAX,
          BIT(WHAT) | BIT(WAIT) | BIT(DETACH) | BIT(FOREGROUND) | BIT(WHO) | BIT(LOCK_FILE) | BIT(VERSION_LETTER) | BIT(JSON) |
                  BIT(NO_LEGEND) | BIT(FULL) | BIT(WHY),
          VERB_LOCAL | VERB_COMMAND, verb_reserve, "[OPTION...] [COMMAND...]", "Have sessions leave counters to a program" },
        { "events", 0, ARGUMENTS_MAX,
          BIT(JSON) | BIT(NO_LEGEND) | BIT(FULL) | BIT(DESC) | BIT(NO_DESC) | BIT(LONG_DESC) | BIT(DETAILS),
          VERB_LOCAL | VERB_EVENTS, verb_events, "[EVENT...]", "List what can be recorded, or say why not" },
        { "record", 0, ARGUMENTS_MAX, 0,
          VERB_LOCAL | VERB_VERBATIM, verb_record, "[OPTION...] [COMMAND...]", "Record now, as perf record does" },
        { "stat", 0, ARGUMENTS_MAX, 0,
          VERB_LOCAL | VERB_VERBATIM, verb_stat, "[OPTION...] [COMMAND...]", "Count now, as perf stat does" },
        { "top", 0, ARGUMENTS_MAX, 0,
          VERB_LOCAL | VERB_VERBATIM, verb_top, "[OPTION...] [SESSION]", "Show where time goes now, as perf top does" },
        { "trace", 0, ARGUMENTS_MAX, 0,
          VERB_LOCAL | VERB_VERBATIM, verb_trace, "[OPTION...] [COMMAND...]", "Show system calls, as they happen or of dumps" },
        {},
};

static bool verb_is_end(const Verb *v) {
        return !v->name && !v->help;
}

const Verb *verb_find(const char *name) {
        for (const Verb *v = verb_table; !verb_is_end(v); v++)
                if (v->name && streq(v->name, name))
                        return v;
        return NULL;
}

WordOrder verb_word_order(const char *name, uint64_t *ret_options) {
        const Verb *v = verb_find(name);

        if (!v)
                return WORDS_MIXED;
        *ret_options = v->options | OPTIONS_GLOBAL;
        return v->flags & VERB_VERBATIM ? WORDS_VERBATIM : v->flags & VERB_COMMAND ? WORDS_OPTIONS_FIRST : WORDS_MIXED;
}

static int verb_refuse_output(const Verb *v, const ClientOptions *o) {
        const char *hint = !(v->options & BIT(JSON)) ? "" :
                streq(o->output, "json-pretty") ? "; --json=pretty prints JSON" : "; --json=short prints JSON";

        if (v->options & BIT(OUTPUT))
                (void) fprintf(stderr, "--output= names a file here: write ./%s for a file of this name%s\n", o->output, hint);
        else
                (void) fprintf(stderr, "'%s' takes no --output%s\n", v->name, hint);
        return STATUS_FAILED;
}

static int verb_check_options(const Verb *v, const ClientOptions *o) {
        uint64_t excess = o->given & ~(v->options | OPTIONS_GLOBAL);
        const char *output = o->output;

        /* --output= takes such a word in systemctl, but names a file here */
        if (output && (streq(output, "json") || streq(output, "json-pretty") || streq(output, "short")))
                return verb_refuse_output(v, o);

        if (excess) {
                const ClientOptionRow *row = client_option_row((OptionId) __builtin_ctzll(excess));

                (void) fprintf(stderr, "'%s' takes no %s%s; see 'perfctl %s --help'\n", v->name, row->name ? "--" : "-",
                               row->name ?: (char[]){ row->letter, '\0' }, v->name);
                return STATUS_FAILED;
        }
        if (o->host && o->machine) {
                (void) fprintf(stderr, "--host= and --machine= cannot be combined\n");
                return STATUS_FAILED;
        }
        if (o->host && o->user) {
                (void) fprintf(stderr, "--host= and --user cannot be combined: a remote user's service cannot be reached\n");
                return STATUS_FAILED;
        }
        if (client_options_check_keep(o) < 0)
                return STATUS_FAILED;
        if ((v->flags & VERB_LOCAL) && (o->host || o->machine)) {
                (void) fprintf(stderr, "'%s' works on this machine only: run perfctl there\n", v->name);
                return STATUS_FAILED;
        }
        return STATUS_OK;
}

int verb_check(const Verb *v, const ClientOptions *o, char *const *arguments) {
        size_t n = strv_length(arguments);
        int status = verb_check_options(v, o);

        if (status != STATUS_OK)
                return status;
        if (n < v->min_arguments || n > v->max_arguments) {
                (void) fprintf(stderr, "Too %s arguments: perfctl %s%s%s\n", n < v->min_arguments ? "few" : "many",
                               v->name, *v->usage ? " " : "", v->usage);
                return STATUS_FAILED;
        }
        return STATUS_OK;
}

static void verb_print_row(const Verb *v) {
        char left[64];

        (void) snprintf(left, sizeof(left), "%s %s", v->name, v->usage);
        if (strlen(left) > 24) /* a long one has a line of its own */
                (void) printf("  %s\n  %-24s %s\n", left, "", v->help);
        else
                (void) printf("  %-24s %s\n", left, v->help);
}

static void verbs_print_all(void) {
        uint64_t rest = 0;

        (void) printf("perfctl [OPTIONS...] COMMAND ...\n\n"
                      "Control perf-recorder: sessions that record performance data.\n");
        for (const Verb *v = verb_table; !verb_is_end(v); v++) {
                if (v->flags & VERB_HEADING)
                        (void) printf("\n%s:\n", v->help);
                else
                        verb_print_row(v);
                rest |= v->options;
        }
        (void) printf("\nOptions:\n");
        client_options_print_help(OPTIONS_GLOBAL);
        (void) printf("\nOptions of some commands (see 'perfctl COMMAND --help'):\n");
        client_options_print_help(rest & ~OPTIONS_GLOBAL);
        (void) printf("\nSee perfctl(1).\n");
}

/* The viewer's options, and what perfctl has for its verbs. */
static bool verb_print_viewer_options(const Verb *v) {
        size_t n, n_own;
        const ViewWord *words = v->flags & VERB_VERBATIM ? view_words_find(v->name, &n) : NULL;

        if (!words)
                return false;
        view_words_print(words, n);
        words = view_line_own(&n_own);
        (void) putchar('\n');
        view_words_print(words, n_own);
        return true;
}

void verb_print_help(const Verb *v) {
        if (!v) {
                verbs_print_all();
                return;
        }
        (void) printf("perfctl [OPTIONS...] %s%s%s\n\n%s.\n\nOptions:\n", v->name, *v->usage ? " " : "", v->usage,
                      v->help);
        if (!verb_print_viewer_options(v))
                client_options_print_help((v->flags & VERB_VERBATIM ? 0 : OPTIONS_GLOBAL) | v->options);
        (void) printf("\nSee perfctl(1).\n");
}
