/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A process whose begin was seen has reported its maps, and one that was there before has them read from /proc at its first
 * sample: what it reported until then is among these.
 *
 * Invariant: a number of the table, of a place or a name, is valid as long as the table, which names and code are replaced with. */

#include "top-samples.h"

#include "array.h"
#include "record.h"
#include "sample.h"
#include "thread-name.h"

#define BOUND_AFTER 65536u                     /* samples */
#define CHAINS_BYTES_MAX ((size_t) 16 << 20) /* of recorded chains, of slices */

static void samples_forget_table(TopSamples *s) {
        place_names_done(&s->names);
        s->code = running_code_free(s->code);
        s->table = sample_table_free(s->table);
        recorded_chains_clear(&s->chains);
}

void top_samples_done(TopSamples *s) {
        samples_forget_table(s);
        recorded_chains_done(&s->chains);
        cgroup_paths_done(&s->groups);
        free(s->events);
}

static int samples_begin_table(TopSamples *s) {
        const SymbolSources sources = { .root = "", .living = true };
        SampleTablePlan plan = { .dimensions = s->with_chains ? 0 : SAMPLE_WITHOUT_CHAIN, .by_file = true };
        int r;

        for (size_t i = 0; i < s->options->keys.n; i++)
                plan.dimensions |= s->options->keys.all[i]->dimensions;
        if (s->all_keys)
                plan.dimensions |= SAMPLE_BY_THREAD | SAMPLE_BY_CPU | SAMPLE_BY_CGROUP;
        if (s->options->session) {
                plan.dimensions |= SAMPLE_BY_TIME;
                plan.slice = TOP_SLICE_NSEC;
        }
        r = sample_table_new(&plan, &s->table);
        if (r >= 0)
                r = sample_table_begin_live(s->table, s->events, s->n_events, &s->chains, &s->machine);
        if (r < 0)
                return r;
        s->renewed = true;
        s->n_tables++;
        s->machine->processes.forgets_exited = true;
        return running_code_new(&s->machine->processes, &sources, &s->code);
}

int top_samples_init(TopSamples *s, const TopOptions *options, bool all_keys, const SetMember *members, size_t n) {
        *s = (TopSamples) { .options = options, .all_keys = all_keys, .zero = options->zero, .memory_max = TOP_MEMORY_MAX };
        recorded_chains_init(&s->chains);
        s->events = calloc(n + 1, sizeof(*s->events));
        if (!s->events)
                return -ENOMEM;
        s->with_chains = options->call_graph || (all_keys && n > 0 && members->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
        for (; s->n_events < n; s->n_events++)
                s->events[s->n_events] = (PerfDataEvent) { .attr = members[s->n_events].attr, .name = members[s->n_events].name };
        return samples_begin_table(s);
}

/* Tasks that had released their pid while they exited have none. */
static bool samples_have_process(uint32_t pid) {
        return pid != 0 && pid != UINT32_MAX;
}

static int samples_know_process(TopSamples *s, uint32_t pid) {
        Process *process;
        int r = process_table_get(&s->machine->processes.processes, pid, &process);

        if (r < 0)
                return r == -ENOSPC ? 0 : r;
        if (process->known)
                return 0;
        process->known = true;
        return running_code_read_maps(s->code, pid);
}

/* Finds the thread of a sample, and its name, which one that was there before has not reported. */
static int samples_name_thread(TopSamples *s, const PerfSample *sample, Moment *m) {
        ProcessView *view = &s->machine->processes;
        bool named = s->all_keys || top_options_have_key(s->options, REPORT_COMM) || top_options_have_key(s->options, REPORT_PID) ||
                     s->options->only.comms;
        int r = process_view_thread(view, sample->pid, sample->tid, &m->thread);

        if (r < 0 || !named)
                return r;
        if (view->threads[m->thread].name == 0 && samples_have_process(sample->tid)) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                char name[THREAD_NAME_SIZE];

                thread_name_read(sample->tid, name, sizeof(name));
                r = *name ? record_put_comm(&b, sample->pid, sample->tid, name, 0, NULL) : 0;
                if (r >= 0 && *name)
                        r = process_view_take(view, (const void *) b.data);
        }
        return r < 0 ? r : process_view_name_thread(view, m->thread, &m->name);
}

