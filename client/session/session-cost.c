/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Estimates of a session's cost. An event that is sampled by frequency gives that many samples on each CPU that is always busy;
 * the rate of tracepoints, probes and periods is unknown. The size of a sample is the sum of its parts in
 * perf_event_open(2), with call stacks of FRAMES. Reach is the size of the memory divided by the rate. */

#include "session-cost.h"

#include "call-graph.h"
#include "event-set.h"
#include "grammar.h"
#include "parse-number.h"
#include "parse-size.h"
#include "privilege.h"
#include "sysctl.h"

#define FREQUENCY_DEFAULT 4000 /* as in perf record */
#define PLAIN_SAMPLE 56        /* bytes: header, ip, pid and tid, time, id, CPU, period */
#define DEFAULT_COUNTERS 8     /* of Mode=count without Event= */
#define FRAMES 24              /* frames of a call stack, kernel and program */
#define DWARF_REGISTERS 200    /* bytes */
#define BRANCHES 16            /* branches that a CPU keeps */
#define COUNT_BYTES 48         /* of a count, as a STAT record */
#define HISTORY_RATIO 4        /* assumed ratio of zstd's compression in the history */

static uint64_t session_cost_ring_size(uint64_t wanted) {
        uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE), pages = 1;

        if (wanted == 0)
                return ring_default_pages() * page;
        while (pages * page < wanted && pages < UINT32_MAX)
                pages *= 2;
        return pages * page;
}

static uint64_t session_cost_sample_size(const RecordSettings *r) {
        CallGraph g = {};

        if (!r->call_graph || call_graph_parse(r->call_graph, &g, NULL) < 0)
                return PLAIN_SAMPLE;
        switch (g.mode) {
        case CALL_GRAPH_DWARF:
                if (r->mode == RECORD_MODE_HISTORY && r->unwind != 0) /* only the rings have the copies */
                        return PLAIN_SAMPLE + 8 * (FRAMES + 1);
                return PLAIN_SAMPLE + 8 * (FRAMES + 1) + DWARF_REGISTERS + g.dump_size;
        case CALL_GRAPH_LBR:
                return PLAIN_SAMPLE + 8 * (FRAMES + 1) + 24 * BRANCHES;
        default:
                return PLAIN_SAMPLE + 8 * (FRAMES + 1);
        }
}

static uint64_t session_cost_frequency(const RecordSettings *r, const EventSpec *e) {
        uint64_t f = e && e->terms.has_frequency ? e->terms.frequency : r->frequency, max;

        max = (uint64_t) MAX_OF(sysctl_read("kernel/perf_event_max_sample_rate", 100000), 1);
        return MIN_OF(f == 0 ? (uint64_t) FREQUENCY_DEFAULT : f, max);
}

/* The rate of one busy CPU; 0: not known. */
static double session_cost_samples_per_sec(const RecordSettings *r) {
        _cleanup_(event_specs_done) EventSpecs specs = {};
        double sum = 0;

        if (!r->events)
                return r->period > 0 ? 0 : (double) session_cost_frequency(r, NULL);
        STRV_FOREACH(e, r->events)
                if (event_specs_parse(&specs, *e, NULL, NULL) < 0)
                        return 0;
        for (size_t i = 0; i < specs.n_specs; i++) {
                const EventSpec *e = &specs.specs[i];

                if (r->period > 0 || e->terms.has_period || e->tracepoint_name || e->probe_kind != PROBE_NONE ||
                    e->attr.sample_period > 0)
                        return 0;
                sum += (double) session_cost_frequency(r, e);
        }
        return sum;
}

/* The amount does not depend on what the machine does. */
static void session_cost_estimate_counts(const SessionSettings *s, SessionCost *c) {
        const RecordSettings *r = &s->record;
        _cleanup_(event_specs_done) EventSpecs specs = {};
        double per_usec, size = (double) (r->history_size ?: HISTORY_SIZE_DEFAULT) * (r->compression == 0 ? 1 : HISTORY_RATIO);

        STRV_FOREACH(e, r->events)
                if (event_specs_parse(&specs, *e, NULL, NULL) < 0)
                        return;
        c->n_counters = specs.n_specs ?: DEFAULT_COUNTERS;
        per_usec = (double) (c->n_counters * c->n_cpus * COUNT_BYTES) / (double) (r->interval ?: INTERVAL_DEFAULT);
        c->bytes_per_hour = per_usec * 3600 * USEC_PER_SEC;
        c->reach = MIN_OF((usec_t) (size / per_usec), r->history_usec);
}

