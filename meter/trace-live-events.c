/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The events of a trace: those with which calls begin and end, the tracepoints of -e, and page faults. The kernel filters them as
 * far as its filters reach, so that the rings have room for what is shown; it has no filters of page faults. */

#include "trace-live-events.h"

#include <inttypes.h>
#include <unistd.h>

#include "call-descriptors.h"
#include "fd-file.h"
#include "format-text.h"
#include "grammar.h"
#include "text-buffer.h"
#include "tracepoint.h"

#define CALL_NAMES           "raw_syscalls:sys_enter,raw_syscalls:sys_exit"
#define SIGNAL_NAMES         "signal:signal_deliver,signal:signal_generate"
#define FORMAT_MAX           ((size_t) 1 << 20) /* of a tracepoint */
#define FILTERED_CALLS_MAX   64u /* that the kernel is asked to look for; its filters have less than a page */
#define FILTERED_THREADS_MAX 64u /* that it is asked to pass over */

void trace_live_events_done(TraceLiveEvents *e) {
        for (size_t i = 0; i < e->n_further; i++)
                call_event_done(e->further + i);
        free(e->further);
        event_specs_done(&e->specs);
        *e = (TraceLiveEvents) {};
}

/* Puts a condition of the kernel's filters for us, and for each thread of the processes that are left out. Threads that begin
 * later, or are too many, are passed over when their events are read. */
static int events_put_left_out(const TraceLiveOptions *o, TextBuffer *filter, Diagnosis *d) {
        _cleanup_free_ int *cpus = NULL;
        _cleanup_free_ pid_t *tids = NULL;
        size_t n_cpus, n_tids = 0;
        int r = 0;

        if (target_has_cpu(&o->target))
                text_buffer_format(filter, "common_pid != %d", getpid());
        if (o->left_out.n_pids > 0)
                r = target_resolve(&o->left_out, NULL, &cpus, &n_cpus, &tids, &n_tids, d);
        for (size_t i = 0; i < MIN_OF(n_tids, FILTERED_THREADS_MAX); i++)
                text_buffer_format(filter, "%scommon_pid != %d", filter->n > 0 ? " && " : "", tids[i]);
        text_buffer_putc(filter, '\0');
        return r < 0 ? r : filter->error;
}

bool trace_live_is_exec(uint32_t number) {
        const char *name = syscall_name(SYSCALL_X86_64, number);

        return name && streq(name, "execve");
}

bool trace_live_wants(const TraceLiveOptions *o, uint32_t number) {
        static const char *const ends[] = { "execve", "execveat", "exit", "exit_group" };
        const char *name = syscall_name(SYSCALL_X86_64, number);

        if (name && call_options_show_threads(&o->calls) && ANY_OF(ELEMENTSOF(ends), i, streq(ends[i], name)))
                return true;
        return call_options_want(&o->calls, SYSCALL_X86_64, number) || (o->command && trace_live_is_exec(number)) ||
               (call_options_name_descriptors(&o->calls, true) && call_descriptors_want(SYSCALL_X86_64, number));
}

/* Returns whether the kernel is to tell of a number, which it does not know the ABI of. The first two of i386 are the most frequent
 * calls of x86-64, read and write, and not worth it: restart_syscall and exit. */
static bool events_want_number(const TraceLiveOptions *o, uint32_t number) {
        return trace_live_wants(o, number) || (number > 1 && trace_live_wants(o, number | SYSCALL_COMPAT));
}

