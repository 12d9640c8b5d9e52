/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Flags and types are those of struct perf_branch_entry (linux/perf_event.h), with the words of perf script (Linux 6.1). */

#include "script-branches.h"

/* linux/perf_event.h: PERF_BR_… and, for PERF_BR_EXTEND_ABI, PERF_BR_NEW_… */
#define TYPE_EXTENDED 15u
static const char *const types[] = {
        "", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",
        "SERROR", "NO_TX",
};
static const char *const extended_types[] = {
        "FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
};

/* The bits that come behind those that Linux 5.15 has: four of a type each. */
static unsigned bits_of(const struct perf_branch_entry *e, unsigned shift) {
        uint64_t flags;

        memcpy(&flags, (const char *) e + 2 * sizeof(uint64_t), sizeof(flags));
        return flags >> shift & 15;
}

static const char *branches_type_of(const struct perf_branch_entry *e) {
        unsigned type = bits_of(e, 20), more = bits_of(e, 26);

        if (type == TYPE_EXTENDED)
                return more < ELEMENTSOF(extended_types) ? extended_types[more] : "";
        return types[type];
}

/* A branch may cross the border to the kernel. */
static int branches_find_place(const ScriptSource *source, const Moment *s, uint64_t address, NamedPlace *ret) {
        uint16_t cpumode = address >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
        uint32_t place;
        int r = frame_texts_find(source->frames, s, cpumode, address, &place);

        return r < 0 ? r : place_lookup_name(replay_names(source->replay), place, ret);
}

static int put_end(const ScriptSource *source, const Moment *s, uint64_t address, uint64_t fields, TextBuffer *out) {
        bool by_address = fields & SCRIPT_FIELD(BRSTACK), by_symbol = !by_address && fields & SCRIPT_FIELD(BRSTACKSYM);
        NamedPlace place = {};
        int r = by_address && !(fields & SCRIPT_FIELD(DSO)) ? 0 : branches_find_place(source, s, address, &place);

        if (r < 0)
                return r;
        if (by_symbol) {
                text_buffer_puts(out, place.symbol->name ?: "[unknown]");
                if (place.symbol->name) {
                        text_buffer_put(out, "+0x", 3);
                        text_buffer_hex(out, place.place->address - place.symbol->start, 0);
                }
        } else {
                text_buffer_put(out, "0x", 2);
                if (!by_address && !place.kernel && place.place->dso != DSO_NONE)
                        address = place.place->address;
                text_buffer_hex(out, address, 0);
        }
        if (fields & SCRIPT_FIELD(DSO)) {
                text_buffer_putc(out, '(');
                text_buffer_puts(out, place.kernel ? place.dso : place.path);
                text_buffer_putc(out, ')');
        }
        return 0;
}

int script_branches_put(const ScriptSource *source, const Moment *s, uint64_t fields, TextBuffer *out) {
        bool symbols = !(fields & SCRIPT_FIELD(BRSTACK)) && fields & SCRIPT_FIELD(BRSTACKSYM);
        int r = 0;

        for (size_t i = 0; r >= 0 && i < s->sample->n_branches; i++) {
                const struct perf_branch_entry *e = s->sample->branches + i;

                if (!symbols)
                        text_buffer_putc(out, ' ');
                r = put_end(source, s, e->from, fields, out);
                if (r >= 0) {
                        text_buffer_putc(out, '/');
                        r = put_end(source, s, e->to, fields, out);
                }
                text_buffer_format(out, "/%c/%c/%c/%u/%s ", e->mispred ? 'M' : e->predicted ? 'P' : '-', e->in_tx ? 'X' : '-',
                                   e->abort ? 'A' : '-', (unsigned) e->cycles, branches_type_of(e));
        }
        return r;
}

static int put_end_json(const ScriptSource *source, const Moment *s, JsonWriter *w, const char *key, uint64_t address,
                        uint64_t fields) {
        uint16_t cpumode = address >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
        uint64_t members = (fields & SCRIPT_FIELD(DSO)) |
                           (fields & SCRIPT_FIELD(BRSTACKSYM) ? SCRIPT_FIELD(SYM) | SCRIPT_FIELD(SYMOFF) : 0);
        int r;

        json_writer_begin(w, key, '{');
        json_writer_address(w, "address", address);
        r = members != 0 ? frame_texts_put(source->frames, s, cpumode, address, members, w->out) : 0;
        json_writer_end(w, '}');
        return r;
}

static void put_flags_json(const struct perf_branch_entry *e, JsonWriter *w) {
        const char *type = branches_type_of(e);

        json_writer_boolean(w, "mispredicted", e->mispred);
        json_writer_boolean(w, "predicted", e->predicted);
        json_writer_boolean(w, "in_tx", e->in_tx);
        json_writer_boolean(w, "abort", e->abort);
        json_writer_number(w, "cycles", e->cycles);
        if (*type)
                json_writer_text(w, "type", type);
}

int script_branches_put_json(const ScriptSource *source, const Moment *s, uint64_t fields, JsonWriter *w) {
        int r = 0;

        json_writer_begin(w, "brstack", '[');
        for (size_t i = 0; r >= 0 && i < s->sample->n_branches; i++) {
                const struct perf_branch_entry *e = s->sample->branches + i;

                json_writer_begin(w, NULL, '{');
                r = put_end_json(source, s, w, "from", e->from, fields);
                if (r >= 0)
                        r = put_end_json(source, s, w, "to", e->to, fields);
                put_flags_json(e, w);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
        return r;
}
