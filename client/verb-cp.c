/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl cp: a dump to a file, whole or not at all, with what it says of itself; "-" is standard output. With --symbols
 * the directory of its symbols goes with it. */

#include <sys/stat.h>

#include "dump-copy.h"
#include "dump-file.h"
#include "dump-source.h"
#include "fd-file.h"
#include "remote-run.h"
#include "symbols-directory.h"
#include "verbs.h"

/* In a directory it keeps the name that it has. */
static char *cp_make_target(const json_object *dump, const char *to) {
        const char *path = json_get_string(dump, "Path"), *slash = strrchr(path, '/');
        struct stat st;

        if (stat(to, &st) < 0 || !S_ISDIR(st.st_mode))
                return strdup(to);
        return path_join(to, slash ? slash + 1 : path);
}

static int cp_fail(const char *to, int r) {
        (void) fprintf(stderr, "Failed to write %s: %s\n", to, strerror(-r));
        return STATUS_FAILED;
}

static int cp_copy_symbols(DumpSource *source, const json_object *dump, const char *target) {
        _cleanup_(dump_symbols_done) DumpSymbols symbols = DUMP_SYMBOLS_EMPTY;
        _cleanup_free_ char *to = symbols_directory_name(target);
        int status, r;

        if (!to)
                return cp_fail(target, -ENOMEM);
        status = dump_source_open_symbols(source, dump, &symbols);
        if (status != STATUS_OK)
                return status;
        if (!symbols.path) {
                (void) fprintf(stderr, "%s has no symbols beside it: only the file is copied\n", dump_name(dump));
                return STATUS_OK;
        }
        r = dump_copy_symbols(symbols.path, to);
        if (r >= 0)
                return STATUS_OK;
        (void) fprintf(stderr, "Failed to copy %s to %s: %s\n", json_get_string(dump, "SymbolsPath"), to, strerror(-r));
        return STATUS_FAILED;
}

static int cp_copy(DumpSource *source, const json_object *dump, int fd, const char *to) {
        _cleanup_free_ char *target = cp_make_target(dump, to);
        int status = STATUS_OK, r = target ? 0 : -ENOMEM;

        /* the symbols first: the dump is there when all is that can be copied */
        if (r >= 0 && source->options->symbols)
                status = cp_copy_symbols(source, dump, target);
        if (r >= 0)
                r = dump_copy_to_file(fd, target);
        return r < 0 ? cp_fail(target ?: to, r) : status;
}

static int cp_copy_from_host(const ClientOptions *o, const char *word, const char *to) {
        char *words[] = { (char *) "cp", (char *) "--", (char *) word, (char *) "-", NULL };

        if (o->symbols) {
                (void) fprintf(stderr, "The symbols of another host's dumps can't be copied: run perfctl there\n");
                return STATUS_FAILED;
        }
        return streq(to, "-") ? remote_run(o, words, STDOUT_FILENO) : remote_copy(o, words, to);
}

int verb_cp(const ClientOptions *o, char **arguments) {
        _cleanup_(dump_source_done) DumpSource source = { .options = o };
        _cleanup_(json_object_putp) json_object *dump = NULL;
        _cleanup_close_ int fd = -EBADF;
        const char *to = arguments[1];
        int status, r;

        if (o->symbols && (streq(to, "-") || o->machine)) {
                (void) fprintf(stderr, "--symbols needs a file to copy to, and no container\n");
                return STATUS_FAILED;
        }
        if (o->host)
                return cp_copy_from_host(o, arguments[0], to);
        status = dump_source_find_and_open(&source, arguments[0], &dump, &fd);
        if (status != STATUS_OK)
                return status;
        if (!streq(to, "-"))
                return cp_copy(&source, dump, fd, to);
        r = dump_copy_to_fd(fd, STDOUT_FILENO);
        return r < 0 ? cp_fail("standard output", r) : STATUS_OK;
}
