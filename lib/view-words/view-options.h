/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "option-list.h"
#include "view-words.h"

/* The options of a verb: one table, by which its command line is read and of which its help is made. */

typedef enum ViewOptionKind {
        VIEW_OPTION_ACCEPTED, /* means nothing here */
        VIEW_OPTION_SET,      /* a bool becomes true */
        VIEW_OPTION_CLEAR,    /* a bool becomes false */
        VIEW_OPTION_TEXT,     /* a const char * becomes the value */
        VIEW_OPTION_CALL,     /* take() is called */
} ViewOptionKind;

typedef struct ViewOption ViewOption;
struct ViewOption {
        const char *name;
        char letter;       /* 0: none */
        ViewOptionKind kind;
        const char *value; /* as in the help: "=FILE", or "[=MODE]" if it may be missing; NULL: it has none */
        bool takes_next;   /* as in ViewWord */
        size_t offset;     /* of the field in the options of the verb */
        int number;        /* for take() */
        /* Gets the field, and the value, or NULL. 0; -EINVAL: an error was printed; other errors. */
        int (*take)(void *field, const ViewOption *option, const char *value);
        const char *help;  /* lines; NULL: it stands in the line of the next row */
};

/* Rows for a field of a T: those of lib/view-words are made of them, too. */
#define VIEW_ACCEPTED(name_, letter_) { .name = (name_), .letter = (letter_), .kind = VIEW_OPTION_ACCEPTED }
#define VIEW_ACCEPTED_VALUE(name_, letter_, value_) \
        { .name = (name_), .letter = (letter_), .kind = VIEW_OPTION_ACCEPTED, .value = (value_) }
#define VIEW_SET(T, field, name_, letter_, help_) \
        { .name = (name_), .letter = (letter_), .kind = VIEW_OPTION_SET, .offset = offsetof(T, field), .help = (help_) }
#define VIEW_CLEAR(T, field, name_, letter_, help_) \
        { .name = (name_), .letter = (letter_), .kind = VIEW_OPTION_CLEAR, .offset = offsetof(T, field), .help = (help_) }
#define VIEW_TEXT(T, field, name_, letter_, value_, help_) \
        { .name = (name_), .letter = (letter_), .kind = VIEW_OPTION_TEXT, .value = (value_), \
          .offset = offsetof(T, field), .help = (help_) }
#define VIEW_CALL(T, field, name_, letter_, value_, take_, help_, ...) \
        { .name = (name_), .letter = (letter_), .kind = VIEW_OPTION_CALL, .value = (value_), .offset = offsetof(T, field), \
          .take = (take_), .help = (help_), __VA_ARGS__ }
#define VIEW_NEXT(T, field, name_, letter_, value_, take_, help_) \
        VIEW_CALL(T, field, name_, letter_, value_, take_, help_, .takes_next = true)
/* A row whose take() gets all options of the verb. */
#define VIEW_WHOLE(name_, letter_, value_, take_, help_, ...) \
        { .name = (name_), .letter = (letter_), .kind = VIEW_OPTION_CALL, .value = (value_), \
          .take = (take_), .help = (help_), __VA_ARGS__ }

typedef struct ViewVerb {
        const char *synopsis, *purpose; /* of the help: "report [OPTION...]"; lines */
        const ViewOption *options;      /* --help is not among them */
        size_t n;
        bool (*take_word)(void *options, const char *word); /* false: it is one too many; NULL: the verb has options only */
        bool command;                   /* the first word that is no option begins a command, at which optind(3) then is */
} ViewVerb;

/* Reads the words behind the verb, which is argv[0]. 0; 1: the help was printed; -EINVAL: an error was printed; -ENOMEM and other
 * errors of take(). */
int view_options_parse(const ViewVerb *verb, void *options, int argc, char **argv);

/* For take(): the field is a double from 0 to 100, a percentage. */
int view_option_take_percentage(void *field, const ViewOption *option, const char *value);

/* Likewise: the field is a char. "\\t" is a tab. */
int view_option_take_character(void *field, const ViewOption *option, const char *value);
