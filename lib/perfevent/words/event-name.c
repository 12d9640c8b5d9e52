/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables: perf's names of the events that enum perf_hw_id, perf_sw_ids and perf_hw_cache_* of <linux/perf_event.h>
 * number. perf shows the first of several names for one event, which also has its meaning. */

#include "event-name.h"

#include "format-text.h"

typedef struct EventName {
        const char *name;
        uint32_t type;
        uint64_t config;
        const char *meaning; /* by perf_event_open(2); NULL: another name for the event above */
} EventName;

#define HARDWARE(n, c, m) { n, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##c, m }
#define SOFTWARE(n, c, m) { n, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##c, m }

static const EventName event_names[] = {
        HARDWARE("cycles", CPU_CYCLES, "Cycles of the CPU, whose length changes with its frequency"),
        HARDWARE("cpu-cycles", CPU_CYCLES, NULL),
        HARDWARE("instructions", INSTRUCTIONS, "Retired instructions; interrupts may add some"),
        HARDWARE("cache-references", CACHE_REFERENCES, "Accesses to the cache, usually that of the last level"),
        HARDWARE("cache-misses", CACHE_MISSES, "Accesses that missed the cache, usually that of the last level"),
        HARDWARE("branches", BRANCH_INSTRUCTIONS, "Retired branch instructions"),
        HARDWARE("branch-instructions", BRANCH_INSTRUCTIONS, NULL),
        HARDWARE("branch-misses", BRANCH_MISSES, "Branches that were predicted wrongly"),
        HARDWARE("bus-cycles", BUS_CYCLES, "Cycles of the bus, which may differ from those of the CPU"),
        HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND, "Cycles in which the issue of instructions stalled"),
        HARDWARE("idle-cycles-frontend", STALLED_CYCLES_FRONTEND, NULL),
        HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND, "Cycles in which the retirement of instructions stalled"),
        HARDWARE("idle-cycles-backend", STALLED_CYCLES_BACKEND, NULL),
        HARDWARE("ref-cycles", REF_CPU_CYCLES, "Cycles whose length does not change with the CPU's frequency"),
        SOFTWARE("cpu-clock", CPU_CLOCK, "Nanoseconds, by a timer of each CPU"),
        SOFTWARE("task-clock", TASK_CLOCK, "Nanoseconds in which the thread ran"),
        SOFTWARE("page-faults", PAGE_FAULTS, "Page faults, minor and major"),
        SOFTWARE("faults", PAGE_FAULTS, NULL),
        SOFTWARE("context-switches", CONTEXT_SWITCHES, "Switches of a CPU from one thread to another"),
        SOFTWARE("cs", CONTEXT_SWITCHES, NULL),
        SOFTWARE("cpu-migrations", CPU_MIGRATIONS, "Moves of a thread to another CPU"),
        SOFTWARE("migrations", CPU_MIGRATIONS, NULL),
        SOFTWARE("minor-faults", PAGE_FAULTS_MIN, "Page faults that were served without the disk"),
        SOFTWARE("major-faults", PAGE_FAULTS_MAJ, "Page faults that were served from the disk"),
        SOFTWARE("alignment-faults", ALIGNMENT_FAULTS, "Unaligned accesses that the kernel handled; x86 has none"),
        SOFTWARE("emulation-faults", EMULATION_FAULTS, "Instructions that the kernel emulated for user space"),
        SOFTWARE("dummy", DUMMY, "Counts nothing; for the records of maps, names and forks"),
        SOFTWARE("cgroup-switches", CGROUP_SWITCHES, "Switches of a CPU to a thread of another control group"),
        SOFTWARE("bpf-output", BPF_OUTPUT, "Output of BPF programs, by bpf_perf_event_output()"),
};

