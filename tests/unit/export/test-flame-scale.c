/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The scale of a chart with three samples of one thread, at 10:01:12.250, a second later, and behind midnight. */

#include "flame-scale.h"
#include "parse-time.h"
#include "perfdata-test.h"

#define NOON_SEC UINT64_C(1764324072) /* 2025-11-28 10:01:12 UTC */

static FrameMoment moments[] = {
        { .at = 0, .time = NOON_SEC * NSEC_PER_SEC + 250 * NSEC_PER_MSEC, .first = true },
        { .at = 5, .time = (NOON_SEC + 1) * NSEC_PER_SEC + 250 * NSEC_PER_MSEC },
        { .at = 9, .time = (NOON_SEC + 14 * 3600) * NSEC_PER_SEC },
};
static const FrameTree tree = { .moments = { .moments = moments, .n = ELEMENTSOF(moments) } };

static void expect(bool times_of_day, double weight, const char *expected) {
        const FlamePicture p = { .times_of_day = times_of_day };
        char label[FLAME_SCALE_LABEL_SIZE];

        flame_scale_label(&p, &tree, flame_scale_moment(&tree, weight), label);
        ck_assert_str_eq(label, expected);
}

START_TEST(labels) {
        (void) setenv("TZ", "UTC", 1);
        expect(true, 0, "10:01:12.250");
        expect(true, 4.9, "10:01:12.250");
        expect(true, 5, "10:01:13.250");
        expect(true, 1e9, "00:01:12.000");
        expect(false, 6, "1.000 s");
}
END_TEST

START_TEST(data) {
        static const struct {
                bool times_of_day;
                const char *expected;
        } table[] = {
                { true, "36072,0,250000,1,5,1250000,0,9,50400000000,0" }, { false, "-1,0,0,1,5,1000000,0,9,50399750000,0" },
        };

        (void) setenv("TZ", "UTC", 1);
        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                _cleanup_(text_buffer_done) TextBuffer out = {};

                flame_scale_put(&(FlamePicture) { .times_of_day = table[i].times_of_day }, &tree, &out);
                text_buffer_putc(&out, '\0');
                ck_assert_str_eq(out.data, table[i].expected);
        }
}
END_TEST

TEST_RUN("flame-scale", labels, data);