static usec_t session_cost_reach(const RecordSettings *r, const SessionCost *c) {
        double per_sec = c->samples_per_sec * (double) c->sample_size, size;
        usec_t reach;

        if (per_sec <= 0 || r->mode == RECORD_MODE_STREAM)
                return USEC_INFINITY;
        if (r->mode == RECORD_MODE_OVERWRITE)
                return (usec_t) ((double) c->ring_size / per_sec * USEC_PER_SEC);
        size = (double) (r->history_size ?: HISTORY_SIZE_DEFAULT) * (r->compression == 0 ? 1 : HISTORY_RATIO);
        reach = (usec_t) (size / per_sec / (double) c->n_cpus * USEC_PER_SEC);
        return MIN_OF(reach, r->history_usec);
}

void session_cost_estimate(const SessionSettings *s, uint64_t default_buffer_size, SessionCost *ret) {
        const RecordSettings *r = &s->record;
        SessionCost c = { .reach = USEC_INFINITY };
        _cleanup_free_ int *cpus = NULL;

        if (!r->cpus || parse_cpu_list(r->cpus, &cpus, &c.n_cpus) < 0)
                c.n_cpus = (size_t) MAX_OF(sysconf(_SC_NPROCESSORS_ONLN), 1L);
        if (!s->run && r->mode == RECORD_MODE_COUNT)
                session_cost_estimate_counts(s, &c);
        else if (!s->run) {
                c.ring_size = session_cost_ring_size(r->buffer_size ?: default_buffer_size);
                c.sideband_size = r->mode != RECORD_MODE_STREAM && !s->recorder ? EVENT_SET_SIDEBAND_SIZE : 0;
                if (__builtin_mul_overflow(c.ring_size + c.sideband_size, c.n_cpus, &c.locked))
                        c.locked = UINT64_MAX;
                c.samples_per_sec = session_cost_samples_per_sec(r);
                c.sample_size = session_cost_sample_size(r);
                c.bytes_per_hour = c.samples_per_sec * (double) c.sample_size * (double) c.n_cpus * 3600;
                c.reach = session_cost_reach(r, &c);
        }
        *ret = c;
}

static void session_cost_print_rate(const SessionSettings *s, const SessionCost *c, const char *file) {
        char size[32], span[64];

        if (c->samples_per_sec <= 0) {
                (void) printf("%s: the rate of its events is not known, so neither the amount of data nor the reach of memory "
                              "can be estimated\n", file);
                return;
        }
        (void) printf("%s: %.0f samples a second on a busy CPU, of some %" PRIu64 " bytes: at most %s an hour with %zu CPUs", file,
                      c->samples_per_sec, c->sample_size, format_size(size, sizeof(size), (uint64_t) c->bytes_per_hour),
                      c->n_cpus);
        if (c->reach != USEC_INFINITY)
                (void) printf("; memory reaches %s back, further where CPUs are idle%s",
                              format_timespan(span, sizeof(span), MAX_OF(c->reach / USEC_PER_SEC, (usec_t) 1) * USEC_PER_SEC),
                              s->record.mode == RECORD_MODE_HISTORY && s->record.compression != 0 ?
                                      " (compressed to a quarter)" : "");
        (void) printf("\n");
}

static void session_cost_print_counts(const SessionSettings *s, const SessionCost *c, const char *file) {
        char size[32], span[64], interval[64];

        if (c->n_counters == 0) {
                (void) printf("%s: its events are not known here, so what it costs is not, either\n", file);
                return;
        }
        (void) printf("%s: %zu counters on each of %zu CPUs, read every %s: %s an hour; memory reaches %s back%s\n", file,
                      c->n_counters, c->n_cpus, format_timespan(interval, sizeof(interval), s->record.interval ?: INTERVAL_DEFAULT),
                      format_size(size, sizeof(size), (uint64_t) c->bytes_per_hour),
                      format_timespan(span, sizeof(span), MAX_OF(c->reach / USEC_PER_SEC, (usec_t) 1) * USEC_PER_SEC),
                      s->record.compression != 0 ? " (compressed to a quarter)" : "");
}

void session_cost_print(const SessionSettings *s, const SessionCost *c, const char *file) {
        char locked[32], ring[32], sideband[32];

        if (!s->run && s->record.mode == RECORD_MODE_COUNT) {
                session_cost_print_counts(s, c, file);
                return;
        }
        if (c->ring_size == 0) {
                (void) printf("%s: the cost of Run= is not known here; --try asks the recorder\n", file);
                return;
        }
        (void) printf("%s: %s of locked memory: %s", file, format_size(locked, sizeof(locked), c->locked),
                      format_size(ring, sizeof(ring), c->ring_size));
        if (c->sideband_size > 0)
                (void) printf(", and %s for the side band,", format_size(sideband, sizeof(sideband), c->sideband_size));
        (void) printf(" for each of %zu CPUs\n", c->n_cpus);
        session_cost_print_rate(s, c, file);
}
