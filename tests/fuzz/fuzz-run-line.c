/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any settings that pass their check make a command line, which reads back from its text. */

#include "quote.h"
#include "run-line.h"
#include "settings-text.h"

static void check_line(const SessionSettings *s) {
        _cleanup_strv_free_ char **words = NULL, **again = NULL;
        _cleanup_free_ char *line = NULL, *described = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r;

        r = run_line_from_settings(s, s->record.unit ? "system.slice/x.service" : NULL, &words, &d);
        FUZZ_ASSERT((r < 0) == (d.sentence != NULL));
        FUZZ_ASSERT(run_line_describe(s, &described) == r);
        if (r < 0)
                return;

        line = quote_words(words);
        FUZZ_ASSERT(line);
        FUZZ_ASSERT(split_words(line, strv_length(words), &again) == 0);
        FUZZ_ASSERT(strv_equal(words, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(session_settings_freep) SessionSettings *s = settings_from_text(data, size);
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r;

        r = session_settings_check(s, &d);
        FUZZ_ASSERT((r < 0) == (d.sentence != NULL));
        if (r == 0)
                check_line(s);
        return 0;
}
