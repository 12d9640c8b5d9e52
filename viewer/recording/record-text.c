/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The text of each kind is that of perf script (Linux 6.1). */

#include "record-text.h"

#include <inttypes.h>
#include <sys/mman.h>

#include "utf8.h"

#define PATH_BYTES_MAX ((size_t) 8192)
#define POKE_LINE_BYTES 16u

static const char *const names[] = {
        [PERF_RECORD_MMAP] = "MMAP",
        [PERF_RECORD_LOST] = "LOST",
        [PERF_RECORD_COMM] = "COMM",
        [PERF_RECORD_EXIT] = "EXIT",
        [PERF_RECORD_THROTTLE] = "THROTTLE",
        [PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
        [PERF_RECORD_FORK] = "FORK",
        [PERF_RECORD_READ] = "READ",
        [PERF_RECORD_SAMPLE] = "SAMPLE",
        [PERF_RECORD_MMAP2] = "MMAP2",
        [PERF_RECORD_AUX] = "AUX",
        [PERF_RECORD_ITRACE_START] = "ITRACE_START",
        [PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
        [PERF_RECORD_SWITCH] = "SWITCH",
        [PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
        [PERF_RECORD_NAMESPACES] = "NAMESPACES",
        [PERF_RECORD_KSYMBOL] = "KSYMBOL",
        [PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
        [PERF_RECORD_CGROUP] = "CGROUP",
        [PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
        [PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
        [RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
        [PERF_RECORD_HEADER_ATTR] = "ATTR",
        [PERF_RECORD_HEADER_EVENT_TYPE] = "EVENT_TYPE",
        [PERF_RECORD_HEADER_TRACING_DATA] = "TRACING_DATA",
        [PERF_RECORD_HEADER_BUILD_ID] = "BUILD_ID",
        [PERF_RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
        [PERF_RECORD_ID_INDEX] = "ID_INDEX",
        [PERF_RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
        [PERF_RECORD_AUXTRACE] = "AUXTRACE",
        [PERF_RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
        [PERF_RECORD_THREAD_MAP] = "THREAD_MAP",
        [PERF_RECORD_CPU_MAP] = "CPU_MAP",
        [PERF_RECORD_STAT_CONFIG] = "STAT_CONFIG",
        [PERF_RECORD_STAT] = "STAT",
        [PERF_RECORD_STAT_ROUND] = "STAT_ROUND",
        [PERF_RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
        [PERF_RECORD_TIME_CONV] = "TIME_CONV",
        [PERF_RECORD_HEADER_FEATURE] = "FEATURE",
        [PERF_RECORD_COMPRESSED] = "COMPRESSED",
        [PERF_RECORD_FINISHED_INIT] = "FINISHED_INIT",
        [PERF_RECORD_COMPRESSED2] = "COMPRESSED2",
        [PERF_RECORD_BPF_METADATA] = "BPF_METADATA",
};

const char *record_text_name(uint32_t type) {
        static_assert(ELEMENTSOF(names) == RECORD_TYPES, "");
        return type < RECORD_TYPES ? names[type] : NULL;
}

static void record_text_put_text(TextBuffer *out, const char *text) {
        _cleanup_free_ char *line = utf8_line(text, SIZE_MAX, PATH_BYTES_MAX);

        text_buffer_puts(out, line ?: "?");
        text_buffer_putc(out, '\n');
}

static void record_text_put_comm(TextBuffer *out, const PerfRecordComm *c) {
        _cleanup_free_ char *name = utf8_line(c->name, SIZE_MAX, PATH_BYTES_MAX);

        text_buffer_puts(out, c->header.misc & PERF_RECORD_MISC_COMM_EXEC ? "COMM exec: " : "COMM: ");
        text_buffer_puts(out, name ?: "?");
        text_buffer_format(out, ":%d/%d\n", (int) c->pid, (int) c->tid);
}

static void put_map(TextBuffer *out, const PerfRecordMmap *m) {
        text_buffer_format(out, "MMAP %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 "]: %c ", (int) m->pid, (int) m->tid,
                           m->start, m->length, m->page_offset, m->header.misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
        record_text_put_text(out, m->path);
}

static void put_map_with_file(TextBuffer *out, const PerfRecordMmap2 *m) {
        text_buffer_format(out, "MMAP2 %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 " ", (int) m->pid, (int) m->tid, m->start,
                           m->length, m->page_offset);
        if (m->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
                text_buffer_putc(out, '<');
                for (size_t i = 0; i < MIN_OF(m->build_id_size, PERF_BUILD_ID_SIZE); i++)
                        text_buffer_format(out, "%02x", m->build_id[i]);
                text_buffer_putc(out, '>');
        } else
                text_buffer_format(out, "%02x:%02x %" PRIu64 " %" PRIu64, m->major, m->minor, m->inode, m->inode_generation);
        text_buffer_format(out, "]: %c%c%c%c ", m->protection & PROT_READ ? 'r' : '-', m->protection & PROT_WRITE ? 'w' : '-',
                           m->protection & PROT_EXEC ? 'x' : '-', m->flags & MAP_SHARED ? 's' : 'p');
        record_text_put_text(out, m->path);
}

static void put_namespaces(TextBuffer *out, const PerfRecordNamespaces *n) {
        static const char *const kinds[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };

        text_buffer_format(out, "NAMESPACES %d/%d - nr_namespaces: %" PRIu64 "\n\t\t[", (int) n->pid, (int) n->tid, n->n);
        for (size_t i = 0; i < n->n; i++)
                text_buffer_format(out, "%s%zu/%s: %" PRIu64 "/%#" PRIx64 "%s", i > 0 && i % 4 == 0 ? "\n\t\t " : "", i,
                                   i < ELEMENTSOF(kinds) ? kinds[i] : "unknown", (uint64_t) n->links[i].dev,
                                   (uint64_t) n->links[i].ino, i + 1 < n->n ? ", " : "]\n");
}

static void put_switch(TextBuffer *out, const struct perf_event_header *h) {
        const PerfRecordSwitchCpuWide *s = (const void *) h;
        bool leaves = h->misc & PERF_RECORD_MISC_SWITCH_OUT, preempted = h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
        const char *direction = !leaves ? "IN         " : preempted ? "OUT preempt" : "OUT        ";

        if (h->type == PERF_RECORD_SWITCH)
                text_buffer_format(out, "SWITCH %s\n", direction);
        else
                text_buffer_format(out, "SWITCH_CPU_WIDE %s  %s pid/tid: %5d/%-5d\n", direction, leaves ? "next" : "prev",
                                   (int) s->pid, (int) s->tid);
}

static void put_kernel_symbol(TextBuffer *out, const PerfRecordKsymbol *k) {
        text_buffer_format(out, "KSYMBOL addr %" PRIx64 " len %u type %u flags 0x%x name ", k->address, k->length, k->type,
                           k->flags);
        record_text_put_text(out, k->name);
}

static void record_text_put_bytes(TextBuffer *out, const char *what, const uint8_t *bytes, size_t n) {
        for (size_t i = 0; i < n; i++) {
                if (i % POKE_LINE_BYTES == 0)
                        text_buffer_format(out, "            %s bytes:", what);
                text_buffer_format(out, " %02x", bytes[i]);
                if (i % POKE_LINE_BYTES == POKE_LINE_BYTES - 1 || i + 1 == n)
                        text_buffer_putc(out, '\n');
        }
}

void record_text_put_poke(TextBuffer *out, const PerfRecordTextPoke *poke, const char *symbol, uint64_t offset) {
        text_buffer_format(out, "PERF_RECORD_TEXT_POKE %" PRIx64 " ", poke->address);
        if (symbol) {
                text_buffer_puts(out, symbol);
                text_buffer_format(out, "+0x%" PRIx64, offset);
        }
        text_buffer_format(out, " old len %u new len %u\n", poke->old_length, poke->new_length);
        record_text_put_bytes(out, "Old", poke->bytes, poke->old_length);
        record_text_put_bytes(out, "New", poke->bytes + poke->old_length, poke->new_length);
}

bool record_text_put(TextBuffer *out, const struct perf_event_header *h) {
        const PerfRecordBpfEvent *bpf = (const void *) h;
        const PerfRecordCgroup *group = (const void *) h;
        const PerfRecordTask *task;

        text_buffer_puts(out, "PERF_RECORD_");
        switch (h->type) {
        case PERF_RECORD_FORK:
        case PERF_RECORD_EXIT:
                task = (const void *) h;
                text_buffer_format(out, "%s(%d:%d):(%d:%d)\n", h->type == PERF_RECORD_FORK ? "FORK" : "EXIT", (int) task->pid,
                                   (int) task->tid, (int) task->ppid, (int) task->ptid);
                return true;
        case PERF_RECORD_COMM:
                record_text_put_comm(out, (const void *) h);
                return true;
        case PERF_RECORD_MMAP:
                put_map(out, (const void *) h);
                return true;
        case PERF_RECORD_MMAP2:
                put_map_with_file(out, (const void *) h);
                return true;
        case PERF_RECORD_NAMESPACES:
                put_namespaces(out, (const void *) h);
                return true;
        case PERF_RECORD_CGROUP:
                text_buffer_format(out, "CGROUP cgroup: %" PRIu64 " ", group->id);
                record_text_put_text(out, group->path);
                return true;
        case PERF_RECORD_KSYMBOL:
                put_kernel_symbol(out, (const void *) h);
                return true;
        case PERF_RECORD_BPF_EVENT:
                text_buffer_format(out, "BPF_EVENT type %u, flags %u, id %u\n", bpf->type, bpf->flags, bpf->id);
                return true;
        case PERF_RECORD_LOST:
                text_buffer_format(out, "LOST lost %" PRIu64 "\n", ((const PerfRecordLost *) h)->lost);
                return true;
        case PERF_RECORD_SWITCH:
        case PERF_RECORD_SWITCH_CPU_WIDE:
                put_switch(out, h);
                return true;
        default:
                text_buffer_format(out, "%s\n", record_text_name(h->type) ?: "UNKNOWN");
                return false;
        }
}
