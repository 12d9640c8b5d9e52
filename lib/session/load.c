/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds and reads session files: the first file of a name wins, drop-ins of all directories are merged into it, and an instance
 * without a file of its own is made from its template. A section of the perfconfig file counts as a file between the
 * administrator's directories and the vendors'. A bad file affects only its own session: it becomes a SessionFile with an
 * error, and all others are still read. */

#include "load-parts.h"

#include <sys/stat.h>

#include "array.h"
#include "drop-in.h"
#include "fd-file.h"
#include "format-text.h"
#include "import-perfconfig.h"
#include "parse-number.h"
#include "session-name.h"
#include "setting-expand.h"
#include "settings-file.h"
#include "utf8.h"

#define DIRECTORY_ENTRIES_MAX 16384
#define MISNAMED_MAX 100

SessionFile *session_file_free(SessionFile *f) {
        if (!f)
                return NULL;

        free(f->name);
        free(f->fragment_path);
        strv_free(f->drop_in_paths);
        session_settings_free(f->settings);
        diagnosis_done(&f->error);
        strv_free(f->warnings);
        settings_report_done(&f->report);
        free(f);
        return NULL;
}

int session_file_new(const char *name, const char *fragment_path, SessionFile **ret) {
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
                return session_settings_check_section(section, d);

        r = setting_expand(section, key, value, f->name, &expanded, d);
        if (r < 0)
                return r;
        r = session_settings_set(f->settings, section, key, expanded, d);
        if (r >= 0 && streq(section, "Record") && *value) /* without an instance, a template's specifiers may be empty */
                f->settings->has_record = true;
        return r;
}

static int parse_drop_ins(SessionFile *f, char *const *directories) {
        _cleanup_strv_free_ char **paths = NULL;
        int r = drop_ins_find(directories, &paths, &f->error);

        if (r < 0)
                return r;

        STRV_FOREACH(path, paths) {
                r = settings_file_parse(*path, set_from_file, f, &f->warnings, NULL, &f->error);
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

/* The source of a session: its file, or its section in the perfconfig file at path. */
typedef struct Fragment {
        char *path;
        const ImportedSession *imported; /* NULL: the session has a file */
        bool enabled;                    /* the default of Enabled= */
        bool reported;                   /* for a check: report all errors, and the lines of keys */
} Fragment;

static void fragment_done(Fragment *f) {
        free(f->path);
}

static int parse_session(SessionFile *f, const Fragment *fragment, char *const *drop_in_directories) {
        const ImportedSession *imported = fragment->imported;
        int r;

        if (imported) {
                r = set_from_file("Session", "Run", imported->value, &f->error, f);
                if (r < 0)
                        diagnosis_locate(&f->error, f->fragment_path, imported->line, "run");
        } else
                r = settings_file_parse(f->fragment_path, set_from_file, f, &f->warnings, fragment->reported ? &f->report : NULL,
                                        &f->error);
        if (r < 0)
                return r;
        r = parse_drop_ins(f, drop_in_directories);
        if (r < 0)
                return r;
        r = session_settings_check(f->settings, &f->error);
        if (r >= 0)
                return 0;
        diagnosis_locate(&f->error, f->fragment_path,
                         f->error.key ? settings_report_line(&f->report, NULL, f->error.key, NULL) : 0, NULL);
        return fragment->reported && warnings_add(&f->report.errors, &f->error) < 0 ? -ENOMEM : r;
}

/* The kernel lowers its limit by itself when samples take too long. Like perf, the recorder obeys it. */
static int warn_of_frequency(SessionFile *f) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *text = NULL;
        uint64_t frequency = f->settings->record.frequency, max;

        if (frequency == 0 || frequency == UINT64_MAX ||
            read_file("/proc/sys/kernel/perf_event_max_sample_rate", 64, &text, NULL) < 0)
                return 0;
        text[strcspn(text, "\n")] = '\0';
        if (parse_uint64(text, &max) < 0 || frequency <= max)
                return 0;
        diagnosis_locate(&d, f->fragment_path, settings_report_line(&f->report, "Record", "Frequency", NULL), "Frequency");
        (void) diagnosis_set(&d, 0, "%" PRIu64 " is above kernel.perf_event_max_sample_rate, and becomes %" PRIu64, frequency, max);
        return warnings_add(&f->warnings, &d);
}

/* Makes a session from its file and drop-ins. For a bad file, returns success and sets the session's error. */
static int session_file_read(const char *name, const Fragment *fragment, char *const *drop_in_directories,
                             SessionFile **ret) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int r = session_file_new(name, fragment->path, &f);

        if (r < 0)
                return r;
        f->enabled = fragment->enabled;

        r = parse_session(f, fragment, drop_in_directories);
        if (r == -ENOMEM || r == -ERFKILL)
                return r;
        if (r < 0) {
                (void) diagnosis_set(&f->error, r, "cannot be read: %s", strerror(-r));
                diagnosis_locate(&f->error, f->fragment_path, 0, NULL);
                f->settings = session_settings_free(f->settings);
        } else {
                if (f->settings->enabled >= 0)
                        f->enabled = f->settings->enabled > 0;
                r = warn_of_frequency(f);
                if (r < 0)
                        return r;
        }

        *ret = steal_ptr(f);
        return 0;
}

