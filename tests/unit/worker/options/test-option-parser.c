/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Command lines as perf record takes them. */

#include "check-main.h"
#include "options.h"
#include "quote.h"

static int parse(Options *o, const char *line, Diagnosis *d) {
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(split_words(line, 100, &words), 0);
        return options_parse(o, words, d);
}

static void assert_refused(const char *line, int error, const char *sentence) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(parse(&o, line, &d), error);
        ck_assert_ptr_nonnull(d.sentence);
        ck_assert_msg(strstr(d.sentence, sentence) != NULL, "%s: %s", line, d.sentence);
}

START_TEST(test_nothing) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

        ck_assert_int_eq(parse(&o, "", NULL), 0);
        ck_assert_ptr_null(o.command);
        ck_assert_uint_eq(o.events.n_specs, 0);
        ck_assert(!o.target.all_cpus);
        ck_assert(!o.frequency_given);
}
END_TEST

START_TEST(test_forms) {
        static const char *const lines[] = {
                "-F 99 -a -g", "-F99 -ag", "-agF99", "-ag -F 99", "--freq 99 --all-cpus -g", "--freq=99 --all-cp --call-graph fp",
                "--fre 99 -a --call-g=fp",
        };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

                ck_assert_msg(parse(&o, lines[i], NULL) == 0, "%s", lines[i]);
                ck_assert_uint_eq(o.frequency, 99);
                ck_assert(o.frequency_given);
                ck_assert(o.target.all_cpus);
                ck_assert_int_eq(o.attr.call_graph.mode, CALL_GRAPH_FP);
                ck_assert_ptr_null(o.command);
        }
}
END_TEST

START_TEST(test_targets) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

        ck_assert_int_eq(parse(&o, "-s -e sched:sched_switch --exclude-perf --per-thread -D -1 --proc-map-timeout 20 -r 5 --no-buffering",
                               NULL), 0);
        ck_assert(o.attr.stat && o.attr.no_buffering && o.target.per_thread);
        ck_assert(enable_times_delay(&o.enable_times));
        ck_assert_uint_eq(o.map_timeout, 20000);
        ck_assert_uint_eq(o.realtime, 5);
        ck_assert_msg(startswith(o.events.specs[0].filter, "common_pid != "), "%s", o.events.specs[0].filter);

        assert_refused("-e cpu-clock --exclude-perf", -EINVAL, "--exclude-perf option should follow a -e tracepoint option");
        assert_refused("--exclude-perf", -EINVAL, "--exclude-perf option should follow a -e tracepoint option");
        assert_refused("-r 100", -ERANGE, "from 1 to 99");
        assert_refused("-r x", -EINVAL, "no real-time priority");
        assert_refused("-D 20-10", -EINVAL, "ends before it begins");
        assert_refused("--proc-map-timeout 0", -EINVAL, "milliseconds");
}
END_TEST

START_TEST(test_output) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT, z = OPTIONS_DEFAULT, none = OPTIONS_DEFAULT;

        ck_assert_int_eq(parse(&o, "-o - -z --max-size 10M --tail-synthesize --timestamp-boundary --dry-run "
                                   "--switch-output-event cpu-clock,minor-faults", NULL), 0);
        ck_assert_str_eq(o.output, "-");
        ck_assert_uint_eq(o.compression, 1);
        ck_assert_uint_eq(o.max_size, 10 << 20);
        ck_assert(o.preamble_last && o.timestamp_boundary && o.dry_run && o.switch_output.enabled);
        ck_assert_uint_eq(o.switch_events.n_specs, 2);
        ck_assert_uint_eq(o.events.n_specs, 0);
        ck_assert_int_eq(parse(&z, "-z99 --max-size=1B", NULL), 0);
        ck_assert_uint_eq(z.compression, 22); /* as perf */
        ck_assert_int_eq(parse(&z, "--compression-level=3", NULL), 0);
        ck_assert_uint_eq(z.compression, 3);
        ck_assert_int_eq(parse(&z, "-z0", NULL), 0);
        ck_assert_uint_eq(z.compression, 1);
        ck_assert_int_eq(parse(&z, "--no-compression-level", NULL), 0);
        ck_assert_uint_eq(z.compression, 0);
        ck_assert_int_eq(parse(&none, "", NULL), 0);
        ck_assert(none.compression == 0 && none.max_size == 0);

        assert_refused("-zfast", -EINVAL, "`fast' is no level of compression from 1 to 22");
        assert_refused("--max-size 10", -EINVAL, "no size with B, K, M or G");
        assert_refused("--max-size 0M", -EINVAL, "no size with B, K, M or G");
        assert_refused("-o dir/", -EINVAL, "no file name");
        assert_refused("--switch-output-event no-such-event", -EINVAL, "");
}
END_TEST

