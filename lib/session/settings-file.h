/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings-report.h"

/* One settings file, read with care: sessions' and the daemon's own. */

#define WARNINGS_MAX 100 /* of a session or of the daemon's settings */

/* Takes one assignment. With key and value NULL it is asked whether the section is known. 0, -ENOKEY (unknown, which
 * becomes a warning), else an error; d filled in both cases. */
typedef int (*SettingsFileSetter)(const char *section, const char *key, const char *value, Diagnosis *d,
                                  void *userdata);

/* Reads path and gives its assignments to set. Sections and keys that start with "X-" are for others and skipped
 * without a word, as systemd does. -ERFKILL: masked, a link to /dev/null or an empty file; else a negative errno with
 * d filled and located: FIFOs, sockets, devices and directories are errors, nothing blocks, no content is quoted.
 * Warnings are formatted and appended. With a report the lines behind a wrong one are read too, and each error is in it; the
 * first one is the answer. NULL: the first error ends the reading. */
int settings_file_parse(const char *path, SettingsFileSetter set, void *userdata, char ***warnings, SettingsReport *report,
                        Diagnosis *d);

/* Appends a formatted diagnosis; from WARNINGS_MAX on, one last line says that there are more. 0 or -ENOMEM. */
int warnings_add(char ***warnings, const Diagnosis *d);
