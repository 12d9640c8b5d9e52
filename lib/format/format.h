/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include <stdint.h>

/* The layout of a perf.data file (PERFILE2), native byte order: header, id arrays, attributes, data, a table of feature
 * sections, the feature sections. Source: tools/perf/Documentation/perf.data-file-format.txt of Linux 6.1, and files
 * that perf 6.1 wrote. The kernel's own records are in linux/perf_event.h. */

#define PERF_FILE_MAGIC       UINT64_C(0x32454c4946524550) /* "PERFILE2", little endian */
#define PERF_FILE_NAME_ALIGN  64u                          /* strings of features are padded to that */
#define PERF_BUILD_ID_SIZE    20u
#define PERF_FEATURE_WORDS    4u                           /* 256 bits */

typedef struct PerfFileSection {
        uint64_t offset; /* from the start of the file */
        uint64_t size;   /* bytes */
} PerfFileSection;

typedef struct PerfFileHeader {
        uint64_t magic;
        uint64_t size;      /* of this structure */
        uint64_t attr_size; /* of one entry of attrs: an attribute of that age and a section */
        PerfFileSection attrs;
        PerfFileSection data;
        PerfFileSection event_types; /* no longer used */
        uint64_t features[PERF_FEATURE_WORDS];
} PerfFileHeader;

/* A stream (perf record -o -) has this in place of PerfFileHeader: the size tells them apart. Records follow to the end. */
typedef struct PerfPipeHeader {
        uint64_t magic;
        uint64_t size;
} PerfPipeHeader;

/* One entry of the attribute section as this library writes it; others' may have a shorter or longer attribute. */
typedef struct PerfFileAttr {
        struct perf_event_attr attr;
        PerfFileSection ids;
} PerfFileAttr;

typedef enum PerfFeature {
        PERF_FEATURE_TRACING_DATA    = 1,
        PERF_FEATURE_BUILD_ID        = 2,
        PERF_FEATURE_HOSTNAME        = 3,
        PERF_FEATURE_OSRELEASE       = 4,
        PERF_FEATURE_VERSION         = 5,
        PERF_FEATURE_ARCH            = 6,
        PERF_FEATURE_NRCPUS          = 7,
        PERF_FEATURE_CPUDESC         = 8,
        PERF_FEATURE_CPUID           = 9,
        PERF_FEATURE_TOTAL_MEM       = 10,
        PERF_FEATURE_CMDLINE         = 11,
        PERF_FEATURE_EVENT_DESC      = 12,
        PERF_FEATURE_CPU_TOPOLOGY    = 13,
        PERF_FEATURE_NUMA_TOPOLOGY   = 14,
        PERF_FEATURE_BRANCH_STACK    = 15,
        PERF_FEATURE_PMU_MAPPINGS    = 16,
        PERF_FEATURE_GROUP_DESC      = 17,
        PERF_FEATURE_AUXTRACE        = 18,
        PERF_FEATURE_STAT            = 19,
        PERF_FEATURE_CACHE           = 20,
        PERF_FEATURE_SAMPLE_TIME     = 21,
        PERF_FEATURE_MEM_TOPOLOGY    = 22,
        PERF_FEATURE_CLOCKID         = 23,
        PERF_FEATURE_DIR_FORMAT      = 24,
        PERF_FEATURE_BPF_PROG_INFO   = 25,
        PERF_FEATURE_BPF_BTF         = 26,
        PERF_FEATURE_COMPRESSED      = 27,
        PERF_FEATURE_CPU_PMU_CAPS    = 28,
        PERF_FEATURE_CLOCK_DATA      = 29,
        PERF_FEATURE_HYBRID_TOPOLOGY = 30,
        PERF_FEATURE_PMU_CAPS        = 31,
        _PERF_FEATURE_MAX,
} PerfFeature;

/* Records that the kernel never writes: perf's own, from 64 on. */
enum {
        PERF_RECORD_USER_TYPE_START   = 64,
        PERF_RECORD_HEADER_ATTR       = 64,
        PERF_RECORD_HEADER_EVENT_TYPE = 65,
        PERF_RECORD_HEADER_TRACING_DATA = 66,
        PERF_RECORD_HEADER_BUILD_ID   = 67,
        PERF_RECORD_FINISHED_ROUND    = 68,
        PERF_RECORD_ID_INDEX          = 69,
        PERF_RECORD_AUXTRACE_INFO     = 70,
        PERF_RECORD_AUXTRACE          = 71,
        PERF_RECORD_AUXTRACE_ERROR    = 72,
        PERF_RECORD_THREAD_MAP        = 73,
        PERF_RECORD_CPU_MAP           = 74,
        PERF_RECORD_STAT_CONFIG       = 75,
        PERF_RECORD_STAT              = 76,
        PERF_RECORD_STAT_ROUND        = 77,
        PERF_RECORD_EVENT_UPDATE      = 78,
        PERF_RECORD_TIME_CONV         = 79,
        PERF_RECORD_HEADER_FEATURE    = 80,
        PERF_RECORD_COMPRESSED        = 81,
        PERF_RECORD_FINISHED_INIT     = 82,
        PERF_RECORD_COMPRESSED2       = 83, /* since perf 6.15, which writes it instead of 81 */
        PERF_RECORD_BPF_METADATA      = 84,
        _PERF_RECORD_USER_TYPE_MAX,
};

/* It announces AUX data of a kind, in perf's numbers (enum auxtrace_type of its util/auxtrace.h). */
typedef struct PerfRecordAuxtraceInfo {
        struct perf_event_header header;
        uint32_t kind;
        uint32_t reserved;
} PerfRecordAuxtraceInfo;

/* A compressed record that is padded to 8 bytes. The data follow. */
typedef struct PerfRecordCompressed2 {
        struct perf_event_header header;
        uint64_t data_size; /* without the padding */
} PerfRecordCompressed2;

/* An entry of the build id feature; the file name follows, padded to 64. */
typedef struct PerfBuildIdEntry {
        struct perf_event_header header; /* type 0 or 67; misc has the cpumode and PERF_BUILD_ID_HAS_SIZE */
        uint32_t pid;                    /* -1: the host */
        uint8_t id[PERF_BUILD_ID_SIZE];
        uint8_t size;                    /* of id, with PERF_BUILD_ID_HAS_SIZE */
        uint8_t reserved[3];
} PerfBuildIdEntry;

#define PERF_BUILD_ID_HAS_SIZE (1u << 15) /* perf calls it PERF_RECORD_MISC_BUILD_ID_SIZE */

#define PERF_ALIGN_UP(n, a) (((n) + (a) - 1) / (a) * (a))
