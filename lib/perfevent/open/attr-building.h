/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Steps of attr_build() that have a file of their own. */

#include "attr.h"
#include "event-spec.h"

static inline bool attr_options_wants_address(const AttrOptions *o) {
        return o->address || o->call_graph.mode == CALL_GRAPH_DWARF;
}

/* Sets sample_type and the parameters of its fields, from the options of all events. */
void attr_set_samples(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o);

/* Applies the event's own terms, which overrule those options. */
void attr_apply_terms(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o, bool tracking);
