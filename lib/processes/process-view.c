/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The state of the machine's processes, record by record. Names are those of threads, as perf shows them: a thread has its
 * parent's until it sets one of its own. Ended threads are kept, since what was counted for them refers to them. A recording
 * may be read more than once: instances, and not numbers, are the same each time.
 *
 * Names of binaries are perf's: memory of no file, which has code that the process generated, is the file /tmp/perf-PID.map, and
 * a program of BPF is a binary of its own. As in perf, exec leaves the maps, until others are put over them: samples in execve(2)
 * itself have call chains that begin in the old program.
 *
 * A program that is executed, and a process that gets the number of one that has ended, has generated code of its own: the
 * binary of each has the number of the life as its generation. */

#include "process-view.h"

#include <time.h>

#include "array.h"
#include "map-record.h"
#include "utf8.h"

#define KERNEL_START_MAX ((uint64_t) 64 << 20) /* bytes behind the kernel's text in which the code of its start lies */

static void recording_done(ViewedRecording *r) {
        recorded_kernel_done(&r->kernel);
        free(r->programs);
}

void process_view_done(ProcessView *v) {
        free(v->threads);
        hash_index_done(&v->by_tid);
        byte_pool_done(&v->names);
        process_table_done(&v->processes);
        dso_table_done(&v->dsos);
        recording_done(&v->recording);
        for (size_t i = 0; i < v->n_earlier; i++)
                recording_done(v->earlier + i);
        free(v->earlier);
        *v = (ProcessView) {};
}

void process_view_restart(ProcessView *v) {
        hash_index_done(&v->by_tid);
        v->by_tid = (HashIndex) {};
        process_table_done(&v->processes);
        v->recording.n_programs = 0;
        v->jit_dumps = false;
        v->kernel_generation++;
}

int process_view_begin_recording(ProcessView *v, const PerfDataEvent *events, size_t n) {
        if (v->begun) {
                if (ARRAY_RESERVE_NEXT(v->earlier, v->n_earlier) < 0)
                        return -ENOMEM;
                v->recording.end_dso = v->dsos.n;
                v->earlier[v->n_earlier++] = v->recording;
                v->recording = (ViewedRecording) {};
                dso_table_forget(&v->dsos);
        }
        v->begun = true;
        v->build_ids = ANY_OF(n, i, events[i].attr.build_id);
        v->monotonic = n > 0 && !ANY_OF(n, i, !events[i].attr.use_clockid || events[i].attr.clockid != CLOCK_MONOTONIC ||
                                                      !(events[i].attr.sample_type & PERF_SAMPLE_TIME));
        process_view_restart(v);
        return 0;
}

size_t process_view_recording_of(const ProcessView *v, uint32_t dso) {
        size_t n = 0;

        while (n < v->n_earlier && dso >= v->earlier[n].end_dso)
                n++;
        return n;
}

static uint64_t view_hash_thread(const void *owner, uintptr_t entry) {
        const ProcessView *v = owner;

        return v->threads[entry - 1].tid;
}

static uintptr_t view_find_thread(const ProcessView *v, uint32_t tid) {
        return HASH_INDEX_FIND(&v->by_tid, tid, entry, v->threads[entry - 1].tid == tid);
}

static int view_add_thread(ProcessView *v, uint32_t pid, uint32_t tid, uint32_t name, uint32_t *ret) {
        uintptr_t before = view_find_thread(v, tid);
        const NamedThread *last;
        int r = 0;

        if (v->n_threads >= PROCESS_VIEW_THREADS_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE(v->threads, v->threads_allocated, v->n_threads + 1) < 0)
                return -ENOMEM;
        last = before > 0 ? v->threads + before - 1 : NULL;
        v->threads[v->n_threads] = (NamedThread) {
                .tid = tid, .pid = pid, .name = name, .instance = last ? last->instance + (last->pid == last->tid) : 0,
        };
        if (before > 0)
                hash_index_replace(&v->by_tid, tid, before, v->n_threads + 1);
        else
                r = hash_index_add(&v->by_tid, tid, v->n_threads + 1, view_hash_thread, v);
        if (r >= 0)
                *ret = (uint32_t) v->n_threads++;
        return r;
}

int process_view_thread(ProcessView *v, uint32_t pid, uint32_t tid, uint32_t *ret) {
        uintptr_t found = view_find_thread(v, tid);

        if (found == 0)
                return view_add_thread(v, pid, tid, 0, ret);
        *ret = (uint32_t) found - 1;
        return 0;
}

