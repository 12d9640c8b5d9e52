/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl cp: copies a dump to a file with its extended attributes; "-" is standard output. The copy is complete or does not
 * exist. --symbols also copies the directory of its symbols, --bundle puts them into the copy. */

#include <sys/stat.h>

#include "dump-copy.h"
#include "dump-file.h"
#include "dump-source.h"
#include "fd-file.h"
#include "parse-time.h"
#include "remote-run.h"
#include "symbols-directory.h"
#include "verbs.h"

#define SYMBOLS_USEC (20 * USEC_PER_SEC)
#define SYMBOLS_PAUSE_USEC (100 * USEC_PER_MSEC)

static int cp_fail(const char *to, int r) {
        (void) fprintf(stderr, "Failed to write %s: %s\n", to, file_error_string(r));
        return STATUS_FAILED;
}

/* True while the recorder may still be putting them beside the dump, which it does after the dump was answered. */
static bool cp_symbols_may_come(BusClient *bus, const json_object *dump) {
        _cleanup_(json_object_putp) json_object *session = NULL;
        usec_t now = now_usec(CLOCK_REALTIME), made = json_get_unsigned(dump, "Timestamp");

        return *json_get_string(dump, "Object") && !*json_get_string(dump, "SymbolsPath") &&
               now >= made && now - made < SYMBOLS_USEC &&
               bus_client_get_session(bus, json_get_string(dump, "Session"), &session) >= 0 &&
               json_get_unsigned(session, "MainPID") != 0 && !strstr(json_get_string(session, "Command"), "--no-symbols");
}

/* Opens the symbols of a dump, which may still be to come. symbols->path stays NULL if it has none, which is printed. */
static int cp_find_symbols(DumpSource *source, const json_object *found, DumpSymbols *symbols) {
        _cleanup_(json_object_putp) json_object *dump = json_ref(found);
        int status;

        while (cp_symbols_may_come(source->bus, dump)) {
                const char *object = json_get_string(found, "Object");
                json_object *newer = NULL;

                (void) usleep(SYMBOLS_PAUSE_USEC);
                if (bus_client_get_dump(source->bus, object, &newer) < 0)
                        break;
                json_object_put(dump);
                dump = newer;
                if (json_set(dump, "Object", json_new_string(object)) < 0)
                        return cp_fail(dump_name(found), -ENOMEM);
        }
        status = dump_source_open_symbols(source, dump, symbols);
        if (status == STATUS_OK && !symbols->path)
                (void) fprintf(stderr, "%s has no symbols: copying only the file\n", dump_name(dump));
        return status;
}

static int cp_copy_symbols(const DumpSymbols *symbols, const char *target) {
        _cleanup_free_ char *to = symbols_directory_name(target);
        int r = to ? dump_copy_symbols(symbols->path, to) : -ENOMEM;

        if (r >= 0)
                return STATUS_OK;
        (void) fprintf(stderr, "Failed to copy the symbols to %s: %s\n", to ?: target, strerror(-r));
        return STATUS_FAILED;
}

static int cp_copy(DumpSource *source, const json_object *dump, int fd, const char *to) {
        _cleanup_(dump_symbols_done) DumpSymbols symbols = DUMP_SYMBOLS_EMPTY;
        const ClientOptions *o = source->options;
        const char *path = json_get_string(dump, "Path"), *slash = strrchr(path, '/');
        struct stat st;
        bool directory = stat(to, &st) >= 0 && S_ISDIR(st.st_mode); /* the copy keeps the dump's name */
        _cleanup_free_ char *target = directory ? path_join(to, slash ? slash + 1 : path) : strdup(to);
        int status = STATUS_OK, r = target ? 0 : -ENOMEM;

        if (r >= 0 && (o->dump.symbols || o->dump.bundle))
                status = cp_find_symbols(source, dump, &symbols);
        /* the symbols first, so that they exist when the dump appears */
        if (r >= 0 && o->dump.symbols && symbols.path)
                status = cp_copy_symbols(&symbols, target);
        if (r >= 0)
                r = o->dump.bundle && symbols.path ? dump_copy_to_bundle(fd, symbols.path, target) : dump_copy_to_file(fd, target);
        return r < 0 ? cp_fail(target ?: to, r) : status;
}

static int cp_copy_from_host(const ClientOptions *o, const char *word, const char *to) {
        char *words[] = { (char *) "cp", (char *) "--", (char *) word, (char *) "-", NULL };

        if (o->dump.symbols || o->dump.bundle) {
                (void) fprintf(stderr, "--%s cannot copy from another host: run perfctl there\n",
                               o->dump.symbols ? "symbols" : "bundle");
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

        if ((o->dump.symbols || o->dump.bundle) && (streq(to, "-") || o->machine)) {
                (void) fprintf(stderr, "--%s works neither with standard output nor with --machine=\n",
                               o->dump.symbols ? "symbols" : "bundle");
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
