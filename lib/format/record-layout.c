/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The only check of the length of side-band records. Records are hostile input: a file may be forged, and a record in
 * a ring may have been overwritten. */

#include "record-layout.h"

static const uint8_t fixed_sizes[] = {
        [PERF_RECORD_MMAP] = sizeof(PerfRecordMmap),
        [PERF_RECORD_LOST] = sizeof(PerfRecordLost),
        [PERF_RECORD_COMM] = sizeof(PerfRecordComm),
        [PERF_RECORD_EXIT] = sizeof(PerfRecordTask),
        [PERF_RECORD_THROTTLE] = sizeof(PerfRecordThrottle),
        [PERF_RECORD_UNTHROTTLE] = sizeof(PerfRecordThrottle),
        [PERF_RECORD_FORK] = sizeof(PerfRecordTask),
        [PERF_RECORD_MMAP2] = sizeof(PerfRecordMmap2),
        [PERF_RECORD_LOST_SAMPLES] = sizeof(PerfRecordLostSamples),
        [PERF_RECORD_SWITCH] = sizeof(struct perf_event_header),
        [PERF_RECORD_SWITCH_CPU_WIDE] = sizeof(PerfRecordSwitchCpuWide),
        [PERF_RECORD_NAMESPACES] = sizeof(PerfRecordNamespaces),
        [PERF_RECORD_KSYMBOL] = sizeof(PerfRecordKsymbol),
        [PERF_RECORD_BPF_EVENT] = sizeof(PerfRecordBpfEvent),
        [PERF_RECORD_CGROUP] = sizeof(PerfRecordCgroup),
        [PERF_RECORD_TEXT_POKE] = sizeof(PerfRecordTextPoke),
        [RECORD_CALLCHAIN_DEFERRED] = sizeof(PerfRecordDeferred),
        [PERF_RECORD_THREAD_MAP] = sizeof(PerfRecordThreadMap),
        [PERF_RECORD_STAT_CONFIG] = sizeof(PerfRecordStatConfig),
        [PERF_RECORD_STAT] = sizeof(PerfRecordStat),
        [PERF_RECORD_STAT_ROUND] = sizeof(PerfRecordStatRound),
        [PERF_RECORD_EVENT_UPDATE] = sizeof(PerfRecordEventUpdate),
};

static bool text_ends(const char *text, size_t room) {
        return memchr(text, 0, room) != NULL;
}

static bool is_range(uint64_t start, uint64_t length) {
        return length > 0 && start + length > start;
}

/* rest: bytes behind the fixed part. */
static bool rest_is_whole(const struct perf_event_header *record, size_t rest) {
        const PerfRecordMmap *mmap = (const void *) record;
        const PerfRecordMmap2 *mmap2 = (const void *) record;
        const PerfRecordTextPoke *poke = (const void *) record;

        switch (record->type) {
        case PERF_RECORD_MMAP:
                return is_range(mmap->start, mmap->length) && text_ends(mmap->path, rest);
        case PERF_RECORD_MMAP2:
                return is_range(mmap2->start, mmap2->length) && text_ends(mmap2->path, rest);
        case PERF_RECORD_COMM:
                return text_ends(((const PerfRecordComm *) record)->name, rest);
        case PERF_RECORD_KSYMBOL:
                return text_ends(((const PerfRecordKsymbol *) record)->name, rest);
        case PERF_RECORD_CGROUP:
                return text_ends(((const PerfRecordCgroup *) record)->path, rest);
        case PERF_RECORD_NAMESPACES:
                return ((const PerfRecordNamespaces *) record)->n <= rest / sizeof(struct perf_ns_link_info);
        case PERF_RECORD_TEXT_POKE:
                return (size_t) poke->old_length + poke->new_length <= rest;
        case RECORD_CALLCHAIN_DEFERRED:
                return ((const PerfRecordDeferred *) record)->n <= rest / sizeof(uint64_t);
        case PERF_RECORD_THREAD_MAP:
                return ((const PerfRecordThreadMap *) record)->n <= rest / sizeof(((PerfRecordThreadMap *) NULL)->threads[0]);
        case PERF_RECORD_STAT_CONFIG:
                return ((const PerfRecordStatConfig *) record)->n <= rest / sizeof(((PerfRecordStatConfig *) NULL)->values[0]);
        default:
                return true;
        }
}

static size_t fixed_size(uint32_t type) {
        return type < ELEMENTSOF(fixed_sizes) ? fixed_sizes[type] : 0;
}

bool record_lacks_fields(const struct perf_event_header *record) {
        return fixed_size(record->type) > 0 && !record_is_whole(record, 0);
}

bool record_is_whole(const struct perf_event_header *record, size_t trailer_size) {
        size_t fixed = fixed_size(record->type);

        if (fixed == 0 || record->size % sizeof(uint64_t) != 0)
                return false;
        return record->size >= fixed + trailer_size && rest_is_whole(record, record->size - fixed - trailer_size);
}
