/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Events of several recordings are one if they have the same name. A group is of events that stand behind each other. */

#include "sample-events.h"

#include "array.h"
#include "event-groups.h"
#include "utf8.h"

#define EVENTS_MAX UINT16_MAX
#define EVENT_NAME_MAX ((size_t) 4096)     /* bytes */

void sample_events_done(SampleEvents *x) {
        for (size_t i = 0; i < x->n; i++) {
                free(x->events[i].name);
                free(x->events[i].group);
        }
        free(x->events);
        byte_pool_done(&x->names);
}

/* Finds or adds an event of a recording by its name. Events without one are told apart by their numbers in the file. */
static int events_add_event(SampleEvents *x, const PerfDataEvent *e, size_t number, uint16_t *ret) {
        const char *name = e->name;
        SampleEvent *event;
        uint32_t interned;
        char made[32];
        int r;

        if (!name) {
                (void) snprintf(made, sizeof(made), "event %zu", number + 1);
                name = made;
        }
        r = byte_pool_intern(&x->names, name, strlen(name), &interned);
        if (r < 0)
                return r;
        if (interned > x->n) {
                if (x->n > EVENTS_MAX)
                        return -E2BIG;
                if (ARRAY_RESERVE_NEXT(x->events, x->n) < 0)
                        return -ENOMEM;
                x->events[x->n] = (SampleEvent) { .name = utf8_line(name, SIZE_MAX, EVENT_NAME_MAX) };
                if (!x->events[x->n++].name)
                        return -ENOMEM;
        }
        event = x->events + interned - 1;
        event->callchain = event->callchain || e->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
        event->user_stack = event->user_stack || e->attr.sample_type & PERF_SAMPLE_STACK_USER;
        event->tasks = event->tasks || e->attr.sample_type & PERF_SAMPLE_TID;
        event->tracepoint = e->attr.type == PERF_TYPE_TRACEPOINT;
        *ret = (uint16_t) (event - x->events);
        return 0;
}

/* Notes that n events, from that one on, were recorded as a group, unless one of them is in another group. name: NULL: none. */
static int events_add_group(SampleEvents *x, uint32_t leader, size_t n, const char *name) {
        SampleEvent *event = x->events + leader;

        if (n < 2 || n > SAMPLE_GROUP_MAX)
                return 0;
        for (uint32_t i = 0; i < x->n; i++)
                if (i < leader + n && x->events[i].members > 0 && leader < i + x->events[i].members)
                        return 0;
        event->members = (uint32_t) n;
        event->group = name ? utf8_line(name, SIZE_MAX, EVENT_NAME_MAX) : NULL;
        return name && !event->group ? -ENOMEM : 0;
}

/* Events of a group that do not stand behind each other here, as others have their names, are none. */
static int events_find_groups(SampleEvents *x, PerfDataReader *reader, const uint16_t *numbers) {
        _cleanup_free_ EventGroup *groups = NULL;
        size_t n = 0;
        int r = event_groups_read(reader, &groups, &n);

        for (size_t i = 0; r >= 0 && i < n; i++) {
                const EventGroup *g = groups + i;
                uint32_t leader = numbers[g->leader];

                if (!ANY_OF(g->n, k, numbers[g->leader + k] != leader + k))
                        r = events_add_group(x, leader, g->n, g->name);
        }
        return r;
}

int sample_events_add_all(SampleEvents *x, const PerfDataEvent *events, size_t n, uint16_t **ret) {
        _cleanup_free_ uint16_t *numbers = calloc(n + 1, sizeof(*numbers));
        int r = numbers ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = events_add_event(x, events + i, i, numbers + i);
        if (r >= 0)
                *ret = steal_ptr(numbers);
        return r;
}

int sample_events_add(SampleEvents *x, PerfDataReader *reader, uint16_t **ret) {
        _cleanup_free_ uint16_t *numbers = NULL;
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r = sample_events_add_all(x, events, n, &numbers);

        if (r >= 0)
                r = events_find_groups(x, reader, numbers);
        if (r >= 0)
                *ret = steal_ptr(numbers);
        return r;
}
