/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The command line: options on either side of the verb, values, options that are refused, words that are left to
 * others. */

#include <limits.h>
#include <signal.h>

#include "capture.h"
#include "check-main.h"
#include "client-options.h"
#include "dump-request.h"
#include "strv.h"
#include "verbs.h"

/* Parses "perfctl " and the words of line. */
static int parse(const char *line, ClientOptions *o, char ***ret_words) {
        char *copy = strdup(line), *rest = copy, *word, *argv[32] = { (char *) "perfctl" };
        int argc = 1, r;

        while ((word = strsep(&rest, " ")))
                if (*word)
                        argv[argc++] = word;
        r = client_options_parse(o, argc, argv, verb_word_order, ret_words);
        /* strings in the line must outlive it in these tests */
        o->host = o->host ? strdup(o->host) : NULL;
        o->machine = o->machine ? strdup(o->machine) : NULL;
        o->table.separator = o->table.separator ? strdup(o->table.separator) : NULL;
        free(copy);
        return r;
}

static void done(ClientOptions *o) {
        free((char *) o->host);
        free((char *) o->machine);
        free((char *) o->table.separator);
        client_options_done(o);
}

static void expect_words(const char *line, const char *expected) {
        _cleanup_(done) ClientOptions o = {};
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *joined = NULL;

        ck_assert_int_eq(parse(line, &o, &words), 0);
        joined = strv_join(words, "|");
        ck_assert_str_eq(joined, expected);
}

START_TEST(test_words) {
        expect_words("", "");
        expect_words("list", "list");
        expect_words("-x: list a", "list|a");
        expect_words("list -x : a", "list|a");
        expect_words("signal a -s HUP b", "signal|a|b");
        expect_words("start -- -a", "start|-a");
}
END_TEST

START_TEST(test_separator) {
        static const char *const lines[] = { "-x: list", "list -x :", "list --field-separator=:", "-x:" };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                _cleanup_(done) ClientOptions o = {};
                _cleanup_strv_free_ char **words = NULL;

                ck_assert_int_eq(parse(lines[i], &o, &words), 0);
                ck_assert_str_eq(o.table.separator, ":");
                ck_assert(o.given & OPTION_BIT(OPTION_FIELD_SEPARATOR));
        }
}
END_TEST

/* Words behind record go to the recorder, even if perfctl has such an option. */
START_TEST(test_verbatim) {
        _cleanup_(done) ClientOptions o = {};
        _cleanup_strv_free_ char **words = NULL;

        expect_words("record -F 99 --help -q -- sleep -x 1", "record|-F|99|--help|-q|--|sleep|-x|1");
        expect_words("record", "record");
        ck_assert_int_eq(parse("-q record -q --version", &o, &words), 0);
        ck_assert_uint_eq(o.given, OPTION_BIT(OPTION_QUIET));
        /* as an argument it is an ordinary word */
        expect_words("start record -q", "start|record");
}
END_TEST

/* The command begins at the first operand, and a letter is the verb's. */
START_TEST(test_options_first) {
        _cleanup_(done) ClientOptions o = {}, before = {}, of_log = {};
        _cleanup_strv_free_ char **words = NULL, **other_words = NULL, **log_words = NULL;

        expect_words("reserve -d sh -c -x --what=a", "reserve|sh|-c|-x|--what=a");
        expect_words("reserve -f lock sh -f lock", "reserve|sh|-f|lock");
        expect_words("reserve -- -d --", "reserve|-d|--");
        expect_words("reserve sh -- -d", "reserve|sh|--|-d");
        ck_assert_int_eq(parse("-q reserve -f lock --wait=2s -d sh --who", &o, &words), 0);
        ck_assert_uint_eq(o.given, OPTION_BIT(OPTION_QUIET) | OPTION_BIT(OPTION_LOCK_FILE) | OPTION_BIT(OPTION_WAIT) | OPTION_BIT(OPTION_DETACH));
        ck_assert(o.reserve.detach && !o.reserve.who && !o.journal.follow);
        ck_assert_uint_eq(o.reserve.wait, 2 * USEC_PER_SEC);
        ck_assert_int_eq(parse("--who --wait reserve -d -D -v", &before, &other_words), 0);
        ck_assert(before.reserve.who && !before.reserve.detach && before.reserve.wait == USEC_INFINITY && !before.verbose);
        ck_assert(before.given & OPTION_BIT(OPTION_VERSION));
        ck_assert_int_eq(parse("-f log -v", &of_log, &log_words), 0);
        ck_assert(of_log.journal.follow && of_log.verbose);
}
END_TEST

START_TEST(test_values) {
        _cleanup_(done) ClientOptions o = {};
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(parse("--user -H me@there -M box -q --no-pager --no-ask-password -l --json=pretty -s USR1 "
                               "-p Name,State -p MainPID --timeout=1500ms -n 7 -f -e --force -v --no-legend "
                               "--session=a --session b", &o, &words), 0);
        ck_assert(o.user && o.quiet && o.no_pager && o.no_ask_password && o.table.full && o.force && o.verbose &&
                  o.table.no_legend);
        ck_assert(o.journal.follow && o.journal.pager_end && !o.table.value_only);
        ck_assert_str_eq(o.host, "me@there");
        ck_assert_str_eq(o.machine, "box");
        ck_assert_int_eq(o.json, JSON_PRETTY);
        ck_assert_int_eq(o.signal, SIGUSR1);
        ck_assert_uint_eq(o.timeout, 1500000);
        ck_assert_uint_eq(o.journal.lines, 7);
        ck_assert_uint_eq(strv_length(o.properties), 3);
        ck_assert_str_eq(o.properties[2], "MainPID");
        ck_assert_uint_eq(strv_length(o.sessions), 2);
        ck_assert_ptr_null(words);
}
END_TEST

