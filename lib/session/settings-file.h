/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings-report.h"

/* Safe reading of a settings file, a session's or the daemon's. */

#define WARNINGS_MAX 100 /* for a session, or for the daemon's settings */

/* Takes one assignment. key and value NULL: checks that the section is known. 0; -ENOKEY, which becomes a warning; or another
 * error. d is filled on all errors. */
typedef int (*SettingsFileSetter)(const char *section, const char *key, const char *value, Diagnosis *d,
                                  void *userdata);

/* Reads path and passes its assignments to set. Sections and keys that begin with "X-" are for other programs and skipped
 * silently, as in systemd. -ERFKILL: masked, by a link to /dev/null or an empty file; otherwise a negative errno with d filled
 * and located. FIFOs, sockets, devices and directories are errors; nothing blocks, and no content is quoted. Warnings are
 * formatted and appended. With a report, reading continues after an error, the report gets all errors, and the first one is
 * returned. NULL: the first error ends the reading. */
int settings_file_parse(const char *path, SettingsFileSetter set, void *userdata, char ***warnings, SettingsReport *report,
                        Diagnosis *d);

/* Appends a formatted diagnosis. At WARNINGS_MAX, a last line says that there are more. 0 or -ENOMEM. */
int warnings_add(char ***warnings, const Diagnosis *d);
