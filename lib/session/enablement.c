/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Enabling and disabling sessions. After each step the loader reads the files again, so that only the loader decides what they
 * mean: first the files of an earlier enable or disable are removed, then, if that is not enough, new ones are written.
 * Invariant: only the first directory of the path is written to, and only links to templates and the drop-in
 * ENABLEMENT_DROP_IN are removed. */

#include "enablement.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "array.h"
#include "atomic-file.h"
#include "fd-file.h"
#include "format-text.h"
#include "session-name.h"
#include "string-table.h"

static const char *const file_state_table[_FILE_STATE_MAX] = {
        [FILE_STATE_ENABLED] = "enabled",
        [FILE_STATE_DISABLED] = "disabled",
        [FILE_STATE_MASKED] = "masked",
        [FILE_STATE_BAD] = "bad",
};
DEFINE_TO_STRING(file_state, FileState);

void file_changes_done(FileChanges *c) {
        for (size_t i = 0; i < c->n; i++) {
                free(c->changes[i].path);
                free(c->changes[i].target);
        }
        free(c->changes);
        *c = (FileChanges) {};
}

/* Takes path over, even on failure. */
static int note_change(FileChanges *c, bool created, char *path, const char *target) {
        char *copy = target ? strdup(target) : NULL;

        if ((target && !copy) || ARRAY_RESERVE_NEXT(c->changes, c->n) < 0) {
                free(copy);
                free(path);
                return -ENOMEM;
        }
        c->changes[c->n++] = (FileChange) { .created = created, .path = path, .target = copy };
        return 0;
}

/* Only a session with a file of its own starts with the daemon. An instance of a template has none. */
static int has_own_file(const SearchPath *p, const char *name) {
        _cleanup_free_ char *path = NULL;
        size_t index;
        int r = session_file_find(p, name, &path, &index);

        return r == -ENOENT ? 0 : r < 0 ? r : 1;
}

/* d: gets the reason why a file is bad. May be NULL. */
static int get_state(const SearchPath *p, const char *name, FileState *ret, Diagnosis *d) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int r = session_file_load(p, name, &f), own;

        if (r == -ERFKILL) {
                *ret = FILE_STATE_MASKED;
                return 0;
        }
        if (r < 0)
                return r;
        own = has_own_file(p, name);
        if (own < 0)
                return own;
        if (!f->settings && d) {
                *d = steal_value(f->error, (Diagnosis) {});
        }
        *ret = !f->settings ? FILE_STATE_BAD : own && f->enabled ? FILE_STATE_ENABLED : FILE_STATE_DISABLED;
        return 0;
}

int file_state_get(const SearchPath *p, const char *name, FileState *ret) {
        return get_state(p, name, ret, NULL);
}

static int fail(Diagnosis *d, const char *path, int r) {
        diagnosis_locate(d, path, 0, NULL);
        return diagnosis_set(d, r, "cannot be written: %s", strerror(-r));
}

/* 1: it existed. */
static int remove_file(char *path, FileChanges *changes, Diagnosis *d) {
        _cleanup_free_ char *owned = path;
        int r;

        if (unlink(path) < 0)
                return errno == ENOENT || errno == ENOTDIR ? 0 : fail(d, path, -errno);
        r = note_change(changes, false, steal_ptr(owned), NULL);
        return r < 0 ? r : 1;
}

static char *drop_in_directory(const SearchPath *p, const char *name) {
        return format_text("%s/%s.session.d", p->directories[0], name);
}

static int remove_drop_in(const SearchPath *p, const char *name, FileChanges *changes, Diagnosis *d) {
        _cleanup_free_ char *directory = drop_in_directory(p, name);
        char *path = directory ? path_join(directory, ENABLEMENT_DROP_IN) : NULL;
        int r;

        if (!path)
                return -ENOMEM;
        r = remove_file(path, changes, d);
        if (r > 0)
                (void) rmdir(directory); /* fails if it has other drop-ins */
        return r;
}

/* The path of the link that enables an instance. */
static char *link_path(const SearchPath *p, const char *name) {
        return format_text("%s/%s.session", p->directories[0], name);
}

