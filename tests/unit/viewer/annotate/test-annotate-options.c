/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "annotate-options.h"
#include "check-main.h"
#include "quote.h"
#include "strv.h"

static int parse(AnnotateOptions *o, char ***words, const char *line) {
        ck_assert_int_eq(split_words(line, 64, words), 0);
        return annotate_options_parse(o, (int) strv_length(*words), *words);
}

static void expect_error(const char *line) {
        _cleanup_strv_free_ char **words = NULL;
        AnnotateOptions o;

        ck_assert_int_eq(parse(&o, &words, line), -EINVAL);
        annotate_options_done(&o);
}

START_TEST(test_words) {
        _cleanup_strv_free_ char **words = NULL, **more = NULL;
        AnnotateOptions o;

        ck_assert_int_eq(parse(&o, &words, "annotate -lP --stdio -d libc.so.6,x --no-source --percent-limit 2.5 f"), 0);
        ck_assert(o.print_lines && o.full_paths && o.stdio && o.no_source && o.percent_limit == 2.5);
        ck_assert_str_eq(o.symbol, "f");
        ck_assert_str_eq(o.select.dsos[1], "x");
        annotate_options_done(&o);
        ck_assert_int_eq(parse(&o, &more, "annotate --stdio --stdio2 -s f -n --no-source --source"), 0);
        ck_assert(!o.stdio && o.value == ANNOTATE_SAMPLES && !o.no_source);
        ck_assert_str_eq(o.symbol, "f");
        annotate_options_done(&o);
}
END_TEST

START_TEST(test_values) {
        _cleanup_strv_free_ char **words = NULL;
        AnnotateOptions o;

        ck_assert_int_eq(parse(&o, &words, "annotate -i a -i b --show-total-period --asm-raw --percent-type=global-hits --skip-missing "
                               "--prefix=/src --prefix-strip=2 --json --stdio-color=always -D"), 0);
        ck_assert(o.value == ANNOTATE_PERIOD && o.bytes && o.whole && o.hits && o.json && o.colors && o.dump);
        ck_assert_uint_eq(o.inputs.n, 2);
        ck_assert_str_eq(o.prefix, "/src");
        ck_assert_uint_eq(o.prefix_strip, 2);
        annotate_options_done(&o);
}
END_TEST

START_TEST(test_bad) {
        expect_error("annotate -n --show-total-period");
        expect_error("annotate --percent-type=local");
        expect_error("annotate --percent-type=period-hits");
        expect_error("annotate --prefix-strip=1");
        expect_error("annotate --prefix=x --prefix-strip=y");
        expect_error("annotate --stdio-color=red");
        expect_error("annotate f g");
        expect_error("annotate -s f g");
        expect_error("annotate --percent-limit=-1");
        expect_error("annotate --nonsense");
}
END_TEST

CHECK_MAIN("annotate-options", test_words, test_values, test_bad);