/* A dump counted from the newest is a word, at any position. */
START_TEST(test_count_back) {
        _cleanup_(done) ClientOptions o = {};
        _cleanup_strv_free_ char **words = NULL;

        expect_words("info -1", "info|-1");
        expect_words("info -1 -q -12 cpu", "info|-1|-12|cpu");
        expect_words("-q cp -2 -", "cp|-2|-");
        expect_words("open -1 -- --stdio -1", "open|-1|--stdio|-1");
        ck_assert_int_eq(parse("dumps -n -1 --since=-5min -r", &o, &words), -EINVAL); /* also as a value */
}
END_TEST

START_TEST(test_dump_values) {
        _cleanup_(done) ClientOptions o = {};
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(parse("--since=-5min --until now --trigger=signal,*-pressure --trigger also --delay=2s --new -r --symbols", &o,
                               &words), 0);
        ck_assert_uint_eq(o.now - o.dump.since, 300 * USEC_PER_SEC);
        ck_assert_uint_eq(o.dump.until, o.now);
        ck_assert_uint_eq(strv_length(o.triggers), 3);
        ck_assert_uint_eq(o.dump.delay, 2 * USEC_PER_SEC);
        ck_assert(o.dump.fresh && o.dump.reverse && o.dump.symbols);
}
END_TEST

/* A unit without a suffix is a service. */
START_TEST(test_units) {
        _cleanup_(done) ClientOptions o = {};
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *units = NULL;

        ck_assert_int_eq(parse("info -u web,user.slice --unit=web* -u web@1", &o, &words), 0);
        units = strv_join(o.samples.units, " ");
        ck_assert_str_eq(units, "web.service user.slice web* web@1.service");
}
END_TEST

START_TEST(test_defaults) {
        _cleanup_(done) ClientOptions o = {};
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(parse("", &o, &words), 0);
        ck_assert_uint_eq(o.given, 0);
        ck_assert_uint_eq(o.journal.lines, UINT_MAX);
        ck_assert_int_eq(o.signal, 0);
        ck_assert(o.dump.since == 0 && o.dump.until == USEC_INFINITY && o.now > 0);
        ck_assert_int_eq(o.json, JSON_OFF);
}
END_TEST

static void expect_refused(const char *line, const char *complaint) {
        _cleanup_(done) ClientOptions o = {};
        _cleanup_free_ char *said = NULL;
        char **words = NULL;
        int saved = capture_begin(STDERR_FILENO), r = parse(line, &o, &words);

        said = capture_end(STDERR_FILENO, saved);
        ck_assert_int_lt(r, 0);
        ck_assert_ptr_null(words);
        ck_assert_msg(strstr(said, complaint), "'%s' is not in: %s", complaint, said);
}

START_TEST(test_refused) {
        expect_refused("list --nonsense", "nonsense");
        expect_refused("list -x", "x");
        expect_refused("signal -s NOPE", "Not a signal: 'NOPE'");
        expect_refused("list --json=long", "'long'");
        expect_refused("ping --timeout=soon", "'soon'");
        expect_refused("ping --timeout=0", "'0'");
        expect_refused("log -n some", "'some'");
        expect_refused("list --quiet=yes", "quiet");
        expect_refused("dumps --since=soon", "Not a time: 'soon'; write it as '2026-11-21 10:53:18' or '-5min'\n");
        expect_refused("dump --since=1795258398", "Not a time: '1795258398'; write it as '@1795258398' or '2026-11-21 ");
        expect_refused("list --state=failed,recroding", "Not a state: 'recroding'; they are inactive, waiting, ");
        expect_refused("list --state=rec", "'rec'");
        expect_refused("dumps --trigger=unit-failrue", "Not a trigger: 'unit-failrue'; they are signal, control, ");
        expect_refused("dumps --trigger=x*", "'x*'");
        expect_refused("dump --delay=infinity", "Not a time span");
        expect_refused("-1", "1");
}
END_TEST

static bool verb_takes_both(OptionId a, OptionId b) {
        const uint64_t both = OPTION_BIT(a) | OPTION_BIT(b);

        for (const Verb *v = verb_table; v->name || v->help; v++)
                if (((v->options | OPTIONS_GLOBAL) & both) == both)
                        return true;
        return false;
}

/* Every option can be given by its letter and its name, and no two that one verb takes share one. */
START_TEST(test_table) {
        for (OptionId i = 0; i < _OPTION_MAX; i++) {
                const ClientOptionRow *row = client_option_row(i);

                ck_assert(row->letter || row->name);
                ck_assert_ptr_nonnull(row->help);
                for (OptionId k = i + 1; k < _OPTION_MAX; k++) {
                        ck_assert(!row->letter || row->letter != client_option_row(k)->letter || !verb_takes_both(i, k));
                        ck_assert(!streq_ptr(row->name, client_option_row(k)->name) || !row->name);
                }
        }
}
END_TEST

/* Each word of a request that perfctl dump is to have is an option of it. */
START_TEST(test_words_of_dump) {
        const Verb *dump = verb_find("dump");

        for (const DumpWord *w = NULL; (w = dump_word_next(w, DUMP_WORD_CALLER));) {
                OptionId i = 0;

                if (!w->option)
                        continue;
                while (i < _OPTION_MAX && !streq_ptr(client_option_row(i)->name, w->option))
                        i++;
                ck_assert_msg(i < _OPTION_MAX && (dump->options & OPTION_BIT(i)), "%s", w->name);
        }
}
END_TEST

CHECK_MAIN("client-options", test_words, test_separator, test_verbatim, test_options_first, test_values, test_count_back, test_dump_values, test_units, test_defaults, test_refused,
           test_table, test_words_of_dump);
