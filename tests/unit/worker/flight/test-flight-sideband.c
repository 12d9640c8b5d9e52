/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From the rings of the side band to the beginning of a dump. */

#include "array.h"
#include "cgroup.h"
#include "check-main.h"
#include "made-flight.h"
#include "record-layout.h"

static FlightSideband *sideband;

static void open_sideband(void) {
        ck_assert_int_eq(flight_sideband_new(&flying.preamble, NULL, &sideband), 0);
}

static RecordBuffer put(const uint32_t *pids, size_t n) {
        RecordBuffer b = {};

        ck_assert_int_eq(flight_sideband_put(sideband, &(FlightTaken) { .pids = (uint32_t *) pids, .n_pids = n }, &b, &(LeftOut) {}), 0);
        return b;
}

static bool has(const uint32_t *pids, size_t n, const char *name) {
        RecordBuffer b = put(pids, n);
        bool found = made_has_comm(b.data, b.size, name);

        record_buffer_done(&b);
        return found;
}

START_TEST(test_follows) {
        const uint32_t seven = 7, eight = 8;

        open_sideband();
        made_sideband_comm(7, "seven", 10);
        made_sideband_comm(8, "eight", 20);
        made_ring_sample(0, 30); /* not its ring */
        ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
        ck_assert_uint_eq(made.pages[1].data_tail, made.pages[1].data_head);
        ck_assert_uint_eq(made.pages[0].data_tail, 0);
        ck_assert(has(NULL, 0, "seven") && has(NULL, 0, "eight"));
        ck_assert(has(&seven, 1, "seven") && !has(&eight, 1, "seven"));
        flight_sideband_free(sideband);
}
END_TEST

/* The beginning has the events' part and its end marker too. */
START_TEST(test_frame) {
        const struct perf_event_header *h, *last = NULL;
        unsigned ids = 0;
        size_t cursor = 0;
        RecordBuffer b;

        open_sideband();
        b = put(NULL, 0);
        while (record_next(b.data, b.size, &cursor, &h) > 0) {
                ids += h->type == PERF_RECORD_ID_INDEX;
                last = h;
        }
        ck_assert_uint_eq(ids, 1);
        ck_assert_uint_eq(last->type, PERF_RECORD_FINISHED_INIT);
        record_buffer_done(&b);
        flight_sideband_free(sideband);
}
END_TEST

/* Thousands of processes exited, and those without samples are dropped. */
START_TEST(test_sweep) {
        uint32_t needed = 105;
        const FlightTaken samples = { .pids = &needed, .n_pids = 1 };
        uint32_t pid = 100, swept[20000];
        size_t n = 0;

        open_sideband();
        while (!flight_sideband_wants_sweep(sideband)) {
                made_sideband_comm(pid, "short", pid * 10);
                made_sideband_exit(pid, pid * 10 + 5);
                ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
                if (pid != needed)
                        swept[n++] = pid;
                ck_assert_uint_lt(++pid, 20000);
        }
        ck_assert(has(&needed, 1, "short"));
        ck_assert(has(swept, n, "short"));
        ck_assert_int_eq(flight_sideband_sweep(sideband, &samples, 1000), 0);
        ck_assert(has(&needed, 1, "short"));
        ck_assert(!has(swept, n, "short"));
        ck_assert(!flight_sideband_wants_sweep(sideband));
        flight_sideband_free(sideband);
}
END_TEST

static void lose_records(void) {
        const struct {
                struct perf_event_header header;
                uint64_t id, lost;
        } record = { .header = { .type = PERF_RECORD_LOST, .size = sizeof(record) }, .id = 201, .lost = 3 };

        made_ring_put(1, &record, sizeof(record));
}

START_TEST(test_lost) {
        open_sideband();
        lose_records();
        ck_assert_int_eq(flight_sideband_drain(sideband, false), 0);
        ck_assert_uint_eq(made.pages[1].data_tail, made.pages[1].data_head);
        flight_sideband_free(sideband);
}
END_TEST

static void write_process(int pid, const char *name) {
        char file[64], text[128];

        (void) snprintf(file, sizeof(file), "proc/%d/stat", pid);
        (void) snprintf(text, sizeof(text), "%d (%s) S 1 0 0 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0", pid, name);
        scratch_write_text(made.dir, file, text);
        (void) snprintf(file, sizeof(file), "proc/%d/maps", pid);
        (void) snprintf(text, sizeof(text), "00400000-00401000 r-xp 00000000 08:01 9 /bin/%s\n", name);
        scratch_write_text(made.dir, file, text);
        (void) snprintf(file, sizeof(file), "proc/%d/task/%d/comm", pid, pid);
        (void) snprintf(text, sizeof(text), "%s\n", name);
        scratch_write_text(made.dir, file, text);
}