int session_file_read_reported(const char *name, const char *path, char *const *drop_in_directories, SessionFile **ret) {
        return session_file_read(name, &(Fragment) { .path = (char *) path, .reported = true }, drop_in_directories, ret);
}

int session_file_find(const SearchPath *p, const char *name, char **ret_path, size_t *ret_index) {
        for (size_t i = 0; p->directories && p->directories[i]; i++) {
                _cleanup_free_ char *path = format_text("%s/%s" SESSION_SUFFIX, p->directories[i], name);
                struct stat st;

                if (!path)
                        return -ENOMEM;
                if (lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
                        continue;

                *ret_path = steal_ptr(path);
                *ret_index = i;
                return 0;
        }
        return -ENOENT;
}

/* Finds the administrator's own file, otherwise the perfconfig file's section, otherwise the vendor's file. */
static int find_fragment(const SearchPath *p, const PerfconfigImport *import, const char *name, Fragment *ret) {
        const ImportedSession *imported = perfconfig_import_find(import, name);
        _cleanup_free_ char *path = NULL;
        size_t index = 0;
        int r = session_file_find(p, name, &path, &index);

        if (r < 0 && r != -ENOENT)
                return r;
        if (imported && (r < 0 || index >= p->n_enabled)) {
                *ret = (Fragment) { .path = strdup(p->perf_config), .imported = imported, .enabled = true };
                return ret->path ? 0 : -ENOMEM;
        }
        if (r >= 0)
                *ret = (Fragment) { .path = steal_ptr(path), .enabled = index < p->n_enabled };
        return r;
}

int session_file_list_drop_ins(const SearchPath *p, const char *name, const char *template, char ***ret) {
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

/* Reads the sessions of the perfconfig file. There are none if the file is not set or does not exist. */
static int read_perf_config(const SearchPath *p, PerfconfigImport *ret, Diagnosis *d) {
        int r = p->perf_config ? perfconfig_import_file(p->perf_config, ret, d) : 0;

        return r == -ENOENT ? 0 : r;
}

static int load_session(const SearchPath *p, const PerfconfigImport *import, const char *name, bool reported,
                        SessionFile **ret) {
        _cleanup_free_ char *template = NULL;
        _cleanup_strv_free_ char **directories = NULL;
        _cleanup_(fragment_done) Fragment fragment = {};
        int r;

        if (!session_name_is_valid(name))
                return -EINVAL;
        r = session_name_template(name, &template);
        if (r == -ENOMEM)
                return r;

        r = find_fragment(p, import, name, &fragment);
        if (r == -ENOENT && template)
                r = find_fragment(p, import, template, &fragment);
        if (r < 0)
                return r;
        fragment.reported = reported;
        r = session_file_list_drop_ins(p, name, template, &directories);
        if (r < 0)
                return r;
        return session_file_read(name, &fragment, directories, ret);
}

static int load_by_name(const SearchPath *p, const char *name, bool reported, SessionFile **ret) {
        _cleanup_(perfconfig_import_done) PerfconfigImport import = {};
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r, bad;

        bad = read_perf_config(p, &import, &d);
        r = load_session(p, &import, name, reported, ret);
        if (r != -ENOENT || bad >= 0)
                return r;
        r = session_file_new(name, p->perf_config, &f);
        if (r < 0)
                return r;
        f->settings = session_settings_free(f->settings);
        f->error = steal_value(d, (Diagnosis) {});
        *ret = steal_ptr(f);
        return 0;
}

int session_file_load(const SearchPath *p, const char *name, SessionFile **ret) {
        return session_name_is_template(name) ? -EINVAL : load_by_name(p, name, false, ret);
}

int session_file_load_any(const SearchPath *p, const char *name, SessionFile **ret) {
        return load_by_name(p, name, false, ret);
}

int session_file_load_reported(const SearchPath *p, const char *name, SessionFile **ret) {
        return load_by_name(p, name, true, ret);
}

char *session_file_name_before(const char *file_name, const char *suffix) {
        size_t n = strlen(file_name), k = strlen(suffix);

        return n <= k || !streq(file_name + n - k, suffix) ? NULL : strndup(file_name, n - k);
}

/* Adds the names of a directory's sessions. Hidden files are ignored without a warning. */
static int collect_names(const char *directory, char ***names, SessionFiles *found) {
        _cleanup_strv_free_ char **entries = NULL;
        int r = list_directory(directory, DIRECTORY_ENTRIES_MAX, &entries);

        if (r == -ENOENT)
                return 0;
        if (r == -ENOMEM)
                return r;
        if (r < 0) {
                _cleanup_(diagnosis_done) Diagnosis d = {};

                diagnosis_locate(&d, directory, 0, NULL);
                (void) diagnosis_set(&d, 0, "%s", r == -E2BIG ? "holds too many files, all of it is ignored" : strerror(-r));
                return warnings_add(&found->warnings, &d);
        }

        STRV_FOREACH(entry, entries) {
                _cleanup_free_ char *name = session_file_name_before(*entry, SESSION_SUFFIX);

                if (!name || session_name_is_template(name))
                        continue;
                if (session_name_is_valid(name))
                        r = strv_consume(names, steal_ptr(name));
                else if (**entry != '.' && strv_length(found->misnamed) < MISNAMED_MAX) {
                        _cleanup_free_ char *shown = utf8_line(*entry, SIZE_MAX, NAME_MAX);

                        r = shown ? strv_extendf(&found->misnamed, "%s/%s", directory, shown) : -ENOMEM;
                }
                if (r < 0)
                        return r;
        }
        return 0;
}

static int add_session(const SearchPath *p, const PerfconfigImport *import, const char *name, SessionFiles *l) {
        SessionFile *f = NULL;
        int r = load_session(p, import, name, false, &f);

        if (r == -ERFKILL || r == -ENOENT)
                return 0;
        if (r < 0)
                return r;

        if (ARRAY_RESERVE_NEXT(l->files, l->n_files) < 0) {
                session_file_free(f);
                return -ENOMEM;
        }
        l->files[l->n_files++] = f;
        return 0;
}

/* An unreadable perfconfig file is only a warning, so that the other sessions still work. */
static int collect_imported(const SearchPath *p, PerfconfigImport *import, char ***names, char ***warnings) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r = read_perf_config(p, import, &d);

        if (r == -ENOMEM)
                return r;
        if (r < 0)
                return warnings_add(warnings, &d);
        for (size_t i = 0; r >= 0 && i < import->n_sessions; i++)
                r = strv_extend(names, import->sessions[i].name);
        return r < 0 ? r : strv_extend_strv(warnings, import->warnings);
}

int session_files_load(const SearchPath *p, SessionFiles *ret) {
        _cleanup_(perfconfig_import_done) PerfconfigImport import = {};
        _cleanup_(session_files_done) SessionFiles found = {};
        _cleanup_strv_free_ char **names = NULL;
        const char *previous = NULL;
        int r;

        STRV_FOREACH(directory, p->directories) {
                r = collect_names(*directory, &names, &found);
                if (r < 0)
                        return r;
        }

        r = collect_imported(p, &import, &names, &found.warnings);
        if (r < 0)
                return r;

        strv_sort(names);
        STRV_FOREACH(name, names) {
                if (!streq_ptr(previous, *name)) {
                        r = add_session(p, &import, *name, &found);
                        if (r < 0)
                                return r;
                }
                previous = *name;
        }

        *ret = steal_value(found, (SessionFiles) {});
        return 0;
}

void session_files_done(SessionFiles *l) {
        for (size_t i = 0; i < l->n_files; i++)
                session_file_free(l->files[i]);
        free(l->files);
        strv_free(l->warnings);
        strv_free(l->misnamed);
        *l = (SessionFiles) {};
}
