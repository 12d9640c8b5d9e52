/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "capture.h"
#include "check-main.h"
#include "parse-time.h"
#include "top.h"

/* Parses words that are separated by blanks; *ret_text has what was printed. */
static int parse(TopOptions *o, const char *words, char **ret_text) {
        static char **argv; /* options point to words */
        _cleanup_free_ char *text = strdup(words);
        char *rest = text, *word;
        int saved, r;

        argv = strv_free(argv);
        ck_assert_int_eq(strv_extend(&argv, "top"), 0);
        while ((word = strsep(&rest, " ")))
                ck_assert_int_eq(strv_extend(&argv, word), 0);
        optind = 0;
        saved = capture_begin(STDERR_FILENO);
        r = top_options_parse(o, (int) strv_length(argv), argv);
        *ret_text = capture_end(STDERR_FILENO, saved);
        return r;
}

static void expect_refused(const char *words, const char *why) {
        _cleanup_(top_options_done) TopOptions o = {};
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(parse(&o, words, &text), -EINVAL);
        ck_assert_msg(strstr(text, why), "%s: %s", words, text);
}

START_TEST(defaults) {
        _cleanup_(top_options_done) TopOptions o = {};
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(parse(&o, "--stdio", &text), 0);
        ck_assert(o.target.all_cpus && o.events.n_specs >= 1 && o.events.specs->by_default);
        ck_assert_uint_eq(o.delay, 2000000);
        ck_assert(o.keys.n == 2 && o.keys.all[0]->key == REPORT_DSO && o.keys.all[1]->key == REPORT_SYMBOL);
        ck_assert(o.iterations == 0 && o.look.entries == UINT64_MAX && !o.zero && !o.look.batch);
        top_options_done(&o);
        free(steal_ptr(text));
        ck_assert_int_eq(parse(&o, "--plain", &text), 0);
        ck_assert(o.look.batch);
}
END_TEST

START_TEST(words) {
        _cleanup_(top_options_done) TopOptions o = {};
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(parse(&o, "-e cpu-clock,page-faults -p 1 -F max -d 0.5 -s sym,comm,symbol,unit -E 0 -w 3,0 -Kzng --iterations=3", &text), 0);
        ck_assert(!o.target.all_cpus && o.target.n_pids == 1 && o.events.n_specs == 2);
        ck_assert(o.frequency == UINT64_MAX && o.delay == 500000 && o.look.entries == 0 && o.iterations == 3);
        ck_assert(o.keys.n == 3 && o.keys.all[0]->key == REPORT_SYMBOL && o.keys.all[2]->key == REPORT_UNIT);
        ck_assert(o.look.widths.n == 2 && o.look.widths.all[0] == 3);
        ck_assert(o.call_graph && o.hide_kernel && o.zero && o.look.samples && !o.hide_user);
}
END_TEST

/* The kernel has the name that is shown, too. */
START_TEST(chosen) {
        _cleanup_(top_options_done) TopOptions o = {};
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(parse(&o, "--comms a,b --comms=c --dsos libc.so.6,[kernel] --symbols f --percentage relative -g --no-children "
                               "--max-stack 7", &text), 0);
        ck_assert(strv_equal(o.only.comms, (char *[]) { (char *) "a", (char *) "b", (char *) "c", NULL }));
        ck_assert(strv_length(o.only.dsos) == 3 && strv_contains(o.only.dsos, "[kernel.kallsyms]"));
        ck_assert(strv_length(o.only.symbols) == 1 && o.only.relative && o.no_children && o.max_stack == 7);
        top_options_done(&o);
        free(text);
        ck_assert_int_eq(parse(&o, "--percentage absolute --no-children --children --all-cgroups -M intel --proc-map-timeout 9", &text), 0);
        ck_assert(!o.only.relative && !o.no_children && !o.only.comms);
}
END_TEST

