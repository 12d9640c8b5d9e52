/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The layout is perf's (Linux 6.1). Records are not put into the order of time, and nothing is looked up: this shows
 * what is in the file. */

#include "raw-dump.h"

#include <inttypes.h>

#include "record-layout.h"
#include "record-text.h"
#include "sample.h"
#include "script-raw.h"

#define LINE_BYTES 16u

static void dump_put_bytes(TextBuffer *out, const struct perf_event_header *record) {
        const uint8_t *bytes = (const void *) record;

        text_buffer_format(out, ".\n. ... raw event: size %u bytes\n", record->size);
        for (size_t i = 0; i < record->size; i += LINE_BYTES) {
                text_buffer_format(out, ".  %04zx: ", i);
                script_raw_line(out, bytes, record->size, i, LINE_BYTES);
        }
        text_buffer_putc(out, '\n');
}

static void dump_put_registers(TextBuffer *out, const char *machine, const char *which, uint64_t abi, uint64_t mask,
                               const uint64_t *registers, size_t n) {
        size_t next = 0;

        if (!registers)
                return;
        text_buffer_format(out, "... %s regs: mask 0x%" PRIx64 " ABI %s\n", which, mask,
                           abi == PERF_SAMPLE_REGS_ABI_32 ? "32-bit" : abi == PERF_SAMPLE_REGS_ABI_64 ? "64-bit" : "unknown");
        for (size_t i = 0; i < 64 && next < n; i++)
                if (mask >> i & 1)
                        text_buffer_format(out, ".... %-5s 0x%016" PRIx64 "\n", script_raw_register(machine, i),
                                           registers[next++]);
}

static void dump_put_chain(TextBuffer *out, const PerfSample *s) {
        text_buffer_format(out, "... FP chain: nr:%zu\n", s->n_callchain);
        for (size_t i = 0; i < s->n_callchain; i++)
                text_buffer_format(out, "..... %2zu: %016" PRIx64 "\n", i, s->callchain[i]);
}

static void dump_put_branches(TextBuffer *out, const PerfSample *s) {
        text_buffer_format(out, "... branch stack: nr:%zu\n", s->n_branches);
        for (size_t i = 0; i < s->n_branches; i++)
                text_buffer_format(out, "..... %2zu: %016" PRIx64 " -> %016" PRIx64 " %s%s\n", i,
                                   (uint64_t) s->branches[i].from, (uint64_t) s->branches[i].to,
                                   s->branches[i].mispred ? "M" : " ", s->branches[i].predicted ? "P" : " ");
}

/* The place is that of the stack's size in the record, the last word of what is the user's if that is 0. */
static void dump_put_stack(TextBuffer *out, const struct perf_event_header *record, const PerfSample *s) {
        const uint64_t *size = s->stack ? (const uint64_t *) s->stack - 1 : s->user + s->n_user - 1;

        text_buffer_format(out, "... ustack: size %" PRIu64 ", offset 0x%zx\n", s->stack_size,
                           (size_t) ((const uint8_t *) size - (const uint8_t *) record));
}

/* id: the words behind the times, or behind the value in a group; those that the format has. */
static void put_counter(TextBuffer *out, uint64_t format, const uint64_t *value, const uint64_t *id) {
        text_buffer_format(out, "..... id %016" PRIx64 ", value %016" PRIx64, format & PERF_FORMAT_ID ? *id++ : 0, *value);
        if (format & PERF_FORMAT_LOST)
                text_buffer_format(out, ", lost %" PRIu64, *id);
        text_buffer_putc(out, '\n');
}

/* Puts the counters that are read with each sample; sample_parse() has compared their number with the format. */
static void put_counters(TextBuffer *out, uint64_t format, const PerfSample *s) {
        size_t each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST), group = !!(format & PERF_FORMAT_GROUP);
        const uint64_t *word = s->read + group, *end = s->read + s->n_read;

        text_buffer_puts(out, "... sample_read:\n");
        if (!group)
                word++; /* the counter stands in front of the times */
        if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
                text_buffer_format(out, "...... time enabled %016" PRIx64 "\n", *word++);
        if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
                text_buffer_format(out, "...... time running %016" PRIx64 "\n", *word++);
        if (group)
                text_buffer_format(out, ".... group nr %" PRIu64 "\n", s->read[0]);
        for (; group && word + each <= end; word += each)
                put_counter(out, format, word, word + 1);
        if (!group)
                put_counter(out, format, s->read, word);
}

static void dump_put_sample(TextBuffer *out, const char *machine, const PerfDataEvent *e, const struct perf_event_header *record,
                            const PerfSample *s) {
        uint64_t type = e->attr.sample_type;

        text_buffer_format(out, "PERF_RECORD_SAMPLE(IP, 0x%x): %d/%d: 0x%" PRIx64 " period: %" PRIu64 " addr: %s%" PRIx64 "\n",
                           record->misc, (int) s->pid, (int) s->tid, s->ip,
                           type & PERF_SAMPLE_PERIOD ? s->period : (uint64_t) e->attr.sample_period,
                           s->address > 0 ? "0x" : "", s->address);
        if (type & PERF_SAMPLE_CALLCHAIN)
                dump_put_chain(out, s);
        if (type & PERF_SAMPLE_BRANCH_STACK)
                dump_put_branches(out, s);
        dump_put_registers(out, machine, "user", s->user_abi, e->attr.sample_regs_user, s->user_registers, s->n_user_registers);
        dump_put_registers(out, machine, "intr", s->intr_abi, e->attr.sample_regs_intr, s->intr_registers, s->n_intr_registers);
        if (type & PERF_SAMPLE_STACK_USER)
                dump_put_stack(out, record, s);
        if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
                text_buffer_format(out, "... weight: %" PRIu64 "\n", s->weight);
        if (type & PERF_SAMPLE_DATA_SRC)
                text_buffer_format(out, " . data_src: 0x%" PRIx64 "\n", s->data_source);
        if (type & PERF_SAMPLE_PHYS_ADDR)
                text_buffer_format(out, " .. phys_addr: 0x%" PRIx64 "\n", s->physical_address);
        if (type & PERF_SAMPLE_TRANSACTION)
                text_buffer_format(out, "... transaction: %" PRIx64 "\n", s->transaction);
        if (s->n_read > 0)
                put_counters(out, e->attr.read_format, s);
}

