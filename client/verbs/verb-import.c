/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl import: makes session files of the administrator (or the user) from the sessions in perf daemon's configuration, by
 * default in the files that perf itself reads. An existing file is kept unless --force is given; the daemon finds new ones by
 * itself. daemon.base is only reported, because another base directory also needs a change of the service's sandbox. */

#include <fcntl.h>

#include "atomic-file.h"
#include "fd-file.h"
#include "format-text.h"
#include "import-perfconfig.h"
#include "load.h"
#include "verbs.h"

#define SYSTEM_PERFCONFIG "/etc/perfconfig"

/* A file in an earlier directory takes the place of one of that name in a later one, such as a packaged one. */
static void import_warn_of_replaced(const SearchPath *p, const ImportedSession *s, const char *path) {
        const SearchPath later = { .directories = p->directories + 1 };
        _cleanup_free_ char *replaced = NULL;
        size_t index;

        if (session_file_find(&later, s->name, &replaced, &index) >= 0)
                (void) fprintf(stderr, "%s takes the place of %s\n", path, replaced);
}

static int import_write_session(const ClientOptions *o, const SearchPath *p, const ImportedSession *s) {
        _cleanup_free_ char *path = format_text("%s/%s.session", p->directories[0], s->name);
        int r;

        if (!path)
                return verb_fail("write a session file", -ENOMEM);
        if (access(path, F_OK) >= 0 && !o->force) {
                (void) fprintf(stderr, "%s exists already; --force replaces it\n", path);
                return STATUS_FAILED;
        }
        r = write_file_atomic(AT_FDCWD, path, 0644, s->text, strlen(s->text));
        if (r < 0) {
                (void) fprintf(stderr, "Failed to write %s: %s\n", path, strerror(-r));
                return STATUS_FAILED;
        }
        if (!o->quiet)
                (void) printf("Created %s\n", path);
        import_warn_of_replaced(p, s, path);
        return STATUS_OK;
}

static void import_print_rest(const ClientOptions *o, const char *file, const PerfconfigImport *import) {
        STRV_FOREACH(w, import->warnings)
                (void) fprintf(stderr, "%s\n", *w);
        if (import->base && !o->quiet)
                (void) fprintf(stderr, "%s: base=%s was not imported: recordings go to BaseDirectory= in "
                               "perf-recorderd.conf(5)\n", file, import->base);
        if (import->n_sessions == 0 && !o->quiet)
                (void) fprintf(stderr, "%s has no session\n", file);
}

static int import_write_sessions(const ClientOptions *o, const SearchPath *p, const PerfconfigImport *import) {
        int r = import->n_sessions > 0 ? make_directories(p->directories[0], 0755) : 0, status = STATUS_OK;

        if (r < 0) {
                (void) fprintf(stderr, "Failed to make %s: %s\n", p->directories[0], strerror(-r));
                return STATUS_FAILED;
        }
        for (size_t i = 0; i < import->n_sessions; i++)
                if (import_write_session(o, p, &import->sessions[i]) != STATUS_OK)
                        status = STATUS_FAILED;
        return status;
}

static int import_file(const ClientOptions *o, const SearchPath *p, const char *file) {
        _cleanup_(perfconfig_import_done) PerfconfigImport import = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *said = NULL;

        if (perfconfig_import_file(file, &import, &d) < 0) {
                said = diagnosis_format(&d);
                (void) fprintf(stderr, "%s\n", said ? said : strerror(ENOMEM));
                return STATUS_FAILED;
        }
        import_print_rest(o, file, &import);
        return import_write_sessions(o, p, &import);
}

/* The user's file has precedence in perf, so it comes first: existing session files are kept. */
static int import_defaults(const ClientOptions *o, const SearchPath *p) {
        const char *home = getenv("HOME");
        _cleanup_free_ char *own = home ? path_join(home, ".perfconfig") : NULL;
        bool has_own = own && access(own, F_OK) >= 0, has_system = access(SYSTEM_PERFCONFIG, F_OK) >= 0;
        int status = STATUS_OK;

        if (!has_own && !has_system) {
                (void) fprintf(stderr, "Neither ~/.perfconfig nor " SYSTEM_PERFCONFIG " exists: give the file's name\n");
                return STATUS_FAILED;
        }
        if (has_own)
                status = import_file(o, p, own);
        if (has_system && import_file(o, p, SYSTEM_PERFCONFIG) != STATUS_OK)
                status = STATUS_FAILED;
        return status;
}

int verb_import(const ClientOptions *o, char **arguments) {
        _cleanup_(search_path_done) SearchPath p = {};
        int r = search_path_init(&p, o->user);

        if (r < 0)
                return verb_fail("find the directory of session files", r);
        return arguments ? import_file(o, &p, arguments[0]) : import_defaults(o, &p);
}
