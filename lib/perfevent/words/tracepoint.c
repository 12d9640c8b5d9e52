/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Kernel tracepoints. Each is a directory events/SYSTEM/NAME of tracefs, with a file "id" that has the number for
 * perf_event_open(2). Names are checked before they become a path, so that no name leads out of the root. Patterns are
 * matched one directory at a time, in the directory's order, which is the order in which perf opens them. */

#include "tracepoint.h"

#include <fnmatch.h>
#include <sys/statfs.h>
#include <linux/magic.h>
#include "array.h"
#include "fd-file.h"
#include "format-text.h"
#include "parse-number.h"

#define FORMAT_MAX (256 * 1024) /* bytes */

static bool is_mounted_tracefs(const char *path) {
        struct statfs s;

        return statfs(path, &s) >= 0 && s.f_type == TRACEFS_MAGIC;
}

/* A line of /proc/mounts: device, directory, type, … The directory's blanks are escaped as \040; such a mount is
 * ignored. */
static int find_in_mounts(char **ret) {
        _cleanup_fclose_ FILE *f = fopen("/proc/mounts", "re");
        char line[4096], directory[1024], type[64];

        if (!f)
                return -errno;
        while (fgets(line, sizeof(line), f))
                if (sscanf(line, "%*s %1023s %63s", directory, type) == 2 && streq(type, "tracefs") &&
                    is_mounted_tracefs(directory))
                        return free_and_strdup(ret, directory);
        return -ENOENT;
}

