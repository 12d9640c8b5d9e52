/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Their times are of the wall clock, and a recording that has no relation to it shows all of them. */

#include "recording-lendings.h"

#include <perf-recorder/dump-facts.h>

#include "array.h"
#include "file-facts.h"
#include "saturate.h"
#include "wall-clock.h"

int recording_lendings_read(RecordingInput *in) {
        char text[LENDINGS_TEXT_MAX + 1];
        ssize_t n = file_fact_get(in->fd, PR_DUMP_XATTR_LENT, text, sizeof(text) - 1);

        if (n < 0)
                return 0;
        text[n] = '\0';
        return lendings_parse(text, &in->lent) == -ENOMEM ? -ENOMEM : 0;
}

void recording_lendings_select(RecordingInput *in, const SampleSpan *spans, size_t n) {
        Lendings *l = &in->lent;
        WallClock clock;
        size_t kept = 0;

        if (n == 0 || wall_clock_read(in->reader, &clock) < 0)
                return;
        for (size_t i = 0; i < l->n; i++) {
                uint64_t last_usec = l->all[i].last == 0 ? UINT64_MAX : l->all[i].last;
                uint64_t first = wall_clock_to_time(&clock, saturate_product(l->all[i].first, NSEC_PER_USEC));
                uint64_t last = wall_clock_to_time(&clock, saturate_product(last_usec, NSEC_PER_USEC));

                if (ANY_OF(n, k, (spans[k].until == 0 || first <= spans[k].until) && last >= spans[k].since))
                        l->all[kept++] = l->all[i];
                else
                        free(l->all[i].who);
        }
        l->n = kept;
}

void recording_lendings_remark(const RecordingInput *in) {
        for (size_t i = 0; i < in->lent.n; i++) {
                _cleanup_free_ char *phrase = lending_describe(&in->lent.all[i]);

                (void) fprintf(stderr, "%s: counters were lent (%s): samples are missing\n", in->name, phrase ?: "");
        }
}

void recording_lendings_put_json(JsonWriter *w, const Lendings *l) {
        if (l->n == 0)
                return;
        json_writer_begin(w, "lent", '[');
        for (size_t i = 0; i < l->n; i++) {
                json_writer_begin(w, NULL, '{');
                json_writer_number(w, "first_usec", l->all[i].first);
                if (l->all[i].last > 0)
                        json_writer_number(w, "last_usec", l->all[i].last);
                json_writer_text(w, "what", counter_kind_to_string(l->all[i].kind));
                json_writer_text(w, "who", l->all[i].who);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
}
