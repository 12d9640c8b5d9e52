/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finding and reading session files: the first file of a name wins, drop-ins of all directories are merged into it, an
 * instance without a file of its own is made from its template. One session's trouble is that session's alone: a file
 * that is there but bad makes a SessionFile with an error, and every other one is still read. */

#include "load.h"

#include <sys/stat.h>

#include "drop-in.h"
#include "fd-file.h"
#include "session-name.h"
#include "setting-expand.h"
#include "settings-file.h"

#define SESSION_SUFFIX ".session"
#define DIRECTORY_ENTRIES_MAX 16384

SessionFile *session_file_free(SessionFile *f) {
        if (!f)
                return NULL;

        free(f->name);
        free(f->fragment_path);
        strv_free(f->drop_in_paths);
        session_settings_free(f->settings);
        diagnosis_done(&f->error);
        strv_free(f->warnings);
        free(f);
        return NULL;
}

static int session_file_new(const char *name, const char *fragment_path, SessionFile **ret) {
        _cleanup_(session_file_freep) SessionFile *f = calloc(1, sizeof(SessionFile));
        int r;

        if (!f)
                return -ENOMEM;
        f->name = strdup(name);
        f->fragment_path = strdup(fragment_path);
        if (!f->name || !f->fragment_path)
                return -ENOMEM;
        r = session_settings_new(&f->settings);
        if (r < 0)
                return r;

        *ret = steal_ptr(f);
        return 0;
}

static int set_from_file(const char *section, const char *key, const char *value, Diagnosis *d, void *userdata) {
        _cleanup_free_ char *expanded = NULL;
        SessionFile *f = userdata;
        int r;

        if (!key)
                return session_settings_has_section(section) ? 0 :
                        diagnosis_set(d, -ENOKEY, "unknown section [%s], ignored", section);

        r = setting_expand(section, key, value, f->name, &expanded, d);
        if (r < 0)
                return r;
        return session_settings_set(f->settings, section, key, expanded, d);
}

