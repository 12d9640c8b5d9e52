/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

typedef enum SandboxFlags {
        SANDBOX_TERMINAL = 1 << 0, /* it draws on the terminal that it has: it sets its mode, stops itself on Ctrl-Z, and reads the
                                    * descriptions of terminals */
} SandboxFlags;

/* Restricts this process, and those it forks, to computing and to reading below the places that names come from: recordings and
 * binaries are files that others wrote. It cannot write to a file, connect, execute or trace anything afterwards;
 * descriptors that are open keep working.
 *
 * Landlock, which bounds what can be read, is left out on kernels that do not have it, and in containers whose filter of system
 * calls does not know it: *ret_landlock is false then. 0, or a
 * negative errno: the process is not restricted.
 *
 * A child of a process that entered it is as restricted as that one: for it, this does nothing, and *ret_landlock is true. */
int sandbox_enter(const char *const *places, unsigned flags, bool *ret_landlock);

/* Restricts this process, which has one thread, to computing with the memory and the descriptors that it has or receives: no file
 * is opened by its name, no process made or signalled, nothing written but by send() to what is connected. It needs no
 * Landlock for that. 0, or a negative errno: the process is not restricted. */
int sandbox_close(void);

/* Appends the directories of the machine that can have binaries to an array of strings: all of the root directory except for
 * those that hold configuration, state and secrets, and the kernel's own descriptions of itself; none inside the sandbox. 0,
 * -ENOMEM and errors of opendir(3). */
int sandbox_list_places(char ***places);
