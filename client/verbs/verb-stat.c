/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl stat: executes perf-recorder-meter with all words behind the verb. stat report may name a dump among them, which the
 * service opens; nothing else needs it. */

#include "dump-list.h"
#include "dump-source.h"
#include "run-meter.h"
#include "strv.h"
#include "verbs.h"
#include "view-words.h"

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
 * What the meter refuses stays among the words, so that it says why. */
static int stat_read_report(char **arguments, const char **ret_dump, char ***words) {
        ViewTable table = VIEW_TABLE_EMPTY;
        size_t n;
        const ViewWord *rows = view_words_find("stat report", &n), *word;
        int argc = (int) strv_length(arguments), begin = 1, r = view_table_add(&table, rows, n);
        const char *value;

        if (r < 0)
                return r;
        opterr = optind = 0;
        (void) view_table_next(&table, 1, arguments, &word, &value); /* begins anew, in front of the first word */
        while ((r = stat_next_word(&table, argc, arguments, &word, &value)) > 0) {
                if (!word && *ret_dump)
                        return -E2BIG;
                if (!word)
                        *ret_dump = value;
                for (; begin < optind; begin++)
                        if (word && strv_extend(words, arguments[begin]) < 0)
                                return -ENOMEM;
        }
        if (r == 0 && optind < argc && !*ret_dump) { /* behind "--" */
                *ret_dump = arguments[optind];
                begin = optind + 1;
        }
        return r == -EINVAL || r == 0 ? strv_extend_strv(words, arguments + begin) : r;
}

/* The dump becomes the standard input. Returns the exit status. */
static int stat_open_dump(const ClientOptions *o, const char *dump) {
        _cleanup_(dump_source_done) DumpSource source = { .options = o };
        _cleanup_(json_object_putp) json_object *found = NULL;
        _cleanup_close_ int fd = -EBADF;
        int status = dump_source_find_and_open(&source, dump, &found, &fd);

        if (status == STATUS_OK && dup2(fd, STDIN_FILENO) < 0)
                return verb_fail("open the dump", -errno);
        return status;
}

int verb_stat(const ClientOptions *o, char **arguments) {
        _cleanup_strv_free_ char **words = NULL;
        bool reports = arguments && arguments[0] && streq(arguments[0], "report");
        const char *dump = NULL;
        int r = strv_extend(&words, "perfctl"), status;

        if (r >= 0)
                r = strv_extend(&words, "stat");
        if (r >= 0 && !reports)
                r = strv_extend_strv(&words, arguments);
        if (r >= 0 && reports)
                r = strv_extend(&words, "report");
        if (r >= 0 && reports)
                r = stat_read_report(arguments, &dump, &words);
        if (r == -E2BIG) {
                (void) fprintf(stderr, "'stat report' takes one dump\n");
                return STATUS_FAILED;
        }
        if (r < 0)
                return verb_fail("run the meter", r);
        if (!dump)
                return meter_execute(words);
        r = strv_extend(&words, "--input=-");
        if (r >= 0) /* as other verbs about dumps; perf's, whose words the rest is, writes to standard error */
                r = strv_extendf(&words, "--log-fd=%d", STDOUT_FILENO);
        status = r < 0 ? verb_fail("run the meter", r) : stat_open_dump(o, dump);
        return status == STATUS_OK ? meter_execute(words) : status;
}
