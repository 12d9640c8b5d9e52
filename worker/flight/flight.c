/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A dump goes through four steps:
 *
 *   mark      loop    marks the cut-off in the samples (flight_mark(), which may be repeated)
 *   take      thread  copies or reads the samples; a trigger waits for that, so it must be fast
 *   describe  loop    reads the side band once more, to have all that the samples need, and makes the preamble
 *   write     thread  writes the file and gives it its name
 *
 * Only the loop touches the side-band table. A preamble longer than a piece, as that of tens of thousands of
 * processes, is not kept in memory for the thread: the loop writes all pieces of it but the last.
 *
 * A sweep takes the samples only to learn which processes still have some; the table forgets the others. Invariant:
 * during a sweep the table learns nothing newer than those samples, so the side band stays in its rings.
 *
 * There is one piece of work at a time; Flight.step names it. Triggers are unknown here: an order comes in, and its
 * result goes out by a callback, when the file has its name or has failed. */

#include "flight.h"

#include <time.h>
#include "flight-file.h"
#include "flight-window.h"
#include "sample-clock.h"
#include "spare-memory.h"
#include "task-thread.h"

typedef enum FlightStep {
        FLIGHT_IDLE,
        FLIGHT_WARMING,
        FLIGHT_SWEEPING,
        FLIGHT_MARKED, /* no work is under way, but flight_dump() follows: no sweep may take samples now */
        FLIGHT_TAKING,
        FLIGHT_WRITING,
} FlightStep;

/* The dump that is being made. A sweep uses wish and taken only. */
typedef struct FlightDump {
        DumpOrder order;
        char *trigger, *detail, *incident; /* of the order; trigger NULL: it is no dump, but the recording's own file */
        bool timestamp;
        DumpDone done;
        void *userdata;
        FlightWish wish;
        int64_t offset;        /* of CLOCK_REALTIME from the samples' clock, 0: not known */
        FlightTaken taken;
        DumpResult facts;
        char *lent;            /* of facts */
        RecordBuffer preamble; /* the part of it that is not in the file yet */
        uint64_t preamble_bytes;
        FlightFile file;
        OutputFinished written;
} FlightDump;

/* The newest samples are not in a window yet: their time is taken before they are in the ring, where they come in another order. */
#define WINDOW_LAG_NSEC (20 * NSEC_PER_MSEC)

/* The window that is being made, as a dump is, whose taken has its samples; but only who asked for it gets to know of it. */
typedef struct FlightWindow {
        FlightWindowOrder order;
        uint64_t until;
        RecordBuffer preamble; /* the part of it that is not in the file yet */
        FlightWindowFile file;
        FlightWindowDone done;
        void *userdata;
} FlightWindow;

struct Flight {
        FlightOptions options;
        FlightSideband *sideband;
        SampleClock clock;
        bool has_clock;
        TaskThread thread;
        FlightStep step;
        FlightDump dump;
        FlightWindow window;

        OutputFinished end;    /* of the last file */
        int end_error;

        FlightCounts counted;  /* on the page of counters already */
        bool wants_drain;      /* the side band waits for the end of the step */
        usec_t memory_checked; /* for spare_memory_give_back() */
};

static void flight_forget_dump(Flight *f) {
        flight_taken_done(&f->dump.taken);
        record_buffer_done(&f->dump.preamble);
        flight_file_done(&f->dump.file);
        output_finished_done(&f->dump.written);
        free(f->dump.trigger);
        free(f->dump.detail);
        free(f->dump.incident);
        free(f->dump.lent);
        f->dump = (FlightDump) {};
}

static void flight_forget_window(Flight *f) {
        flight_taken_done(&f->dump.taken);
        record_buffer_done(&f->window.preamble);
        flight_window_file_done(&f->window.file);
        f->window = (FlightWindow) { .file = FLIGHT_WINDOW_FILE_EMPTY };
}

Flight *flight_free(Flight *f) {
        if (!f)
                return NULL;
        task_thread_done(&f->thread);
        flight_forget_dump(f);
        flight_forget_window(f);
        sample_clock_done(&f->clock);
        flight_sideband_free(f->sideband);
        free(f);
        return NULL;
}

static int flight_start_step(Flight *f, FlightStep step, int (*work)(void *), int (*done)(void *, int)) {
        f->step = step;
        return task_thread_start(&f->thread, work, done, f);
}

