/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl info: prints all facts about dumps of the service or in files. A broken file is shown as far as it can be read, and
 * the exit status is 1. */

#include "dump-file.h"
#include "dump-source.h"
#include "dump-info.h"
#include "pager.h"
#include "remote-run.h"
#include "strv.h"
#include "terminal.h"
#include "verbs.h"

static int info_fail_to_read(const json_object *dump, int fd, int r) {
        (void) fflush(stdout);
        (void) fprintf(stderr, "Failed to read %s: %s\n", dump_name(dump), dump_file_explain(fd, r));
        return STATUS_FAILED;
}

static int info_show(const ClientOptions *o, const DumpInfo *d, json_object *all) {
        json_object *object;
        int r;

        if (o->json == JSON_OFF) {
                dump_info_print(d, o->full ? 0 : terminal_get()->columns);
                return 0;
        }
        r = dump_info_to_json(d, &object);
        return r < 0 ? r : json_append(all, object);
}

/* Names of functions come from the symbols beside the dump, otherwise from this machine's files if these are the recorded ones. */
static int info_make_profile(const ClientOptions *o, const char *directory, PerfDataReader *reader, Profile **ret) {
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        const ProfileFilter filter = {
                .comms = o->comms, .units = o->units, .user_units = o->user,
                .pids = o->pids, .n_pids = o->n_pids, .tids = o->tids, .n_tids = o->n_tids,
        };
        int r = symbols_new(directory, "", &symbols);

        return r < 0 ? r : profile_new(reader, symbols, &filter, ret);
}

static int info_add_filter(const ClientOptions *o, char ***words) {
        int r = 0;

        STRV_FOREACH(comm, o->comms)
                if (r >= 0)
                        r = strv_extendf(words, "--comm=%s", *comm);
        STRV_FOREACH(unit, o->units)
                if (r >= 0)
                        r = strv_extendf(words, "--unit=%s", *unit);
        for (size_t i = 0; r >= 0 && i < o->n_pids; i++)
                r = strv_extendf(words, "--pid=%" PRIu32, o->pids[i]);
        for (size_t i = 0; r >= 0 && i < o->n_tids; i++)
                r = strv_extendf(words, "--tid=%" PRIu32, o->tids[i]);
        return r;
}

static void info_remark_nothing_selected(const ClientOptions *o, const DumpInfo *d) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *filter = NULL;

        if (o->quiet || !d->filtered || !d->profile || profile_samples(d->profile) > 0)
                return;
        if (info_add_filter(o, &words) >= 0)
                filter = strv_join(words, " ");
        (void) fflush(stdout);
        (void) fprintf(stderr, "%s: none of the %" PRIu64 " samples matches %s\n", dump_name(d->dump), d->counts->samples,
                       filter ?: "the filter");
}

/* Unreadable data ends the counts and the profile, but the rest is shown. */
static int info_read_and_show(const ClientOptions *o, const json_object *dump, int fd, PerfDataReader *reader,
                              const DumpSymbols *symbols, json_object *all) {
        _cleanup_(recording_counts_done) RecordingCounts counts = {};
        _cleanup_profile_free_ Profile *profile = NULL;
        _cleanup_(symbols_missing_done) SymbolsMissing left_out = {};
        DumpInfo d = {
                .dump = dump,
                .reader = reader,
                .counts = &counts,
                .filtered = o->comms || o->units || o->n_pids > 0 || o->n_tids > 0,
                .left_out = &left_out,
                .symbols_by_service = symbols->fd >= 0,
        };
        int r = recording_counts_init(&counts, reader);

        if (r >= 0 && counts.error >= 0)
                r = info_make_profile(o, symbols->path, reader, &profile);
        if (r >= 0 && symbols->path)
                r = symbols_missing_read(&left_out, symbols->path);
        d.profile = profile;
        if (r >= 0)
                r = info_show(o, &d, all);
        if (r == -ENODATA) {
                (void) fprintf(stderr, "%s does not have the units of its samples: SampleFields=cgroup in the session file records "
                               "them\n", dump_name(dump));
                return STATUS_FAILED;
        }
        if (r < 0)
                return info_fail_to_read(dump, fd, r);
        info_remark_nothing_selected(o, &d);
        if (counts.error >= 0)
                return STATUS_OK;
        (void) fflush(stdout);
        (void) fprintf(stderr, "%s is broken: only a part of it could be read\n", dump_name(dump));
        return STATUS_FAILED;
}

static int info_show_dump(DumpSource *source, const char *word, json_object *all) {
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_(dump_symbols_done) DumpSymbols symbols = DUMP_SYMBOLS_EMPTY;
        _cleanup_(json_object_putp) json_object *dump = NULL;
        _cleanup_close_ int fd = -EBADF;
        int r, status = dump_source_find_and_open(source, word, &dump, &fd);

        if (status != STATUS_OK)
                return status;
        (void) dump_source_open_symbols(source, dump, &symbols); /* the rest can be shown without them */
        r = perf_data_reader_new_fd(fd, &reader);
        return r < 0 ? info_fail_to_read(dump, fd, r) : info_read_and_show(source->options, dump, fd, reader, &symbols, all);
}

/* Runs perfctl on another host, with output on this terminal. */
static int info_run_on_host(const ClientOptions *o, char *const *names) {
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "info");

        if (r >= 0 && o->full)
                r = strv_extend(&words, "--full");
        if (r >= 0 && o->json != JSON_OFF)
                r = strv_extendf(&words, "--json=%s", json_mode_to_string(o->json));
        if (r >= 0)
                r = info_add_filter(o, &words);
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

        pager_open(!o->no_pager);
        if (o->host)
                return info_run_on_host(o, arguments);
        for (size_t i = 0; r >= 0 && i < n; i++) {
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
