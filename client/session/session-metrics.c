/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The families of metrics, and of which property of a session each is made. What is not known has no sample. */

#include "session-metrics.h"

#include "dump-list.h"
#include "parse-time.h"

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

void session_metrics_write(FILE *f, MetricsFormat format, const SessionList *l) {
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
        metrics_put_end(f, format);
}
