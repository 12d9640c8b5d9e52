/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any command line is either parsed or refused with a sentence; parsed options can be combined or are refused with
 * one. */

#include "fuzz.h"
#include "options.h"
#include "quote.h"

#define WORDS_MAX 1000

static void check_settled(const Options *o) {
        FUZZ_ASSERT(o->events.n_specs > 0);
        FUZZ_ASSERT((o->attr.frequency == 0) != (o->attr.period == 0));
        FUZZ_ASSERT(o->command || o->target.all_cpus || o->target.n_cpus > 0 || target_has_task(&o->target));
        FUZZ_ASSERT((o->pages & (o->pages - 1)) == 0);
        FUZZ_ASSERT(!o->switch_output.size || !o->switch_output.time);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(options_done) Options o = OPTIONS_DEFAULT;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_strv_free_ char **words = NULL, **notes = NULL;
        _cleanup_free_ char *line = strndup((const char *) data, size);
        int r;

        FUZZ_ASSERT(line);
        if (split_words(line, WORDS_MAX, &words) < 0)
                return 0;
        r = options_parse(&o, words, &d);
        FUZZ_ASSERT(r <= 0 && (r < 0) == (d.sentence != NULL));
        if (r < 0)
                return 0;
        r = options_settle(&o, &notes, &d);
        FUZZ_ASSERT(r <= 0 && (r < 0) == (d.sentence != NULL));
        if (r == 0)
                check_settled(&o);
        return 0;
}
