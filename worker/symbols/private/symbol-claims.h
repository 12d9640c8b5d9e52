/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"
#include "hash-index.h"

/* Which file stands for a build id in a directory of symbols. Whoever builds a file chooses its build id, so that a user's file
 * can have that of a system's binary, and other names in it. The lower the value, the more a file is trusted. */
typedef enum SymbolTrust {
        SYMBOL_TRUST_MACHINE, /* the machine has it at its path */
        SYMBOL_TRUST_ROOT,    /* of root or the recorder's user, in a container, or deleted since it was mapped */
        SYMBOL_TRUST_USER,    /* of another user, likewise */
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

/* True if the file that was first can stand for this one: it is trusted more, or as much and of the same owner. */
bool symbol_claim_covers(const SymbolClaim *claim, const SymbolOrigin *origin);
