/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl info: prints all facts about dumps of the service or in files. What is in the file is read by perf-recorder-view, which
 * restricts itself and answers in JSON. A broken file is shown as far as it can be read, and the exit status is 1. */

#include <sys/resource.h>

#include "dump-info.h"
#include "fd-file.h"
#include "pager.h"
#include "remote-run.h"
#include "strv.h"
#include "terminal.h"
#include "verbs.h"
#include "viewed-dump.h"
#include "viewer-process.h"

#define ANSWER_MAX ((size_t) 256 << 20) /* bytes */

static int info_show(const ClientOptions *o, const DumpInfo *d, json_object *all) {
        json_object *object;
        int r;

        if (o->json == JSON_OFF) {
                dump_info_print(d, o->table.full ? 0 : terminal_get()->columns);
                return 0;
        }
        r = dump_info_to_json(d, &object);
        return r < 0 ? r : json_append(all, object);
}

static int info_add_filter(const ClientOptions *o, const char *comm, char ***words) {
        int r = 0;

        STRV_FOREACH(name, o->samples.comms)
                if (r >= 0)
                        r = strv_extendf(words, "--%s=%s", comm, *name);
        STRV_FOREACH(unit, o->samples.units)
                if (r >= 0)
                        r = strv_extendf(words, "--unit=%s", *unit);
        for (size_t i = 0; r >= 0 && i < o->samples.n_pids; i++)
                r = strv_extendf(words, "--pid=%" PRIu32, o->samples.pids[i]);
        for (size_t i = 0; r >= 0 && i < o->samples.n_tids; i++)
                r = strv_extendf(words, "--tid=%" PRIu32, o->samples.tids[i]);
        if (r >= 0 && o->samples.no_idle)
                r = strv_extend(words, "--no-idle");
        return r < 0 ? r : strv_extend_strv(words, o->samples.times_and_cpus);
}

static void info_remark_nothing_selected(const ClientOptions *o, const DumpInfo *d) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *filter = NULL;
        const char *pattern = NULL;

        if (o->quiet || !d->selected || !json_get(d->found, "selected") || json_get_unsigned(d->found, "selected") > 0)
                return;
        if (info_add_filter(o, "comm", &words) >= 0)
                filter = strv_join(words, " ");
        STRV_FOREACH(name, o->samples.comms)
                pattern = pattern ?: word_is_pattern(*name) ? *name : NULL;
        (void) fflush(stdout);
        (void) fprintf(stderr, "%s: none of the %" PRIu64 " samples matches %s%s%s%s\n", dump_name(d->dump),
                       json_get_unsigned(d->found, "samples"), filter ?: "the filter", pattern ? "; '" : "", pattern ?: "",
                       pattern ? "' was taken for a name and for a pattern" : "");
}

/* The viewer reads the dump from its standard input, and writes to a file in memory. */
typedef struct InfoPipes {
        int dump, answer;
} InfoPipes;

static int info_prepare(void *userdata) {
        const struct rlimit limit = { ANSWER_MAX, ANSWER_MAX };
        const InfoPipes *p = userdata;

        return dup2(p->dump, STDIN_FILENO) < 0 || dup2(p->answer, STDOUT_FILENO) < 0 ||
               setrlimit(RLIMIT_FSIZE, &limit) < 0 ? -errno : 0;
}

static int info_make_words(const ClientOptions *o, const ViewedDump *d, char ***words) {
        int r = strv_extend(words, viewer_program());

        if (r >= 0)
                r = strv_extend(words, "info");
        if (r >= 0)
                r = viewed_dump_add_words(d, STDIN_FILENO, words);
        if (r >= 0 && o->user)
                r = strv_extend(words, "--user");
        if (r >= 0 && o->quiet)
                r = strv_extend(words, "--quiet");
        return r < 0 ? r : info_add_filter(o, "comms", words);
}

