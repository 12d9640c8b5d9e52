/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <math.h>

#include "check-main.h"
#include "share-interval.h"

static void expect(double share, double n, double from, double to) {
        ShareInterval i = share_interval(share, n);

        ck_assert_msg(fabs(i.from - from) < 0.0005 && fabs(i.to - to) < 0.0005, "%g of %g: %g-%g", share, n, i.from, i.to);
}

/* Values of the table in R. G. Newcombe, Two-sided confidence intervals for the single proportion, 1998, method 3. */
START_TEST(test_published) {
        expect(81.0 / 263, 263, 0.2553, 0.3662);
        expect(15.0 / 148, 148, 0.0624, 0.1605);
        expect(0.0 / 20, 20, 0, 0.1611);
        expect(1.0 / 29, 29, 0.0061, 0.1718);
}
END_TEST

START_TEST(test_limits) {
        expect(1, 20, 0.8389, 1);
        expect(0.5, 0, 0, 1);
        expect(NAN, NAN, 0, 1);
        expect(7, 20, 0.8389, 1); /* shares of callers may be too large by rounding */
}
END_TEST

START_TEST(test_weights) {
        ck_assert_double_eq(share_samples(10, 10), 10); /* ten of weight 1 */
        ck_assert_double_eq(share_samples(50, 250), 10); /* ten of weight 5 */
        ck_assert_double_eq(share_samples(101, 10001), 10201.0 / 10001); /* one outweighs the other */
        ck_assert_double_eq(share_samples(0, 0), 0);
}
END_TEST

CHECK_MAIN("share-interval", test_published, test_limits, test_weights);
