/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any line of words: the words read back from the line that is made of them. */

#include "fuzz.h"
#include "quote.h"
#include "strv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_strv_free_ char **words = NULL, **again = NULL;
        _cleanup_free_ char *line = strndup((const char *) data, size), *quoted = NULL;

        FUZZ_ASSERT(line);
        if (split_words(line, 1000, &words) < 0)
                return 0;

        FUZZ_ASSERT(strv_length(words) <= 1000);
        quoted = quote_words(words);
        FUZZ_ASSERT(quoted);
        FUZZ_ASSERT(split_words(quoted, 1000, &again) == 0);
        FUZZ_ASSERT(strv_equal(words, again));
        return 0;
}
