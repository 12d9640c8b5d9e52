/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "page.h"

static void expect(const Page *p, const char *text) {
        _cleanup_free_ char *plain = page_plain(p);

        ck_assert_str_eq(plain, text);
}

START_TEST(lines) {
        _cleanup_(page_done) Page p = {};

        page_begin(&p, 10, 3, true);
        page_put(&p, PAGE_PLAIN, "0123456789012"); /* cut at the edge */
        page_end_line(&p, PAGE_PLAIN);
        page_put(&p, PAGE_HOT, "99.9%");
        page_put(&p, PAGE_PLAIN, " 漢字漢字"); /* of two columns each: the last one does not fit */
        page_end_line(&p, PAGE_PLAIN);
        page_put(&p, PAGE_BAR, "bar");
        page_end_line(&p, PAGE_BAR);
        page_put(&p, PAGE_PLAIN, "below the page");
        page_end_line(&p, PAGE_PLAIN);
        expect(&p, "012345678…\n99.9% 漢…\nbar\n");
        ck_assert_uint_eq(p.n_lines, 3);
        page_begin(&p, 8, 1, false);
        page_put(&p, PAGE_PLAIN, "0123456789");
        page_end_line(&p, PAGE_PLAIN);
        expect(&p, "01234...\n");
}
END_TEST

START_TEST(cells) {
        _cleanup_(page_done) Page p = {};

        page_begin(&p, 30, 2, true);
        page_put_cell(&p, PAGE_PLAIN, "7", 4, true);
        page_put_cell(&p, PAGE_PLAIN, "left", 6, false);
        page_put_cell(&p, PAGE_PLAIN, "beginning-and-end", 8, false);
        page_put(&p, PAGE_PLAIN, "|");
        page_end_line(&p, PAGE_PLAIN);
        expect(&p, "   7left  beg…-end|\n");
}
END_TEST

START_TEST(styles) {
        _cleanup_(page_done) Page p = {};

        page_begin(&p, 4, 2, true);
        page_put(&p, PAGE_WARM, "x");
        page_end_line(&p, PAGE_PLAIN);
        p.cursor = true;
        page_put(&p, PAGE_PLAIN, "y");
        page_end_line(&p, PAGE_PLAIN);
        text_buffer_putc(&p.text, '\0');
        ck_assert_str_eq(p.text.data, "\001ex\n\001Ay\001A   \n"); /* the selected line is one up to the edge */
}
END_TEST

CHECK_MAIN("page", lines, cells, styles);
