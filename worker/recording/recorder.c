/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The steps of a recorder, in perf record's order: the command is forked and held, the events are opened, the file is
 * begun with what exists already, the events are enabled, and the command may exec. From then on the handlers run
 * (recorder-handlers.c). At the end the events are disabled, the last dumps and the last file are written, and the
 * command is ended.
 *
 * The recording (recording.h) takes samples to files; it is replaced with the events (recorder-reopen.c). Functions
 * here print what fails, once, and return the errno. */

#include "recorder.h"

#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>
#include <signal.h>
#include "fd-file.h"
#include "log.h"
#include "parse-number.h"
#include "preamble.h"
#include "probe.h"
#include "realtime.h"
#include "sample-clock.h"
#include "time-slice.h"

#define SYMBOLS_AT_STOP_MSEC 1000u

PreambleOptions recorder_preamble(Recorder *r) {
        return (PreambleOptions) {
                .set = r->set,
                .target = &r->options->target,
                .command = r->command.started ? 0 : r->command.pid,
                .command_runs = r->command.started ? r->command.pid : 0,
                .root = "",
                .map_timeout = r->options->map_timeout,
                .programs = r->bpf.catalog,
                .no_bpf_event = r->options->attr.no_bpf_event,
                .interval = r->options->history_interval / USEC_PER_MSEC,
                .event_names = output_place_is_stream(&r->files.place),
        };
}

