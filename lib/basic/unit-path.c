/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A group belongs to the unit that systemd finds by its path: behind the slices, the first component is the unit. What
 * lies below may be delegated to a user, who may give groups there the names of other units. Invariant: such names are
 * not looked at. A user manager is a unit of the system, and below its group the same rule leads to the user's units.
 *
 * In a container with a control group namespace, the kernel's records have paths from the host's root. Components before the
 * first unit are skipped then, as they are the container's place on the host.
 *
 * Names of containers are those that the common runtimes give to their groups; any user's group may look so, since a container
 * is only shown. */

#include "unit-path.h"

#include <fnmatch.h>

#include "array.h"
#include "format-text.h"

#define ID_DIGITS 64u /* of a container */
#define ID_SHOWN  12u

/* The kinds of a path's components. */
typedef enum GroupKind {
        GROUP_OTHER,
        GROUP_SLICE,
        GROUP_UNIT,
} GroupKind;

/* Copies the next component of the path without systemd's mark ("_") for names that the kernel would take for a file
 * of its own. False: there is none, or it is too long for a unit's name. */
static bool path_next(const char **path, char part[static UNIT_NAME_SIZE]) {
        size_t n;

        *path += strspn(*path, "/");
        *path += **path == '_';
        n = strcspn(*path, "/");
        if (n == 0 || n >= UNIT_NAME_SIZE)
                return false;
        memcpy(part, *path, n);
        part[n] = '\0';
        *path += n;
        return true;
}

static GroupKind group_kind(const char *part) {
        static const char *const units[] = { ".service", ".scope", ".socket", ".mount", ".swap" };
        const char *suffix = strrchr(part, '.');

        if (!suffix || suffix == part)
                return GROUP_OTHER;
        return streq(suffix, ".slice") ? GROUP_SLICE
               : ANY_OF(ELEMENTSOF(units), i, streq(suffix, units[i])) ? GROUP_UNIT : GROUP_OTHER;
}

/* The way from the root to the group's unit: slices, a user manager, the unit. */
typedef struct UnitWalk {
        const char *path;
        bool in_manager, begun, ended;
} UnitWalk;

static UnitWalk unit_walk_begin(const char *path, UnitScope scope) {
        return (UnitWalk) { .path = path, .in_manager = !scope.user_units, .begun = !scope.in_container };
}

/* Finds the next slice or unit of the scope. False: there is none. */
static bool walk_next(UnitWalk *w, char part[static UNIT_NAME_SIZE]) {
        while (!w->ended && path_next(&w->path, part)) {
                GroupKind kind = group_kind(part);
                bool counts = w->in_manager;

                w->begun = w->begun || kind != GROUP_OTHER;
                if (!w->begun)
                        continue;
                if (kind == GROUP_OTHER)
                        break;
                w->ended = kind == GROUP_UNIT && (w->in_manager || !startswith(part, "user@"));
                w->in_manager = w->in_manager || kind == GROUP_UNIT;
                if (counts)
                        return true;
        }
        return false;
}

bool unit_path_matches(const char *path, const char *pattern, UnitScope scope) {
        UnitWalk w = unit_walk_begin(path, scope);
        char part[UNIT_NAME_SIZE];

        while (walk_next(&w, part))
                if (fnmatch(pattern, part, FNM_NOESCAPE) == 0)
                        return true;
        return false;
}

char *unit_path_complete(const char *name) {
        bool whole = name[strcspn(name, "*?[")] || group_kind(name) != GROUP_OTHER;

        return format_text("%s%s", name, whole ? "" : ".service");
}

void unit_path_name(const char *path, UnitScope scope, char ret[static UNIT_NAME_SIZE]) {
        UnitWalk w = unit_walk_begin(path, scope);
        char part[UNIT_NAME_SIZE];

        memcpy(ret, "-.slice", sizeof("-.slice"));
        while (walk_next(&w, part))
                memcpy(ret, part, strlen(part) + 1);
}

/* "PREFIX-ID.scope", "ID" */
static bool unit_find_id(const char *part, char ret[static UNIT_NAME_SIZE]) {
        const char *dash = strrchr(part, '-'), *id = dash ? dash + 1 : part;

        if (strspn(id, "0123456789abcdef") != ID_DIGITS || (id[ID_DIGITS] && !streq(id + ID_DIGITS, ".scope")))
                return false;
        memcpy(ret, id, ID_SHOWN);
        ret[ID_SHOWN] = '\0';
        return true;
}

/* "PREFIXnameSUFFIX" */
static bool unit_find_name(const char *part, const char *prefix, const char *suffix, char ret[static UNIT_NAME_SIZE]) {
        const char *name = startswith(part, prefix);
        size_t n = name ? strlen(name) : 0, n_suffix = strlen(suffix);

        if (n <= n_suffix || !streq(name + n - n_suffix, suffix))
                return false;
        memcpy(ret, name, n - n_suffix);
        ret[n - n_suffix] = '\0';
        return true;
}

/* systemd writes other characters as "\x2d". */
static void unit_unescape(char *name) {
        char *to = name;
        unsigned byte;

        for (const char *from = name; *from; to++)
                if (from[0] == '\\' && from[1] == 'x' && sscanf(from + 2, "%2x", &byte) == 1 && byte > 0 &&
                    strspn(from + 2, "0123456789abcdef") >= 2) {
                        *to = (char) byte;
                        from += 4;
                } else
                        *to = *from++;
        *to = '\0';
}

bool unit_path_container(const char *path, char ret[static UNIT_NAME_SIZE]) {
        char part[UNIT_NAME_SIZE];

        while (path_next(&path, part)) {
                if (unit_find_id(part, ret) || unit_find_name(part, "lxc.payload.", "", ret))
                        return true;
                if (unit_find_name(part, "machine-", ".scope", ret) || unit_find_name(part, "systemd-nspawn@", ".service", ret)) {
                        unit_unescape(ret);
                        return true;
                }
        }
        return false;
}
