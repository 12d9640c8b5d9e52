/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Most samples repeat: the text of a whole call chain is kept for the next sample that has it, the place of an
 * address for the next chain, and the text of a place for all. These memories are small, and are emptied when they
 * are full. */

#include "frame-texts.h"

#include "chain-cursor.h"
#include "json-writer.h"
#include "strv.h"

#define CHAIN_SLOTS    ((size_t) 1 << 16)
#define PLACE_SLOTS    ((size_t) 1 << 16)
#define CHAINS_BYTES_MAX ((size_t) 64 << 20)
#define PLACES_BYTES_MAX ((size_t) 256 << 20)

/* A call chain that was printed. */
typedef struct ChainSlot {
        uint64_t hash;
        uint64_t fields;
        uint32_t maps, kernel_maps;
        uint32_t words;           /* of the chain, in "chains" */
        size_t at, text, length;  /* places there: of the chain, and of its text */
} ChainSlot;

typedef struct PlaceSlot {
        uint64_t ip;
        uint32_t maps, kernel_maps, place;
        uint16_t cpumode;
        bool caller, used;
} PlaceSlot;

/* The text of a place: " name+offset (binary)", in a call chain behind its address, or the members of an object. */
typedef struct PlaceText {
        uint32_t at, length; /* length 0: not made yet */
} PlaceText;

#define PLACE_FIELDS (SCRIPT_FIELD(SYM) | SCRIPT_FIELD(SYMOFF) | SCRIPT_FIELD(DSO) | SCRIPT_FIELD(SRCLINE) | SCRIPT_FIELD(DSOFF))
#define IN_CHAIN    (UINT64_C(1) << 63) /* beside fields: of a call chain, whose inlined functions are shown */
#define PLACE_FORMS 64u

typedef struct PlaceTexts {
        PlaceText *places;
        size_t n, allocated;
} PlaceTexts;

struct FrameTexts {
        Replay *replay;
        FramePlan plan;
        ChainSlot *chain_slots;
        TextBuffer chains;
        PlaceSlot *place_slots;
        PlaceTexts texts[PLACE_FORMS];
        TextBuffer place_texts;
};

FrameTexts *frame_texts_free(FrameTexts *t) {
        if (!t)
                return NULL;
        free(t->chain_slots);
        free(t->place_slots);
        for (size_t i = 0; i < PLACE_FORMS; i++)
                free(t->texts[i].places);
        text_buffer_done(&t->chains);
        text_buffer_done(&t->place_texts);
        free(t);
        return NULL;
}

int frame_texts_new(Replay *replay, const FramePlan *plan, FrameTexts **ret) {
        _cleanup_(frame_texts_freep) FrameTexts *t = calloc(1, sizeof(*t));

        if (!t)
                return -ENOMEM;
        *t = (FrameTexts) { .replay = replay, .plan = *plan };
        t->chain_slots = calloc(CHAIN_SLOTS, sizeof(*t->chain_slots));
        t->place_slots = calloc(PLACE_SLOTS, sizeof(*t->place_slots));
        if (!t->chain_slots || !t->place_slots)
                return -ENOMEM;
        *ret = steal_ptr(t);
        return 0;
}

static unsigned form_of(uint64_t fields) {
        return (fields & SCRIPT_FIELD(SYM) ? 1 : 0) + (fields & SCRIPT_FIELD(DSO) ? 2 : 0) +
               (fields & SCRIPT_FIELD(SYMOFF) ? 4 : 0) + (fields & SCRIPT_FIELD(SRCLINE) ? 8 : 0) + (fields & IN_CHAIN ? 16 : 0) +
               (fields & SCRIPT_FIELD(DSOFF) ? 32 : 0);
}

/* perf names files by their whole path, and code of the kernel for short. */
static void texts_put_place(TextBuffer *b, const NamedPlace *p, uint64_t fields) {
        if (fields & SCRIPT_FIELD(SYM)) {
                text_buffer_putc(b, ' ');
                text_buffer_puts(b, p->symbol->name ?: "[unknown]");
                if (p->symbol->name && fields & SCRIPT_FIELD(SYMOFF)) {
                        text_buffer_put(b, "+0x", 3);
                        text_buffer_hex(b, p->place->address - p->symbol->start, 0);
                }
        }
        if (fields & SCRIPT_FIELD(DSO)) {
                text_buffer_put(b, " (", 2);
                text_buffer_puts(b, p->kernel ? p->dso : p->path);
                if (fields & SCRIPT_FIELD(DSOFF) && p->place->dso != DSO_NONE) {
                        text_buffer_put(b, "+0x", 3);
                        text_buffer_hex(b, p->place->address, 0);
                }
                text_buffer_putc(b, ')');
        }
}

