/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The life of a recording, in perf record's order: the command is forked and held, the events are opened, the file is
 * begun with what is there already, the events are enabled, the command is let go. From then on handlers work
 * (recorder-handlers.c), which call what happens to files (recorder-files.c). */

#include "recorder.h"

#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>
#include <signal.h>
#include "fd-file.h"
#include "log.h"
#include "parse-number.h"
#include "preamble.h"
#include "process.h"
#include "realtime.h"
#include "time-slice.h"

#define SYMBOLS_AT_STOP_MSEC 1000u

PreambleOptions recorder_preamble(Recorder *r) {
        return (PreambleOptions) {
                .set = r->set,
                .target = &r->options->target,
                .command = r->command_started ? 0 : r->command.pid,
                .command_runs = r->command_started ? r->command.pid : 0,
                .root = "",
                .map_timeout = r->options->map_timeout,
                .programs = r->programs,
                .no_bpf_event = r->options->attr.no_bpf_event,
                .event_names = output_place_is_stream(&r->place),
        };
}

typedef struct PreambleLeftOut {
        Recorder *recorder;
        LeftOut *sum;
} PreambleLeftOut;

/* Each file that is begun finds the same processes again: it is said once in a while. */
static void on_left_out(void *userdata, pid_t pid, uint64_t n) {
        const PreambleLeftOut *l = userdata;
        char name[PROCESS_COMM_SIZE] = "";

        l->sum->mappings += n;
        l->sum->processes++;
        (void) process_read_comm("", pid, pid, name);
        left_out_tell(&l->recorder->left_out_notes, (uint32_t) pid, name, n);
}

static int put_preamble(void *userdata, RecordBuffer *b, LeftOut *ret_left_out) {
        Recorder *r = userdata;
        PreambleLeftOut l = { .recorder = r, .sum = ret_left_out };
        PreambleOptions o = recorder_preamble(r);
        int q = bpf_catalog_update(r->programs);

        o.left_out = on_left_out;
        o.userdata = &l;
        return q < 0 ? q : preamble_put(&o, b);
}

/* What the daemon leaves us of what it may lock; NULL: it has no limit. */
static const uint64_t *locked_left(uint64_t *left) {
        const char *s = getenv(PR_LOCKED_MEMORY_ENV);

        return s && parse_uint64(s, left) >= 0 ? left : NULL;
}

int recorder_open_events(Recorder *r, EventSet **ret) {
        _cleanup_(event_set_freep) EventSet *set = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        const Options *o = r->options;
        Target target = o->target;
        EventSetOptions so = {
                .attr = o->attr,
                .target = &target,
                .pages = o->pages,
                .delayed = enable_times_delay(&o->enable_times),
                .sideband_pages = recorder_wants_flight(r) ? EVENT_SET_SIDEBAND_SIZE / (unsigned) sysconf(_SC_PAGESIZE) : 0,
        };
        bool may_share = so.sideband_pages > 0 && o->history_size == 0;
        uint64_t left;
        int q;

        target.command = r->command.pid;
        target.online_only = r->set; /* a CPU that was there at the beginning may be offline now */
        so.locked_left = locked_left(&left);
        so.attr.sample_id = output_place_is_stream(&r->place);
        q = event_set_open(&o->events, &so, &set, may_share ? NULL : &d);
        if (q < 0 && may_share) { /* who may lock little memory has it for samples, and the side band among them */
                so.sideband_pages = 0;
                q = event_set_open(&o->events, &so, &set, &d);
                if (q >= 0)
                        log_verbose(1, "The side band is overwritten too: there is no memory to lock for rings of its own");
        }
        if (q < 0)
                return log_diagnosis(&d, q, "The events can't be opened");
        STRV_FOREACH(note, set->notes)
                log_warning("%s", *note);
        if (log_is_verbose(2)) {
                _cleanup_free_ char *text = event_set_describe_opening(set);

                if (text)
                        (void) write_all(STDERR_FILENO, text, strlen(text));
        }
        counters_set(&r->counters->page->ring_bytes, event_set_ring_bytes(set));
        *ret = steal_ptr(set);
        return 0;
}

/* The kernel's records of maps carry build ids (--buildid-mmap) since Linux 5.12; before that there is the table. */
static BuildIdTable build_id_table(const Recorder *r) {
        const Options *o = r->options;

        if (o->no_build_ids)
                return BUILD_ID_TABLE_NONE;
        for (size_t i = 0; i < r->set->n_members; i++)
                if (r->set->members[i].attr.build_id)
                        return BUILD_ID_TABLE_NONE;
        if (o->attr.build_ids)
                log_warning("This kernel has no build ids in its records of maps: they are put into a table at the end");
        return o->all_build_ids ? BUILD_ID_TABLE_ALL : BUILD_ID_TABLE_HIT;
}

