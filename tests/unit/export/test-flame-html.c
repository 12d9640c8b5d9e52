/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Pages of trees that no recording has. */

#include "flame-picture.h"
#include "perfdata-test.h"

#define HEAVY_NODES 300002u /* more than a page has */

static char *page_of(uint64_t weight) {
        _cleanup_free_ FrameNode *nodes = calloc(HEAVY_NODES, sizeof(*nodes));
        const FrameTree t = { .nodes = nodes, .n = HEAVY_NODES };
        const FlamePicture p = { .title = "", .count_name = "samples", .factor = 1 };
        TextBuffer out = {};

        ck_assert_ptr_nonnull(nodes);
        for (uint32_t i = 0; i < HEAVY_NODES; i++)
                nodes[i] = (FrameNode) {
                        .weight = weight, .child = i == 0, .sibling = i > 0 && i + 1 < HEAVY_NODES ? i + 1 : 0,
                };
        flame_put_html(&p, &t, &out);
        ck_assert_int_eq(out.error, 0);
        text_buffer_putc(&out, '\0');
        return out.data;
}

/* Nodes that are too many for a page are left out if they can be told apart by their weight; it is made in any case. */
START_TEST(many_heavy_nodes) {
        _cleanup_free_ char *light = page_of(1), *heaviest = page_of(UINT64_MAX);

        ck_assert_uint_lt(strlen(light), strlen(heaviest));
        ck_assert_ptr_nonnull(strstr(heaviest, "</html>"));
}
END_TEST

TEST_RUN("flame-html", many_heavy_nodes);