static int flight_mark_samples(const Flight *f) {
        const FlightSamples *s = &f->options.samples;

        return s->mark(s->userdata);
}

static int flight_end_step(Flight *f) {
        int r = 0;

        f->step = FLIGHT_IDLE;
        if (f->wants_drain)
                r = flight_drain(f);
        if (f->step == FLIGHT_IDLE)
                spare_memory_give_back(&f->memory_checked);
        return r;
}

static int flight_run_warming(void *userdata) {
        Flight *f = userdata;

        if (f->options.samples.warm)
                f->options.samples.warm(f->options.samples.userdata);
        file_description_gather_machine(f->options.files->description);
        return 0;
}

static int flight_after_warming(void *userdata, int result) {
        return flight_end_step(userdata);
}

int flight_new(const FlightOptions *options, Loop *loop, Flight **ret) {
        _cleanup_(flight_freep) Flight *f = calloc(1, sizeof(Flight));
        int r;

        if (!f)
                return -ENOMEM;
        f->options = *options;
        f->clock = (SampleClock) SAMPLE_CLOCK_EMPTY;
        f->window.file = (FlightWindowFile) FLIGHT_WINDOW_FILE_EMPTY;
        f->thread = (TaskThread) TASK_THREAD(loop);
        r = flight_sideband_new(options->preamble, options->journal, &f->sideband);
        if (r >= 0)
                r = flight_start_step(f, FLIGHT_WARMING, flight_run_warming, flight_after_warming);
        if (r < 0)
                return r;
        f->has_clock = sample_clock_open(&f->clock, &options->preamble->set->members[0].attr) >= 0;
        *ret = steal_ptr(f);
        return 0;
}

/* Returns the time by the samples' clock, and notes its offset; 0: not known. */
static uint64_t flight_samples_now(Flight *f) {
        f->dump.offset = 0;
        if (!f->has_clock || sample_clock_offset(&f->clock, &f->dump.offset) < 0)
                return 0;
        return now_nsec(CLOCK_REALTIME) - (uint64_t) f->dump.offset;
}

int flight_clock_offset(Flight *f, int64_t *ret) {
        return f->has_clock ? sample_clock_offset(&f->clock, ret) : -ENODATA;
}

static int flight_run_taking(void *userdata) {
        Flight *f = userdata;

        return f->options.samples.take(f->options.samples.userdata, &f->dump.wish, &f->dump.taken);
}

void flight_count(Flight *f) {
        const FlightSamples *s = &f->options.samples;
        PrCounters *page = f->options.files->counters->page;
        FlightCounts now = {};

        s->count(s->userdata, &now);
        counters_add(&page->samples, now.samples - f->counted.samples);
        counters_add(&page->lost, now.lost - f->counted.lost);
        counters_add(&page->throttled, now.throttled - f->counted.throttled);
        f->counted = now;
}

/* The table has nothing newer than the samples that were taken: otherwise processes that started and exited in the meantime
 * would be forgotten as processes without samples. */
static int flight_after_sweep(void *userdata, int result) {
        Flight *f = userdata;
        FlightTaken *t = &f->dump.taken;
        int r = 0;

        flight_count(f);
        if (result >= 0 && t->pids)
                r = flight_sideband_sweep(f->sideband, t, t->oldest);
        flight_taken_done(t);
        f->wants_drain = true;
        return r == -ENOMEM ? r : flight_end_step(f);
}

static int flight_drain_sideband(Flight *f) {
        int r = flight_sideband_drain(f->sideband, false);

        counters_set(&f->options.files->counters->page->lost_records, flight_sideband_lost(f->sideband, 0));
        return r;
}

int flight_follow(Flight *f, SidebandFollower *follower, void *userdata) {
        return flight_sideband_follow(f->sideband, follower, userdata);
}

int flight_drain(Flight *f) {
        int r;

        if (f->step == FLIGHT_SWEEPING) {
                f->wants_drain = true;
                return 0;
        }
        f->wants_drain = false;
        r = flight_drain_sideband(f);
        if (r < 0 || f->step != FLIGHT_IDLE || !flight_sideband_wants_sweep(f->sideband))
                return r;
        f->dump.wish = (FlightWish) { .content = DUMP_CONTENT_ALL };
        r = flight_mark_samples(f);
        return r < 0 ? r : flight_start_step(f, FLIGHT_SWEEPING, flight_run_taking, flight_after_sweep);
}

