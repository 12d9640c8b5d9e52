/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>

#include "cleanup.h"

/* Metrics as text for monitoring: OpenMetrics 1.0.0, or the older text format of Prometheus, version 0.0.4, which has neither units
 * nor an end, and calls families of counters by the names of their samples. */

typedef enum MetricsFormat {
        METRICS_OPENMETRICS,
        METRICS_PROMETHEUS,
} MetricsFormat;

typedef enum MetricType {
        METRIC_COUNTER, /* its samples are called NAME_total */
        METRIC_GAUGE,
        METRIC_INFO,    /* its samples are called NAME_info, and their value is 1 */
        _METRIC_TYPE_MAX,
} MetricType;

typedef struct MetricFamily {
        const char *name; /* ends in "_UNIT" if there is a unit */
        MetricType type;
        const char *unit; /* NULL: none */
        const char *help; /* a sentence without characters that need an escape */
} MetricFamily;

/* Begins a family; its samples follow. */
void metrics_put_family(FILE *f, MetricsFormat format, const MetricFamily *m);

/* labels: names and values in turns, ended by NULL; the values are UTF-8. The sample's value is the number of parts, of which a
 * unit has parts_per_unit, a power of ten. */
void metrics_put_sample(FILE *f, const MetricFamily *m, const char *const *labels, uint64_t parts, uint64_t parts_per_unit);

void metrics_put_end(FILE *f, MetricsFormat format);
