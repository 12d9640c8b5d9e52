/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"
#include "settings-report.h"

/* Finds session files and reads them. Where the first one found wins, its directory's precedence is that of the
 * list. */

typedef struct SearchPath {
        char **directories; /* .../sessions.d, the highest precedence first */
        size_t n_enabled;   /* sessions of the first n_enabled ones start with the daemon if Enabled= says nothing */
        char *perf_config;  /* a perfconfig file whose [session-NAME] sections are sessions too, all of which start with the
                             * daemon; looked at after the first n_enabled directories. NULL: none */
} SearchPath;

/* The search path of the system or of the user (XDG_CONFIG_HOME, XDG_RUNTIME_DIR). $PERF_RECORDER_SESSION_PATH, a
 * colon-separated list, replaces it (all of it counts as enabled), as $SYSTEMD_UNIT_PATH does for units. */
int search_path_init(SearchPath *p, bool user);
void search_path_done(SearchPath *p);

/* One session as found: always named, even if it could not be read. */
typedef struct SessionFile {
        char *name;
        char *fragment_path;       /* of an instance: the template's, unless it has a file of its own; or the perfconfig file */
        char **drop_in_paths;
        SessionSettings *settings; /* NULL: bad, and error says why */
        Diagnosis error;
        char **warnings;           /* formatted: unknown keys, what the recorder will do in another way */
        bool enabled;
        SettingsReport report;     /* of session_file_verify(); otherwise empty */
} SessionFile;

SessionFile *session_file_free(SessionFile *f);
DEFINE_CLEANUP(SessionFile *, session_file_free);

/* Loads one session by name; an instance NAME@I falls back to the template. -ENOENT: there is none (or it is masked:
 * -ERFKILL), -EINVAL: not a name or a template's, -ENOMEM. A file that is there but bad is a success with settings
 * NULL; so is a name that no directory has while the perfconfig file cannot be read, since the session may be in there. */
int session_file_load(const SearchPath *p, const char *name, SessionFile **ret);

/* The first NAME.session in the path, be it a session's, a template's ("NAME@") or a mask, and the index of its directory. What
 * is there but cannot be looked at is found too. 0, -ENOENT, -ENOMEM. */
int session_file_find(const SearchPath *p, const char *name, char **ret_path, size_t *ret_index);

/* All that lie in the path, sorted by name, templates without their instances left out, masked ones too. */
typedef struct SessionFiles {
        SessionFile **files;
        size_t n_files;
        char **warnings; /* formatted: what cannot be read */
        char **misnamed; /* files whose names are no session names: their paths, as far as they can be shown in one line */
} SessionFiles;
#define SESSION_FILE_MISNAMED "not the name of a session file, expected NAME.session with letters, digits and :-_.\\@ in a NAME " \
        "of at most 200 bytes"

int session_files_load(const SearchPath *p, SessionFiles *ret);
void session_files_done(SessionFiles *f);

/* Reads one file by its path, as perfctl verify does: its name is the path's last part without ".session"; no
 * drop-ins; a template is read with an empty instance. All errors of the file are in its report, the first of them is its
 * error. -ERFKILL: it masks; -ENOENT …: it is not there. */
int session_file_verify(const char *path, SessionFile **ret);

/* perf-recorderd.conf and its drop-ins, one level above the session directories. */
typedef struct DaemonSettings {
        char *base_directory;       /* absolute */
        char *perf_config;          /* absolute; NULL: none */
        uint64_t default_buffer_size; /* bytes per CPU; 0: the recorder's own default */
        unsigned max_sessions;
        uint64_t max_locked_memory; /* bytes; UINT64_MAX: no limit of ours */
        StorageSettings storage;    /* of sessions that do not say; keep_free: of all */
        uint64_t total_max_use, total_max_files; /* as in StorageSettings */
        char **warnings;
} DaemonSettings;
/* $PERF_RECORDER_CONFIG_PATH replaces the path. */
int daemon_settings_load(bool user, DaemonSettings *ret, Diagnosis *d);
void daemon_settings_done(DaemonSettings *s);
