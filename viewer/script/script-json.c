/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Times, periods and sizes are numbers; addresses are texts, since few readers of JSON have integers of 64 bits. What is not known
 * is left out. */

#include "script-json.h"

#include "data-source-text.h"
#include "json-writer.h"
#include "script-branches.h"
#include "script-raw.h"
#include "unwound-remark.h"
#include "utf8.h"

#define NSEC_PER_USEC UINT64_C(1000)
#define NAME_MAX_BYTES ((size_t) 4096)

typedef struct Object {
        ScriptSource *source;
        JsonWriter w;
        bool chains;
} Object;

/* The object's first member, behind which texts of places may come. */
static int put_event(Object *o, const Moment *s) {
        _cleanup_free_ char *name = utf8_line(s->event->name ?: "[unknown]", SIZE_MAX, NAME_MAX_BYTES);

        if (!name)
                return -ENOMEM;
        json_writer_text(&o->w, "event", name);
        return 0;
}

static void json_put_start(Object *o, const Moment *s, uint64_t fields) {
        if (fields & SCRIPT_FIELD(TIME))
                json_writer_number(&o->w, "timestamp", s->sample->time);
        if (fields & SCRIPT_FIELD(TOD))
                json_writer_number(&o->w, "realtime_usec", wall_clock_from_time(&o->source->wall, s->sample->time) / NSEC_PER_USEC);
        if (fields & (SCRIPT_FIELD(PID) | SCRIPT_FIELD(TID)) && s->event->attr.sample_type & PERF_SAMPLE_TID) {
                json_writer_number(&o->w, "pid", s->sample->pid);
                json_writer_number(&o->w, "tid", s->sample->tid);
        }
        if (fields & SCRIPT_FIELD(CPU))
                json_writer_number(&o->w, "cpu", s->sample->cpu);
        if (fields & SCRIPT_FIELD(COMM))
                json_writer_text(&o->w, "comm", replay_name(o->source->replay, s->name));
        if (fields & SCRIPT_FIELD(CGROUP) && replay_cgroup(o->source->replay, s->cgroup))
                json_writer_text(&o->w, "cgroup", replay_cgroup(o->source->replay, s->cgroup));
        if (fields & SCRIPT_FIELD(MISC))
                json_writer_number(&o->w, "misc", s->record->misc);
        if (fields & SCRIPT_FIELD(PERIOD))
                json_writer_number(&o->w, "period", s->sample->period);
}

static int put_trace(Object *o, const Moment *s) {
        _cleanup_(text_buffer_done) TextBuffer text = {};

        trace_texts_put(o->source->traces, s->number, s->sample, &text);
        text_buffer_putc(&text, '\0');
        if (text.error < 0)
                return text.error;
        if (text.n > 1)
                json_writer_text(&o->w, "trace", text.data);
        return 0;
}

/* An address of data may lie on the other side of the border than the code. */
static int json_put_data_address(Object *o, const Moment *s, uint64_t fields) {
        uint64_t address = s->sample->address;
        uint16_t cpumode = address >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
        int r = 0;

        json_writer_begin(&o->w, "addr", '{');
        json_writer_address(&o->w, "address", address);
        if (script_fields_has_data_place(&s->event->attr))
                r = frame_texts_put(o->source->frames, s, cpumode, address, fields, o->w.out);
        json_writer_end(&o->w, '}');
        return r;
}

static int json_put_code_address(Object *o, const Moment *s, uint64_t fields) {
        int r;

        if (o->chains && s->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
                json_writer_begin(&o->w, "callchain", '[');
                r = frame_texts_put_chain(o->source->frames, s, fields, o->w.out);
                json_writer_end(&o->w, ']');
                if (s->end < UNWIND_END_MAX)
                        json_writer_text(&o->w, "callchain_end", unwound_word(s->end));
                return r;
        }
        json_writer_address(&o->w, "ip", s->sample->ip);
        return frame_texts_put(o->source->frames, s, moment_mode(s), s->sample->ip, fields, o->w.out);
}

static void json_put_registers(Object *o, const char *key, uint64_t mask, const uint64_t *registers, size_t n) {
        size_t next = 0;

        if (!registers)
                return;
        json_writer_begin(&o->w, key, '{');
        for (size_t i = 0; i < 64 && next < n; i++)
                if (mask >> i & 1)
                        json_writer_address(&o->w, script_raw_register(o->source->machine, i), registers[next++]);
        json_writer_end(&o->w, '}');
}

