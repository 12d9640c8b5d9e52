/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

/* A key of a settings file: a row of a table, with the field for its value. Setting, comparing and freeing settings only need
 * the rows, so a new key is a row and, if no parser below fits, a function. */

#define SETTING_LIST_MAX 1024 /* elements of a list, words of a command line */

typedef enum SettingKind {
        SETTING_SCALAR, /* plain bytes; an empty value restores the default */
        SETTING_STRING, /* char *, NULL: not set; an empty value sets NULL */
        SETTING_LIST,   /* char **; an empty value goes to the parser */
} SettingKind;

/* Parses value, which is empty for lists only, into field, which is one of s; s is NULL for perf-recorderd.conf. 0, or a
 * negative errno with d filled. */
typedef int (*SettingParser)(SessionSettings *s, void *field, const char *value, Diagnosis *d);

/* The syntax of a value, which decides which characters its specifiers must not bring in (setting-expand.h). */
typedef enum SettingPlace {
        SETTING_PLACE_VALUE,   /* a word, a number, or a list of them */
        SETTING_PLACE_TEXT,    /* text for people */
        SETTING_PLACE_EVENT,
        SETTING_PLACE_FILTER,
        SETTING_PLACE_TRIGGER_EVENT, /* an event with its filter */
        SETTING_PLACE_GLOBS,
        SETTING_PLACE_PATH,
        SETTING_PLACE_OPTIONS, /* a command line: options of the recorder, and perhaps "--" with a program's words */
        SETTING_PLACE_COMMAND, /* a command line of a program */
        _SETTING_PLACE_MAX,
} SettingPlace;

typedef struct SettingKey {
        const char *name;
        SettingParser parse;
        SettingKind kind;
        size_t offset, size; /* the field in SessionSettings or DaemonSettings */
        SettingPlace place;
        bool is_live; /* only the daemon uses it: a change is in force without a restart of the recorder */
} SettingKey;

#define SETTING_FIELD(field_) offsetof(SessionSettings, field_), sizeof(((SessionSettings *) NULL)->field_)

#define SETTING_KEY_PLACED(name_, parse_, kind_, field_, place_) \
        { name_, parse_, kind_, SETTING_FIELD(field_), SETTING_PLACE_##place_, false }

#define SETTING_KEY_LIVE(name_, parse_, kind_, field_, place_) \
        { name_, parse_, kind_, SETTING_FIELD(field_), SETTING_PLACE_##place_, true }

#define SETTING_KEY(name_, parse_, kind_, field_) SETTING_KEY_PLACED(name_, parse_, kind_, field_, VALUE)

typedef struct SettingSection {
        const char *name;
        const SettingKey *keys;
        size_t n_keys;
} SettingSection;

extern const SettingSection session_section, record_section, scope_section, trigger_section, storage_section;

/* The row of a key; of a session's key by the section's name. NULL: there is no such key. */
const SettingKey *setting_section_find(const SettingSection *section, const char *key);
const SettingKey *setting_key_find(const char *section, const char *key);

/* Parses value into the key's field; default_value points to the field of other settings, whose value an empty one restores. */
int setting_key_set(const SettingKey *key, SessionSettings *s, void *field, const void *default_value, const char *value,
                    Diagnosis *d);

bool setting_key_equal(const SettingKey *key, const void *a, const void *b); /* a, b: settings of the key's type */

/* Splits a command line into at most SETTING_LIST_MAX words. 0, or a negative errno with d filled. */
int split_setting_words(const char *value, char ***ret, Diagnosis *d);

/* The same for names of units or sessions, and patterns of them, in which a backslash is an ordinary character. */
int split_setting_names(const char *value, char ***ret, Diagnosis *d);

/* Puts the value before a sentence such as "is not a …". If a comment follows the value, which systemd.syntax(7) does not
 * support, the sentence says so. */
void setting_show_value(const char *value, Diagnosis *d);

/* Parsers that several sections use, with the type of the field. */
int parse_setting_string(SessionSettings *s, void *field, const char *value, Diagnosis *d);
int parse_setting_path(SessionSettings *s, void *field, const char *value, Diagnosis *d);     /* char *, absolute */
int parse_setting_tristate(SessionSettings *s, void *field, const char *value, Diagnosis *d); /* int */
int parse_setting_number(SessionSettings *s, void *field, const char *value, Diagnosis *d);   /* uint64_t above 0 */
int parse_setting_size(SessionSettings *s, void *field, const char *value, Diagnosis *d);     /* uint64_t above 0 */
int parse_setting_buffer_size(SessionSettings *s, void *field, const char *value, Diagnosis *d); /* the same, of a ring buffer */
int parse_setting_compression(SessionSettings *s, void *field, const char *value, Diagnosis *d); /* int, zstd's level */
int parse_setting_timespan(SessionSettings *s, void *field, const char *value, Diagnosis *d); /* usec_t */
int parse_setting_max_size(SessionSettings *s, void *field, const char *value, Diagnosis *d);   /* uint64_t above 0 or infinity */
int parse_setting_max_number(SessionSettings *s, void *field, const char *value, Diagnosis *d); /* the same */
int parse_setting_max_age(SessionSettings *s, void *field, const char *value, Diagnosis *d);    /* usec_t above 0 or infinity */
int parse_setting_keep_free(SessionSettings *s, void *field, const char *value, Diagnosis *d);  /* uint64_t, finite */
