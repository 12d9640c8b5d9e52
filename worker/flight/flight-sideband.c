/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The way of side-band records: ring -> repair -> table, then journal; only then the ring is consumed. What /proc
 * shows at the start, and modules that are loaded later, go the same way as records that are made here, since the
 * kernel reports neither.
 *
 * Invariant: the table and the journal have the same records, so that a successor who replays the journal knows what
 * this recorder knows. If the journal fails, it is empty until sideband_journal_compact() writes the whole table to it.
 *
 * The table grows with processes that exit, and with threads and mappings that come and go, until a sweep (flight.c)
 * finds out which of them still have samples. A sweep is due when the table has grown by half since the previous one,
 * so that its cost stays in proportion to what happens, and where there are many samples to walk not for every MiB.
 *
 * When the kernel had no room for records, the table may be wrong about processes that began or called exec since the last
 * record before. They are read from /proc again, soon, or for a dump that is made before, and go the way of all records, with
 * the time at which the table began to be wrong about them. So are control groups, also for a dump whose samples have one
 * that the table dropped or never saw. */

#include "flight-sideband.h"

#include "array.h"
#include "cgroup.h"
#include "kernel-map.h"
#include "log.h"
#include "process.h"
#include "record-counts.h"
#include "record-repair.h"

#define GROWTH_MIN ((size_t) 1 << 20) /* bytes that are not worth a sweep of few samples … */
#define GROWTH_MANY ((size_t) 4 << 20) /* … and of many */

#define REREAD_USEC (5 * USEC_PER_SEC) /* between two readings of /proc, but for a dump … */
#define REREAD_PART 50u                /* … and so many times what the last one took */
#define LOST_NOTE_USEC USEC_PER_MINUTE /* between two reports in the journal */

#define LEFT_OUT_MAX 4096u /* processes; of further ones the mappings that /proc has beyond their shares are not reported */

typedef struct LeftOutOf {
        uint32_t pid;
        uint64_t n;
} LeftOutOf;

struct FlightSideband {
        const PreambleOptions *options;
        SidebandTable *table;
        SidebandJournal *journal;
        SidebandFollower *follower; /* NULL: none */
        void *follower_userdata;
        bool journal_failed; /* it lacks something, which was reported */
        size_t sweep_above;  /* bytes of the table */
        bool broken;         /* a ring had a broken record, which was reported */
        uint64_t lost;       /* records that the kernel dropped, to be reported */
        uint64_t lost_ever, lost_recently; /* all; those since no sample in memory was as old as lost_time */
        uint64_t lost_time;  /* of the last one, or a bit later, ns of the samples' clock */
        usec_t lost_reported;
        bool stale;          /* records were dropped since /proc was read … */
        uint64_t stale_since; /* … after this one, ns of the samples' clock */
        usec_t reread_after;
        usec_t cgroups_reread_after; /* for a dump, unless records were dropped */
        uint64_t nameless;   /* control groups in the last dump's samples that the table dropped */
        const SidebandSeen *reread; /* processes whose records are being put, ascending */
        size_t n_reread;
        uint64_t modules;    /* digest of those that are in the table */
        LeftOutNotes notes;
        LeftOutOf *left_out; /* by the records that are being put, until the table has all of them */
        size_t n_left_out;
        RecordRepair repair;
};

FlightSideband *flight_sideband_free(FlightSideband *s) {
        if (!s)
                return NULL;
        sideband_table_free(s->table);
        free(s->left_out);
        free(s);
        return NULL;
}

/* If the table rejects a record, the journal is emptied, because a successor could not replay it. The next compaction writes a
 * base with all that the table has. */