/* Converts a time of the samples' clock, which means nothing to users. 0: not known. */
static usec_t flight_wall_clock(const Flight *f, uint64_t time) {
        if (f->dump.taken.last == 0 || f->dump.offset == 0)
                return 0;
        return (time + (uint64_t) f->dump.offset) / NSEC_PER_USEC;
}

static DumpResult flight_describe_taken(const Flight *f) {
        return (DumpResult) {
                .samples = f->dump.taken.samples,
                .lost = f->dump.taken.lost,
                .lost_records = flight_sideband_lost(f->sideband, f->dump.taken.first),
                .throttled = f->dump.taken.throttled,
                .first = flight_wall_clock(f, f->dump.taken.first),
                .last = flight_wall_clock(f, f->dump.taken.last),
        };
}

static int flight_run_writing(void *userdata) {
        Flight *f = userdata;

        return flight_file_write(&f->dump.file, &f->dump.written);
}

static int flight_begin_file(void *userdata, const struct iovec *records) {
        Flight *f = userdata;

        f->dump.preamble_bytes += records->iov_len;
        return flight_file_begin(&f->dump.file, records);
}

static int flight_make_preamble(Flight *f) {
        int r;

        f->dump.file = (FlightFile) {
                .files = f->options.files,
                .order = f->dump.trigger ? &f->dump.order : NULL,
                .facts = &f->dump.facts,
                .samples = &f->options.samples,
                .preamble = &f->dump.preamble,
                .timestamp = f->dump.timestamp,
        };
        f->dump.preamble.drain = flight_begin_file;
        f->dump.preamble.userdata = f;
        r = flight_sideband_put(f->sideband, &f->dump.taken, &f->dump.preamble, &f->dump.file.left_out);
        f->dump.facts = flight_describe_taken(f);
        f->dump.lent = output_files_describe_lent(f->options.files, &f->dump.facts, f->dump.order.timestamp);
        f->dump.facts.lent = f->dump.lent;
        return r;
}

static bool flight_has_window(const Flight *f) {
        return f->dump.order.since > 0 || f->dump.order.until > 0;
}

/* Memory has none of the samples that were asked for; f->dump.taken describes those that it has. */
static const char *flight_explain_absence(const Flight *f, char *buf, size_t size) {
        char first[64], last[64];

        if (f->dump.order.content == DUMP_CONTENT_NEW)
                return "there is nothing new since the last dump";
        if (!flight_has_window(f))
                return "no sample has come since the previous automatic dump";
        if (flight_wall_clock(f, f->dump.taken.last) == 0)
                return "there are no samples in memory";
        (void) snprintf(buf, size, "there are no samples of that time in memory, which reaches from %s to %s",
                        format_timestamp(first, sizeof(first), flight_wall_clock(f, f->dump.taken.first)),
                        format_timestamp(last, sizeof(last), flight_wall_clock(f, f->dump.taken.last)));
        return buf;
}

static const char *flight_explain(const Flight *f, int error, char *buf, size_t size) {
        switch (error) {
        case -ENOSPC:
        case -EDQUOT:
                return "the disk is full: the samples stay in memory, for the next dump";
        case -EROFS:
                return "the file system is read-only: the samples stay in memory, for the next dump";
        case -ENOENT:
                return "the directory of the dumps is gone: the samples stay in memory, for the next dump";
        case -EOPNOTSUPP:
                return "its samples have no time, or one that can't be compared with the wall clock: leave the window of time out";
        case -ENODATA:
                return flight_explain_absence(f, buf, size);
        default:
                return strerror(-error);
        }
}

static int flight_end_dump(void *userdata, int error) {
        Flight *f = userdata;
        DumpResult result = flight_describe_taken(f);
        char sentence[256];

        if (error < 0)
                result = (DumpResult) { .error = error, .sentence = flight_explain(f, error, sentence, sizeof(sentence)) };
        else {
                counters_add(&f->options.files->counters->page->bytes_written,
                             f->dump.taken.bytes + f->dump.preamble_bytes + f->dump.preamble.size);
                result.name = f->dump.written.name;
                /* The daemon makes the dump's object of this report; the answers, which done() sends, come after it. */
                output_files_report(f->options.files, &f->dump.written, f->dump.timestamp);
        }
        f->wants_drain = true; /* more may have come in the meantime, and a sweep may be due */
        if (f->dump.done)
                f->dump.done(f->dump.userdata, &result);
        flight_forget_dump(f);
        return error == -ENOMEM ? error : flight_end_step(f);
}

