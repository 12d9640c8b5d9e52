/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The editor, chosen as systemctl edit chooses it. A variable may hold options ("emacs -nw"); no shell is involved. */

#include "editor.h"

#include "child-process.h"
#include "quote.h"
#include "strv.h"

#define WORDS_MAX 64
#define NOT_FOUND 127 /* as in a shell */

/* The name of the variable that is set, or NULL. */
static const char *find_variable(void) {
        static const char *const variables[] = { "SYSTEMD_EDITOR", "EDITOR", "VISUAL" };

        for (size_t i = 0; i < ELEMENTSOF(variables); i++) {
                const char *e = getenv(variables[i]);

                if (e && *e)
                        return variables[i];
        }
        return NULL;
}

static const char *const fallbacks[] = { "editor", "nano", "vim", "vi" };

typedef struct EditorStart {
        char *const *words; /* NULL: no variable is set */
        const char *path;
} EditorStart;

static void editor_exec(void *userdata) {
        const EditorStart *start = userdata;

        if (start->words) {
                (void) execvp(start->words[0], start->words);
                _exit(errno == ENOENT ? NOT_FOUND : EXIT_FAILURE);
        }
        for (size_t i = 0; i < ELEMENTSOF(fallbacks); i++)
                (void) execlp(fallbacks[i], fallbacks[i], start->path, (char *) NULL);
        _exit(NOT_FOUND);
}

int editor_run(const char *path) {
        _cleanup_strv_free_ char **words = NULL;
        const char *variable = find_variable(), *chosen = variable ? getenv(variable) : NULL;
        int r = chosen ? split_words(chosen, WORDS_MAX, &words) : 0;

        if (r >= 0 && words)
                r = strv_extend(&words, path);
        if (r < 0)
                return r;
        r = child_run(editor_exec, &(EditorStart) { .words = words, .path = path });
        if (r == NOT_FOUND)
                return -ENOENT;
        return r > 0 || r == -EPROTO ? -EIO : r;
}

void editor_say_failure(int r) {
        const char *variable = find_variable();

        (void) fflush(stdout);
        if (variable)
                (void) fprintf(stderr, "Failed to run the editor '%s', which $%s names: %s\n", getenv(variable), variable,
                               r == -EIO ? "it failed" : strerror(-r));
        else if (r == -ENOENT)
                (void) fprintf(stderr, "Failed to run an editor: found neither editor, nano, vim nor vi; set $EDITOR to an "
                               "installed one\n");
        else
                (void) fprintf(stderr, "Failed to run the editor: %s; set $EDITOR to use another one\n",
                               r == -EIO ? "it failed" : strerror(-r));
}
