/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A browser without a terminal: keys go in, and the page that would be shown comes out. */

#include "array.h"
#include "check-main.h"
#include "made-browsed.h"
#include "screen.h"

typedef struct Made {
        MadeBrowsed samples;
        BrowserFace face;
        Browser *browser;
        const BrowserSubject *asked; /* of the last command, while it runs */
        char *written;
} Made;

static int text_read(void *state, TextBuffer *out) {
        text_buffer_puts(out, state);
        return 0;
}

static void text_done(void *state) {
        free(state);
}

/* Says what it was asked about. */
static int command_run(void *userdata, const BrowserSubject *s, BrowserText *ret) {
        _cleanup_(text_buffer_done) TextBuffer out = {};

        text_buffer_format(&out, "of %s\n", s->function);
        for (size_t i = 0; i < s->n_zooms; i++)
                text_buffer_format(&out, "%s %s\n", zoom_kind_to_string(s->zooms[i].kind), s->zooms[i].text);
        text_buffer_putc(&out, '\0');
        *ret = (BrowserText) { .fd = -EBADF, .read = text_read, .done = text_done, .state = steal_ptr(out.data) };
        return 0;
}

static int face_write(void *userdata, const char *text, size_t size, char **ret_name) {
        Made *m = userdata;

        free(m->written);
        m->written = strndup(text, size);
        *ret_name = strdup("perf-made.txt");
        return 0;
}

static const BrowserCommand commands[] = {
        { 'a', "Annotate", "the code", .of_row = true, .of_function = true, .run = command_run },
};

static void made_init(Made *m) {
        *m = (Made) {};
        made_browsed_init(&m->samples);
        m->face = (BrowserFace) {
                .name = "made", .userdata = m, .table = m->samples.table, .names = &m->samples.names, .has_slices = true,
                .slice_first = NSEC_PER_SEC, .slice_last = 4 * NSEC_PER_SEC, .commands = commands, .n_commands = ELEMENTSOF(commands),
                .write = face_write,
        };
        ck_assert_ok(browser_new(&m->face, true, &m->browser));
        ck_assert_ok(browser_settle(m->browser));
}

static void made_done(Made *m) {
        browser_free(m->browser);
        made_browsed_done(&m->samples);
        free(m->written);
}

static void type(Made *m, const char *keys) {
        for (; *keys; keys++) {
                ck_assert(browser_press(m->browser, (unsigned char) *keys));
                ck_assert_ok(browser_settle(m->browser));
        }
}

static void expect(Made *m, const char *text) {
        _cleanup_free_ char *page = made_browsed_page(m->browser, 60, 8);

        ck_assert_str_eq(page, text);
}

static void expect_part(Made *m, const char *text) {
        _cleanup_free_ char *page = made_browsed_page(m->browser, 100, 24);

        if (!strstr(page, text))
                ck_abort_msg("'%s' is not in\n%s", text, page);
}

START_TEST(rows) {
        _cleanup_(made_done) Made m;

        made_init(&m);
        expect(&m, " made  event 1  15 samples\n"
                   "  Overhead  Command  Shared Object  Symbol\n"
                   "+   40.00%  web      web            [.] parse\n"
                   "+   33.33%  db       db             [.] query\n"
                   "+   20.00%  web      web            [.] serve\n"
                   "+    6.67%  web      libmade.so     [.] (no symbol)\n"
                   "\n"
                   " 1/4 by command, library, function   ? help  q quit  Enter …\n");
        type(&m, "\n");
        expect(&m, " made  event 1  15 samples\n"
                   "  Overhead  Command  Shared Object  Symbol\n"
                   "-   40.00%  web      web            [.] parse\n"
                   "    26.67%    serve\n"
                   "    26.67%    main\n"
                   "    13.33%    main\n"
                   "+   33.33%  db       db             [.] query\n"
                   " 1/7 by command, library, function   ? help  q quit  Enter …\n");
        ck_assert(browser_press(m.browser, SCREEN_KEY_END));
        expect_part(&m, " 7/7 ");
        ck_assert(browser_press(m.browser, SCREEN_KEY_UP));
        ck_assert(browser_press(m.browser, SCREEN_KEY_PAGE_UP));
        ck_assert(browser_press(m.browser, SCREEN_KEY_HOME));
        expect_part(&m, " 1/7 ");
}
END_TEST