/* A dump without samples is not written, unless somebody asked for all that is in memory: then the empty file is the
 * answer. A file of the command line (no trigger) is always written, as perf's is. */
static bool flight_is_pointless(const Flight *f) {
        return f->dump.trigger && f->dump.taken.samples == 0 &&
               (!f->dump.order.requested || flight_has_window(f) || f->dump.order.content == DUMP_CONTENT_NEW);
}

static int flight_after_look(void *userdata, int result) {
        return flight_end_dump(userdata, result < 0 ? result : -ENODATA);
}

static int flight_after_taking(void *userdata, int result) {
        Flight *f = userdata;
        int r = result >= 0 && flight_is_pointless(f) ? -ENODATA : result;

        flight_count(f);
        if (r == -ENODATA && flight_has_window(f)) { /* all samples, so that the error can name the time that memory reaches over */
                flight_taken_done(&f->dump.taken);
                f->dump.wish = (FlightWish) { .content = DUMP_CONTENT_ALL, .now = f->dump.wish.now };
                return flight_start_step(f, FLIGHT_TAKING, flight_run_taking, flight_after_look);
        }
        if (r >= 0)
                r = flight_drain_sideband(f);
        if (r >= 0) {
                file_description_gather(f->options.files->description);
                r = flight_make_preamble(f);
        }
        if (r < 0)
                return flight_end_dump(f, r);
        return flight_start_step(f, FLIGHT_WRITING, flight_run_writing, flight_end_dump);
}

/* Converts to the samples' clock. The result is above 0, since 0 is no limit. */
static uint64_t flight_samples_time(const Flight *f, usec_t t) {
        int64_t time;

        if (t > INT64_MAX / NSEC_PER_USEC || __builtin_sub_overflow((int64_t) (t * NSEC_PER_USEC), f->dump.offset, &time))
                time = INT64_MAX;
        return time > 0 ? (uint64_t) time : 1;
}

static int flight_make_wish(Flight *f) {
        const DumpOrder *o = &f->dump.order;
        int r = 0;

        f->dump.wish = (FlightWish) { .content = o->content, .automatic = o->automatic, .now = flight_samples_now(f) };
        if (f->options.files->session && f->dump.wish.now > 0)
                r = file_description_relate_clock(f->options.files->description, f->dump.offset);
        if (r < 0)
                return r;
        if (o->since == 0 && o->until == 0)
                return 0;
        if (f->dump.wish.now == 0)
                return -EOPNOTSUPP;
        f->dump.wish.from = flight_samples_time(f, o->since);
        f->dump.wish.until = o->until > 0 ? flight_samples_time(f, o->until) : 0;
        return 0;
}

int flight_mark(Flight *f) {
        int r;

        if (f->step != FLIGHT_IDLE && f->step != FLIGHT_MARKED)
                return 0;
        r = flight_mark_samples(f);
        f->step = r < 0 ? FLIGHT_IDLE : FLIGHT_MARKED;
        return r < 0 ? r : 1;
}

static int flight_take_order(Flight *f, const DumpOrder *order) {
        f->dump.order = (DumpOrder) { .content = DUMP_CONTENT_AUTOMATIC, .automatic = true };
        if (!order)
                return 0;
        f->dump.order = *order;
        f->dump.order.trigger = f->dump.trigger = strdup(order->trigger);
        f->dump.order.detail = f->dump.detail = strdup(order->detail ?: "");
        f->dump.order.incident = f->dump.incident = strdup(order->incident ?: "");
        return f->dump.trigger && f->dump.detail && f->dump.incident ? 0 : -ENOMEM;
}

static int flight_begin_dump(Flight *f, const DumpOrder *order, bool timestamp, DumpDone done, void *userdata) {
        int r = flight_take_order(f, order);

        if (r < 0) {
                flight_forget_dump(f);
                return r;
        }
        f->dump.done = done;
        f->dump.userdata = userdata;
        f->dump.timestamp = timestamp;
        r = flight_make_wish(f);
        return r < 0 ? flight_end_dump(f, r) : flight_start_step(f, FLIGHT_TAKING, flight_run_taking, flight_after_taking);
}

