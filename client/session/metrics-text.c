/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Both formats are those of https://openmetrics.io and https://prometheus.io/docs/instrumenting/exposition_formats. Numbers are
 * written by their digits and not as floating point, so that none is rounded. */

#include "metrics-text.h"

#include <inttypes.h>

static const struct {
        const char *name, *prometheus_name, *suffix;
} types[_METRIC_TYPE_MAX] = {
        [METRIC_COUNTER] = { "counter", "counter", "_total" },
        [METRIC_GAUGE] = { "gauge", "gauge", "" },
        [METRIC_INFO] = { "info", "gauge", "_info" },
};

void metrics_put_family(FILE *f, MetricsFormat format, const MetricFamily *m) {
        bool prometheus = format == METRICS_PROMETHEUS;
        const char *suffix = prometheus ? types[m->type].suffix : "";

        (void) fprintf(f, "# TYPE %s%s %s\n", m->name, suffix, prometheus ? types[m->type].prometheus_name : types[m->type].name);
        if (m->unit && !prometheus)
                (void) fprintf(f, "# UNIT %s %s\n", m->name, m->unit);
        (void) fprintf(f, "# HELP %s%s %s\n", m->name, suffix, m->help);
}

static void metrics_put_label(FILE *f, const char *name, const char *value) {
        (void) fprintf(f, "%s=\"", name);
        for (const char *c = value; *c; c++)
                if (*c == '\n')
                        (void) fputs("\\n", f);
                else
                        (void) fprintf(f, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
        (void) fputc('"', f);
}

static void metrics_put_number(FILE *f, uint64_t parts, uint64_t parts_per_unit) {
        int digits = 0;

        for (; parts_per_unit > 1 && parts % 10 == 0; parts_per_unit /= 10)
                parts /= 10;
        for (uint64_t n = parts_per_unit; n > 1; n /= 10)
                digits++;
        (void) fprintf(f, " %" PRIu64, parts / parts_per_unit);
        if (digits > 0)
                (void) fprintf(f, ".%0*" PRIu64, digits, parts % parts_per_unit);
        (void) fputc('\n', f);
}

void metrics_put_sample(FILE *f, const MetricFamily *m, const char *const *labels, uint64_t parts, uint64_t parts_per_unit) {
        (void) fprintf(f, "%s%s{", m->name, types[m->type].suffix);
        for (size_t i = 0; labels[i]; i += 2) {
                (void) fputs(i > 0 ? "," : "", f);
                metrics_put_label(f, labels[i], labels[i + 1]);
        }
        (void) fputc('}', f);
        metrics_put_number(f, parts, parts_per_unit);
}

void metrics_put_end(FILE *f, MetricsFormat format) {
        if (format == METRICS_OPENMETRICS)
                (void) fputs("# EOF\n", f);
}