/* A name that was made of the thread's number is not inherited. */
static uint32_t view_inherit_name(const ProcessView *v, uintptr_t parent) {
        const NamedThread *n = parent > 0 ? v->threads + parent - 1 : NULL;
        char made[THREAD_NAME_SIZE];

        if (!n || n->name == 0)
                return 0;
        (void) snprintf(made, sizeof(made), ":%d", (int) n->tid);
        return streq(process_view_name(v, n->name), made) ? 0 : n->name;
}

static int view_intern_name(ProcessView *v, const char *text, uint32_t *ret) {
        char name[THREAD_NAME_SIZE];

        (void) utf8_line_to(name, sizeof(name), text);
        return byte_pool_intern(&v->names, name, strlen(name) + 1, ret);
}

static int view_put_map(ProcessView *v, Process *process, const Map *map) {
        int r = map_list_put(&process->maps, map);

        if (r < 0)
                return r;
        process->generation = ++v->generation;
        v->kernel_generation += process->pid == MAP_RECORD_KERNEL_PID;
        return process_table_note_maps(&v->processes, 1);
}

/* The names that perf takes for memory without a file that may have generated code. */
static bool is_generated(const char *path) {
        return startswith(path, "//anon") || startswith(path, "/dev/zero") || startswith(path, "/anon_hugepage");
}

/* A jitdump is mapped to show which file it is. */
static int view_take_map(ProcessView *v, const struct perf_event_header *record) {
        bool data = v->with_data && record->misc & PERF_RECORD_MISC_MMAP_DATA;
        char generated[32];
        Process *process;
        MapRecord m;
        Map map;
        int r;

        if (data ? !map_record_parse_data(record, v->build_ids, &m) : !map_record_parse(record, v->build_ids, &m))
                return 0;
        r = process_table_get(&v->processes, m.pid, &process);
        if (r < 0)
                return r;
        map = (Map) { .start = m.start, .end = m.start + m.length, .page_offset = m.page_offset };
        if (m.kernel || (data && !m.has_file && m.dso.inode == 0)) /* such places have the processor's addresses */
                map.page_offset = m.start;
        if (!data && !m.kernel && is_generated(m.dso.path)) {
                (void) snprintf(generated, sizeof(generated), "/tmp/perf-%u.map", m.pid);
                m.dso = (DsoHit) { .path = generated, .cpumode = PERF_RECORD_MISC_USER, .pid = m.pid,
                                   .generation = 1 + (uint64_t) process->life };
                map.page_offset = m.start;
        }
        r = dso_table_intern(&v->dsos, &m.dso, &map.object);
        if (r >= 0 && !data && m.kernel)
                r = recorded_kernel_take(&v->recording.kernel, &m, v->dsos.dsos[map.object].path);
        else if (r >= 0 && !data && map_record_is_jit_dump(m.dso.path)) {
                process->jit_dump = map.object + 1;
                v->jit_dumps = true;
        }
        return r < 0 ? r : view_put_map(v, process, &map);
}

static int view_take_kernel_symbol(ProcessView *v, const PerfRecordKsymbol *k) {
        const DsoHit dso = { .path = k->name, .cpumode = PERF_RECORD_MISC_KERNEL, .pid = MAP_RECORD_KERNEL_PID };
        ViewedRecording *recording = &v->recording;
        KernelProgram program = { .start = k->address, .length = k->length };
        Process *kernel;
        int r;

        if (!*k->name || k->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER || k->length == 0 || k->address > UINT64_MAX - k->length)
                return 0;
        if (recording->n_programs >= PROCESS_VIEW_PROGRAMS_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE(recording->programs, recording->programs_allocated, recording->n_programs + 1) < 0)
                return -ENOMEM;
        r = dso_table_intern(&v->dsos, &dso, &program.dso);
        if (r >= 0)
                r = process_table_get(&v->processes, MAP_RECORD_KERNEL_PID, &kernel);
        if (r < 0)
                return r;
        recording->programs[recording->n_programs++] = program;
        return view_put_map(v, kernel, &(Map) { .start = k->address, .end = k->address + k->length, .page_offset = k->address,
                                                .object = program.dso });
}

