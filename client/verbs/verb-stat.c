/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl stat: executes perf-recorder-meter with all words behind the verb. stat report may name a dump among them, which the
 * service opens, or has made before; nothing else needs it. */

#include "dump-list.h"
#include "dump-source.h"
#include "run-meter.h"
#include "strv.h"
#include "verbs.h"
#include "view-words.h"
#include "viewer-process.h"

/* Takes the next word that is a dump, with *ret_word NULL, or the next option. getopt would take "-1" as an option. 1; 0: there
 * are no more; -EINVAL. */
static int stat_next_word(const ViewTable *t, int argc, char **arguments, const ViewWord **ret_word, const char **ret_value) {
        size_t back;

        if (optind >= argc || !dump_word_counts_back(arguments[optind], &back))
                return view_table_next(t, argc, arguments, ret_word, ret_value);
        *ret_word = NULL;
        *ret_value = arguments[optind++];
        return 1;
}

/* Appends the words behind "report", without those that are no options: *ret_dump is the only one of these, NULL: there is none.
 * What the meter refuses stays among the words, so that it says why. --now and --no-keep go to *o. */
static int stat_read_report(char **arguments, ClientOptions *o, const char **ret_dump, char ***words) {
        static const ViewWord own[] = { { "now", 0, "[=SESSION]" }, { "no-keep" } };
        ViewTable table = VIEW_TABLE_EMPTY;
        size_t n;
        const ViewWord *rows = view_words_find("stat report", &n), *word;
        int argc = (int) strv_length(arguments), begin = 1, r = view_table_add(&table, rows, n);
        const char *value;

        if (r >= 0)
                r = view_table_add(&table, own, ELEMENTSOF(own));
        if (r < 0)
                return r;
        opterr = optind = 0;
        (void) view_table_next(&table, 1, arguments, &word, &value); /* begins anew, in front of the first word */
        while ((r = stat_next_word(&table, argc, arguments, &word, &value)) > 0) {
                bool now = word && streq(word->name, own[0].name), no_keep = word && streq(word->name, own[1].name);
                bool names = !word || (now && value), passed = word && !now && !no_keep;

                o->now_too = o->now_too || now;
                o->dump.no_keep = o->dump.no_keep || no_keep;
                if (names && *ret_dump)
                        return -E2BIG;
                if (names)
                        *ret_dump = value;
                for (; begin < optind; begin++)
                        if (passed && strv_extend(words, arguments[begin]) < 0)
                                return -ENOMEM;
        }
        if (r == 0 && optind < argc && !*ret_dump) { /* behind "--" */
                *ret_dump = arguments[optind];
                begin = optind + 1;
        }
        return r == -EINVAL || r == 0 ? strv_extend_strv(words, arguments + begin) : r;
}

/* Executes the meter in place of a viewer. */
static int stat_become_meter(void *userdata) {
        viewer_release_signals();
        _exit(meter_execute(userdata));
}

/* The dump becomes the standard input. perfctl waits for the meter's end if it removes the dump then. Returns the exit status. */
static int stat_report_dump(const ClientOptions *o, const char *dump, char **words) {
        _cleanup_(dump_source_done) DumpSource source = { .options = o };
        _cleanup_(json_object_putp) json_object *found = NULL;
        _cleanup_close_ int fd = -EBADF;
        int status = o->now_too ? dump_source_make(&source, dump, &found) : dump_source_find(&source, dump, &found);

        if (status == STATUS_OK)
                status = dump_source_open(&source, found, &fd);
        if (status == STATUS_OK && dup2(fd, STDIN_FILENO) < 0)
                status = verb_fail("open the dump", -errno);
        if (status == STATUS_OK)
                status = o->dump.no_keep ? viewer_run(words, stat_become_meter, words) : meter_execute(words);
        return dump_source_finish(&source, status);
}

int verb_stat(const ClientOptions *options, char **arguments) {
        _cleanup_strv_free_ char **words = NULL;
        ClientOptions o = *options;
        bool reports = arguments && arguments[0] && streq(arguments[0], "report");
        const char *dump = NULL;
        int r = strv_extend(&words, "perfctl");

        if (r >= 0)
                r = strv_extend(&words, "stat");
        if (r >= 0 && !reports)
                r = strv_extend_strv(&words, arguments);
        if (r >= 0 && reports)
                r = strv_extend(&words, "report");
        if (r >= 0 && reports)
                r = stat_read_report(arguments, &o, &dump, &words);
        if (r == -E2BIG) {
                (void) fprintf(stderr, "'stat report' takes one dump\n");
                return STATUS_FAILED;
        }
        if (r < 0)
                return verb_fail("run the meter", r);
        if (o.now_too && (!dump || !*dump)) {
                (void) fprintf(stderr, "--now takes a session\n");
                return STATUS_FAILED;
        }
        if (client_options_check_keep(&o) < 0)
                return STATUS_FAILED;
        if (!dump)
                return meter_execute(words);
        r = strv_extend(&words, "--input=-");
        if (r >= 0) /* as other verbs about dumps; perf's, whose words the rest is, writes to standard error */
                r = strv_extendf(&words, "--log-fd=%d", STDOUT_FILENO);
        return r < 0 ? verb_fail("run the meter", r) : stat_report_dump(&o, dump, words);
}
