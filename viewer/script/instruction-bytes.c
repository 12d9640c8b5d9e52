/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Places of a file have its offsets, so that no header leads there. A binary is opened when the first place in it is asked for; if
 * there are too many, all are closed, and opened again as they are needed. */

#include "instruction-bytes.h"

#include <inttypes.h>

#include "array.h"
#include "disassembly.h"
#include "format-text.h"

#define FILES_MAX 128u
#define TEXTS_MAX ((size_t) 1 << 20) /* beyond, all are made again as they are needed */

typedef struct InstructionFile {
        int fd;       /* or a negative errno */
        bool sought;
        uint16_t machine;
} InstructionFile;

typedef struct PlaceCode {
        bool known;
        char *text;
        InstructionCode code;
} PlaceCode;

struct InstructionBytes {
        const PlaceLookup *lookup;
        SymbolSources sources;
        bool texts;             /* instructions have one */
        InstructionFile *files; /* by the number of the binary */
        size_t n_files, files_allocated, n_open;
        PlaceCode *places;      /* by the number of the place */
        size_t n_places, places_allocated, n_texts;
};

int instruction_bytes_new(const PlaceLookup *places, const SymbolSources *sources, bool texts, InstructionBytes **ret) {
        InstructionBytes *b = calloc(1, sizeof(*b));

        if (!b)
                return -ENOMEM;
        b->lookup = places;
        b->sources = *sources;
        b->texts = texts;
        *ret = b;
        return 0;
}

static void close_files(InstructionBytes *b) {
        for (size_t i = 0; i < b->n_files; i++) {
                if (b->files[i].sought && b->files[i].fd >= 0) {
                        (void) safe_close(b->files[i].fd);
                        b->files[i].sought = false;
                }
        }
        b->n_open = 0;
}

static void forget_places(InstructionBytes *b) {
        for (size_t i = 0; i < b->n_places; i++)
                free(b->places[i].text);
        b->n_places = b->n_texts = 0;
}

InstructionBytes *instruction_bytes_free(InstructionBytes *b) {
        if (!b)
                return NULL;
        close_files(b);
        free(b->files);
        forget_places(b);
        free(b->places);
        free(b);
        return NULL;
}

static int bytes_open_binary(const InstructionBytes *b, const DsoHit *dso, uint16_t *ret_machine) {
        int fd = symbol_sources_open_code(&b->sources, dso), r;
        ElfImage e;

        if (fd < 0)
                return fd;
        r = elf_image_open(&e, fd);
        if (r < 0) {
                (void) safe_close(fd);
                return r;
        }
        *ret_machine = e.header.e_machine;
        elf_image_done(&e);
        return fd;
}

/* *ret is NULL if the binary is not at hand. */
static int find_file(InstructionBytes *b, const DsoHit *dsos, uint32_t dso, const InstructionFile **ret) {
        InstructionFile *file;

        *ret = NULL;
        if (dsos[dso].cpumode != PERF_RECORD_MISC_USER || (*dsos[dso].path != '/' && !streq(dsos[dso].path, "[vdso]")))
                return 0;
        if (dso >= b->n_files) {
                if (ARRAY_RESERVE(b->files, b->files_allocated, (size_t) dso + 1) < 0)
                        return -ENOMEM;
                memset(b->files + b->n_files, 0, (dso + 1 - b->n_files) * sizeof(*b->files));
                b->n_files = (size_t) dso + 1;
        }
        file = b->files + dso;
        if (!file->sought) {
                if (b->n_open >= FILES_MAX)
                        close_files(b);
                file->sought = true;
                file->fd = bytes_open_binary(b, dsos + dso, &file->machine);
                b->n_open += file->fd >= 0;
        }
        *ret = file->fd >= 0 ? file : NULL;
        return file->fd == -ENOMEM ? -ENOMEM : 0;
}

/* Returns an instruction as a new string; NULL: no memory. */
static char *bytes_text_of(const Instruction *i) {
        char target[32] = "", reference[48] = "";

        if (i->target)
                (void) snprintf(target, sizeof(target), "0x%" PRIx64, i->target);
        if (i->reference)
                (void) snprintf(reference, sizeof(reference), "        # 0x%" PRIx64, i->reference);
        return format_text("%s%s%s%s%s", i->mnemonic, *i->operands || *target ? " " : "", i->operands, target, reference);
}

/* Reads what may be the longest instruction: the first one in it counts. place: of it; ret_text: NULL: no text is wanted. */
static int bytes_read_code(const InstructionFile *file, const CodePlace *place, InstructionCode *ret, char **ret_text) {
        uint64_t offset = place->address;
        _cleanup_(disassembly_done) Disassembly d = {};
        uint8_t bytes[INSTRUCTION_BYTES_MAX];
        ssize_t n = offset <= INT64_MAX - sizeof(bytes) ? pread(file->fd, bytes, sizeof(bytes), (off_t) offset) : -1;
        int r = n > 0 ? disassembly_init(&d, file->machine, DISASSEMBLY_ATT, bytes, (size_t) n, place->ip) : -ENODATA;

        if (r < 0)
                return r == -ENOMEM ? r : 0;
        if (d.n == 0 || streq(d.instructions->mnemonic, ".byte") || d.instructions->size > sizeof(ret->bytes))
                return 0;
        ret->size = (uint8_t) d.instructions->size;
        memcpy(ret->bytes, bytes, ret->size);
        if (!ret_text)
                return 0;
        ret->text = *ret_text = bytes_text_of(d.instructions);
        return *ret_text ? 0 : -ENOMEM;
}

int instruction_bytes_find(InstructionBytes *b, uint32_t place, const InstructionCode **ret) {
        const CodePlaces places = place_lookup_identified(b->lookup);
        const InstructionFile *file;
        PlaceCode *code;
        int r = 0;

        if (b->n_texts >= TEXTS_MAX)
                forget_places(b);
        if (place >= b->n_places) {
                if (ARRAY_RESERVE(b->places, b->places_allocated, (size_t) place + 1) < 0)
                        return -ENOMEM;
                memset(b->places + b->n_places, 0, (place + 1 - b->n_places) * sizeof(*b->places));
                b->n_places = (size_t) place + 1;
        }
        code = b->places + place;
        if (!code->known && place < places.n && places.places[place].dso < places.dsos->n) {
                r = find_file(b, places.dsos->dsos, places.places[place].dso, &file);
                if (r >= 0 && file)
                        r = bytes_read_code(file, places.places + place, &code->code, b->texts ? &code->text : NULL);
                b->n_texts += code->text != NULL;
        }
        code->known = true;
        *ret = &code->code;
        return r;
}
