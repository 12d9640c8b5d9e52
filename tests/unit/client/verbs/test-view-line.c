/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "capture.h"
#include "check-main.h"
#include "quote.h"
#include "strv.h"
#include "view-line.h"

/* The words are separated by blanks. */
static int read_line(ViewLine *line, ClientOptions *o, const char *verb, const char *words) {
        _cleanup_strv_free_ char **arguments = NULL;

        for (const char *p = words; *p; p += strcspn(p, " "), p += *p == ' ') {
                _cleanup_free_ char *word = strndup(p, strcspn(p, " "));

                ck_assert_int_ge(strv_extend(&arguments, word), 0);
        }
        view_line_done(line);
        *o = (ClientOptions) {};
        return view_line_read(line, verb, arguments, o);
}

static void expect(const char *verb, const char *words, const char *dumps, const char *options) {
        _cleanup_(view_line_done) ViewLine line = {};
        _cleanup_free_ char *joined_dumps = NULL, *joined_options = NULL;
        ClientOptions o;

        ck_assert_int_eq(read_line(&line, &o, verb, words), 0);
        joined_dumps = strv_join(line.dumps, " ");
        joined_options = strv_join(line.options, " ");
        ck_assert_str_eq(joined_dumps ?: "", dumps);
        ck_assert_str_eq(joined_options ?: "", options);
}

START_TEST(any_order) {
        expect("report", "", "", "");
        expect("report", "cpu --sort=comm", "cpu", "--sort=comm");
        expect("report", "--sort=comm cpu", "cpu", "--sort=comm");
        expect("report", "-s comm cpu -n other", "cpu other", "--sort=comm --show-nr-samples");
        expect("report", "-nscomm -1 --no-ch", "-1", "--show-nr-samples --sort=comm --no-children");
        expect("report", "-g -2 -v", "-2", "--call-graph --verbose");
        expect("report", "-g cpu", "cpu", "--call-graph");
        expect("report", "-g caller,0.5 cpu", "cpu", "--call-graph=caller,0.5");
        expect("report", "--call-graph 0.5 cpu", "cpu", "--call-graph=0.5");
        expect("report", "-gfractal cpu", "cpu", "--call-graph=fractal");
        expect("script", "-F comm,ip -- -F", "-F", "--fields=comm,ip");
        expect("export", "--format=pprof cpu", "cpu", "--format=pprof");
}
END_TEST

/* The viewer says what is wrong with them. */
START_TEST(refused_by_the_viewer) {
        expect("report", "--nonsense cpu", "cpu", "--nonsense");
        expect("report", "-nZ cpu", "cpu", "--show-nr-samples -Z");
        expect("report", "--stdio=1 cpu", "cpu", "--stdio=1");
        expect("report", "cpu --sort", "cpu", "--sort");
        expect("report", "cpu -s", "cpu", "-s");
}
END_TEST

START_TEST(own_options) {
        _cleanup_(view_line_done) ViewLine line = {};
        ClientOptions o;

        ck_assert_int_eq(read_line(&line, &o, "report", "cpu --no-pager -H there -v"), 0);
        ck_assert_str_eq(o.host, "there");
        ck_assert(o.no_pager && !o.user);
        ck_assert_int_eq(read_line(&line, &o, "annotate", "--user --machine=box -M intel"), 0);
        ck_assert(o.user);
        ck_assert_str_eq(o.machine, "box");
        ck_assert_str_eq(line.options[0], "--disassembler-style=intel");
        ck_assert_int_eq(read_line(&line, &o, "flamegraph", "--json=off -o x.svg --format=svg"), 0);
        ck_assert_str_eq(line.output, "x.svg");
        ck_assert(line.format && !line.input && strv_length(line.options) == 1);
        ck_assert_int_eq(read_line(&line, &o, "report", "--json=short -"), 0);
        ck_assert(line.piped && strv_length(line.options) == 1);
        ck_assert_int_eq(read_line(&line, &o, "report", "-h a b -i c"), 0);
        ck_assert(line.help);
}
END_TEST

