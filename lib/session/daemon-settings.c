/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorderd.conf and its drop-ins: the first file found wins, and the files in perf-recorderd.conf.d of all directories are
 * merged into it. All files may be missing, because every setting has a default. */

#include "load.h"

#include <fcntl.h>
#include <limits.h>

#include "drop-in.h"
#include "fd-file.h"
#include "parse-number.h"
#include "search-path.h"
#include "setting-key.h"
#include "settings-file.h"

static const DaemonSettings default_settings = {
        .max_sessions = 1024,
        .max_locked_memory = UINT64_MAX,
        .storage = STORAGE_SETTINGS_EMPTY,
};

void daemon_settings_done(DaemonSettings *s) {
        free(s->base_directory);
        free(s->perf_config);
        strv_free(s->warnings);
        free(s->error);
        *s = (DaemonSettings) {};
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

static int parse_base_directory(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        size_t n = strlen(value);

        if (!path_is_plain(value))
                return diagnosis_set(d, -EINVAL, "not the absolute path of a directory");
        while (value[n - 1] == '/')
                n--;
        free(*(char **) field);
        *(char **) field = strndup(value, n);
        return *(char **) field ? 0 : -ENOMEM;
}

static int parse_perf_config(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        return path_is_plain(value) ? free_and_strdup(field, value) : diagnosis_set(d, -EINVAL, "not the absolute path of a file");
}

static int parse_max_sessions(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        unsigned n;

        if (parse_uint(value, &n) < 0 || n == 0)
                return diagnosis_set(d, -EINVAL, "not a whole number above 0");
        *(unsigned *) field = n;
        return 0;
}

#define DAEMON_KEY(name_, parse_, kind_, field_) \
        { name_, parse_, kind_, offsetof(DaemonSettings, field_), sizeof(((DaemonSettings *) NULL)->field_), SETTING_PLACE_VALUE }

static const SettingKey recorder_keys[] = {
        DAEMON_KEY("BaseDirectory", parse_base_directory, SETTING_STRING, base_directory),
        DAEMON_KEY("PerfConfig", parse_perf_config, SETTING_STRING, perf_config),
        DAEMON_KEY("DefaultBufferSize", parse_setting_buffer_size, SETTING_SCALAR, default_buffer_size),
        DAEMON_KEY("MaxSessions", parse_max_sessions, SETTING_SCALAR, max_sessions),
        DAEMON_KEY("MaxLockedMemory", parse_setting_max_size, SETTING_SCALAR, max_locked_memory),
};

static const SettingSection recorder_section = { "Recorder", recorder_keys, ELEMENTSOF(recorder_keys) };

static const SettingKey daemon_storage_keys[] = {
        DAEMON_KEY("MaxUse", parse_setting_max_size, SETTING_SCALAR, storage.max_use),
        DAEMON_KEY("MaxFiles", parse_setting_max_number, SETTING_SCALAR, storage.max_files),
        DAEMON_KEY("MaxAge", parse_setting_max_age, SETTING_SCALAR, storage.max_age),
        DAEMON_KEY("KeepFree", parse_setting_keep_free, SETTING_SCALAR, storage.keep_free),
        DAEMON_KEY("TotalMaxUse", parse_setting_max_size, SETTING_SCALAR, total_max_use),
        DAEMON_KEY("TotalMaxFiles", parse_setting_max_number, SETTING_SCALAR, total_max_files),
};

static const SettingSection daemon_storage_section = { "Storage", daemon_storage_keys, ELEMENTSOF(daemon_storage_keys) };

static bool section_equal(const SettingSection *section, const DaemonSettings *a, const DaemonSettings *b) {
        for (size_t i = 0; i < section->n_keys; i++)
                if (!setting_key_equal(&section->keys[i], a, b))
                        return false;
        return true;
}

bool daemon_settings_equal(const DaemonSettings *a, const DaemonSettings *b) {
        return section_equal(&recorder_section, a, b) && section_equal(&daemon_storage_section, a, b);
}

static int set_daemon_key(const char *name, const char *key_name, const char *value, Diagnosis *d, void *userdata) {
        const SettingSection *section = streq(name, "Recorder") ? &recorder_section :
                                        streq(name, "Storage") ? &daemon_storage_section : NULL;
        const SettingKey *key;

        if (!section)
                return diagnosis_set(d, -ENOKEY, "unknown section [%s], ignored", name);
        if (!key_name)
                return 0;
        key = setting_section_find(section, key_name);
        if (!key)
                return diagnosis_set(d, -ENOKEY, "unknown key in [%s]", name);
        return setting_key_set(key, NULL, (char *) userdata + key->offset, (const char *) &default_settings + key->offset,
                               value, d);
}

static int default_base_directory(bool user, char **ret) {
        _cleanup_free_ char *state = NULL;
        int r = user ? user_directory("XDG_STATE_HOME", ".local/state", &state) : free_and_strdup(&state, "/var/lib");

        if (r < 0)
                return r;
        *ret = path_join(state, "perf-recorder");
        return *ret ? 0 : -ENOMEM;
}

static int parse_one(DaemonSettings *s, const char *path, Diagnosis *d) {
        int r = settings_file_parse(path, set_daemon_key, s, &s->warnings, NULL, d);

        return r == -ERFKILL ? 0 : r;
}

static int parse_main_file(DaemonSettings *s, char *const *roots, Diagnosis *d) {
        STRV_FOREACH(root, roots) {
                _cleanup_free_ char *path = path_join(*root, DAEMON_SETTINGS_NAME);

                if (!path)
                        return -ENOMEM;
                if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) >= 0 || (errno != ENOENT && errno != ENOTDIR))
                        return parse_one(s, path, d);
        }
        return 0;
}

static int parse_drop_ins(DaemonSettings *s, char *const *roots, Diagnosis *d) {
        _cleanup_strv_free_ char **directories = NULL, **paths = NULL;
        int r;

        STRV_FOREACH(root, roots) {
                r = strv_extendf(&directories, "%s/" DAEMON_SETTINGS_NAME ".d", *root);
                if (r < 0)
                        return r;
        }
        r = drop_ins_find(directories, &paths, d);
        if (r < 0)
                return r;
        STRV_FOREACH(path, paths) {
                r = parse_one(s, *path, d);
                if (r < 0)
                        return r;
        }
        return 0;
}

int daemon_settings_roots(bool user, char ***ret) {
        int r = search_path_from_environment("PERF_RECORDER_CONFIG_PATH", ret);

        return r == 0 ? search_path_roots(user, ret) : r;
}

int daemon_settings_load(bool user, DaemonSettings *ret, Diagnosis *d) {
        _cleanup_(daemon_settings_done) DaemonSettings s = default_settings;
        _cleanup_strv_free_ char **roots = NULL;
        int r = daemon_settings_roots(user, &roots);

        if (r >= 0)
                r = parse_main_file(&s, roots, d);
        if (r >= 0)
                r = parse_drop_ins(&s, roots, d);
        if (r >= 0 && !s.base_directory)
                r = default_base_directory(user, &s.base_directory);
        if (r < 0)
                return r;

        *ret = steal_value(s, (DaemonSettings) {});
        return 0;
}
