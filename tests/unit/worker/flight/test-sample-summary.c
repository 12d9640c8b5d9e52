/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Summaries of samples of one kind and of several. */

#include "check-main.h"
#include "sample-summary.h"

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID)

typedef struct Sample {
        struct perf_event_header header;
        uint64_t ip;
        uint32_t pid, tid;
        uint64_t time, id;
} Sample;

static const uint64_t ids[] = { 100, 200 };

static PerfDataEvent event(size_t i, uint64_t type) {
        return (PerfDataEvent) { .attr = { .size = sizeof(struct perf_event_attr), .sample_type = type, .sample_id_all = 1 },
                                 .ids = &ids[i], .n_ids = 1, .name = "x" };
}

static Sample sample(uint32_t pid, uint64_t time) {
        return (Sample) { .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(Sample) }, .pid = pid, .tid = pid, .time = time, .id = 100 };
}

static void assert_pids(const SampleSummary *s, const uint32_t *expected, size_t n_expected) {
        _cleanup_free_ uint32_t *pids = NULL;
        size_t n = 0;

        ck_assert_int_eq(sample_summary_pids(s, &pids, &n), 0);
        ck_assert_uint_eq(n, n_expected);
        for (size_t i = 0; i < n; i++)
                ck_assert_uint_eq(pids[i], expected[i]);
}

START_TEST(test_one_kind) {
        const PerfDataEvent e[] = { event(0, TYPE) };
        const Sample samples[] = { sample(7, 50), sample(UINT32_MAX, 40), sample(0, 30), sample(4194303, 20), sample(7, 10) };
        _cleanup_(sample_reader_freep) SampleReader *x = NULL;
        _cleanup_(sample_summary_done) SampleSummary s = {}, other = {};

        ck_assert_int_eq(sample_reader_new(e, 1, &x), 0);
        ck_assert_int_eq(sample_summary_init(&s), 0);
        ck_assert_uint_eq(sample_summary_add(&s, x, samples, sizeof(samples)), sizeof(samples));
        ck_assert(s.counts.samples == 5 && s.first == 10 && s.last == 50);
        assert_pids(&s, (const uint32_t[]) { 0, 7, 4194303 }, 3);

        ck_assert_int_eq(sample_summary_init(&other), 0);
        ck_assert_uint_eq(sample_summary_add(&other, x, samples, 2 * sizeof(Sample)), 2 * sizeof(Sample));
        ck_assert(other.counts.samples == 2 && other.first == 40);
        sample_summary_merge(&other, &s);
        ck_assert(other.counts.samples == 7 && other.first == 10 && other.last == 50);
}
END_TEST

/* Samples may be in any order, and both ends are included; samples lost outside of the window do not count. */
START_TEST(test_window) {
        struct {
                Sample first[3];
                struct {
                        struct perf_event_header header;
                        uint64_t id, lost;
                        uint64_t tid, time, sample_id;
                } lost[2];
                Sample last;
        } records = {
                .first = { sample(7, 50), sample(7, 20), sample(7, 40) },
                .lost = { { { PERF_RECORD_LOST, 0, 48 }, 100, 5, 0, 30, 100 }, { { PERF_RECORD_LOST, 0, 48 }, 100, 9, 0, 60, 100 } },
                .last = sample(7, 30),
        };
        const PerfDataEvent e[] = { event(0, TYPE) };
        _cleanup_(sample_reader_freep) SampleReader *x = NULL;
        _cleanup_(sample_summary_done) SampleSummary s = {};
        size_t n;

        ck_assert_int_eq(sample_reader_new(e, 1, &x), 0);
        ck_assert_uint_eq(sample_reader_cut(x, &records, sizeof(records), 0, 0), sizeof(records));
        ck_assert_uint_eq(sample_reader_cut(x, &records, sizeof(records) - 8, 0, 0), sizeof(records) - sizeof(Sample));
        n = sample_reader_cut(x, &records, sizeof(records), 30, 40);
        ck_assert_uint_eq(n, 2 * sizeof(Sample) + 48);
        ck_assert_int_eq(sample_summary_init(&s), 0);
        ck_assert_uint_eq(sample_summary_add(&s, x, &records, n), n);
        ck_assert(s.counts.samples == 2 && s.first == 30 && s.last == 40 && s.counts.lost == 5);
        ck_assert_uint_eq(sample_reader_cut(x, &records, n, 0, 30), sizeof(Sample) + 48);
}
END_TEST

