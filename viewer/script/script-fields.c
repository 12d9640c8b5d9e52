/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Choosing follows perf script: fields that are set replace the defaults, + and - change them; a list for all types
 * leaves out what a type cannot have, one for a single type is refused then. */

#include "script-fields.h"

#include <stdio.h>

#include "array.h"
#include "attr-kind.h"
#include "string-table.h"
#include "utf8.h"

#define EVENT_NAME_MAX ((size_t) 4096) /* bytes */

#define WEIGHTS (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)

static const char *const field_words[] = {
        [SCRIPT_COMM] = "comm", [SCRIPT_TID] = "tid", [SCRIPT_PID] = "pid", [SCRIPT_TIME] = "time", [SCRIPT_CPU] = "cpu",
        [SCRIPT_EVENT] = "event", [SCRIPT_TRACE] = "trace", [SCRIPT_IP] = "ip", [SCRIPT_SYM] = "sym", [SCRIPT_DSO] = "dso",
        [SCRIPT_ADDR] = "addr", [SCRIPT_SYMOFF] = "symoff", [SCRIPT_PERIOD] = "period", [SCRIPT_IREGS] = "iregs",
        [SCRIPT_UREGS] = "uregs", [SCRIPT_WEIGHT] = "weight", [SCRIPT_BPF_OUTPUT] = "bpf-output",
        [SCRIPT_PHYS_ADDR] = "phys_addr", [SCRIPT_MISC] = "misc", [SCRIPT_TOD] = "tod",
        [SCRIPT_DATA_PAGE_SIZE] = "data_page_size", [SCRIPT_CODE_PAGE_SIZE] = "code_page_size", [SCRIPT_INS_LAT] = "ins_lat",
        [SCRIPT_FLAGS] = "flags", [SCRIPT_CGROUP] = "cgroup", [SCRIPT_SRCLINE] = "srcline",
        [SCRIPT_BRSTACK] = "brstack",
        [SCRIPT_BRSTACKSYM] = "brstacksym", [SCRIPT_BRSTACKOFF] = "brstackoff",
        [SCRIPT_DATA_SRC] = "data_src", [SCRIPT_RETIRE_LAT] = "retire_lat", [SCRIPT_DSOFF] = "dsoff",
        [SCRIPT_MACHINE_PID] = "machine_pid", [SCRIPT_VCPU] = "vcpu", [SCRIPT_IPC] = "ipc", [SCRIPT_SYNTH] = "synth",
        [SCRIPT_INSN] = "insn", [SCRIPT_INSNLEN] = "insnlen", [SCRIPT_DISASM] = "disasm",
};

/* The parts that a sample must have for a field, any of them. */
static const uint64_t sample_types[_SCRIPT_FIELD_MAX] = {
        [SCRIPT_TID] = PERF_SAMPLE_TID, [SCRIPT_PID] = PERF_SAMPLE_TID, [SCRIPT_TIME] = PERF_SAMPLE_TIME,
        [SCRIPT_CPU] = PERF_SAMPLE_CPU, [SCRIPT_IP] = PERF_SAMPLE_IP, [SCRIPT_ADDR] = PERF_SAMPLE_ADDR,
        [SCRIPT_SYM] = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR, [SCRIPT_DSO] = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR,
        [SCRIPT_IREGS] = PERF_SAMPLE_REGS_INTR, [SCRIPT_UREGS] = PERF_SAMPLE_REGS_USER, [SCRIPT_WEIGHT] = WEIGHTS,
        [SCRIPT_INS_LAT] = PERF_SAMPLE_WEIGHT_STRUCT, [SCRIPT_PHYS_ADDR] = PERF_SAMPLE_PHYS_ADDR,
        [SCRIPT_DATA_PAGE_SIZE] = PERF_SAMPLE_DATA_PAGE_SIZE, [SCRIPT_CODE_PAGE_SIZE] = PERF_SAMPLE_CODE_PAGE_SIZE,
        [SCRIPT_CGROUP] = PERF_SAMPLE_CGROUP, [SCRIPT_BRSTACK] = PERF_SAMPLE_BRANCH_STACK,
        [SCRIPT_BRSTACKSYM] = PERF_SAMPLE_BRANCH_STACK, [SCRIPT_BRSTACKOFF] = PERF_SAMPLE_BRANCH_STACK,
        [SCRIPT_DATA_SRC] = PERF_SAMPLE_DATA_SRC, [SCRIPT_RETIRE_LAT] = PERF_SAMPLE_WEIGHT_STRUCT,
        [SCRIPT_INSN] = PERF_SAMPLE_IP, [SCRIPT_INSNLEN] = PERF_SAMPLE_IP, [SCRIPT_DISASM] = PERF_SAMPLE_IP,
};