int tracefs_find(char **ret) {
        static const char *const usual[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
        char *found = NULL;
        int r = -ENOENT;

        for (size_t i = 0; i < ELEMENTSOF(usual) && !found; i++)
                if (is_mounted_tracefs(usual[i]))
                        r = free_and_strdup(&found, usual[i]);
        if (!found && r != -ENOMEM)
                r = find_in_mounts(&found);
        if (r < 0)
                return r;
        *ret = found;
        return 0;
}

static bool name_is_valid(const char *s) {
        size_t n = strlen(s);

        return n > 0 && n <= TRACEPOINT_NAME_MAX && !strchr(s, '/') && s[0] != '.';
}

static int event_path(const char *root, const char *system, const char *name, const char *file, char **ret) {
        if (!name_is_valid(system) || (name && !name_is_valid(name)))
                return -EINVAL;
        *ret = format_text("%s/events/%s%s%s%s%s", root, system, name ? "/" : "", name ?: "", file ? "/" : "", file ?: "");
        return *ret ? 0 : -ENOMEM;
}

int tracepoint_id(const char *root, const char *system, const char *name, uint64_t *ret) {
        _cleanup_free_ char *path = NULL, *text = NULL;
        int r = event_path(root, system, name, "id", &path);

        if (r < 0)
                return r;
        r = read_file(path, 64, &text, NULL);
        if (r < 0)
                return r;
        text[strcspn(text, "\n")] = 0;
        return parse_uint64(text, ret);
}

/* Returns the name in "TYPE NAME" or "TYPE NAME[N]", NULL if there is none. Modifies text. */
static char *field_name(char *text) {
        size_t n = strlen(text);
        char *name;

        if (n > 0 && text[n - 1] == ']' && strchr(text, '['))
                *strrchr(text, '[') = 0;
        name = strrchr(text, ' ');
        return name ? name + 1 + (name[1] == '*') : NULL;
}

/* Lists "TYPE NAME[N]" of the lines "\tfield:TYPE NAME[N];\toffset:…" of the format file. */
static int read_declarations(const char *root, const char *system, const char *name, char ***ret) {
        _cleanup_free_ char *path = NULL, *text = NULL;
        _cleanup_strv_free_ char **fields = NULL;
        char *rest;
        int r = event_path(root, system, name, "format", &path);

        if (r < 0)
                return r;
        r = read_file(path, FORMAT_MAX, &text, NULL);
        if (r < 0)
                return r;

        rest = text;
        for (char *line; r >= 0 && (line = strsep(&rest, "\n"));) {
                char *field = (char *) startswith(line, "\tfield:");

                if (!field)
                        continue;
                field[strcspn(field, ";")] = 0;
                r = strv_extend(&fields, field);
        }
        if (r < 0)
                return r;
        *ret = steal_ptr(fields);
        return 0;
}

int tracepoint_fields(const char *root, const char *system, const char *name, char ***ret) {
        _cleanup_strv_free_ char **declarations = NULL, **fields = NULL;
        int r = read_declarations(root, system, name, &declarations);

        STRV_FOREACH(s, declarations) {
                char *field = field_name(*s);

                if (r >= 0 && field)
                        r = strv_extend(&fields, field);
        }
        if (r < 0)
                return r;
        *ret = steal_ptr(fields);
        return 0;
}

int tracepoint_declarations(const char *root, const char *system, const char *name, char ***ret) {
        _cleanup_strv_free_ char **all = NULL, **own = NULL;
        int r = read_declarations(root, system, name, &all);

        STRV_FOREACH(s, all)
                if (r >= 0 && !strstr(*s, " common_"))
                        r = strv_extend(&own, *s);
        if (r < 0)
                return r;
        *ret = steal_ptr(own);
        return 0;
}

bool tracepoint_is_pattern(const char *s) {
        return strpbrk(s, "*?") != NULL;
}

/* Lists the directories in path that match. */
static int list_matching(const char *path, const char *pattern, char ***ret) {
        _cleanup_closedir_ DIR *dir = opendir(path);
        _cleanup_strv_free_ char **names = NULL;
        struct dirent *entry;
        size_t n = 0;
        int r;

        if (!dir)
                return -errno;
        while ((entry = readdir(dir))) {
                if (entry->d_name[0] == '.' || entry->d_type != DT_DIR || fnmatch(pattern, entry->d_name, FNM_NOESCAPE) != 0)
                        continue;
                if (++n > TRACEPOINT_EVENTS_MAX)
                        return -E2BIG;
                r = strv_extend(&names, entry->d_name);
                if (r < 0)
                        return r;
        }
        *ret = steal_ptr(names);
        return 0;
}

int tracepoint_list(const char *root, const char *system, char ***ret) {
        _cleanup_free_ char *path = NULL;
        int r = 0;

        if (system)
                r = event_path(root, system, NULL, NULL, &path);
        else
                path = path_join(root, "events");
        if (r >= 0)
                r = path ? list_matching(path, "*", ret) : -ENOMEM;
        if (r >= 0 && *ret)
                strv_sort(*ret);
        return r;
}

Tracepoint *tracepoints_free(Tracepoint *t, size_t n) {
        for (size_t i = 0; i < n; i++) {
                free(t[i].system);
                free(t[i].name);
        }
        free(t);
        return NULL;
}

typedef struct Found {
        Tracepoint *tracepoints;
        size_t n;
} Found;

static void found_done(Found *f) {
        (void) tracepoints_free(f->tracepoints, f->n);
}

static int found_add(Found *f, const char *system, const char *name, uint64_t id) {
        Tracepoint *t;

        if (f->n >= TRACEPOINT_EVENTS_MAX)
                return -E2BIG;
        if (ARRAY_RESERVE_NEXT(f->tracepoints, f->n) < 0)
                return -ENOMEM;
        t = &f->tracepoints[f->n++];
        *t = (Tracepoint){ .system = strdup(system), .name = strdup(name), .id = id };
        return t->system && t->name ? 0 : -ENOMEM;
}

/* Appends the system's events that match. None is no error. */
static int expand_events(const char *root, const char *system, const char *name, Found *f) {
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *path = NULL;
        int r;

        if (tracepoint_is_pattern(name)) {
                r = event_path(root, system, NULL, NULL, &path);
                if (r >= 0)
                        r = list_matching(path, name, &names);
        } else
                r = strv_extend(&names, name);
        if (r < 0)
                return r == -ENOENT || r == -ENOTDIR ? 0 : r;

        STRV_FOREACH(s, names) {
                uint64_t id;

                r = tracepoint_id(root, system, *s, &id);
                if (r == -ENOENT || r == -ENOTDIR) /* some, such as ftrace's own, are not for perf */
                        continue;
                if (r >= 0)
                        r = found_add(f, system, *s, id);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int refuse_expand(int r, const char *root, const char *system, const char *name, Diagnosis *d) {
        switch (r) {
        case -ENOENT:
                return diagnosis_set(d, r, "There is no tracepoint %s:%s; %s/available_events lists all", system, name, root);
        case -EACCES:
        case -EPERM:
                return diagnosis_set(d, -EACCES, "The tracepoints in %s can be read by root only; root can let a group read them: "
                                     "mount -o remount,mode=750,gid=GROUP %s", root, root);
        case -EINVAL:
                return diagnosis_set(d, r, "\"%s:%s\" is not the name of a tracepoint", system, name);
        case -E2BIG:
                return diagnosis_set(d, r, "%s:%s matches more than %d tracepoints", system, name, TRACEPOINT_EVENTS_MAX);
        default:
                return diagnosis_set(d, r, "Looking up %s:%s failed: %s", system, name, strerror(-r));
        }
}

int tracepoint_expand(const char *root, const char *system, const char *name, Tracepoint **ret, size_t *ret_n, Diagnosis *d) {
        _cleanup_strv_free_ char **candidates = NULL;
        _cleanup_(found_done) Found f = {};
        int r;

        if (!name_is_valid(system) || !name_is_valid(name))
                return refuse_expand(-EINVAL, root, system, name, d);
        if (tracepoint_is_pattern(system)) {
                _cleanup_free_ char *path = path_join(root, "events");

                r = path ? list_matching(path, system, &candidates) : -ENOMEM;
        } else
                r = strv_extend(&candidates, system);
        STRV_FOREACH(s, candidates)
                if (r >= 0)
                        r = expand_events(root, *s, name, &f);
        if (r >= 0 && f.n == 0)
                r = -ENOENT;
        if (r < 0)
                return refuse_expand(r, root, system, name, d);

        *ret_n = f.n;
        *ret = steal_ptr(f.tracepoints);
        f.n = 0;
        return 0;
}

bool tracepoint_is_syscall(const char *event) {
        return startswith(event, "raw_syscalls:") || startswith(event, "syscalls:");
}