static int sideband_feed_records(FlightSideband *s, uint32_t ring, const struct iovec *records, size_t n, uint64_t tail) {
        int r = s->follower ? s->follower(s->follower_userdata, ring, records, n, tail) : 0, q;

        if (r >= 0)
                r = sideband_table_feed_segments(s->table, records, n);
        if (r == -ENOMEM || !s->journal)
                return r;
        if (r < 0) {
                sideband_journal_empty(s->journal);
                return r;
        }
        q = sideband_journal_append(s->journal, ring, records, n, tail);
        if (q < 0 && !s->journal_failed)
                log_warning("A successor of this recorder will not know all processes: %s", strerror(-q));
        s->journal_failed = s->journal_failed || q < 0;
        return r;
}

/* Records that are made are older than all others, except those of a process that is read again. */
static void sideband_stamp(const FlightSideband *s, struct perf_event_header *record, const TrailerPlaces *places) {
        uint64_t *tid = record_word_from_end(record, places->tid), *time = record_word_from_end(record, places->time);
        uint32_t pid = record_pid(record);
        size_t i = LOWER_BOUND(s->n_reread, k, s->reread[k].pid < pid);

        if (i >= s->n_reread || s->reread[i].pid != pid)
                return;
        if (tid)
                *tid = (uint64_t) pid << 32 | pid;
        if (time)
                *time = s->reread[i].since;
}

static int sideband_feed_piece(void *userdata, const struct iovec *records) {
        FlightSideband *s = userdata;
        const TrailerPlaces places = trailer_places(s->options->set->members[0].attr.sample_type);
        uint8_t *bytes = records->iov_base;

        for (size_t at = 0; s->n_reread > 0 && at < records->iov_len;) {
                struct perf_event_header *record = (struct perf_event_header *) (bytes + at);

                sideband_stamp(s, record, &places);
                at += record->size;
        }
        return sideband_feed_records(s, SIDEBAND_JOURNAL_NO_RING, records, 1, 0);
}

static void sideband_note_left_out(void *userdata, pid_t pid, uint64_t n) {
        FlightSideband *s = userdata;

        if (s->n_left_out >= LEFT_OUT_MAX || ARRAY_RESERVE_NEXT(s->left_out, s->n_left_out) < 0)
                return;
        s->left_out[s->n_left_out++] = (LeftOutOf) { .pid = (uint32_t) pid, .n = n };
}

static void sideband_report_left_out(FlightSideband *s) {
        SidebandLeftOut l;

        while (sideband_table_take_left_out(s->table, &l))
                left_out_tell(&s->notes, l.pid, l.name, l.left_out);
}

/* pids: of preamble_put_processes(). */
static int sideband_feed_made(FlightSideband *s, int (*put)(const PreambleOptions *o, RecordBuffer *b), const pid_t *pids,
                              size_t n_pids) {
        _cleanup_(record_buffer_done) RecordBuffer b = { .drain = sideband_feed_piece, .userdata = s };
        PreambleOptions o = *s->options;
        int r;

        o.processes = pids;
        o.n_processes = n_pids;
        o.left_out = sideband_note_left_out;
        o.userdata = s;
        r = put(&o, &b);
        if (r >= 0)
                r = byte_buffer_flush(&b);
        for (size_t i = 0; i < s->n_left_out && r >= 0; i++)
                sideband_table_leave_out(s->table, s->left_out[i].pid, s->left_out[i].n);
        free(steal_ptr(s->left_out));
        s->n_left_out = 0;
        sideband_report_left_out(s);
        return r;
}

/* newest: the time of the last record before. */
static void sideband_take_lost(FlightSideband *s, uint64_t n, uint64_t newest) {
        s->lost_ever += n;
        s->lost_recently += n;
        if (n > 0)
                s->lost_time = sideband_table_newest(s->table);
        if (!s->stale) {
                s->stale = true;
                s->stale_since = newest;
        }
}

/* A recorder that was killed between the append to the journal and ring_consume() left tails behind what the journal has, and one
 * that was killed before it read /proc again left it to its successor. */
static int sideband_follow_journal(FlightSideband *s) {
        const EventSet *set = s->options->set;
        SidebandLost lost = {};
        int r;

        for (size_t i = 0; i < set->n_rings; i++)
                if (set->rings[i].sideband)
                        ring_skip_to(&set->rings[i], sideband_journal_tail(s->journal, (uint32_t) i));
        r = sideband_journal_replay(s->journal, s->table, &lost);
        if (lost.records > 0)
                sideband_take_lost(s, lost.records, lost.since);
        return r;
}

