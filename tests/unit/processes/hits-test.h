/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "perfdata-test.h"

/* Hits in the records that perfdata-test.h builds. */
DsoHits *test_new_hits(void); /* of test_events() */
int test_feed(DsoHits *h, const RecordBuffer *b);
void test_assert_hits(DsoHits *h, const char *const *paths, size_t n);
#define TEST_ASSERT_HITS(h, ...) \
        test_assert_hits(h, (const char *const[]) { __VA_ARGS__ }, sizeof((const char *[]) { __VA_ARGS__ }) / sizeof(char *))