bool event_name_find(const char *word, uint32_t *ret_type, uint64_t *ret_config) {
        for (size_t i = 0; i < ELEMENTSOF(event_names); i++)
                if (streq(event_names[i].name, word)) {
                        *ret_type = event_names[i].type;
                        *ret_config = event_names[i].config;
                        return true;
                }
        return false;
}

const char *event_name_at(size_t i, uint32_t *ret_type, uint64_t *ret_config) {
        if (i >= ELEMENTSOF(event_names))
                return NULL;
        *ret_type = event_names[i].type;
        *ret_config = event_names[i].config;
        return event_names[i].name;
}

typedef struct CacheName {
        const char *name;
        unsigned value;
        unsigned operations; /* of a cache: its operations, as bits */
} CacheName;

#define LOADS (1U << PERF_COUNT_HW_CACHE_OP_READ)
#define ALL (LOADS | 1U << PERF_COUNT_HW_CACHE_OP_WRITE | 1U << PERF_COUNT_HW_CACHE_OP_PREFETCH)
#define NO_STORES (LOADS | 1U << PERF_COUNT_HW_CACHE_OP_PREFETCH)

static const CacheName caches[] = {
        { "L1-dcache", PERF_COUNT_HW_CACHE_L1D, ALL },
        { "L1-data", PERF_COUNT_HW_CACHE_L1D, ALL },
        { "l1-d", PERF_COUNT_HW_CACHE_L1D, ALL },
        { "l1d", PERF_COUNT_HW_CACHE_L1D, ALL },
        { "L1-icache", PERF_COUNT_HW_CACHE_L1I, NO_STORES },
        { "L1-instruction", PERF_COUNT_HW_CACHE_L1I, NO_STORES },
        { "l1-i", PERF_COUNT_HW_CACHE_L1I, NO_STORES },
        { "l1i", PERF_COUNT_HW_CACHE_L1I, NO_STORES },
        { "LLC", PERF_COUNT_HW_CACHE_LL, ALL },
        { "L2", PERF_COUNT_HW_CACHE_LL, ALL },
        { "dTLB", PERF_COUNT_HW_CACHE_DTLB, ALL },
        { "d-tlb", PERF_COUNT_HW_CACHE_DTLB, ALL },
        { "Data-TLB", PERF_COUNT_HW_CACHE_DTLB, ALL },
        { "iTLB", PERF_COUNT_HW_CACHE_ITLB, LOADS },
        { "i-tlb", PERF_COUNT_HW_CACHE_ITLB, LOADS },
        { "Instruction-TLB", PERF_COUNT_HW_CACHE_ITLB, LOADS },
        { "branch", PERF_COUNT_HW_CACHE_BPU, LOADS },
        { "branches", PERF_COUNT_HW_CACHE_BPU, LOADS },
        { "bpu", PERF_COUNT_HW_CACHE_BPU, LOADS },
        { "btb", PERF_COUNT_HW_CACHE_BPU, LOADS },
        { "bpc", PERF_COUNT_HW_CACHE_BPU, LOADS },
        { "node", PERF_COUNT_HW_CACHE_NODE, ALL },
};

