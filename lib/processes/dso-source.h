/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "mount-roots.h"

/* Finds the binaries that processes had mapped, even in a container or deleted since. One search serves all binaries
 * of a recording, so that its cost is limited as a whole. */
typedef struct DsoSearch {
        const char *root;     /* the prefix of /proc and of the machine's own files; "" for the real ones */
        const DsoHits *hits;  /* their processes may know further file systems; may be NULL */
        MountRoots others;
        bool has_others;      /* others was looked for */
        unsigned looks;       /* links in map_files that may still be read */
} DsoSearch;

#define DSO_SEARCH_LOOKS 65536u

void dso_search_init(DsoSearch *s, const char *root, const DsoHits *hits);
void dso_search_done(DsoSearch *s);

/* Opens the binary for reading. *ret_own (may be NULL): it is the machine's own file of that path. -ENOENT, -ESTALE
 * (there is another file), -EIDRM (it was deleted, and its process's link to it can't be followed, which needs
 * CAP_CHECKPOINT_RESTORE) and others: it is not available; -ENOMEM. */
int dso_source_open(DsoSearch *s, const DsoHit *hit, bool *ret_own);

/* Opens the machine's own file of that path if it is the one that was mapped: by the inode or build id, without which the errors
 * are -ENOENT and those above. */
int dso_source_open_own(const DsoSearch *s, const DsoHit *hit);

/* True if an open file has the device, inode and generation that were mapped, as far as these are known. The
 * generation of a descriptor that was opened with O_PATH is not known. */
bool dso_has_inode(const DsoHit *hit, int fd);