int recorder_open_events(Recorder *r, EventSet **ret) {
        _cleanup_(event_set_freep) EventSet *set = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_strv_free_ char **units = NULL;
        const Options *o = r->options;
        Target target = o->target;
        EventSetOptions so = {
                .attr = o->attr,
                .target = &target,
                .pages = o->pages,
                .delayed = enable_times_delay(&o->enable_times),
                .lendings = recorder_lendings(r),
                .sideband_pages = recording_wants_flight(r) ? EVENT_SET_SIDEBAND_SIZE / (unsigned) sysconf(_SC_PAGESIZE) : 0,
        };
        bool may_share = so.sideband_pages > 0 && o->history_size == 0;
        const char *locked = getenv(PR_LOCKED_MEMORY_ENV);
        uint64_t left; /* of the daemon's limit on locked memory, for this recorder */
        int q;

        target.command = r->command.pid;
        target.online_only = r->set; /* a CPU that was online at the beginning may be offline now */
        so.locked_left = locked && parse_uint64(locked, &left) >= 0 ? &left : NULL;
        so.attr.sample_id = output_place_is_stream(&r->files.place);
        q = probes_renew(&r->options->events, &d);
        if (q >= 0 && o->each_unit)
                q = recorder_list_units(r, &units, &d);
        if (q < 0)
                return log_diagnosis(&d, q, "The events can't be opened");
        so.groups = units;
        q = event_set_open(&o->events, &so, &set, may_share ? NULL : &d);
        if (q < 0 && may_share) { /* memory that may be locked is short: the side band shares the rings of the samples */
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

/* The kernel's records of maps have build ids (--buildid-mmap) since Linux 5.12; before that a table at the end has them. */
static BuildIdTable recorder_build_id_table(const Recorder *r) {
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
        const Options *o = r->options;
        FileDescriptionOptions fo = {
                .set = r->set,
                .command_line = r->command_line,
                .build_ids = recorder_build_id_table(r),
                .progress = &r->counters->page->progress,
                .level = o->compression,
                /* A service's files, and those that are finished while recording goes on, must survive a crash of the machine. A
                 * user who waits for the end of a command gets the file at once, as from perf. */
                .synced = r->notifier->fd >= 0 || o->switch_output.enabled,
                .unwound = o->unwind,
                .registers = o->attr.user_registers > 0,
                .want_times = o->timestamp_boundary || r->files.session,
                .want_hits = r->files.symbols,
        };
        int64_t offset;
        int q = r->bpf.catalog ? 0 : bpf_catalog_new(&r->bpf.catalog);

        if (q >= 0)
                q = bpf_catalog_update(r->bpf.catalog); /* the file keeps room for them */
        if (!o->attr.no_bpf_event)
                fo.programs = r->bpf.catalog;
        if (q >= 0)
                q = file_description_new(&fo, &r->files.description, &d);
        if (q < 0)
                return log_diagnosis(&d, q, "The file can't be described");
        if (r->files.session) /* reserves room in the header; each file updates it */
                (void) recorder_relate_clock(r, &offset);
        return 0;
}

/* By default only a service keeps symbols: its files are read later, when the binaries may be gone. */
static int recorder_open_symbols(Recorder *r) {
        uint64_t size = r->options->symbols;

        if (size == OPTIONS_SYMBOLS_UNSET)
                size = r->notifier->fd >= 0 ? SYMBOL_KEEPER_DEFAULT_SIZE : 0;
        if (size == 0 || output_place_is_stream(&r->files.place))
                return 0;
        return symbol_keeper_new("", r->files.place.base, size, &r->files.symbols);
}

static int recorder_open_files(Recorder *r) {
        const Options *o = r->options;
        OutputFiles *f = &r->files;
        int q;

        f->kept.max = o->switch_output.max_files;
        f->counters = r->counters;
        f->notifier = r->notifier;
        f->session = getenv(PR_SESSION_ENV);
        f->lendings = recorder_lendings(r);
        f->renewed = r->notifier->fd >= 0;
        if (!output_place_is_stream(&f->place))
                output_remove_stale(f->place.dir_fd, f->place.dir, f->place.base);
        q = recorder_open_symbols(r);
        return q < 0 ? log_diagnosis(NULL, q, f->place.shown) : recorder_describe(r);
}

/* A stream reports by itself that its reader has gone. */
static int recorder_begin_recording(Recorder *r, FlightMemory *memory) {
        int q = recording_new(r, memory, &r->recording);

        if (q < 0)
                return q;
        q = recording_begin(r->recording);
        return q < 0 && q != -EPIPE ? log_diagnosis(NULL, q, r->files.place.shown) : q;
}

int recorder_relate_clock(Recorder *r, int64_t *ret_offset) {
        SampleClock clock = SAMPLE_CLOCK_EMPTY;
        int q = sample_clock_open(&clock, &r->set->members[0].attr);

        if (q >= 0)
                q = sample_clock_offset(&clock, ret_offset);
        sample_clock_done(&clock);
        return q >= 0 && r->files.session ? file_description_relate_clock(r->files.description, *ret_offset) : q;
}

static int recorder_open_control(Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int q;

        if (!r->options->control)
                return 0;
        q = control_port_open(r->options->control, r->loop, recorder_handle_control, r, &r->control, &d);
        return q < 0 ? log_diagnosis(&d, q, "--control") : 0;
}

int recorder_drain(Recorder *r) {
        r->has_data = false;
        return r->recording->kind->drain(r->recording);
}

int recorder_enable(Recorder *r, const char *name, bool enable) {
        int q = event_set_enable(r->set, name, enable);

        if (q >= 0 && !enable)
                q = recorder_drain(r); /* the figures of a paused session are final: no sample comes out of the rings later */
        if (q < 0)
                return q;
        handover_update_enabled(r->handover);
        notifier_send(r->notifier, PR_NOTIFY_STATE "%s", recorder_state(r));
        return 0;
}

static int recorder_start_events(Recorder *r) {
        const Target *t = &r->options->target;

        if (r->takeover) /* takeover.c has done it */
                return 0;
        if (enable_times_delay(&r->options->enable_times))
                return target_is_command(t) ? 0 : event_set_enable_tracking(r->set);
        if (target_is_command(t)) /* its exec enables them */
                return 0;
        return event_set_enable(r->set, NULL, true);
}

static char *set_event_names(const EventSet *set) {
        _cleanup_strv_free_ char **names = NULL;

        for (size_t i = 0; i < set->n_members; i++)
                if (!set->members[i].only_sideband && strv_extend(&names, set->members[i].name) < 0)
                        return NULL;
        return strv_join(names, ",");
}

static int recorder_start_command(Recorder *r) {
        _cleanup_free_ char *names = NULL;
        int q = command_start(&r->command);

        if (q >= 0)
                return 0;
        if (r->command.exec_error == 0)
                return log_diagnosis(NULL, q, "The command can't be started");
        names = set_event_names(r->set);
        log_error("Failed to collect '%s' for the '%s' workload: %s", names ?: "", r->options->command[0], strerror(-q));
        return q;
}

static int recorder_start(Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *lending = NULL;
        int q = r->options->realtime > 0 ? realtime_begin(r->options->realtime, &d) : 0;

        if (q < 0)
                return log_diagnosis(&d, q, "-r");
        if (r->options->realtime == 0)
                time_slice_shorten();
        q = recorder_start_events(r);
        if (q >= 0)
                q = trigger_sources_enable(r->sources);
        if (q < 0)
                return log_diagnosis(NULL, q, "The events can't be enabled");
        if (r->command.pid > 0) {
                q = recorder_start_command(r);
                if (q < 0)
                        return q;
        }
        recorder_hand_over(r);
        lending = recorder_describe_lending(r);
        notifier_send(r->notifier, PR_NOTIFY_READY "\n" PR_NOTIFY_STATUS "Recording %s%s\n%s", r->set->members[0].name,
                      r->options->events.n_specs > 1 ? " and others" : "", lending ?: "");
        return recorder_begin_delay(r);
}

/* Checks rights before there is anything to undo. */
static int recorder_check_rights(const Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int q = r->options->realtime > 0 ? realtime_try(r->options->realtime, &d) : 0;

        return q < 0 ? log_diagnosis(&d, q, "-r") : 0;
}

static int recorder_open_place(Recorder *r) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int q = output_place_open(&r->files.place, r->options->output, &d);

        if (q >= 0 && output_place_is_stream(&r->files.place) && r->options->switch_output.enabled)
                q = diagnosis_set(&d, -EINVAL, "--switch-output needs files to switch between: name one by -o, %s takes a stream",
                                  r->files.place.shown);
        if (q >= 0 && output_place_is_stream(&r->files.place) && r->options->history_size > 0)
                q = diagnosis_set(&d, -EINVAL, "-M writes files when something happens: name one by -o, %s takes a stream",
                                  r->files.place.shown);
        if (q < 0)
                return log_diagnosis(&d, q, "-o");
        if (output_place_is_stream(&r->files.place) && r->options->timestamp_filename)
                log_warning("WARNING: --timestamp-filename option is not available in pipe mode.");
        return 0;
}

int recorder_open_trigger_sources(Recorder *r, TriggerSources **ret) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        Target target = r->options->target;
        int q;

        target.command = r->command.pid;
        q = probes_renew(&r->options->triggers.events, &d);
        if (q >= 0)
                q = probes_renew(&r->options->switch_events, &d);
        if (q < 0)
                return log_diagnosis(&d, q, "The triggers can't be set up");
        q = trigger_sources_new(&(TriggerSourcesOptions) {
                .command_line = &r->options->triggers,
                .switch_events = &r->options->switch_events,
                .target = &target,
                .lendings = recorder_lendings(r),
                .groups_may_be_gone = r->takeover || r->recording,
        }, r->triggers, r->loop, ret, &d);
        return q < 0 ? log_diagnosis(&d, q, d.key ?: "The triggers can't be set up") : 0;
}