#define START  (SCRIPT_FIELD(COMM) | SCRIPT_FIELD(TID) | SCRIPT_FIELD(CPU) | SCRIPT_FIELD(TIME) | SCRIPT_FIELD(EVENT))
#define PLACE  (SCRIPT_FIELD(IP) | SCRIPT_FIELD(SYM) | SCRIPT_FIELD(SYMOFF) | SCRIPT_FIELD(DSO))
#define MEMORY (SCRIPT_FIELD(ADDR) | SCRIPT_FIELD(WEIGHT) | SCRIPT_FIELD(PHYS_ADDR) | SCRIPT_FIELD(DATA_PAGE_SIZE) | \
                SCRIPT_FIELD(CODE_PAGE_SIZE) | SCRIPT_FIELD(INS_LAT) | SCRIPT_FIELD(DATA_SRC))

typedef struct ScriptType {
        const char *word;   /* of -F; NULL: none */
        uint64_t fields, invalid;
} ScriptType;

static const ScriptType types[SCRIPT_TYPES] = {
        [PERF_TYPE_HARDWARE] = { "hw", START | PLACE | SCRIPT_FIELD(PERIOD),
                                 SCRIPT_FIELD(TRACE) | SCRIPT_FIELD(BPF_OUTPUT) },
        [PERF_TYPE_SOFTWARE] = { "sw", START | PLACE | SCRIPT_FIELD(PERIOD) | SCRIPT_FIELD(BPF_OUTPUT),
                                 SCRIPT_FIELD(TRACE) },
        [PERF_TYPE_TRACEPOINT] = { "trace", START | SCRIPT_FIELD(TRACE), 0 },
        [PERF_TYPE_HW_CACHE] = { NULL, START | PLACE | SCRIPT_FIELD(PERIOD),
                                 SCRIPT_FIELD(TRACE) | SCRIPT_FIELD(BPF_OUTPUT) },
        [PERF_TYPE_RAW] = { "raw", START | PLACE | SCRIPT_FIELD(PERIOD) | MEMORY,
                            SCRIPT_FIELD(TRACE) | SCRIPT_FIELD(BPF_OUTPUT) },
        [PERF_TYPE_BREAKPOINT] = { "break", START | PLACE | SCRIPT_FIELD(PERIOD),
                                   SCRIPT_FIELD(TRACE) | SCRIPT_FIELD(BPF_OUTPUT) },
        [PERF_TYPE_MAX] = { "synth", START | PLACE | SCRIPT_FIELD(PERIOD), 0 },
};

void script_fields_init(ScriptFields *f) {
        *f = (ScriptFields) {};
        for (size_t i = 0; i < SCRIPT_TYPES; i++)
                f->types[i].fields = types[i].fields;
}

static size_t fields_type_of(const struct perf_event_attr *attr) {
        return MIN_OF(attr->type, (uint32_t) PERF_TYPE_MAX);
}

static int fields_fail(const char *words, const char *why) {
        (void) fprintf(stderr, "--fields: %s: '%s'\n", why, words);
        return -EINVAL;
}

static void change_field(ScriptTypeFields *t, ScriptField field, bool removed) {
        if (removed) {
                t->fields &= ~(UINT64_C(1) << field);
                t->wanted &= ~(UINT64_C(1) << field);
        } else {
                t->fields |= UINT64_C(1) << field;
                t->wanted |= UINT64_C(1) << field;
        }
        t->chosen = true;
}

/* type: SIZE_MAX: all. */
static int fields_take_field(ScriptFields *f, size_t type, const char *word, bool removed) {
        ScriptField field = (ScriptField) string_table_value(field_words, ELEMENTSOF(field_words), word);

        if ((int) field < 0)
                return fields_fail(word, "there is no such field");
        if (type != SIZE_MAX && types[type].invalid & UINT64_C(1) << field)
                return fields_fail(word, "events of this type have no such field");
        for (size_t i = 0; i < SCRIPT_TYPES; i++)
                if ((type == SIZE_MAX && !(types[i].invalid & UINT64_C(1) << field)) || type == i)
                        change_field(f->types + i, field, removed);
        return 0;
}

/* True if a word of the list begins with + or -. */
static bool is_change(const char *list) {
        for (; list; list = strchr(list, ','), list = list ? list + 1 : NULL)
                if (*list == '+' || *list == '-')
                        return true;
        return false;
}

