/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A frame is looked up once for each place. Functions are told apart by their names and binaries: two functions of one binary that
 * have one name are one frame, as in flamegraph.pl. */

#include "frame-names.h"

#include "array.h"
#include "utf8.h"

#define INLINED " (inlined)"

void frame_names_done(FrameNames *f) {
        byte_pool_done(&f->texts);
        free(f->frames);
        hash_index_done(&f->index);
        free(f->of_place);
        *f = (FrameNames) {};
}

int frame_names_init(FrameNames *f, const SampleTable *table, const PlaceNames *names) {
        *f = (FrameNames) { .table = table, .names = names };
        f->of_place = calloc(sample_table_places((SampleTable *) table)->n + 1, sizeof(*f->of_place));
        return f->of_place ? 0 : -ENOMEM;
}

static int intern_text(FrameNames *f, const char *text, uint32_t *ret) {
        return byte_pool_intern(&f->texts, text, strlen(text) + 1, ret);
}

static uint64_t frame_hash(const Frame *f) {
        return hash_mix(hash_mix(f->name, f->binary), f->kind);
}

static uint64_t frame_hash_of(const void *owner, uintptr_t entry) {
        return frame_hash(((const FrameNames *) owner)->frames + entry - 1);
}

static int frame_intern(FrameNames *f, Frame frame, uint32_t *ret) {
        uint64_t hash = frame_hash(&frame);
        uintptr_t found = HASH_INDEX_FIND(&f->index, hash, entry, f->frames[entry - 1].name == frame.name &&
                                          f->frames[entry - 1].binary == frame.binary && f->frames[entry - 1].kind == frame.kind);
        int r;

        if (found > 0) {
                *ret = (uint32_t) found;
                return 0;
        }
        if (ARRAY_RESERVE(f->frames, f->allocated, f->n + 1) < 0)
                return -ENOMEM;
        f->frames[f->n] = frame;
        r = hash_index_add(&f->index, hash, f->n + 1, frame_hash_of, f);
        if (r >= 0)
                *ret = (uint32_t) ++f->n;
        return r;
}

static bool is_inlined(const char *name) {
        size_t n = strlen(name);

        return n > strlen(INLINED) && streq(name + n - strlen(INLINED), INLINED);
}

static FrameKind kind_of_place(const DsoHit *dso, const CodePlace *place, const char *name) {
        if (name && is_inlined(name))
                return FRAME_INLINED;
        if (place->level == 'k' || place->level == 'H' || place->level == 'g')
                return FRAME_KERNEL;
        return dso && symbols_are_generated(dso->path) ? FRAME_GENERATED : FRAME_USER;
}

/* Looks up what a place is called; name NULL: it has no name. */
static int name_place(FrameNames *f, const CodePlaces *places, const CodePlace *place, const char *name, uint32_t *ret) {
        const DsoHit *dso = place->dso == DSO_NONE ? NULL : places->dsos->dsos + place->dso;
        const char *binary = place_names_text(f->names, place_names_dso(f->names, place));
        Frame frame = { .kind = kind_of_place(dso, place, name) };
        char unknown[256];
        int r;

        if (!name && *binary != '[')
                (void) snprintf(unknown, sizeof(unknown), "[%.*s]", utf8_prefix(binary, (int) sizeof(unknown) - 3), binary);
        r = intern_text(f, name ?: *binary == '[' ? binary : unknown, &frame.name);
        if (r >= 0)
                r = intern_text(f, binary, &frame.binary);
        return r < 0 ? r : frame_intern(f, frame, ret);
}

int frame_names_place(FrameNames *f, uint32_t place, uint32_t *ret) {
        const CodePlaces *places = sample_table_places((SampleTable *) f->table);
        int r = 0;

        if (f->of_place[place] == 0)
                r = name_place(f, places, places->places + place, f->names->symbols[f->names->symbol_of[place]].name,
                               f->of_place + place);
        *ret = f->of_place[place];
        return r;
}

int frame_names_copy(FrameNames *f, const FrameNames *others, uint32_t number, uint32_t *ret) {
        const Frame *other = frame_names_frame(others, number);
        Frame frame = { .kind = other->kind };
        int r = intern_text(f, frame_names_text(others, other->name), &frame.name);

        if (r >= 0 && other->binary > 0)
                r = intern_text(f, frame_names_text(others, other->binary), &frame.binary);
        return r < 0 ? r : frame_intern(f, frame, ret);
}

int frame_names_group(FrameNames *f, const char *text, FrameKind kind, uint32_t *ret) {
        Frame frame = { .kind = kind };
        int r = intern_text(f, text, &frame.name);

        return r < 0 ? r : frame_intern(f, frame, ret);
}
