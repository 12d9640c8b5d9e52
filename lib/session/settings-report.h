/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "strv.h"

/* What a check of a settings file reports besides the settings: where each key is set, and every line that is wrong. */

typedef struct SettingLine {
        char *section, *key, *value; /* as the file has them; key and value NULL: the line that begins the section */
        unsigned line;               /* from 1 */
} SettingLine;

typedef struct SettingsReport {
        SettingLine *lines;          /* those that are right, in the order of the file */
        size_t n_lines;
        char **errors;               /* formatted, as many as there may be warnings */
} SettingsReport;

void settings_report_done(SettingsReport *r);

/* Copies the strings. Lines beyond a limit are not noted. 0 or -ENOMEM. */
int settings_report_add_line(SettingsReport *r, const char *section, const char *key, const char *value, unsigned line);

/* The last line that sets a key to a value that contains part. section NULL: any; key NULL: the line of the section; part NULL:
 * any value. 0: there is none. */
unsigned settings_report_line(const SettingsReport *r, const char *section, const char *key, const char *part);
