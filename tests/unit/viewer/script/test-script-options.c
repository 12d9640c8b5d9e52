/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "quote.h"
#include "script-options.h"
#include "strv.h"

static int parse(ScriptOptions *o, const char *line) {
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(split_words(line, 64, &words), 0);
        return script_options_parse(o, (int) strv_length(words), words);
}

START_TEST(test_good) {
        ScriptOptions o;

        ck_assert_int_eq(parse(&o, "script"), 0);
        ck_assert(o.style.chains && o.style.max_stack == 127 && !o.style.nanoseconds && !o.header);
        script_options_done(&o);
        ck_assert_int_eq(parse(&o, "script -G --ns --max-stack 5 --header -c a,b --dsos c -S d --pid 1,2 -C 0-3"), 0);
        ck_assert(!o.style.chains && o.style.max_stack == 5 && o.style.nanoseconds && o.header && !o.header_only);
        ck_assert_uint_eq(strv_length(o.select.comms), 2);
        ck_assert_str_eq(o.select.dsos[0], "c");
        ck_assert_str_eq(o.select.symbols[0], "d");
        ck_assert(o.select.n_pids == 2 && o.select.n_cpus == 4);
        script_options_done(&o);
}
END_TEST

START_TEST(test_several) {
        static const char *const words[] = { "script", "--input-name", "A", "-i", "a", "-i", "b", "--symfs", "d", NULL };
        ScriptOptions o;

        ck_assert_int_eq(script_options_parse(&o, ELEMENTSOF(words) - 1, (char **) words), 0);
        ck_assert_uint_eq(o.inputs.n, 2);
        ck_assert(streq(o.inputs.names[0].path, "a") && streq(o.inputs.names[0].name, "A") && !o.inputs.names[0].symfs);
        ck_assert(streq(o.inputs.names[1].path, "b") && !o.inputs.names[1].name && streq(o.inputs.names[1].symfs, "d"));
        script_options_done(&o);
        ck_assert_int_eq(parse(&o, "script"), 0);
        ck_assert(o.inputs.n == 1 && !o.inputs.names[0].path);
        script_options_done(&o);
}
END_TEST

START_TEST(test_bad) {
        static const char *const bad[] = {
                "script -F nonsense", "script --pid x", "script -C 5-", "script --max-stack 99999", "script --reltime --deltatime", "script --show-on-off-events", "script --json --header", "script --json --show-lost-events",
                "script excess", "script --no-such-option", "script --time x", "script -d libc",
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                ScriptOptions o;

                ck_assert_msg(parse(&o, bad[i]) == -EINVAL, "%s", bad[i]);
                script_options_done(&o);
        }
}
END_TEST

CHECK_MAIN("script-options", test_good, test_several, test_bad);
