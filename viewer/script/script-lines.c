/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The order of the fields, their widths and blanks are perf script's (Linux 6.1). */

#include "script-lines.h"

#include <inttypes.h>
#include <time.h>

#include "data-source-text.h"
#include "script-branches.h"
#include "script-raw.h"
#include "unwound-remark.h"
#include "utf8.h"

#define NAME_MAX_BYTES ((size_t) 4096)
#define NSEC_PER_SEC UINT64_C(1000000000)

/* The fields of an event's lines. */
typedef struct EventPlan {
        uint64_t fields;
        char *name;       /* as wide as the widest, with its colon */
        bool callchain;
        bool has_address; /* its address is one of memory that a symbol may be at */
} EventPlan;

struct ScriptLines {
        ScriptSource *source;
        const ScriptStyle *style;
        TextBuffer *out;
        EventPlan *plans;
        size_t n_plans;
        ScriptTogether *together;
        TextBuffer words;         /* of a field */
        time_t tod_second;        /* of tod_text */
        char tod_text[32];
};

ScriptLines *script_lines_free(ScriptLines *l) {
        if (!l)
                return NULL;
        for (size_t i = 0; l->plans && i < l->n_plans; i++)
                free(l->plans[i].name);
        free(l->plans);
        text_buffer_done(&l->words);
        free(l);
        return NULL;
}

void script_together_add(ScriptTogether *t, const PerfDataReader *reader) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);

        for (size_t i = 0; i < n; i++)
                t->name_width = MAX_OF(t->name_width, MIN_OF(strlen(events[i].name ?: "[unknown]"), NAME_MAX_BYTES));
}

static int plan_events(ScriptLines *l, const PerfDataEvent *events, size_t n) {
        l->plans = calloc(n + 1, sizeof(*l->plans));
        l->n_plans = n;
        if (!l->plans)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *name = utf8_line(events[i].name ?: "[unknown]", SIZE_MAX, NAME_MAX_BYTES);

                if (!name || asprintf(&l->plans[i].name, "%*s: ", (int) l->together->name_width, name) < 0)
                        return -ENOMEM;
                l->plans[i].fields = script_fields_of(l->source->fields, &events[i].attr);
                l->plans[i].callchain = l->style->chains && events[i].attr.sample_type & PERF_SAMPLE_CALLCHAIN;
                l->plans[i].has_address = script_fields_has_data_place(&events[i].attr);
        }
        return 0;
}

int script_lines_new(ScriptSource *source, const ScriptStyle *style, ScriptTogether *together, TextBuffer *out, ScriptLines **ret) {
        _cleanup_script_lines_free_ ScriptLines *l = calloc(1, sizeof(*l));
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(source->reader, &events);
        int r;

        if (!l)
                return -ENOMEM;
        *l = (ScriptLines) { .source = source, .style = style, .together = together, .out = out, .tod_second = -1 };
        r = plan_events(l, events, n);
        if (r >= 0)
                *ret = steal_ptr(l);
        return r;
}

static void put_misc(TextBuffer *out, uint32_t record_type, uint16_t misc) {
        /* perf takes the numbers of the modes for bits */
        static const char *const modes[] = { "", "K", "U", "KUH", "G", "KGg", "UG", "KUHGg" };
        const char *mode = modes[misc & PERF_RECORD_MISC_CPUMODE_MASK], *more = "";

        if ((record_type == PERF_RECORD_MMAP || record_type == PERF_RECORD_MMAP2) && misc & PERF_RECORD_MISC_MMAP_DATA)
                more = "M";
        if (record_type == PERF_RECORD_COMM && misc & PERF_RECORD_MISC_COMM_EXEC)
                more = "E";
        if ((record_type == PERF_RECORD_SWITCH || record_type == PERF_RECORD_SWITCH_CPU_WIDE) && misc & PERF_RECORD_MISC_SWITCH_OUT)
                more = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "Sp" : "S";
        text_buffer_puts(out, mode);
        text_buffer_puts(out, more);
        for (size_t n = strlen(mode) + strlen(more); n < 6; n++)
                text_buffer_putc(out, ' ');
}

