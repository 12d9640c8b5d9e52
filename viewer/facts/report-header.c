/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A row for each feature; lines are those of perf report --header. A feature that can't be read to its end is shown as far as it
 * can be. Descriptions of BPF programs are left out: they hold copies of the kernel's structures, which differ by its version. */

#include "report-header.h"

#include <inttypes.h>

#include "attr-describe.h"
#include "event-groups.h"
#include "feature-cursor.h"
#include "utf8.h"

#define NANOSECONDS UINT64_C(1000000000)

typedef struct HeaderPrint {
        const PerfDataReader *reader;
        FILE *f;
        bool no_memory;
} HeaderPrint;

static void header_print_text(HeaderPrint *h, const char *text) {
        _cleanup_free_ char *line = utf8_line(text, SIZE_MAX, SIZE_MAX);

        h->no_memory = h->no_memory || !line;
        (void) fputs(line ?: "", h->f);
}

static void header_print_words(HeaderPrint *h, const char *before, const char *text, const char *after) {
        (void) fputs(before, h->f);
        header_print_text(h, text);
        (void) fputs(after, h->f);
}

static void print_cpu_numbers(HeaderPrint *h, FeatureCursor *c) {
        uint32_t present, online;

        if (feature_cursor_u32(c, &present) && feature_cursor_u32(c, &online))
                (void) fprintf(h->f, "# nrcpus online : %" PRIu32 "\n# nrcpus avail : %" PRIu32 "\n", online, present);
}

static void print_total_memory(HeaderPrint *h, FeatureCursor *c) {
        uint64_t kilobytes;

        if (feature_cursor_u64(c, &kilobytes))
                (void) fprintf(h->f, "# total memory : %" PRIu64 " kB\n", kilobytes);
}

/* Words are separated by blanks, and quotes in them have a backslash. */
static void print_command_line(HeaderPrint *h, FeatureCursor *c) {
        const char *word;
        uint32_t n;

        if (!feature_cursor_u32(c, &n))
                return;
        (void) fputs("# cmdline : ", h->f);
        for (; n > 0 && (word = feature_cursor_string(c)); n--) {
                _cleanup_free_ char *line = utf8_line(word, SIZE_MAX, SIZE_MAX);

                h->no_memory = h->no_memory || !line;
                for (const char *s = line; s && *s; s++)
                        (void) fprintf(h->f, "%s%c", *s == '\'' ? "\\" : "", *s);
                (void) fputc(' ', h->f);
        }
        (void) fputc('\n', h->f);
}

static void header_print_event(HeaderPrint *h, const PerfDataEvent *e) {
        _cleanup_free_ char *attr = attr_describe(&e->attr, ATTR_FORM_HEADER);

        header_print_words(h, "# event : name = ", e->name ?: "", ", ");
        for (size_t i = 0; i < e->n_ids; i++)
                (void) fprintf(h->f, "%s %" PRIu64, i > 0 ? "," : ", id = {", e->ids[i]);
        (void) fputs(e->n_ids > 0 ? " }" : "", h->f);
        h->no_memory = h->no_memory || !attr;
        (void) fprintf(h->f, "%s\n", attr ?: "");
}

static void header_print_events(HeaderPrint *h, FeatureCursor *c) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(h->reader, &events);

        for (size_t i = 0; i < n; i++)
                header_print_event(h, events + i);
}

/* Prints a number of lists of CPUs, each with that title. Returns false if they can't be read. */
static bool print_cpu_lists(HeaderPrint *h, FeatureCursor *c, const char *title, uint32_t *ret_n) {
        const char *list;
        uint32_t n, i = 0;

        if (!feature_cursor_u32(c, &n))
                return false;
        for (; i < n && (list = feature_cursor_string(c)); i++)
                header_print_words(h, title, list, "\n");
        *ret_n = n;
        return i == n;
}

static void skip_lists(FeatureCursor *c) {
        uint32_t n;

        if (feature_cursor_u32(c, &n))
                for (; n > 0 && feature_cursor_string(c); n--)
                        ;
}

static uint32_t number_of_cpus(const PerfDataReader *reader) {
        FeatureCursor c;
        uint32_t n;

        return feature_cursor_init(&c, reader, PERF_FEATURE_NRCPUS) >= 0 && feature_cursor_u32(&c, &n) ? n : 0;
}