START_TEST(now) {
        static const char *const lines[] = { "--now=cpu -n", "--now cpu -n", "cpu -n --now", "-n --now cpu" };
        _cleanup_(view_line_done) ViewLine line = {};
        ClientOptions o;

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                ck_assert_int_eq(read_line(&line, &o, "report", lines[i]), 0);
                ck_assert_str_eq(line.session, "cpu");
                ck_assert_uint_eq(strv_length(line.options), 1);
                ck_assert_uint_eq(strv_length(line.dumps), 0);
                ck_assert(o.now_too && !o.dump.no_keep);
        }
        ck_assert_int_eq(read_line(&line, &o, "report", "--no-keep cpu --now"), 0);
        ck_assert(o.now_too && o.dump.no_keep);
}
END_TEST

/* The other one of a pair may be named on either side. */
START_TEST(now_of_a_pair) {
        static const char *const lines[] = { "old --now=cpu", "old --now cpu", "--now cpu old", "--now=cpu old" };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                _cleanup_(view_line_done) ViewLine line = { .pair = true };
                _cleanup_strv_free_ char **arguments = NULL;
                ClientOptions o = {};

                ck_assert_int_eq(split_words(lines[i], 8, &arguments), 0);
                ck_assert_int_eq(view_line_read(&line, "diff", arguments, &o), 0);
                ck_assert_str_eq(line.session, "cpu");
                ck_assert_uint_eq(strv_length(line.dumps), 1);
                ck_assert_str_eq(line.dumps[0], "old");
        }
}
END_TEST

/* A flame graph has another one to compare with, if it is asked for. */
START_TEST(now_of_a_difference) {
        static const char *const lines[] = { "old --now=cpu --diff", "old --now=cpu" };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                _cleanup_(view_line_done) ViewLine line = {};
                _cleanup_strv_free_ char **arguments = NULL;
                ClientOptions o = {};

                ck_assert_int_eq(split_words(lines[i], 8, &arguments), 0);
                ck_assert_int_eq(view_line_read(&line, "flamegraph", arguments, &o), i == 0 ? 0 : -EINVAL);
        }
}
END_TEST

/* A verb that has a session of its own shows that one's dump, unless another one is named. */
START_TEST(now_as_usual) {
        static const char *const lines[][2] = {
                { "--now -n", "syscalls" }, { "--now=cpu", "cpu" }, { "cpu --now", "cpu" }, { "cpu", "" }, { "-n", "" },
        };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                _cleanup_(view_line_done) ViewLine line = { .usual_session = "syscalls" };
                _cleanup_strv_free_ char **arguments = NULL;
                ClientOptions o = {};

                ck_assert_int_eq(split_words(lines[i][0], 8, &arguments), 0);
                ck_assert_int_eq(view_line_read(&line, "report", arguments, &o), 0);
                ck_assert_str_eq(line.session ?: "", lines[i][1]);
        }
}
END_TEST

START_TEST(contradictions) {
        static const char *const lines[][2] = {
                { "--now", "--now takes a session\n" },
                { "--now=", "--now takes a session\n" },
                { "a b --now", "--now takes a session\n" },
                { "--now a b", "Both --now=a and 'b' name a recording\n" },
                { "--now=a --now b", "Both --now=a and --now=b: one dump is made\n" },
                { "--now=a b", "Both --now=a and 'b' name a recording\n" },
                { "--now=a -", "Both --now=a and '-' name a recording\n" },
                { "a -", "Both 'a' and '-' name a recording\n" },
                { "a -ni x", "Both 'a' and -i name a recording\n" },
                { "--now a --input=x", "Both 'a' and -i name a recording\n" },
        };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                _cleanup_(view_line_done) ViewLine line = {};
                _cleanup_free_ char *said = NULL;
                ClientOptions o;
                int saved = capture_begin(STDERR_FILENO), r = read_line(&line, &o, "report", lines[i][0]);

                said = capture_end(STDERR_FILENO, saved);
                ck_assert_int_eq(r, -EINVAL);
                ck_assert_str_eq(said, lines[i][1]);
        }
}
END_TEST

CHECK_MAIN("view-line", any_order, refused_by_the_viewer, own_options, now, now_of_a_pair, now_of_a_difference, now_as_usual, contradictions);
