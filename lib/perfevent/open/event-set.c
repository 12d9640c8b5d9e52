/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A set of open events: enabling, ids, pausing, printing. opening.c opens it. A group's members follow their
 * leader, so only leaders are enabled and disabled. */

#include "event-set.h"

#include <inttypes.h>
#include <signal.h>
#include "array.h"
#include "attr-describe.h"
#include "event-reading.h"

void event_set_close(EventSet *s) {
        for (size_t i = 0; i < s->n_rings; i++)
                ring_done(&s->rings[i]);
        for (size_t i = 0; i < s->n_events; i++)
                event_done(&s->events[i]);
}

EventSet *event_set_free(EventSet *s) {
        if (!s)
                return NULL;
        event_set_close(s);
        for (size_t i = 0; i < s->n_members; i++) {
                free(s->members[i].name);
                free(s->members[i].former_ids);
        }
        free(s->rings);
        free(s->events);
        free(s->members);
        free(s->cpus);
        free(s->tids);
        free(s->group_specs);
        strv_free(s->groups);
        strv_free(s->notes);
        free(s);
        return NULL;
}

static int enable_member(EventSet *s, size_t member, bool enable) {
        int r;

        for (size_t i = 0; i < s->n_events; i++) {
                if (s->events[i].member != member || s->events[i].fd < 0)
                        continue;
                r = event_enable(&s->events[i], &s->ops, enable);
                if (r < 0)
                        return r;
        }
        s->members[member].enabled = enable;
        return 0;
}

/* An added tracking event stays enabled: processes that start while the others are disabled must be known when these
 * are enabled again. It has no samples, so only forks, maps and exits of processes are written in the meantime. */
int event_set_enable(EventSet *s, const char *name, bool enable) {
        bool found = false;
        int r;

        for (size_t i = 0; i < s->n_members; i++) {
                const SetMember *m = &s->members[i];

                if (name && (attr_is_dummy(&m->attr) || !streq(m->name, name)))
                        continue;
                found = true;
                if (!m->leader || (m->only_sideband && !enable))
                        continue;
                r = enable_member(s, i, enable);
                if (r < 0)
                        return r;
        }
        return found ? 0 : -ENOENT;
}

int event_set_enable_tracking(EventSet *s) {
        int r = 0;

        for (size_t i = 0; i < s->n_members && r >= 0; i++)
                if (s->members[i].only_sideband)
                        r = enable_member(s, i, true);
        return r;
}

bool event_set_is_enabled(const EventSet *s) {
        return ANY_OF(s->n_members, i, !s->members[i].only_sideband && s->members[i].enabled);
}

int event_set_ids(const EventSet *s, size_t member, uint64_t **ret, size_t *ret_n) {
        const SetMember *m = &s->members[member];
        uint64_t *ids = calloc(s->n_events + m->n_former_ids + 1, sizeof(uint64_t));
        size_t n = 0;

        if (!ids)
                return -ENOMEM;
        for (size_t i = 0; i < s->n_events; i++)
                if (s->events[i].member == member && (!m->closed || event_set_file_id(s, i) > 0))
                        ids[n++] = event_set_file_id(s, i);
        for (size_t i = 0; i < m->n_former_ids && !event_set_counts(s); i++)
                ids[n++] = m->former_ids[i];
        *ret = ids;
        *ret_n = n;
        return 0;
}

void event_set_read_times(const EventSet *s, size_t member, uint64_t *ret_enabled, uint64_t *ret_running) {
        uint64_t format = s->members[member].attr.read_format, enabled = 0, running = 0;

        for (size_t i = 0; i < s->n_events && (format & PERF_FORMAT_TOTAL_TIME_RUNNING); i++) {
                EventReading reading;

                const Event *e = &s->events[i];

                if (e->member != member || event_read(e, format, &reading) < 0)
                        continue;
                running += reading.running;
                if (e->tid < 0 || e->cpu == s->cpus[0])
                        enabled += reading.enabled;
        }
        *ret_enabled = enabled;
        *ret_running = running;
}