int recorder_open(Recorder *r) {
        _cleanup_(flight_memory_done) FlightMemory memory = FLIGHT_MEMORY_EMPTY;
        int q = recorder_check_rights(r);

        if (q >= 0)
                q = recorder_open_place(r);
        if (q < 0)
                return q;
        q = loop_new(&r->loop);
        if (q >= 0)
                q = recorder_open_triggers(r);
        if (q >= 0)
                q = recorder_add_handlers(r);
        if (q < 0)
                return log_diagnosis(NULL, q, "The loop can't be set up");
        if (r->options->command) {
                q = command_fork(&r->command, r->options->command, r->files.place.stream_fd == STDOUT_FILENO);
                if (q < 0)
                        return log_diagnosis(NULL, q, "Couldn't run the workload!");
        }
        q = recorder_open_handover(r);
        if (q >= 0)
                q = recorder_take_over(r, &r->set, &memory);
        if (q >= 0 && recorder_read_lent(r) < 0)
                q = -ENOMEM;
        if (q == 0)
                q = recorder_open_events(r, &r->set);
        if (q >= 0)
                q = recorder_open_trigger_sources(r, &r->sources);
        if (q >= 0)
                q = recorder_open_files(r);
        if (q >= 0)
                q = recorder_begin_recording(r, &memory);
        if (q >= 0)
                q = recorder_open_control(r);
        if (q >= 0)
                q = recorder_watch(r);
        if (q >= 0)
                q = recorder_watch_cgroups(r);
        if (q >= 0)
                q = recorder_watch_units(r);
        if (q >= 0)
                q = recorder_watch_cpus(r);
        if (q >= 0)
                q = recorder_watch_probes(r);
        if (q >= 0)
                q = recorder_start(r);
        return q;
}

