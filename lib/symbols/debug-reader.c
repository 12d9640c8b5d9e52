/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Answers where addresses are in the sources, in the process that source-lines.c forks. Addresses are taken unit by
 * unit: the lines of a unit are read once, and its entries are walked once for all of its addresses.
 *
 * Invariant: a text is written once, before the first answer that has its number, so that the other side reads the
 * answers as they come. Time and memory are limited by the process, the depth of inlined calls and the length of
 * texts here. */

#include "debug-reader.h"

#include "array.h"
#include "byte-pool.h"
#include "debug-image.h"
#include "debug-inlined.h"
#include "debug-scopes.h"
#include "source-lines.h"

typedef struct Address {
        uint64_t address;
        size_t unit, number;
} Address;

typedef struct Reader {
        DebugUnits units;
        BytePool texts;
        uint32_t n_texts; /* that were written */
        bool inlined;
        FILE *answers;
} Reader;

static int reader_answer(const Reader *d, DebugAnswer a) {
        return fwrite(&a, sizeof(a), 1, d->answers) == 1 ? 0 : -EIO;
}

/* *ret is 0 for no text, and one that is too long. */
static int answer_text(Reader *d, const char *text, uint32_t *ret) {
        size_t n = text ? strnlen(text, SOURCE_TEXT_MAX + 1) : 0;
        int r;

        *ret = 0;
        if (n == 0 || n > SOURCE_TEXT_MAX)
                return 0;
        r = byte_pool_intern(&d->texts, text, n, ret);
        if (r < 0 || *ret <= d->n_texts)
                return r;
        d->n_texts = *ret;
        r = reader_answer(d, (DebugAnswer) { .type = DEBUG_ANSWER_TEXT, .number = (uint32_t) n });
        return r >= 0 && fwrite(text, 1, n, d->answers) != n ? -EIO : r;
}

static int answer_line(Reader *d, const Address *a, Dwarf_Die *unit) {
        Dwarf_Line *line = dwarf_getsrc_die(unit, a->address);
        DebugAnswer reply = { .type = DEBUG_ANSWER_LINE, .number = (uint32_t) a->number };
        int number = 0, r;

        if (line && dwarf_lineno(line, &number) == 0 && number > 0)
                reply.line = (uint32_t) number;
        r = answer_text(d, line ? dwarf_linesrc(line, NULL, NULL) : NULL, &reply.text);
        return r < 0 ? r : reader_answer(d, reply);
}

static int answer_call(Reader *d, const DebugScopes *scopes, DebugCall *call) {
        DebugAnswer reply = { .type = DEBUG_ANSWER_INLINED, .line = call->line };
        const char *name = debug_function_name(&call->function), *scope = debug_scopes_get(scopes, &call->function);
        _cleanup_free_ char *whole = NULL;
        int r;

        if (name && *scope) {
                if (asprintf(&whole, "%s%s", scope, name) < 0) {
                        whole = NULL;
                        return -ENOMEM;
                }
                name = whole;
        }
        r = answer_text(d, name, &reply.number);
        if (r >= 0)
                r = answer_text(d, call->file, &reply.text);
        return r < 0 ? r : reader_answer(d, reply);
}

/* The walk has the outer ones of an address first: sorted by address, and backwards within it. */
static int sort_calls(DebugCalls *calls, size_t n_addresses, size_t **ret) {
        _cleanup_free_ size_t *first = calloc(n_addresses + 2, sizeof(*first));
        _cleanup_free_ DebugCall *sorted = calloc(calls->n + 1, sizeof(*sorted));

        if (!first || !sorted)
                return -ENOMEM;
        for (size_t i = 0; i < calls->n; i++)
                first[calls->calls[i].address + 2]++;
        for (size_t i = 2; i < n_addresses + 2; i++)
                first[i] += first[i - 1];
        for (size_t i = calls->n; i > 0; i--)
                sorted[first[calls->calls[i - 1].address + 1]++] = calls->calls[i - 1];
        free(calls->calls);
        calls->calls = steal_ptr(sorted);
        *ret = steal_ptr(first);
        return 0;
}

static int answer_unit(Reader *d, const Address *addresses, size_t n) {
        _cleanup_(debug_calls_done) DebugCalls calls = {};
        _cleanup_(debug_scopes_done) DebugScopes scopes = {};
        _cleanup_free_ uint64_t *wanted = calloc(n, sizeof(*wanted));
        _cleanup_free_ size_t *first = NULL;
        int r = 0;

        if (!wanted)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                wanted[i] = addresses[i].address;
        if (d->inlined)
                r = debug_calls_find(&calls, d->units.parts + addresses->unit, wanted, n);
        for (size_t i = 0; r >= 0 && i < calls.n; i++)
                r = debug_scopes_add(&scopes, &calls.calls[i].function);
        if (r >= 0)
                r = debug_scopes_find(&scopes);
        if (r >= 0)
                r = sort_calls(&calls, n, &first);
        for (size_t i = 0; r >= 0 && i < n; i++) {
                r = answer_line(d, addresses + i, d->units.units + addresses->unit);
                for (size_t k = first[i]; r >= 0 && k < first[i + 1] && k - first[i] < INLINED_DEPTH_MAX; k++)
                        r = answer_call(d, &scopes, calls.calls + k);
        }
        return r;
}

static int reader_compare_addresses(const void *a, const void *b) {
        const Address *x = a, *y = b;

        if (x->unit != y->unit)
                return x->unit < y->unit ? -1 : 1;
        return x->address < y->address ? -1 : x->address > y->address;
}

static int answer_addresses(Reader *d, const uint64_t *addresses, size_t n) {
        _cleanup_free_ Address *known = calloc(n + 1, sizeof(*known));
        size_t n_known = 0;
        int r = known ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                Address a = { .address = addresses[i], .number = i };

                if (debug_units_search(&d->units, a.address, &a.unit))
                        known[n_known++] = a;
        }
        if (n_known > 0)
                qsort(known, n_known, sizeof(*known), reader_compare_addresses);
        for (size_t i = 0, end; r >= 0 && i < n_known; i = end) {
                for (end = i + 1; end < n_known && known[end].unit == known[i].unit; end++)
                        ;
                r = answer_unit(d, known + i, end - i);
        }
        return r;
}

int debug_reader_run(int debug, const ModuleMemory *memory, const uint64_t *addresses, size_t n, bool inlined, FILE *answers) {
        Reader d = { .inlined = inlined, .answers = answers };
        DebugImage image;
        int r = debug_image_open(&image, debug, memory), found;

        if (r < 0)
                return r;
        found = debug_units_find(&d.units, &image);
        r = found == -ENOMEM ? found : answer_addresses(&d, addresses, n);
        if (r >= 0 && found >= 0)
                r = reader_answer(&d, (DebugAnswer) { .type = DEBUG_ANSWER_END });
        debug_units_done(&d.units);
        byte_pool_done(&d.texts);
        debug_image_done(&image);
        return r < 0 ? r : MIN_OF(found, 0);
}