bool event_set_has_threads(const EventSet *s) {
        return ANY_OF(s->n_tids, i, s->tids[i] < 0 || kill(s->tids[i], 0) >= 0 || errno != ESRCH);
}

int event_set_pause(EventSet *s, size_t ring, bool pause) {
        Event owner = { .fd = s->rings[ring].fd };

        return event_pause_output(&owner, &s->ops, pause);
}

bool event_set_tells_lost(const EventSet *s) {
        bool apart = ANY_OF(s->n_rings, i, s->rings[i].sideband);

        for (size_t i = 0; i < s->n_members; i++) {
                const struct perf_event_attr *attr = &s->members[i].attr;

                if (s->members[i].tracking ? !attr_is_dummy(attr) : attr->context_switch)
                        return false;
                if (!apart && !(attr->read_format & PERF_FORMAT_LOST))
                        return false;
        }
        return true;
}

uint64_t event_set_ring_bytes(const EventSet *s) {
        uint64_t bytes = 0;

        for (size_t i = 0; i < s->n_rings; i++)
                bytes += s->rings[i].size;
        return bytes;
}

/* Prints "{a,b}" for the leader of a group, nothing for its members. */
static void print_group(FILE *f, const EventSet *s, size_t i) {
        const SetMember *m = &s->members[i];
        bool single = m->group == 0 || i + 1 == s->n_members || s->members[i + 1].group != m->group;

        if (!m->leader)
                return;
        (void) fprintf(f, "%s%s", single ? "" : "{", m->name);
        for (i++; !single && i < s->n_members && s->members[i].group == m->group; i++)
                (void) fprintf(f, ",%s", s->members[i].name);
        (void) fprintf(f, "%s\n", single ? "" : "}");
}

static void print_member(FILE *f, const SetMember *m, EventSetPrint flags) {
        _cleanup_free_ char *fields = flags & EVENT_SET_PRINT_VERBOSE ? attr_describe(&m->attr, ATTR_FORM_LIST) : NULL;

        if (fields)
                (void) fprintf(f, "%s: %s\n", m->name, fields);
        else if (flags & EVENT_SET_PRINT_FREQUENCY)
                (void) fprintf(f, "%s: %s=%" PRIu64 "\n", m->name, m->attr.freq ? "sample_freq" : "sample_period",
                               (uint64_t) m->attr.sample_period);
        else
                (void) fprintf(f, "%s\n", m->name);
}

char *event_set_describe(const EventSet *s, EventSetPrint flags) {
        char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        for (size_t i = 0; i < s->n_members; i++)
                if (flags & EVENT_SET_PRINT_GROUP)
                        print_group(f, s, i);
                else
                        print_member(f, &s->members[i], flags);
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}

static int event_group_fd(const EventSet *s, const Event *e) {
        unsigned group = s->members[e->member].group;

        if (s->members[e->member].leader)
                return -1;
        for (size_t i = 0; i < s->n_events; i++) {
                const Event *o = &s->events[i];

                if (o->cpu == e->cpu && o->tid == e->tid && s->members[o->member].group == group && s->members[o->member].leader)
                        return o->fd;
        }
        return -1;
}

char *event_set_describe_opening(const EventSet *s) {
        static const char line[] = "------------------------------------------------------------\n";
        char *text = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        for (size_t i = 0; i < s->n_members; i++) {
                _cleanup_free_ char *fields = attr_describe(&s->members[i].attr, ATTR_FORM_LINES);

                (void) fprintf(f, "%sperf_event_attr:\n%s%s", line, fields ?: "", line);
                for (size_t j = 0; j < s->n_events; j++) {
                        const Event *e = &s->events[j];

                        if (e->member == i)
                                (void) fprintf(f, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#x = %d\n",
                                               e->tid, e->cpu, event_group_fd(s, e), (unsigned) PERF_FLAG_FD_CLOEXEC, e->fd);
                }
        }
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}