static int json_put_bytes(Object *o, const char *key, const uint8_t *bytes, size_t size) {
        _cleanup_(text_buffer_done) TextBuffer text = {};

        for (size_t i = 0; bytes && i < size; i++) {
                text_buffer_putc(&text, "0123456789abcdef"[bytes[i] >> 4]);
                text_buffer_putc(&text, "0123456789abcdef"[bytes[i] & 15]);
        }
        text_buffer_putc(&text, '\0');
        if (text.error < 0)
                return text.error;
        json_writer_text(&o->w, key, text.data);
        return 0;
}

static int json_put_instruction(Object *o, const Moment *s, uint64_t fields) {
        InstructionCode code;
        int r = script_source_instruction(o->source, s, &code);

        if (r < 0 || code.size == 0)
                return r;
        if (fields & SCRIPT_FIELD(INSNLEN))
                json_writer_number(&o->w, "insnlen", code.size);
        if (fields & SCRIPT_FIELD(DISASM) && code.text)
                json_writer_text(&o->w, "disasm", code.text);
        return fields & SCRIPT_FIELD(INSN) ? json_put_bytes(o, "insn", code.bytes, code.size) : 0;
}

static int json_put_data_source(Object *o, uint64_t source) {
        _cleanup_(text_buffer_done) TextBuffer text = {};

        data_source_put(&text, source);
        text_buffer_putc(&text, '\0');
        if (text.error < 0)
                return text.error;
        json_writer_address(&o->w, "data_src", source);
        json_writer_text(&o->w, "data_src_text", text.data);
        return 0;
}

static int json_put_rest(Object *o, const Moment *s, uint64_t fields) {
        const struct perf_event_attr *attr = &s->event->attr;
        const PerfSample *sample = s->sample;
        bool parts = attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT;
        int r = 0;

        if (fields & SCRIPT_FIELD(WEIGHT))
                json_writer_number(&o->w, "weight", parts ? (uint32_t) sample->weight : sample->weight);
        if (fields & SCRIPT_FIELD(INS_LAT))
                json_writer_number(&o->w, "ins_lat", (uint16_t) (sample->weight >> 32));
        if (fields & SCRIPT_FIELD(RETIRE_LAT))
                json_writer_number(&o->w, "retire_lat", (uint16_t) (sample->weight >> 48));
        if (fields & SCRIPT_FIELD(DATA_SRC))
                r = json_put_data_source(o, sample->data_source);
        if (fields & SCRIPT_FIELD(IREGS))
                json_put_registers(o, "iregs", attr->sample_regs_intr, sample->intr_registers, sample->n_intr_registers);
        if (fields & SCRIPT_FIELD(UREGS))
                json_put_registers(o, "uregs", attr->sample_regs_user, sample->user_registers, sample->n_user_registers);
        if (r >= 0 && fields & SCRIPT_FIELD(BPF_OUTPUT) && attr->type == PERF_TYPE_SOFTWARE &&
            attr->config == PERF_COUNT_SW_BPF_OUTPUT)
                r = json_put_bytes(o, "bpf_output", sample->raw, sample->raw_size);
        if (r >= 0 && fields & SCRIPT_INSTRUCTIONS)
                r = json_put_instruction(o, s, fields);
        if (fields & SCRIPT_FIELD(PHYS_ADDR))
                json_writer_address(&o->w, "phys_addr", sample->physical_address);
        if (fields & SCRIPT_FIELD(DATA_PAGE_SIZE))
                json_writer_number(&o->w, "data_page_size", sample->data_page_size);
        if (fields & SCRIPT_FIELD(CODE_PAGE_SIZE))
                json_writer_number(&o->w, "code_page_size", sample->code_page_size);
        return r;
}

int script_json_sample(ScriptSource *source, bool chains, const Moment *s, TextBuffer *out) {
        Object o = { .source = source, .w = { .out = out }, .chains = chains };
        uint64_t fields = script_fields_of(source->fields, &s->event->attr);
        int r;

        if (fields == 0)
                return 0;
        json_writer_begin(&o.w, NULL, '{');
        r = put_event(&o, s);
        if (r < 0)
                return r;
        json_put_start(&o, s, fields);
        if (fields & SCRIPT_FIELD(TRACE) && s->sample->raw && source->traces)
                r = put_trace(&o, s);
        if (r >= 0 && fields & SCRIPT_FIELD(ADDR))
                r = json_put_data_address(&o, s, fields);
        if (r >= 0 && fields & SCRIPT_FIELD(IP))
                r = json_put_code_address(&o, s, fields);
        if (r >= 0 && fields & SCRIPT_BRANCHES)
                r = script_branches_put_json(source, s, fields, &o.w);
        if (r >= 0)
                r = json_put_rest(&o, s, fields);
        json_writer_end(&o.w, '}');
        text_buffer_putc(out, '\n');
        return r < 0 ? r : out->error;
}
