/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "load.h"

/* Steps of load.c that verify.c takes with a file that need not be in the path. Those that read report all errors, and
 * the lines of keys. */

#define SESSION_SUFFIX ".session"

int session_file_new(const char *name, const char *fragment_path, SessionFile **ret);

/* Returns the name in "NAME" and the suffix, or NULL. */
char *session_file_name_before(const char *file_name, const char *suffix);

/* Lists where drop-ins of a session are looked for. In each directory of the path, an instance's own drop-ins have
 * precedence over its template's. template may be NULL. */
int session_file_list_drop_ins(const SearchPath *p, const char *name, const char *template, char ***ret);

/* Makes a session from the file at that path and the drop-ins in these directories (NULL: none). */
int session_file_read_reported(const char *name, const char *path, char *const *drop_in_directories, SessionFile **ret);

/* Does the same as session_file_load_any(). */
int session_file_load_reported(const SearchPath *p, const char *name, SessionFile **ret);