/* The lists of dies, which are newer, come behind the numbers of the CPUs, and are printed between the others. */
static void print_cpu_topology(HeaderPrint *h, FeatureCursor *c) {
        uint32_t n_lists, n_cpus = number_of_cpus(h->reader), n_dies = 0;
        FeatureCursor dies, threads, cpus;

        if (!print_cpu_lists(h, c, "# sibling sockets : ", &n_lists))
                return;
        threads = *c;
        skip_lists(c);
        cpus = dies = *c;
        if (feature_cursor_take(&dies, (uint64_t) n_cpus * 2 * sizeof(uint32_t)))
                (void) print_cpu_lists(h, &dies, "# sibling dies    : ", &n_dies);
        (void) print_cpu_lists(h, &threads, "# sibling threads : ", &n_lists);
        for (uint32_t cpu = 0; cpu < n_cpus; cpu++) {
                uint32_t core, socket, die;

                if (!feature_cursor_u32(&cpus, &core) || !feature_cursor_u32(&cpus, &socket))
                        return;
                (void) fprintf(h->f, "# CPU %" PRIu32 ": Core ID %d, ", cpu, (int) core);
                if (n_dies > 0 && feature_cursor_u32(&dies, &die))
                        (void) fprintf(h->f, "Die ID %d, ", (int) die);
                (void) fprintf(h->f, "Socket ID %d\n", (int) socket);
        }
}

static void print_numa_topology(HeaderPrint *h, FeatureCursor *c) {
        uint32_t n, node;
        uint64_t total, unused;
        const char *cpus;

        if (!feature_cursor_u32(c, &n))
                return;
        for (; n > 0; n--) {
                if (!feature_cursor_u32(c, &node) || !feature_cursor_u64(c, &total) || !feature_cursor_u64(c, &unused) ||
                    !(cpus = feature_cursor_string(c)))
                        return;
                (void) fprintf(h->f, "# node%" PRIu32 " meminfo  : total = %" PRIu64 " kB, free = %" PRIu64 " kB\n"
                               "# node%" PRIu32 " cpu list : ", node, total, unused, node);
                header_print_words(h, "", cpus, "\n");
        }
}

static void print_branch_stack(HeaderPrint *h, FeatureCursor *c) {
        (void) fputs("# contains samples with branch stack\n", h->f);
}

static void print_pmu_mappings(HeaderPrint *h, FeatureCursor *c) {
        const char *name;
        uint32_t n, type;

        if (!feature_cursor_u32(c, &n) || n == 0) {
                (void) fputs("# pmu mappings: not available\n", h->f);
                return;
        }
        (void) fputs("# pmu mappings: ", h->f);
        for (uint32_t i = 0; i < n && feature_cursor_u32(c, &type) && (name = feature_cursor_string(c)); i++) {
                header_print_words(h, i > 0 ? ", " : "", name, "");
                (void) fprintf(h->f, " = %" PRIu32, type);
        }
        (void) fputc('\n', h->f);
}

/* Groups are in the order of their events, and have none in common. */
static void header_print_groups(HeaderPrint *h, FeatureCursor *c) {
        _cleanup_free_ EventGroup *groups = NULL;
        const PerfDataEvent *events;
        size_t n = 0;

        (void) perf_data_reader_events(h->reader, &events);
        h->no_memory = h->no_memory || event_groups_read(h->reader, &groups, &n) < 0;
        for (size_t i = 0; i < n; i++) {
                header_print_words(h, "# group: ", groups[i].name ?: "", "{");
                for (size_t j = 0; j < groups[i].n; j++)
                        header_print_words(h, j > 0 ? "," : "", events[groups[i].leader + j].name ?: "", "");
                (void) fputs("}\n", h->f);
        }
}

static void print_aux(HeaderPrint *h, FeatureCursor *c) {
        (void) fputs("# contains AUX area data (e.g. instruction trace)\n", h->f);
}

static void print_stat(HeaderPrint *h, FeatureCursor *c) {
        (void) fputs("# contains stat data\n", h->f);
}

static void print_caches(HeaderPrint *h, FeatureCursor *c) {
        uint32_t version, n, numbers[4]; /* level, line size, sets, ways */
        const char *type, *size, *cpus;

        if (!feature_cursor_u32(c, &version) || version != 1 || !feature_cursor_u32(c, &n))
                return;
        (void) fputs("# CPU cache info:\n", h->f);
        for (; n > 0; n--) {
                char type_line[64], size_line[64];

                for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                        if (!feature_cursor_u32(c, numbers + i))
                                return;
                if (!(type = feature_cursor_string(c)) || !(size = feature_cursor_string(c)) ||
                    !(cpus = feature_cursor_string(c)))
                        return;
                (void) utf8_line_to(type_line, sizeof(type_line), type);
                (void) utf8_line_to(size_line, sizeof(size_line), size);
                (void) fprintf(h->f, "#  L%" PRIu32 " %-15s %8s ", numbers[0], type_line, size_line);
                header_print_words(h, "[", cpus, "]\n");
        }
}