static void texts_put_line(TextBuffer *b, const NamedPlace *p, const char *file, uint32_t line) {
        if (file) {
                text_buffer_put(b, "\n  ", 3);
                text_buffer_puts(b, file);
                text_buffer_putc(b, ':');
                text_buffer_decimal(b, line, 0);
        } else if (p->place->dso != DSO_NONE) {
                text_buffer_put(b, "\n  ", 3);
                text_buffer_puts(b, p->dso);
                text_buffer_putc(b, '[');
                text_buffer_hex(b, p->place->address, 0);
                text_buffer_putc(b, ']');
        }
}

/* Inlined functions are lines before the one of the function that they are in: the line of the source of each is where it calls the
 * one before. */
static int texts_put_inlined(FrameTexts *t, TextBuffer *b, const NamedPlace *p, uint64_t address, uint64_t fields,
                             FrameSource *source) {
        for (size_t i = 0; i < source->n_inlined; i++) {
                _cleanup_free_ char *name = NULL;
                FrameInlined inlined;

                frame_sources_inlined(t->plan.sources, source, i, &inlined);
                name = inlined.name;
                if (!name)
                        return -ENOMEM;
                text_buffer_putc(b, ' ');
                text_buffer_puts(b, name);
                if (fields & SCRIPT_FIELD(SRCLINE))
                        texts_put_line(b, p, source->file, source->line);
                text_buffer_puts(b, " (inlined)");
                source->file = inlined.file;
                source->line = inlined.line;
                text_buffer_put(b, "\n\t", 2);
                text_buffer_hex(b, address, 16);
        }
        return 0;
}

/* Memory that is no file's has the processor's addresses. */
static bool has_offsets(const NamedPlace *p) {
        return !p->kernel && p->place->dso != DSO_NONE && !startswith(p->path, "[heap]") && !startswith(p->path, "[stack") &&
               !startswith(p->path, "/SYSV");
}

static int put_lines(FrameTexts *t, TextBuffer *b, const NamedPlace *p, uint64_t fields) {
        uint64_t address = has_offsets(p) ? p->place->address : p->place->ip;
        FrameSource source = {};
        int r = 0;

        if (fields & IN_CHAIN) {
                text_buffer_putc(b, '\t');
                text_buffer_hex(b, address, 16);
        }
        if (t->plan.sources && frame_sources_find(t->plan.sources, p->number, &source) && fields & IN_CHAIN &&
            fields & SCRIPT_FIELD(SYM))
                r = texts_put_inlined(t, b, p, address, fields, &source);
        texts_put_place(b, p, fields);
        if (fields & SCRIPT_FIELD(SRCLINE))
                texts_put_line(b, p, source.file, source.line);
        return r;
}

static int put_line_member(JsonWriter *w, const char *key, const char *file, uint32_t line) {
        _cleanup_free_ char *text = NULL;

        if (!file)
                return 0;
        if (asprintf(&text, "%s:%u", file, line) < 0) {
                text = NULL;
                return -ENOMEM;
        }
        json_writer_text(w, key, text);
        return 0;
}