/* *ret: what the viewer found, or NULL if it failed, and printed why. Returns its exit status. */
static int info_ask_viewer(const ClientOptions *o, const ViewedDump *d, json_object **ret) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_close_ int answer = open_memfd("perfctl-info", 0);
        _cleanup_free_ char *text = NULL;
        InfoPipes pipes = { .dump = d->fd, .answer = answer };
        int status, r = answer < 0 ? answer : info_make_words(o, d, &words);

        if (r < 0)
                return verb_fail("run the viewer", r);
        status = viewer_run(words, info_prepare, &pipes);
        r = read_fd(answer, ANSWER_MAX, &text, NULL);
        if (r >= 0 && *text)
                r = json_parse(text, ret);
        return r < 0 ? verb_fail("read what the viewer found", r) : status;
}

/* With --now word is a session, of which a dump is made. If it is not kept, it is removed before the facts are printed, since a
 * pager that ends would end perfctl. */
static int info_show_dump(DumpSource *source, const char *word, json_object *all) {
        _cleanup_(viewed_dump_done) ViewedDump viewed = VIEWED_DUMP_EMPTY;
        _cleanup_(json_object_putp) json_object *found = NULL;
        const ClientOptions *o = source->options;
        DumpInfo d;
        int r, status;

        if (o->now_too)
                status = viewed_dump_make(&viewed, source, word, true);
        else
                status = viewed_dump_open(&viewed, source, word, true);
        if (status == STATUS_OK)
                status = info_ask_viewer(o, &viewed, &found);
        status = dump_source_finish(source, status);
        if (!found)
                return status;
        d = (DumpInfo) {
                .dump = viewed.dump, .found = found, .symbols_by_service = viewed.symbols.fd >= 0,
                .no_idle = o->samples.no_idle,
                .removed = o->now_too && o->dump.no_keep && json_get_unsigned(viewed.dump, "Triggers") <= 1,
                .selected = o->samples.comms || o->samples.units || o->samples.n_pids > 0 || o->samples.n_tids > 0 ||
                            o->samples.times_and_cpus,
        };
        r = info_show(o, &d, all);
        if (r < 0)
                return verb_fail("print", r);
        info_remark_nothing_selected(o, &d);
        return status;
}

/* Runs perfctl on another host, with output on this terminal. */
static int info_run_on_host(const ClientOptions *o, char *const *names) {
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "info");

        if (r >= 0 && o->table.full)
                r = strv_extend(&words, "--full");
        if (r >= 0 && o->now_too)
                r = strv_extend(&words, "--now");
        if (r >= 0 && o->dump.no_keep)
                r = strv_extend(&words, "--no-keep");
        if (r >= 0 && o->json != JSON_OFF)
                r = strv_extendf(&words, "--json=%s", json_mode_to_string(o->json));
        if (r >= 0)
                r = info_add_filter(o, "comm", &words);
        if (r >= 0)
                r = strv_extend(&words, "--");
        if (r >= 0)
                r = strv_extend_strv(&words, names);
        return r < 0 ? verb_fail("run ssh", r) : remote_run(o, words, STDOUT_FILENO);
}

int verb_info(const ClientOptions *o, char **arguments) {
        _cleanup_(dump_source_done) DumpSource source = { .options = o };
        _cleanup_(json_object_putp) json_object *all = json_object_new_array();
        size_t n = MAX_OF(strv_length(arguments), (size_t) 1);
        int status = STATUS_OK, r = all ? 0 : -ENOMEM;

        if (o->now_too && (!arguments || !*arguments)) {
                (void) fprintf(stderr, "--now takes a session\n");
                return STATUS_FAILED;
        }
        pager_open(!o->no_pager);
        if (o->host)
                return info_run_on_host(o, arguments);
        for (size_t i = 0; r >= 0 && i < n && !viewer_was_interrupted(); i++) {
                int one;

                if (i > 0 && o->json == JSON_OFF)
                        (void) putchar('\n');
                one = info_show_dump(&source, arguments ? arguments[i] : NULL, all);
                if (status == STATUS_OK)
                        status = one;
        }
        /* one dump is an object, several are an array */
        if (r >= 0 && o->json != JSON_OFF && json_length(all) > 0)
                r = json_print(n == 1 ? json_at(all, 0) : all, o->json);
        return r < 0 ? verb_fail("print", r) : status;
}