static int parse_drop_ins(SessionFile *f, char *const *directories) {
        _cleanup_strv_free_ char **paths = NULL;
        int r;

        r = drop_ins_find(directories, &paths, &f->error);
        if (r < 0)
                return r;

        STRV_FOREACH(path, paths) {
                r = settings_file_parse(*path, set_from_file, f, &f->warnings, &f->error);
                if (r == -ERFKILL)
                        continue;
                if (r < 0)
                        return r;
                r = strv_extend(&f->drop_in_paths, *path);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int parse_session(SessionFile *f, char *const *drop_in_directories) {
        int r;

        r = settings_file_parse(f->fragment_path, set_from_file, f, &f->warnings, &f->error);
        if (r < 0)
                return r;
        r = parse_drop_ins(f, drop_in_directories);
        if (r < 0)
                return r;
        r = session_settings_check(f->settings, &f->error);
        if (r < 0)
                diagnosis_locate(&f->error, f->fragment_path, 0, NULL);
        return r;
}

/* Makes a session of its file and drop-ins. A bad file is a success, with its error in it. */
static int session_file_read(const char *name, const char *fragment_path, char *const *drop_in_directories,
                             bool enabled, SessionFile **ret) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int r;

        r = session_file_new(name, fragment_path, &f);
        if (r < 0)
                return r;
        f->enabled = enabled;

        r = parse_session(f, drop_in_directories);
        if (r == -ENOMEM || r == -ERFKILL)
                return r;
        if (r < 0) {
                (void) diagnosis_set(&f->error, r, "cannot be read: %s", strerror(-r));
                diagnosis_locate(&f->error, f->fragment_path, 0, NULL);
                f->settings = session_settings_free(f->settings);
        } else if (f->settings->enabled >= 0)
                f->enabled = f->settings->enabled > 0;

        *ret = steal_ptr(f);
        return 0;
}

int session_file_find(const SearchPath *p, const char *name, char **ret_path, size_t *ret_index) {
        for (size_t i = 0; p->directories && p->directories[i]; i++) {
                _cleanup_free_ char *path = NULL;
                struct stat st;

                if (asprintf(&path, "%s/%s" SESSION_SUFFIX, p->directories[i], name) < 0) {
                        path = NULL;
                        return -ENOMEM;
                }
                if (lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
                        continue;

                *ret_path = steal_ptr(path);
                *ret_index = i;
                return 0;
        }
        return -ENOENT;
}

/* In each directory of the path an instance's own drop-ins have precedence over its template's. */
static int list_drop_in_directories(const SearchPath *p, const char *name, const char *template, char ***ret) {
        _cleanup_strv_free_ char **directories = NULL;

        STRV_FOREACH(directory, p->directories) {
                int r = strv_extendf(&directories, "%s/%s" SESSION_SUFFIX ".d", *directory, name);

                if (r >= 0 && template)
                        r = strv_extendf(&directories, "%s/%s" SESSION_SUFFIX ".d", *directory, template);
                if (r < 0)
                        return r;
        }

        *ret = steal_ptr(directories);
        return 0;
}

int session_file_load(const SearchPath *p, const char *name, SessionFile **ret) {
        _cleanup_free_ char *template = NULL, *fragment_path = NULL;
        _cleanup_strv_free_ char **directories = NULL;
        size_t index;
        int r;

        if (!session_name_is_valid(name) || session_name_is_template(name))
                return -EINVAL;
        r = session_name_template(name, &template);
        if (r == -ENOMEM)
                return r;

        r = session_file_find(p, name, &fragment_path, &index);
        if (r == -ENOENT && template)
                r = session_file_find(p, template, &fragment_path, &index);
        if (r < 0)
                return r;
        r = list_drop_in_directories(p, name, template, &directories);
        if (r < 0)
                return r;
        return session_file_read(name, fragment_path, directories, index < p->n_enabled, ret);
}

/* The name in "NAME.session", or NULL. */
static char *name_of_file(const char *file_name) {
        size_t n = strlen(file_name), suffix = strlen(SESSION_SUFFIX);

        if (n <= suffix || !streq(file_name + n - suffix, SESSION_SUFFIX))
                return NULL;
        return strndup(file_name, n - suffix);
}

static int warn_about(char ***warnings, const char *directory, const char *sentence) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        diagnosis_locate(&d, directory, 0, NULL);
        (void) diagnosis_set(&d, 0, "%s", sentence);
        return warnings_add(warnings, &d);
}

/* Adds the names of a directory's sessions. A file's name that is none may hold anything: it is counted, not shown. */
static int collect_names(const char *directory, char ***names, char ***warnings) {
        _cleanup_strv_free_ char **entries = NULL;
        bool bad_names = false;
        int r;

        r = list_directory(directory, DIRECTORY_ENTRIES_MAX, &entries);
        if (r == -ENOENT)
                return 0;
        if (r == -ENOMEM)
                return r;
        if (r < 0)
                return warn_about(warnings, directory,
                                  r == -E2BIG ? "holds too many files, all of it is ignored" : strerror(-r));

        STRV_FOREACH(entry, entries) {
                _cleanup_free_ char *name = name_of_file(*entry);

                if (!name || session_name_is_template(name))
                        continue;
                if (!session_name_is_valid(name)) {
                        bad_names = true;
                        continue;
                }
                r = strv_consume(names, steal_ptr(name));
                if (r < 0)
                        return r;
        }
        if (!bad_names)
                return 0;
        return warn_about(warnings, directory, "holds files whose names are no session names, ignored");
}

static int add_session(const SearchPath *p, const char *name, SessionFiles *l) {
        SessionFile *f = NULL, **larger;
        int r;

        r = session_file_load(p, name, &f);
        if (r == -ERFKILL || r == -ENOENT)
                return 0;
        if (r < 0)
                return r;

        larger = reallocarray(l->files, l->n_files + 1, sizeof(SessionFile *));
        if (!larger) {
                session_file_free(f);
                return -ENOMEM;
        }
        l->files = larger;
        l->files[l->n_files++] = f;
        return 0;
}

int session_files_load(const SearchPath *p, SessionFiles *ret) {
        _cleanup_(session_files_done) SessionFiles found = {};
        _cleanup_strv_free_ char **names = NULL;
        const char *previous = NULL;
        int r;

        STRV_FOREACH(directory, p->directories) {
                r = collect_names(*directory, &names, &found.warnings);
                if (r < 0)
                        return r;
        }

        strv_sort(names);
        STRV_FOREACH(name, names) {
                if (!streq_ptr(previous, *name)) {
                        r = add_session(p, *name, &found);
                        if (r < 0)
                                return r;
                }
                previous = *name;
        }

        *ret = found;
        found = (SessionFiles) {};
        return 0;
}

void session_files_done(SessionFiles *l) {
        for (size_t i = 0; i < l->n_files; i++)
                session_file_free(l->files[i]);
        free(l->files);
        strv_free(l->warnings);
        *l = (SessionFiles) {};
}

int session_file_verify(const char *path, SessionFile **ret) {
        const char *slash = strrchr(path, '/'), *file_name = slash ? slash + 1 : path;
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        _cleanup_free_ char *name = name_of_file(file_name);
        struct stat st;
        int r;

        if (lstat(path, &st) < 0)
                return -errno;
        if (name && session_name_is_valid(name))
                return session_file_read(name, path, NULL, false, ret);

        r = session_file_new(file_name, path, &f);
        if (r < 0)
                return r;
        f->settings = session_settings_free(f->settings);
        diagnosis_locate(&f->error, path, 0, NULL);
        (void) diagnosis_set(&f->error, -EINVAL,
                             "not the name of a session file, expected NAME.session with letters, digits and :-_.\\@ in a "
                             "NAME of at most %d bytes", SESSION_NAME_MAX);
        *ret = steal_ptr(f);
        return 0;
}
