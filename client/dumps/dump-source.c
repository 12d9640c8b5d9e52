/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From a word to an open dump. The service opens its dumps and asks polkit whether this user may read them, so the user needs
 * no permission on its directory. Files are opened as by any program. */

#include "dump-source.h"

#include "dump-file.h"
#include "exit-status.h"
#include "fd-file.h"
#include "format-text.h"

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
