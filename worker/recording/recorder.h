/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/notify-fields.h>
#include "bpf-watch.h"
#include "cgroup-watch.h"
#include "command.h"
#include "control-port.h"
#include "cpu-watch.h"
#include "enable-timer.h"
#include "event-closer.h"
#include "options.h"
#include "preamble.h"
#include "recording.h"
#include "ring-watch.h"
#include "slice-watch.h"
#include "takeover.h"
#include "trigger-sources.h"

/* The cause of the recording's end. */
typedef struct RecorderEnd {
        int signal;   /* 0: none */
        char *reason; /* for the last dump, a line for people; NULL: none was given */
} RecorderEnd;

/* The files of uprobes, which updates of programs replace. */
typedef struct ProbeFiles {
        uint64_t seen;  /* what the paths led to at the last look; 0: to the files that are probed */
        uint64_t tried; /* what could not be probed, which the journal and the daemon have; 0: none */
} ProbeFiles;

/* Parts of the machine after whose change the events are opened again: recorder-reopen.c. */
typedef struct RecorderWatched {
        CGroupWatch *cgroups; /* NULL: no cgroup is recorded */
        SliceWatch *units;    /* NULL: units are not counted one by one */
        CpuWatch *cpus;       /* NULL: tasks are recorded, or CPUs can't be watched */
        ProbeFiles probes;
} RecorderWatched;

/* The BPF programs of the machine, which files have. */
typedef struct RecorderBpf {
        BpfCatalog *catalog;
        BpfWatch *watch;
} RecorderBpf;

/* Counters that others borrow: recorder-lending.c. */
typedef struct RecorderLending {
        Lendings all;
        unsigned returned; /* kinds of counters, a bit each, that are back and can't be had yet */
        int timer;         /* of the next try; -EBADF: none */
        usec_t delay;      /* … after this one */
        bool reported;     /* that they can't be had */
} RecorderLending;

/* Windows of the samples in memory that are still to be made, the oldest first: recorder-window.c. */
typedef struct RecorderWindow {
        char id[PR_TRIGGER_ID_MAX + 1];
        FlightWindowOrder order;
} RecorderWindow;

typedef struct RecorderWindows {
        RecorderWindow *all;
        size_t n;
} RecorderWindows;

/* A recorder: the events of one command line, and all that records them. */
struct Recorder {
        Options *options;
        char *const *command_line; /* ours, for the file's header */
        Notifier *notifier;
        Counters *counters;
        Loop *loop;
        Command command;
        EventSet *set;
        RecorderBpf bpf;
        OutputFiles files;
        Recording *recording;
        Handover *handover;        /* NULL: no daemon keeps the descriptors */
        Takeover *takeover;        /* until the dump of the previous recorder's samples is under way; NULL: none */
        RingWatch *watch;
        EventCloser closer;
        RecorderWatched watched;
        ControlPort *control;
        EnableTimer *enable_timer;
        Triggers *triggers;
        TriggerSources *sources;   /* of triggers */
        int switch_timer;          /* --switch-output=TIME; -EBADF: none */
        bool has_data;             /* a ring is to be read at the end of this turn of the loop */
        RecorderEnd end;
        RecorderLending lending;
        RecorderWindows windows;
};

#define RECORDER_EMPTY \
        { .command = COMMAND_EMPTY, .files = OUTPUT_FILES_EMPTY, .switch_timer = -EBADF, .lending.timer = -EBADF }

/* Opens events, file and control, and starts the command. Prints what fails. The pointers in r are borrowed. */
int recorder_open(Recorder *r);
/* Opens events and triggers as recorder_open() does, prints the size of their rings, a KEY=VALUE per line, and writes
 * no file. */
int recorder_try(Recorder *r);

int recorder_run(Recorder *r); /* until a signal, the control word stop, or the end of the command or the threads */

/* Stops the events and finishes the file. */
int recorder_finish(Recorder *r);
void recorder_done(Recorder *r);

/* Functions that the recorder-*.c and recording-*.c share. */
int recorder_enable(Recorder *r, const char *name, bool enable);
int recorder_drain(Recorder *r); /* 1: the recording is complete */
PreambleOptions recorder_preamble(Recorder *r);

int recorder_open_events(Recorder *r, EventSet **ret); /* prints what fails */
int recorder_describe(Recorder *r);                    /* describes the set, for the files */
int recorder_open_trigger_sources(Recorder *r, TriggerSources **ret);

/* Returns CLOCK_REALTIME minus the samples' clock, now, in ns, and notes it for the files of a session. */
int recorder_relate_clock(Recorder *r, int64_t *ret_offset);

/* recorder-handover.c: the previous recorder, and the successor. */
int recorder_open_handover(Recorder *r);
/* Takes over the events of the previous recorder, and its files: 1, or 0 if there are none. */
int recorder_take_over(Recorder *r, EventSet **ret, FlightMemory *ret_memory);
void recorder_hand_over(Recorder *r);                /* after a change of the set */
int recorder_dump_of_predecessor(Recorder *r);

/* recorder-lending.c: counters that others borrow. */
const Lendings *recorder_lendings(const Recorder *r); /* for the events; NULL: it lends nothing */
int recorder_read_lent(Recorder *r);                  /* what is lent now, as the daemon says; after a takeover */
int recorder_take_back_rest(Recorder *r);             /* what is no longer lent then */
int recorder_lend(Recorder *r, const char *argument);
int recorder_take_back(Recorder *r, const char *argument);
char *recorder_describe_lending(const Recorder *r);   /* with the state, as lines of a message; NULL: no memory */
const char *recorder_state(const Recorder *r);        /* for PR_NOTIFY_STATE */

/* recorder-window.c: windows for those who look at the samples while they are recorded, one after the other. */
int recorder_add_window(Recorder *r, const char *argument); /* of the word */
int recorder_make_window(Recorder *r);                      /* the next one, if no other work is under way */

/* Opens all events again, and goes on with a new file; the one so far is a dump for that trigger. Returns 1, or 0 if the events
 * can't be opened or the file can't be finished, which was reported. */
int recorder_reopen(Recorder *r, const char *trigger, const char *detail);

/* recorder-reopen.c: when these change, the events are opened again and a new file is begun. */
int recorder_watch_cgroups(Recorder *r); /* -G */
int recorder_watch_units(Recorder *r);   /* --for-each-unit */
int recorder_look_for_units(Recorder *r); /* … by now, as the watch does */
int recorder_watch_cpus(Recorder *r);    /* -a, -C */
int recorder_watch_probes(Recorder *r);  /* files of uprobes, of triggers too */

/* Lists the control groups of the units that match --for-each-unit, those that run first, and those that have been counted. -ESRCH:
 * there are none; -E2BIG: too many run. A new array. */
int recorder_list_units(const Recorder *r, char ***ret, Diagnosis *d);

/* recorder-handlers.c */
int recorder_open_triggers(Recorder *r);
int recorder_add_handlers(Recorder *r); /* signals, timers */
int recorder_watch_rings(Recorder *r);
int recorder_watch(Recorder *r);        /* rings, threads, the command */
int recorder_arm_switch_timer(Recorder *r);
int recorder_begin_delay(Recorder *r);  /* -D: events that are to be enabled later */
int recorder_handle_control(void *userdata, ControlWord word, const char *argument);