static void put_wall_clock(ScriptLines *l, uint64_t time) {
        uint64_t wall = wall_clock_from_time(&l->source->wall, time), rest = wall % NSEC_PER_SEC;
        time_t second = (time_t) (wall / NSEC_PER_SEC);
        struct tm tm;

        if (second != l->tod_second) {
                if (!localtime_r(&second, &tm) || strftime(l->tod_text, sizeof(l->tod_text), "%F %T", &tm) == 0)
                        (void) snprintf(l->tod_text, sizeof(l->tod_text), "failed");
                l->tod_second = second;
        }
        text_buffer_puts(l->out, l->tod_text);
        text_buffer_putc(l->out, '.');
        if (l->style->nanoseconds)
                text_buffer_digits(l->out, rest, 9);
        else
                text_buffer_digits(l->out, rest / 1000, 6);
        text_buffer_putc(l->out, ' ');
}

static void put_time(ScriptLines *l, uint64_t time) {
        ScriptTogether *t = l->together;
        uint64_t shown = time;

        if (l->style->relative) {
                if (t->first == 0)
                        t->first = time;
                shown = time - t->first;
        } else if (l->style->delta) {
                shown = t->previous > 0 ? time - t->previous : 0;
                t->previous = time;
        }
        text_buffer_decimal(l->out, shown / NSEC_PER_SEC, 5);
        text_buffer_putc(l->out, '.');
        if (l->style->nanoseconds)
                text_buffer_digits(l->out, shown % NSEC_PER_SEC, 9);
        else
                text_buffer_digits(l->out, shown % NSEC_PER_SEC / 1000, 6);
        text_buffer_put(l->out, ": ", 2);
}

/* A number that perf takes for a signed one. */
static void put_pid(TextBuffer *out, uint32_t pid, unsigned width, bool left) {
        char text[16];
        int n = snprintf(text, sizeof(text), "%d", (int) pid);

        if (left) {
                text_buffer_put(out, text, (size_t) n);
                while (n++ < (int) width)
                        text_buffer_putc(out, ' ');
        } else
                text_buffer_padded(out, text, width);
}

static void lines_put_thread(ScriptLines *l, uint64_t fields, const PerfSample *s) {
        TextBuffer *out = l->out;

        if (fields & SCRIPT_FIELD(PID) && fields & SCRIPT_FIELD(TID)) {
                put_pid(out, s->pid, 5, false);
                text_buffer_putc(out, '/');
                put_pid(out, s->tid, 5, true);
                text_buffer_putc(out, ' ');
        } else if (fields & (SCRIPT_FIELD(PID) | SCRIPT_FIELD(TID))) {
                put_pid(out, fields & SCRIPT_FIELD(PID) ? s->pid : s->tid, 5, false);
                text_buffer_putc(out, ' ');
        }
}

static void put_cpu(ScriptLines *l, uint32_t cpu) {
        TextBuffer *out = l->out;

        if (l->style->latency)
                text_buffer_decimal(out, cpu, 3);
        else {
                text_buffer_putc(out, '[');
                if (cpu == UINT32_MAX)
                        text_buffer_puts(out, "-01");
                else
                        text_buffer_digits(out, cpu, 3);
                text_buffer_putc(out, ']');
        }
        text_buffer_putc(out, ' ');
}

