/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <errno.h>
#include <fcntl.h>

#include "perfdata-test.h"
#include "strv.h"
#include "view-options.h"

typedef struct Made {
        const char *file, *word;
        bool set;
        char mode[16];
        int number;
        double percentage;
} Made;

static int take_mode(void *field, const ViewOption *option, const char *value) {
        if (value && strlen(value) > 10)
                return option_fail(option->name, value, "too long");
        (void) snprintf(field, sizeof((Made) {}.mode), "%s", value ?: "none");
        return 0;
}

static int take_number(void *options, const ViewOption *option, const char *value) {
        ((Made *) options)->number += option->number;
        return 0;
}

static bool take_word(void *options, const char *word) {
        Made *m = options;

        if (m->word)
                return false;
        m->word = word;
        return true;
}

static const ViewOption rows[] = {
        VIEW_TEXT(Made, file, "file", 'f', "=FILE", "A file;\nin two lines"),
        VIEW_SET(Made, set, "set", 's', NULL),
        VIEW_CLEAR(Made, set, "clear", 0, "It is set, 5 %, or not"),
        VIEW_NEXT(Made, mode, "mode", 'm', "[=MODE]", take_mode, "A mode"),
        VIEW_WHOLE("add-a-number-that-is-long", 'a', NULL, take_number, "Adds it", .number = 3),
        VIEW_CALL(Made, percentage, "percentage", 0, "=PERCENT", view_option_take_percentage, "A share"),
        VIEW_ACCEPTED("old", 'o'),
        VIEW_ACCEPTED("older", 0),
};

static const ViewVerb verb = { .synopsis = "made [WORD]", .purpose = "Show it.", .options = rows, .n = ELEMENTSOF(rows),
                               .take_word = take_word };

static int parse(Made *m, const char *line) {
        static char **words; /* they stay, as those of main() do */

        words = strv_free(words);
        for (const char *p = line; *p; p += strcspn(p, " "), p += *p == ' ') {
                _cleanup_free_ char *word = strndup(p, strcspn(p, " "));

                ck_assert_ok(strv_extend(&words, word));
        }
        *m = (Made) {};
        return view_options_parse(&verb, m, (int) strv_length(words), words);
}

START_TEST(values) {
        Made m;

        ck_assert_int_eq(parse(&m, "made"), 0);
        ck_assert(!m.file && !m.set && !m.word);
        ck_assert_int_eq(parse(&m, "made -saa --fi=x word --mode=y --per 12.5 -o --older"), 0);
        ck_assert_str_eq(m.file, "x");
        ck_assert_str_eq(m.word, "word");
        ck_assert_str_eq(m.mode, "y");
        ck_assert(m.set && m.number == 6 && m.percentage > 12.4 && m.percentage < 12.6);
        ck_assert_int_eq(parse(&m, "made --set --clear -f -"), 0);
        ck_assert(!m.set);
        ck_assert_str_eq(m.file, "-");
}
END_TEST

/* As --call-graph of perf report. */
START_TEST(a_value_that_may_be_missing) {
        Made m;

        ck_assert_int_eq(parse(&m, "made -m -s word"), 0);
        ck_assert_str_eq(m.mode, "none");
        ck_assert_str_eq(m.word, "word");
        ck_assert_int_eq(parse(&m, "made -m flat,0.5 -s"), 0);
        ck_assert_str_eq(m.mode, "flat,0.5");
        ck_assert_ptr_null(m.word);
        ck_assert_int_eq(parse(&m, "made -m word"), 0); /* it is no such value */
        ck_assert_str_eq(m.mode, "none");
        ck_assert_str_eq(m.word, "word");
        ck_assert_int_eq(parse(&m, "made -mx word"), 0);
        ck_assert_str_eq(m.mode, "x");
        ck_assert_int_eq(parse(&m, "made word --mode"), 0);
        ck_assert_str_eq(m.mode, "none");
}
END_TEST

START_TEST(refused) {
        static const char *const lines[] = {
                "made one two", "made --none", "made -x", "made --file", "made --set=1", "made --percentage=101", "made --percentage=",
                "made --percentage=nan", "made --mode=much-too-long", "made --old",
        };
        Made m;

        for (size_t i = 0; i < ELEMENTSOF(lines) - 1; i++)
                ck_assert_msg(parse(&m, lines[i]) == -EINVAL, "%s", lines[i]);
        ck_assert_int_eq(parse(&m, lines[ELEMENTSOF(lines) - 1]), 0); /* "older" begins so, too */
}
END_TEST

START_TEST(help) {
        _cleanup_free_ char *path = test_path("help"), *text = NULL;
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), before = dup(STDOUT_FILENO), r;
        Made m;

        program_invocation_short_name = (char *) "perf-recorder-view";
        ck_assert(fd >= 0 && before >= 0);
        (void) fflush(stdout);
        ck_assert_int_ge(dup2(fd, STDOUT_FILENO), 0);
        r = parse(&m, "made -h --none");
        (void) fflush(stdout);
        ck_assert_int_ge(dup2(before, STDOUT_FILENO), 0);
        ck_assert_int_eq(r, 1);
        text = test_read_file(path, NULL);
        ck_assert_str_eq(text, "perf-recorder-view made [WORD]\n\nShow it.\n\n"
                               "  -f --file=FILE               A file;\n"
                               "                               in two lines\n"
                               "  -s --set --clear             It is set, 5 %, or not\n"
                               "  -m --mode[=MODE]             A mode\n"
                               "  -a --add-a-number-that-is-long\n"
                               "                               Adds it\n"
                               "     --percentage=PERCENT      A share\n"
                               "  -o --old --older             Accepted: this is always so\n");
}
END_TEST

TEST_RUN("view-options", values, a_value_that_may_be_missing, refused, help);
