/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Patterns are extended regular expressions (regex(7)). Given twice, the last one counts. */

#include "chain-patterns.h"

#include "caption.h"
#include "format-text.h"

static int chain_patterns_take(const ViewOption *option, const char *value, regex_t *regex, const char **words) {
        if (*words)
                regfree(regex);
        *words = NULL;
        if (regcomp(regex, value, REG_EXTENDED | REG_NOSUB) != 0)
                return option_fail(option->name, value, "not a regular expression");
        *words = value;
        return 0;
}

int chain_patterns_take_only(void *field, const ViewOption *option, const char *value) {
        ChainPatterns *p = field;

        return chain_patterns_take(option, value, &p->only, &p->only_words);
}

int chain_patterns_take_exclude(void *field, const ViewOption *option, const char *value) {
        ChainPatterns *p = field;

        return chain_patterns_take(option, value, &p->exclude, &p->exclude_words);
}

void chain_patterns_done(ChainPatterns *p) {
        if (p->only_words)
                regfree(&p->only);
        if (p->exclude_words)
                regfree(&p->exclude);
        *p = (ChainPatterns) {};
}

void chain_patterns_apply(const ChainPatterns *p, FrameTreePlan *plan) {
        plan->only = p->only_words ? &p->only : NULL;
        plan->exclude = p->exclude_words ? &p->exclude : NULL;
}

int chain_patterns_describe(const ChainPatterns *p, Caption *caption) {
        _cleanup_free_ char *only = format_text("call chains that match %s", p->only_words ?: ""),
                            *exclude = format_text("call chains that do not match %s", p->exclude_words ?: "");
        int r = only && exclude ? 0 : -ENOMEM;

        if (r >= 0 && p->only_words)
                r = caption_add(caption, CAPTION_SELECTION, only);
        if (r >= 0 && p->exclude_words)
                r = caption_add(caption, CAPTION_SELECTION, exclude);
        return r;
}