START_TEST(test_history) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

        ck_assert(o.history_size == 0 && o.history_time == USEC_INFINITY);
        ck_assert_int_eq(parse(&o, "-M 64M", NULL), 0);
        ck_assert_uint_eq(o.history_size, 64 << 20);
        ck_assert_uint_eq(o.history_time, USEC_INFINITY);
        ck_assert_uint_eq(o.history_level, 3);
        ck_assert_int_eq(parse(&o, "--history=2G --history-time=90m --history-level=0", NULL), 0);
        ck_assert_uint_eq(o.history_size, UINT64_C(2) << 30);
        ck_assert_uint_eq(o.history_time, 5400 * USEC_PER_SEC);
        ck_assert_uint_eq(o.history_level, 0);
        ck_assert_int_eq(parse(&o, "--history-level 22", NULL), 0);
        ck_assert_uint_eq(o.history_level, 22);

        ck_assert_int_eq(parse(&o, "--history-interval=100ms", NULL), 0);
        ck_assert_uint_eq(o.history_interval, 100 * USEC_PER_MSEC);

        assert_refused("-M 1M --history-interval=9ms", -EINVAL, "`9ms' is no time from 10ms to 1d between two readings");
        assert_refused("-M 1M --history-interval=25h", -EINVAL, "no time from 10ms to 1d");
        assert_refused("-M 64", -EINVAL, "`64' is no size of 1M or more");
        assert_refused("-M 1000K", -EINVAL, "no size of 1M or more");
        assert_refused("-M 1M --history-level=23", -EINVAL, "`23' is no level of compression from 1 to 22, nor 0 for none");
        assert_refused("-M 1M --history-time=5", -EINVAL, "`5' is no time with s, m, h or d");
}
END_TEST

START_TEST(test_command) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT, p = OPTIONS_DEFAULT;

        ck_assert_int_eq(parse(&o, "-e cpu-clock sleep -a 10", NULL), 0);
        ck_assert_uint_eq(strv_length(o.command), 3);
        ck_assert_str_eq(o.command[0], "sleep");
        ck_assert_str_eq(o.command[1], "-a");
        ck_assert(!o.target.all_cpus);

        ck_assert_int_eq(parse(&p, "-a -- -x", NULL), 0);
        ck_assert_uint_eq(strv_length(p.command), 1);
        ck_assert_str_eq(p.command[0], "-x");
}
END_TEST

START_TEST(test_negation) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

        ck_assert_int_eq(parse(&o, "-i -a -B --overwrite", NULL), 0);
        ck_assert(!o.attr.inherit && o.inherit_set && o.target.all_cpus && o.no_build_ids && o.attr.overwrite);
        ck_assert_int_eq(parse(&o, "--inherit --no-all-cpus --no-no-buildid --no-overwrite", NULL), 0);
        ck_assert(o.attr.inherit && !o.target.all_cpus && !o.no_build_ids && !o.attr.overwrite);
        ck_assert_int_eq(parse(&o, "--no-inherit --no-buildid --no-inh", NULL), 0);
        ck_assert(!o.attr.inherit && o.no_build_ids);
}
END_TEST

START_TEST(test_repeated) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

        ck_assert_int_eq(parse(&o, "-vv -v -e cpu-clock -e page-faults,cs:u -o a -o b -p 1,2 -p 3", NULL), 0);
        ck_assert_uint_eq(o.verbose, 3);
        ck_assert_uint_eq(o.events.n_specs, 3);
        ck_assert_str_eq(o.output, "b");
        ck_assert_uint_eq(o.target.n_pids, 3);
        ck_assert_int_eq(parse(&o, "--no-verbose", NULL), 0);
        ck_assert_uint_eq(o.verbose, 0);
}
END_TEST

START_TEST(test_unknown) {
        assert_refused("--frob", -ENOKEY, "unknown option `frob'");
        assert_refused("--frob=3 true", -ENOKEY, "unknown option `frob'");
        assert_refused("-X", -ENOKEY, "unknown switch `X'");
        assert_refused("-aX", -ENOKEY, "unknown switch `X'");
        assert_refused("--switch-o", -ENOKEY, "Ambiguous option: switch-o (could be --switch-output or --switch-output-event)");
        assert_refused("--no", -ENOKEY, "Ambiguous option: no");
}
END_TEST

/* An unsupported option of perf is refused by its name, also if it is abbreviated or among others. */
START_TEST(test_not_supported) {
        assert_refused("--threads", -EOPNOTSUPP, "option `--threads' of perf record is not supported");
        assert_refused("-aS", -EOPNOTSUPP, "`--snapshot'");
        assert_refused("--num-thread", -EOPNOTSUPP, "`--num-thread-synthesize'");
}
END_TEST

