/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"
#include "exit-status.h"

/* The verbs of perfctl: one table, from which dispatch, checks, help and tests are made. */

typedef enum VerbFlags {
        VERB_LOCAL = 1 << 0,    /* works on files of this machine: no -H, no -M */
        VERB_SESSIONS = 1 << 1, /* its arguments are sessions: --session= adds to them */
        VERB_VERBATIM = 1 << 2, /* it parses all words behind it itself, options too */
        VERB_HEADING = 1 << 3,  /* the row is no verb: it begins a group of the help, with help as the title */
        VERB_EVENTS = 1 << 4,   /* its arguments are events */
        VERB_DUMPS = 1 << 5,    /* its arguments are dumps */
        VERB_OWN_PATTERNS = 1 << 6, /* it expands patterns in its arguments itself */
        VERB_ACTIVATES = 1 << 7, /* it may start the service */
        VERB_ASKS = 1 << 8,     /* its exit status is an answer */
        VERB_RUNNING = 1 << 9,  /* its patterns match only sessions that run */
        VERB_COMMAND = 1 << 10, /* its arguments are a command, which its options stand before */
} VerbFlags;

#define ARGUMENTS_MAX UINT32_MAX

typedef struct Verb {
        const char *name;
        unsigned min_arguments, max_arguments;
        uint64_t options; /* OPTION_BITs beyond OPTIONS_GLOBAL */
        VerbFlags flags;
        int (*run)(const ClientOptions *o, char **arguments); /* returns the exit status; prints errors itself */
        const char *usage;                              /* synopsis of the arguments */
        const char *help;
} Verb;

const Verb *verb_find(const char *name); /* NULL: no such verb */
WordOrder verb_word_order(const char *name, uint64_t *ret_options); /* a WordOrderOf */

/* The table, ended by a row without a name and a help. */
extern const Verb verb_table[];

/* Checks that the verb takes the options and the number of arguments. STATUS_OK, or prints the error. */
int verb_check(const Verb *v, const ClientOptions *o, char *const *arguments);

/* Prints the help of one verb, or of the whole program if v is NULL. */
void verb_print_help(const Verb *v);

int verb_list(const ClientOptions *o, char **arguments);
int verb_status(const ClientOptions *o, char **arguments);
int verb_show(const ClientOptions *o, char **arguments);
int verb_log(const ClientOptions *o, char **arguments);
int verb_metrics(const ClientOptions *o, char **arguments);
int verb_monitor(const ClientOptions *o, char **arguments);
int verb_start(const ClientOptions *o, char **arguments);
int verb_stop(const ClientOptions *o, char **arguments);
int verb_restart(const ClientOptions *o, char **arguments);
int verb_enable(const ClientOptions *o, char **arguments);
int verb_disable(const ClientOptions *o, char **arguments);
int verb_is_enabled(const ClientOptions *o, char **arguments);
int verb_is_active(const ClientOptions *o, char **arguments);
int verb_is_failed(const ClientOptions *o, char **arguments);
int verb_pause(const ClientOptions *o, char **arguments);
int verb_resume(const ClientOptions *o, char **arguments);
int verb_reload(const ClientOptions *o, char **arguments);
int verb_signal(const ClientOptions *o, char **arguments);
int verb_ping(const ClientOptions *o, char **arguments);
int verb_cat(const ClientOptions *o, char **arguments);
int verb_edit(const ClientOptions *o, char **arguments);
int verb_verify(const ClientOptions *o, char **arguments);
int verb_import(const ClientOptions *o, char **arguments);
int verb_daemon(const ClientOptions *o, char **arguments);
int verb_events(const ClientOptions *o, char **arguments);
int verb_dump(const ClientOptions *o, char **arguments);
int verb_dumps(const ClientOptions *o, char **arguments);
int verb_report(const ClientOptions *o, char **arguments);
int verb_script(const ClientOptions *o, char **arguments);
int verb_annotate(const ClientOptions *o, char **arguments);
int verb_header(const ClientOptions *o, char **arguments);
int verb_evlist(const ClientOptions *o, char **arguments);
int verb_flamegraph(const ClientOptions *o, char **arguments);
int verb_heatmap(const ClientOptions *o, char **arguments);
int verb_export(const ClientOptions *o, char **arguments);
int verb_diff(const ClientOptions *o, char **arguments);
int verb_open(const ClientOptions *o, char **arguments);
int verb_cp(const ClientOptions *o, char **arguments);
int verb_rm(const ClientOptions *o, char **arguments);
int verb_merge(const ClientOptions *o, char **arguments);
int verb_info(const ClientOptions *o, char **arguments);
int verb_reserve(const ClientOptions *o, char **arguments);
int verb_record(const ClientOptions *o, char **arguments);
int verb_stat(const ClientOptions *o, char **arguments);
int verb_top(const ClientOptions *o, char **arguments);
int verb_trace(const ClientOptions *o, char **arguments);
int verb_sched(const ClientOptions *o, char **arguments);
int verb_lock(const ClientOptions *o, char **arguments);
int verb_mem(const ClientOptions *o, char **arguments);
int verb_c2c(const ClientOptions *o, char **arguments);
