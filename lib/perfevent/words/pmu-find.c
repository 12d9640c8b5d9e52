/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the PMUs that a word means. The memory controllers of a server are a PMU each (uncore_imc_0, uncore_imc_1, …)
 * and are named together (imc/…/); a hybrid machine has a PMU for each kind of core. The directory's order is kept,
 * which is the order in which perf opens them. */

#include "format-text.h"
#include "pmu-directory.h"

#include "fd-file.h"
#include "strv.h"

#define PMUS_MAX 65536

typedef bool (*Matches)(const char *root, const char *pmu, const char *word);

static int pmu_scan(const char *root, Matches matches, const char *word, char ***ret) {
        _cleanup_closedir_ DIR *dir = opendir(root);
        _cleanup_strv_free_ char **found = NULL;
        struct dirent *entry;

        if (!dir)
                return -ENOENT;
        while ((entry = readdir(dir)))
                if (entry->d_name[0] != '.' && matches(root, entry->d_name, word)) {
                        int r = strv_extend(&found, entry->d_name);

                        if (r < 0)
                                return r;
                }
        *ret = steal_ptr(found);
        return *ret ? 0 : -ENOENT;
}

/* "imc" matches imc_0, imc_1, and imc itself. */
static bool name_is_numbered(const char *name, const char *word) {
        const char *rest = startswith(name, word);

        return rest && (!*rest || (rest[0] == '_' && rest[1] >= '0' && rest[1] <= '9'));
}

static bool matches_name(const char *root, const char *pmu, const char *word) {
        const char *name = startswith(pmu, "uncore_");
        _cleanup_free_ char *directory = path_join(root, pmu), *alias = NULL;

        if (name_is_numbered(!name || startswith(word, "uncore_") ? pmu : name, word))
                return true;
        return directory && pmu_read_word(directory, "alias", &alias) >= 0 && name_is_numbered(alias, word);
}

static bool has_event(const char *root, const char *pmu, const char *event) {
        _cleanup_(pmu_freep) Pmu *p = NULL;
        _cleanup_strv_free_ char **names = NULL;

        if (pmu_open(root, pmu, &p) < 0 || pmu_list_aliases(p, &names) < 0)
                return false;
        STRV_FOREACH(name, names)
                if (strcasecmp(*name, event) == 0)
                        return true;
        return false;
}

static bool matches_hybrid(const char *root, const char *pmu, const char *word) {
        return pmu_is_hybrid(root, pmu);
}

int pmu_find(const char *root, const char *name, char ***ret) {
        _cleanup_free_ char *path = NULL;

        root = root ?: PMU_DEFAULT_ROOT;
        if (!pmu_name_is_valid(name))
                return -ENOENT;
        path = format_text("%s/%s/type", root, name);
        if (!path)
                return -ENOMEM;
        if (access(path, F_OK) >= 0)
                return strv_extend(ret, name);
        return pmu_scan(root, matches_name, name, ret);
}

int pmu_find_alias(const char *root, const char *alias, char ***ret) {
        return pmu_name_is_valid(alias) ? pmu_scan(root ?: PMU_DEFAULT_ROOT, has_event, alias, ret) : -ENOENT;
}

bool pmu_is_hybrid(const char *root, const char *name) {
        _cleanup_free_ char *path = startswith(name, "cpu_") ? format_text("%s/%s/cpus", root ?: PMU_DEFAULT_ROOT, name) : NULL;

        return path && access(path, F_OK) >= 0;
}

int pmu_find_hybrid(const char *root, char ***ret) {
        int r = pmu_scan(root ?: PMU_DEFAULT_ROOT, matches_hybrid, NULL, ret);

        return r == -ENOENT ? 0 : r;
}

int pmu_list(const char *root, char ***ret) {
        return list_directory(root ?: PMU_DEFAULT_ROOT, PMUS_MAX, ret);
}
