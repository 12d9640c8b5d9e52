/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "metrics-text.h"

static const MetricFamily sizes = { "x_size_bytes", METRIC_GAUGE, "bytes", "Sizes." }, calls = { "x_calls", METRIC_COUNTER, NULL, "Calls." },
                          times = { "x_seconds", METRIC_COUNTER, "seconds", "Times." }, builds = { "x_build", METRIC_INFO, NULL, "Builds." };
static const char *const labels[] = { "a", "1", "b", "", NULL };

static char *write_all_families(MetricsFormat format) {
        const MetricFamily *const all[] = { &sizes, &calls, &times, &builds };
        size_t size;
        char *text;
        FILE *f = open_memstream(&text, &size);

        for (size_t i = 0; i < ELEMENTSOF(all); i++) {
                metrics_put_family(f, format, all[i]);
                metrics_put_sample(f, all[i], labels, 1, 1);
        }
        metrics_put_end(f, format);
        ck_assert_int_eq(fclose(f), 0);
        return text;
}

START_TEST(test_formats) {
        _cleanup_free_ char *open_metrics = write_all_families(METRICS_OPENMETRICS), *prometheus = write_all_families(METRICS_PROMETHEUS);

        ck_assert_str_eq(open_metrics,
                         "# TYPE x_size_bytes gauge\n# UNIT x_size_bytes bytes\n# HELP x_size_bytes Sizes.\n"
                         "x_size_bytes{a=\"1\",b=\"\"} 1\n"
                         "# TYPE x_calls counter\n# HELP x_calls Calls.\nx_calls_total{a=\"1\",b=\"\"} 1\n"
                         "# TYPE x_seconds counter\n# UNIT x_seconds seconds\n# HELP x_seconds Times.\n"
                         "x_seconds_total{a=\"1\",b=\"\"} 1\n"
                         "# TYPE x_build info\n# HELP x_build Builds.\nx_build_info{a=\"1\",b=\"\"} 1\n"
                         "# EOF\n");
        ck_assert_str_eq(prometheus,
                         "# TYPE x_size_bytes gauge\n# HELP x_size_bytes Sizes.\nx_size_bytes{a=\"1\",b=\"\"} 1\n"
                         "# TYPE x_calls_total counter\n# HELP x_calls_total Calls.\nx_calls_total{a=\"1\",b=\"\"} 1\n"
                         "# TYPE x_seconds_total counter\n# HELP x_seconds_total Times.\nx_seconds_total{a=\"1\",b=\"\"} 1\n"
                         "# TYPE x_build_info gauge\n# HELP x_build_info Builds.\nx_build_info{a=\"1\",b=\"\"} 1\n");
}
END_TEST

static void assert_sample(const char *value, uint64_t parts, uint64_t parts_per_unit, const char *expected) {
        const char *const label[] = { "event", value, NULL };
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        metrics_put_sample(f, &sizes, label, parts, parts_per_unit);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_str_eq(text, expected);
}

START_TEST(test_values) {
        assert_sample("a\\b\"c\nd", 0, 1, "x_size_bytes{event=\"a\\\\b\\\"c\\nd\"} 0\n");
        assert_sample("größer", UINT64_MAX, 1, "x_size_bytes{event=\"größer\"} 18446744073709551615\n");
        assert_sample("", 0, 1000, "x_size_bytes{event=\"\"} 0\n");
        assert_sample("", 50, 1000, "x_size_bytes{event=\"\"} 0.05\n");
        assert_sample("", 12000, 1000, "x_size_bytes{event=\"\"} 12\n");
        assert_sample("", 1000000001, 1000000000, "x_size_bytes{event=\"\"} 1.000000001\n");
        assert_sample("", 120, 1, "x_size_bytes{event=\"\"} 120\n");
}
END_TEST

CHECK_MAIN("metrics-text", test_formats, test_values);