/* Finds the control group of a sample, whose path is looked for once. */
static int samples_find_group(TopSamples *s, const PerfSample *sample, Moment *m) {
        CgroupNames *names = &s->machine->cgroups;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const char *path;
        int r = cgroup_names_get(names, sample->cgroup, &m->cgroup);

        if (r < 0 || m->cgroup == 0 || names->groups[m->cgroup - 1].path > 0)
                return r;
        r = cgroup_paths_get(&s->groups, sample->cgroup, &path);
        if (r >= 0)
                r = record_put_cgroup(&b, sample->cgroup, path, NULL);
        return r < 0 ? r : cgroup_names_take(names, (const void *) b.data);
}

/* Keeps the memory of slices bounded: a table that is too large has the older half of its time no longer, and if that does not
 * help, since names and places are too many, nothing at all. */
static int samples_bound_slices(TopSamples *s) {
        uint64_t oldest = UINT64_MAX, newest = 0;
        const SampleRow *rows;
        size_t n;
        int r;

        s->n_bounded = 0;
        if (sample_table_memory(s->table) <= s->memory_max)
                return 0;
        rows = sample_table_rows(s->table, &n);
        for (size_t i = 0; i < n; i++) {
                oldest = MIN_OF(oldest, rows[i].slice);
                newest = MAX_OF(newest, rows[i].slice);
        }
        r = n > 0 ? sample_table_forget(s->table, oldest + (newest - oldest) / 2 + 1) : 0;
        if (r >= 0 && sample_table_memory(s->table) <= s->memory_max) {
                recorded_chains_clear(&s->chains);
                return 0;
        }
        samples_forget_table(s);
        return r < 0 ? r : samples_begin_table(s);
}

