/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps of a parse: words, characters, errors with their column, and events that are added. */

#include "grammar-parser.h"

#include "format-text.h"

int parser_fail(Parser *p, size_t at, int r, const char *format, ...) {
        _cleanup_free_ char *sentence = NULL;
        va_list ap;

        if (!p->d)
                return r;
        va_start(ap, format);
        sentence = format_text_va(format, ap);
        va_end(ap);
        if (p->d->column == 0)
                p->d->column = at + 1;
        return diagnosis_set(p->d, r, "%s", sentence ?: "not an event");
}

char parser_peek(const Parser *p) {
        return p->text[p->at];
}

bool parser_accept(Parser *p, char c) {
        if (p->text[p->at] != c)
                return false;
        p->at++;
        return true;
}

int parser_word(Parser *p, const char *until, char **ret) {
        size_t n = strcspn(p->text + p->at, until);
        char *word = strndup(p->text + p->at, n);

        if (!word)
                return -ENOMEM;
        p->at += n;
        *ret = word;
        return 0;
}

int parser_quoted_word(Parser *p, const char *until, char **ret) {
        size_t at = p->at;
        int r;

        if (!parser_accept(p, '\''))
                return parser_word(p, until, ret);
        r = parser_word(p, "'", ret);
        if (r >= 0 && !parser_accept(p, '\''))
                return parser_fail(p, at, -EINVAL, "The quote is not closed");
        return r;
}

void parser_skip_blanks(Parser *p) {
        p->at += strspn(p->text + p->at, " \t\n");
}

int parser_add(Parser *p, uint32_t type, uint64_t config, EventSpec **ret) {
        int r = event_specs_add(p->list, type, config, ret);

        if (r == -E2BIG)
                return parser_fail(p, p->begin, r, "There are more than %d events", EVENT_SPECS_MAX);
        if (r < 0)
                return r;
        (*ret)->column = p->begin + 1;
        if (type == PERF_TYPE_SOFTWARE && config == PERF_COUNT_SW_BPF_OUTPUT) {
                /* what a BPF program passes to bpf_perf_event_output() is the raw data of a sample */
                (*ret)->attr.sample_period = 1;
                (*ret)->attr.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
        }
        return 0;
}