void script_lines_begin(ScriptLines *l, size_t event, const PerfSample *s, const char *comm, uint32_t record_type, uint16_t misc) {
        const EventPlan *plan = l->plans + event;
        uint64_t fields = plan->fields;

        if (fields & SCRIPT_FIELD(COMM)) {
                if (l->style->latency)
                        text_buffer_format(l->out, "%8.8s", comm);
                else
                        text_buffer_padded(l->out, comm, fields & SCRIPT_FIELD(IP) && plan->callchain ? 0 : 16);
                text_buffer_putc(l->out, ' ');
        }
        lines_put_thread(l, fields, s);
        if (fields & SCRIPT_FIELD(CPU))
                put_cpu(l, s->cpu);
        if (fields & SCRIPT_FIELD(MISC))
                put_misc(l->out, record_type, misc);
        if (fields & SCRIPT_FIELD(TOD))
                put_wall_clock(l, s->time);
        if (fields & SCRIPT_FIELD(TIME))
                put_time(l, s->time);
}

/* An address of data may lie on the other side of the border than the code. */
static int lines_put_data_address(ScriptLines *l, const Moment *s, uint64_t fields) {
        uint64_t address = s->sample->address;
        uint16_t cpumode = address >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;

        text_buffer_hex(l->out, address, 16);
        if (!l->plans[s->number].has_address || !(fields & (SCRIPT_FIELD(SYM) | SCRIPT_FIELD(DSO))))
                return 0;
        return frame_texts_put(l->source->frames, s, cpumode, address, fields, l->out);
}

/* Puts a line below the last frame of a call chain that is not whole: a comment, which what reads perf's text passes over. */
static void put_mark(ScriptLines *l, const Moment *s) {
        const char *reason = unwound_reason(s->end);

        if (!l->style->marks || !*reason)
                return;
        text_buffer_format(l->out, "# cut off: %s", reason);
        if (s->end == UNWIND_CUT && s->sample->stack_size > 0)
                text_buffer_format(l->out, " after %" PRIu64 " bytes", s->sample->stack_size);
        text_buffer_putc(l->out, '\n');
}

static int lines_put_code_address(ScriptLines *l, const Moment *s, uint64_t fields) {
        if (l->plans[s->number].callchain) {
                int r;

                text_buffer_putc(l->out, '\n');
                r = frame_texts_put_chain(l->source->frames, s, fields, l->out);
                put_mark(l, s);
                return r;
        }
        text_buffer_putc(l->out, ' ');
        text_buffer_hex(l->out, s->sample->ip, 16);
        return frame_texts_put(l->source->frames, s, moment_mode(s), s->sample->ip, fields, l->out);
}

static int lines_put_instruction(ScriptLines *l, const Moment *s, uint64_t fields) {
        InstructionCode code;
        int r = script_source_instruction(l->source, s, &code);

        if (fields & SCRIPT_FIELD(INSNLEN))
                text_buffer_format(l->out, " ilen: %u", code.size);
        if (fields & SCRIPT_FIELD(INSN) && code.size > 0) {
                text_buffer_puts(l->out, " insn:");
                for (size_t i = 0; i < code.size; i++)
                        text_buffer_format(l->out, " %02x", code.bytes[i]);
        }
        if (fields & SCRIPT_FIELD(DISASM) && code.text) {
                text_buffer_put(l->out, "\t\t", 2);
                text_buffer_puts(l->out, code.text);
        }
        return r;
}

/* Fields behind the places. */
static int lines_put_rest(ScriptLines *l, const Moment *s, uint64_t fields) {
        const struct perf_event_attr *attr = &s->event->attr;
        const char *machine = l->source->machine;
        const PerfSample *sample = s->sample;
        int r = 0;

        if (fields & SCRIPT_FIELD(IREGS))
                script_raw_registers(l->out, machine, sample->intr_abi, attr->sample_regs_intr, sample->intr_registers,
                                     sample->n_intr_registers);
        if (fields & SCRIPT_FIELD(UREGS))
                script_raw_registers(l->out, machine, sample->user_abi, attr->sample_regs_user, sample->user_registers,
                                     sample->n_user_registers);
        if (fields & SCRIPT_BRANCHES)
                r = script_branches_put(l->source, s, fields, l->out);
        if (fields & SCRIPT_FIELD(BPF_OUTPUT) && s->event->attr.type == PERF_TYPE_SOFTWARE &&
            s->event->attr.config == PERF_COUNT_SW_BPF_OUTPUT)
                script_raw_bytes(l->out, sample->raw, sample->raw_size);
        if (r >= 0 && fields & SCRIPT_INSTRUCTIONS)
                r = lines_put_instruction(l, s, fields);
        if (fields & SCRIPT_FIELD(PHYS_ADDR))
                text_buffer_hex(l->out, sample->physical_address, 16);
        if (fields & SCRIPT_FIELD(DATA_PAGE_SIZE)) {
                text_buffer_putc(l->out, ' ');
                page_size_put(l->out, sample->data_page_size);
        }
        if (fields & SCRIPT_FIELD(CODE_PAGE_SIZE)) {
                text_buffer_putc(l->out, ' ');
                page_size_put(l->out, sample->code_page_size);
        }
        return r;
}

