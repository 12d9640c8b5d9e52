/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/control-words.h>
#include <perf-recorder/dump-facts.h>

#include "diagnosis.h"
#include "parse-time.h"

/* A request for a dump, and the one table of its words. A word of a caller is an entry of the dictionary of Dump on the bus, and
 * may be an option of perfctl dump; one for the recorder follows "snapshot ID" on the control descriptor (control-words.h); one
 * that is announced is in PR_NOTIFY_INCIDENT too, for the sessions that dump together with this one. */

typedef struct DumpRequest { /* strings are borrowed */
        const char *trigger;  /* a PR_TRIGGER_* word */
        usec_t since, until;  /* CLOCK_REALTIME: only samples of that window; 0: no limit */
        usec_t delay;         /* goes on recording so long first */
        bool has_delay;       /* false: for the delay of the session (DelaySec=) */
        bool fresh;           /* only what no dump has yet */
        bool all;             /* all that is in memory, as for a request, whatever the trigger */
        const char *incident; /* that the dump is part of, 32 hexadecimal digits; NULL: none */
        bool force;           /* above rate limits */
        const char *unit;     /* that is the cause, or the session that dumps: each has a rate limit of its own; NULL: none */
        const char *reason;   /* of a caller, one line; in the detail it follows the caller's name; NULL: none */
        usec_t timeout;       /* withdraws it after that, if there is no answer before; 0: waits until 90 s after all delays */
        const char *detail;   /* one line for people; NULL: none */
} DumpRequest;

typedef enum DumpWordKind {
        DUMP_WORD_TIME, /* usec_t, CLOCK_REALTIME, in the past; 0: not set */
        DUMP_WORD_SPAN, /* usec_t */
        DUMP_WORD_FLAG, /* bool */
        DUMP_WORD_NAME, /* string of certain characters */
        DUMP_WORD_LINE, /* string for people; for the recorder up to the end of the line, so there is one such word, the last */
} DumpWordKind;

typedef enum DumpWordUse {
        DUMP_WORD_CALLER = 1 << 0,
        DUMP_WORD_RECORDER = 1 << 1,
        DUMP_WORD_ANNOUNCED = 1 << 2,
        DUMP_WORD_FOREIGN = 1 << 3, /* a foreign recorder, which gets a signal only, may do without it */
} DumpWordUse;

typedef struct DumpWord {
        const char *name;
        DumpWordKind kind;
        unsigned uses;          /* DumpWordUse */
        size_t offset;          /* in DumpRequest */
        size_t given;           /* offset of the bool that tells a span of 0 from none; 0: a span of 0 is none */
        uint64_t min, max;      /* of a caller's span; of a string max, in bytes */
        const char *characters; /* of a name */
        const char *rule;       /* to a caller with another value: "is one line" */
        const char *option;     /* of perfctl dump; NULL: it has none */
} DumpWord;

typedef struct DumpWordValue {
        uint64_t number;    /* of a time, a span or a flag */
        const char *string; /* borrowed */
} DumpWordValue;

/* Options of perfctl dump whose text is a word's as it is: X(OPTION, field, name, help). */
#define DUMP_TEXT_OPTIONS(X) X(WHY, reason, "why", "The reason, kept for people who read it later")

#define DUMP_WORDS_MAX 16 /* more than there are */

/* The words of that use, in order: the first one after NULL. NULL after the last. */
const DumpWord *dump_word_next(const DumpWord *w, DumpWordUse use);
const DumpWord *dump_word_find(const char *name, DumpWordUse use); /* NULL: there is none */
char dump_word_type(const DumpWord *w);                            /* D-Bus type: 't', 'b' or 's' */

/* False if the request does not set the word. */
bool dump_request_get(const DumpRequest *q, const DumpWord *w, DumpWordValue *ret);

/* True if only perf-recorder-worker can do what the request says. */
bool dump_request_needs_worker(const DumpRequest *q);

/* Sets a caller's word. -EINVAL: the value breaks w->rule. */
int dump_request_set(DumpRequest *q, const DumpWord *w, const DumpWordValue *value);

/* The words as text, each as " NAME=VALUE"; announced ones with the numbers that are not set. -EMSGSIZE: size is too small. */
int dump_request_format(const DumpRequest *q, DumpWordUse use, char *ret, size_t size);

/* A request that was read, with its strings. */
typedef struct DumpRequestText {
        DumpRequest request; /* its detail is never NULL */
        char words[PR_CONTROL_WORD_MAX];
        char detail[PR_DUMP_DETAIL_MAX + 1];
} DumpRequestText;

/* Reads what dump_request_format() makes. Anyone may have written it, so each value has a limit, and the detail becomes one line
 * of printable characters. Words of another use, or of a newer version, are skipped. -EINVAL: d says why. */
int dump_request_parse(const char *text, DumpWordUse use, DumpRequestText *ret, Diagnosis *d);