int recorder_describe(Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int64_t offset;
        int q = file_description_new(r->set, r->command_line, build_id_table(r), &r->description, &d);

        if (q >= 0)
                file_description_set_progress(r->description, &r->counters->page->progress);
        if (q >= 0 && !r->programs)
                q = bpf_catalog_new(&r->programs);
        if (q >= 0)
                q = bpf_catalog_update(r->programs); /* the file keeps room for them */
        if (q < 0)
                return log_diagnosis(&d, q, "The file can't be described");
        if (!r->options->attr.no_bpf_event)
                file_description_set_programs(r->description, r->programs);
        if (r->options->timestamp_boundary || getenv(PR_SESSION_ENV))
                file_description_want_times(r->description);
        if (r->symbols)
                file_description_want_hits(r->description);
        if (getenv(PR_SESSION_ENV)) /* again with each file, for which there is room then */
                (void) recorder_relate_clock(r, &offset);
        return 0;
}

/* As perf warns: the kernel wakes us up when a ring is half full, however little was asked for. */
static void warn_of_small_files(const Recorder *r) {
        size_t wakeup = r->set->n_rings > 0 ? r->set->rings[0].mapped / 2 : 0;

        if (r->options->switch_output.size > 0 && r->options->switch_output.size < wakeup)
                log_warning("WARNING: switch-output data size lower than wakeup kernel buffer size (%zuK) "
                            "expect bigger perf.data sizes", wakeup / 1024);
}

/* A service's files are read when what they are about may have gone; who is at the command line has it all there. */
static int open_symbols(Recorder *r) {
        uint64_t size = r->options->symbols;

        if (size == OPTIONS_SYMBOLS_UNSET)
                size = r->notifier->fd >= 0 ? SYMBOL_KEEPER_DEFAULT_SIZE : 0;
        if (size == 0 || output_place_is_stream(&r->place))
                return 0;
        return symbol_keeper_new("", r->place.base, size, &r->symbols);
}

static int open_output(Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        const Options *o = r->options;
        const struct perf_event_attr *first = &r->set->members[0].attr;
        OutputOptions oo = {
                .place = &r->place,
                .max_files = o->switch_output.max_files,
                /* A service's files, and those that are finished while recording goes on, must outlive whatever comes. Who
                 * waits for the end of a command has the file at once, as from perf. */
                .synced = r->notifier->fd >= 0 || o->switch_output.enabled,
                .renewed = r->notifier->fd >= 0,
                .max_size = o->max_size,
                .level = o->compression,
                .preamble_last = o->preamble_last,
                .trailer.sample_type = first->sample_id_all ? first->sample_type : 0,
                .preamble = put_preamble,
                .userdata = r,
                .counters = r->counters,
                .notifier = r->notifier,
        };
        int q = open_symbols(r);

        if (q >= 0)
                q = recorder_describe(r);
        if (q < 0)
                return q;
        oo.symbols = r->symbols;
        warn_of_small_files(r);
        q = output_new(&oo, r->description, &r->output);
        /* With overwrite rings nothing is written until something happens, so the file begins then. */
        if (q >= 0 && recorder_streams(r))
                q = output_begin(r->output);
        if (q < 0 && !(q == -EPIPE && r->output && output_is_over(r->output))) /* that was said */
                (void) log_diagnosis(&d, q, r->place.shown);
        return q;
}

static int open_control(Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int q;

        if (!r->options->control)
                return 0;
        q = control_port_open(r->options->control, r->loop, recorder_handle_control, r, &r->control, &d);
        return q < 0 ? log_diagnosis(&d, q, "--control") : 0;
}

int recorder_enable(Recorder *r, const char *name, bool enable) {
        int q = event_set_enable(r->set, name, enable);

        if (q >= 0 && !enable)
                q = recorder_drain(r); /* what is told of a pause is final: no sample comes out of the rings during it */
        if (q < 0)
                return q;
        handover_update_enabled(r->handover);
        notifier_send(r->notifier, PR_NOTIFY_STATE "%s", event_set_is_enabled(r->set) ? "recording" : "paused");
        return 0;
}