/* As wide as the widest so far. */
static void lines_put_data_source(ScriptLines *l, uint64_t source) {
        ScriptTogether *t = l->together;

        l->words.n = 0;
        text_buffer_hex(&l->words, source, 16);
        text_buffer_putc(&l->words, ' ');
        data_source_put(&l->words, source);
        text_buffer_put(l->out, l->words.data, l->words.error == 0 ? l->words.n : 0);
        for (size_t n = l->words.n; n < t->source_width; n++)
                text_buffer_putc(l->out, ' ');
        t->source_width = MAX_OF(t->source_width, l->words.n);
}

static void put_weights(ScriptLines *l, const Moment *s, uint64_t fields) {
        bool parts = s->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT;

        if (fields & SCRIPT_FIELD(WEIGHT))
                text_buffer_decimal(l->out, parts ? (uint32_t) s->sample->weight : s->sample->weight, 16);
        if (fields & SCRIPT_FIELD(INS_LAT))
                text_buffer_decimal(l->out, (uint16_t) (s->sample->weight >> 32), 16);
        if (fields & SCRIPT_FIELD(RETIRE_LAT))
                text_buffer_decimal(l->out, (uint16_t) (s->sample->weight >> 48), 16);
}

int script_lines_sample(ScriptLines *l, const Moment *s) {
        const EventPlan *plan = l->plans + s->number;
        uint64_t fields = plan->fields;
        int r;

        if (fields == 0)
                return 0;
        script_lines_begin(l, s->number, s->sample, replay_name(l->source->replay, s->name), PERF_RECORD_SAMPLE, s->record->misc);
        if (fields & SCRIPT_FIELD(PERIOD)) {
                text_buffer_decimal(l->out, s->sample->period, 10);
                text_buffer_putc(l->out, ' ');
        }
        if (fields & SCRIPT_FIELD(EVENT))
                text_buffer_puts(l->out, plan->name);
        if (fields & SCRIPT_FIELD(FLAGS))
                text_buffer_padded(l->out, "", 24); /* of hardware traces only */
        if (fields & SCRIPT_FIELD(TRACE) && s->sample->raw && l->source->traces)
                trace_texts_put(l->source->traces, s->number, s->sample, l->out);
        r = fields & SCRIPT_FIELD(ADDR) ? lines_put_data_address(l, s, fields) : 0;
        if (fields & SCRIPT_FIELD(DATA_SRC))
                lines_put_data_source(l, s->sample->data_source);
        put_weights(l, s, fields);
        if (fields & SCRIPT_FIELD(CGROUP)) {
                text_buffer_putc(l->out, ' ');
                text_buffer_puts(l->out, replay_cgroup(l->source->replay, s->cgroup) ?: "unknown");
        }
        if (r >= 0 && fields & SCRIPT_FIELD(IP))
                r = lines_put_code_address(l, s, fields);
        if (r >= 0)
                r = lines_put_rest(l, s, fields);
        text_buffer_putc(l->out, '\n');
        return r < 0 ? r : l->out->error ?: l->words.error;
}
