/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "data-source-text.h"
#include "check-main.h"

START_TEST(sizes) {
        static const uint64_t all[] = { 4096, UINT64_C(2) << 20, 0, 100, UINT64_C(1) << 30, UINT64_C(16) << 30 };
        _cleanup_(text_buffer_done) TextBuffer b = {};

        for (size_t i = 0; i < ELEMENTSOF(all); i++) {
                page_size_put(&b, all[i]);
                text_buffer_putc(&b, ' ');
        }
        text_buffer_putc(&b, '\0');
        ck_assert_str_eq(b.data, "4K 2M N/A 100B 1024M 16G ");
}
END_TEST

CHECK_MAIN("data-source-text", sizes);
