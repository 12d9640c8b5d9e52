/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The handlers of all that wakes a recorder up: rings, signals, timers, the command's end, words on the control
 * descriptor, and triggers, whose dumps begin here. A ring's handler only notes that there is data; the rings are read
 * once, after all handlers of a wake-up. */

#include "recorder.h"

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/environment.h>
#include <signal.h>
#include <sys/epoll.h>
#include "fd-file.h"
#include "log.h"
#include "parse-number.h"
#include "process.h"
#include "trigger-request.h"
#include "utf8.h"

/* The detail is "SIGUSR2 of PID 12 (bash)", as far as that is known. At the command line each signal makes a file, as
 * with perf; a session gets signals only from users who may manage it, and its dumps have a limit (MaxFiles=). */
static int recorder_fire_by_signal(Recorder *r, int sig, uint32_t sender) {
        Trigger trigger = TRIGGER(PR_TRIGGER_SIGNAL);
        char comm[PROCESS_COMM_SIZE], pid[32] = "", name[sizeof(comm) + 8] = "", detail[128];

        if (sender > 0)
                (void) snprintf(pid, sizeof(pid), " of PID %" PRIu32, sender);
        if (sender > 0 && process_read_comm("", (pid_t) sender, (pid_t) sender, comm) >= 0)
                (void) snprintf(name, sizeof(name), " (%s)", comm);
        (void) snprintf(detail, sizeof(detail), "SIG%s%s%s", signal_name(sig) ?: "", pid, name);
        trigger.request.detail = detail;
        trigger.as_perf = !getenv(PR_SESSION_ENV);
        return triggers_fire(r->triggers, &trigger);
}

static int recorder_on_signal(void *userdata, int sig, uint32_t sender) {
        Recorder *r = userdata;

        if (sig == SIGUSR2 || sig == r->options->triggers.signal)
                return recorder_fire_by_signal(r, sig, sender);
        r->end.signal = sig;
        loop_stop(r->loop);
        return 0;
}

/* Switches to a new file because of size or time. The file must not end now if a trigger waits for its delay: it will
 * have it. */
static int recorder_rotate(Recorder *r) {
        Trigger trigger = TRIGGER(PR_TRIGGER_ROTATION);

        trigger.request.has_delay = true;
        return triggers_fire(r->triggers, &trigger);
}

static int recorder_rotate_if_large(Recorder *r) {
        uint64_t limit = r->options->switch_output.size;
        int q;

        if (limit == 0 || recording_file_size(r->recording) < limit || triggers_holds_file(r->triggers))
                return 0;
        q = recorder_rotate(r);
        return q < 0 ? q : triggers_run(r->triggers);
}

static int recorder_after_handlers(void *userdata, int fd, uint32_t events) {
        Recorder *r = userdata;
        int q = triggers_run(r->triggers);
        usec_t next = triggers_next(r->triggers);

        counters_set(&r->counters->page->next_dump_nsec, next == USEC_INFINITY ? 0 : next * NSEC_PER_USEC);
        if (q >= 0)
                q = recorder_make_window(r);
        if (q < 0 || !r->has_data)
                return q;
        q = recorder_drain(r);
        if (q > 0)
                loop_stop(r->loop);
        return q < 0 ? q : recorder_rotate_if_large(r);
}

static int recorder_on_mark(void *userdata) {
        const Recorder *r = userdata;
        int q = r->recording->kind->mark(r->recording);

        if (q < 0 && q != -ENOMEM)
                recording_dump_done(r->recording, &(DumpResult) { .error = q });
        return q;
}

static int recorder_on_collect(void *userdata) {
        Recorder *r = userdata;
        int q = loop_look_for_signals(r->loop);

        if (q >= 0)
                q = control_port_look(r->control);
        return q < 0 || !r->sources ? q : trigger_sources_look(r->sources);
}

static int recorder_on_dump(void *userdata, const DumpOrder *order) {
        const Recorder *r = userdata;

        return r->recording->kind->dump(r->recording, order);
}

int recorder_open_triggers(Recorder *r) {
        const TriggersOptions options = {
                .mark = recorder_on_mark,
                .collect = recorder_on_collect,
                .dump = recorder_on_dump,
                .userdata = r,
                .notifier = r->notifier,
                .delay = r->options->triggers.delay,
                .announce = r->options->triggers.announce,
                .overlap = r->options->triggers.overlap,
                .limit = r->options->triggers.limit,
        };

        return triggers_new(&options, r->loop, &r->triggers);
}

int recorder_add_handlers(Recorder *r) {
        int signals[] = { SIGINT, SIGTERM, SIGUSR2, SIGHUP, r->options->triggers.signal, 0 };
        struct sigaction hangup;

        /* perf dies of SIGHUP and leaves half a file. Under nohup it is ignored, which blocking it would undo. */
        if (sigaction(SIGHUP, NULL, &hangup) >= 0 && hangup.sa_handler == SIG_IGN)
                signals[3] = SIGUSR2;
        (void) signal(SIGPIPE, SIG_IGN);
        (void) signal(SIGXFSZ, SIG_IGN); /* a limit on files is a full disk: an error to handle */
        loop_set_after(r->loop, recorder_after_handlers, r);
        return loop_add_signals(r->loop, signals, recorder_on_signal, r);
}

static void recorder_on_data(void *userdata) {
        Recorder *r = userdata;

        r->has_data = true;
}

/* For a command recorder_on_command_end() ends the recording, since its status is needed. */
static void recorder_on_all_gone(void *userdata) {
        Recorder *r = userdata;

        if (!target_is_command(&r->options->target))
                loop_stop(r->loop);
}

