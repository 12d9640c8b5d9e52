/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A line begins with the thread that the record is about, where it says so, and otherwise with the one in its trailer. */

#include "script-records.h"

#include "record-text.h"

static unsigned records_kind_of(uint32_t type) {
        switch (type) {
        case PERF_RECORD_COMM:
        case PERF_RECORD_FORK:
        case PERF_RECORD_EXIT:
                return SCRIPT_RECORDS_TASKS;
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return SCRIPT_RECORDS_MAPS;
        case PERF_RECORD_SWITCH:
        case PERF_RECORD_SWITCH_CPU_WIDE:
                return SCRIPT_RECORDS_SWITCHES;
        case PERF_RECORD_NAMESPACES:
                return SCRIPT_RECORDS_NAMESPACES;
        case PERF_RECORD_CGROUP:
                return SCRIPT_RECORDS_CGROUPS;
        case PERF_RECORD_LOST:
                return SCRIPT_RECORDS_LOST;
        case PERF_RECORD_KSYMBOL:
        case PERF_RECORD_BPF_EVENT:
                return SCRIPT_RECORDS_BPF;
        case PERF_RECORD_TEXT_POKE:
                return SCRIPT_RECORDS_TEXT_POKE;
        case PERF_RECORD_FINISHED_ROUND:
                return SCRIPT_RECORDS_ROUNDS;
        default:
                return 0;
        }
}

static void records_find_thread(const Moment *r, uint32_t *ret_pid, uint32_t *ret_tid) {
        const PerfRecordTask *task = (const void *) r->record;
        const PerfRecordComm *comm = (const void *) r->record; /* others begin like it */

        *ret_pid = r->sample->pid;
        *ret_tid = r->sample->tid;
        switch (r->record->type) {
        case PERF_RECORD_FORK:
        case PERF_RECORD_EXIT:
                *ret_pid = task->pid;
                *ret_tid = task->tid;
                break;
        case PERF_RECORD_COMM:
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
        case PERF_RECORD_NAMESPACES:
                *ret_pid = comm->pid;
                *ret_tid = comm->tid;
                break;
        default:
                break;
        }
}

/* The kernel changes its own code: at a function, as far as that is known. */
static int put_text_poke(Replay *replay, const Moment *r, TextBuffer *out) {
        const PerfRecordTextPoke *poke = (const void *) r->record;
        NamedPlace named;
        uint32_t place;
        int q = replay_find_place(replay, r->sample->pid, PERF_RECORD_MISC_KERNEL, poke->address, &place);

        if (q >= 0)
                q = place_lookup_name(replay_names(replay), place, &named);
        if (q >= 0)
                record_text_put_poke(out, poke, named.symbol->name, named.place->address - named.symbol->start);
        return q;
}

bool script_records_want(unsigned wanted, const Moment *r) {
        return records_kind_of(r->record->type) & wanted;
}

int script_records_put(ScriptLines *lines, Replay *replay, const Moment *r, TextBuffer *out) {
        const char *comm;
        uint32_t pid, tid;
        int q;

        if (r->record->type == PERF_RECORD_FINISHED_ROUND) {
                text_buffer_puts(out, "PERF_RECORD_FINISHED_ROUND\n");
                return out->error;
        }
        records_find_thread(r, &pid, &tid);
        q = replay_name_thread(replay, pid, tid, &comm);
        if (q < 0)
                return q;
        script_lines_begin(lines, r->number, r->sample, comm, r->record->type, r->record->misc);
        if (r->record->type == PERF_RECORD_TEXT_POKE)
                q = put_text_poke(replay, r, out);
        else
                record_text_put(out, r->record);
        return q < 0 ? q : out->error;
}
