/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <assert.h>
#include "cleanup.h"
#include "format.h"

/* The kernel's records of the side band, as the comments of enum perf_event_type in linux/perf_event.h have them, and perf's
 * records of counts.
 * record-trailer.h has the trailer that attr.sample_id_all adds; fields with [] have a variable length. A record that
 * comes from a file or a ring has these fields only if record_is_whole() returns true. */
#define PERF_RECORD_PACKED __attribute__((packed, aligned(4))) /* as a header is, and 20 bytes of a TEXT_POKE are */

typedef struct PERF_RECORD_PACKED PerfRecordMmap {
        struct perf_event_header header;
        uint32_t pid, tid;
        uint64_t start, length, page_offset;
        char path[];
} PerfRecordMmap;

typedef struct PERF_RECORD_PACKED PerfRecordMmap2 {
        struct perf_event_header header;
        uint32_t pid, tid;
        uint64_t start, length, page_offset;
        union {
                struct {
                        uint32_t major, minor;
                        uint64_t inode, inode_generation;
                };
                struct { /* with PERF_RECORD_MISC_MMAP_BUILD_ID */
                        uint8_t build_id_size, reserved[3];
                        uint8_t build_id[PERF_BUILD_ID_SIZE];
                };
        };
        uint32_t protection, flags;
        char path[];
} PerfRecordMmap2;

typedef struct PERF_RECORD_PACKED PerfRecordComm {
        struct perf_event_header header;
        uint32_t pid, tid;
        char name[];
} PerfRecordComm;

/* FORK and EXIT. */
typedef struct PERF_RECORD_PACKED PerfRecordTask {
        struct perf_event_header header;
        uint32_t pid, ppid, tid, ptid;
        uint64_t time;
} PerfRecordTask;

typedef struct PERF_RECORD_PACKED PerfRecordNamespaces {
        struct perf_event_header header;
        uint32_t pid, tid;
        uint64_t n;
        struct perf_ns_link_info links[];
} PerfRecordNamespaces;

typedef struct PERF_RECORD_PACKED PerfRecordKsymbol {
        struct perf_event_header header;
        uint64_t address;
        uint32_t length;
        uint16_t type, flags;
        char name[];
} PerfRecordKsymbol;

typedef struct PERF_RECORD_PACKED PerfRecordBpfEvent {
        struct perf_event_header header;
        uint16_t type, flags;
        uint32_t id;
        uint8_t tag[8];
} PerfRecordBpfEvent;

typedef struct PERF_RECORD_PACKED PerfRecordCgroup {
        struct perf_event_header header;
        uint64_t id;
        char path[];
} PerfRecordCgroup;

typedef struct PERF_RECORD_PACKED PerfRecordTextPoke {
        struct perf_event_header header;
        uint64_t address;
        uint16_t old_length, new_length;
        uint8_t bytes[]; /* of before, then of after */
} PerfRecordTextPoke;

typedef struct PERF_RECORD_PACKED PerfRecordLost {
        struct perf_event_header header;
        uint64_t id, lost;
} PerfRecordLost;

typedef struct PERF_RECORD_PACKED PerfRecordLostSamples {
        struct perf_event_header header;
        uint64_t lost;
} PerfRecordLostSamples;

/* THROTTLE and UNTHROTTLE. */
typedef struct PERF_RECORD_PACKED PerfRecordThrottle {
        struct perf_event_header header;
        uint64_t time, id, stream_id;
} PerfRecordThrottle;

/* SWITCH has no fields. */
typedef struct PERF_RECORD_PACKED PerfRecordSwitchCpuWide {
        struct perf_event_header header;
        uint32_t pid, tid; /* of the next or the previous one */
} PerfRecordSwitchCpuWide;

/* CALLCHAIN_DEFERRED: the user part of call chains that end in CONTEXT_USER_DEFERRED and that cookie; n words follow. Their names
 * are those of linux/perf_event.h since 6.19. */
typedef struct PERF_RECORD_PACKED PerfRecordDeferred {
        struct perf_event_header header;
        uint64_t cookie, n;
} PerfRecordDeferred;

/* perf's own records of counts, and of the events, CPUs and threads that they are of. Layouts: struct perf_record_stat and its
 * neighbours in tools/lib/perf/include/perf/event.h of Linux 6.1, and files of perf stat record. */
typedef struct PERF_RECORD_PACKED PerfRecordThreadMap {
        struct perf_event_header header;
        uint64_t n;
        struct {
                int64_t tid;   /* -1: every thread of the CPUs */
                char comm[16]; /* ends with a zero, or may be empty */
        } threads[];
} PerfRecordThreadMap;

/* Lists of CPUs, which are the body of a CPU_MAP, and of an EVENT_UPDATE about CPUs behind its id. */
typedef enum CpuMapKind {
        CPU_MAP_LIST = 0,  /* n numbers of 16 bits, of which 65535 is any CPU */
        CPU_MAP_MASK = 1,  /* n words of 32 or 64 bits */
        CPU_MAP_RANGE = 2, /* since 6.1: a flag for any CPU, the first and the last one */
} CpuMapKind;