static int remove_link(const SearchPath *p, const char *name, FileChanges *changes, Diagnosis *d) {
        _cleanup_free_ char *path = NULL;
        struct stat st;

        if (!session_name_instance(name))
                return 0;
        path = link_path(p, name);
        if (!path)
                return -ENOMEM;
        if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
                return 0;
        return remove_file(steal_ptr(path), changes, d);
}

static int make_link(const SearchPath *p, const char *name, FileChanges *changes, Diagnosis *d) {
        _cleanup_free_ char *template = NULL, *target = NULL, *path = NULL;
        size_t index;
        int r = has_own_file(p, name);

        if (r != 0)
                return r < 0 ? r : 0;
        r = session_name_template(name, &template);
        if (r >= 0)
                r = session_file_find(p, template, &target, &index);
        if (r < 0)
                return r;
        path = link_path(p, name);
        if (!path)
                return -ENOMEM;
        if (symlink(target, path) < 0)
                return fail(d, path, -errno);
        return note_change(changes, true, steal_ptr(path), target);
}

/* Makes the file readable for all users, as session files are, whatever this process's umask is. */
static int write_text(const char *path, const char *text) {
        _cleanup_(atomic_file_done) AtomicFile f = ATOMIC_FILE_EMPTY;
        int r = atomic_file_open(&f, AT_FDCWD, path, 0644);

        if (r < 0)
                return r;
        if (fchmod(f.fd, 0644) < 0)
                return -errno;
        r = write_all(f.fd, text, strlen(text));
        return r < 0 ? r : atomic_file_commit(&f);
}

static int make_drop_in(const SearchPath *p, const char *name, bool enabled, FileChanges *changes, Diagnosis *d) {
        _cleanup_free_ char *directory = drop_in_directory(p, name);
        _cleanup_free_ char *path = directory ? path_join(directory, ENABLEMENT_DROP_IN) : NULL;
        int r;

        if (!path)
                return -ENOMEM;
        if (mkdir(directory, 0755) >= 0)
                r = chmod(directory, 0755) < 0 ? -errno : 0;
        else
                r = errno == EEXIST ? 0 : -errno;
        if (r >= 0)
                r = write_text(path, enabled ? "# perfctl enable\n[Session]\nEnabled=yes\n" :
                                               "# perfctl disable\n[Session]\nEnabled=no\n");
        return r < 0 ? fail(d, path, r) : note_change(changes, true, steal_ptr(path), NULL);
}

/* Takes one step after the other until the files say what is wanted. */
static int take_step(const SearchPath *p, const char *name, bool enabled, unsigned step, FileChanges *changes, Diagnosis *d) {
        switch (step) {
        case 0:
                return remove_drop_in(p, name, changes, d);
        case 1:
                return enabled ? make_link(p, name, changes, d) : remove_link(p, name, changes, d);
        case 2:
                return make_drop_in(p, name, enabled, changes, d);
        default:
                (void) remove_drop_in(p, name, changes, NULL); /* it had no effect */
                return diagnosis_set(d, -EEXIST, "a drop-in that is read after " ENABLEMENT_DROP_IN " says Enabled=%s: see "
                                     "'perfctl cat %s'", enabled ? "no" : "yes", name);
        }
}

int enablement_set(const SearchPath *p, const char *name, bool enabled, FileChanges *changes, Diagnosis *d) {
        FileState wanted = enabled ? FILE_STATE_ENABLED : FILE_STATE_DISABLED;
        int r;

        for (unsigned step = 0;; step++) {
                FileState state;

                r = get_state(p, name, &state, d);
                if (r < 0)
                        return r;
                if (state == FILE_STATE_MASKED)
                        return -ERFKILL;
                if (state == FILE_STATE_BAD)
                        return -EBADMSG;
                if (state == wanted)
                        return 0;
                if (step == 0) {
                        r = make_directories(p->directories[0], 0755);
                        if (r < 0)
                                return fail(d, p->directories[0], r);
                }
                r = take_step(p, name, enabled, step, changes, d);
                if (r < 0)
                        return r;
        }
}
