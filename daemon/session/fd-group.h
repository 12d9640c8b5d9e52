/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-event.h>

#include "cleanup.h"

/* Many descriptors behind one source of the event loop. An event loop of systemd's asks the kernel for everything that
 * is ready before each single dispatch, so that two hundred descriptors that become readable at once cost twenty thousand
 * looks. A group takes them all in one turn, at the same priority. */

typedef struct FdGroup FdGroup;
typedef struct FdGroupMember FdGroupMember;

/* fd is readable, or at its end. It is called again as long as that is so. */
typedef void (*FdGroupReadable)(int fd, void *userdata);

int fd_group_new(sd_event *event, FdGroup **ret);
FdGroup *fd_group_free(FdGroup *g); /* after its members */
DEFINE_CLEANUP(FdGroup *, fd_group_free);

/* The descriptor stays the caller's, who frees the member before it closes it. */
int fd_group_add(FdGroup *g, int fd, FdGroupReadable readable, void *userdata, FdGroupMember **ret);
FdGroupMember *fd_group_member_free(FdGroupMember *m); /* also from within a callback of the group */
