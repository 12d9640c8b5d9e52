/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the key that the recorder complains about. The recorder knows options, not keys. It names the option by its letter in
 * parentheses, as a hint, or in the usage that follows the error; or its message begins with the key's name, as in "CPU 7".
 * Otherwise the value identifies the key, if the message quotes it in full. */

#include "session-blame.h"

#include <ctype.h>

typedef struct OptionKey {
        const char *option; /* long name */
        char letter;        /* 0: none */
        const char *section, *key;
        bool quoted;        /* its value is enough to identify it */
} OptionKey;

static const OptionKey option_keys[] = {
        { "event", 'e', "Record", "Event", true },
        { "filter", 0, "Record", "Filter", true },
        { "freq", 'F', "Record", "Frequency", false },
        { "count", 'c', "Record", "Period", false },
        { "call-graph", 0, "Record", "CallGraph", false },
        { "clockid", 'k', "Record", "ClockID", false },
        { "cpu", 'C', "Record", "CPU", false },
        { "pid", 'p', "Record", "PID", true },
        { "tid", 't', "Record", "TID", true },
        { "uid", 'u', "Record", "UserID", true },
        { "cgroup", 'G', "Record", "CGroup", true },
        { "cgroup", 'G', "Record", "Unit", true },
        { "realtime", 'r', "Record", "RealtimePriority", false },
        { "mmap-pages", 'm', "Record", "BufferSize", false },
        { "history", 'M', "Record", "HistorySize", false },
        { "", 0, "Record", "Command", true },
        { "trigger-event", 0, "Trigger", "Event", true },
        { "trigger-bpf", 0, "Trigger", "BPF", true },
};

static bool blame_is_word_character(char c) {
        return isalnum((unsigned char) c) || c == '_' || c == '-';
}

static bool blame_has_word(const char *text, const char *word, size_t n) {
        for (const char *at = text; n > 0 && (at = strstr(at, word)); at++)
                if ((at == text || !blame_is_word_character(at[-1])) && !blame_is_word_character(at[n]))
                        return true;
        return false;
}

static bool blame_begins_with(const char *complaint, const char *key) {
        const char *at = strstr(complaint, key);

        return at && (at == complaint || at[-1] == '\n') && at[strlen(key)] == ' ';
}

static bool blame_names_option(const char *complaint, const OptionKey *k) {
        const char *usage = strstr(complaint, "Usage: "), *row = usage ? strstr(usage, "\n\n") : NULL;
        const char letter[] = { '(', '-', k->letter, ')', '\0' };
        char name[64];
        int n;

        if ((k->letter && strstr(complaint, letter)) || blame_begins_with(complaint, k->key))
                return true;
        n = snprintf(name, sizeof(name), "--%s", k->option);
        return row && *k->option && blame_has_word(row, name, (size_t) n);
}

/* Length of the line's value if the message quotes it, otherwise 0. For a command line, only its program counts. */
static size_t blame_quoted_length(const char *complaint, const SettingLine *l) {
        size_t n = l->value ? strlen(l->value) : 0;
        _cleanup_free_ char *value = NULL;

        if (l->key && l->value && streq(l->key, "Command"))
                n = strcspn(l->value, " ");
        value = n > 0 ? strndup(l->value, n) : NULL;
        return value && blame_has_word(complaint, value, n) ? n : 0;
}

/* The key's line whose value is quoted, the longest if there are several; otherwise the key's line if there is only one. */
static const SettingLine *blame_find_line(const SettingsReport *r, const OptionKey *k, const char *complaint, size_t *longest) {
        const SettingLine *found = NULL, *only = NULL;
        size_t n_lines = 0;

        for (size_t i = 0; i < r->n_lines; i++) {
                const SettingLine *l = &r->lines[i];
                size_t n;

                if (!l->key || !streq(l->section, k->section) || !streq(l->key, k->key))
                        continue;
                n_lines++;
                only = l;
                n = blame_quoted_length(complaint, only);
                if (n > *longest) {
                        *longest = n;
                        found = only;
                }
        }
        return found || n_lines != 1 ? found : only;
}

static const SettingLine *blame_find_by_option(const SettingsReport *r, const char *complaint) {
        for (size_t i = 0; i < ELEMENTSOF(option_keys); i++) {
                const SettingLine *l = NULL;
                size_t longest = 0;

                if (blame_names_option(complaint, &option_keys[i]))
                        l = blame_find_line(r, &option_keys[i], complaint, &longest);
                if (l)
                        return l;
        }
        return NULL;
}

static const SettingLine *blame_find_by_value(const SettingsReport *r, const char *complaint) {
        const SettingLine *found = NULL;
        size_t longest = 0;

        for (size_t i = 0; i < ELEMENTSOF(option_keys); i++) {
                size_t before = longest;
                const SettingLine *l = option_keys[i].quoted ? blame_find_line(r, &option_keys[i], complaint, &longest) : NULL;

                if (longest > before)
                        found = l;
        }
        return found;
}

void session_blame(const SessionFile *f, const char *complaint, Diagnosis *d) {
        const SettingLine *l;

        if (f->settings->run) {
                diagnosis_locate(d, f->fragment_path, settings_report_line(&f->report, "Session", "Run", NULL), "Run");
                return;
        }
        l = blame_find_by_option(&f->report, complaint) ?: blame_find_by_value(&f->report, complaint);
        if (l)
                diagnosis_locate(d, f->fragment_path, l->line, l->key);
        else
                diagnosis_locate(d, f->fragment_path, settings_report_line(&f->report, "Record", NULL, NULL), NULL);
}
