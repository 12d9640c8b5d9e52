/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lookups are linear, because a file has a few dozen lines and is checked once. */

#include "settings-report.h"

#include "array.h"

#define LINES_MAX 8192

static void setting_line_done(SettingLine *l) {
        free(l->section);
        free(l->key);
        free(l->value);
}

void settings_report_done(SettingsReport *r) {
        for (size_t i = 0; i < r->n_lines; i++)
                setting_line_done(&r->lines[i]);
        free(r->lines);
        strv_free(r->errors);
        *r = (SettingsReport) {};
}

int settings_report_add_line(SettingsReport *r, const char *section, const char *key, const char *value, unsigned line) {
        SettingLine l = { .line = line };

        if (r->n_lines >= LINES_MAX)
                return 0;
        if (ARRAY_RESERVE_NEXT(r->lines, r->n_lines) < 0)
                return -ENOMEM;
        l.section = strdup(section);
        l.key = strdup(key);
        l.value = strdup(value);
        if (!l.section || !l.key || !l.value) {
                setting_line_done(&l);
                return -ENOMEM;
        }
        r->lines[r->n_lines++] = l;
        return 0;
}

unsigned settings_report_line(const SettingsReport *r, const char *section, const char *key, const char *part) {
        for (size_t i = r->n_lines; i > 0; i--) {
                const SettingLine *l = &r->lines[i - 1];

                if ((!section || streq(l->section, section)) && streq(l->key, key) && (!part || strstr(l->value, part)))
                        return l->line;
        }
        return 0;
}
