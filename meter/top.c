/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rings are read some times a second, so that records are in the order of time, and oftener only if one is half full: while little
 * is sampled, little is done. What a refresh shows ends a round before it, but for the last one. */

#include "top.h"

#include <stdio.h>
#include <sys/ioctl.h>

#include "format-text.h"
#include "live-target.h"
#include "parse-time.h"
#include "privilege.h"
#include "screen.h"
#include "stop-signals.h"
#include "sysctl.h"
#include "terminal.h"
#include "top-parts.h"
#include "top-print.h"

#define ROUND_USEC (200 * USEC_PER_MSEC)
#define ROWS_WITHOUT_TERMINAL 20u
#define CLEAR "\033[H\033[2J"

static void top_done(Top *t) {
        top_samples_done(&t->samples);
        live_rings_done(&t->rings);
        live_windows_done(&t->windows);
        (void) event_set_free(t->set);
        text_buffer_done(&t->out);
}

static int top_open(Top *t, Diagnosis *d) {
        EventSetOptions options = EVENT_SET_OPTIONS_DEFAULT;
        _cleanup_strv_free_ char **notes = NULL;
        const TopOptions *o = t->o;
        int r = attr_options_set_rate(&options.attr, o->frequency, o->period, false, &notes, d);

        options.target = &o->target;
        options.groups = o->groups;
        options.pages = o->pages;
        options.delayed = true;
        options.attr.inherit = !o->no_inherit;
        options.attr.sample_time = true;
        options.attr.sample_period = true;
        options.attr.sample_cpu = t->browser || top_options_have_key(o, REPORT_CPU);
        options.attr.identifier = true;
        options.attr.cgroups = t->browser || top_options_have_key(o, REPORT_CGROUP) || top_options_have_key(o, REPORT_UNIT) ||
                               top_options_have_key(o, REPORT_CONTAINER);
        options.attr.call_graph.mode = o->call_graph ? CALL_GRAPH_FP : CALL_GRAPH_NONE;
        /* more is refused */
        options.attr.call_graph.max_stack = MIN_OF(o->max_stack, (unsigned) sysctl_read("kernel/perf_event_max_stack", 127));
        if (r >= 0)
                r = event_set_open(&o->events, &options, &t->set, d);
        STRV_FOREACH(note, notes)
                (void) fprintf(stderr, "%s\n", *note);
        STRV_FOREACH(note, r >= 0 ? t->set->notes : NULL)
                (void) fprintf(stderr, "%s\n", *note);
        t->n_events = o->events.n_specs;
        return r;
}

static void rings_wait(Top *t, const struct timespec *timeout) {
        (void) live_rings_wait(&t->rings, timeout, &t->waiting);
}

static const char *rings_ended(const Top *t) {
        if (t->o->groups && !live_target_has_groups(t->set, t->o->groups))
                return "The control groups that were sampled are gone";
        return target_has_task(&t->o->target) && !event_set_has_threads(t->set) ? "" : NULL;
}

static int rings_take(Top *t, bool last) {
        const struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(round) };
        const struct perf_event_attr *attr;
        const OrderedRecord *record;
        int r = live_rings_read(&t->rings);

        if (r >= 0 && last)
                r = record_order_finish(&t->rings.order);
        while (r >= 0 && (record = record_order_next(&t->rings.order)))
                if (record->record->type == PERF_RECORD_SAMPLE || record_is_whole(record->record, 0)) {
                        size_t member = live_rings_member(&t->rings, record->record, &attr);

                        r = top_samples_take(&t->samples, record->record, attr, member % t->n_events);
                }
        return r < 0 ? r : top_samples_take(&t->samples, &round, NULL, 0);
}

static const TopSource rings_source = { .round = ROUND_USEC, .wait = rings_wait, .ended = rings_ended, .take = rings_take };

static void windows_wait(Top *t, const struct timespec *timeout) {
        struct pollfd p = { .fd = t->windows.fd }; /* it hangs up */

        (void) stop_signals_wait(&p, 1, timeout, &t->waiting);
}

static const char *windows_ended(const Top *t) {
        return NULL; /* the next window says so */
}

static int windows_take(Top *t, bool last) {
        const uint64_t of = t->o->last;
        int r = stop_signals_number() > 0 ? -EINTR : live_windows_ask(&t->windows, t->samples.renewed);

        t->samples.renewed = false;
        if (r >= 0)
                r = live_windows_take(&t->windows, &t->samples);
        t->samples.from = t->windows.until > of ? (t->windows.until - of) / TOP_SLICE_NSEC * TOP_SLICE_NSEC : 0;
        return r;
}

static const TopSource windows_source = {
        .round = USEC_INFINITY, .wait = windows_wait, .ended = windows_ended, .take = windows_take,
};

/* Begins with the first window, which says what events the session has. */
static int top_open_windows(Top *t, Diagnosis *d) {
        const struct perf_event_attr *attr;
        uint64_t last = t->browser ? MAX_OF(t->o->last, TOP_BACK_NSEC) : t->o->last; /* to go back to */
        int r = live_windows_open(&t->windows, t->o->windows_fd, last, &t->waiting);

        if (r == -ENODATA)
                return diagnosis_set(d, r, "The session '%s' takes no samples", t->o->session);
        if (r < 0)
                return r;
        t->n_events = t->windows.n_members;
        attr = &t->windows.members->attr;
        if (t->o->call_graph && !(attr->sample_type & PERF_SAMPLE_CALLCHAIN))
                return diagnosis_set(d, -EINVAL, "The session '%s' records no call chains, which -g needs: CallGraph= of its file "
                                     "has it record them", t->o->session);
        if (t->o->target.n_cpus > 0 && !(attr->sample_type & PERF_SAMPLE_CPU))
                return diagnosis_set(d, -EINVAL, "The samples of the session '%s' do not say on which CPU they were taken",
                                     t->o->session);
        return 0;
}