static int start_events(Recorder *r) {
        const Target *t = &r->options->target;

        if (r->takeover) /* they are as they were */
                return 0;
        if (enable_times_delay(&r->options->enable_times))
                return target_is_command(t) ? 0 : event_set_enable_tracking(r->set);
        if (target_is_command(t)) /* its exec enables them */
                return 0;
        return event_set_enable(r->set, NULL, true);
}

static char *event_names(const EventSet *set) {
        _cleanup_strv_free_ char **names = NULL;

        for (size_t i = 0; i < set->n_members; i++)
                if (!set->members[i].added && strv_extend(&names, set->members[i].name) < 0)
                        return NULL;
        return strv_join(names, ",");
}

static int start_command(Recorder *r) {
        _cleanup_free_ char *names = NULL;
        int q = command_start(&r->command);

        if (q >= 0) {
                r->command_started = true;
                return 0;
        }
        if (r->command.exec_error == 0)
                return log_diagnosis(NULL, q, "The command can't be started");
        names = event_names(r->set);
        log_error("Failed to collect '%s' for the '%s' workload: %s", names ?: "", r->options->command[0], strerror(-q));
        return q;
}

static int start(Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int q = r->options->realtime > 0 ? realtime_begin(r->options->realtime, &d) : 0;

        if (q < 0)
                return log_diagnosis(&d, q, "-r");
        if (r->options->realtime == 0)
                time_slice_shorten();
        q = start_events(r);
        if (q >= 0)
                q = trigger_sources_enable(r->sources);
        if (q < 0)
                return log_diagnosis(NULL, q, "The events can't be enabled");
        if (r->command.pid > 0) {
                q = start_command(r);
                if (q < 0)
                        return q;
        }
        recorder_hand_over(r);
        notifier_send(r->notifier, PR_NOTIFY_READY "\n" PR_NOTIFY_STATUS "Recording %s%s\n" PR_NOTIFY_STATE "%s",
                      r->set->members[0].name, r->options->events.n_specs > 1 ? " and others" : "",
                      event_set_is_enabled(r->set) ? "recording" : "paused");
        return recorder_begin_delay(r);
}

/* What can be known to be refused before there is anything to take back. */
static int check_rights(const Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int q = r->options->realtime > 0 ? realtime_try(r->options->realtime, &d) : 0;

        return q < 0 ? log_diagnosis(&d, q, "-r") : 0;
}

static int open_place(Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int q = output_place_open(&r->place, r->options->output, &d);

        if (q >= 0 && output_place_is_stream(&r->place) && r->options->switch_output.enabled)
                q = diagnosis_set(&d, -EINVAL, "--switch-output needs files to switch between: name one by -o, %s takes a stream",
                                  r->place.shown);
        if (q >= 0 && output_place_is_stream(&r->place) && r->options->history_size > 0)
                q = diagnosis_set(&d, -EINVAL, "-M writes files when something happens: name one by -o, %s takes a stream",
                                  r->place.shown);
        if (q < 0)
                return log_diagnosis(&d, q, "-o");
        if (output_place_is_stream(&r->place) && r->options->timestamp_filename)
                log_warning("WARNING: --timestamp-filename option is not available in pipe mode.");
        return 0;
}

static int mark(void *userdata) {
        return recorder_mark(userdata);
}

static int dump(void *userdata, const DumpOrder *order) {
        return recorder_dump(userdata, order);
}

static int collect(void *userdata) {
        Recorder *r = userdata;
        int q = loop_look_for_signals(r->loop);

        if (q >= 0)
                q = control_port_look(r->control);
        return q < 0 || !r->sources ? q : trigger_sources_look(r->sources);
}

static int open_triggers(Recorder *r) {
        const TriggersOptions options = {
                .mark = mark,
                .collect = collect,
                .dump = dump,
                .userdata = r,
                .notifier = r->notifier,
                .delay = r->options->triggers.delay,
                .announce = r->options->triggers.announce,
                .overlap = r->options->triggers.overlap,
                .limit = r->options->triggers.limit,
        };

        return triggers_new(&options, r->loop, &r->triggers);
}

int recorder_open_trigger_sources(Recorder *r, TriggerSources **ret) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        Target target = r->options->target;
        int q;

        target.command = r->command.pid;
        q = trigger_sources_new(r->options, &target, r->triggers, r->loop, ret, &d);
        return q < 0 ? log_diagnosis(&d, q, d.key ?: "The triggers can't be set up") : 0;
}