/* Context switches are in a window like samples, and their tasks need names; they are not samples. */
START_TEST(test_switches) {
        struct {
                struct {
                        struct perf_event_header header;
                        uint32_t next_pid, next_tid;
                        uint32_t pid, tid;
                        uint64_t time, id;
                } wide[3];
                struct {
                        struct perf_event_header header;
                        uint32_t pid, tid;
                        uint64_t time, id;
                } own;
                Sample last;
        } records = {
                .wide = { { { PERF_RECORD_SWITCH_CPU_WIDE, 0, 40 }, 99, 99, 11, 12, 60, 100 },
                          { { PERF_RECORD_SWITCH_CPU_WIDE, 0, 40 }, 99, 99, 9, 9, 40, 100 },
                          { { PERF_RECORD_SWITCH_CPU_WIDE, 0, 40 }, 99, 99, 13, 13, 20, 100 } },
                .own = { { PERF_RECORD_SWITCH, 0, 32 }, 5, 6, 31, 100 },
                .last = sample(7, 35),
        };
        const PerfDataEvent e[] = { event(0, TYPE) };
        _cleanup_(sample_reader_freep) SampleReader *x = NULL;
        _cleanup_(sample_summary_done) SampleSummary s = {};
        size_t n;

        ck_assert_int_eq(sample_reader_new(e, 1, &x), 0);
        n = sample_reader_cut(x, &records, sizeof(records), 30, 40);
        ck_assert_uint_eq(n, 40 + 32 + sizeof(Sample));
        ck_assert_int_eq(sample_summary_init(&s), 0);
        ck_assert_uint_eq(sample_summary_add(&s, x, &records, n), n);
        ck_assert(s.counts.samples == 1 && s.first == 35 && s.last == 35 && s.oldest == 31);
        assert_pids(&s, (const uint32_t[]) { 5, 7, 9 }, 3);
}
END_TEST

/* The last record is truncated, or followed by invalid bytes. */
START_TEST(test_cut) {
        const PerfDataEvent e[] = { event(0, TYPE) };
        const Sample samples[] = { sample(7, 50), sample(8, 40), {} };
        _cleanup_(sample_reader_freep) SampleReader *x = NULL;
        _cleanup_(sample_summary_done) SampleSummary s = {};

        ck_assert_int_eq(sample_reader_new(e, 1, &x), 0);
        ck_assert_int_eq(sample_summary_init(&s), 0);
        ck_assert_uint_eq(sample_summary_add(&s, x, samples, 2 * sizeof(Sample) - 8), sizeof(Sample));
        ck_assert_uint_eq(sample_summary_add(&s, x, samples, sizeof(samples)), 2 * sizeof(Sample));
        ck_assert_uint_eq(sample_summary_add(&s, x, samples, 4), 0);
}
END_TEST

/* The other event's samples have the fields at other places, and no time. */
START_TEST(test_several_kinds) {
        const PerfDataEvent e[] = { event(0, TYPE | PERF_SAMPLE_IDENTIFIER), event(1, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID) };
        struct {
                struct perf_event_header header;
                uint64_t id, tid;
        } b = { { PERF_RECORD_SAMPLE, 0, sizeof(b) }, 200, 9 };
        struct {
                struct perf_event_header header;
                uint64_t identifier, ip, tid, time, id;
        } a = { { PERF_RECORD_SAMPLE, 0, sizeof(a) }, 100, 1, 8, 77, 100 };
        _cleanup_(sample_reader_freep) SampleReader *x = NULL;
        _cleanup_(sample_summary_done) SampleSummary s = {};

        ck_assert_int_eq(sample_reader_new(e, 2, &x), 0);
        ck_assert_int_eq(sample_summary_init(&s), 0);
        ck_assert_uint_eq(sample_summary_add(&s, x, &a, sizeof(a)), sizeof(a));
        ck_assert_uint_eq(sample_summary_add(&s, x, &b, sizeof(b)), sizeof(b));
        a.identifier = 300; /* of no event: it is counted, without details */
        ck_assert_uint_eq(sample_summary_add(&s, x, &a, sizeof(a)), sizeof(a));
        ck_assert(s.counts.samples == 3 && s.first == 77 && s.last == 77);
        assert_pids(&s, (const uint32_t[]) { 8, 9 }, 2);
}
END_TEST

