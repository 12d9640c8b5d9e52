/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl edit: a drop-in "override.conf" of a session, or with --full the session file itself, of the administrator
 * (or the user). It is edited in a directory of its own, which then is put before the search path: what is checked is
 * the session as it would be with the new text. Only a good one replaces the old; then the daemon reads its files
 * again. */

#include <fcntl.h>
#include <sys/stat.h>

#include "atomic-file.h"
#include "directory-tree.h"
#include "edit-text.h"
#include "editor.h"
#include "fd-file.h"
#include "load.h"
#include "session-problems.h"
#include "strv.h"
#include "verb-reload.h"
#include "verbs.h"

#define FILE_MAX (1024 * 1024)

typedef struct Edit {
        const char *name;
        SearchPath path;     /* the staging directory first */
        char *staging;       /* a directory of our own, or NULL */
        char *relative;      /* the file's name below a session directory */
        char *staged;        /* the file that the editor gets */
        char *target;        /* the file that it becomes */
        char *before;        /* its text now, or NULL */
        char *reference;     /* the session's file, for a drop-in, or NULL */
} Edit;

static void edit_done(Edit *e) {
        if (e->staging) /* editors leave files of their own beside the edited one */
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

/* The files as they are: what is edited, and what is shown beside it. */
static int edit_read_files(Edit *e, const ClientOptions *o) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int r = session_file_load(&e->path, e->name, &f);

        if (r == -ERFKILL)
                return edit_refuse(e->name, "is masked: remove the link to /dev/null or the empty file first");
        if (r == -EINVAL)
                return edit_refuse(e->name, "cannot be: that is no session name");
        if (r == -ENOENT && !(o->full && o->force))
                return edit_refuse(e->name, "does not exist; 'perfctl edit --full --force NAME' makes a new one");
        if (r < 0 && r != -ENOENT)
                return verb_fail("read the session", r);
        r = edit_read_if_there(e->target, &e->before);
        if (r >= 0 && f)
                r = edit_read_if_there(f->fragment_path, o->full && !e->before ? &e->before : &e->reference);
        return r < 0 ? verb_fail("read the session's files", r) : STATUS_OK;
}

/* Names of all files; the search path as it is, without the staging directory. */
static int edit_prepare_names(Edit *e, const ClientOptions *o) {
        int n, r = search_path_init(&e->path, o->user);

        if (r < 0)
                return r;
        n = o->full ? asprintf(&e->relative, "%s.session", e->name) :
                      asprintf(&e->relative, "%s.session.d/override.conf", e->name);
        if (n < 0) {
                e->relative = NULL;
                return -ENOMEM;
        }
        e->target = path_join(e->path.directories[0], e->relative);
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

/* Edits the staged file and leaves in it what is to be kept, which *ret gets. */
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

/* Is the session good with it? Says what is not. */
static bool edit_is_good(const Edit *e) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int r = session_file_load(&e->path, e->name, &f);

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

/* The work of whoever edits is not thrown away. */
static void edit_print_place(Edit *e) {
        (void) fprintf(stderr, "Not written: %s is as it was; what you wrote is in %s\n", e->target, e->staged);
        free(steal_ptr(e->staging)); /* it stays */
}

/* Edits until it is good: STATUS_OK, with *ret the text, or NULL if nothing is to be written. */
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

static int edit_stage(Edit *e) {
        _cleanup_free_ char *text = edit_text_make(e->target, e->before, e->reference);
        int r = text ? edit_make_staging(e) : -ENOMEM;

        return r < 0 ? r : edit_write_below(e->staged, 0700, text);
}

int verb_edit(const ClientOptions *o, char **arguments) {
        _cleanup_(edit_done) Edit e = { .name = arguments[0] };
        _cleanup_free_ char *text = NULL;
        int r = edit_prepare_names(&e, o), status;

        if (r < 0)
                return verb_fail("find the session's files", r);
        status = edit_read_files(&e, o);
        if (status != STATUS_OK)
                return status;
        r = edit_stage(&e);
        if (r < 0)
                return verb_fail("prepare the file to edit", r);
        status = edit_until_good(&e, &text);
        if (status != STATUS_OK)
                return status;
        if (!text) {
                if (!o->quiet)
                        (void) printf("Nothing changed: %s is as it was\n", e.target);
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
