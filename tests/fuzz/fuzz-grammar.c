/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any -e string, parsed for a made-up machine: the result is a valid list that can be opened, or an error with a
 * sentence and an unchanged list. */

#include "attr.h"
#include "attr-describe.h"
#include "fuzz.h"
#include "grammar.h"
#include "test-machine.h"

static const GrammarSources sources = { .event_source = TEST_EVENT_SOURCE("intel"), .tracefs = TEST_DATA "/tracefs",
                                        .kallsyms = TEST_DATA "/kallsyms" };

static void check_spec(const EventSpecs *list, size_t i) {
        static const AttrOptions options = ATTR_OPTIONS_DEFAULT;
        const EventSpec *s = &list->specs[i];
        struct perf_event_attr attr;
        char *text;

        FUZZ_ASSERT(s->name && s->column > 0);
        FUZZ_ASSERT(!s->tracepoint_system == !s->tracepoint_name);
        FUZZ_ASSERT((s->attr.type == PERF_TYPE_TRACEPOINT) >= !!s->tracepoint_name);
        FUZZ_ASSERT(s->group <= list->n_groups && (s->group == 0) == (s->group_size == 0));
        FUZZ_ASSERT(s->leader || (i > 0 && s->group > 0 && list->specs[i - 1].group == s->group));
        FUZZ_ASSERT(s->attr.precise_ip <= 3);

        attr_build(s, &options, i == 0, &attr);
        text = attr_describe(&attr, ATTR_FORM_LIST);
        FUZZ_ASSERT(text);
        free(text);
}

static void check_specs(const EventSpecs *list) {
        FUZZ_ASSERT(list->n_specs <= EVENT_SPECS_MAX);
        for (size_t i = 0; i < list->n_specs; i++)
                check_spec(list, i);
}

/* Probes name files, which have many errors of their own. */
static bool is_of_file(int r) {
        return r == -ENOEXEC || r == -ENOTUNIQ || r == -ENOTDIR || r == -EACCES || r == -ELOOP || r == -ENAMETOOLONG;
}

static void check_refusal(const Diagnosis *d, int r, size_t length) {
        FUZZ_ASSERT(r == -EINVAL || r == -ENOENT || r == -EOPNOTSUPP || r == -E2BIG || r == -ERANGE || is_of_file(r));
        FUZZ_ASSERT(d->sentence && *d->sentence);
        FUZZ_ASSERT(d->column <= length + 1);
        FUZZ_ASSERT(d->column > 0 || r == -E2BIG);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_free_ char *text = strndup((const char *) data, size);
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r;

        FUZZ_ASSERT(text);
        FUZZ_ASSERT(event_specs_parse(&list, "{cs,faults}", &sources, NULL) == 0);
        r = event_specs_parse(&list, text, &sources, &d);
        if (r < 0) {
                check_refusal(&d, r, strlen(text));
                FUZZ_ASSERT(list.n_specs == 2 && list.n_groups == 1 && list.last_begin == 0);
                return 0;
        }
        FUZZ_ASSERT(list.n_specs > 2 && list.last_begin == 2);
        check_specs(&list);

        (void) event_specs_set_filter(&list, text, NULL);
        (void) event_specs_set_cgroups(&list, text, NULL);
        check_specs(&list);
        return 0;
}
