/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The families of metrics, and of which property of a session each is made. What is not known has no sample. */

#include "session-metrics.h"

#include <inttypes.h>

#include "dump-list.h"
#include "parse-time.h"

#define RATIO_PARTS 1000000u /* a ratio has six digits */

static const MetricFamily info_family = {
        "perf_recorder_session", METRIC_INFO, NULL, "The scope of the session's recorder, and the state of the session.",
};

static const struct {
        MetricFamily family;
        const char *property;
        uint64_t parts_per_unit;
        bool shared; /* the recorder counts it; a foreign one does not */
        bool above_zero; /* 0 means that it is not known */
} numbers[] = {
        { { "perf_recorder_session_samples", METRIC_COUNTER, NULL, "Samples recorded since the recorder started." },
          "Samples", 1, .shared = true },
        { { "perf_recorder_session_lost", METRIC_COUNTER, NULL, "Samples that the kernel or a full disk dropped." },
          "Lost", 1, .shared = true },
        { { "perf_recorder_session_throttled", METRIC_COUNTER, NULL, "Times that the kernel throttled an event." },
          "Throttled", 1, .shared = true },
        { { "perf_recorder_session_written_bytes", METRIC_COUNTER, "bytes", "Bytes written to files since the recorder started." },
          "BytesWritten", 1, .shared = true },
        { { "perf_recorder_session_dumps", METRIC_COUNTER, NULL, "Files of samples finished since the recorder started." },
          "DumpsWritten", 1, .shared = true },
        { { "perf_recorder_session_restarts", METRIC_COUNTER, NULL, "Times that the recorder was restarted after it ended." },
          "NRestarts", 1 },
        { { "perf_recorder_session_cpu_seconds", METRIC_COUNTER, "seconds", "CPU time used in the scope of the recorder." },
          "CPUUsageNSec", USEC_PER_SEC * NSEC_PER_USEC },
        { { "perf_recorder_session_history_seconds", METRIC_GAUGE, "seconds",
            "Age of the oldest sample that a dump made now would have." },
          "HistoryUsec", USEC_PER_SEC, .above_zero = true },
};

static void metrics_put_property(FILE *f, size_t i, const json_object *session) {
        const char *const labels[] = { "session", json_get_string(session, "Name"), NULL };
        uint64_t value = json_get_unsigned(session, numbers[i].property);

        if (!dump_knows(session, numbers[i].property) || (value == 0 && numbers[i].above_zero) ||
            (numbers[i].shared && json_get_unsigned(session, "DumpsWritten") == UINT64_MAX))
                return;
        metrics_put_sample(f, &numbers[i].family, labels, value, numbers[i].parts_per_unit);
}

static const MetricFamily count_family = {
        "perf_recorder_event_count", METRIC_COUNTER, NULL, "Count of the event, not scaled.",
}, ratio_family = {
        "perf_recorder_event_running_ratio", METRIC_GAUGE, "ratio", "Part of the time in which the event had a counter of the CPU.",
};

/* Rows of ListCounts. */
enum { COUNT_SESSION, COUNT_EVENT, COUNT_UNIT, COUNT_CPU, COUNT_VALUE, COUNT_ENABLED, COUNT_RUNNING };

static int session_compare_name(const void *name, const void *session) {
        return strcmp(name, json_get_string(*(const json_object *const *) session, "Name"));
}

/* Rows of sessions that are not in the list are left out. */
static void metrics_put_count(FILE *f, const MetricFamily *family, const SessionList *l, const json_object *row) {
        const char *name = json_string(json_at(row, COUNT_SESSION));
        int64_t cpu = json_object_get_int64((json_object *) json_at(row, COUNT_CPU));
        uint64_t enabled = json_unsigned(json_at(row, COUNT_ENABLED)), running = json_unsigned(json_at(row, COUNT_RUNNING));
        char text[32] = "";

        if (!bsearch(name, l->sessions, l->n, sizeof(*l->sessions), session_compare_name))
                return;
        if (cpu >= 0)
                (void) snprintf(text, sizeof(text), "%" PRIi64, cpu);

        const char *const labels[] = { "session", name, "event", json_string(json_at(row, COUNT_EVENT)),
                                       "unit", json_string(json_at(row, COUNT_UNIT)), "cpu", text, NULL };

        if (family == &count_family)
                metrics_put_sample(f, family, labels, json_unsigned(json_at(row, COUNT_VALUE)), 1);
        else if (enabled > 0) {
                double ratio = (double) MIN_OF(running, enabled) / (double) enabled;

                metrics_put_sample(f, family, labels, (uint64_t) (ratio * RATIO_PARTS + 0.5), RATIO_PARTS);
        }
}

static void metrics_put_counts(FILE *f, MetricsFormat format, const MetricFamily *family, const SessionMetrics *m) {
        metrics_put_family(f, format, family);
        for (size_t i = 0; i < json_length(m->counts); i++)
                metrics_put_count(f, family, &m->sessions, json_at(m->counts, i));
}

int session_metrics_load(BusClient *c, char *const *patterns, SessionMetrics *ret) {
        const BusClientCall call = { .method = "ListCounts", .flags = BUS_CALL_NAMES | BUS_CALL_NO_AUTO_START };
        _cleanup_(session_metrics_done) SessionMetrics m = {};
        int r = session_list_load(c, &m.sessions);

        if (r >= 0)
                r = bus_client_call(c, &call, &m.reply);
        if (r < 0)
                return r;
        m.counts = json_at(m.reply, 0);
        session_list_filter(&m.sessions, "Name", patterns);
        *ret = steal_value(m, (SessionMetrics) {});
        return 0;
}

void session_metrics_done(SessionMetrics *m) {
        session_list_done(&m->sessions);
        json_object_put(m->reply);
        *m = (SessionMetrics) {};
}

void session_metrics_write(FILE *f, MetricsFormat format, const SessionMetrics *m) {
        const SessionList *l = &m->sessions;

        metrics_put_family(f, format, &info_family);
        for (size_t i = 0; i < l->n; i++) {
                const json_object *s = l->sessions[i];
                const char *const labels[] = { "session", json_get_string(s, "Name"), "unit", json_get_string(s, "Scope"),
                                               "state",   json_get_string(s, "State"), NULL };

                metrics_put_sample(f, &info_family, labels, 1, 1);
        }
        for (size_t n = 0; n < ELEMENTSOF(numbers); n++) {
                metrics_put_family(f, format, &numbers[n].family);
                for (size_t i = 0; i < l->n; i++)
                        metrics_put_property(f, n, l->sessions[i]);
        }
        metrics_put_counts(f, format, &count_family, m);
        metrics_put_counts(f, format, &ratio_family, m);
        metrics_put_end(f, format);
}
