/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Specifiers in values of session files. The user who starts an instance chooses its name, and is less trusted than the author of
 * the template. So each key defines (SettingPlace) which characters have a meaning in its value, and a specifier must not
 * bring in any of them. Invariant: a value has the same words, events, elements and operators before and after the
 * expansion. */

#include "setting-expand.h"

#include "quote.h"
#include "setting-key.h"
#include "specifier.h"

static const char *const barred[_SETTING_PLACE_MAX] = {
        [SETTING_PLACE_VALUE] = ",\"' \t",
        [SETTING_PLACE_TEXT] = "",
        [SETTING_PLACE_EVENT] = ",{}/\"' \t",
        [SETTING_PLACE_FILTER] = "\"'`()!=<>&|~",
        [SETTING_PLACE_TRIGGER_EVENT] = ",{}/\"'`()!=<>&|~ \t",
        [SETTING_PLACE_GLOBS] = ",\"'*?[] \t",
        [SETTING_PLACE_PATH] = "/:",
        [SETTING_PLACE_OPTIONS] = ",{}\"' \t",
        [SETTING_PLACE_COMMAND] = "",
};

/* Only a probe's path in an event may contain slashes; other slashes begin the terms of a PMU. */
static const char *barred_in(SettingPlace place, const char *value) {
        bool is_event = place == SETTING_PLACE_EVENT || place == SETTING_PLACE_TRIGGER_EVENT;

        return is_event && startswith(value, "uprobe:") ? ",{}\"' \t" : barred[place];
}

static int expand_word(SettingPlace place, const char *word, const char *name, char ***words, Diagnosis *d) {
        _cleanup_free_ char *expanded = NULL;
        int r = specifier_expand(word, name, barred[place], &expanded, d);

        if (r < 0)
                return r;
        if (place == SETTING_PLACE_OPTIONS && *word != '-' && *expanded == '-')
                return diagnosis_set(d, -EINVAL, "%s is \"%s\" for this name, and would be an option: only the file may name those",
                                     word, expanded);
        return strv_consume(words, steal_ptr(expanded));
}

static int expand_words(SettingPlace place, const char *value, const char *name, char **ret, Diagnosis *d) {
        _cleanup_strv_free_ char **words = NULL, **expanded = NULL;
        int r = split_setting_words(value, &words, d);

        if (r < 0)
                return r;
        STRV_FOREACH(word, words) {
                r = expand_word(place, *word, name, &expanded, d);
                if (r < 0)
                        return r;
                if (streq(*word, "--")) /* the words of a program follow */
                        place = SETTING_PLACE_COMMAND;
        }
        *ret = quote_words(expanded);
        return *ret ? 0 : -ENOMEM;
}

int setting_expand(const char *section, const char *key_name, const char *value, const char *name, char **ret, Diagnosis *d) {
        const SettingKey *key = setting_key_find(section, key_name);
        SettingPlace place = key ? key->place : SETTING_PLACE_VALUE;

        if (!strchr(value, '%')) {
                *ret = strdup(value);
                return *ret ? 0 : -ENOMEM;
        }
        if (place == SETTING_PLACE_OPTIONS || place == SETTING_PLACE_COMMAND)
                return expand_words(place, value, name, ret, d);
        return specifier_expand(value, name, barred_in(place, value), ret, d);
}