/* The command is forked since its events need its PID; it ends with this process, before its exec. */
int recorder_try(Recorder *r) {
        const char *program = r->options->command ? r->options->command[0] : NULL;
        int q = recorder_check_rights(r);

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
                q = recorder_open_triggers(r);
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
        /* The rings get records from their opening on. perf_poll() reports only once that a ring is readable, and adding the
         * descriptor to epoll uses that up: a ring that is full by then would never wake the loop. */
        int q = recorder_drain(r);

        if (q >= 0)
                q = recorder_dump_of_predecessor(r);
        if (q >= 0)
                q = recorder_take_back_rest(r);
        if (q >= 0 && r->watched.cgroups) /* the events may be of a group that went before it was watched, or with a predecessor */
                q = cgroup_watch_look(r->watched.cgroups);
        if (q >= 0)
                q = recorder_look_for_units(r);
        if (q >= 0)
                q = loop_run(r->loop);
        return q < 0 ? log_diagnosis(NULL, q, "The recording ends") : 0;
}

int recorder_finish(Recorder *r) {
        int q;

        notifier_send(r->notifier, PR_NOTIFY_STOPPING);
        if (!target_is_command(&r->options->target)) /* a command's events end with it */
                (void) event_set_enable(r->set, NULL, false);
        q = control_port_look(r->control); /* the daemon sends the reason right before the signal */
        if (q >= 0)
                q = recording_finish_dumps(r->recording);
        if (q >= 0 && (recording_streams(r) || r->options->triggers.shutdown))
                q = recording_finish(r->recording);
        command_end(&r->command);
        return q;
}

/* The loop may have ended: then signals are pending. */
static bool recorder_is_told_to_stop(const Recorder *r) {
        sigset_t pending;

        return r->end.signal != 0 || !r->options->command ||
               (sigpending(&pending) >= 0 && (sigismember(&pending, SIGTERM) > 0 || sigismember(&pending, SIGINT) > 0));
}

/* The files are complete without their symbols, so the end of a recorder does not wait long for them. */
static void recorder_finish_symbols(Recorder *r) {
        if (!r->files.symbols)
                return;
        while (!recorder_is_told_to_stop(r) && !symbol_keeper_wait(r->files.symbols, 100))
                ;
        r->files.symbols = symbol_keeper_stop(r->files.symbols, SYMBOLS_AT_STOP_MSEC);
}

void recorder_done(Recorder *r) {
        r->enable_timer = enable_timer_free(r->enable_timer);
        r->control = control_port_free(r->control);
        r->end.reason = (free(r->end.reason), NULL);
        r->windows.all = (free(r->windows.all), NULL);
        r->watched.cgroups = cgroup_watch_free(r->watched.cgroups);
        r->watched.units = slice_watch_free(r->watched.units);
        r->watched.cpus = cpu_watch_free(r->watched.cpus);
        r->sources = trigger_sources_free(r->sources);
        r->triggers = triggers_free(r->triggers);
        r->watch = ring_watch_free(r->watch);
        command_done(&r->command);
        r->recording = recording_free(r->recording);
        r->handover = handover_free(r->handover);
        r->takeover = takeover_free(r->takeover);
        recorder_finish_symbols(r);
        output_files_done(&r->files);
        r->bpf.watch = bpf_watch_free(r->bpf.watch);
        r->bpf.catalog = bpf_catalog_free(r->bpf.catalog);
        event_closer_wait(&r->closer);
        r->set = event_set_free(r->set);
        lendings_done(&r->lending.all);
        r->loop = loop_free(r->loop);
}
