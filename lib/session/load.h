/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"
#include "settings-report.h"

/* Finds session files and reads them. The first file of a name wins, in the order of the list of directories. */

typedef struct SearchPath {
        char **directories; /* .../sessions.d, the highest precedence first */
        size_t n_enabled;   /* sessions in the first n_enabled ones start with the daemon unless Enabled= says no */
        char *perf_config;  /* a perfconfig file whose [session-NAME] sections are sessions that start with the daemon; it is
                             * searched after the first n_enabled directories. NULL: none */
} SearchPath;

/* The search path of the system or of the user (XDG_CONFIG_HOME, XDG_RUNTIME_DIR). $PERF_RECORDER_SESSION_PATH, a
 * colon-separated list, replaces it, as $SYSTEMD_UNIT_PATH does for units; sessions in all of its directories are enabled. */
int search_path_init(SearchPath *p, bool user);
void search_path_done(SearchPath *p);

/* A session that was found. It has a name even if it could not be read. */
typedef struct SessionFile {
        char *name;
        char *fragment_path;       /* the session's file, an instance's template, or the perfconfig file */
        char **drop_in_paths;
        SessionSettings *settings; /* NULL: the file is bad, see error */
        Diagnosis error;
        char **warnings;           /* formatted: unknown keys, settings that the recorder changes */
        bool enabled;
        SettingsReport report;     /* set by session_file_verify(), otherwise empty */
} SessionFile;

SessionFile *session_file_free(SessionFile *f);
DEFINE_CLEANUP(SessionFile *, session_file_free);

/* Loads a session by name; an instance NAME@I falls back to the template. -ENOENT: it does not exist; -ERFKILL: it is masked;
 * -EINVAL: not a session's name, or a template's; -ENOMEM. If the file is bad, returns 0 with settings NULL; likewise if no
 * directory has the name and the perfconfig file, which may have it, cannot be read. */
int session_file_load(const SearchPath *p, const char *name, SessionFile **ret);

/* As session_file_load(), for those who look at files: a template is loaded with an empty instance. */
int session_file_load_any(const SearchPath *p, const char *name, SessionFile **ret);

/* Finds the first NAME.session in the path, which may be a session's, a template's ("NAME@") or a mask, and the index of its
 * directory. A file that cannot be read is found, too. 0, -ENOENT, -ENOMEM. */
int session_file_find(const SearchPath *p, const char *name, char **ret_path, size_t *ret_index);

/* All sessions in the path, sorted by name, without masked sessions and templates. */
typedef struct SessionFiles {
        SessionFile **files;
        size_t n_files;
        char **warnings; /* formatted: files that cannot be read */
        char **misnamed; /* paths of files whose names are no session names, made printable in one line */
} SessionFiles;
#define SESSION_FILE_MISNAMED "not the name of a session file, expected NAME.session with letters, digits and :-_.\\@ in a NAME " \
        "of at most 200 bytes"

int session_files_load(const SearchPath *p, SessionFiles *ret);
void session_files_done(SessionFiles *f);

/* Reads a session for perfctl verify. word is the path of its file, whose last part without ".session" is its name; or of a
 * drop-in of it, NAME.session.d/x.conf; or, if there is no such file, the session's name. Drop-ins are read if the file is in one
 * of the path's directories, as they are for the daemon; a template gets an empty instance. Waits for what programs say of its
 * settings (late-error.h). The report has all errors of the session's file, and error the first of all. p may be NULL.
 * -ERFKILL: the file is a mask; -ENOENT …: it cannot be opened. */
int session_file_verify(const SearchPath *p, const char *word, SessionFile **ret);

#define DAEMON_SETTINGS_NAME "perf-recorderd.conf"

/* perf-recorderd.conf and its drop-ins, one level above the session directories. */
typedef struct DaemonSettings {
        char *base_directory;       /* absolute */
        char *perf_config;          /* absolute; NULL: none */
        uint64_t default_buffer_size; /* bytes per CPU; 0: the recorder's own default */
        unsigned max_sessions;
        uint64_t max_locked_memory; /* bytes; UINT64_MAX: only the kernel's limit */
        StorageSettings storage;    /* defaults for sessions; keep_free applies to all together */
        uint64_t total_max_use, total_max_files; /* as in StorageSettings */
        char **warnings;
        char *error; /* the caller's: why a later reading of the files failed; NULL: it did not */
} DaemonSettings;
/* The directories that are looked for them, the highest precedence first: those of $PERF_RECORDER_CONFIG_PATH if it is set. */
int daemon_settings_roots(bool user, char ***ret);
int daemon_settings_load(bool user, DaemonSettings *ret, Diagnosis *d);
void daemon_settings_done(DaemonSettings *s);
bool daemon_settings_equal(const DaemonSettings *a, const DaemonSettings *b);
