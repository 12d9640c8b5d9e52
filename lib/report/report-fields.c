/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of columns: words, abbreviations, titles and formats are those of perf report --stdio. It has
 * all that is known of a column; what several columns do alike is a function that their rows name. */

#include "report-fields.h"

#include "data-source-text.h"
#include "entry-fields.h"
#include "facet-fields.h"
#include "report-columns.h"

#define PID_WIDTH 8u /* "   1234:" */

/* Parts of union perf_mem_data_src; older headers do not name all. The level is with the hops. */
#define LEVEL_BITS (UINT64_C(0x3fff) << PERF_MEM_LVL_SHIFT | UINT64_C(0x1f) << PERF_MEM_LVLNUM_SHIFT | UINT64_C(7) << 43)
#define SNOOP_BITS (UINT64_C(0x1f) << PERF_MEM_SNOOP_SHIFT | UINT64_C(3) << PERF_MEM_SNOOPX_SHIFT)
#define LOCK_BITS (UINT64_C(3) << PERF_MEM_LOCK_SHIFT)
#define TLB_BITS (UINT64_C(0x7f) << PERF_MEM_TLB_SHIFT)
#define BLOCK_BITS (UINT64_C(7) << 40)

#define KEY(k) .keys = REPORT_KEY(REPORT_##k)
#define COUNT(m) .member = offsetof(ReportWeight, m), .least = 12, .order = entry_order_weights
#define SHARE(m, of) .member = offsetof(ReportWeight, m), .total = offsetof(ReportMember, of), .least = 8
#define FACET(f, m) .facets = FACET_##f, .member = offsetof(SampleFacets, m), .size = sizeof(((SampleFacets *) NULL)->m)
#define ENTRY(m) .member = offsetof(ReportEntry, m), .size = sizeof(((ReportEntry *) NULL)->m)
#define SUM (FIELD_NUMBER | FIELD_SUM | FIELD_DESCENDING)
#define ONE (FIELD_NUMBER | FIELD_DESCENDING)
#define CODE (FIELD_LEVEL | FIELD_UNPADDED)
#define MEMORY FIELD_OF_MEMORY
#define BRANCH FIELD_OF_BRANCH

