/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-watch.h"
#include "cgroup-watch.h"
#include "command.h"
#include "control-port.h"
#include "counters.h"
#include "cpu-watch.h"
#include "enable-timer.h"
#include "event-closer.h"
#include "flight.h"
#include "handover.h"
#include "history-samples.h"
#include "notifier.h"
#include "options.h"
#include "output.h"
#include "output-name.h"
#include "ring-watch.h"
#include "snapshot.h"
#include "takeover.h"
#include "trigger-sources.h"

/* One recording from its opening to its end. */
typedef struct Recorder {
        const Options *options;
        char *const *command_line; /* ours, for the file's header */
        Notifier *notifier;
        Counters *counters;
        Loop *loop;
        Command command;
        EventSet *set;
        FileDescription *description;
        BpfCatalog *programs;
        BpfWatch *program_watch;
        OutputPlace place;
        Output *output;
        PreambleOptions preamble;  /* of a flight recorder */
        FlightState *flight_state;
        int flight_state_fd;
        SidebandJournal *journal;
        Snapshot *snapshot;
        History *history;          /* -M */
        HistorySource *history_source;
        usec_t history_told;       /* when its oldest sample was last looked at */
        Flight *flight;            /* NULL: it writes all the time, or some of its rings are overwrite rings */
        OutputFiles dumps;
        Handover *handover;        /* NULL: nobody keeps what we have */
        Takeover *takeover;        /* until it records; NULL: nobody left anything */
        SymbolKeeper *symbols; /* NULL: no file gets any */
        RingWatch *watch;
        EventCloser closer;
        char **cgroups;        /* names of -G, each once */
        CGroupWatch *cgroup_watch;
        CpuWatch *cpu_watch;   /* NULL: tasks are recorded, or changes can't be heard of */
        ControlPort *control;
        EnableTimer *enable_timer;
        Triggers *triggers;
        TriggerSources *sources; /* of triggers */
        int switch_timer;     /* --switch-output=TIME; -EBADF: none */
        bool command_started;
        bool has_data;        /* a ring asked to be read in this round of the loop */
        unsigned long wakeups; /* of the loop, when the last file was begun; and what was lost until then */
        uint64_t lost_before, throttled_before;
        LeftOutNotes left_out_notes;
        int signal;           /* that ended the recording: 0 none */
        char *end_reason;     /* of the last dump, a line for people; NULL: nobody said one */
} Recorder;

#define RECORDER_EMPTY { .command = COMMAND_EMPTY, .place = OUTPUT_PLACE_EMPTY, .flight_state_fd = -EBADF, .switch_timer = -EBADF }

/* Opens events, file and control, and starts the command. What is wrong was printed. The pointers in r are borrowed. */
int recorder_open(Recorder *r);
/* Opens events and triggers as recorder_open() does, prints what their rings take, KEY=VALUE a line, and writes no file. */
int recorder_try(Recorder *r);

int recorder_run(Recorder *r); /* until a signal, the control word, the command's or the threads' end */

/* Stops the events and finishes the file. */
int recorder_finish(Recorder *r);
void recorder_done(Recorder *r);

/* Pieces that recorder.c, recorder-files.c and recorder-handlers.c share. */
int recorder_enable(Recorder *r, const char *name, bool enable);
bool recorder_streams(const Recorder *r); /* some ring is read all the time, not only when a file is finished */
int recorder_drain(Recorder *r);
/* Marks where the samples end now, for the dump that follows: TriggersOptions.mark. */
int recorder_mark(Recorder *r);
/* Begins a dump up to the mark: TriggersOptions.dump. A flight recorder ends it from the loop; any other one within the call, which
 * finishes the file so far with a timestamp and goes on with a new one. */
int recorder_dump(Recorder *r, const DumpOrder *order);
/* Whether there is nothing to write until something happens: all samples stay in overwrite rings or in a history. */
bool recorder_wants_flight(const Recorder *r);
int recorder_open_flight(Recorder *r); /* after events and files; what is wrong was printed */
void recorder_close_flight(Recorder *r);
int recorder_dump_flight(Recorder *r, const DumpOrder *order);
int recorder_dump_flight_now(Recorder *r, const DumpOrder *order); /* as recorder_finish_part() */
/* A file made at once, waited for. -ENODATA: nobody asked for it, and it would have no sample. */
int recorder_finish_flight(Recorder *r, const DumpOrder *order, bool timestamp, FlightEnd *ret);
PreambleOptions recorder_preamble(Recorder *r);
/* recorder-handover.c: what went before and comes after this process. */
int recorder_open_handover(Recorder *r);
int recorder_take_over(Recorder *r, EventSet **ret); /* 1: the events of the recorder before, 0: there are none */
void recorder_hand_over(Recorder *r);                /* after a change of the set */
int recorder_dump_of_predecessor(Recorder *r);
int recorder_open_events(Recorder *r, EventSet **ret); /* what is wrong was printed */
int recorder_describe(Recorder *r);     /* the set, for the files */
int recorder_watch_rings(Recorder *r);
int recorder_watch_cgroups(Recorder *r); /* -G */
int recorder_watch_cpus(Recorder *r);    /* -a, -C */
int recorder_open_trigger_sources(Recorder *r, TriggerSources **ret);
/* Opens the events again and goes on with a new file; the one so far is a dump for that trigger. 1; 0: they can't be opened, or
 * the file can't be finished, and the recording goes on as it was. */
int recorder_reopen(Recorder *r, const char *trigger, const char *detail);
int recorder_finish_triggers(Recorder *r); /* those that still wait for their delay get what there is */
/* Finishes the file so far, for that order; of a stream it drains the rings. What went wrong was printed. */
int recorder_finish_part(Recorder *r, const DumpOrder *order);
/* How the samples' clock relates to the wall clock now, which all files of a session say. */
int recorder_relate_clock(Recorder *r, int64_t *ret_offset);
DumpOrder recorder_own_order(const Recorder *r, const char *trigger, const char *detail); /* nobody asked for it */
int recorder_begin_part(Recorder *r);
int recorder_add_handlers(Recorder *r); /* signals, timers */
int recorder_watch(Recorder *r);        /* rings, threads, the command */
int recorder_arm_switch_timer(Recorder *r);
int recorder_begin_delay(Recorder *r);  /* -D: events that are to be enabled later */
int recorder_handle_control(void *userdata, ControlWord word, const char *argument);

/* The history ring as the flight recorder's samples. */
int recorder_open_history(Recorder *r, const PerfDataEvent *events, size_t n_events, FlightSamples *ret);
int recorder_take_over_history(Recorder *r, EventSet *set); /* the one that goes with these events; -EBADMSG: it does not */
void recorder_close_history(Recorder *r);
int recorder_drain_history(Recorder *r);