/* Returns the time of the process's record of that name. UINT64_MAX: there is none. */
static uint64_t time_of_name(uint32_t pid, const char *name) {
        const struct perf_event_header *h;
        uint64_t time = UINT64_MAX;
        RecordBuffer b = put(NULL, 0);
        size_t cursor = 0;

        while (record_next(b.data, b.size, &cursor, &h) > 0)
                if (h->type == PERF_RECORD_COMM && record_pid(h) == pid && streq(((const PerfRecordComm *) h)->name, name))
                        time = *record_word_from_end(h, trailer_places(MADE_SAMPLE_TYPE).time);
        record_buffer_done(&b);
        return time;
}

/* The recorder reads from /proc what the kernel dropped. It holds for samples since the last record before. Others stay as they are. */
START_TEST(test_reads_again_after_loss) {
        flying.target.all_cpus = true;
        write_process(7, "seven");
        open_sideband();
        made_sideband_comm(7, "seven", 10);
        made_sideband_comm(8, "parent", 20);
        ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
        write_process(8, "eight");
        write_process(9, "nine");
        lose_records();
        ck_assert_int_eq(flight_sideband_drain(sideband, false), 0);
        ck_assert_uint_eq(time_of_name(7, "seven"), 10);
        ck_assert_uint_eq(time_of_name(8, "parent"), 20);
        ck_assert_uint_eq(time_of_name(8, "eight"), 20);
        ck_assert_uint_eq(time_of_name(9, "nine"), 20);
        ck_assert_uint_eq(flight_sideband_lost(sideband, 0), 3);
        ck_assert_uint_eq(flight_sideband_lost(sideband, 15), 3);
        ck_assert_uint_eq(flight_sideband_lost(sideband, 25), 0);
        flight_sideband_free(sideband);
}
END_TEST

/* A dump does not wait for the time when /proc may be read again. */
START_TEST(test_reads_again_for_a_dump) {
        flying.target.all_cpus = true;
        scratch_write_text(made.dir, "proc/1/stat", "");
        open_sideband();
        for (int pid = 8; pid < 10; pid++) {
                made_sideband_comm(7, "seven", 10);
                ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
                lose_records();
                ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
                write_process(pid, "late");
        }
        ck_assert_uint_eq(time_of_name(8, "late"), 10);
        ck_assert_uint_eq(time_of_name(9, "late"), 10);
        flight_sideband_free(sideband);
}
END_TEST

static void made_sideband_cgroup(uint64_t id, const char *path) {
        const RecordTrailer trailer = { .sample_type = MADE_SAMPLE_TYPE, .time = 10, .id = 201 };
        RecordBuffer b = {};

        ck_assert_int_eq(record_put_cgroup(&b, id, path, &trailer), 0);
        made_ring_put(1, b.data, b.size);
        record_buffer_done(&b);
}

/* Puts a dump whose samples have these control groups, and checks that it has as many records of them as expected. */
static void assert_cgroups(const uint64_t *ids, size_t n, size_t expected) {
        const FlightTaken samples = { .cgroups = (uint64_t *) ids, .n_cgroups = n };
        const struct perf_event_header *h;
        size_t cursor = 0, found = 0;
        RecordBuffer b = {};

        ck_assert_int_eq(flight_sideband_put(sideband, &samples, &b, &(LeftOut) {}), 0);
        while (record_next(b.data, b.size, &cursor, &h) > 0)
                if (h->type == PERF_RECORD_CGROUP) {
                        ck_assert(ANY_OF(n, i, ids[i] == ((const PerfRecordCgroup *) h)->id));
                        found++;
                }
        ck_assert_uint_eq(found, expected);
        record_buffer_done(&b);
}

/* A group that exists is read when samples name it; one that does not is forgotten when none does. */
START_TEST(test_cgroups) {
        const FlightTaken none = { .pids = (uint32_t[]) { 0 }, .cgroups = (uint64_t[]) { 0 } };
        _cleanup_free_ char *root = NULL;
        uint64_t ids[] = { 0, UINT64_MAX - 1, UINT64_MAX };

        if (cgroup_find_root(NULL, &root) < 0 || cgroup_read_id(root, &ids[0]) < 0)
                return;
        open_sideband();
        made_sideband_cgroup(UINT64_MAX, "/removed");
        ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
        assert_cgroups(ids + 2, 1, 1); /* nothing is read for it, so that the next dump may read at once */
        for (size_t i = 0; i < made.set.n_members; i++)
                made.set.members[i].attr.cgroup = true;
        assert_cgroups(ids, 3, 2);
        ck_assert_int_eq(flight_sideband_sweep(sideband, &none, 1000), 0);
        assert_cgroups(ids, 3, 2);
        ck_assert_int_eq(flight_sideband_sweep(sideband, &none, 1000), 0);
        assert_cgroups(ids, 3, 1);
        flight_sideband_free(sideband);
}
END_TEST

