/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "build-id.h"
#include "hash-index.h"

/* Decides which file stands for a build id in a directory of symbols. Whoever builds a file chooses its build id, so
 * that a user's file can have that of a system's binary, and other names in it. "Root's" files are those of the
 * recorder's user, too. The lower the value, the earlier a file gets its place, and room. */
typedef enum SymbolTrust {
        SYMBOL_TRUST_MACHINE, /* root's, and the machine has it at its path */
        SYMBOL_TRUST_ROOT,    /* root's, of a container, or deleted since it was mapped */
        SYMBOL_TRUST_PATH,    /* a user's, and the machine has it at its path */
        SYMBOL_TRUST_USER,    /* a user's, of a container, or deleted since it was mapped */
        _SYMBOL_TRUST_MAX,
} SymbolTrust;

typedef struct SymbolOrigin {
        BuildId id;          /* size 0: it has none */
        SymbolTrust trust;
        uid_t owner;
} SymbolOrigin;

typedef struct SymbolClaim {
        SymbolOrigin origin;
        char *place;         /* in the directory */
} SymbolClaim;

/* Zero-initialise. */
typedef struct SymbolClaims {
        SymbolClaim *claims;
        size_t n, allocated;
        HashIndex index;     /* by build id, of number + 1 */
} SymbolClaims;

void symbol_claims_done(SymbolClaims *c);

/* Reads the owner of an open file, and its build id if it has one. own: the machine has it at its path. 0, errors of fstat(2). */
int symbol_origin_of(int fd, bool own, SymbolOrigin *ret);

/* Notes that the first file with a build id has that place. Files without a build id claim nothing. 0 or -ENOMEM. */
int symbol_claims_add(SymbolClaims *c, const SymbolOrigin *origin, const char *place);

/* Returns the first file of that build id; NULL: there is none. */
const SymbolClaim *symbol_claims_find(const SymbolClaims *c, const BuildId *id);

/* True if the file that was first can stand for this one: it is root's, or of the same owner. */
bool symbol_claim_covers(const SymbolClaim *claim, const SymbolOrigin *origin);

static inline bool symbol_origin_is_at_path(const SymbolOrigin *o) {
        return o->trust == SYMBOL_TRUST_MACHINE || o->trust == SYMBOL_TRUST_PATH;
}

static inline bool symbol_origin_is_roots(const SymbolOrigin *o) {
        return o->trust <= SYMBOL_TRUST_ROOT;
}
