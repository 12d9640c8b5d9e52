/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorderd.conf and its drop-ins: the first file found wins, and the files in perf-recorderd.conf.d of all directories are
 * merged into it. All files may be missing, because every setting has a default. */

#include "load.h"

#include <fcntl.h>
#include <limits.h>

#include "drop-in.h"
#include "fd-file.h"
#include "parse-number.h"
#include "parse-size.h"
#include "search-path.h"
#include "setting-key.h"
#include "settings-file.h"

#define CONFIGURATION_NAME "perf-recorderd.conf"
#define DEFAULT_MAX_SESSIONS 1024

typedef struct DaemonSettingsFile {
        DaemonSettings settings;
        char *default_base;
} DaemonSettingsFile;

void daemon_settings_done(DaemonSettings *s) {
        free(s->base_directory);
        free(s->perf_config);
        strv_free(s->warnings);
        *s = (DaemonSettings) {};
}

static void daemon_settings_file_done(DaemonSettingsFile *f) {
        daemon_settings_done(&f->settings);
        free(f->default_base);
}

/* Accepts an absolute path without "." and ".." that is not the root. */
static bool path_is_plain(const char *path) {
        if (*path != '/' || path[strspn(path, "/")] == '\0' || strlen(path) >= PATH_MAX / 2)
                return false;
        for (const char *p = path; *p;) {
                size_t n;

                p += strspn(p, "/");
                n = strcspn(p, "/");
                if ((n == 1 || n == 2) && strspn(p, ".") >= n)
                        return false;
                p += n;
        }
        return true;
}

static int set_base_directory(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        _cleanup_free_ char *path = NULL;
        size_t n;

        if (*value == '\0')
                value = f->default_base;
        if (!path_is_plain(value))
                return diagnosis_set(d, -EINVAL, "not the absolute path of a directory");

        path = strdup(value);
        if (!path)
                return -ENOMEM;
        for (n = strlen(path); path[n - 1] == '/'; n--)
                path[n - 1] = '\0';
        free(f->settings.base_directory);
        f->settings.base_directory = steal_ptr(path);
        return 0;
}

static int set_perf_config(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        if (*value == '\0') {
                free(f->settings.perf_config);
                f->settings.perf_config = NULL;
                return 0;
        }
        if (!path_is_plain(value))
                return diagnosis_set(d, -EINVAL, "not the absolute path of a file");
        return free_and_strdup(&f->settings.perf_config, value);
}

static int set_default_buffer_size(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        uint64_t size = 0;
        int r = *value ? parse_setting_buffer_size(NULL, &size, value, d) : 0;

        if (r >= 0)
                f->settings.default_buffer_size = size;
        return r == -ERANGE ? -EINVAL : r;
}

static int set_max_sessions(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        unsigned n = DEFAULT_MAX_SESSIONS;

        if (*value != '\0' && (parse_uint(value, &n) < 0 || n == 0))
                return diagnosis_set(d, -EINVAL, "not a whole number above 0");
        f->settings.max_sessions = n;
        return 0;
}

static int set_max_locked_memory(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        uint64_t size = UINT64_MAX;

        if (*value != '\0' && (parse_size(value, &size) < 0 || size == 0))
                return diagnosis_set(d, -EINVAL, "not a size above 0, such as 256M, or infinity");
        f->settings.max_locked_memory = size;
        return 0;
}

static int set_max_use(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        return parse_storage_size(&f->settings.storage.max_use, value, d);
}

static int set_max_files(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        return parse_storage_files(&f->settings.storage.max_files, value, d);
}

static int set_max_age(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        return parse_storage_age(&f->settings.storage.max_age, value, d);
}

static int set_keep_free(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        return parse_storage_free(&f->settings.storage.keep_free, value, d);
}

static int set_total_max_use(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        return parse_storage_size(&f->settings.total_max_use, value, d);
}

static int set_total_max_files(DaemonSettingsFile *f, const char *value, Diagnosis *d) {
        return parse_storage_files(&f->settings.total_max_files, value, d);
}