static int sideband_read_machine(FlightSideband *s) {
        s->modules = kernel_modules_digest(s->options->root);
        return sideband_feed_made(s, preamble_put_sideband, NULL, 0);
}

/* A journal that can't be replayed to its end is given up: better the names of the processes that live than no recorder. */
static int sideband_take_journal(FlightSideband *s) {
        uint64_t sample_type = s->options->set->members[0].attr.sample_type;
        int r = sideband_follow_journal(s);

        if (r != -EBADMSG)
                return r;
        log_warning("The journal of what processes did is broken: samples of processes that exited may have no symbols");
        sideband_journal_empty(s->journal);
        s->table = sideband_table_free(s->table);
        r = sideband_table_new(sample_type, &s->table);
        return r < 0 ? r : sideband_read_machine(s);
}

static void sideband_expect_sweep(FlightSideband *s, uint64_t bytes_of_samples) {
        size_t now = sideband_table_memory(s->table), least = (size_t) MIN_OF(bytes_of_samples / 8, GROWTH_MANY);

        least = MAX_OF(least, GROWTH_MIN);
        s->sweep_above = now + MAX_OF(now / 2, least);
}

int flight_sideband_new(const PreambleOptions *o, SidebandJournal *journal, FlightSideband **ret) {
        _cleanup_(flight_sideband_freep) FlightSideband *s = calloc(1, sizeof(FlightSideband));
        const struct perf_event_attr *first = &o->set->members[0].attr;
        int r;

        if (!s)
                return -ENOMEM;
        s->options = o;
        s->journal = journal;
        s->repair = record_repair_of(o->set);
        r = sideband_table_new(first->sample_type, &s->table);
        if (r >= 0 && journal && !sideband_journal_is_empty(journal))
                r = sideband_take_journal(s);
        else if (r >= 0)
                r = sideband_read_machine(s);
        if (r < 0)
                return r;
        sideband_expect_sweep(s, 0);
        *ret = steal_ptr(s);
        return 0;
}

