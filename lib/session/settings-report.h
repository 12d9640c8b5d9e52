/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "strv.h"

/* The result of a check of a settings file, besides the settings: the line of each key, and all errors. */

typedef struct SettingLine {
        char *section, *key, *value; /* the file's text */
        unsigned line;               /* from 1 */
} SettingLine;

typedef struct SettingsReport {
        SettingLine *lines;          /* lines without errors, in the order of the file */
        size_t n_lines;
        char **errors;               /* formatted, at most WARNINGS_MAX */
} SettingsReport;

void settings_report_done(SettingsReport *r);

/* Adds a line with copies of the strings. Lines beyond a limit are dropped. 0 or -ENOMEM. */
int settings_report_add_line(SettingsReport *r, const char *section, const char *key, const char *value, unsigned line);

/* The last line that sets a key to a value that contains part. section NULL: any; part NULL: any value. 0: there is no such
 * line. */
unsigned settings_report_line(const SettingsReport *r, const char *section, const char *key, const char *part);
