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

/* strace has names of some sets in another order than that of their bits. */
static const struct {
        ConstantSet set;
        const char *names;
} orders[] = {
        { CONSTANTS_OPEN, " O_CREAT O_EXCL O_NOCTTY O_TRUNC O_APPEND O_NONBLOCK O_SYNC O_DSYNC O_DIRECT O_LARGEFILE O_NOFOLLOW "
                          "O_NOATIME O_CLOEXEC O_PATH O_TMPFILE O_DIRECTORY FASYNC " },
        { CONSTANTS_SOCK, " SOCK_CLOEXEC SOCK_NONBLOCK " },
        { CONSTANTS_EFD, " EFD_SEMAPHORE EFD_CLOEXEC EFD_NONBLOCK " },
        { CONSTANTS_SFD, " SFD_CLOEXEC SFD_NONBLOCK " },
        { CONSTANTS_TFD, " TFD_CLOEXEC TFD_NONBLOCK " },
        { CONSTANTS_SA, " SA_RESTORER SA_ONSTACK SA_RESTART SA_INTERRUPT SA_NODEFER SA_RESETHAND SA_SIGINFO SA_NOCLDSTOP "
                        "SA_NOCLDWAIT " },
        { CONSTANTS_MAP, " MAP_FIXED MAP_ANONYMOUS MAP_32BIT MAP_NORESERVE MAP_POPULATE MAP_NONBLOCK MAP_GROWSDOWN MAP_DENYWRITE "
                         "MAP_EXECUTABLE MAP_LOCKED MAP_STACK MAP_HUGETLB MAP_SYNC MAP_FIXED_NOREPLACE " },
        { CONSTANTS_MSYNC, " MS_SYNC MS_ASYNC MS_INVALIDATE " },
        { CONSTANTS_MSGRCV, " MSG_NOERROR MSG_EXCEPT MSG_COPY IPC_NOWAIT " },
        { CONSTANTS_WAIT, " WNOHANG WEXITED WSTOPPED WCONTINUED WNOWAIT __WCLONE __WALL __WNOTHREAD " },
        { CONSTANTS_OPEN_TREE, " OPEN_TREE_CLONE OPEN_TREE_CLOEXEC " },
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

/* Returns where a name stands in an order; those that do not come last. */
static size_t flag_rank(const char *order, const char *name) {
        size_t n = strlen(name);

        for (const char *p = order; (p = strstr(p, name)); p += n)
                if (p > order && p[-1] == ' ' && p[n] == ' ')
                        return (size_t) (p - order);
        return SIZE_MAX;
}

/* Returns the row of flags of value that is the first in that order, or, without one, that with the lowest bit, and of these the
 * one with the most bits; NULL: there is none. */
static const ConstantRow *find_flag(const ConstantSetFacts *s, uint64_t value, const char *order) {
        const ConstantRow *best = NULL;

        for (const ConstantRow *r = s->rows; r->name; r++) {
                uint64_t bits = r->value & ~s->mask;

                if (bits == 0 || bits != r->value || (bits & value) != bits)
                        continue;
                if (best && order && flag_rank(order, r->name) != flag_rank(order, best->name)) {
                        if (flag_rank(order, r->name) < flag_rank(order, best->name))
                                best = r;
                } else if (!best || __builtin_ctzll(bits) < __builtin_ctzll(best->value) ||
                    (__builtin_ctzll(bits) == __builtin_ctzll(best->value) &&
                     __builtin_popcountll(bits) > __builtin_popcountll(best->value)))
                        best = r;
        }
        return best;
}

bool constant_put_flags(TextBuffer *b, ConstantSet set, uint64_t value, bool short_names) {
        const ConstantSetFacts *s = &sets[set];
        const char *name = s->mask || value == 0 ? constant_name(set, value & s->mask) : NULL;
        const char *separator = "", *order = NULL;
        const ConstantRow *r;
        uint64_t rest = value;

        for (size_t i = 0; i < ELEMENTSOF(orders) && !short_names; i++)
                if (orders[i].set == set)
                        order = orders[i].names;

        if (name) {
                text_buffer_puts(b, short_names ? constant_short_name(set, name) : name);
                rest &= ~s->mask;
                separator = "|";
        }
        while ((r = find_flag(s, rest, order))) {
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
