/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl edit: edits a session's drop-in "override.conf", or with --full the session file itself, in the administrator's (or
 * the user's) directory. The editor works on a copy in a staging directory, which is put before the search path, so that the
 * session can be checked with the new text. Only a good text replaces the old one; then the daemon reads its files again. */

#include <fcntl.h>
#include <sys/stat.h>

#include "atomic-file.h"
#include "directory-tree.h"
#include "edit-text.h"
#include "editor.h"
#include "fd-file.h"
#include "format-text.h"
#include "load.h"
#include "session-problems.h"
#include "strv.h"
#include "verb-reload.h"
#include "verbs.h"

#define FILE_MAX (1024 * 1024)

typedef struct Edit {
        const char *name;
        SearchPath path;     /* the staging directory first */
        char *staging;       /* a temporary directory, or NULL */
        char *relative;      /* the file's name below a session directory */
        char *staged;        /* the file that the editor gets */
        char *target;        /* the file that it becomes */
        char *before;        /* its present text, or NULL */
        char *reference;     /* the session's file, for a drop-in, or NULL */
} Edit;

static void edit_done(Edit *e) {
        if (e->staging) /* editors may leave other files in it */
                (void) directory_tree_remove(AT_FDCWD, e->staging);
        search_path_done(&e->path);
        free(e->staging);
        free(e->relative);
        free(e->staged);
        free(e->target);
        free(e->before);
        free(e->reference);
        *e = (Edit){};
}

static int edit_read_if_there(const char *path, char **ret) {
        int r = read_file(path, FILE_MAX, ret, NULL);

        return r == -ENOENT ? 0 : r;
}

static int edit_refuse(const char *name, const char *why) {
        (void) fprintf(stderr, "Session '%s' %s\n", name, why);
        return STATUS_FAILED;
}

/* Reads the present files: the one to edit, and the one that is shown for reference. */
static int edit_read_files(Edit *e, const ClientOptions *o) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int r = session_file_load_any(&e->path, e->name, &f);

        if (r == -ERFKILL)
                return edit_refuse(e->name, "is masked: remove the link to /dev/null or the empty file first");
        if (r == -EINVAL)
                return edit_refuse(e->name, "cannot exist: that is no session name");
        if (r == -ENOENT && !(o->table.full && o->force))
                return edit_refuse(e->name, "does not exist; 'perfctl edit --full --force NAME' makes a new one");
        if (r < 0 && r != -ENOENT)
                return verb_fail("read the session", r);
        r = edit_read_if_there(e->target, &e->before);
        if (r >= 0 && f)
                r = edit_read_if_there(f->fragment_path, o->table.full && !e->before ? &e->before : &e->reference);
        return r < 0 ? verb_fail("read the session's files", r) : STATUS_OK;
}

/* Makes the names of all files, and the search path without the staging directory. */
static int edit_prepare_names(Edit *e, const ClientOptions *o) {
        int r = search_path_init(&e->path, o->user);

        if (r < 0)
                return r;
        e->relative = format_text("%s.session%s", e->name, o->table.full ? "" : ".d/override.conf");
        e->target = e->relative ? path_join(e->path.directories[0], e->relative) : NULL;
        return e->target ? 0 : -ENOMEM;
}

static int edit_make_staging(Edit *e) {
        _cleanup_strv_free_ char **directories = NULL;
        const char *tmp = getenv("TMPDIR");
        char *staging = path_join(tmp && *tmp == '/' ? tmp : "/tmp", "perfctl-edit-XXXXXX");
        int r;

        if (!staging || !mkdtemp(staging)) {
                r = staging ? -errno : -ENOMEM;
                free(staging);
                return r;
        }
        e->staging = staging;
        e->staged = path_join(e->staging, e->relative);
        r = e->staged ? strv_extend(&directories, e->staging) : -ENOMEM;
        if (r >= 0)
                r = strv_extend_strv(&directories, e->path.directories);
        if (r < 0)
                return r;
        strv_free(e->path.directories);
        e->path.directories = steal_ptr(directories);
        e->path.n_enabled++;
        return 0;
}

