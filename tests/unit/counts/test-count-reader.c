/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Recordings are streams in memory, made by count-records.c, of which some are broken afterwards. */

#include "array.h"
#include "check-main.h"
#include "count-reader.h"
#include "count-records.h"
#include "count-samples.h"
#include "feature.h"
#include "record-layout.h"

static void begin(RecordBuffer *b) {
        _cleanup_free_ PerfDataEvent *list = NULL;

        ck_assert_int_eq(count_records_events(&sample_layout, &list), 0);
        byte_buffer_put_u64(b, PERF_FILE_MAGIC);
        byte_buffer_put_u64(b, sizeof(PerfPipeHeader));
        for (size_t i = 0; i < sample_layout.n_events; i++)
                ck_assert_int_eq(record_put_attr(b, &list[i].attr, list[i].ids, list[i].n_ids), 0);
}

static void begin_layout(RecordBuffer *b, CountPlacing placing, uint64_t interval) {
        begin(b);
        ck_assert_int_eq(count_records_put_layout(b, &sample_layout, &(CountConfig) { placing, interval, true }, true), 0);
}

static PerfDataReader *open_recording(const RecordBuffer *b) {
        PerfDataReader *recording = NULL;

        ck_assert_int_eq(perf_data_reader_new_memory(b->data, b->size, &recording), 0);
        return recording;
}

static void assert_counts(const Count *counts, uint64_t factor) {
        for (size_t i = 0; i < ELEMENTSOF(sample_counts); i++) {
                ck_assert_uint_eq(counts[i].value, factor * sample_counts[i].value);
                ck_assert_uint_eq(counts[i].enabled, sample_counts[i].enabled);
                ck_assert_uint_eq(counts[i].running, sample_counts[i].running);
        }
}

START_TEST(all_comes_back) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *recording = NULL;
        _cleanup_(count_reader_freep) CountReader *c = NULL;
        const CountLayout *l;
        CountRound round;
        Count twice[ELEMENTSOF(sample_counts)];

        memcpy(twice, sample_counts, sizeof(twice));
        for (size_t i = 0; i < ELEMENTSOF(twice); i++)
                twice[i].value *= 2;
        begin_layout(&b, COUNT_BY_THREAD, 100);
        ck_assert_int_eq(count_records_put_round(&b, &sample_layout, sample_counts, false, 100000000), 0);
        ck_assert_int_eq(count_records_put_round(&b, &sample_layout, twice, true, 150000000), 0);
        recording = open_recording(&b);
        ck_assert_int_eq(count_reader_new(recording, &c, NULL), 0);
        l = count_reader_layout(c);
        ck_assert(l->n_events == 3 && l->n_cpus == 2 && l->cpus[0] == 0 && l->cpus[1] == 2 && l->n_threads == 2);
        ck_assert(l->threads[0].tid == 17 && l->threads[1].tid == 4711);
        ck_assert_str_eq(l->threads[1].comm, "a long name of ");
        for (size_t i = 0; i < 3; i++) {
                ck_assert_str_eq(l->events[i].name, sample_events[i].name);
                ck_assert_str_eq(l->events[i].unit, sample_events[i].unit ?: "");
                ck_assert(l->events[i].scale == sample_events[i].scale && l->events[i].supported == sample_events[i].supported);
                ck_assert_uint_eq(l->events[i].attr.config, sample_events[i].attr.config);
        }
        ck_assert(count_reader_config(c)->placing == COUNT_BY_THREAD && count_reader_config(c)->interval == 100);
        ck_assert(count_reader_config(c)->no_scale);
        ck_assert_int_eq(count_reader_next(c, &round, NULL), 1);
        ck_assert(!round.final && round.time == 100000000);
        assert_counts(round.counts, 1);
        ck_assert_int_eq(count_reader_next(c, &round, NULL), 1);
        ck_assert(round.final && round.time == 150000000);
        assert_counts(round.counts, 2);
        ck_assert_int_eq(count_reader_next(c, &round, NULL), 0);
}
END_TEST

/* Reads a recording, whose rounds up to its fault must be whole, and returns the fault. */
static char *fault_of(const RecordBuffer *b, int error, size_t rounds) {
        _cleanup_perf_data_reader_free_ PerfDataReader *recording = open_recording(b);
        _cleanup_(count_reader_freep) CountReader *c = NULL;
        Diagnosis d = {};
        CountRound round;
        int r = count_reader_new(recording, &c, &d);

        while (r >= 0 && (r = count_reader_next(c, &round, &d)) == 1) {
                ck_assert_uint_gt(rounds, 0);
                rounds--;
        }
        ck_assert_int_eq(r, error);
        ck_assert_uint_eq(rounds, 0);
        return d.sentence;
}

static void assert_fault(const RecordBuffer *b, int error, size_t rounds, const char *sentence) {
        _cleanup_free_ char *text = fault_of(b, error, rounds);

        ck_assert_str_eq(text ?: "", sentence);
}

