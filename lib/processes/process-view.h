/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "dso-table.h"
#include "process-table.h"
#include "recorded-kernel.h"

/* The threads and processes that live at the moment of the record that was read last, and what they have mapped. A thread id
 * that is given again is another thread. */
typedef struct NamedThread {
        uint32_t tid, pid;
        uint32_t name; /* a number of names, whose blocks are lines of UTF-8 and end in a zero byte; 0: not known */
        uint32_t instance; /* the number of processes that had this id before */
} NamedThread;

#define PROCESS_VIEW_THREADS_MAX (4u << 20)
#define PROCESS_VIEW_PROGRAMS_MAX (1u << 20)
#define THREAD_NAME_SIZE 64u /* bytes, with the zero; longer names are cut */

/* A program of BPF or the like, whose binary has its name. */
typedef struct KernelProgram {
        uint64_t start, length;
        uint32_t dso;
} KernelProgram;

/* Binaries and programs are a recording's own, since equal paths and addresses may be other code in another one. */
typedef struct ViewedRecording {
        size_t end_dso; /* its binaries are those up to there, from the end of the recording before it on */
        RecordedKernel kernel; /* out of the maps so far */
        KernelProgram *programs;
        size_t n_programs, programs_allocated;
} ViewedRecording;

/* Zero-initialise. A process of the table has as generation a number that changes with its maps, as life the number of programs
 * and processes that had its id before, and as jit_dump the number + 1 of the binary that is its jitdump, or 0. */
typedef struct ProcessView {
        bool living_only; /* set before the first record: threads have no names, and processes that exited are forgotten */
        bool forgets_exited; /* likewise, and threads have names */
        bool with_data;   /* maps of data count, too */
        NamedThread *threads;
        size_t n_threads, threads_allocated;
        HashIndex by_tid; /* of the newest thread of each id: number + 1 */
        BytePool names;
        ProcessTable processes; /* MAP_RECORD_KERNEL_PID is the kernel; maps have the number of their binary as object */
        DsoTable dsos;
        uint32_t generation;    /* of the maps that changed last */
        uint32_t kernel_generation; /* changes with the kernel's maps */
        bool jit_dumps;         /* a process has one */
        bool begun, build_ids;  /* a recording; its events ask the kernel for build ids */
        bool monotonic;         /* its samples have the time of CLOCK_MONOTONIC */
        ViewedRecording recording, *earlier; /* the newest one, and those before it */
        size_t n_earlier;
} ProcessView;

void process_view_done(ProcessView *v);

/* Begins another recording. Numbers of threads, names and binaries stay valid. 0, -ENOMEM. */
int process_view_begin_recording(ProcessView *v, const PerfDataEvent *events, size_t n);
/* Forgets who lives, as the recording is read from its beginning again. */
void process_view_restart(ProcessView *v);

/* Follows a whole record: MMAP, MMAP2, KSYMBOL, FORK, COMM, EXIT; of FINISHED_ROUND, the header is enough. What is beyond the
 * limits of a table is left out. 0 or -ENOMEM. */
int process_view_take(ProcessView *v, const struct perf_event_header *record);

/* Finds or adds the thread with that id. -ENOSPC beyond PROCESS_VIEW_THREADS_MAX, -ENOMEM. */
int process_view_thread(ProcessView *v, uint32_t pid, uint32_t tid, uint32_t *ret);

/* Returns the number of the thread's name; one without has that of ":TID", as in perf, or "swapper". */
int process_view_name_thread(ProcessView *v, uint32_t thread, uint32_t *ret);

/* Returns the last name of the newest thread with that id; 0: not known. */
uint32_t process_view_name_of_tid(const ProcessView *v, uint32_t tid);

/* Returns the name of the thread's process, that of its main thread as it was last; 0: not known. */
uint32_t process_view_name_of_process(const ProcessView *v, const NamedThread *thread);

static inline const char *process_view_name(const ProcessView *v, uint32_t name) {
        return (const char *) byte_pool_get(&v->names, name)->data;
}

/* Finds the map of an address in the kernel or a process. cpumode: PERF_RECORD_MISC_…; NULL: not mapped, as guests always are. */
const Map *process_view_find_map(ProcessView *v, uint32_t pid, uint16_t cpumode, uint64_t address);

/* Returns the number of the recording that a binary is of, from 0 on, and the recording of a number. */
size_t process_view_recording_of(const ProcessView *v, uint32_t dso);

static inline const ViewedRecording *process_view_recording(const ProcessView *v, size_t number) {
        return number < v->n_earlier ? v->earlier + number : &v->recording;
}