typedef struct RawDump {
        PerfDataReader *reader;
        const char *machine; /* what uname(2) says of it; NULL: not recorded */
        TextBuffer *out;
        uint64_t sample_type; /* what the samples of any event have */
        bool sample_id_all;
} RawDump;

static void dump_init(RawDump *d, PerfDataReader *reader, TextBuffer *out) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);

        *d = (RawDump) { .reader = reader, .out = out, .sample_id_all = n > 0 && events[0].attr.sample_id_all };
        (void) perf_data_reader_feature_string(reader, PERF_FEATURE_ARCH, &d->machine);
        for (size_t i = 0; i < n; i++)
                d->sample_type |= events[i].attr.sample_type;
}

/* Puts the CPU and the time, if any event has them; all bits are set in those that only this record lacks. */
static void dump_put_start(RawDump *d, const struct perf_event_header *record, const PerfSample *s) {
        bool known = record->type >= PERF_RECORD_USER_TYPE_START;

        if (record->type != PERF_RECORD_SAMPLE && !d->sample_id_all) {
                text_buffer_puts(d->out, "-1 -1 ");
                return;
        }
        if (d->sample_type & PERF_SAMPLE_CPU)
                text_buffer_format(d->out, "%u ", known || s->sample_type & PERF_SAMPLE_CPU ? s->cpu : UINT32_MAX);
        if (d->sample_type & PERF_SAMPLE_TIME)
                text_buffer_format(d->out, "%" PRIu64 " ", known || s->sample_type & PERF_SAMPLE_TIME ? s->time : UINT64_MAX);
}

static void put_meaning(RawDump *d, size_t place, const struct perf_event_header *record) {
        const PerfDataEvent *events, *e = perf_data_reader_event_of(d->reader, record);
        size_t n = perf_data_reader_events(d->reader, &events);
        TextBuffer *out = d->out;
        const PerfRecordLost *lost = (const void *) record;
        PerfSample s = {};
        int r = 0;

        if (record->type == PERF_RECORD_SAMPLE)
                r = e ? sample_parse(&e->attr, record, &s) : -ENODATA;
        else if (e || n > 0) /* what perf itself adds is of no event, and has a trailer as the first one's */
                (void) sample_parse_trailer(&(e ?: events)->attr, record, &s);
        dump_put_start(d, record, &s);
        text_buffer_format(out, "0x%zx [0x%x]: ", place, record->size);
        if (r >= 0 && record->type == PERF_RECORD_SAMPLE)
                dump_put_sample(out, d->machine, e, record, &s);
        else if (record->type == PERF_RECORD_LOST && record_is_whole(record, 0)) /* script has fewer words for it */
                text_buffer_format(out, "PERF_RECORD_LOST: id:%" PRIu64 ": lost:%" PRIu64 "\n", lost->id, lost->lost);
        else if (record->type < PERF_RECORD_USER_TYPE_START && record_is_whole(record, 0))
                (void) record_text_put(out, record);
        else
                text_buffer_format(out, "PERF_RECORD_%s%s\n", record_text_name(record->type) ?: "UNKNOWN",
                                   r == -ENODATA ? ": of no event" : r < 0 ? ": broken" : "");
}

int raw_dump_put(PerfDataReader *reader, TextBuffer *out) {
        const struct perf_event_header *record;
        size_t cursor = 0, from = 0, place = 0;
        PerfFileSection data;
        RawDump d;
        int r = 0;

        dump_init(&d, reader, out);
        perf_data_reader_data(reader, &data);
        while (out->error == 0 && (r = perf_data_reader_next(reader, &cursor, &record)) == 1) {
                if (cursor != from) /* otherwise it is another one of the same compressed record */
                        place = data.offset + from;
                from = cursor;
                text_buffer_format(out, "\n0x%zx [0x%x]: event: %u\n", place, record->size, record->type);
                dump_put_bytes(out, record);
                put_meaning(&d, place, record);
        }
        return out->error < 0 ? out->error : r;
}

int raw_dump_print(const RecordingInput *in) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        int r = raw_dump_put(in->reader, &out), q = text_buffer_flush(&out);

        if (q >= 0 && (fflush(stdout) != 0 || ferror(stdout)))
                q = -EIO;
        if (r == -ENOMEM || q < 0) {
                (void) recording_input_fail(in, q < 0 ? "show" : "read", q < 0 ? q : r);
                return EXIT_FAILURE;
        }
        return recording_input_report_damage(in, r) ? EXIT_FAILURE : EXIT_SUCCESS;
}
