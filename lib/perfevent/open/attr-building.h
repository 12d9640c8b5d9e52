/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The steps of attr_build() that have a file of their own. Not for anybody else. */

#include "attr.h"
#include "event-spec.h"

static inline bool attr_options_wants_address(const AttrOptions *o) {
        return o->address || o->call_graph.mode == CALL_GRAPH_DWARF;
}

/* sample_type and what belongs to its fields, from the options of all events. */
void attr_set_samples(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o);

/* The event's own terms, which beat those options. */
void attr_apply_terms(struct perf_event_attr *a, const EventSpec *spec, const AttrOptions *o, bool tracking);
