/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "mount-roots.h"

/* Finds the binaries that processes had mapped, be they in a container or deleted since. One search serves all binaries of a
 * recording: what it may cost is counted together. */
typedef struct DsoSearch {
        const char *root;     /* what stands before /proc and the machine's own files, "" for the real ones */
        const DsoHits *hits;  /* whose processes may know further file systems; NULL: nobody's */
        MountRoots others;
        bool has_others;      /* they were looked for */
        unsigned looks;       /* links in map_files that may still be read */
} DsoSearch;

#define DSO_SEARCH_LOOKS 65536u

void dso_search_init(DsoSearch *s, const char *root, const DsoHits *hits);
void dso_search_done(DsoSearch *s);

/* Opens the binary for reading. *ret_own (may be NULL): it is what the machine itself has at that path. -ENOENT, -ESTALE
 * (what is there is another one), -ENOSYS (a sandbox forbids openat2(2)) and others: it can't be had; -ENOMEM. */
int dso_source_open(DsoSearch *s, const DsoHit *hit, bool *ret_own);

/* Whether an open file has the device, inode and generation that were mapped, as far as these are known. The generation is not
 * known of a descriptor that was opened with O_PATH. */
bool dso_has_inode(const DsoHit *hit, int fd);