static int fields_take_words(ScriptFields *f, size_t type, char *list, const char *words) {
        bool changes = is_change(list);
        char *rest, *word;
        int r = 0;

        for (size_t i = 0; !changes && i < SCRIPT_TYPES; i++)
                if (type == SIZE_MAX || type == i)
                        f->types[i] = (ScriptTypeFields) { .chosen = true };
        for (word = strtok_r(list, ",", &rest); r >= 0 && word; word = strtok_r(NULL, ",", &rest)) {
                bool is_signed = *word == '+' || *word == '-';

                if (changes && !is_signed)
                        return fields_fail(words, "fields with + or - and fields without cannot be mixed");
                r = fields_take_field(f, type, word + is_signed, *word == '-');
        }
        return r;
}

int script_fields_parse(ScriptFields *f, const char *words) {
        _cleanup_free_ char *copy = strdup(words);
        char *colon = copy ? strchr(copy, ':') : NULL, *list = colon ? colon + 1 : copy;
        size_t type = SIZE_MAX;

        if (!copy)
                return -ENOMEM;
        if (!*copy)
                return fields_fail(words, "no fields for all types of events");
        if (colon) {
                *colon = '\0';
                for (type = 0; type < SCRIPT_TYPES; type++)
                        if (types[type].word && streq(copy, types[type].word))
                                break;
                if (type == SCRIPT_TYPES)
                        return fields_fail(words, "the types of events are hw, sw, trace, raw, break and synth");
        }
        return fields_take_words(f, type, list, words);
}

static const PerfDataEvent *find_first(const PerfDataEvent *events, size_t n, size_t type) {
        for (size_t i = 0; i < n; i++)
                if (fields_type_of(&events[i].attr) == type && !attr_is_dummy(&events[i].attr))
                        return events + i;
        return NULL;
}

static int fail_without(const PerfDataEvent *e, const char *field) {
        _cleanup_free_ char *name = utf8_line(e->name ?: "an event", SIZE_MAX, EVENT_NAME_MAX);

        (void) fprintf(stderr, "Samples of '%s' have no field '%s'\n", name ?: "an event", field);
        return -EINVAL;
}

static int fields_check_event(ScriptTypeFields *t, const PerfDataEvent *e) {
        for (size_t i = 0; i < _SCRIPT_FIELD_MAX; i++) {
                uint64_t bit = UINT64_C(1) << i;

                if (!(t->fields & bit) || sample_types[i] == 0 || e->attr.sample_type & sample_types[i])
                        continue;
                if (t->wanted & bit)
                        return fail_without(e, field_words[i]);
                t->fields &= ~bit;
        }
        if (t->fields & SCRIPT_FIELD(SYMOFF) && !(t->fields & SCRIPT_FIELD(SYM))) {
                if (t->wanted & SCRIPT_FIELD(SYMOFF)) {
                        (void) fprintf(stderr, "The field 'symoff' is an offset in a symbol, and needs the field 'sym'\n");
                        return -EINVAL;
                }
                t->fields &= ~SCRIPT_FIELD(SYMOFF);
        }
        if (t->fields & SCRIPT_FIELD(DSOFF) && !(t->fields & SCRIPT_FIELD(DSO))) {
                (void) fprintf(stderr, "The field 'dsoff' is an offset in a binary, and needs the field 'dso'\n");
                return -EINVAL;
        }
        if (t->fields & SCRIPT_FIELD(SRCLINE) && !(t->fields & SCRIPT_FIELD(IP))) {
                (void) fprintf(stderr, "The field 'srcline' is the line of an address, and needs the field 'ip'\n");
                return -EINVAL;
        }
        return 0;
}

int script_fields_check(ScriptFields *f, const PerfDataEvent *events, size_t n_events, bool chains) {
        for (size_t i = 0; i < SCRIPT_TYPES; i++) {
                const PerfDataEvent *e = find_first(events, n_events, i);
                int r = e ? fields_check_event(f->types + i, e) : 0;

                if (r < 0)
                        return r;
        }
        if (chains && !f->types[PERF_TYPE_TRACEPOINT].chosen &&
            ANY_OF(n_events, i, events[i].attr.type == PERF_TYPE_TRACEPOINT && events[i].attr.sample_type & PERF_SAMPLE_CALLCHAIN))
                f->types[PERF_TYPE_TRACEPOINT].fields |= PLACE; /* they have it only in their call chain */
        return 0;
}

bool script_fields_have(const ScriptFields *f, ScriptField field) {
        return ANY_OF(SCRIPT_TYPES, i, f->types[i].fields >> field & 1);
}

uint64_t script_fields_of(const ScriptFields *f, const struct perf_event_attr *attr) {
        return f->types[fields_type_of(attr)].fields;
}

/* The address of a page fault is one of memory. */
bool script_fields_has_data_place(const struct perf_event_attr *attr) {
        return attr->type == PERF_TYPE_SOFTWARE &&
               (attr->config == PERF_COUNT_SW_PAGE_FAULTS || attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
                attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}