static int top_show(Top *t) {
        uint64_t rows = t->o->look.entries == UINT64_MAX ? ROWS_WITHOUT_TERMINAL : t->o->look.entries ?: UINT64_MAX;
        usec_t now = now_usec(CLOCK_MONOTONIC);
        int r = top_samples_name(&t->samples);
        struct winsize size = {};

        if (r >= 0 && t->screen)
                text_buffer_puts(&t->out, CLEAR);
        if (t->screen)
                (void) ioctl(fileno(t->out.file), TIOCGWINSZ, &size);
        if (t->o->look.entries != UINT64_MAX)
                size.ws_row = 0; /* whether there is room or not */
        else if (size.ws_row > 0)
                rows = UINT64_MAX;
        if (r >= 0)
                r = top_print(&(TopRefresh) {
                        .samples = &t->samples, .target = &t->o->target, .n_cpus = t->set ? t->set->n_cpus : 0, .rows = rows,
                        .lines = size.ws_row, .columns = size.ws_col,
                        .seconds = t->set ? (double) (now - t->shown) / USEC_PER_SEC : (double) t->windows.duration / NSEC_PER_SEC,
                        .time_nsec = now_nsec(CLOCK_REALTIME),
                }, &t->out);
        if (r >= 0 && fflush(t->out.file) != 0)
                r = -errno;
        t->shown = now;
        return r < 0 ? r : top_samples_next_window(&t->samples);
}

static int top_run(Top *t) {
        usec_t first = !t->set ? 0 : t->screen ? MIN_OF(t->o->delay, (uint64_t) TOP_FIRST_USEC) : t->o->delay;
        usec_t next = now_usec(CLOCK_MONOTONIC) + first;
        uint64_t left = t->o->iterations ?: UINT64_MAX;
        bool early = t->set && t->screen && t->o->delay > TOP_FIRST_USEC, ended = false;
        const char *why;
        int r = 0;

        t->shown = now_usec(CLOCK_MONOTONIC);
        while (r >= 0 && left > 0 && !ended) {
                const usec_t round = early ? TOP_FIRST_USEC / 2 : t->source->round;
                usec_t now = now_usec(CLOCK_MONOTONIC), wait = MIN_OF(next > now ? next - now : 0, round);
                const struct timespec timeout = {
                        .tv_sec = (time_t) (wait / USEC_PER_SEC), .tv_nsec = (long) (wait % USEC_PER_SEC * NSEC_PER_USEC),
                };

                t->source->wait(t, &timeout);
                now = now_usec(CLOCK_MONOTONIC);
                why = t->source->ended(t);
                ended = stop_signals_number() > 0 || why;
                if (why && *why)
                        (void) fprintf(stderr, "%s\n", why);
                r = t->source->round == USEC_INFINITY && now < next && !ended ? 0 :
                    t->source->take(t, ended || (left == 1 && !early && now >= next));
                if (r < 0 || (now < next && !ended))
                        continue;
                r = top_show(t);
                left -= !early;
                early = false;
                for (next += t->o->delay; next <= now;) /* none is made up for */
                        next += t->o->delay;
        }
        return r;
}

int top(const TopOptions *o, FILE *out) {
        _cleanup_(top_done) Top t = {
                .o = o, .source = o->session ? &windows_source : &rings_source, .windows = LIVE_WINDOWS_EMPTY, .out.file = out,
                .screen = !o->look.batch && !o->look.json && isatty(fileno(out)) > 0 && !terminal_is_dumb(),
        };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        int r;

        t.browser = t.screen && !top_options_want_text(o) && screen_is_possible(NULL);
        stop_signals_catch(&t.waiting);
        r = o->session ? top_open_windows(&t, &d) : top_open(&t, &d);
        if (r >= 0)
                r = top_samples_init(&t.samples, o, t.browser, t.set ? t.set->members : t.windows.members, t.n_events);
        t.samples.renewed = false;
        if (r >= 0 && t.set)
                r = live_rings_init(&t.rings, t.set, -1);
        if (r >= 0 && !o->hide_kernel && running_code_hides_kernel(t.samples.code) && privilege_sees_kernel())
                (void) fputs("kernel.kptr_restrict hides the addresses of the kernel, whose functions have no names\n", stderr);
        if (r >= 0 && t.set)
                r = event_set_enable_tracking(t.set);
        if (r >= 0 && t.set)
                r = event_set_enable(t.set, NULL, true);
        if (r >= 0)
                r = t.browser ? top_browse(&t) : top_run(&t);
        if (t.windows.gone) /* perfctl says why */
                return EXIT_FAILURE;
        if (r == -ENODEV && t.browser)
                (void) diagnosis_set(&d, r, "Nothing is known here of the terminal '%s' (TERM): --stdio and --plain show text",
                                     getenv("TERM"));
        if (r == -ESTALE)
                (void) diagnosis_set(&d, r, "The session '%s' records other events now: start top again", o->session);
        if (r < 0 && r != -EINTR) {
                sentence = d.sentence ? diagnosis_format(&d) : NULL;
                (void) fprintf(stderr, "%s%s\n", sentence ? "" : "Failed to sample: ", sentence ?: strerror(-r));
                if (r == -EACCES && target_has_cpu(&o->target) && !privilege_have_perfmon())
                        (void) fputs("Processes of your own are sampled with -p, -t or -u\n", stderr);
                return EXIT_FAILURE;
        }
        stop_signals_raise(&t.waiting);
        return EXIT_SUCCESS;
}
