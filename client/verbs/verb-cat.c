/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl cat: prints a session's file and its drop-ins in the order in which they apply, each under its path. It reads the
 * files as they are now, whether the daemon has read them or not. */

#include "fd-file.h"
#include "load.h"
#include "pager.h"
#include "strv.h"
#include "terminal.h"
#include "verbs.h"

#define FILE_MAX (1024 * 1024)

static int cat_print_file(const char *path, bool *first) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = read_file(path, FILE_MAX, &text, &size);

        if (r < 0)
                return r;
        (void) printf("%s%s# %s%s\n", *first ? "" : "\n", colour_sequence(COLOUR_GREY), path,
                      colour_sequence(COLOUR_NONE));
        *first = false;
        (void) fwrite(text, 1, size, stdout);
        if (size > 0 && text[size - 1] != '\n')
                (void) putchar('\n');
        return 0;
}

static int cat_print_session(const SearchPath *p, const char *name, bool *first) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        int r = session_file_load_any(p, name, &f);

        if (r == -ENOENT || r == -EINVAL) {
                (void) fprintf(stderr, "There is no session '%s'\n", name);
                return STATUS_FAILED;
        }
        if (r == -ERFKILL) {
                (void) fprintf(stderr, "Session '%s' is masked\n", name);
                return STATUS_FAILED;
        }
        if (r >= 0)
                r = cat_print_file(f->fragment_path, first);
        for (char **d = f ? f->drop_in_paths : NULL; r >= 0 && d && *d; d++)
                r = cat_print_file(*d, first);
        return r < 0 ? verb_fail("read the session's files", r) : STATUS_OK;
}

int verb_cat(const ClientOptions *o, char **arguments) {
        _cleanup_(search_path_done) SearchPath p = {};
        int r = search_path_init(&p, o->user), status = STATUS_OK;
        bool first = true;

        if (r < 0)
                return verb_fail("find the session files", r);
        pager_open(!o->no_pager);
        STRV_FOREACH(name, arguments) {
                int one = cat_print_session(&p, *name, &first);

                if (status == STATUS_OK)
                        status = one;
        }
        return status;
}