int flight_dump(Flight *f, const DumpOrder *order, DumpDone done, void *userdata) {
        return f->step == FLIGHT_MARKED ? flight_begin_dump(f, order, true, done, userdata) : -EBUSY;
}

static int flight_end_window(void *userdata, int error) {
        Flight *f = userdata;
        FlightWindowResult result = { .error = MIN_OF(error, 0), .fd = f->window.file.read_fd, .until = f->window.until };
        char sentence[256];

        if (error == -EOPNOTSUPP)
                result.sentence = "its samples have no time that can be compared with the wall clock's";
        else if (error < 0)
                result.sentence = flight_explain(f, error, sentence, sizeof(sentence));
        f->wants_drain = true;
        f->options.samples.settle(f->options.samples.userdata, false); /* frees large copies; nothing counts as dumped */
        f->window.done(f->window.userdata, &result);
        flight_forget_window(f);
        return error == -ENOMEM ? error : flight_end_step(f);
}

static int flight_run_writing_window(void *userdata) {
        Flight *f = userdata;

        return flight_window_file_write(&f->window.file);
}

static int flight_begin_window_file(void *userdata, const struct iovec *records) {
        Flight *f = userdata;

        return flight_window_file_begin(&f->window.file, records);
}

static int flight_after_taking_window(void *userdata, int result) {
        Flight *f = userdata;
        FlightWindow *w = &f->window;
        int r = result;

        flight_count(f);
        w->preamble = (RecordBuffer) { .drain = flight_begin_window_file, .userdata = f };
        w->file.files = f->options.files;
        w->file.whole = w->order.whole;
        w->file.begin = f->dump.taken.begin ?: w->order.since;
        w->file.until = w->until;
        w->file.samples = &f->options.samples;
        w->file.preamble = &w->preamble;
        if (r >= 0)
                r = flight_drain_sideband(f);
        if (r >= 0)
                r = flight_sideband_put_window(f->sideband, w->order.whole, w->order.since, w->until, &w->preamble);
        return r < 0 ? flight_end_window(f, r) : flight_start_step(f, FLIGHT_WRITING, flight_run_writing_window, flight_end_window);
}

int flight_window(Flight *f, const FlightWindowOrder *order, FlightWindowDone done, void *userdata) {
        uint64_t now, since = order->since;
        int r = 0;

        if (f->step != FLIGHT_IDLE)
                return -EBUSY;
        f->window = (FlightWindow) { .order = *order, .file = FLIGHT_WINDOW_FILE_EMPTY, .done = done, .userdata = userdata };
        now = flight_samples_now(f);
        if (now <= WINDOW_LAG_NSEC)
                return flight_end_window(f, -EOPNOTSUPP);
        f->window.until = since < now ? MAX_OF(since, now - WINDOW_LAG_NSEC) : now - WINDOW_LAG_NSEC;
        f->dump.wish = (FlightWish) {
                .content = DUMP_CONTENT_ALL, .until = f->window.until, .now = now,
                .from = since > 0 ? MIN_OF(since, UINT64_MAX - 1) + 1 : 0,
        };
        if (order->whole)
                r = file_description_relate_clock(f->options.files->description, f->dump.offset);
        if (r >= 0)
                r = flight_mark_samples(f);
        return r < 0 ? flight_end_window(f, r) : flight_start_step(f, FLIGHT_TAKING, flight_run_taking, flight_after_taking_window);
}

static void flight_on_end(void *userdata, const DumpResult *result) {
        Flight *f = userdata;

        f->end_error = result->error;
        if (result->error < 0)
                return;
        f->end = steal_value(f->dump.written, (OutputFinished) {});
}

int flight_wait(Flight *f) {
        return task_thread_wait(&f->thread);
}

int flight_finish(Flight *f, const DumpOrder *order, bool timestamp, OutputFinished *ret) {
        int r = flight_wait(f);

        if (r >= 0)
                r = flight_mark_samples(f);
        if (r >= 0)
                r = flight_begin_dump(f, order, timestamp, flight_on_end, f);
        if (r >= 0)
                r = flight_wait(f);
        if (r >= 0)
                r = f->end_error;
        if (r >= 0)
                *ret = f->end;
        return r;
}