/* The first FORK of a process may follow maps of its own. */
static int view_take_fork(ProcessView *v, const PerfRecordTask *task) {
        Process *process = process_table_find(&v->processes, task->pid);
        const Process *parent;
        uint32_t thread;
        int r = 0, changed;

        if (!v->living_only)
                r = view_add_thread(v, task->pid, task->tid, view_inherit_name(v, view_find_thread(v, task->ptid)), &thread);
        if (r == -ENOMEM)
                return r;
        if (process && process->begun && fork_is_of_process(task))
                process->life++;
        changed = process_table_fork(&v->processes, task);
        if (changed < 0 || !fork_is_of_process(task))
                return changed;
        process = process_table_find(&v->processes, task->pid);
        parent = process_table_find(&v->processes, task->ppid);
        if (changed > 0)
                process->generation = changed == 1 ? parent->generation : ++v->generation;
        process->jit_dump = parent ? parent->jit_dump : 0;
        return 0;
}

static int view_take_comm(ProcessView *v, const PerfRecordComm *comm) {
        Process *process = record_is_exec(&comm->header) ? process_table_find(&v->processes, comm->pid) : NULL;
        uint32_t number, name;
        int r;

        if (process) {
                process_threads_exec(&process->threads);
                process->life++;
                process->jit_dump = 0;
        }
        if (v->living_only)
                return 0;
        r = process_view_thread(v, comm->pid, comm->tid, &number);
        if (r >= 0)
                r = view_intern_name(v, comm->name, &name);
        if (r >= 0)
                v->threads[number].name = name;
        return r;
}

/* A reader keeps processes that exited, since samples of other CPUs may follow, and the number of lives counts on. */
static int view_take(ProcessView *v, const struct perf_event_header *record) {
        switch (record->type) {
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return view_take_map(v, record);
        case PERF_RECORD_KSYMBOL:
                return view_take_kernel_symbol(v, (const void *) record);
        case PERF_RECORD_FORK:
                return view_take_fork(v, (const void *) record);
        case PERF_RECORD_COMM:
                return view_take_comm(v, (const void *) record);
        case PERF_RECORD_EXIT:
                if (v->living_only || v->forgets_exited)
                        process_table_exit(&v->processes, (const void *) record);
                return 0;
        case PERF_RECORD_FINISHED_ROUND:
                if (v->living_only || v->forgets_exited)
                        process_table_finish_round(&v->processes);
                return 0;
        default:
                return 0;
        }
}

int process_view_take(ProcessView *v, const struct perf_event_header *record) {
        int r = view_take(v, record);

        return r == -ENOMEM ? r : 0;
}

/* The kernel's map ends where its text does. The code with which it starts lies behind its data: all idle tasks have that as
 * callers. */
const Map *process_view_find_map(ProcessView *v, uint32_t pid, uint16_t cpumode, uint64_t address) {
        bool kernel = cpumode == PERF_RECORD_MISC_KERNEL;
        const Process *process;
        const Map *found, *before;

        if (!kernel && cpumode != PERF_RECORD_MISC_USER)
                return NULL;
        process = process_table_find(&v->processes, kernel ? MAP_RECORD_KERNEL_PID : pid);
        found = process ? map_list_find(&process->maps, address) : NULL;
        if (found || !process || !kernel)
                return found;
        before = map_list_before(&process->maps, address);
        return before && address - before->end < KERNEL_START_MAX &&
                               streq(v->dsos.dsos[before->object].path, "[kernel.kallsyms]") ?
                       before : NULL;
}

uint32_t process_view_name_of_tid(const ProcessView *v, uint32_t tid) {
        uintptr_t found = view_find_thread(v, tid);

        return found > 0 ? v->threads[found - 1].name : 0;
}

uint32_t process_view_name_of_process(const ProcessView *v, const NamedThread *thread) {
        uintptr_t found = view_find_thread(v, thread->pid);
        const NamedThread *leader = found > 0 ? v->threads + found - 1 : NULL;

        return leader && leader->pid == thread->pid ? leader->name : 0;
}

int process_view_name_thread(ProcessView *v, uint32_t thread, uint32_t *ret) {
        NamedThread *n = v->threads + thread;
        char name[THREAD_NAME_SIZE];
        int r = 0;

        if (n->name == 0) {
                (void) snprintf(name, sizeof(name), n->tid == 0 ? "swapper" : ":%d", (int) n->tid);
                r = view_intern_name(v, name, &n->name);
        }
        if (r >= 0)
                *ret = n->name;
        return r;
}
