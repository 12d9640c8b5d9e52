/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Descriptors that the service manager keeps for the next daemon (sd_notify(3), FDSTORE=1). Without a service
 * manager pushing does nothing: a daemon run by hand finds its recorders by their scopes. */

#define FDSTORE_NAME_MAX 64 /* bytes, with the NUL */
#define FDSTORE_ENTRY_FDS 4

typedef struct FdStoreEntry {
        char name[FDSTORE_NAME_MAX];
        int fds[FDSTORE_ENTRY_FDS]; /* in no order; the rest -EBADF */
        size_t n_fds;
} FdStoreEntry;

typedef struct FdStore {
        FdStoreEntry *entries;
        size_t n_entries;
} FdStore;

/* Takes the descriptors that were passed at the start, those of one name together. Called once. */
int fdstore_restore(FdStore *ret);
void fdstore_done(FdStore *s); /* closes those that were not taken */

/* Descriptors of one name come back as one entry. The manager does not watch them (FDPOLL=0), so a dead pidfd stays
 * too. */
int fdstore_push(const char *name, const int *fds, size_t n_fds);
void fdstore_remove(const char *name);

typedef enum FdKind { FD_KIND_PIDFD, FD_KIND_MEMFD, FD_KIND_SOCKET, FD_KIND_OTHER } FdKind;

/* Returns the kind of a descriptor; ret_name is set for a memfd, to the name that it was made with. */
FdKind fdstore_kind(int fd, char ret_name[FDSTORE_NAME_MAX]);
