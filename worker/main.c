/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-worker: records as perf record does, with its options, control protocol and files. This file turns the
 * command line into a recording and its end into an exit status; nothing else. */

#include <malloc.h>
#include <perf-recorder/notify-fields.h>
#include <signal.h>
#include "log.h"
#include "recorder.h"

/* Prints the place of the error in an event's words as perf does. */
static void refuse_event(const char *event, const Diagnosis *d) {
        int column = d->column > 0 ? (int) d->column : 1;

        log_error("event syntax error: '%s'\n%*s\\___ %s", event,
                  (int) strlen("event syntax error: '") + column - 1, "", d->sentence);
}

static int refuse_options(const Options *o, const Diagnosis *d, int r) {
        if (o->wrong_event && d->sentence)
                refuse_event(o->wrong_event, d);
        else
                log_error(" Error: %s", d->sentence ?: strerror(-r));
        if (d->key)
                usage_print_option(stderr, d->key);
        return OPTIONS_EXIT_USAGE;
}

/* 0, or the exit status. */
static int read_options(Options *o, char **argv) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_strv_free_ char **notes = NULL;
        int r = options_parse(o, argv + 1, &d);

        if (r < 0)
                return refuse_options(o, &d, r);
        log_set_quiet(o->quiet);
        log_set_verbose(o->verbose);
        if (o->help || o->registers)
                return 0;
        r = options_settle(o, &notes, &d);
        STRV_FOREACH(note, notes)
                log_warning("%s", *note);
        if (r < 0) {
                log_error("%s", d.sentence ?: strerror(-r));
                return OPTIONS_EXIT_USAGE;
        }
        return 0;
}

/* Runs the recorder to its end, or only tries it. */
static int run_recording(Recorder *r, int *ret_signal) {
        int q;

        if (r->options->try_only)
                return recorder_try(r);
        q = recorder_open(r);
        /* The description of this machine took memory, and is written. */
        (void) malloc_trim(0);
        if (q >= 0)
                q = recorder_run(r);
        if (q >= 0)
                q = recorder_finish(r);
        *ret_signal = r->end.signal;
        if (q >= 0 && r->end.signal == 0) /* otherwise the recorder has ended the command */
                q = command_exit_status(&r->command, ret_signal);
        if (r->end.signal == SIGTERM && *ret_signal == SIGTERM) /* the ordinary way to stop a recorder */
                *ret_signal = 0;
        return q;
}

/* As perf does: after SIGINT the process dies of that signal, so that a shell's loop ends too; likewise if the command
 * died of a signal. */
static void pass_signal_on(int sig) {
        sigset_t all;

        if (sig == 0)
                return;
        sigfillset(&all);
        (void) signal(sig, SIG_DFL);
        (void) sigprocmask(SIG_UNBLOCK, &all, NULL);
        (void) raise(sig);
}

int main(int argc, char **argv) {
        Options options = OPTIONS_DEFAULT;
        Notifier notifier = NOTIFIER_EMPTY;
        Recorder recorder = RECORDER_EMPTY;
        Counters counters;
        int r, error, sig = 0;

        /* A thread that writes a dump needs much memory for a moment; an arena of its own would keep it for months. */
        (void) mallopt(M_ARENA_MAX, 1);
        /* The dynamic threshold (mallopt(3)) grows to 32 MiB, and large buffers then leave holes in the heap. */
        (void) mallopt(M_MMAP_THRESHOLD, 128 * 1024);
        (void) notifier_open(&notifier);
        log_set_notifier(&notifier);
        counters_open(&counters);
        recorder.options = &options;
        recorder.command_line = argv;
        recorder.notifier = &notifier;
        recorder.counters = &counters;

        r = read_options(&options, argv);
        if (r == 0 && options.help)
                usage_print(stdout);
        else if (r == 0 && options.registers)
                (void) printf("available registers: %s\n", options.registers);
        else if (r == 0 && (options.try_only || !options.dry_run))
                r = run_recording(&recorder, &sig);
        recorder_done(&recorder);
        error = r < 0 ? -r : EBADMSG; /* wrong options, unless a command ended with this status */
        if (r < 0)
                r = OPTIONS_EXIT_FAILURE;
        if (r != 0 && *log_last_error())
                notifier_send(&notifier, PR_NOTIFY_ERROR "%s\n" PR_NOTIFY_ERRNO "%d", log_last_error(), error);

        options_done(&options);
        counters_done(&counters);
        notifier_done(&notifier);
        pass_signal_on(sig);
        return r;
}
