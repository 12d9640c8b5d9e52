/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "profile-counts.h"

START_TEST(addresses_of_objects) {
        _cleanup_(address_counts_done) AddressCounts c = {};
        uint64_t sum = 0;

        for (unsigned round = 0; round < 3; round++)
                for (uint64_t i = 0; i < 5000; i++)
                        ck_assert_ok(address_counts_add(&c, i % 2, i / 2, 1));
        ck_assert_uint_eq(c.n, 5000);
        for (size_t i = 0; i < c.n; i++) {
                ck_assert_uint_eq(c.counts[i].count, 3);
                sum += c.counts[i].count;
        }
        ck_assert_uint_eq(sum, 15000);
}
END_TEST

TEST_RUN("profile-counts", addresses_of_objects);
