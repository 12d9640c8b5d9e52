/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the source lines of recorded places. The places of a binary are looked up together, in ascending order, so
 * that each unit of its debug information is read once, and places of one address are asked for once. Those of the kernel
 * and of its modules have the processor's addresses.
 *
 * A binary whose debug information is missing or broken leaves its places without lines, and is no failure. Code that a
 * process generated and the vdso are not looked up. */

#include "place-sources.h"

#include "symbols.h"

typedef struct Address {
        uint64_t address; /* as linked */
        uint32_t dso, place;
} Address;

static int sources_compare_addresses(const void *a, const void *b) {
        const Address *x = a, *y = b;

        if (x->dso != y->dso)
                return x->dso < y->dso ? -1 : 1;
        return x->address < y->address ? -1 : x->address > y->address;
}

/* A binary whose lines are looked up. */
typedef struct SourceBinary {
        DebugFile file;
        bool kernel;
        uint64_t moved; /* the kernel: how far it was from where it is linked */
} SourceBinary;

/* Returns whether an address, as of a CodePlace, is in the file, and where. */
static bool link_address(const SourceBinary *b, uint64_t address, uint64_t *ret) {
        uint64_t offset;

        if (!b->kernel)
                return debug_file_address(&b->file, address, ret);
        *ret = address - b->moved;
        return b->file.memory.size > 0 ? address - b->file.memory.start < b->file.memory.size :
                                         debug_file_offset(&b->file, *ret, &offset);
}

/* Returns those that are in the file, with their addresses in it. */
static size_t link_addresses(const SourceBinary *b, const CodePlaces *places, const Address *from, size_t n, Address *ret) {
        size_t n_known = 0;

        for (size_t i = 0; i < n; i++) {
                const CodePlace *place = places->places + from[i].place;

                ret[n_known] = from[i];
                n_known += link_address(b, place->address - place->caller, &ret[n_known].address);
        }
        if (n_known > 0)
                qsort(ret, n_known, sizeof(*ret), sources_compare_addresses);
        return n_known;
}

/* The places of one binary. */
static int find_in_binary(SourceLines *s, const DebugFile *f, const Address *known, size_t n, bool inlined, SourcePlace *sources) {
        _cleanup_free_ uint64_t *addresses = calloc(n + 1, sizeof(*addresses));
        _cleanup_free_ SourcePlace *found = calloc(n + 1, sizeof(*found));
        size_t distinct = 0, at = 0;
        int r;

        if (!addresses || !found)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                if (i == 0 || known[i].address != known[i - 1].address)
                        addresses[distinct++] = known[i].address;
        r = source_lines_find(s, f, addresses, distinct, inlined, found);
        for (size_t i = 0; r >= 0 && i < n; i++) {
                at += i > 0 && known[i].address != known[i - 1].address;
                if (found[at].file > 0 || found[at].n_inlined > 0)
                        sources[known[i].place] = found[at];
        }
        return r;
}

/* Returns whether a binary may have debug information; generated code and the vdso have none. The sources' symbols know the
 * kernel of the first recording. */
static bool is_file(const CodePlaces *places, const CodePlace *place, const SymbolSources *files) {
        const DsoHit *dso = place->dso == DSO_NONE ? NULL : places->dsos->dsos + place->dso;

        if (dso && dso->cpumode == PERF_RECORD_MISC_KERNEL)
                return files->symbols && process_view_recording_of(places->view, place->dso) == 0 &&
                       (*dso->path == '/' || *dso->path == '[');
        return dso && dso->cpumode == PERF_RECORD_MISC_USER && *dso->path == '/' && !symbols_are_generated(dso->path);
}

static int open_kernel(SourceBinary *b, const SymbolSources *files, const DsoHit *dso, uint64_t address) {
        bool module = !streq(dso->path, "[kernel.kallsyms]");
        RecordedModule memory = {};
        int fd = module ? symbols_open_module_code(files->symbols, dso, address, &memory) :
                          symbols_open_kernel_code(files->symbols, &b->moved), r;

        if (fd < 0)
                return fd;
        r = debug_file_take(&b->file, files, dso->path, fd);
        if (r < 0)
                return r;
        b->kernel = true;
        b->file.memory = (ModuleMemory) { .start = memory.start, .size = memory.end - memory.start };
        return b->file.debug < 0 ? -ENOENT : 0;
}

int place_sources_find(SourceLines *s, const CodePlaces *places, const SymbolSources *files, bool inlined, SourcePlace *sources) {
        _cleanup_free_ Address *wanted = calloc(places->n + 1, sizeof(*wanted)), *known = calloc(places->n + 1, sizeof(*known));
        size_t n = 0;
        int r = 0;

        if (!wanted || !known)
                return -ENOMEM;
        for (uint32_t i = 0; i < places->n; i++)
                if (is_file(places, places->places + i, files))
                        wanted[n++] = (Address) { .dso = places->places[i].dso, .place = i };
        if (n > 0)
                qsort(wanted, n, sizeof(*wanted), sources_compare_addresses);
        for (size_t i = 0, end; r >= 0 && i < n && watcher_go_on(&files->watcher); i = end) {
                SourceBinary b = { .file = DEBUG_FILE_EMPTY };
                const DsoHit *dso = places->dsos->dsos + wanted[i].dso;

                for (end = i + 1; end < n && wanted[end].dso == wanted[i].dso; end++)
                        ;
                r = dso->cpumode != PERF_RECORD_MISC_KERNEL ? debug_file_open(&b.file, files, dso) :
                    open_kernel(&b, files, dso, places->places[wanted[i].place].address);
                if (r >= 0)
                        r = find_in_binary(s, &b.file, known, link_addresses(&b, places, wanted + i, end - i, known), inlined,
                                           sources);
                else if (r != -ENOMEM)
                        r = 0;
                debug_file_done(&b.file);
        }
        return r;
}
