/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl open: opens a dump in perf report or another program. The program gets a path that it can open itself: the dump's own,
 * or that of a temporary copy if the dump is another user's or another machine's. perfctl holds the descriptor in the meantime,
 * so that retention does not remove the dump. Temporary files are removed afterwards, even if a signal ends the program. */

#include <fcntl.h>
#include <sys/stat.h>

#include "dump-copy.h"
#include "dump-source.h"
#include "format-text.h"
#include "quote.h"
#include "remote-run.h"
#include "strv.h"
#include "symbols-tree.h"
#include "verbs.h"
#include "viewer-process.h"

#define VIEWER "perf report -i"
#define WORDS_MAX 256

typedef struct Opened {
        json_object *dump;     /* NULL: it is on another host */
        int fd;
        char *temporary; /* the copy, or NULL */
        DumpSymbols kept;
        SymbolsTree symbols;
} Opened;

static void opened_done(Opened *d) {
        json_object_put(d->dump);
        d->fd = safe_close(d->fd);
        if (d->temporary)
                (void) unlink(d->temporary);
        free(d->temporary);
        dump_symbols_done(&d->kept);
        symbols_tree_remove(&d->symbols);
}

/* True if the service's path leads to the same file here, and this user may read it. */
static bool opened_path_is_here(const ClientOptions *o, const Opened *d) {
        const char *path = json_get_string(d->dump, "Path");
        struct stat here, there;

        return !o->machine && access(path, R_OK) >= 0 && stat(path, &here) >= 0 && fstat(d->fd, &there) >= 0 &&
               here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

static int opened_make_temporary(Opened *d) {
        const char *directory = secure_getenv("TMPDIR");
        _cleanup_free_ char *path = format_text("%s/perf.data.XXXXXX", directory ?: "/var/tmp");
        int fd;

        if (!path)
                return -ENOMEM;
        fd = mkostemp(path, O_CLOEXEC);
        if (fd < 0)
                return -errno;
        d->temporary = steal_ptr(path);
        return fd;
}

static int opened_copy(const ClientOptions *o, Opened *d, const char *word) {
        char *words[] = { (char *) "cp", (char *) "--", (char *) word, (char *) "-", NULL };
        _cleanup_close_ int to = opened_make_temporary(d);
        int r;

        if (to < 0)
                return verb_fail("make a copy", to);
        if (o->host)
                return remote_run(o, words, to);
        r = dump_copy_to_fd(d->fd, to);
        return r < 0 ? verb_fail("make a copy", r) : STATUS_OK;
}

static int opened_prepare_viewer(void *userdata) {
        const SymbolsTree *symbols = userdata;
        int r = symbols->path ? symbols_tree_replace_tmp(symbols) : 0;

        if (r < 0)
                (void) fprintf(stderr, "perf sees the /tmp of all users: it can't have one of its own: %s\n", strerror(-r));
        return 0;
}

/* With --symfs, perf reads symbols from that directory only; without it, from the files that are at the recorded paths now. Other
 * viewers have other options. */
static int viewer_add_symbols(DumpSource *source, Opened *d, const char *viewer, char ***words) {
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_free_ char *tree = NULL;
        _cleanup_close_ int copied = -EBADF;
        int r;

        if (!streq(viewer, "perf"))
                return 0;
        if (d->dump) /* without them, this machine's files remain */
                (void) dump_source_open_symbols(source, d->dump, &d->kept);
        if (d->kept.fd >= 0 && fcntl(d->kept.fd, F_SETFD, 0) < 0) /* perf inherits it */
                return -errno;
        if (d->fd < 0 && d->temporary && (copied = open(d->temporary, O_RDONLY | O_CLOEXEC)) < 0)
                return -errno;
        r = perf_data_reader_new_fd(d->fd < 0 ? copied : d->fd, &reader);
        if (r == -EBADMSG) /* perf reports what is wrong with it */
                return 0;
        if (r >= 0)
                r = symbols_tree_make(&d->symbols, d->kept.path, reader);
        if (r >= 0 && !(tree = symbols_tree_reach(&d->symbols, d->symbols.path)))
                r = -ENOMEM;
        if (r >= 0)
                r = strv_extendf(words, "--symfs=%s", tree);
        return r >= 0 && d->symbols.needs_kallsyms ? strv_extend(words, "--kallsyms=/proc/kallsyms") : r;
}

static int opened_view(DumpSource *source, Opened *d, char *const *more) {
        const ClientOptions *o = source->options;
        const char *viewer = o->dump.viewer ?: getenv("PERF_RECORDER_VIEWER") ?: VIEWER;
        _cleanup_strv_free_ char **words = NULL, **symbols = NULL;
        _cleanup_free_ char *path = NULL;
        int r = split_words(viewer, WORDS_MAX, &words);

        if (r >= 0 && !words)
                r = -EINVAL;
        if (r < 0) {
                (void) fprintf(stderr, "Not a command: '%s'\n", viewer);
                return STATUS_FAILED;
        }
        viewer_hold_signals();
        r = viewer_add_symbols(source, d, words[0], &symbols);
        if (r < 0)
                return verb_fail("make a directory of symbols for perf", r);
        path = symbols_tree_reach(&d->symbols, d->temporary ?: json_get_string(d->dump, "Path"));
        r = path ? strv_extend(&words, path) : -ENOMEM;
        if (r >= 0)
                r = strv_extend_strv(&words, symbols);
        if (r >= 0)
                r = strv_extend_strv(&words, more);
        return r < 0 ? verb_fail("run the viewer", r) : viewer_run(words, opened_prepare_viewer, &d->symbols);
}

int verb_open(const ClientOptions *o, char **arguments) {
        _cleanup_(dump_source_done) DumpSource source = { .options = o };
        _cleanup_(opened_done) Opened d = { .fd = -EBADF, .kept = DUMP_SYMBOLS_EMPTY, .symbols = SYMBOLS_TREE_EMPTY };
        size_t back;
        /* "perfctl open -- --stdio" opens the newest dump */
        bool named = arguments && arguments[0] && (arguments[0][0] != '-' || dump_word_counts_back(arguments[0], &back));
        const char *word = named ? arguments[0] : "-1";
        int status = STATUS_OK;

        if (o->now_too && (!named || o->host)) {
                (void) fprintf(stderr, "%s\n", !named ? "--now takes a session" :
                               "'open' makes no dump on another host: 'perfctl dump -H HOST -o FILE SESSION' does");
                return STATUS_FAILED;
        }
        if (o->now_too)
                status = dump_source_make(&source, word, &d.dump);
        else if (!o->host)
                status = dump_source_find(&source, word, &d.dump);
        if (status == STATUS_OK && d.dump)
                status = dump_source_open(&source, d.dump, &d.fd);
        if (status == STATUS_OK && (o->host || !opened_path_is_here(o, &d)))
                status = opened_copy(o, &d, word);
        if (status == STATUS_OK)
                status = opened_view(&source, &d, named ? arguments + 1 : arguments);
        return dump_source_finish(&source, status);
}
