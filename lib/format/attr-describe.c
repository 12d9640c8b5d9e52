/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Prints struct perf_event_attr field by field, as perf does: in the order of the structure, zeros left out. Scripts read
 * these lines, so names and forms are perf's. */

#include "attr-describe.h"

#include <inttypes.h>

typedef struct Writer {
        FILE *f;
        AttrForm form;
        bool first;
} Writer;

static void put_text(Writer *w, const char *name, const char *value) {
        if (w->form == ATTR_FORM_LINES)
                (void) fprintf(w->f, "  %-32s %s\n", name, value);
        else if (w->form == ATTR_FORM_HEADER)
                (void) fprintf(w->f, ", %s = %s", name, value);
        else
                (void) fprintf(w->f, "%s%s: %s", w->first ? "" : ", ", name, value);
        w->first = false;
}

static void put_number(Writer *w, const char *name, uint64_t v) {
        char buf[32];

        (void) snprintf(buf, sizeof(buf), "%" PRIu64, v);
        if (v > 0)
                put_text(w, name, buf);
}

static void put_hex(Writer *w, const char *name, uint64_t v) {
        char buf[32];

        (void) snprintf(buf, sizeof(buf), "%#" PRIx64, v);
        if (v > 0)
                put_text(w, name, buf);
}

typedef struct BitName {
        uint64_t bit;
        const char *name;
} BitName;

/* Prints the bits that are set, "A|B", in the order of the list. */
static void put_bits(Writer *w, const char *name, uint64_t v, const BitName *names, size_t n) {
        char buf[512];
        size_t used = 0;

        for (size_t i = 0; i < n; i++)
                if ((v & names[i].bit) && used < sizeof(buf))
                        used += (size_t) snprintf(buf + used, sizeof(buf) - used, "%s%s", used ? "|" : "", names[i].name);
        if (used > 0)
                put_text(w, name, buf);
}

#define SAMPLE(n) { PERF_SAMPLE_##n, #n }
static const BitName sample_names[] = { /* perf's order, not that of the bits */
        SAMPLE(IP), SAMPLE(TID), SAMPLE(TIME), SAMPLE(ADDR), SAMPLE(READ), SAMPLE(CALLCHAIN), SAMPLE(ID), SAMPLE(CPU),
        SAMPLE(PERIOD), SAMPLE(STREAM_ID), SAMPLE(RAW), SAMPLE(BRANCH_STACK), SAMPLE(REGS_USER), SAMPLE(STACK_USER),
        SAMPLE(IDENTIFIER), SAMPLE(REGS_INTR), SAMPLE(DATA_SRC), SAMPLE(WEIGHT), SAMPLE(PHYS_ADDR), SAMPLE(AUX),
        SAMPLE(CGROUP), SAMPLE(DATA_PAGE_SIZE), SAMPLE(CODE_PAGE_SIZE), SAMPLE(WEIGHT_STRUCT),
};

#define READ(n) { PERF_FORMAT_##n, #n }
static const BitName read_names[] = { READ(TOTAL_TIME_ENABLED), READ(TOTAL_TIME_RUNNING), READ(ID), READ(GROUP), READ(LOST) };

#define BRANCH(n) { PERF_SAMPLE_BRANCH_##n, #n }
static const BitName branch_names[] = {
        BRANCH(USER), BRANCH(KERNEL), BRANCH(HV), BRANCH(ANY), BRANCH(ANY_CALL), BRANCH(ANY_RETURN), BRANCH(IND_CALL),
        BRANCH(ABORT_TX), BRANCH(IN_TX), BRANCH(NO_TX), BRANCH(COND), BRANCH(CALL_STACK), BRANCH(IND_JUMP), BRANCH(CALL),
        BRANCH(NO_FLAGS), BRANCH(NO_CYCLES), BRANCH(TYPE_SAVE), BRANCH(HW_INDEX), BRANCH(PRIV_SAVE),
};

static void put_flags(Writer *w, const struct perf_event_attr *a) {
        put_number(w, "disabled", a->disabled);
        put_number(w, "inherit", a->inherit);
        put_number(w, "pinned", a->pinned);
        put_number(w, "exclusive", a->exclusive);
        put_number(w, "exclude_user", a->exclude_user);
        put_number(w, "exclude_kernel", a->exclude_kernel);
        put_number(w, "exclude_hv", a->exclude_hv);
        put_number(w, "exclude_idle", a->exclude_idle);
        put_number(w, "mmap", a->mmap);
        put_number(w, "comm", a->comm);
        put_number(w, "freq", a->freq);
        put_number(w, "inherit_stat", a->inherit_stat);
        put_number(w, "enable_on_exec", a->enable_on_exec);
        put_number(w, "task", a->task);
        put_number(w, "watermark", a->watermark);
        put_number(w, "precise_ip", a->precise_ip);
        put_number(w, "mmap_data", a->mmap_data);
        put_number(w, "sample_id_all", a->sample_id_all);
        put_number(w, "exclude_host", a->exclude_host);
        put_number(w, "exclude_guest", a->exclude_guest);
        put_number(w, "exclude_callchain_kernel", a->exclude_callchain_kernel);
        put_number(w, "exclude_callchain_user", a->exclude_callchain_user);
        put_number(w, "mmap2", a->mmap2);
        put_number(w, "comm_exec", a->comm_exec);
        put_number(w, "use_clockid", a->use_clockid);
        put_number(w, "context_switch", a->context_switch);
        put_number(w, "write_backward", a->write_backward);
        put_number(w, "namespaces", a->namespaces);
        put_number(w, "ksymbol", a->ksymbol);
        put_number(w, "bpf_event", a->bpf_event);
        put_number(w, "cgroup", a->cgroup);
        put_number(w, "text_poke", a->text_poke);
        put_number(w, "build_id", a->build_id);
}

char *attr_describe(const struct perf_event_attr *a, AttrForm form) {
        char *text = NULL;
        size_t size = 0;
        Writer w = { .f = open_memstream(&text, &size), .form = form, .first = true };

        if (!w.f)
                return NULL;
        put_number(&w, "type", a->type);
        put_number(&w, "size", a->size);
        put_hex(&w, "config", a->config);
        put_number(&w, "{ sample_period, sample_freq }", a->sample_period);
        put_bits(&w, "sample_type", a->sample_type, sample_names, ELEMENTSOF(sample_names));
        put_bits(&w, "read_format", a->read_format, read_names, ELEMENTSOF(read_names));
        put_flags(&w, a);
        put_number(&w, "{ wakeup_events, wakeup_watermark }", a->wakeup_events);
        put_number(&w, "bp_type", a->bp_type);
        put_hex(&w, "{ bp_addr, config1 }", a->bp_addr);
        put_hex(&w, "{ bp_len, config2 }", a->bp_len);
        put_bits(&w, "branch_sample_type", a->branch_sample_type, branch_names, ELEMENTSOF(branch_names));
        put_hex(&w, "sample_regs_user", a->sample_regs_user);
        put_number(&w, "sample_stack_user", a->sample_stack_user);
        put_number(&w, "clockid", (uint64_t) (unsigned) a->clockid);
        put_hex(&w, "sample_regs_intr", a->sample_regs_intr);
        put_number(&w, "sample_max_stack", a->sample_max_stack);
        if (fclose(w.f) != 0) {
                free(text);
                return NULL;
        }
        return text;
}
