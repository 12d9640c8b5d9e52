/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sets of constants: the arrays are made by make-constants.awk. The names of a set of flags are put in the order of their lowest
 * bits, and those of several bits before their parts: O_SYNC, not O_DSYNC|0x100000. */

#include "constants.h"

#include <inttypes.h>

#include "constant-rows.h"

typedef struct ConstantSetFacts {
        const char *prefix;
        uint64_t mask; /* these bits are a number */
        const ConstantRow *rows;
} ConstantSetFacts;

static const ConstantRow no_rows[1];

static const ConstantSetFacts sets[] = {
        { "", 0, no_rows },
#define CONSTANTS(name, mask, prefix, ...) { prefix, mask, constant_rows_##name },
#include "constant-sets.h"
#undef CONSTANTS
};

const char *constant_name(ConstantSet set, uint64_t value) {
        for (const ConstantRow *r = sets[set].rows; r->name; r++)
                if (r->value == value)
                        return r->name;
        return NULL;
}

int constant_value(ConstantSet set, const char *name, uint64_t *ret) {
        for (const ConstantRow *r = sets[set].rows; r->name; r++)
                if (streq(r->name, name)) {
                        *ret = r->value;
                        return 0;
                }
        return -ENOENT;
}

const char *constant_short_name(ConstantSet set, const char *name) {
        const char *rest = startswith(name, sets[set].prefix);

        return rest && *rest ? rest : name;
}

const char *constant_prefix(ConstantSet set) {
        return sets[set].prefix;
}

/* Returns the row of flags with the lowest bit of value, and of these the one with the most bits; NULL: there is none. */
static const ConstantRow *find_flag(const ConstantSetFacts *s, uint64_t value) {
        const ConstantRow *best = NULL;

        for (const ConstantRow *r = s->rows; r->name; r++) {
                uint64_t bits = r->value & ~s->mask;

                if (bits == 0 || bits != r->value || (bits & value) != bits)
                        continue;
                if (!best || __builtin_ctzll(bits) < __builtin_ctzll(best->value) ||
                    (__builtin_ctzll(bits) == __builtin_ctzll(best->value) &&
                     __builtin_popcountll(bits) > __builtin_popcountll(best->value)))
                        best = r;
        }
        return best;
}

bool constant_put_flags(TextBuffer *b, ConstantSet set, uint64_t value, bool short_names) {
        const ConstantSetFacts *s = &sets[set];
        const char *name = s->mask || value == 0 ? constant_name(set, value & s->mask) : NULL;
        const char *separator = "";
        const ConstantRow *r;
        uint64_t rest = value;

        if (name) {
                text_buffer_puts(b, short_names ? constant_short_name(set, name) : name);
                rest &= ~s->mask;
                separator = "|";
        }
        while ((r = find_flag(s, rest))) {
                text_buffer_puts(b, separator);
                text_buffer_puts(b, short_names ? constant_short_name(set, r->name) : r->name);
                rest &= ~r->value;
                separator = "|";
        }
        if (rest != 0)
                text_buffer_format(b, "%s0x%" PRIx64, separator, rest);
        else if (*separator == '\0')
                text_buffer_putc(b, '0');
        return *separator != '\0';
}
