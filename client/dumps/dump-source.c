/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From a word to an open dump. The service opens its dumps and asks polkit whether this user may read them, so the user needs
 * no permission on its directory. Files are opened as by any program.
 *
 * Invariant: a dump that is made and not kept is removed by dump_source_finish() and nowhere else. From the call to the service
 * until then no signal of a user's ends perfctl, except for a second one, or SIGQUIT, while the service is awaited. */

#include "dump-source.h"

#include <signal.h>

#include "dump-file.h"
#include "exit-status.h"
#include "fd-file.h"
#include "format-text.h"
#include "viewer-process.h"

static volatile sig_atomic_t making_interrupted;

void dump_source_done(DumpSource *s) {
        dump_list_done(&s->list);
        bus_client_free(s->bus);
        *s = (DumpSource){};
}

const char *dump_name(const json_object *dump) {
        const char *id = json_get_string(dump, "Id");

        return *id ? id : json_get_string(dump, "Path");
}

/* quiet: prints nothing on failure, because the caller has an alternative. */
static int dump_source_try_load(DumpSource *s, bool quiet) {
        int r = 0;

        if (s->loaded)
                return STATUS_OK;
        if (!s->bus)
                r = quiet ? bus_client_try_open(s->options, &s->bus) : bus_client_open(s->options, &s->bus);
        if (r < 0)
                return STATUS_FAILED;
        if (dump_list_load(s->bus, &s->list) < 0)
                return quiet ? STATUS_FAILED : bus_client_fail(s->bus, "list dumps");
        s->loaded = true;
        return STATUS_OK;
}

int dump_source_load(DumpSource *s) {
        return dump_source_try_load(s, false);
}

static int dump_source_find_file(const char *path, json_object **ret) {
        _cleanup_close_ int fd = dump_file_open(path);
        int r = fd < 0 ? fd : dump_file_facts(fd, path, ret);

        if (r >= 0)
                return STATUS_OK;
        (void) fprintf(stderr, "Failed to open %s: %s\n", path, file_error_string(r));
        return STATUS_FAILED;
}

static int dump_source_fail_to_find(const DumpSource *s, const char *word, int r) {
        size_t back;

        if (r == -ENOTUNIQ) {
                (void) fprintf(stderr, "Several dumps begin with '%s':\n", word);
                dump_list_print_candidates(&s->list, word, stderr);
        } else if (dump_list_has_session(&s->list, word))
                (void) fprintf(stderr, "Session '%s' has no dumps\n", word);
        else if (s->list.n == 0)
                (void) fprintf(stderr, "No dumps found.\n");
        else if (dump_word_counts_back(word, &back))
                (void) fprintf(stderr, "There %s only %zu dump%s\n", s->list.n == 1 ? "is" : "are", s->list.n,
                               s->list.n == 1 ? "" : "s");
        else
                (void) fprintf(stderr, "There is no dump '%s'; 'perfctl dumps' shows all\n", word);
        return STATUS_FAILED;
}

int dump_source_find(DumpSource *s, const char *word, json_object **ret) {
        bool is_file = access(word, F_OK) >= 0;
        const json_object *dump;
        int r;

        if (strchr(word, '/'))
                return dump_source_find_file(word, ret);
        r = dump_source_try_load(s, is_file);
        if (r == STATUS_NOT_RUNNING && !is_file)
                (void) fprintf(stderr, "The path of a dump's file, with a slash in it, works without the service\n");
        if (r != STATUS_OK)
                return is_file ? dump_source_find_file(word, ret) : r;
        r = dump_list_find(&s->list, word, &dump);
        if (r == -ENOENT && is_file)
                return dump_source_find_file(word, ret);
        if (r < 0)
                return dump_source_fail_to_find(s, word, r);
        *ret = json_ref(dump);
        return STATUS_OK;
}

static int dump_source_open_object(DumpSource *s, const json_object *dump, const char *method, const char *what, int *ret_fd) {
        _cleanup_(bus_descriptors_done) BusDescriptors d = {};
        _cleanup_(json_object_putp) json_object *reply = NULL;
        BusClientCall call = {
                .method = method,
                .object = json_get_string(dump, "Object"),
                .flags = BUS_CALL_AUTHORIZE | BUS_CALL_NO_AUTO_START,
        };

        if (bus_client_call_for_descriptors(s->bus, &call, &reply, &d) < 0)
                return bus_client_fail(s->bus, what);
        if (d.n == 0)
                return verb_fail(what, -EBADF);
        *ret_fd = steal_fd(&d.fds[0]);
        return STATUS_OK;
}

static void making_on_signal(int sig) {
        static const char remark[] =
                "The dump is removed as soon as it is written; another signal ends perfctl at once, and leaves it\n";
        int saved = errno;

        making_interrupted = sig;
        (void) !write(STDERR_FILENO, remark, sizeof(remark) - 1);
        errno = saved;
}

/* Another signal has its default effect again, in case that the recorder does not answer. What nohup(1) ignores stays so. */
static void making_handle_signals(void (*handler)(int)) {
        static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
        const struct sigaction action = { .sa_handler = handler, .sa_flags = (int) SA_RESETHAND };
        struct sigaction before;

        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                if (sigaction(signals[i], NULL, &before) >= 0 && before.sa_handler != SIG_IGN)
                        (void) sigaction(signals[i], &action, NULL);
}