START_TEST(zooms_and_back) {
        _cleanup_(made_done) Made m;

        made_init(&m);
        type(&m, "c");
        expect_part(&m, " made  event 1  10 samples, 66.7%  [command web]\n");
        type(&m, "d");
        expect_part(&m, " made  event 1  9 samples, 60.0%  [command web]  [library web]\n");
        type(&m, "F");
        expect_part(&m, "66.67%  web");
        ck_assert(browser_press(m.browser, SCREEN_KEY_ESCAPE));
        expect_part(&m, " made  event 1  10 samples, 66.7%  [command web]\n");
        ck_assert(browser_press(m.browser, SCREEN_KEY_ESCAPE));
        expect_part(&m, " made  event 1  15 samples\n");
        ck_assert(browser_press(m.browser, SCREEN_KEY_ESCAPE));
        expect_part(&m, "This is all there is: q leaves");
        type(&m, "gt");
        expect_part(&m, "This row has no thread: g groups rows in other ways");
        type(&m, "gggg");
        expect_part(&m, "7:web");
        type(&m, "t");
        expect_part(&m, "[thread web/7]");
        ck_assert(!browser_press(m.browser, 'q'));
}
END_TEST

/* Keys may come faster than tables are made: each has its step nevertheless. */
START_TEST(fast_zooms) {
        _cleanup_(made_done) Made m;

        made_init(&m);
        ck_assert(browser_press(m.browser, 'c'));
        ck_assert(browser_press(m.browser, 'd'));
        ck_assert_ok(browser_settle(m.browser));
        expect_part(&m, " made  event 1  9 samples, 60.0%  [command web]  [library web]\n");
        type(&m, "\x1b");
        expect_part(&m, " made  event 1  10 samples, 66.7%  [command web]\n");
        type(&m, "\x1b");
        expect_part(&m, " made  event 1  15 samples\n");
        for (size_t i = 0; i < 2; i++) {
                ck_assert(browser_press(m.browser, 'c'));
                ck_assert(browser_press(m.browser, 'd'));
                type(&m, "\x1b");
                expect_part(&m, " made  event 1  10 samples, 66.7%  [command web]\n");
                type(&m, "\x1b");
                expect_part(&m, " made  event 1  15 samples\n");
        }
}
END_TEST

START_TEST(filter) {
        _cleanup_(made_done) Made m;

        made_init(&m);
        type(&m, "/QUx");
        expect_part(&m, " Rows with: QUx_");
        ck_assert(browser_press(m.browser, SCREEN_KEY_BACKSPACE)); /* as one types */
        expect_part(&m, "+   33.33%  db       db             [.] query\n\n");
        type(&m, "\n");
        expect_part(&m, " 1/1 by command, library, function with \"QU\"");
        ck_assert(browser_press(m.browser, SCREEN_KEY_ESCAPE));
        expect_part(&m, " 1/4 ");
        type(&m, "/\xc3\xa9");
        ck_assert(browser_press(m.browser, SCREEN_KEY_ESCAPE));
        expect_part(&m, " 1/4 ");
        type(&m, "L");
        for (size_t i = 0; i < 8; i++)
                ck_assert(browser_press(m.browser, SCREEN_KEY_BACKSPACE));
        type(&m, "30\n");
        expect_part(&m, " 1/2 ");
        type(&m, "L300\n");
        expect_part(&m, "'300' is no percentage from 0 to 100");
}
END_TEST