/* Adds the events of calls. The kernel passes over other calls than those of -e, if they are few. */
static int events_add_calls(TraceLiveEvents *e, const TraceLiveOptions *o, Diagnosis *d) {
        _cleanup_(text_buffer_done) TextBuffer filter = {};
        const char *before = "";
        uint32_t count = MAX_OF(syscall_count(SYSCALL_X86_64), syscall_count(SYSCALL_I386));
        size_t n = 0;
        int r = event_specs_parse(&e->specs, CALL_NAMES, NULL, d);

        e->n_calls = e->specs.n_specs;
        for (uint32_t i = 0; o->calls.words && i < count; i++)
                n += events_want_number(o, i);
        if (r < 0 || n == 0 || n > FILTERED_CALLS_MAX)
                return r;
        for (uint32_t i = 0; i < count; i++)
                if (events_want_number(o, i)) {
                        text_buffer_format(&filter, "%sid == %" PRIu32, before, i);
                        before = " || ";
                }
        text_buffer_putc(&filter, '\0');
        return filter.error < 0 ? filter.error : event_specs_set_filter(&e->specs, filter.data, d);
}

/* Adds the tracepoints of a word of -e. */
static int events_add_word(TraceLiveEvents *e, const char *word, Diagnosis *d) {
        size_t before = e->specs.n_specs;
        int r = event_specs_parse(&e->specs, word, NULL, d);

        for (size_t i = before; r >= 0 && i < e->specs.n_specs; i++)
                if (!e->specs.specs[i].tracepoint_name)
                        r = diagnosis_set(d, -EINVAL, "%s is not a tracepoint", e->specs.specs[i].name);
        return r;
}

/* Reads the fields of the tracepoints. */
static int events_read_formats(TraceLiveEvents *e) {
        _cleanup_free_ char *root = NULL;
        int r = tracefs_find(&root);

        e->further = calloc(e->specs.n_specs, sizeof(*e->further));
        if (!e->further)
                return -ENOMEM;
        for (size_t i = e->n_calls + e->n_signals; r >= 0 && i < e->specs.n_specs; i++) {
                const EventSpec *spec = e->specs.specs + i;
                CallEvent *event = e->further + e->n_further++;
                _cleanup_free_ char *text = NULL, *path = format_text("%s/events/%s/%s/format", root, spec->tracepoint_system,
                                                                      spec->tracepoint_name);
                size_t size;

                event->name = strdup(spec->name);
                r = !path || !event->name ? -ENOMEM : read_file(path, FORMAT_MAX, &text, &size);
                if (r >= 0)
                        r = trace_layout_parse(&event->layout, text, size);
        }
        return r;
}

int trace_live_events_make(TraceLiveEvents *e, const TraceLiveOptions *o, Diagnosis *d) {
        _cleanup_(text_buffer_done) TextBuffer left_out = {};
        int r = call_options_have_calls(&o->calls) ? events_add_calls(e, o, d) : 0;

        if (r >= 0 && e->n_calls > 0 && call_options_show_threads(&o->calls))
                r = event_specs_parse(&e->specs, SIGNAL_NAMES, NULL, d);
        e->n_signals = e->specs.n_specs - e->n_calls;
        STRV_FOREACH(word, r >= 0 ? o->calls.events : NULL) {
                size_t number = (size_t) (word - o->calls.events);

                r = events_add_word(e, *word, d);
                for (size_t i = 0; r >= 0 && i < o->n_filters; i++)
                        if (o->filters[i].begin <= number && number < o->filters[i].end)
                                r = event_specs_set_filter(&e->specs, o->filters[i].text, d);
                if (r < 0)
                        return r;
        }
        if (r >= 0)
                r = events_put_left_out(o, &left_out, d);
        if (r >= 0 && *left_out.data && e->specs.n_specs > 0) {
                e->specs.last_begin = 0; /* it is for all */
                r = event_specs_set_filter(&e->specs, left_out.data, d);
        }
        if (r >= 0 && e->specs.n_specs > e->n_calls + e->n_signals)
                r = events_read_formats(e);
        if (r >= 0 && o->calls.major_faults)
                r = event_specs_parse(&e->specs, "major-faults", NULL, d);
        if (r >= 0 && o->calls.minor_faults)
                r = event_specs_parse(&e->specs, "minor-faults", NULL, d);
        return r;
}