static void header_print_time(HeaderPrint *h, const char *title, uint64_t time) {
        (void) fprintf(h->f, "# time of %s sample : %" PRIu64 ".%06" PRIu64 "\n", title, time / NANOSECONDS,
                       time % NANOSECONDS / 1000);
}

static void print_sample_time(HeaderPrint *h, FeatureCursor *c) {
        uint64_t first, last;

        if (!feature_cursor_u64(c, &first) || !feature_cursor_u64(c, &last))
                return;
        header_print_time(h, "first", first);
        header_print_time(h, "last", last);
        (void) fprintf(h->f, "# sample duration : %10.3f ms\n", (double) (last - first) / 1e6);
}

/* "24G": powers of 1024, as long as there are two of them. */
static void print_size(HeaderPrint *h, uint64_t size) {
        static const char units[] = "BKMG";
        size_t unit = 0;

        for (; unit < 3 && size / 1024 > 1; unit++)
                size /= 1024;
        (void) fprintf(h->f, "%" PRIu64 "%c", size, units[unit]);
}

static bool bit_is_set(const uint8_t *bits, uint64_t bit) {
        return bits[bit / 8] >> (bit % 8) & 1;
}

static void print_memory_node(HeaderPrint *h, uint64_t node, uint64_t block_size, const uint8_t *bits, uint64_t n_bits) {
        const char *separator = "";
        uint64_t n = 0;

        for (uint64_t i = 0; i < n_bits; i++)
                n += bit_is_set(bits, i);
        (void) fprintf(h->f, "#  %3" PRIu64 " [", node);
        print_size(h, block_size * n);
        (void) fputs("]: ", h->f);
        for (uint64_t i = 0, end; i < n_bits; i = end) {
                for (end = i; end < n_bits && bit_is_set(bits, end); end++)
                        ;
                if (end > i) {
                        (void) fprintf(h->f, end > i + 1 ? "%s%" PRIu64 "-%" PRIu64 : "%s%" PRIu64, separator, i, end - 1);
                        separator = ",";
                }
                end = MAX_OF(end, i + 1);
        }
        (void) fputc('\n', h->f);
}

static void print_memory_topology(HeaderPrint *h, FeatureCursor *c) {
        uint64_t version, block_size, n, node, size, n_bits;

        if (!feature_cursor_u64(c, &version) || version != 1 || !feature_cursor_u64(c, &block_size) ||
            !feature_cursor_u64(c, &n))
                return;
        (void) fprintf(h->f, "# memory nodes (nr %" PRIu64 ", block size %#" PRIx64 "):\n", n, block_size);
        for (; n > 0; n--) {
                const uint8_t *bits;

                if (!feature_cursor_u64(c, &node) || !feature_cursor_u64(c, &size) || !feature_cursor_u64(c, &n_bits) ||
                    n_bits > c->left * UINT64_C(8))
                        return;
                bits = feature_cursor_take(c, PERF_ALIGN_UP(n_bits, UINT64_C(64)) / 8);
                if (!bits)
                        return;
                print_memory_node(h, node, block_size, bits, n_bits);
        }
}

static void print_clock_id(HeaderPrint *h, FeatureCursor *c) {
        uint64_t resolution; /* in ns */

        if (feature_cursor_u64(c, &resolution))
                (void) fprintf(h->f, "# clockid frequency: %" PRIu64 " MHz\n", resolution * 1000);
}

static void print_directory_format(HeaderPrint *h, FeatureCursor *c) {
        uint64_t version;

        if (feature_cursor_u64(c, &version))
                (void) fprintf(h->f, "# directory data version : %" PRIu64 "\n", version);
}

static void print_compressed(HeaderPrint *h, FeatureCursor *c) {
        uint32_t version, type, level, ratio;

        if (feature_cursor_u32(c, &version) && feature_cursor_u32(c, &type) && feature_cursor_u32(c, &level) &&
            feature_cursor_u32(c, &ratio))
                (void) fprintf(h->f, "# compressed : %s, level = %" PRIu32 ", ratio = %" PRIu32 "\n",
                               type == 1 ? "Zstd" : "Unknown", level, ratio);
}