/* A count of what the recording does not list, behind a round that is whole. */
START_TEST(wrong_numbers) {
        static const struct {
                uint64_t id;
                int cpu;
                uint32_t thread;
                const char *sentence;
        } wrong[] = {
                { 4, 0, 0, "counts an event that it does not list, with the id 4" },
                { 0, 0, 0, "counts an event that it does not list, with the id 0" },
                { 1, 1, 0, "counts on CPU 1, which it does not list" },
                { 1, 3, 0, "counts on CPU 3, which it does not list" },
                { 1, -1, 0, "counts on CPU -1, which it does not list" },
                { 3, 2, 2, "counts for thread number 2, which it does not list" },
                { 3, 2, UINT32_MAX, "counts for thread number 4294967295, which it does not list" },
        };

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};

                begin_layout(&b, COUNT_ALL, 0);
                ck_assert_int_eq(count_records_put_round(&b, &sample_layout, sample_counts, false, 5), 0);
                ck_assert_int_eq(record_put_stat(&b, wrong[i].id, wrong[i].cpu, wrong[i].thread, (uint64_t[3]) {}), 0);
                ck_assert_int_eq(count_records_put_round(&b, &sample_layout, sample_counts, true, 6), 0);
                assert_fault(&b, -EBADMSG, 1, wrong[i].sentence);
        }
}
END_TEST

/* A recording that is cut anywhere has its whole rounds. */
START_TEST(cut_recordings) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        size_t layout_end, first_end;

        begin_layout(&b, COUNT_ALL, 0);
        layout_end = b.size;
        ck_assert_int_eq(count_records_put_round(&b, &sample_layout, sample_counts, false, 5), 0);
        first_end = b.size;
        ck_assert_int_eq(count_records_put_round(&b, &sample_layout, sample_counts, true, 6), 0);
        for (size_t size = sizeof(PerfPipeHeader); size < b.size; size += sizeof(uint64_t)) {
                const RecordBuffer cut = { .data = b.data, .size = size };

                if (size < layout_end)
                        assert_fault(&cut, -EBADMSG, 0, "has no counts");
                else
                        assert_fault(&cut, 0, size >= first_end, "");
        }
}
END_TEST

/* A record that is shorter than its type wants. */
START_TEST(short_records) {
        static const uint32_t types[] = { PERF_RECORD_STAT, PERF_RECORD_STAT_ROUND, PERF_RECORD_STAT_CONFIG, PERF_RECORD_EVENT_UPDATE,
                                          PERF_RECORD_THREAD_MAP };

        for (size_t i = 0; i < ELEMENTSOF(types); i++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                char sentence[80];

                (void) snprintf(sentence, sizeof(sentence), "has a record of type %u that is too short", types[i]);
                begin_layout(&b, COUNT_ALL, 0);
                ck_assert_int_eq(record_end(&b, record_begin(&b, types[i], 0), NULL), 0);
                assert_fault(&b, -EBADMSG, 0, sentence);
        }
}
END_TEST

/* A few bytes can list more counts than there is memory for. */
START_TEST(too_many_counts) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ RecordThread *threads = calloc(2000, sizeof(*threads));
        _cleanup_free_ int *cpus = calloc(60000, sizeof(*cpus));
        CountLayout l = sample_layout;

        ck_assert(threads && cpus);
        for (int i = 0; i < 60000; i++)
                cpus[i] = i;
        l.threads = threads;
        l.n_threads = 2000;
        l.cpus = cpus;
        l.n_cpus = 60000;
        begin(&b);
        ck_assert_int_eq(count_records_put_layout(&b, &l, &(CountConfig) {}, false), 0);
        assert_fault(&b, -EFBIG, 0, "has more counts than 4194304");
}
END_TEST

/* Scales with which no number can be shown, and texts with which a terminal would be controlled, are not taken. */
START_TEST(hostile_values) {
        static const double scales[] = { 0, 1e300, -1e-300, __builtin_nan(""), __builtin_inf() };

        for (size_t i = 0; i < ELEMENTSOF(scales); i++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                _cleanup_perf_data_reader_free_ PerfDataReader *recording = NULL;
                _cleanup_(count_reader_freep) CountReader *c = NULL;

                begin_layout(&b, COUNT_ALL, 0);
                ck_assert_int_eq(record_put_event_scale(&b, 2, scales[i]), 0);
                ck_assert_int_eq(record_put_event_unit(&b, 2, "\033[2Ja long unit, longer than any other one"), 0);
                ck_assert_int_eq(record_put_event_unit(&b, 77, "of no event"), 0);
                recording = open_recording(&b);
                ck_assert_int_eq(count_reader_new(recording, &c, NULL), 0);
                ck_assert(count_reader_layout(c)->events[1].scale == 1);
                ck_assert_str_eq(count_reader_layout(c)->events[1].unit, "?[2Ja long unit, longer than any");
        }
}
END_TEST

