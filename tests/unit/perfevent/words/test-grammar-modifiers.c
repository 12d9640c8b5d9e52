/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The letters after an event and after a group. */

#include "check-main.h"
#include "grammar.h"

static struct perf_event_attr attr_of(const char *text, EventSpec *ret_copy) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_msg(event_specs_parse(&list, text, NULL, &d) == 0, "%s: %s", text, d.sentence);
        if (ret_copy)
                *ret_copy = list.specs[0]; /* its flags only: the strings are freed */
        return list.specs[list.n_specs - 1].attr;
}

static void assert_levels(const char *text, bool user, bool kernel, bool hv, bool guest, bool host) {
        struct perf_event_attr a = attr_of(text, NULL);

        ck_assert_msg(a.exclude_user == !user && a.exclude_kernel == !kernel && a.exclude_hv == !hv, "%s", text);
        ck_assert_msg(a.exclude_guest == !guest && a.exclude_host == !host, "%s: guest %d host %d", text, !a.exclude_guest, !a.exclude_host);
}

START_TEST(test_levels) {
        assert_levels("cs", true, true, true, false, true);
        assert_levels("cs:u", true, false, false, false, true);
        assert_levels("cs:k", false, true, false, true, true);
        assert_levels("cs:uk", true, true, false, false, true);
        assert_levels("cs:h", false, false, true, true, true);
        assert_levels("cs:G", true, true, true, true, false);
        assert_levels("cs:H", true, true, true, false, true);
        assert_levels("cs:GH", true, true, true, true, true);
        assert_levels("cs:Gu", true, false, false, true, false);
        assert_levels("cs:I", true, true, true, true, true);
        assert_levels("cs:", true, true, true, false, true);
        ck_assert(attr_of("cs:I", NULL).exclude_idle);
}
END_TEST

START_TEST(test_precision) {
        EventSpec s;

        ck_assert_uint_eq(attr_of("cycles:p", NULL).precise_ip, 1);
        ck_assert_uint_eq(attr_of("cycles:ppp", NULL).precise_ip, 3);
        ck_assert_uint_eq(attr_of("cycles:upp", NULL).precise_ip, 2);
        (void) attr_of("cycles:P", &s);
        ck_assert(s.precise_max);
}
END_TEST

START_TEST(test_flags) {
        EventSpec s;

        ck_assert(attr_of("cs:D", NULL).pinned);
        ck_assert(attr_of("cs:e", NULL).exclusive);
        (void) attr_of("cs:SW", &s);
        ck_assert(s.sample_read && s.weak && !s.keep_guest);
        (void) attr_of("cs:G", &s);
        ck_assert(s.keep_guest);
}
END_TEST

/* A group's letters are added to those of its events, and pin only its leader. */
START_TEST(test_group) {
        struct perf_event_attr last = attr_of("{cs,faults:u}:D", NULL);
        EventSpec s;

        ck_assert(!last.pinned && last.exclude_kernel);
        (void) attr_of("{cs,faults}:D", &s);
        ck_assert(s.attr.pinned);
        ck_assert(!s.attr.exclude_host && s.attr.exclude_guest);
        last = attr_of("{cs,faults:u}:k", NULL);
        ck_assert(!last.exclude_user && !last.exclude_kernel && last.exclude_hv);
}
END_TEST

START_TEST(test_refused) {
        static const struct {
                const char *text;
                size_t column;
                const char *says;
        } bad[] = {
                { "cs:x", 4, "\"x\"" },      { "cs:ub", 5, "\"b\"" },      { "cs:uku", 6, "twice" }, { "cs:pppp", 7, "ppp" },
                { "cs::u", 4, "expected" },  { "cs//u:k", 6, "expected" }, { "{cs}:q", 6, "\"q\"" }, { "cs:{", 5, "expected" },
                { "{cycles:pp}:pp", 14, "ppp" },
        };
        _cleanup_(event_specs_done) EventSpecs list = {};

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_msg(event_specs_parse(&list, bad[i].text, NULL, &d) == -EINVAL, "%s", bad[i].text);
                ck_assert_msg(d.column == bad[i].column, "%s: column %zu: %s", bad[i].text, d.column, d.sentence);
                ck_assert_msg(strstr(d.sentence, bad[i].says) != NULL, "%s: %s", bad[i].text, d.sentence);
        }
        ck_assert_uint_eq(list.n_specs, 0);
}
END_TEST

CHECK_MAIN("grammar-modifiers", test_levels, test_precision, test_flags, test_group, test_refused);