/* "NAME=VALUE, ..."; pmu: NULL if its name comes behind them. Returns false if they can't be read. */
static bool print_capabilities(HeaderPrint *h, FeatureCursor *c, const char *pmu) {
        uint32_t n;
        FeatureCursor pairs;
        const char *name, *value;

        if (!feature_cursor_u32(c, &n))
                return false;
        pairs = *c;
        for (uint64_t i = 0; i < UINT64_C(2) * n; i++)
                if (!feature_cursor_string(c))
                        return false;
        if (!pmu && !(pmu = feature_cursor_string(c)))
                return false;
        header_print_words(h, "# ", pmu, n > 0 ? " pmu capabilities: " : " pmu capabilities: not available");
        for (uint32_t i = 0; i < n; i++) {
                name = feature_cursor_string(&pairs);
                value = feature_cursor_string(&pairs);
                header_print_words(h, i > 0 ? ", " : "", name, "=");
                header_print_text(h, value);
        }
        (void) fputc('\n', h->f);
        return true;
}

static void print_cpu_capabilities(HeaderPrint *h, FeatureCursor *c) {
        (void) print_capabilities(h, c, "cpu");
}

static void print_pmu_capabilities(HeaderPrint *h, FeatureCursor *c) {
        uint32_t n;

        if (feature_cursor_u32(c, &n))
                for (; n > 0 && print_capabilities(h, c, NULL); n--)
                        ;
}

static void print_clock_data(HeaderPrint *h, FeatureCursor *c) {
        static const char *const names[] = {
                [CLOCK_REALTIME] = "realtime", [CLOCK_MONOTONIC] = "monotonic", [CLOCK_MONOTONIC_RAW] = "monotonic_raw",
                [CLOCK_BOOTTIME] = "boottime", [CLOCK_TAI] = "tai",
        };
        const char *name = "(not found)";
        uint32_t version, id;
        uint64_t wall, clock;
        char text[64] = "";
        struct tm tm;
        time_t seconds;

        if (!feature_cursor_u32(c, &version) || version != 1 || !feature_cursor_u32(c, &id) ||
            !feature_cursor_u64(c, &wall) || !feature_cursor_u64(c, &clock))
                return;
        if (id < ELEMENTSOF(names) && names[id])
                name = names[id];
        seconds = (time_t) (wall / NANOSECONDS);
        if (localtime_r(&seconds, &tm))
                (void) strftime(text, sizeof(text), "%F %T", &tm);
        (void) fprintf(h->f, "# clockid: %s (%" PRIu32 ")\n", name, id);
        (void) fprintf(h->f, "# reference time: %s.%06" PRIu64 " = %" PRIu64 ".%06" PRIu64 " (TOD) = %" PRIu64 ".%09" PRIu64
                       " (%s)\n", text, wall % NANOSECONDS / 1000, wall / NANOSECONDS, wall % NANOSECONDS / 1000,
                       clock / NANOSECONDS, clock % NANOSECONDS, name);
}

static void print_hybrid_topology(HeaderPrint *h, FeatureCursor *c) {
        const char *pmu, *cpus;
        uint32_t n;

        if (!feature_cursor_u32(c, &n))
                return;
        (void) fputs("# hybrid cpu system:\n", h->f);
        for (; n > 0 && (pmu = feature_cursor_string(c)) && (cpus = feature_cursor_string(c)); n--) {
                header_print_words(h, "# ", pmu, " cpu list : ");
                header_print_words(h, "", cpus, "\n");
        }
}