START_TEST(times) {
        _cleanup_(made_done) Made m;

        made_init(&m);
        type(&m, "T");
        for (size_t i = 0; i < 10; i++)
                ck_assert(browser_press(m.browser, SCREEN_KEY_BACKSPACE));
        type(&m, "1-2.5\n");
        expect_part(&m, " made  event 1  5 samples  [1.00-2.50 s]");
        ck_assert(browser_press(m.browser, SCREEN_KEY_LEFT));
        expect_part(&m, " made  event 1  0 samples  [0.25-1.75 s]");
        type(&m, "3");
        expect_part(&m, " made  event 1  15 samples\n");
        type(&m, "T-\n");
        expect_part(&m, "Times are FROM-TO, in seconds from the begin, as 1.5-2.5");
}
END_TEST

START_TEST(texts) {
        _cleanup_(made_done) Made m;

        made_init(&m);
        type(&m, "a");
        expect(&m, " Annotate\n"
                   "of parse\n"
                   "command web\n"
                   "library web\n"
                   "\n\n\n"
                   " line 1 of 3   q back  / search  H hottest  w write\n");
        type(&m, "w");
        ck_assert_str_eq(m.written, "of parse\ncommand web\nlibrary web\n");
        type(&m, "H");
        expect_part(&m, "No line has a number in front");
        type(&m, "/nothing\n");
        expect_part(&m, "'nothing' is not in the text");
        type(&m, "q");
        expect_part(&m, " made  event 1  15 samples\n");
        type(&m, "w");
        ck_assert_str_eq(m.written, "  Overhead  Command  Shared Object  Symbol\n"
                                    "+   40.00%  web      web            [.] parse\n"
                                    "+   33.33%  db       db             [.] query\n"
                                    "+   20.00%  web      web            [.] serve\n"
                                    "+    6.67%  web      libmade.so     [.] (no symbol)\n");
        expect_part(&m, "Written to perf-made.txt");
        type(&m, "v");
        expect_part(&m, "         Symbol: [.] parse\n        Samples: 6\n");
        type(&m, "q?");
        ck_assert(browser_press(m.browser, SCREEN_KEY_END));
        expect_part(&m, "   a             the code\n");
        ck_assert(browser_press(m.browser, SCREEN_KEY_ESCAPE));
        type(&m, "~");
        expect_part(&m, "No such key: ? shows all of them");
}
END_TEST

/* The last line is that of answers and of what is typed, however few there are. */
START_TEST(few_lines) {
        _cleanup_(made_done) Made m;

        made_init(&m);
        for (unsigned height = 2; height < 6; height++) {
                _cleanup_free_ char *shown = NULL, *text = NULL;

                shown = made_browsed_page(m.browser, 60, height);
                ck_assert_msg(strstr(shown, "\n 1/4 by command"), "%s", shown);
                ck_assert(height < 3 || strstr(shown, "parse"));
                type(&m, "?");
                text = made_browsed_page(m.browser, 60, height);
                ck_assert_msg(strstr(text, "\n line 1 of "), "%s", text);
                type(&m, "q");
        }
}
END_TEST

/* Every key at every place does something that can be seen, and nothing that breaks, also where there is hardly a screen. */
START_TEST(all_keys) {
        _cleanup_(made_done) Made m;

        made_init(&m);
        for (uint32_t key = ' '; key < 0x7f; key++)
                for (size_t i = 0; i < 6; i++) {
                        _cleanup_free_ char *page = NULL;

                        if (key == 'q' || key == 'Q')
                                continue;
                        ck_assert(browser_press(m.browser, key));
                        page = made_browsed_page(m.browser, 1 + 7 * (unsigned) i, 1 + (unsigned) i);
                        ck_assert_ptr_nonnull(strchr(page, '\n'));
                        ck_assert(browser_press(m.browser, i % 2 == 0 ? SCREEN_KEY_DOWN : SCREEN_KEY_TAB));
                        ck_assert(browser_press(m.browser, SCREEN_KEY_ESCAPE));
                }
}
END_TEST

CHECK_MAIN("browser", rows, zooms_and_back, fast_zooms, filter, times, texts, few_lines, all_keys);
