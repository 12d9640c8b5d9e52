/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "attr.h"
#include "diagnosis.h"
#include "enable-times.h"
#include "grammar.h"
#include "parse-time.h"
#include "strv.h"
#include "target.h"
#include "trigger-sources.h"

/* The command line, with perf record's options and some more. */

#define OPTIONS_EXIT_FAILURE 255 /* perf's exit status for failures: recorded commands hardly use it themselves */
#define OPTIONS_EXIT_USAGE 129 /* perf's exit status for a wrong command line */

typedef struct SwitchOutput {
        bool enabled;   /* --switch-output in any form: all files get timestamps */
        uint64_t size;  /* bytes of a file, 0: not by size */
        usec_t time;    /* 0: not by time */
        unsigned max_files; /* 0: no limit */
} SwitchOutput;

typedef struct Options {
        EventSpecs events;
        char *wrong_event;      /* the -e that could not be parsed, for the message */
        Target target;
        AttrOptions attr;       /* without the rate until options_settle() */
        uint64_t frequency;     /* as given: 0: not set, UINT64_MAX for "max" */
        uint64_t period;
        bool frequency_given;
        EnableTimes enable_times; /* -D */
        unsigned realtime;      /* SCHED_FIFO priority, 0: none */
        usec_t map_timeout;     /* for the mappings of one process */
        bool strict_frequency;  /* --strict-freq */
        bool group;             /* --group: all events */
        unsigned pages;         /* of a ring, 0: the default */
        char *cgroup;           /* last -G, which needs -a */
        char *each_unit;        /* --for-each-unit: a pattern; NULL: the events are not for units */
        char *output;           /* path or "-"; NULL: perf.data, or standard output if that is a pipe */
        unsigned compression;   /* zstd's level, 0: none */
        uint64_t history_size;  /* -M: bytes of the history ring, 0: none */
        usec_t history_time;    /* greatest age of samples in it */
        usec_t history_interval; /* --history-interval: its events are counted, and read that often; 0: they are sampled */
        unsigned history_level; /* of its compression, 0: none */
        bool unwind;            /* --unwind: call chains instead of copies of stacks in it */
        uint64_t max_size;      /* bytes, 0: no limit */
        bool preamble_last;     /* --tail-synthesize */
        bool timestamp_boundary;
        EventSpecs switch_events; /* --switch-output-event */
        bool dry_run;
        bool try_only;          /* --try: open the events, and record nothing */
        bool timestamp_filename;
        SwitchOutput switch_output;
        bool no_build_ids;
        bool all_build_ids;     /* of all mapped files, not only of those with samples */
        TriggerCommandLine triggers;
        uint64_t symbols;       /* bytes of them beside a dump; 0: none, OPTIONS_SYMBOLS_UNSET: not set */
        char *control;
        bool untrusted;         /* --untrusted: the options that follow name no files */
        bool quiet;
        unsigned verbose;
        bool inherit_set;
        bool help;
        char *registers;        /* the list for --user-regs=?, to be printed instead of recording */
        char **command;         /* the words after the options; NULL: none */
} Options;

#define OPTIONS_MAP_TIMEOUT (500 * USEC_PER_MSEC) /* perf's */

#define OPTIONS_HISTORY_LEVEL 3

#define OPTIONS_INTERVAL_MIN (10 * USEC_PER_MSEC)
#define OPTIONS_INTERVAL_MAX (24 * 60 * USEC_PER_MINUTE)

#define OPTIONS_SYMBOLS_UNSET UINT64_MAX

#define OPTIONS_DEFAULT \
        { .target = TARGET_EMPTY, .attr = ATTR_OPTIONS_DEFAULT, .map_timeout = OPTIONS_MAP_TIMEOUT, .history_time = USEC_INFINITY, \
          .history_level = OPTIONS_HISTORY_LEVEL, .symbols = OPTIONS_SYMBOLS_UNSET, .triggers.shutdown = true }

/* Fills o from argv without its first word (NULL: no words). Prints nothing. On failure d has the sentence, and its
 * key is the long name of the wrong option, if there is one. -EINVAL: a wrong value; -ENOKEY: no such option;
 * -EOPNOTSUPP: an option of perf that is not supported; and the errors of event_specs_parse(). */
int options_parse(Options *o, char *const *argv, Diagnosis *d);

/* Does what takes all options: sets the default event and target and the rates, and rejects contradictions. Appends
 * sentences for people to *notes. */
int options_settle(Options *o, char ***notes, Diagnosis *d);
void options_done(Options *o);

typedef enum OptionArgument {
        OPTION_FLAG,     /* takes none; can be negated */
        OPTION_REQUIRED,
        OPTION_NEGATABLE, /* takes one, unless it is --no-NAME */
        OPTION_OPTIONAL, /* only as --name=value */
} OptionArgument;

typedef enum OptionGroup {
        OPTION_GROUP_EVENTS,
        OPTION_GROUP_SAMPLES,
        OPTION_GROUP_TARGET,
        OPTION_GROUP_OUTPUT,
        OPTION_GROUP_TRIGGER,
        OPTION_GROUP_CONTROL,
        _OPTION_GROUP_MAX,
} OptionGroup;

typedef enum OptionKind {
        OPTION_KIND_PERF,     /* an option of perf record that has no effect here: refused, unless it has a help */
        OPTION_KIND_BOOL,     /* sets a field to true, or with --no-NAME to false */
        OPTION_KIND_TRISTATE, /* … an int to 1 or 0 */
        OPTION_KIND_PARSED,
        _OPTION_KIND_MAX,
} OptionKind;

/* value: NULL for a flag or a missing optional value; unset: --no-NAME. 0 or a negative errno with d set. */
typedef int OptionParser(Options *o, const char *value, bool unset, Diagnosis *d);

typedef struct OptionRow {
        const char *name;       /* long, NULL: none */
        char letter;            /* 0: none */
        OptionArgument argument;
        const char *value;      /* its name in the help */
        OptionGroup group;
        OptionKind kind;
        size_t offset;          /* in Options, of the field that BOOL and TRISTATE set */
        OptionParser *parse;    /* of PARSED */
        const char *help;       /* NULL: refused */
        bool names_file;        /* refused after --untrusted */
} OptionRow;

/* All options, refused ones too, ended by a row without name and letter. */
const OptionRow *option_table(void);

/* Print the help text, or only the lines about one option, to f. */
void usage_print(FILE *f);
void usage_print_option(FILE *f, const char *name);