/* title: of a feature that is one string. */
static const struct {
        const char *name, *title;
        void (*print)(HeaderPrint *h, FeatureCursor *c);
        bool full;
} features[_PERF_FEATURE_MAX] = {
        [PERF_FEATURE_TRACING_DATA] = { "TRACING_DATA" },
        [PERF_FEATURE_BUILD_ID] = { "BUILD_ID" },
        [PERF_FEATURE_HOSTNAME] = { "HOSTNAME", .title = "# hostname : " },
        [PERF_FEATURE_OSRELEASE] = { "OSRELEASE", .title = "# os release : " },
        [PERF_FEATURE_VERSION] = { "VERSION", .title = "# perf version : " },
        [PERF_FEATURE_ARCH] = { "ARCH", .title = "# arch : " },
        [PERF_FEATURE_NRCPUS] = { "NRCPUS", .print = print_cpu_numbers },
        [PERF_FEATURE_CPUDESC] = { "CPUDESC", .title = "# cpudesc : " },
        [PERF_FEATURE_CPUID] = { "CPUID", .title = "# cpuid : " },
        [PERF_FEATURE_TOTAL_MEM] = { "TOTAL_MEM", .print = print_total_memory },
        [PERF_FEATURE_CMDLINE] = { "CMDLINE", .print = print_command_line },
        [PERF_FEATURE_EVENT_DESC] = { "EVENT_DESC", .print = header_print_events },
        [PERF_FEATURE_CPU_TOPOLOGY] = { "CPU_TOPOLOGY", .print = print_cpu_topology, .full = true },
        [PERF_FEATURE_NUMA_TOPOLOGY] = { "NUMA_TOPOLOGY", .print = print_numa_topology, .full = true },
        [PERF_FEATURE_BRANCH_STACK] = { "BRANCH_STACK", .print = print_branch_stack },
        [PERF_FEATURE_PMU_MAPPINGS] = { "PMU_MAPPINGS", .print = print_pmu_mappings },
        [PERF_FEATURE_GROUP_DESC] = { "GROUP_DESC", .print = header_print_groups },
        [PERF_FEATURE_AUXTRACE] = { "AUXTRACE", .print = print_aux },
        [PERF_FEATURE_STAT] = { "STAT", .print = print_stat },
        [PERF_FEATURE_CACHE] = { "CACHE", .print = print_caches, .full = true },
        [PERF_FEATURE_SAMPLE_TIME] = { "SAMPLE_TIME", .print = print_sample_time },
        [PERF_FEATURE_MEM_TOPOLOGY] = { "MEM_TOPOLOGY", .print = print_memory_topology, .full = true },
        [PERF_FEATURE_CLOCKID] = { "CLOCKID", .print = print_clock_id },
        [PERF_FEATURE_DIR_FORMAT] = { "DIR_FORMAT", .print = print_directory_format },
        [PERF_FEATURE_BPF_PROG_INFO] = { "BPF_PROG_INFO" },
        [PERF_FEATURE_BPF_BTF] = { "BPF_BTF" },
        [PERF_FEATURE_COMPRESSED] = { "COMPRESSED", .print = print_compressed },
        [PERF_FEATURE_CPU_PMU_CAPS] = { "CPU_PMU_CAPS", .print = print_cpu_capabilities },
        [PERF_FEATURE_CLOCK_DATA] = { "CLOCK_DATA", .print = print_clock_data },
        [PERF_FEATURE_HYBRID_TOPOLOGY] = { "HYBRID_TOPOLOGY", .print = print_hybrid_topology },
        [PERF_FEATURE_PMU_CAPS] = { "PMU_CAPS", .print = print_pmu_capabilities },
};

static void print_feature(HeaderPrint *h, unsigned feature, FeatureCursor *c, bool full) {
        const char *text;

        if (features[feature].title && (text = feature_cursor_string(c)))
                header_print_words(h, features[feature].title, text, "\n");
        else if (features[feature].full && !full)
                (void) fprintf(h->f, "# %s info available, use -I to display\n", features[feature].name);
        else if (features[feature].print)
                features[feature].print(h, c);
}

static void print_frame(HeaderPrint *h, time_t captured) {
        PerfFileSection data = {};
        char text[64] = "";
        struct tm tm;

        if (!perf_data_reader_is_stream(h->reader))
                perf_data_reader_data(h->reader, &data);
        if (localtime_r(&captured, &tm))
                (void) strftime(text, sizeof(text), "%a %b %e %T %Y", &tm);
        (void) fprintf(h->f, "# ========\n# captured on    : %s\n# header version : 1\n# data offset    : %" PRIu64 "\n"
                       "# data size      : %" PRIu64 "\n# feat offset    : %" PRIu64 "\n", text, data.offset, data.size,
                       data.offset + data.size);
}

/* In a stream, the features come with the records, and there may be more of them. */
int report_header_print(const PerfDataReader *reader, time_t captured, bool full, FILE *f) {
        HeaderPrint h = { .reader = reader, .f = f };
        bool stream = perf_data_reader_is_stream(reader);
        FeatureCursor c;

        print_frame(&h, captured);
        if (stream)
                (void) fputs("# ========\n#\n", f);
        for (unsigned i = 0; i < _PERF_FEATURE_MAX; i++)
                if (feature_cursor_init(&c, reader, i) >= 0)
                        print_feature(&h, i, &c, full);
        if (!stream) {
                (void) fputs("# missing features: ", f);
                for (unsigned i = PERF_FEATURE_TRACING_DATA; i < _PERF_FEATURE_MAX; i++)
                        if (feature_cursor_init(&c, reader, i) < 0)
                                (void) fprintf(f, "%s ", features[i].name);
                (void) fputs("\n# ========\n#\n", f);
        }
        return h.no_memory ? -ENOMEM : 0;
}