START_TEST(test_values) {
        assert_refused("-F", -EINVAL, "option `--freq' requires a value");
        assert_refused("--all-cpus=yes", -EINVAL, "takes no value");
        assert_refused("--no-freq", -EINVAL, "option `--no-freq' isn't available");
        assert_refused("-F abc", -EINVAL, "no frequency");
        assert_refused("-c -1", -EINVAL, "no number of events");
        assert_refused("-m x", -EINVAL, "-m");
        assert_refused("-m 300T", -ERANGE, "`300T' is too large");
        assert_refused("--call-graph foo", -EINVAL, "Unknown --call-graph option value: foo");
        assert_refused("-C a", -EINVAL, "");
        assert_refused("-p x", -EINVAL, "");
        assert_refused("-p 0", -ERANGE, "");
        assert_refused("--filter a==1", -EINVAL, "");
        assert_refused("-o dir/", -EINVAL, "file name");
        assert_refused("--control=foo", -EINVAL, "fifo:CONTROL");
}
END_TEST

START_TEST(test_wrong_event) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_lt(parse(&o, "-e cpu-clock,nonsense", &d), 0);
        ck_assert_str_eq(o.wrong_event, "cpu-clock,nonsense");
        ck_assert_str_eq(d.key, "event");
        ck_assert_uint_eq(d.column, 11);
}
END_TEST

/* With libpfm the message has the column of the event; without the library it has none. */
START_TEST(test_wrong_pfm_event) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r = parse(&o, "--pfm-events NO_SUCH_EVENT", &d);

        ck_assert_int_lt(r, 0);
        ck_assert_str_eq(d.key, "pfm-events");
        if (r == -EOPNOTSUPP)
                ck_assert(!o.wrong_event && strstr(d.sentence, "libpfm"));
        else
                ck_assert_str_eq(o.wrong_event, "NO_SUCH_EVENT");
}
END_TEST

/* Files are refused in every spelling that the parser accepts. */
START_TEST(test_untrusted) {
        static const char *const files[] = {
                "-o x", "-ox", "-fo/run/x", "-a -ago /run/x", "--output=x", "--outp x", "--output -- -a", "-F -- -o x",
                "--control=fifo:/tmp/ctl", "--cont=fifo:/tmp/ctl", "--control fd:3", "--trigger-bpf=/x.o", "--trigger-b /x.o",
        };
        static const char *const others[] = {
                "-a --overwrite", "-e cpu-clock --switch-output=1M", "-f -B --force", "-e kprobe:do_exit -a", "-- prog -o x", "prog -o x",
        };
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;

        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                _cleanup_free_ char *line = NULL, *late = NULL;

                ck_assert_int_gt(asprintf(&line, "--untrusted %s", files[i]), 0);
                ck_assert_int_gt(asprintf(&late, "--control=fd:0 --untrusted -e cpu-clock %s", files[i]), 0);
                if (startswith(files[i], "-F")) { /* "--" is its value, not the end of the options */
                        assert_refused(line, -EINVAL, "`--' is no frequency");
                        continue;
                }
                assert_refused(line, -EPERM, "names a file");
                assert_refused(late, -EPERM, "names a file");
        }
        assert_refused("--untrusted -e uprobe:/root/x:main", -EPERM, "A uprobe names a file");
        assert_refused("--untrusted -e cpu-clock,uprobe:/root/x:main", -EPERM, "A uprobe names a file");
        assert_refused("--untrusted -e {cpu-clock,uprobe:/root/x:main}", -EPERM, "A uprobe names a file");
        assert_refused("--untrusted --trigger-event 'uprobe:/root/x:main pid == 1'", -EPERM, "A uprobe names a file");
        assert_refused("--untrusted --switch-output-event=uprobe:/root/x:main", -EPERM, "A uprobe names a file");
        assert_refused("--untrusted -e cpu-clock -a -G ../../../etc", -EINVAL, "has a \"..\" in it");
        assert_refused("--untrusted --trigger-pressure=cpu:1ms/1s:a/../../b", -EINVAL, "has a \"..\" in it");
        assert_refused("--untrusted --no-untrusted -o x", -EINVAL, "isn't available");

        for (size_t i = 0; i < ELEMENTSOF(others); i++) {
                _cleanup_(options_done) Options fine = OPTIONS_DEFAULT;
                _cleanup_free_ char *line = NULL;
                int r;

                ck_assert_int_gt(asprintf(&line, "--untrusted %s", others[i]), 0);
                r = parse(&fine, line, NULL);
                ck_assert_msg(r == 0 || (strstr(line, "kprobe") && r != -EPERM), "%s: %d", line, r);
        }
        ck_assert_int_eq(parse(&o, "--control=fd:0 -o x --untrusted -a", NULL), 0);
        ck_assert_str_eq(o.output, "x");
}
END_TEST

CHECK_MAIN("option-parser", test_nothing, test_forms, test_targets, test_output, test_history, test_command, test_negation, test_repeated,
           test_unknown, test_not_supported, test_values, test_wrong_event, test_wrong_pfm_event,
           test_untrusted);
