/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Finds the unit and the container that a control group belongs to, by the path of the group. */

#define UNIT_NAME_SIZE 256u /* bytes, with the zero */

/* The units that are looked for in a path. */
typedef struct UnitScope {
        bool in_container; /* paths begin with the container's place on the host */
        bool user_units;   /* those of user managers, not those of the system */
} UnitScope;

/* Returns true if the group's unit, or one of its slices, matches the pattern of fnmatch(3). */
bool unit_path_matches(const char *path, const char *pattern, UnitScope scope);

/* Returns the name with ".service" if it is no pattern and has no suffix of units and slices. NULL: no memory. */
char *unit_path_complete(const char *name);

/* Finds the group's unit, otherwise its innermost slice: "-.slice" for the root. */
void unit_path_name(const char *path, UnitScope scope, char ret[static UNIT_NAME_SIZE]);

/* Finds the container: the first 12 digits of the id that Docker, Podman, containerd or CRI-O gave it, otherwise the name of a
 * machine of systemd or LXC. Returns false if the group is of none. */
bool unit_path_container(const char *path, char ret[static UNIT_NAME_SIZE]);