static const ReportFieldType types[_REPORT_FIELD_MAX] = {
        [REPORT_FIELD_CHILDREN] = { "overhead_children", 10, "Children", SHARE(children_period, total),
                .order = entry_order_children },
        [REPORT_FIELD_OVERHEAD] = { "overhead", 1, "Overhead", SHARE(period, total), .order = entry_order_weights },
        [REPORT_FIELD_SYSTEM] = { "overhead_sys", 9, "sys", SHARE(kernel_period, total), .order = entry_order_weights },
        [REPORT_FIELD_USER] = { "overhead_us", 10, "usr", SHARE(user_period, total), .order = entry_order_weights },
        [REPORT_FIELD_LATENCY] = { "latency", 0, "Latency", SHARE(latency, latency), .dimensions = SAMPLE_BY_PARALLELISM,
                .order = entry_order_weights },
        [REPORT_FIELD_SAMPLES] = { "sample", 2, "Samples", COUNT(count) },
        [REPORT_FIELD_PERIOD] = { "period", 2, "Period", COUNT(period) },

        [REPORT_FIELD_COMM] = { "comm", 1, "Command", KEY(COMM), .text = entry_text_comm,
                .width = entry_width_comm },
        [REPORT_FIELD_PID] = { "pid", 1, "    Pid:Command", KEY(PID), ENTRY(row.tid), .json = "tid",
                .dimensions = SAMPLE_BY_THREAD, .room = PID_WIDTH, .flags = FIELD_NUMBER | FIELD_SIGNED,
                .put = entry_put_thread, .width = entry_width_comm },
        [REPORT_FIELD_DSO] = { "dso", 1, "Shared Object", KEY(DSO), .flags = FIELD_OF_PLACE,
                .text = entry_text_dso, .unknown = PLACE_UNKNOWN_DSO, .width = entry_width_dso, .order = facet_order_dsos },
        [REPORT_FIELD_SYMBOL] = { "symbol", 1, "Symbol", KEY(SYMBOL),
                .flags = FIELD_OF_PLACE | FIELD_UNPADDED | FIELD_LAST_CUT, .put = entry_put_symbol,
                .width = facet_width_symbol, .order = entry_order_symbols, .write = entry_write_symbol },
        [REPORT_FIELD_CPU] = { "cpu", 2, "CPU", KEY(CPU), .dimensions = SAMPLE_BY_CPU, .flags = FIELD_NUMBER,
                .value = entry_value_cpu, .put = entry_put_cpu },
        [REPORT_FIELD_TIME] = { "time", 2, "Time", KEY(TIME), ENTRY(row.time), .dimensions = SAMPLE_BY_TIME, .least = 12,
                .least_ns = 16, .flags = FIELD_NUMBER | FIELD_UNPADDED, .put = entry_put_time },
        [REPORT_FIELD_CGROUP] = { "cgroup", 2, "Cgroup", KEY(CGROUP), .dimensions = SAMPLE_BY_CGROUP, .flags = FIELD_UNPADDED,
                .text = entry_text_cgroup, .unknown = "N/A", .order = entry_order_cgroups },
        [REPORT_FIELD_UNIT] = { "unit", 0, "Unit", KEY(UNIT), ENTRY(row.unit), .dimensions = SAMPLE_BY_CGROUP,
                .text = entry_text_cgroup_part, .unknown = "N/A" },
        [REPORT_FIELD_CONTAINER] = { "container", 0, "Container", KEY(CONTAINER), ENTRY(row.container),
                .dimensions = SAMPLE_BY_CGROUP, .text = entry_text_cgroup_part },
        [REPORT_FIELD_HOST] = { "host", 0, "Host", KEY(HOST), .dimensions = SAMPLE_BY_HOST, .text = entry_text_host },
        [REPORT_FIELD_PARALLELISM] = { "parallelism", 0, "Parallelism", KEY(PARALLELISM), ENTRY(row.parallelism),
                .dimensions = SAMPLE_BY_PARALLELISM, .flags = FIELD_NUMBER | FIELD_RIGHT },
        [REPORT_FIELD_SOURCE_LINE] = { "srcline", 2, "Source:Line", KEY(SOURCE_LINE), ENTRY(line),
                .flags = FIELD_OF_PLACE | FIELD_UNPADDED | FIELD_NEEDS_LINES, .text = entry_text_source },
        [REPORT_FIELD_SOURCE_FILE] = { "srcfile", 4, "Source File", KEY(SOURCE_FILE), ENTRY(file),
                .flags = FIELD_OF_PLACE | FIELD_UNPADDED | FIELD_NEEDS_LINES, .text = entry_text_source },
        [REPORT_FIELD_TRACE] = { "trace", 4, "Trace output", KEY(TRACE), .dimensions = SAMPLE_BY_LABEL,
                .flags = FIELD_UNPADDED | FIELD_NEEDS_TRACE_TEXT, .text = entry_text_trace, .unknown = "N/A" },
        [REPORT_FIELD_PARENT] = { "parent", 2, "Parent symbol", KEY(PARENT), .flags = FIELD_NEEDS_CHAINS,
                .text = entry_text_parent, .unknown = "[other]", .order = entry_order_parents },

        [REPORT_FIELD_WEIGHT] = { "weight", 1, "Weight", FACET(WEIGHT, weight), .least = 12, .flags = SUM },
        [REPORT_FIELD_LOCAL_WEIGHT] = { "local_weight", 1, "Local Weight", FACET(WEIGHT, weight), .flags = ONE },
        [REPORT_FIELD_INSTRUCTION] = { "ins_lat", 2, "INSTR Latency", FACET(LATENCY, latency), .flags = SUM },
        [REPORT_FIELD_LOCAL_INSTRUCTION] = { "local_ins_lat", 7, "Local INSTR Latency", FACET(LATENCY, latency),
                .flags = ONE },
        [REPORT_FIELD_STAGE] = { "p_stage_cyc", 2, "Pipeline Stage Cycle", FACET(STAGE, stage), .flags = SUM },
        [REPORT_FIELD_LOCAL_STAGE] = { "local_p_stage_cyc", 7, "Local Pipeline Stage Cycle", FACET(STAGE, stage),
                .flags = ONE },
        [REPORT_FIELD_RETIRE] = { "retire_lat", 0, "Retire Latency", FACET(STAGE, stage), .flags = SUM },
        [REPORT_FIELD_LOCAL_RETIRE] = { "local_retire_lat", 0, "Local Retire Latency", FACET(STAGE, stage), .flags = ONE },

        [REPORT_FIELD_MEMORY_LEVEL] = { "mem", 2, "Memory access", FACET(SOURCE, source), .bits = LEVEL_BITS, .least = 24,
                .flags = MEMORY, .words = data_source_put_level },
        [REPORT_FIELD_SNOOP] = { "snoop", 2, "Snoop", FACET(SOURCE, source), .bits = SNOOP_BITS, .least = 12, .flags = MEMORY,
                .words = data_source_put_snoop },
        [REPORT_FIELD_LOCKED] = { "locked", 4, "Locked", FACET(SOURCE, source), .bits = LOCK_BITS,
                .flags = MEMORY | FIELD_UNPADDED, .words = data_source_put_lock },
        [REPORT_FIELD_TLB] = { "tlb", 2, "TLB access", FACET(SOURCE, source), .bits = TLB_BITS, .least = 22, .flags = MEMORY,
                .words = data_source_put_tlb },
        [REPORT_FIELD_BLOCKED] = { "blocked", 1, "Blocked", FACET(SOURCE, source), .bits = BLOCK_BITS, .least = 10,
                .flags = MEMORY | FIELD_UNPADDED, .words = data_source_put_block },
        [REPORT_FIELD_CACHE_LINE] = { "dcacheline", 2, "Data Cacheline", .facets = FACET_DATA,
                .room = FIELD_ADDRESS_WIDTH + 3, .flags = MEMORY | CODE, .value = facet_value_cache_line,
                .put = facet_put_cache_line, .width = facet_width_symbol },
        [REPORT_FIELD_DATA_SYMBOL] = { "symbol_daddr", 8, "Data Symbol", .facets = FACET_DATA,
                .room = FIELD_ADDRESS_WIDTH + 2, .flags = MEMORY | CODE, .value = facet_value_ip, .put = facet_put_data,
                .width = facet_width_symbol },
        [REPORT_FIELD_DATA_DSO] = { "dso_daddr", 5, "Data Object", .facets = FACET_DATA, .flags = MEMORY | FIELD_DESCENDING,
                .value = facet_value_dso, .text = facet_text_dso, .width = facet_width_dso, .order = facet_order_dsos },
        [REPORT_FIELD_CODE_SYMBOL] = { "symbol_iaddr", 8, "Code Symbol", .room = FIELD_ADDRESS_WIDTH + 2,
                .flags = MEMORY | CODE, .value = facet_value_ip, .put = facet_put_data, .width = facet_width_symbol },
        [REPORT_FIELD_PHYSICAL] = { "phys_daddr", 2, "Data Physical Address", FACET(PHYSICAL, physical),
                .least = FIELD_UNNAMED_WIDTH, .flags = MEMORY | FIELD_LEVEL, .put = facet_put_physical },
        [REPORT_FIELD_DATA_PAGE] = { "data_page_size", 2, "Data Page Size", FACET(DATA_PAGE, data_page),
                .least = FIELD_UNNAMED_WIDTH, .flags = MEMORY | FIELD_NUMBER, .words = page_size_put },
        [REPORT_FIELD_CODE_PAGE] = { "code_page_size", 3, "Code Page Size", FACET(CODE_PAGE, code_page),
                .flags = FIELD_NUMBER, .words = page_size_put },
        [REPORT_FIELD_TRANSACTION] = { "transaction", 1, "Transaction                ", FACET(TRANSACTION, transaction),
                .flags = FIELD_DESCENDING, .words = facet_put_transaction, .width = facet_width_transaction },

        [REPORT_FIELD_DSO_FROM] = { "dso_from", 5, "Source Shared Object", .facets = FACET_BRANCH_FROM,
                .flags = BRANCH | FIELD_DESCENDING, .value = facet_value_dso, .text = facet_text_dso,
                .width = facet_width_dso, .order = facet_order_dsos },
        [REPORT_FIELD_DSO_TO] = { "dso_to", 5, "Target Shared Object", .flags = BRANCH | FIELD_DESCENDING,
                .value = facet_value_dso, .text = facet_text_dso, .width = facet_width_dso, .order = facet_order_dsos },
        [REPORT_FIELD_SYMBOL_FROM] = { "symbol_from", 8, "Source Symbol", .facets = FACET_BRANCH_FROM, .flags = BRANCH | CODE,
                .value = facet_value_symbol, .put = facet_put_branch, .width = facet_width_symbol,
                .order = facet_order_symbols },
        [REPORT_FIELD_SYMBOL_TO] = { "symbol_to", 8, "Target Symbol", .flags = BRANCH | CODE, .value = facet_value_symbol,
                .put = facet_put_branch, .width = facet_width_symbol, .order = facet_order_symbols },
        [REPORT_FIELD_LINE_FROM] = { "srcline_from", 8, "From Source:Line", .facets = FACET_BRANCH_FROM,
                .flags = BRANCH | FIELD_NEEDS_LINES, .value = facet_value_line, .text = facet_text_line },
        [REPORT_FIELD_LINE_TO] = { "srcline_to", 9, "To Source:Line", .flags = BRANCH | FIELD_NEEDS_LINES,
                .value = facet_value_line, .text = facet_text_line },
        [REPORT_FIELD_ADDRESS_FROM] = { "addr_from", 5, "Source Address", .facets = FACET_BRANCH_FROM, .flags = BRANCH | CODE,
                .value = facet_value_address, .put = facet_put_branch_address, .width = facet_width_branch_address,
                .order = facet_order_addresses },
        [REPORT_FIELD_ADDRESS_TO] = { "addr_to", 6, "Target Address", .flags = BRANCH | CODE, .value = facet_value_address,
                .put = facet_put_branch_address, .width = facet_width_branch_address, .order = facet_order_addresses },
        [REPORT_FIELD_MISPREDICTED] = { "mispredict", 1, "Branch Mispredicted", FACET(BRANCH_FLAGS, flags),
                .bits = BRANCH_PREDICTED | BRANCH_MISPREDICTED, .flags = BRANCH | FIELD_DESCENDING,
                .words = facet_put_mispredicted },
        [REPORT_FIELD_ABORT] = { "abort", 2, "Transaction abort", FACET(BRANCH_FLAGS, flags), .bits = BRANCH_ABORT,
                .flags = BRANCH | FIELD_DESCENDING, .words = facet_put_abort },
        [REPORT_FIELD_IN_TRANSACTION] = { "in_tx", 3, "Branch in transaction", FACET(BRANCH_FLAGS, flags),
                .bits = BRANCH_IN_TRANSACTION, .flags = BRANCH | FIELD_DESCENDING, .words = facet_put_in_transaction },
        [REPORT_FIELD_CYCLES] = { "cycles", 2, "Basic Block Cycles", FACET(BRANCH_CYCLES, cycles), .flags = BRANCH | ONE,
                .unknown = "-" },

        [REPORT_FIELD_ADDRESS] = { "addr", 1, "Address", .least = FIELD_ADDRESS_WIDTH + 2, .flags = FIELD_OF_PLACE,
                .value = facet_value_ip, .words = facet_put_address },
        [REPORT_FIELD_SYMBOL_SIZE] = { "symbol_size", 7, "Symbol size", .flags = FIELD_OF_PLACE | FIELD_NUMBER | FIELD_RIGHT,
                .value = facet_value_symbol_size, .unknown = "unknown" },
        [REPORT_FIELD_DSO_SIZE] = { "dso_size", 4, "DSO size",
                .flags = FIELD_OF_PLACE | FIELD_NUMBER | FIELD_RIGHT | FIELD_NEEDS_MAP_SIZES, .value = facet_value_dso_size,
                .unknown = "unknown" },
};