int recorder_open(Recorder *r) {
        int q = check_rights(r);

        if (q >= 0)
                q = open_place(r);
        if (q < 0)
                return q;
        q = loop_new(&r->loop);
        if (q >= 0)
                q = open_triggers(r);
        if (q >= 0)
                q = recorder_add_handlers(r);
        if (q < 0)
                return log_diagnosis(NULL, q, "The loop can't be set up");
        if (r->options->command) {
                q = command_fork(&r->command, r->options->command, r->place.stream_fd == STDOUT_FILENO);
                if (q < 0)
                        return log_diagnosis(NULL, q, "Couldn't run the workload!");
        }
        q = recorder_open_handover(r);
        if (q >= 0)
                q = recorder_take_over(r, &r->set);
        if (q == 0)
                q = recorder_open_events(r, &r->set);
        if (q >= 0)
                q = recorder_open_trigger_sources(r, &r->sources);
        if (q >= 0)
                q = open_output(r);
        if (q >= 0)
                q = recorder_open_flight(r);
        if (q >= 0)
                q = open_control(r);
        if (q >= 0)
                q = recorder_watch(r);
        if (q >= 0)
                q = recorder_watch_cgroups(r);
        if (q >= 0)
                q = recorder_watch_cpus(r);
        if (q >= 0)
                q = start(r);
        return q;
}

/* The command is forked for its events, and ends with us before its exec. */
int recorder_try(Recorder *r) {
        const char *program = r->options->command ? r->options->command[0] : NULL;
        int q = check_rights(r);

        if (q < 0)
                return q;
        if (program) {
                q = command_find(program);
                if (q < 0) {
                        log_error("The program '%s' can't be run: %s", program, strerror(-q));
                        return q;
                }
        }
        q = loop_new(&r->loop);
        if (q >= 0)
                q = open_triggers(r);
        if (q >= 0 && program)
                q = command_fork(&r->command, r->options->command, true);
        if (q < 0)
                return log_diagnosis(NULL, q, "The recording can't be set up");
        q = recorder_open_events(r, &r->set);
        if (q >= 0)
                q = recorder_open_trigger_sources(r, &r->sources);
        if (q >= 0)
                (void) printf("EVENTS=%zu\nRINGS=%zu\nRING_BYTES=%" PRIu64 "\n", r->set->n_events, r->set->n_rings,
                              event_set_ring_bytes(r->set));
        return q;
}

int recorder_run(Recorder *r) {
        /* The rings take records from their opening on. When a descriptor is added to epoll, the kernel takes back that it
         * can be read (perf_poll() answers once), and a ring that is full by then would never say it again. */
        int q = recorder_drain(r);

        if (q >= 0)
                q = recorder_dump_of_predecessor(r);
        if (q >= 0)
                q = loop_run(r->loop);

        return q < 0 ? log_diagnosis(NULL, q, "The recording ends") : 0;
}

/* Also after the loop, which reads signals no more. */
static bool is_told_to_stop(const Recorder *r) {
        sigset_t pending;

        return r->signal != 0 || !r->options->command ||
               (sigpending(&pending) >= 0 && (sigismember(&pending, SIGTERM) > 0 || sigismember(&pending, SIGINT) > 0));
}

/* The files are whole without their symbols: who stops a recorder does not wait for these for long. */
static void finish_symbols(Recorder *r) {
        if (!r->symbols)
                return;
        while (!is_told_to_stop(r) && !symbol_keeper_wait(r->symbols, 100))
                ;
        r->symbols = symbol_keeper_stop(r->symbols, SYMBOLS_AT_STOP_MSEC);
}

void recorder_done(Recorder *r) {
        r->enable_timer = enable_timer_free(r->enable_timer);
        r->control = control_port_free(r->control);
        r->end_reason = (free(r->end_reason), NULL);
        r->cgroup_watch = cgroup_watch_free(r->cgroup_watch);
        r->cgroups = strv_free(r->cgroups);
        r->cpu_watch = cpu_watch_free(r->cpu_watch);
        r->sources = trigger_sources_free(r->sources);
        r->triggers = triggers_free(r->triggers);
        r->watch = ring_watch_free(r->watch);
        command_done(&r->command);
        recorder_close_flight(r);
        r->handover = handover_free(r->handover);
        r->takeover = takeover_free(r->takeover);
        output_files_done(&r->dumps);
        r->output = output_free(r->output);
        finish_symbols(r);
        output_place_done(&r->place);
        r->description = file_description_free(r->description);
        r->program_watch = bpf_watch_free(r->program_watch);
        r->programs = bpf_catalog_free(r->programs);
        event_closer_wait(&r->closer);
        r->set = event_set_free(r->set);
        r->loop = loop_free(r->loop);
}