static int edit_write_below(const char *path, mode_t directory_mode, const char *text) {
        _cleanup_free_ char *directory = strndup(path, (size_t) (strrchr(path, '/') - path));
        int r = directory ? make_directories(directory, directory_mode) : -ENOMEM;

        return r < 0 ? r : write_file_atomic(AT_FDCWD, path, 0644, text, strlen(text));
}

/* Runs the editor on the staged file, and leaves the new text in it and in *ret. */
static int edit_once(Edit *e, char **ret) {
        _cleanup_free_ char *text = NULL;
        char *kept;
        int r = editor_run(e->staged);

        if (r < 0) {
                editor_say_failure(r);
                return STATUS_FAILED;
        }
        r = read_file(e->staged, FILE_MAX, &text, NULL);
        if (r >= 0) {
                kept = strdup(edit_text_strip(text));
                r = kept ? edit_write_below(e->staged, 0700, kept) : -ENOMEM;
                if (r < 0)
                        free(kept);
                else
                        *ret = kept;
        }
        return r < 0 ? verb_fail("read what was edited", r) : STATUS_OK;
}

/* Checks the session with the new text, and prints its problems. */
static bool edit_is_good(const Edit *e) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int r = session_file_load_any(&e->path, e->name, &f);

        if (r >= 0)
                return session_problems_print(f, true);
        (void) verb_fail("check the session", r);
        return false;
}

static bool edit_ask_again(void) {
        char answer[16];

        if (isatty(STDIN_FILENO) <= 0)
                return false;
        (void) fprintf(stderr, "Edit again? [Y/n] ");
        return fgets(answer, sizeof(answer), stdin) && (*answer == '\n' || *answer == 'y' || *answer == 'Y');
}

/* Keeps the staged file, so that the user's work is not lost. */
static void edit_print_place(Edit *e) {
        (void) fprintf(stderr, "Not written: %s is unchanged; your text is in %s\n", e->target, e->staged);
        free(steal_ptr(e->staging)); /* edit_done() would remove it */
}

/* Edits until the session is good. STATUS_OK: *ret is the text, or NULL if there is nothing to write. */
static int edit_until_good(Edit *e, char **ret) {
        for (;;) {
                _cleanup_free_ char *kept = NULL;
                int status = edit_once(e, &kept);

                if (status != STATUS_OK || !kept)
                        return status;
                if (!*kept || (e->before && streq(kept, e->before)))
                        return STATUS_OK;
                if (edit_is_good(e)) {
                        *ret = steal_ptr(kept);
                        return STATUS_OK;
                }
                if (!edit_ask_again()) {
                        edit_print_place(e);
                        return STATUS_FAILED;
                }
        }
}

int verb_edit(const ClientOptions *o, char **arguments) {
        _cleanup_(edit_done) Edit e = { .name = arguments[0] };
        _cleanup_free_ char *staged = NULL, *text = NULL;
        int r = edit_prepare_names(&e, o), status;

        if (r < 0)
                return verb_fail("find the session's files", r);
        status = edit_read_files(&e, o);
        if (status != STATUS_OK)
                return status;
        staged = edit_text_make(e.target, e.before, e.reference);
        r = staged ? edit_make_staging(&e) : -ENOMEM;
        if (r >= 0)
                r = edit_write_below(e.staged, 0700, staged);
        if (r < 0)
                return verb_fail("prepare the file to edit", r);
        status = edit_until_good(&e, &text);
        if (status != STATUS_OK)
                return status;
        if (!text) {
                if (!o->quiet)
                        (void) printf("Nothing changed: %s is unchanged\n", e.target);
                return STATUS_OK;
        }
        r = edit_write_below(e.target, 0755, text);
        if (r < 0) {
                (void) fprintf(stderr, "Failed to write %s: %s\n", e.target, strerror(-r));
                edit_print_place(&e);
                return STATUS_FAILED;
        }
        if (!o->quiet)
                (void) printf("Wrote %s\n", e.target);
        return reload_daemon(o, false);
}