static const ReportFieldType trace_field = {
        KEY(TRACE), .dimensions = SAMPLE_BY_LABEL, .flags = FIELD_RIGHT | FIELD_UNPADDED | FIELD_DESCENDING,
        .text = entry_text_trace_field, .width = entry_width_trace_field, .order = entry_order_trace_fields,
};

const ReportFieldType *report_field_type(ReportField field) {
        return report_field_is_trace(field) ? &trace_field : types + field;
}

ReportField report_field_from_word(const char *word) {
        size_t n = strlen(word);

        for (int i = 0; i < _REPORT_FIELD_MAX; i++)
                if (streq(types[i].word, word) || (types[i].json && streq(types[i].json, word)))
                        return (ReportField) i;
        for (int i = 0; i < _REPORT_FIELD_MAX; i++)
                if (types[i].shortest > 0 && n >= types[i].shortest && strncasecmp(types[i].word, word, n) == 0)
                        return (ReportField) i;
        return _REPORT_FIELD_INVALID;
}

ReportCell report_cell(const ReportColumns *c, ReportField field, const ReportEntry *e) {
        return (ReportCell) { c->report, c, report_field_type(field), (size_t) field - REPORT_FIELD_TRACES, e };
}

ReportValue report_field_value(const Report *report, unsigned field, const ReportEntry *e) {
        return report_cell_value(&(ReportCell) { .report = report, .type = report_field_type((ReportField) field), .entry = e });
}