typedef struct CgroupSample {
        struct perf_event_header header;
        uint64_t id, cgroup;
} CgroupSample;

static CgroupSample cgroup_sample(uint64_t id, uint64_t cgroup) {
        return (CgroupSample) { .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(CgroupSample) }, .id = id, .cgroup = cgroup };
}

/* Returns the number, and the first ids. SIZE_MAX: not known. */
static size_t read_cgroups(const SampleSummary *s, uint64_t *ret) {
        _cleanup_free_ uint64_t *found = NULL;
        size_t n = 0;

        ck_assert_int_eq(sample_summary_cgroups(s, &found, &n), 0);
        for (size_t i = 0; found && i < MIN_OF(n, (size_t) 8); i++)
                ret[i] = found[i];
        return found ? n : SIZE_MAX;
}

/* The second event's samples have none, the place in those of the third is not known. */
START_TEST(test_cgroups) {
        static const uint64_t aux = 300;
        PerfDataEvent e[] = { event(0, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CGROUP), event(1, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ADDR),
                              event(0, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CGROUP | PERF_SAMPLE_AUX) };
        const CgroupSample samples[] = { cgroup_sample(100, UINT64_C(1) << 40), cgroup_sample(100, 7), cgroup_sample(200, 9),
                                         cgroup_sample(100, 7) };
        const CgroupSample more[] = { cgroup_sample(100, 3), cgroup_sample(100, 7) }, floats = cgroup_sample(300, 5);
        _cleanup_(sample_reader_freep) SampleReader *x = NULL;
        _cleanup_(sample_summary_done) SampleSummary s = {}, other = {};
        uint64_t found[8];

        e[2].ids = &aux;
        ck_assert_int_eq(sample_reader_new(e, 3, &x), 0);
        ck_assert_int_eq(sample_summary_init(&s), 0);
        ck_assert_uint_eq(read_cgroups(&s, found), 0);
        ck_assert_uint_eq(sample_summary_add(&s, x, samples, sizeof(samples)), sizeof(samples));
        ck_assert_uint_eq(read_cgroups(&s, found), 2);
        ck_assert(found[0] == 7 && found[1] == UINT64_C(1) << 40);
        ck_assert_int_eq(sample_summary_init(&other), 0);
        ck_assert_uint_eq(sample_summary_add(&other, x, more, sizeof(more)), sizeof(more));
        sample_summary_merge(&s, &other);
        ck_assert_uint_eq(read_cgroups(&s, found), 3);
        ck_assert(found[0] == 3 && found[1] == 7);
        ck_assert_uint_eq(sample_summary_add(&other, x, &floats, sizeof(floats)), sizeof(floats));
        sample_summary_merge(&s, &other);
        ck_assert_uint_eq(read_cgroups(&s, found), SIZE_MAX);
}
END_TEST

/* Any user can make more of them than there is memory for. */
START_TEST(test_too_many_cgroups) {
        const PerfDataEvent e[] = { event(0, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CGROUP) };
        _cleanup_(sample_reader_freep) SampleReader *x = NULL;
        _cleanup_(sample_summary_done) SampleSummary s = {};
        uint64_t found[8];

        ck_assert_int_eq(sample_reader_new(e, 1, &x), 0);
        ck_assert_int_eq(sample_summary_init(&s), 0);
        for (uint64_t i = 0; i < 1000000; i++) {
                const CgroupSample c = cgroup_sample(100, i);

                (void) sample_summary_add(&s, x, &c, sizeof(c));
                if (i == 100000)
                        ck_assert_uint_eq(read_cgroups(&s, found), i + 1);
        }
        ck_assert_uint_eq(read_cgroups(&s, found), SIZE_MAX);
        ck_assert_uint_lt(s.n_cgroups, 200000);
}
END_TEST

CHECK_MAIN("sample-summary", test_cgroups, test_too_many_cgroups, test_one_kind, test_window, test_switches, test_cut, test_several_kinds);