/* A browser shows neither chosen names nor other columns. */
START_TEST(as_text) {
        static const char *const browsed[] = { "-e cpu-clock", "-g --percentage relative -K -n -s comm --percent-limit 1" },
                *const written[] = { "--stdio", "--iterations 3", "--comms a", "--dsos a", "--symbols a", "-f 2", "-E 3", "-E 0", "-w 3", "-v" };

        for (size_t i = 0; i < ELEMENTSOF(browsed) + ELEMENTSOF(written); i++) {
                const char *line = i < ELEMENTSOF(browsed) ? browsed[i] : written[i - ELEMENTSOF(browsed)];
                _cleanup_(top_options_done) TopOptions o = {};
                _cleanup_free_ char *printed = NULL;

                ck_assert_int_eq(parse(&o, line, &printed), 0);
                ck_assert_msg(top_options_want_text(&o) == (i >= ELEMENTSOF(browsed)), "%s", line);
        }
}
END_TEST

START_TEST(refused) {
        expect_refused("-s dso,nothing", "nothing");
        expect_refused("-s ,", "it has no key");
        expect_refused("-d 0", "0.05");
        expect_refused("-d nan", "0.05");
        expect_refused("-K -U", "leave nothing");
        expect_refused("-F 99 -c 7", "exclude each other");
        expect_refused("-w 1,x", "widths");
        expect_refused("-gdwarf", "frame pointers");
        expect_refused("-E -1", "not a number");
        expect_refused("--max-stack 0", "not a number of frames");
        expect_refused("--max-stack 65536", "not a number of frames");
        expect_refused("--percentage half", "neither relative nor absolute");
        expect_refused("-e nosuchevent", "nosuchevent");
        expect_refused("--filter x", "");
        expect_refused("word", "word");
}
END_TEST

/* perfctl names the socket by which a session's windows come. */
START_TEST(session) {
        _cleanup_(top_options_done) TopOptions o = {}, all = {};
        _cleanup_free_ char *text = NULL, *other = NULL;

        ck_assert_int_eq(parse(&o, "&7:web@1 -s comm -p 12 -C 0", &text), 0);
        ck_assert(o.windows_fd == 7 && o.delay == 1000000 && o.last == 5 * NSEC_PER_SEC && o.events.n_specs == 0);
        ck_assert_str_eq(o.session, "web@1");
        ck_assert(o.target.n_pids == 1 && o.target.n_cpus == 1 && !o.target.all_cpus);
        ck_assert_int_eq(parse(&all, "--last=all -d 3 &7:a:b", &other), 0);
        ck_assert(all.last == UINT64_MAX && all.delay == 3000000);
        ck_assert_str_eq(all.session, "a:b");
        top_options_done(&all);
        free(steal_ptr(other));
        ck_assert_int_eq(parse(&all, "&7:a --last=90s", &other), 0);
        ck_assert_uint_eq(all.last, 90 * NSEC_PER_SEC);
}
END_TEST

START_TEST(refused_of_session) {
        expect_refused("&7:web -e cpu-clock", "--event is not for a session");
        expect_refused("&7:web -a", "--all-cpus is not");
        expect_refused("&7:web -F 99", "--freq is not");
        expect_refused("&7:web -c 1000", "--count is not");
        expect_refused("&7:web -u root", "--uid is not");
        expect_refused("&7:web -i", "--no-inherit is not");
        expect_refused("&7:web -m 8", "--mmap-pages is not");
        expect_refused("&7:web --max-stack 8", "--max-stack is not");
        expect_refused("&7:web -z", "--zero is not");
        expect_refused("&7:web -G /", "--cgroup is not");
        expect_refused("&7:web --last=0", "not a span");
        expect_refused("&7:web --last=often", "not a span");
        expect_refused("&7:web &8:other", "other");
        expect_refused("&x:web", "web");
        expect_refused("&7", "&7");
        expect_refused("--last=5s", "name one");
}
END_TEST

CHECK_MAIN("top-options", defaults, words, chosen, as_text, refused, session, refused_of_session);
