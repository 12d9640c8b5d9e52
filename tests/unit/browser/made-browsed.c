/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names are those that symbols of the binaries would have. */

#include "made-browsed.h"

#include "record.h"

#define WEB UINT64_C(0x400000)
#define DB UINT64_C(0x500000)
#define LIBRARY UINT64_C(0x600000)
#define SIZE 0x100u
#define SECOND UINT64_C(1000000000)

#define MAIN (WEB + 4)
#define SERVE (WEB + SIZE + 4)
#define PARSE (WEB + 2 * SIZE + 4)
#define QUERY (DB + 4)

void made_browsed_init(MadeBrowsed *m) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const SampleTablePlan plan = { .dimensions = SAMPLE_BY_THREAD | SAMPLE_BY_TIME, .slice = SECOND };
        const CodePlaces *places;

        ck_assert_ok(record_put_comm(&b, 7, 7, "web", 0, NULL));
        ck_assert_ok(record_put_comm(&b, 8, 8, "db", 0, NULL));
        test_put_map(&b, 7, WEB, 0x10000, "/made/web", 0);
        test_put_map(&b, 7, LIBRARY, 0x10000, "/made/libmade.so", 0);
        test_put_map(&b, 8, DB, 0x10000, "/made/db", 0);
        for (uint64_t i = 0; i < 4; i++)
                MADE_SAMPLE(&b, 7, 7, SECOND + i, PARSE, SERVE, MAIN);
        for (uint64_t i = 0; i < 2; i++)
                MADE_SAMPLE(&b, 7, 7, SECOND + 4 + i, PARSE, MAIN);
        for (uint64_t i = 0; i < 3; i++)
                MADE_SAMPLE(&b, 7, 7, SECOND + 6 + i, SERVE, MAIN);
        MADE_SAMPLE(&b, 7, 7, SECOND + 9, LIBRARY + 8, SERVE, MAIN);
        for (uint64_t i = 0; i < 5; i++)
                MADE_SAMPLE(&b, 8, 8, 3 * SECOND + i, QUERY);
        m->table = made_planned_table(&b, NULL, &plan);
        places = sample_table_places(m->table);
        ck_assert_ok(place_names_init(&m->names, places, NULL));
        made_name_code(&m->names, places, WEB, SIZE, "main");
        made_name_code(&m->names, places, WEB + SIZE, SIZE, "serve");
        made_name_code(&m->names, places, WEB + 2 * SIZE, SIZE, "parse");
        made_name_code(&m->names, places, DB, SIZE, "query");
}

void made_browsed_done(MadeBrowsed *m) {
        place_names_done(&m->names);
        sample_table_free(m->table);
}

char *made_browsed_page(Browser *b, unsigned width, unsigned height) {
        _cleanup_(page_done) Page page = {};
        char *plain;

        ck_assert_ok(browser_settle(b));
        page_begin(&page, width, height, true);
        ck_assert_ok(browser_put(b, &page));
        plain = page_plain(&page);
        ck_assert_ptr_nonnull(plain);
        return plain;
}