typedef struct PERF_RECORD_PACKED PerfRecordCpuMap {
        struct perf_event_header header;
        uint8_t map[];
} PerfRecordCpuMap;

typedef enum StatConfigTag {
        STAT_CONFIG_PLACING = 0,  /* perf's aggr_mode */
        STAT_CONFIG_INTERVAL = 1, /* ms; 0: none */
        STAT_CONFIG_SCALE = 2,
} StatConfigTag;

typedef struct PERF_RECORD_PACKED PerfRecordStatConfig {
        struct perf_event_header header;
        uint64_t n;
        struct {
                uint64_t tag, value;
        } values[];
} PerfRecordStatConfig;

/* The count of an event on a CPU, for a thread, since the beginning. */
typedef struct PERF_RECORD_PACKED PerfRecordStat {
        struct perf_event_header header;
        uint64_t id;
        int32_t cpu;     /* -1: any */
        uint32_t thread; /* its number in the THREAD_MAP */
        uint64_t value, enabled, running;
} PerfRecordStat;

typedef enum StatRoundKind {
        STAT_ROUND_INTERVAL = 0,
        STAT_ROUND_FINAL = 1,
} StatRoundKind;

/* The STAT records before it are what was counted up to that time. */
typedef struct PERF_RECORD_PACKED PerfRecordStatRound {
        struct perf_event_header header;
        uint64_t kind, time; /* ns from the beginning */
} PerfRecordStatRound;

typedef enum EventUpdateKind {
        EVENT_UPDATE_UNIT = 0,
        EVENT_UPDATE_SCALE = 1,
        EVENT_UPDATE_NAME = 2,
        EVENT_UPDATE_CPUS = 3,
} EventUpdateKind;

typedef struct PERF_RECORD_PACKED PerfRecordEventUpdate {
        struct perf_event_header header;
        uint64_t kind, id;
        uint8_t body[]; /* a string, a double, or a list of CPUs */
} PerfRecordEventUpdate;

#define RECORD_CALLCHAIN_DEFERRED 22u                       /* PERF_RECORD_CALLCHAIN_DEFERRED */
#define CONTEXT_USER_DEFERRED ((uint64_t) -640)             /* PERF_CONTEXT_USER_DEFERRED */
#define ATTR_FLAG_DEFER_CALLCHAIN (UINT64_C(1) << 38)       /* attr.defer_callchain */
#define ATTR_FLAG_DEFER_OUTPUT (UINT64_C(1) << 39)          /* attr.defer_output */

/* The sizes that the kernel writes, without the fields of variable length. */
static_assert(sizeof(PerfRecordMmap) == 40, "");
static_assert(sizeof(PerfRecordMmap2) == 72, "");
static_assert(sizeof(PerfRecordComm) == 16, "");
static_assert(sizeof(PerfRecordTask) == 32, "");
static_assert(sizeof(PerfRecordNamespaces) == 24, "");
static_assert(sizeof(PerfRecordKsymbol) == 24, "");
static_assert(sizeof(PerfRecordBpfEvent) == 24, "");
static_assert(sizeof(PerfRecordCgroup) == 16, "");
static_assert(sizeof(PerfRecordTextPoke) == 20, "");
static_assert(sizeof(PerfRecordLost) == 24, "");
static_assert(sizeof(PerfRecordLostSamples) == 16, "");
static_assert(sizeof(PerfRecordThrottle) == 32, "");
static_assert(sizeof(PerfRecordSwitchCpuWide) == 16, "");
static_assert(sizeof(PerfRecordDeferred) == 24, "");
static_assert(sizeof(PerfRecordThreadMap) == 16, "");
static_assert(sizeof(PerfRecordStatConfig) == 16, "");
static_assert(sizeof(PerfRecordStat) == 48, "");
static_assert(sizeof(PerfRecordStatRound) == 24, "");
static_assert(sizeof(PerfRecordEventUpdate) == 24, "");

/* True if the record is one of the above and as long as it says: its fields are there, its string ends, its arrays
 * fit, and a mapping is a range of addresses. record->size bytes are readable, of which the last trailer_size are not
 * the layout's; a caller that does not know them passes 0, and may find the trailer behind a string. */
bool record_is_whole(const struct perf_event_header *record, size_t trailer_size);

/* Returns true if it is such a record, and has less than its type wants, even without a trailer. */
bool record_lacks_fields(const struct perf_event_header *record);

/* The process of a record that is about one: MMAP, MMAP2, COMM, FORK, EXIT, NAMESPACES. */
static inline uint32_t record_pid(const struct perf_event_header *record) {
        return ((const PerfRecordComm *) record)->pid;
}
