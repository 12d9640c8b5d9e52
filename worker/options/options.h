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

/* The command line: what perf record's options mean to us. */

#define OPTIONS_EXIT_FAILURE 255 /* perf's exit status for what fails: commands hardly have it of their own */
#define OPTIONS_EXIT_USAGE 129 /* perf's exit status for a wrong command line */

typedef struct SwitchOutput {
        bool enabled;   /* --switch-output in any form: all files get timestamps */
        uint64_t size;  /* bytes of a file, 0: not by size */
        usec_t time;    /* 0: not by time */
        unsigned max_files; /* 0: no limit */
} SwitchOutput;

typedef struct Options {
        EventSpecs events;
        char *wrong_event;      /* the -e that could not be read, for the message */
        Target target;
        AttrOptions attr;       /* without the rate until options_settle() */
        uint64_t frequency;     /* as given: 0 not at all, UINT64_MAX for "max" */
        uint64_t period;
        bool frequency_given;
        EnableTimes enable_times; /* -D */
        unsigned realtime;      /* SCHED_FIFO priority, 0: none */
        usec_t map_timeout;     /* for the mappings of one process */
        bool strict_frequency;  /* --strict-freq */
        bool group;             /* --group: all events */
        unsigned pages;         /* of a ring, 0: the default */
        char *cgroup;           /* last -G, which needs -a */
        char *output;           /* path or "-"; NULL: perf.data, or standard output if that is a pipe */
        unsigned compression;   /* zstd's level, 0: none */
        uint64_t history_size;  /* -M: bytes of the history ring, 0: none */
        usec_t history_time;    /* how old samples in it may get */
        unsigned history_level; /* of its compression, 0: none */
        uint64_t max_size;      /* bytes, 0: no limit */
        bool preamble_last;     /* --tail-synthesize */
        bool timestamp_boundary;
        EventSpecs switch_events; /* --switch-output-event */
        bool dry_run;
        bool try_only;          /* --try: open, and record nothing */
        bool timestamp_filename;
        SwitchOutput switch_output;
        bool no_build_ids;
        bool all_build_ids;     /* of what was mapped, not only of what was hit */
        TriggerOptions triggers;
        uint64_t symbols;       /* bytes of them beside a dump; 0: none, OPTIONS_SYMBOLS_UNSET: not said */
        char *control;
        bool untrusted;         /* --untrusted: the options that follow name no files */
        bool quiet;
        unsigned verbose;
        bool inherit_set;
        bool help;
        char *registers;        /* asked for by --user-regs=?, to be printed instead of recording */
        char **command;         /* what follows the options; NULL: none */
} Options;

#define OPTIONS_MAP_TIMEOUT (500 * USEC_PER_MSEC) /* perf's */

#define OPTIONS_HISTORY_LEVEL 3

#define OPTIONS_SYMBOLS_UNSET UINT64_MAX

#define OPTIONS_DEFAULT \
        { .target = TARGET_EMPTY, .attr = ATTR_OPTIONS_DEFAULT, .map_timeout = OPTIONS_MAP_TIMEOUT, .history_time = USEC_INFINITY, \
          .history_level = OPTIONS_HISTORY_LEVEL, .symbols = OPTIONS_SYMBOLS_UNSET, .triggers.shutdown = true }

/* Fills o from argv without its first word (NULL: no words). On failure d has the sentence, its key the option's long
 * name where one is to blame, and nothing was printed. -EINVAL: a wrong value; -ENOKEY: no such option; -EOPNOTSUPP:
 * perf has it, we don't; what event_specs_parse() answers. */
int options_parse(Options *o, char *const *argv, Diagnosis *d);

/* Settles what only the whole can say: default event and target, rates, contradictions. Sentences for people are appended
 * to *notes. */
int options_settle(Options *o, char ***notes, Diagnosis *d);
void options_done(Options *o);

typedef enum OptionArgument {
        OPTION_FLAG,     /* takes none; can be negated */
        OPTION_REQUIRED,
        OPTION_NEGATABLE, /* takes one, and is --no-NAME without */
        OPTION_OPTIONAL, /* as --name=value only */
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
        OPTION_KIND_REFUSED,  /* perf record has it, we do not */
        OPTION_KIND_IGNORED,
        OPTION_KIND_BOOL,     /* sets a field to true, or with --no-NAME to false */
        OPTION_KIND_TRISTATE, /* … an int to 1 or 0 */
        OPTION_KIND_PARSED,
        _OPTION_KIND_MAX,
} OptionKind;

/* value: NULL for a flag or an optional value that is not there; unset: --no-NAME. 0 or a negative errno with d set. */
typedef int OptionParser(Options *o, const char *value, bool unset, Diagnosis *d);

typedef struct OptionRow {
        const char *name;       /* long, NULL: none */
        char letter;            /* 0: none */
        OptionArgument argument;
        const char *value;      /* how the help calls it */
        OptionGroup group;
        OptionKind kind;
        size_t offset;          /* of the field in Options, by its kind */
        OptionParser *parse;    /* of what is parsed */
        const char *help;
        bool names_file;        /* refused after --untrusted */
} OptionRow;

/* All options, refused ones too, ended by a row without name and letter. */
const OptionRow *option_table(void);

/* The help text, or the few lines on one option, on f. */
void usage_print(FILE *f);
void usage_print_option(FILE *f, const char *name);