/* A user makes so many that names of his own are dropped: then the dump has records less. */
START_TEST(test_too_many_cgroups) {
        const uint64_t ids[] = { 1, 2, 1000000 };
        char path[4000];

        open_sideband();
        made_sideband_cgroup(2, "/system.slice/honest.service");
        for (uint64_t i = 0; i < 4000; i++) {
                (void) snprintf(path, sizeof(path), "/user.slice/user-8.slice/%03500u", (unsigned) i);
                made_sideband_cgroup(i == 0 ? 1 : 1000 + i, path);
                ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
        }
        assert_cgroups(ids, 3, 1);
        ck_assert_uint_eq(flight_sideband_lost(sideband, 5), 2);
        ck_assert_uint_eq(flight_sideband_lost(sideband, 0), 0);
        flight_sideband_free(sideband);
}
END_TEST

static const struct perf_event_header broken = { .type = PERF_RECORD_COMM, .size = 4 };

static SidebandJournal *new_journal(void) {
        SidebandJournal *j;

        ck_assert_int_eq(sideband_journal_new(made.set.n_rings, &j), 0);
        return j;
}

/* The records after a broken one are followed, and a successor knows all of them. */
START_TEST(test_broken_record) {
        SidebandJournal *journal = new_journal();

        ck_assert_int_eq(flight_sideband_new(&flying.preamble, journal, &sideband), 0);
        made_sideband_comm(7, "seven", 10);
        ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
        made_ring_put(1, &broken, sizeof(broken));
        ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
        ck_assert_uint_eq(made.pages[1].data_tail, made.pages[1].data_head);
        made_sideband_comm(9, "nine", 30);
        ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
        ck_assert(has(NULL, 0, "seven") && has(NULL, 0, "nine"));
        flight_sideband_free(sideband);
        ck_assert_int_eq(flight_sideband_new(&flying.preamble, journal, &sideband), 0);
        ck_assert(has(NULL, 0, "seven") && has(NULL, 0, "nine"));
        flight_sideband_free(sideband);
        sideband_journal_free(journal);
}
END_TEST

/* A recorder is killed before it reads /proc again: its successor does, and knows how many records it may lack. */
START_TEST(test_successor_reads_again) {
        SidebandJournal *journal = new_journal();

        flying.target.all_cpus = true;
        write_process(7, "seven");
        ck_assert_int_eq(flight_sideband_new(&flying.preamble, journal, &sideband), 0);
        for (unsigned i = 0; i < 2; i++) { /* after the first loss it has read /proc, and does not for some seconds */
                made_sideband_comm(7, "seven", 10 + i);
                ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
                lose_records();
                ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
        }
        write_process(8, "eight");
        flight_sideband_free(sideband);
        ck_assert_int_eq(flight_sideband_new(&flying.preamble, journal, &sideband), 0);
        ck_assert_uint_eq(flight_sideband_lost(sideband, 0), 6);
        ck_assert_uint_ne(time_of_name(8, "eight"), UINT64_MAX);
        flight_sideband_free(sideband);
        sideband_journal_free(journal);
}
END_TEST

/* A successor begins as the first recorder did, and hands on a whole journal. */
START_TEST(test_broken_journal) {
        const struct iovec v = { (void *) &broken, sizeof(broken) };
        SidebandJournal *journal = new_journal();

        ck_assert_int_eq(flight_sideband_new(&flying.preamble, journal, &sideband), 0);
        ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
        flight_sideband_free(sideband);
        ck_assert_int_eq(sideband_journal_append(journal, SIDEBAND_JOURNAL_NO_RING, &v, 1, 0), 0);
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_int_eq(flight_sideband_new(&flying.preamble, journal, &sideband), 0);
                made_sideband_comm(9 + i, "late", 30 + i);
                ck_assert_int_eq(flight_sideband_drain(sideband, true), 0);
                ck_assert(has(NULL, 0, "late"));
                flight_sideband_free(sideband);
        }
        sideband_journal_free(journal);
}
END_TEST

CHECK_MAIN_WITH("flight-sideband", made_flight_setup, made_teardown, test_follows, test_frame, test_sweep, test_lost,
                test_reads_again_after_loss, test_reads_again_for_a_dump, test_successor_reads_again,
                test_cgroups, test_too_many_cgroups, test_broken_record, test_broken_journal);