/* Asks for the dump. *ret: its object, a new string. */
static int dump_source_request(DumpSource *s, const char *session, char **ret) {
        _cleanup_(json_object_putp) json_object *reply = NULL;
        char *names[] = { (char *) session, NULL };
        const BusClientCall call = {
                .method = "DumpObjects", .names = names,
                .flags = BUS_CALL_NAMES | BUS_CALL_OPTIONS | BUS_CALL_NO_AUTO_START | BUS_CALL_AUTHORIZE | BUS_CALL_WAIT,
                .remark = isatty(STDERR_FILENO) > 0 ? DUMP_STILL_WAITING : NULL,
        };
        const char *object;

        if (bus_client_call(s->bus, &call, &reply) < 0)
                return bus_client_fail_for(s->bus, "dump", names);
        object = json_string(json_at(json_at(json_at(reply, 0), 0), 1)); /* of the first row, which is SESSION, OBJECT */
        if (!*object) {
                (void) fprintf(stderr, "%s: no dump: there are no samples in memory\n", session);
                return STATUS_FAILED;
        }
        *ret = strdup(object);
        return *ret ? STATUS_OK : verb_fail("dump", -ENOMEM);
}

int dump_source_make(DumpSource *s, const char *session, json_object **ret) {
        _cleanup_(json_object_putp) json_object *dump = NULL;
        _cleanup_free_ char *object = NULL;
        bool passing = s->options->dump.no_keep;
        int status;

        if (!s->bus && bus_client_open(s->options, &s->bus) < 0)
                return STATUS_FAILED;
        making_interrupted = 0;
        if (passing) {
                viewer_release_signals(); /* held back for the previous one */
                making_handle_signals(making_on_signal);
        }
        status = dump_source_request(s, session, &object);
        if (passing) {
                viewer_hold_signals();
                making_handle_signals(SIG_DFL);
        }
        if (status != STATUS_OK)
                return status;
        if (bus_client_get_dump(s->bus, object, &dump) < 0)
                return bus_client_fail_for(s->bus, "show the dump of", (char *[]) { (char *) session, NULL });
        if (json_set(dump, "Object", json_new_string(object)) < 0)
                return verb_fail("dump", -ENOMEM);
        if (passing)
                s->passing = json_ref(dump);
        if (making_interrupted)
                return STATUS_FAILED;
        *ret = steal_ptr(dump);
        return STATUS_OK;
}

int dump_source_remove(DumpSource *s, const json_object *dump) {
        const BusClientCall call = {
                .method = "Remove",
                .object = json_get_string(dump, "Object"),
                .flags = BUS_CALL_AUTHORIZE | BUS_CALL_NO_AUTO_START,
        };
        char *names[] = { (char *) json_get_string(dump, "Id"), NULL };

        return bus_client_call(s->bus, &call, NULL) < 0 ? bus_client_fail_for(s->bus, "remove", names) : STATUS_OK;
}

int dump_source_finish(DumpSource *s, int status) {
        _cleanup_(json_object_putp) json_object *dump = steal_ptr(s->passing);
        const char *id = json_get_string(dump, "Id");
        int removed = STATUS_OK;

        if (dump && json_get_unsigned(dump, "Triggers") > 1)
                (void) fprintf(stderr, "%s is kept, since something else caused it, too\n", id);
        else if (dump && (removed = dump_source_remove(s, dump)) != STATUS_OK)
                (void) fprintf(stderr, "%s is still there: 'perfctl rm %s' removes it\n", id, id);
        return status != STATUS_OK ? status : removed;
}

int dump_source_open(DumpSource *s, const json_object *dump, int *ret_fd) {
        const char *path = json_get_string(dump, "Path");
        int fd;

        if (*json_get_string(dump, "Object"))
                return dump_source_open_object(s, dump, "Open", "open the dump", ret_fd);
        fd = dump_file_open(path);
        if (fd < 0) {
                (void) fprintf(stderr, "Failed to open %s: %s\n", path, file_error_string(fd));
                return STATUS_FAILED;
        }
        *ret_fd = fd;
        return STATUS_OK;
}

int dump_source_find_and_open(DumpSource *s, const char *word, json_object **ret, int *ret_fd) {
        _cleanup_(json_object_putp) json_object *dump = NULL;
        int status = dump_source_find(s, word ?: "-1", &dump);

        if (status == STATUS_OK)
                status = dump_source_open(s, dump, ret_fd);
        if (status == STATUS_OK)
                *ret = steal_ptr(dump);
        return status;
}

void dump_symbols_done(DumpSymbols *s) {
        free(s->path);
        s->fd = safe_close(s->fd);
        s->path = NULL;
}

int dump_source_open_symbols(DumpSource *s, const json_object *dump, DumpSymbols *ret) {
        const char *path = json_get_string(dump, "SymbolsPath");
        int status = STATUS_OK;

        if (!*path || s->options->machine)
                return STATUS_OK;
        if (access(path, R_OK | X_OK) >= 0)
                ret->path = realpath(path, NULL);
        else if (*json_get_string(dump, "Object")) {
                status = dump_source_open_object(s, dump, "OpenSymbols", "open the symbols of the dump", &ret->fd);
                if (status == STATUS_OK)
                        ret->path = format_text("/proc/self/fd/%d", ret->fd);
        }
        return status == STATUS_OK && !ret->path ? verb_fail("open the symbols of the dump", -errno) : status;
}
