/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any -e argument, on a machine and with tracepoints that the golden files stand for: what is taken is whole, what is not
 * has a reason and leaves the list as it was. */

#include "fuzz.h"
#include "grammar.h"

static const GrammarSources sources = {
        .event_source = PR_GOLDEN "/machine-hybrid/sys/bus/event_source/devices",
        .tracefs = PR_GOLDEN "/tracefs",
};

static void check_specs(const EventSpecs *list) {
        FUZZ_ASSERT(list->n_specs <= EVENT_SPECS_MAX);
        for (size_t i = 0; i < list->n_specs; i++) {
                const EventSpec *spec = list->specs + i;

                FUZZ_ASSERT(spec->name && *spec->name != '\0');
                FUZZ_ASSERT(spec->column >= 1);
                FUZZ_ASSERT(!spec->tracepoint_system == !spec->tracepoint_name);
                FUZZ_ASSERT((spec->group == 0) == (spec->group_size == 0));
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_free_ char *text = strndup((const char *) data, size);
        _cleanup_(diagnosis_done) Diagnosis d = {};
        size_t before;
        int r;

        FUZZ_ASSERT(text);
        FUZZ_ASSERT(event_specs_parse(&list, "cpu-clock", &sources, NULL) == 0);
        before = list.n_specs;

        r = event_specs_parse(&list, text, &sources, &d);
        FUZZ_ASSERT(r == 0 || (r < 0 && d.sentence));
        FUZZ_ASSERT(r < 0 ? list.n_specs == before : list.n_specs > before);
        check_specs(&list);

        (void) event_specs_set_filter(&list, text, NULL);
        (void) event_specs_set_cgroups(&list, text, NULL);
        check_specs(&list);
        return 0;
}