static int compare_seen(const void *a, const void *b) {
        const SidebandSeen *x = a, *y = b;

        return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Keeps the processes that the table may be wrong about. Where it follows some tasks only, the others are not its business. */
static size_t sideband_keep_stale(const FlightSideband *s, SidebandSeen *seen, size_t n) {
        bool all = target_has_cpu(s->options->target);
        size_t n_stale = 0;

        sideband_table_find_stale(s->table, s->stale_since, seen, n);
        for (size_t i = 0; i < n; i++)
                if (seen[i].stale && (seen[i].known || all))
                        seen[n_stale++] = seen[i];
        qsort(seen, n_stale, sizeof(*seen), compare_seen);
        return n_stale;
}

static int sideband_feed_again(FlightSideband *s, pid_t *pids, size_t n) {
        _cleanup_free_ SidebandSeen *seen = calloc(n + 1, sizeof(*seen));
        _cleanup_free_ char (*names)[PROCESS_COMM_SIZE] = calloc(n + 1, PROCESS_COMM_SIZE);
        size_t n_seen = 0;
        int r;

        if (!seen || !names)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                if (process_read_comm(s->options->root, pids[i], pids[i], names[i]) >= 0)
                        seen[n_seen++] = (SidebandSeen) { .pid = (uint32_t) pids[i], .name = names[i] };
        n_seen = sideband_keep_stale(s, seen, n_seen);
        for (size_t i = 0; i < n_seen; i++)
                pids[i] = (pid_t) seen[i].pid;
        s->reread = seen;
        s->n_reread = n_seen;
        r = sideband_feed_made(s, preamble_put_processes, pids, n_seen);
        s->reread = NULL;
        s->n_reread = 0;
        return r;
}

static int sideband_reread_cgroups(FlightSideband *s) {
        usec_t begin = now_usec(CLOCK_MONOTONIC), end;
        int r = sideband_feed_made(s, preamble_put_cgroups, NULL, 0);

        end = now_usec(CLOCK_MONOTONIC);
        s->cgroups_reread_after = end + REREAD_PART * (end - begin);
        return r;
}

/* Without /proc the table stays as it is. */
static int sideband_reread(FlightSideband *s) {
        usec_t begin = now_usec(CLOCK_MONOTONIC), end;
        _cleanup_free_ pid_t *pids = NULL;
        size_t n = 0;
        int r = sideband_table_round(s->table, true);

        if (r >= 0)
                r = process_list(s->options->root, 0, &pids, &n);
        if (r >= 0)
                r = sideband_feed_again(s, pids, n);
        if (r != -ENOMEM)
                r = sideband_reread_cgroups(s);
        if (r == -ENOMEM)
                return r;
        end = now_usec(CLOCK_MONOTONIC);
        s->reread_after = end + MAX_OF(REREAD_USEC, REREAD_PART * (end - begin));
        s->stale = false;
        return 0;
}

static void sideband_note_lost(FlightSideband *s) {
        usec_t now = now_usec(CLOCK_MONOTONIC);

        if (s->lost == 0 || (s->lost_reported > 0 && now - s->lost_reported < LOST_NOTE_USEC))
                return;
        log_warning("The kernel had no room for %" PRIu64 " records of what processes did: some samples of processes that exited "
                    "since may have no symbols", s->lost);
        s->lost = 0;
        s->lost_reported = now;
}

static int sideband_drain_ring(FlightSideband *s, uint32_t i, uint64_t newest) {
        Ring *ring = &s->options->set->rings[i];
        RecordCounts counts = {};
        struct iovec segments[2];
        _cleanup_free_ void *copy = NULL;
        unsigned n;
        size_t bytes = ring_read_begin(ring, segments, &n);
        int r;

        if (bytes == 0)
                return 0;
        record_counts_add_segments(&counts, segments, n);
        r = record_repair_segments(&s->repair, &counts, segments, &n, &copy);
        if (r >= 0)
                r = sideband_feed_records(s, i, segments, n, ring->position + bytes);
        if (r == -ENOMEM)
                return r;
        if (r < 0 && !s->broken)
                log_warning("A ring of what processes did has a broken record: some samples may have no symbols");
        s->broken = s->broken || r < 0;
        s->lost += counts.lost;
        if (r < 0 || counts.lost > 0)
                sideband_take_lost(s, counts.lost, newest);
        ring_consume(ring, bytes);
        return 0;
}

static int sideband_pass_on(void *userdata, const struct iovec *records) {
        const FlightSideband *s = userdata;

        return s->follower(s->follower_userdata, SIDEBAND_JOURNAL_NO_RING, records, 1, 0);
}

int flight_sideband_follow(FlightSideband *s, SidebandFollower *follower, void *userdata) {
        _cleanup_(record_buffer_done) RecordBuffer b = { .drain = sideband_pass_on, .userdata = s };
        int r;

        s->follower = follower;
        s->follower_userdata = userdata;
        r = sideband_table_put(s->table, NULL, &b);
        return r < 0 ? r : byte_buffer_flush(&b);
}

int flight_sideband_drain(FlightSideband *s, bool all) {
        uint64_t newest = sideband_table_newest(s->table);
        int r = 0;

        for (size_t i = 0; i < s->options->set->n_rings && r >= 0; i++)
                if (s->options->set->rings[i].sideband)
                        r = sideband_drain_ring(s, (uint32_t) i, newest);
        if (r >= 0)
                r = sideband_table_round(s->table, all);
        if (r >= 0 && s->stale && now_usec(CLOCK_MONOTONIC) >= s->reread_after)
                r = sideband_reread(s);
        sideband_note_lost(s);
        sideband_report_left_out(s);
        if (r >= 0 && s->journal && !s->stale) /* a base does not tell a successor that /proc is to be read again */
                (void) sideband_journal_compact(s->journal, s->table);
        return r;
}

/* Reads the control groups again if samples have one without a name. It may have none in our namespace, and any user can have
 * many, so there is a time between two readings. */
static int sideband_find_cgroups(FlightSideband *s, const FlightTaken *samples) {
        uint64_t dropped = sideband_table_n_dropped_cgroups(s->table);
        size_t nameless = sideband_table_nameless(s->table, samples->cgroups, samples->n_cgroups);
        int r = 0;

        if (nameless > 0 && now_usec(CLOCK_MONOTONIC) >= s->cgroups_reread_after) {
                r = sideband_reread_cgroups(s);
                nameless = sideband_table_nameless(s->table, samples->cgroups, samples->n_cgroups);
        }
        s->nameless = MIN_OF(nameless, dropped);
        if (s->nameless > 0)
                log_warning("The dump lacks the names of %" PRIu64 " control groups of its samples: the side band has no room for "
                            "so many, and these do not exist any more", s->nameless);
        return r == -ENOMEM ? r : 0;
}

int flight_sideband_put(FlightSideband *s, const FlightTaken *samples, RecordBuffer *b, LeftOut *ret_left_out) {
        const SidebandSamples needs = { samples->pids, samples->n_pids, samples->cgroups, samples->n_cgroups };
        uint64_t modules = kernel_modules_digest(s->options->root);
        int r = 0;

        if (modules != s->modules) {
                s->modules = modules;
                r = sideband_feed_made(s, preamble_put_modules, NULL, 0);
        }
        if (r >= 0 && s->stale)
                r = sideband_reread(s);
        if (r >= 0)
                r = sideband_find_cgroups(s, samples);
        if (r >= 0)
                r = preamble_put_events(s->options, b);
        if (r >= 0)
                r = sideband_table_put(s->table, &needs, b);
        if (r < 0)
                return r;
        sideband_table_left_out(s->table, &ret_left_out->mappings, &ret_left_out->processes);
        return record_put_finished_init(b);
}

int flight_sideband_put_window(FlightSideband *s, bool whole, uint64_t since, uint64_t until, RecordBuffer *b) {
        const SidebandSamples of = { .since = whole ? 0 : since, .until = until };
        PreambleOptions o = *s->options;
        int r = 0;

        o.event_names = true; /* a stream has no header with them */
        if (whole)
                r = preamble_put_events(&o, b);
        if (r >= 0)
                r = sideband_table_put(s->table, &of, b);
        return r < 0 ? r : record_put_finished_init(b);
}

uint64_t flight_sideband_lost(const FlightSideband *s, uint64_t since) {
        if (since == 0)
                return s->lost_ever;
        return s->nameless + (s->lost_time >= since ? s->lost_recently : 0);
}

bool flight_sideband_wants_sweep(const FlightSideband *s) {
        return sideband_table_memory(s->table) > s->sweep_above;
}

static bool sideband_cgroup_exists(void *userdata, uint64_t id, const char *path) {
        _cleanup_free_ char *full = NULL;
        uint64_t found;

        return cgroup_path(userdata, path, &full) < 0 || (cgroup_read_id(full, &found) >= 0 && found == id);
}

int flight_sideband_sweep(FlightSideband *s, const FlightTaken *samples, uint64_t oldest) {
        _cleanup_free_ char *root = NULL;
        int r = sideband_table_forget_before(s->table, oldest);

        if (s->lost_time < oldest)
                s->lost_recently = 0;
        if (r >= 0)
                r = sideband_table_keep_only(s->table, samples->pids, samples->n_pids);
        /* If no hierarchy is found, names stay up to the table's limit. */
        if (samples->cgroups && cgroup_find_root(NULL, &root) >= 0)
                sideband_table_keep_cgroups(s->table, samples->cgroups, samples->n_cgroups, sideband_cgroup_exists, root);
        sideband_expect_sweep(s, samples->bytes);
        return r;
}