static const CacheName operations[] = {
        { "load", PERF_COUNT_HW_CACHE_OP_READ, 0 },
        { "loads", PERF_COUNT_HW_CACHE_OP_READ, 0 },
        { "read", PERF_COUNT_HW_CACHE_OP_READ, 0 },
        { "store", PERF_COUNT_HW_CACHE_OP_WRITE, 0 },
        { "stores", PERF_COUNT_HW_CACHE_OP_WRITE, 0 },
        { "write", PERF_COUNT_HW_CACHE_OP_WRITE, 0 },
        { "prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH, 0 },
        { "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH, 0 },
        { "speculative-read", PERF_COUNT_HW_CACHE_OP_PREFETCH, 0 },
        { "speculative-load", PERF_COUNT_HW_CACHE_OP_PREFETCH, 0 },
};

static const CacheName results[] = {
        { "refs", PERF_COUNT_HW_CACHE_RESULT_ACCESS, 0 },
        { "Reference", PERF_COUNT_HW_CACHE_RESULT_ACCESS, 0 },
        { "ops", PERF_COUNT_HW_CACHE_RESULT_ACCESS, 0 },
        { "access", PERF_COUNT_HW_CACHE_RESULT_ACCESS, 0 },
        { "misses", PERF_COUNT_HW_CACHE_RESULT_MISS, 0 },
        { "miss", PERF_COUNT_HW_CACHE_RESULT_MISS, 0 },
};

/* Returns the longest name of the table that *word starts with, up to a '-' or the end, and moves *word behind
 * both. */
static const CacheName *take_name(const char **word, const CacheName *table, size_t n) {
        const CacheName *best = NULL;
        size_t length = 0;

        for (size_t i = 0; i < n; i++) {
                const char *rest = startswith(*word, table[i].name);

                if (rest && (*rest == '-' || !*rest) && strlen(table[i].name) > length) {
                        best = &table[i];
                        length = strlen(best->name);
                }
        }
        if (best)
                *word += length + ((*word)[length] == '-' && (*word)[length + 1]);
        return best;
}

bool event_name_find_cache(const char *word, uint64_t *ret_config) {
        const CacheName *cache, *operation = NULL, *result = NULL;
        unsigned op;

        cache = take_name(&word, caches, ELEMENTSOF(caches));
        if (!cache)
                return false;
        if (*word)
                operation = take_name(&word, operations, ELEMENTSOF(operations));
        if (*word)
                result = take_name(&word, results, ELEMENTSOF(results));
        if (*word && !operation) /* perf takes the other order too */
                operation = take_name(&word, operations, ELEMENTSOF(operations));
        op = operation ? operation->value : PERF_COUNT_HW_CACHE_OP_READ;
        if (*word || !(cache->operations & (1U << op)))
                return false;

        *ret_config = cache->value | (uint64_t) op << 8 |
                      (uint64_t) (result ? result->value : PERF_COUNT_HW_CACHE_RESULT_ACCESS) << 16;
        return true;
}

/* config is CACHE | OPERATION << 8 | RESULT << 16. */
static int event_name_describe_cache(uint64_t config, char **ret) {
        static const char *const cache_titles[] = {
                [PERF_COUNT_HW_CACHE_L1D] = "data cache of level 1",
                [PERF_COUNT_HW_CACHE_L1I] = "instruction cache of level 1",
                [PERF_COUNT_HW_CACHE_LL] = "cache of the last level",
                [PERF_COUNT_HW_CACHE_DTLB] = "TLB for data",
                [PERF_COUNT_HW_CACHE_ITLB] = "TLB for instructions",
                [PERF_COUNT_HW_CACHE_BPU] = "branch prediction unit",
                [PERF_COUNT_HW_CACHE_NODE] = "memory of the CPU's own node",
        }, *const operation_titles[] = {
                [PERF_COUNT_HW_CACHE_OP_READ] = "Loads", [PERF_COUNT_HW_CACHE_OP_WRITE] = "Stores",
                [PERF_COUNT_HW_CACHE_OP_PREFETCH] = "Prefetches",
        }, *const result_titles[] = {
                [PERF_COUNT_HW_CACHE_RESULT_ACCESS] = "by way of", [PERF_COUNT_HW_CACHE_RESULT_MISS] = "that missed",
        };
        uint64_t cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16;

        if (cache >= ELEMENTSOF(cache_titles) || operation >= ELEMENTSOF(operation_titles) || result >= ELEMENTSOF(result_titles))
                return -ENOENT;
        *ret = format_text("%s %s the %s", operation_titles[operation], result_titles[result], cache_titles[cache]);
        return *ret ? 0 : -ENOMEM;
}

int event_name_describe(uint32_t type, uint64_t config, char **ret) {
        if (type == PERF_TYPE_HW_CACHE)
                return event_name_describe_cache(config, ret);
        for (size_t i = 0; i < ELEMENTSOF(event_names); i++)
                if (event_names[i].type == type && event_names[i].config == config) {
                        *ret = strdup(event_names[i].meaning);
                        return *ret ? 0 : -ENOMEM;
                }
        return -ENOENT;
}

int event_name_parse_raw(const char *word, uint64_t *ret_config) {
        const char *digits = startswith(word, "r0x") ?: startswith(word, "r");
        size_t n = digits ? strspn(digits, "0123456789abcdefABCDEF") : 0;

        if (n == 0 || digits[n])
                return -EINVAL;
        if (n > 16)
                return -ERANGE;
        *ret_config = strtoull(digits, NULL, 16);
        return 0;
}

int event_name_list_cache(char ***ret) {
        static const char *const first_names[] = { "load", "store", "prefetch" }, *const plurals[] = { "s", "s", "es" };
        _cleanup_strv_free_ char **names = NULL;
        unsigned last = UINT32_MAX;
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(caches) && r >= 0; i++) {
                if (caches[i].value == last)
                        continue;
                last = caches[i].value;
                for (unsigned op = 0; op < ELEMENTSOF(first_names) && r >= 0; op++) {
                        if (!(caches[i].operations & (1U << op)))
                                continue;
                        r = strv_extendf(&names, "%s-%s%s", caches[i].name, first_names[op], plurals[op]);
                        if (r >= 0)
                                r = strv_extendf(&names, "%s-%s-misses", caches[i].name, first_names[op]);
                }
        }
        if (r < 0)
                return r;
        *ret = steal_ptr(names);
        return 0;
}

void event_name_offer(NearNames *near) {
        _cleanup_strv_free_ char **cache_names = NULL;

        for (size_t i = 0; i < ELEMENTSOF(event_names); i++)
                near_names_offer(near, event_names[i].name);
        if (event_name_list_cache(&cache_names) >= 0)
                STRV_FOREACH(name, cache_names)
                        near_names_offer(near, *name);
}

int event_name_add_user(char **name) {
        char *longer = format_text("%s%su", *name, strpbrk(*name, ":/") ? "" : ":");

        if (!longer)
                return -ENOMEM;
        free(*name);
        *name = longer;
        return 0;
}

/* As perf does, shows excluded levels by those that remain, and omits exclude_guest if another modifier implies it. */
static void add_modifiers(FILE *f, const struct perf_event_attr *a) {
        bool usual_guest = a->precise_ip > 0, colon = false;
        const char *separator = ":";

        if (a->exclude_user || a->exclude_kernel || a->exclude_hv) {
                (void) fprintf(f, "%s%s%s%s", separator, a->exclude_kernel ? "" : "k", a->exclude_user ? "" : "u",
                               a->exclude_hv ? "" : "h");
                usual_guest = colon = true;
        }
        if (a->precise_ip > 0) {
                (void) fprintf(f, "%s%.*s", colon ? "" : separator, (int) a->precise_ip, "ppp");
                colon = true;
        }
        if (a->exclude_host || a->exclude_guest == usual_guest)
                (void) fprintf(f, "%s%s%s", colon ? "" : separator, a->exclude_host ? "" : "H", a->exclude_guest ? "" : "G");
}

char *event_name_of(const struct perf_event_attr *attr) {
        const char *name = NULL;
        char *text = NULL;
        size_t size = 0;
        FILE *f;

        for (size_t i = 0; i < ELEMENTSOF(event_names) && !name; i++)
                if (event_names[i].type == attr->type && event_names[i].config == attr->config)
                        name = event_names[i].name;
        f = open_memstream(&text, &size);
        if (!f)
                return NULL;
        if (name)
                (void) fputs(name, f);
        else
                (void) fprintf(f, "raw %#llx", (unsigned long long) attr->config);
        add_modifiers(f, attr);
        if (fclose(f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}
