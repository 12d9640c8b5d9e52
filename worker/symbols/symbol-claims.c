/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The files of a dump's samples by their build ids. They are met in the order of trust, so that the first one of a build id is
 * never replaced. */

#include "symbol-claims.h"

#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "cleanup.h"
#include "elf-build-id.h"

void symbol_claims_done(SymbolClaims *c) {
        for (size_t i = 0; i < c->n; i++)
                free(c->claims[i].place);
        free(c->claims);
        hash_index_done(&c->index);
        *c = (SymbolClaims) {};
}

int symbol_origin_of(int fd, bool own, SymbolOrigin *ret) {
        struct stat st;
        bool roots;

        if (fstat(fd, &st) < 0)
                return -errno;
        roots = st.st_uid == 0 || st.st_uid == geteuid();
        *ret = (SymbolOrigin) {
                .trust = own ? (roots ? SYMBOL_TRUST_MACHINE : SYMBOL_TRUST_PATH) : (roots ? SYMBOL_TRUST_ROOT : SYMBOL_TRUST_USER),
                .owner = st.st_uid,
        };
        if (build_id_of_fd(fd, &ret->id) < 0)
                ret->id.size = 0;
        return 0;
}

static uint64_t id_hash(const BuildId *id) {
        return hash_bytes(0, id->bytes, id->size);
}

static uint64_t claim_hash(const void *owner, uintptr_t entry) {
        return id_hash(&((const SymbolClaims *) owner)->claims[entry - 1].origin.id);
}

const SymbolClaim *symbol_claims_find(const SymbolClaims *c, const BuildId *id) {
        uintptr_t found = HASH_INDEX_FIND(&c->index, id_hash(id), entry, build_id_equal(&c->claims[entry - 1].origin.id, id));

        return found > 0 ? c->claims + found - 1 : NULL;
}

int symbol_claims_add(SymbolClaims *c, const SymbolOrigin *origin, const char *place) {
        int r;

        if (origin->id.size == 0 || symbol_claims_find(c, &origin->id))
                return 0;
        if (ARRAY_RESERVE(c->claims, c->allocated, c->n + 1) < 0)
                return -ENOMEM;
        c->claims[c->n] = (SymbolClaim) { .origin = *origin, .place = strdup(place) };
        if (!c->claims[c->n].place)
                return -ENOMEM;
        r = hash_index_add(&c->index, id_hash(&origin->id), c->n + 1, claim_hash, c);
        if (r < 0)
                free(c->claims[c->n].place);
        else
                c->n++;
        return r;
}

bool symbol_claim_covers(const SymbolClaim *claim, const SymbolOrigin *origin) {
        return symbol_origin_is_roots(&claim->origin) || claim->origin.owner == origin->owner;
}