static int recorder_on_command_end(void *userdata, int fd, uint32_t events) {
        Recorder *r = userdata;

        loop_remove(r->loop, fd);
        command_end(&r->command);
        loop_stop(r->loop);
        return 0;
}

static int recorder_on_switch_time(void *userdata, int fd, uint32_t events) {
        return recorder_rotate(userdata);
}

/* Counts from the beginning of each file, as perf re-arms its alarm. */
int recorder_arm_switch_timer(Recorder *r) {
        int fd;

        if (r->options->switch_output.time == 0)
                return 0;
        loop_remove_timer(r->loop, r->switch_timer);
        r->switch_timer = -EBADF;
        fd = loop_add_timer(r->loop, r->options->switch_output.time, false, recorder_on_switch_time, r);
        if (fd < 0)
                return fd;
        r->switch_timer = fd;
        return 0;
}

int recorder_watch_rings(Recorder *r) {
        const RingWatchHandlers handlers = { .data = recorder_on_data, .all_gone = recorder_on_all_gone, .userdata = r };

        if (event_set_counts(r->set))
                return 0;
        return ring_watch_new(r->set, r->loop, &handlers, &r->watch);
}

int recorder_watch(Recorder *r) {
        int q = recorder_watch_rings(r);

        if (q >= 0 && r->command.pid > 0)
                q = loop_add(r->loop, r->command.pidfd, EPOLLIN, recorder_on_command_end, r);
        if (q >= 0)
                q = recorder_arm_switch_timer(r);
        if (q >= 0 && !r->options->attr.no_bpf_event)
                q = bpf_watch_new(r->loop, r->bpf.catalog, "", &r->bpf.watch);
        return q < 0 ? log_diagnosis(NULL, q, "The rings can't be watched") : 0;
}

static void recorder_enable_by_word(Recorder *r, const char *name, bool enable) {
        int q = recorder_enable(r, name, enable);

        if (q == -ENOENT && name)
                log_info("failed: can't find '%s' event", name);
        else if (q < 0)
                log_warning("Events can't be %s: %s", enable ? "enabled" : "disabled", strerror(-q));
        else if (name)
                log_info("Event %s %s", name, enable ? "enabled" : "disabled");
        else
                log_info("Events %s", enable ? "enabled" : "disabled");
}

static int recorder_on_enable_time(void *userdata, bool enable, bool last) {
        Recorder *r = userdata;

        recorder_enable_by_word(r, NULL, enable);
        if (last && !enable)
                loop_stop(r->loop);
        return 0;
}

int recorder_begin_delay(Recorder *r) {
        const EnableTimes *times = &r->options->enable_times;
        int q;

        if (!enable_times_delay(times))
                return 0;
        log_info("Events disabled");
        q = enable_timer_new(r->loop, times, recorder_on_enable_time, r, &r->enable_timer);
        return q < 0 ? log_diagnosis(NULL, q, "The time to wait can't be set") : 0;
}

static void recorder_list_events(const Recorder *r, const char *argument) {
        _cleanup_free_ char *text = NULL;
        EventSetPrint flags = 0;

        if (argument && streq(argument, "-v"))
                flags = EVENT_SET_PRINT_VERBOSE;
        else if (argument && streq(argument, "-g"))
                flags = EVENT_SET_PRINT_GROUP;
        else if (argument && streq(argument, "-F"))
                flags = EVENT_SET_PRINT_FREQUENCY;
        else if (argument) {
                log_info("failed: wrong command");
                return;
        }
        text = event_set_describe(r->set, flags);
        if (text)
                (void) write_all(STDERR_FILENO, text, strlen(text));
}

/* The word without an argument is perf's, and is acknowledged when the dump has begun. */
static int recorder_snapshot_by_word(Recorder *r, const char *argument) {
        const Trigger plain = TRIGGER(PR_TRIGGER_CONTROL);
        _cleanup_(diagnosis_done) Diagnosis d = {};
        TriggerRequest request;
        int q;

        if (!argument) {
                q = triggers_fire(r->triggers, &plain);
                return q < 0 ? q : triggers_run(r->triggers);
        }
        q = trigger_request_parse(argument, &request, &d);
        if (q >= 0)
                return triggers_fire(r->triggers, &request.trigger);
        if (*request.id)
                triggers_refuse(r->triggers, request.id, q, d.sentence);
        log_verbose(1, "control: %s", d.sentence ?: strerror(-q));
        return 0;
}

static int recorder_note_end_reason(Recorder *r, const char *argument) {
        char line[PR_DUMP_DETAIL_MAX + 1];

        (void) utf8_line_to(line, sizeof(line), argument ?: "");
        return free_and_strdup(&r->end.reason, line);
}

int recorder_handle_control(void *userdata, ControlWord word, const char *argument) {
        Recorder *r = userdata;

        switch (word) {
        case CONTROL_ENABLE:
        case CONTROL_DISABLE:
                recorder_enable_by_word(r, argument, word == CONTROL_ENABLE);
                return 0;
        case CONTROL_EVLIST:
                recorder_list_events(r, argument);
                return 0;
        case CONTROL_SNAPSHOT:
                return recorder_snapshot_by_word(r, argument);
        case CONTROL_WITHDRAW:
                if (argument)
                        triggers_withdraw(r->triggers, argument);
                return 0;
        case CONTROL_STOP:
                loop_stop(r->loop);
                return 0;
        case CONTROL_HAND_OVER:
                handover_again(r->handover);
                return 0;
        case CONTROL_LEND:
                return recorder_lend(r, argument);
        case CONTROL_RETURN:
                return recorder_take_back(r, argument);
        case CONTROL_REASON:
                return recorder_note_end_reason(r, argument);
        case CONTROL_WINDOW:
                return recorder_add_window(r, argument);
        default: /* a ping's answer is its acknowledgement */
                return 0;
        }
}