static const struct DaemonKey {
        const char *name;
        int (*set)(DaemonSettingsFile *f, const char *value, Diagnosis *d);
        const char *section;
} daemon_keys[] = {
        { "BaseDirectory", set_base_directory, "Recorder" },
        { "PerfConfig", set_perf_config, "Recorder" },
        { "DefaultBufferSize", set_default_buffer_size, "Recorder" },
        { "MaxSessions", set_max_sessions, "Recorder" },
        { "MaxLockedMemory", set_max_locked_memory, "Recorder" },
        { "MaxUse", set_max_use, "Storage" },
        { "MaxFiles", set_max_files, "Storage" },
        { "MaxAge", set_max_age, "Storage" },
        { "KeepFree", set_keep_free, "Storage" },
        { "TotalMaxUse", set_total_max_use, "Storage" },
        { "TotalMaxFiles", set_total_max_files, "Storage" },
};

static int set_daemon_key(const char *section, const char *key, const char *value, Diagnosis *d, void *userdata) {
        if (!streq(section, "Recorder") && !streq(section, "Storage"))
                return diagnosis_set(d, -ENOKEY, "unknown section [%s], ignored", section);
        if (!key)
                return 0;

        for (size_t i = 0; i < ELEMENTSOF(daemon_keys); i++)
                if (streq(daemon_keys[i].section, section) && streq(daemon_keys[i].name, key))
                        return daemon_keys[i].set(userdata, value, d);
        return diagnosis_set(d, -ENOKEY, "unknown key in [%s]", section);
}

static int daemon_settings_file_init(DaemonSettingsFile *f, bool user) {
        _cleanup_free_ char *state = NULL;
        int r;

        r = user ? user_directory("XDG_STATE_HOME", ".local/state", &state) : free_and_strdup(&state, "/var/lib");
        if (r < 0)
                return r;
        f->default_base = path_join(state, "perf-recorder");
        if (!f->default_base)
                return -ENOMEM;
        f->settings = (DaemonSettings) {
                .base_directory = strdup(f->default_base),
                .max_sessions = DEFAULT_MAX_SESSIONS,
                .max_locked_memory = UINT64_MAX,
                .storage = STORAGE_SETTINGS_EMPTY,
        };
        return f->settings.base_directory ? 0 : -ENOMEM;
}

static int parse_one(DaemonSettingsFile *f, const char *path, Diagnosis *d) {
        int r = settings_file_parse(path, set_daemon_key, f, &f->settings.warnings, NULL, d);

        return r == -ERFKILL ? 0 : r;
}

static int parse_main_file(DaemonSettingsFile *f, char *const *roots, Diagnosis *d) {
        STRV_FOREACH(root, roots) {
                _cleanup_free_ char *path = path_join(*root, CONFIGURATION_NAME);

                if (!path)
                        return -ENOMEM;
                if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) >= 0 || (errno != ENOENT && errno != ENOTDIR))
                        return parse_one(f, path, d);
        }
        return 0;
}

static int parse_drop_ins(DaemonSettingsFile *f, char *const *roots, Diagnosis *d) {
        _cleanup_strv_free_ char **directories = NULL, **paths = NULL;
        int r;

        STRV_FOREACH(root, roots) {
                r = strv_extendf(&directories, "%s/" CONFIGURATION_NAME ".d", *root);
                if (r < 0)
                        return r;
        }
        r = drop_ins_find(directories, &paths, d);
        if (r < 0)
                return r;
        STRV_FOREACH(path, paths) {
                r = parse_one(f, *path, d);
                if (r < 0)
                        return r;
        }
        return 0;
}

int daemon_settings_load(bool user, DaemonSettings *ret, Diagnosis *d) {
        _cleanup_(daemon_settings_file_done) DaemonSettingsFile f = {};
        _cleanup_strv_free_ char **roots = NULL;
        int r;

        r = daemon_settings_file_init(&f, user);
        if (r < 0)
                return r;
        r = search_path_from_environment("PERF_RECORDER_CONFIG_PATH", &roots);
        if (r == 0)
                r = search_path_roots(user, &roots);
        if (r < 0)
                return r;

        r = parse_main_file(&f, roots, d);
        if (r < 0)
                return r;
        r = parse_drop_ins(&f, roots, d);
        if (r < 0)
                return r;

        *ret = steal_value(f.settings, (DaemonSettings) {});
        return 0;
}