static int put_inlined_members(FrameTexts *t, JsonWriter *w, const FrameSource *source) {
        json_writer_begin(w, "inlined", '[');
        for (size_t i = 0; i < source->n_inlined; i++) {
                _cleanup_free_ char *name = NULL;
                FrameInlined inlined;

                frame_sources_inlined(t->plan.sources, source, i, &inlined);
                name = inlined.name;
                if (!name)
                        return -ENOMEM;
                json_writer_begin(w, NULL, '{');
                json_writer_text(w, "symbol", name);
                if (put_line_member(w, "called", inlined.file, inlined.line) < 0)
                        return -ENOMEM;
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
        return 0;
}

/* The same as members of an object, behind others. */
static int texts_put_members(FrameTexts *t, TextBuffer *b, const NamedPlace *p, uint64_t fields) {
        JsonWriter w = { .out = b, .begun = true };
        FrameSource source = {};
        int r = 0;

        if (fields & SCRIPT_FIELD(SYM) && p->symbol->name) {
                json_writer_text(&w, "symbol", p->symbol->name);
                if (fields & SCRIPT_FIELD(SYMOFF))
                        json_writer_number(&w, "offset", p->place->address - p->symbol->start);
        }
        if (fields & SCRIPT_FIELD(DSO) && p->place->dso != DSO_NONE)
                json_writer_text(&w, "dso", p->kernel ? p->dso : p->path);
        if (fields & SCRIPT_FIELD(DSOFF) && p->place->dso != DSO_NONE)
                json_writer_number(&w, "dsoff", p->place->address);
        if (!t->plan.sources || !frame_sources_find(t->plan.sources, p->number, &source))
                return 0;
        if (fields & SCRIPT_FIELD(SRCLINE))
                r = put_line_member(&w, "srcline", source.file, source.line);
        return r >= 0 && fields & SCRIPT_FIELD(SYM) && source.n_inlined > 0 ? put_inlined_members(t, &w, &source) : r;
}

/* NULL: no memory. */
static const PlaceText *texts_find_text(FrameTexts *t, uint32_t place, uint64_t fields) {
        PlaceTexts *form = t->texts + form_of(fields);
        NamedPlace named;
        PlaceText *text;
        int r;

        if (place < form->n && form->places[place].length > 0)
                return form->places + place;
        if (t->place_texts.n > PLACES_BYTES_MAX) {
                for (size_t i = 0; i < PLACE_FORMS; i++)
                        t->texts[i].n = 0;
                t->place_texts.n = 0;
        }
        if (ARRAY_RESERVE(form->places, form->allocated, (size_t) place + 1) < 0 ||
            place_lookup_name(replay_names(t->replay), place, &named) < 0)
                return NULL;
        if (place >= form->n) {
                memset(form->places + form->n, 0, (place + 1 - form->n) * sizeof(*form->places));
                form->n = (size_t) place + 1;
        }
        text = form->places + place;
        text->at = (uint32_t) t->place_texts.n;
        if (t->plan.json)
                r = texts_put_members(t, &t->place_texts, &named, fields);
        else
                r = put_lines(t, &t->place_texts, &named, fields);
        text_buffer_putc(&t->place_texts, '\n'); /* so that none has no length */
        text->length = (uint32_t) (t->place_texts.n - text->at);
        return r < 0 || t->place_texts.error < 0 ? NULL : text;
}

/* An address of a call chain. */
typedef struct Frame {
        uint64_t ip;
        uint16_t cpumode;
        bool caller;
} Frame;

static int texts_find_frame(FrameTexts *t, const Moment *s, const Frame *f, uint32_t *ret) {
        PlaceSlot *slot = t->place_slots + (hash_mix(f->ip, s->maps) & (PLACE_SLOTS - 1));
        int r;

        if (slot->used && slot->ip == f->ip && slot->maps == s->maps && slot->kernel_maps == s->kernel_maps &&
            slot->cpumode == f->cpumode && slot->caller == f->caller) {
                *ret = slot->place;
                return 0;
        }
        r = (f->caller ? replay_find_caller : replay_find_place)(t->replay, s->sample->pid, f->cpumode, f->ip, ret);
        if (r >= 0)
                *slot = (PlaceSlot) {
                        .ip = f->ip, .maps = s->maps, .kernel_maps = s->kernel_maps, .place = *ret, .cpumode = f->cpumode,
                        .caller = f->caller, .used = true,
                };
        return r;
}

int frame_texts_find(FrameTexts *t, const Moment *s, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return texts_find_frame(t, s, &(Frame) { .ip = ip, .cpumode = cpumode }, ret);
}

static int texts_put_text(FrameTexts *t, uint32_t place, uint64_t fields, bool line, TextBuffer *out) {
        const PlaceText *text = texts_find_text(t, place, fields);

        if (!text)
                return -ENOMEM;
        text_buffer_put(out, t->place_texts.data + text->at, text->length - !line);
        return out->error;
}

int frame_texts_put(FrameTexts *t, const Moment *s, uint16_t cpumode, uint64_t ip, uint64_t fields, TextBuffer *out) {
        uint32_t place;
        int r = frame_texts_find(t, s, cpumode, ip, &place);

        return r < 0 ? r : texts_put_text(t, place, fields, false, out);
}

static int put_object(FrameTexts *t, JsonWriter *w, uint64_t ip, uint32_t place, uint64_t fields) {
        int r;

        json_writer_begin(w, NULL, '{');
        json_writer_address(w, "ip", ip);
        r = texts_put_text(t, place, fields, false, w->out);
        json_writer_end(w, '}');
        return r < 0 ? r : w->out->error;
}

/* Returns 1 behind the last frame that is shown. */
static int take_frame(FrameTexts *t, JsonWriter *w, const Moment *s, const Frame *f, uint64_t fields) {
        NamedPlace named;
        uint32_t place;
        int r = texts_find_frame(t, s, f, &place);

        if (r >= 0 && w->out)
                r = t->plan.json ? put_object(t, w, f->ip, place, fields) :
                    texts_put_text(t, place, fields | IN_CHAIN, true, w->out);
        if (r < 0 || !t->plan.stop)
                return r;
        r = place_lookup_name(replay_names(t->replay), place, &named);
        return r < 0 ? r : named.symbol->name && strv_contains(t->plan.stop, named.symbol->name);
}

/* As in perf, max_stack limits the addresses. to: NULL: the places are found only. */
static int texts_put_chain(FrameTexts *t, TextBuffer *to, const Moment *s, uint64_t fields) {
        ChainCursor c = chain_cursor_of(s->sample->callchain, s->sample->n_callchain);
        size_t begin = to ? to->n : 0;
        JsonWriter w = { .out = to };
        int next = 1;

        for (size_t n = 0; n < t->plan.max_stack && (next = chain_cursor_next(&c)) == 1; n++) {
                int r = take_frame(t, &w, s, &(Frame) { .ip = c.ip, .cpumode = c.cpumode, .caller = c.caller }, fields);

                if (r != 0)
                        return MIN_OF(r, 0);
        }
        if (next < 0 && to)
                to->n = begin;
        return 0;
}

int frame_texts_meet(FrameTexts *t, const Moment *s) {
        uint32_t place;
        int r = frame_texts_find(t, s, moment_mode(s), s->sample->ip, &place);

        return r < 0 ? r : texts_put_chain(t, NULL, s, 0);
}

static bool slot_has(const FrameTexts *t, const ChainSlot *slot, const ChainSlot *key, const uint64_t *words) {
        return slot->length > 0 && slot->hash == key->hash && slot->maps == key->maps && slot->kernel_maps == key->kernel_maps &&
               slot->fields == key->fields && slot->words == key->words &&
               memcmp(t->chains.data + slot->at, words, key->words * sizeof(*words)) == 0;
}

/* All chains of the same addresses have the same text as long as the maps do. */
int frame_texts_put_chain(FrameTexts *t, const Moment *s, uint64_t fields, TextBuffer *out) {
        const uint64_t *words = s->sample->callchain;
        ChainSlot key = {
                .maps = s->maps, .kernel_maps = s->kernel_maps, .fields = fields & PLACE_FIELDS,
                .words = (uint32_t) s->sample->n_callchain,
        };
        ChainSlot *slot;
        int r;

        key.hash = hash_bytes(hash_mix(key.maps, (uint64_t) key.kernel_maps << 32 | key.fields), words, key.words * sizeof(*words));
        slot = t->chain_slots + (key.hash & (CHAIN_SLOTS - 1));
        if (slot_has(t, slot, &key, words)) {
                text_buffer_put(out, t->chains.data + slot->text, slot->length);
                return 0;
        }
        if (t->chains.n > CHAINS_BYTES_MAX) {
                memset(t->chain_slots, 0, CHAIN_SLOTS * sizeof(*t->chain_slots));
                t->chains.n = 0;
        }
        key.at = t->chains.n;
        text_buffer_put(&t->chains, (const char *) words, key.words * sizeof(*words));
        key.text = t->chains.n;
        r = texts_put_chain(t, &t->chains, s, fields);
        if (r < 0)
                return r;
        key.length = t->chains.n - key.text;
        text_buffer_put(out, t->chains.data + key.text, key.length);
        *slot = key;
        return t->chains.error;
}
