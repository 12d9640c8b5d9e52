/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables: perf's names of the events that enum perf_hw_id, perf_sw_ids and perf_hw_cache_* of <linux/perf_event.h>
 * number. perf shows the first of several names for one event. */

#include "event-name.h"

#include "format-text.h"

typedef struct EventName {
        const char *name;
        uint32_t type;
        uint64_t config;
} EventName;

#define HARDWARE(n, c) { n, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##c }
#define SOFTWARE(n, c) { n, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##c }

static const EventName event_names[] = {
        HARDWARE("cycles", CPU_CYCLES),
        HARDWARE("cpu-cycles", CPU_CYCLES),
        HARDWARE("instructions", INSTRUCTIONS),
        HARDWARE("cache-references", CACHE_REFERENCES),
        HARDWARE("cache-misses", CACHE_MISSES),
        HARDWARE("branches", BRANCH_INSTRUCTIONS),
        HARDWARE("branch-instructions", BRANCH_INSTRUCTIONS),
        HARDWARE("branch-misses", BRANCH_MISSES),
        HARDWARE("bus-cycles", BUS_CYCLES),
        HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
        HARDWARE("idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
        HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
        HARDWARE("idle-cycles-backend", STALLED_CYCLES_BACKEND),
        HARDWARE("ref-cycles", REF_CPU_CYCLES),
        SOFTWARE("cpu-clock", CPU_CLOCK),
        SOFTWARE("task-clock", TASK_CLOCK),
        SOFTWARE("page-faults", PAGE_FAULTS),
        SOFTWARE("faults", PAGE_FAULTS),
        SOFTWARE("context-switches", CONTEXT_SWITCHES),
        SOFTWARE("cs", CONTEXT_SWITCHES),
        SOFTWARE("cpu-migrations", CPU_MIGRATIONS),
        SOFTWARE("migrations", CPU_MIGRATIONS),
        SOFTWARE("minor-faults", PAGE_FAULTS_MIN),
        SOFTWARE("major-faults", PAGE_FAULTS_MAJ),
        SOFTWARE("alignment-faults", ALIGNMENT_FAULTS),
        SOFTWARE("emulation-faults", EMULATION_FAULTS),
        SOFTWARE("dummy", DUMMY),
        SOFTWARE("cgroup-switches", CGROUP_SWITCHES),
        SOFTWARE("bpf-output", BPF_OUTPUT),
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
