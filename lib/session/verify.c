/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads one session file for perfctl verify, where it lies: the daemon need not know it. It is read as load.c would
 * read it if it were in the path, but all errors are reported, and programs are waited for that check settings
 * (late-error.h).
 *
 * A file without a session's name is a session with that as its error. Nothing here judges what a session costs or
 * refers to. */

#include "load-parts.h"

#include <sys/stat.h>

#include "format-text.h"
#include "late-error.h"
#include "session-name.h"

static bool is_same_directory(const char *a, const char *b) {
        struct stat x, y;

        return stat(a, &x) >= 0 && stat(b, &y) >= 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool is_in_path(const SearchPath *p, const char *directory) {
        STRV_FOREACH(d, p ? p->directories : NULL)
                if (is_same_directory(*d, directory))
                        return true;
        return false;
}

/* A file elsewhere has no drop-ins: the daemon does not read it. */
static int verify_session_file(const SearchPath *p, const char *path, const char *directory, const char *name,
                               SessionFile **ret) {
        _cleanup_strv_free_ char **directories = NULL;
        _cleanup_free_ char *template = NULL;
        int r = 0;

        if (is_in_path(p, directory)) {
                r = session_name_template(name, &template);
                if (r != -ENOMEM)
                        r = session_file_list_drop_ins(p, name, template, &directories);
        }
        return r < 0 ? r : session_file_read_reported(name, path, directories, ret);
}

/* A file below NAME.session.d belongs to the session NAME of the path, or, elsewhere, to the one beside that directory. */
static int verify_drop_in(const SearchPath *p, char *directory, SessionFile **ret) {
        char *slash = strrchr(directory, '/');
        _cleanup_free_ char *name = session_file_name_before(slash + 1, SESSION_SUFFIX ".d");
        const SearchPath beside = { .directories = (char *[]) { directory, NULL } };

        if (!name)
                return -EINVAL;
        *slash = '\0';
        return session_file_load_reported(is_in_path(p, directory) ? p : &beside, name, ret);
}

static int verify_path(const SearchPath *p, const char *path, SessionFile **ret) {
        const char *file_name = basename(path);
        _cleanup_free_ char *name = session_file_name_before(file_name, SESSION_SUFFIX);
        _cleanup_free_ char *drop_in = session_file_name_before(file_name, ".conf");
        _cleanup_free_ char *directory = format_text("%.*s.", (int) (file_name - path), path), *absolute = NULL;

        if (!directory)
                return -ENOMEM;
        absolute = realpath(directory, NULL);
        if (!absolute)
                return -errno;
        if (name && session_name_is_valid(name))
                return verify_session_file(p, path, absolute, name, ret);
        return drop_in ? verify_drop_in(p, absolute, ret) : -EINVAL;
}

int session_file_verify(const SearchPath *p, const char *word, SessionFile **ret) {
        _cleanup_free_ char *before = session_file_name_before(word, SESSION_SUFFIX); /* a file's name is no session's */
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        struct stat st;
        int r = lstat(word, &st) < 0 ? -errno : 0;

        if (r >= 0)
                r = verify_path(p, word, &f);
        else if (r == -ENOENT && p && !before && session_name_is_valid(word))
                r = session_file_load_reported(p, word, &f);
        if (r == -EINVAL) {
                r = session_file_new(basename(word), word, &f);
                if (r < 0)
                        return r;
                f->settings = session_settings_free(f->settings);
                diagnosis_locate(&f->error, word, 0, NULL);
                (void) diagnosis_set(&f->error, -EINVAL, "%s", SESSION_FILE_MISNAMED);
        }
        if (!f)
                return r;
        if (r >= 0 && f->settings)
                r = late_errors_of_calendar(f);
        if (r >= 0)
                *ret = steal_ptr(f);
        return r;
}