/* Later perfs have further placings before some numbers. */
START_TEST(placings_of_versions) {
        static const struct {
                const char *version;
                uint64_t number;
                CountPlacing placing;
        } cases[] = {
                { "6.1.192", 4, COUNT_BY_CORE }, { "6.1.192", 7, COUNT_BY_NODE }, { "6.5", 4, COUNT_ALL }, { "6.5", 6, COUNT_BY_THREAD },
                { "6.12.41", 3, COUNT_BY_DIE }, { "6.12.41", 4, COUNT_ALL }, { "6.12.41", 6, COUNT_BY_CORE },
                { "6.12.41", 9, COUNT_BY_NODE }, { "7.0", 7, COUNT_BY_THREAD }, { "perf-recorder 7.0", 5, COUNT_BY_THREAD },
                { "5.10", 5, COUNT_BY_THREAD }, { "6.1", UINT64_MAX, COUNT_ALL },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                _cleanup_(byte_buffer_done) ByteBuffer version = {};
                _cleanup_perf_data_reader_free_ PerfDataReader *recording = NULL;
                _cleanup_(count_reader_freep) CountReader *c = NULL;

                begin_layout(&b, COUNT_ALL, 0);
                byte_buffer_put_string(&version, cases[i].version);
                byte_buffer_put_u32(&version, 0); /* so that the record behind it is aligned */
                ck_assert_int_eq(record_put_feature(&b, PERF_FEATURE_VERSION, version.data, version.size), 0);
                ck_assert_int_eq(record_put_stat_config(&b, cases[i].number, 0, true), 0);
                recording = open_recording(&b);
                ck_assert_int_eq(count_reader_new(recording, &c, NULL), 0);
                ck_assert_int_eq(count_reader_config(c)->placing, cases[i].placing);
        }
}
END_TEST

static void put_words(ByteBuffer *b, const uint32_t *words, size_t n) {
        for (size_t i = 0; i < n; i++)
                byte_buffer_put_u32(b, words[i]);
}

/* CPU 2 of three is core 1 of socket 1 and die 5, and in node 7; a recording without numbers of dies has die 0. */
START_TEST(places_of_the_machine) {
        for (int dies = 0; dies < 2; dies++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                _cleanup_(byte_buffer_done) ByteBuffer numbers = {}, topology = {}, nodes = {};
                _cleanup_perf_data_reader_free_ PerfDataReader *recording = NULL;
                _cleanup_(count_reader_freep) CountReader *c = NULL;
                _cleanup_free_ CpuPlace *places = NULL;

                begin_layout(&b, COUNT_ALL, 0);
                put_words(&numbers, (const uint32_t[]) { 3, 3 }, 2);
                put_words(&topology, (const uint32_t[]) { 1 }, 1);
                byte_buffer_put_string(&topology, "0-2");
                put_words(&topology, (const uint32_t[]) { 0, 0, 0, 1, 0, 1, 1 }, 7); /* no list of threads; core, socket */
                if (dies)
                        put_words(&topology, (const uint32_t[]) { 0, 3, 4, 5 }, 4);
                put_words(&nodes, (const uint32_t[]) { 1, 7, 0, 0, 0, 0 }, 6);
                byte_buffer_put_string(&nodes, "1-2");
                ck_assert_int_eq(record_put_feature(&b, PERF_FEATURE_NRCPUS, numbers.data, numbers.size), 0);
                ck_assert_int_eq(record_put_feature(&b, PERF_FEATURE_CPU_TOPOLOGY, topology.data, topology.size), 0);
                ck_assert_int_eq(record_put_feature(&b, PERF_FEATURE_NUMA_TOPOLOGY, nodes.data, nodes.size), 0);
                recording = open_recording(&b);
                ck_assert_int_eq(count_reader_new(recording, &c, NULL), 0);
                ck_assert_int_eq(count_reader_places(c, &places), 0);
                ck_assert(places[0].core == 0 && places[0].socket == 0 && places[0].die == (dies ? 3 : 0) && places[0].node == -1);
                ck_assert(places[1].core == 1 && places[1].socket == 1 && places[1].die == (dies ? 5 : 0) && places[1].node == 7);
        }
}
END_TEST

START_TEST(no_places) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_reader_free_ PerfDataReader *recording = NULL;
        _cleanup_(count_reader_freep) CountReader *c = NULL;
        CpuPlace *places;

        begin_layout(&b, COUNT_ALL, 0);
        recording = open_recording(&b);
        ck_assert_int_eq(count_reader_new(recording, &c, NULL), 0);
        ck_assert_int_eq(count_reader_places(c, &places), -ENODATA);
}
END_TEST

CHECK_MAIN("count-reader", all_comes_back, wrong_numbers, cut_recordings, short_records, too_many_counts, hostile_values,
           placings_of_versions, places_of_the_machine, no_places);