static int samples_take_sample(TopSamples *s, const struct perf_event_header *record, const struct perf_event_attr *attr,
                               size_t event) {
        PerfSample sample;
        Moment m = { .record = record, .event = s->events + event, .number = event, .sample = &sample, .end = UNWIND_END_MAX };
        bool kernel = (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
        int r = 0;

        if (sample_parse(attr, record, &sample) < 0)
                return 0;
        if (s->options->session) { /* events that are opened here are those of the target already */
                const Target *t = &s->options->target;

                if ((t->n_pids > 0 && !ANY_OF(t->n_pids, i, t->pids[i] == (pid_t) sample.pid)) ||
                    (t->n_tids > 0 && !ANY_OF(t->n_tids, i, t->tids[i] == (pid_t) sample.tid)) ||
                    (t->n_cpus > 0 && !ANY_OF(t->n_cpus, i, t->cpus[i] == (int) sample.cpu)))
                        return 0;
        }
        s->window.samples++;
        s->window.kernel += kernel;
        s->window.exact += (record->misc & PERF_RECORD_MISC_EXACT_IP) != 0;
        if (kernel ? s->options->hide_kernel : s->options->hide_user)
                return 0;
        if (s->options->session && ++s->n_bounded >= BOUND_AFTER)
                r = samples_bound_slices(s);
        if (r < 0)
                return r;
        if (!(attr->sample_type & PERF_SAMPLE_PERIOD))
                sample.period = attr->sample_period;
        m.time = sample.time;
        if (samples_have_process(sample.pid) && (!kernel || s->with_chains))
                r = samples_know_process(s, sample.pid);
        if (r >= 0)
                r = samples_name_thread(s, &sample, &m);
        if (r >= 0 && attr->sample_type & PERF_SAMPLE_CGROUP)
                r = samples_find_group(s, &sample, &m);
        if (r >= 0 && sample.n_callchain > 0 && s->with_chains && recorded_chains_has_room(&s->chains))
                r = recorded_chains_intern(&s->chains, sample.callchain, sample.n_callchain, &m.chain);
        if (r < 0)
                return r;
        m.maps = code_places_generation(&s->machine->places, sample.pid);
        m.kernel_maps = s->machine->processes.kernel_generation;
        return sample_table_count(s->table, &m, NULL, &(uint32_t) { 0 });
}

/* A process that executes a program, or begins as a copy of one whose maps are known, has reported all of its own. Since the copy
 * may be gone before it can be looked at, those of its parent are read. */
static int samples_follow(TopSamples *s, const struct perf_event_header *record) {
        ProcessTable *processes = &s->machine->processes.processes;
        const PerfRecordComm *comm = (const void *) record;
        const PerfRecordTask *task = (const void *) record;
        uint32_t pid = comm->pid; /* that of a MMAP is at the same place */
        Process *process = NULL;
        const Process *parent;
        int r;

        if ((record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2) && pid != MAP_RECORD_KERNEL_PID) {
                process = process_table_find(processes, pid);
                if (!process || !process->known)
                        return 0;
        }
        if (record->type == PERF_RECORD_COMM && record->misc & PERF_RECORD_MISC_COMM_EXEC && samples_have_process(pid)) {
                r = process_table_get(processes, pid, &process);
                if (r < 0)
                        return r == -ENOSPC ? 0 : r;
                process->known = true;
        }
        if (record->type == PERF_RECORD_FORK && record->misc & PERF_RECORD_MISC_FORK_EXEC) {
                /* made, not the kernel's: all that the process has follows */
                r = process_view_take(&s->machine->processes, record);
                process = process_table_find(processes, task->pid);
                if (process)
                        process->known = true;
                return r;
        }
        if (record->type != PERF_RECORD_FORK || task->pid == task->ppid)
                return process_view_take(&s->machine->processes, record);
        r = samples_have_process(task->ppid) ? samples_know_process(s, task->ppid) : 0;
        if (r >= 0)
                r = process_view_take(&s->machine->processes, record);
        process = process_table_find(processes, task->pid);
        parent = process_table_find(processes, task->ppid);
        if (process)
                process->known = parent && parent->known && parent->maps.n > 0;
        return r;
}

int top_samples_take(TopSamples *s, const struct perf_event_header *record, const struct perf_event_attr *attr, size_t event) {
        uint64_t lost = 0;

        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                return samples_take_sample(s, record, attr, event);
        case PERF_RECORD_LOST:
                lost = ((const PerfRecordLost *) record)->lost;
                break;
        case PERF_RECORD_LOST_SAMPLES:
                lost = ((const PerfRecordLostSamples *) record)->lost;
                break;
        case PERF_RECORD_FINISHED_ROUND:
                return process_view_take(&s->machine->processes, record);
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
        case PERF_RECORD_COMM:
        case PERF_RECORD_FORK:
        case PERF_RECORD_EXIT:
        case PERF_RECORD_KSYMBOL:
                return samples_follow(s, record);
        default:
                return 0;
        }
        s->window.lost += lost;
        s->lost += lost;
        return 0;
}

int top_samples_name(TopSamples *s) {
        return place_names_update(&s->names, &s->machine->places, running_code_symbols(s->code));
}

int top_samples_next_window(TopSamples *s) {
        int r = 0;

        s->window = (TopWindow) {};
        if (s->options->session) {
                r = samples_bound_slices(s);
                if (r >= 0 && s->chains.pool.block_bytes > CHAINS_BYTES_MAX) {
                        r = sample_table_forget(s->table, 0); /* no number of a recorded chain is in use then */
                        recorded_chains_clear(&s->chains);
                }
                return r;
        }
        if (sample_table_memory(s->table) > s->memory_max) {
                samples_forget_table(s);
                return samples_begin_table(s);
        }
        r = sample_table_decay(s->table, s->zero ? 0 : 7);
        recorded_chains_clear(&s->chains);
        return r;
}
