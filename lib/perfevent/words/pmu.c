/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A PMU is a directory of sysfs: "type" is the value for perf_event_attr.type, "format/TERM" has the bits of the
 * config word that a term fills ("config:0-7,21"), "events/NAME" is a list of terms, "cpumask" has the CPUs that stand
 * for the rest of their package. Terms of an unknown word (config4 of later kernels) are left out, so that they are
 * unknown rather than wrong. Only the files that one event needs are read: nothing is scanned in advance.
 *
 * "events/NAME.unit" and "events/NAME.scale" are the unit of an event's counts; ".per-pkg" and ".snapshot" are for counting only.
 * The memory controllers of a server are a PMU each (uncore_imc_0, uncore_imc_1, …) and are named together (imc/…/); a hybrid
 * machine has a PMU for each kind of core. The directory's order is kept, which is the order in which perf opens them. */

#include "pmu.h"

#include <locale.h>

#include "fd-file.h"
#include "format-text.h"
#include "parse-number.h"
#include "strv.h"

#define PMU_FILE_MAX 4096 /* bytes: sysfs gives one page at most */
#define PMU_EVENTS_MAX 65536
#define PMUS_MAX 65536

/* True if the name of a PMU, a term or an event can be part of a path. */
static bool pmu_name_is_valid(const char *s) {
        return *s && *s != '.' && !strchr(s, '/') && strlen(s) <= 255;
}

/* Reads the first line of a file of sysfs; a new string. */
static int pmu_read_word(const char *directory, const char *file, char **ret) {
        _cleanup_free_ char *path = path_join(directory, file), *text = NULL;
        int r;

        if (!path)
                return -ENOMEM;
        r = read_file(path, PMU_FILE_MAX, &text, NULL);
        if (r < 0)
                return r;
        text[strcspn(text, "\n")] = 0;
        *ret = steal_ptr(text);
        return 0;
}

/* "0-7" or "21": adds its bits. */
static int add_bit_range(const char *s, uint64_t *bits) {
        unsigned first, last;
        char *end;

        if (*s < '0' || *s > '9')
                return -EINVAL;
        first = last = (unsigned) MIN_OF(strtoul(s, &end, 10), 64UL);
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
                last = (unsigned) MIN_OF(strtoul(end + 1, &end, 10), 64UL);
        if (*end || last > 63 || first > last)
                return -EINVAL;
        for (unsigned i = first; i <= last; i++)
                *bits |= UINT64_C(1) << i;
        return 0;
}

/* "config1:0-7,21" */
static int pmu_format_parse(char *text, PmuFormat *f) {
        static const char *const words[] = { "config:", "config1:", "config2:", "config3:" };
        char *ranges = NULL, *state = NULL;
        int r;

        for (unsigned i = 0; i < PMU_WORDS && !ranges; i++) {
                ranges = (char *) startswith(text, words[i]);
                f->word = i;
        }
        if (!ranges)
                return -EINVAL;
        for (char *s = strtok_r(ranges, ",", &state); s; s = strtok_r(NULL, ",", &state)) {
                r = add_bit_range(s, &f->bits);
                if (r < 0)
                        return r;
        }
        return f->bits ? 0 : -EINVAL;
}

static int read_formats(Pmu *p) {
        _cleanup_free_ char *directory = path_join(p->directory, "format");
        _cleanup_strv_free_ char **names = NULL;
        int r;

        if (!directory)
                return -ENOMEM;
        r = list_directory(directory, PMU_FORMATS_MAX, &names);
        if (r == -ENOENT)
                return 0;
        if (r < 0)
                return r;
        p->formats = calloc(strv_length(names) + 1, sizeof(PmuFormat));
        if (!p->formats)
                return -ENOMEM;

        STRV_FOREACH(s, names) {
                _cleanup_free_ char *text = NULL;
                PmuFormat f = {};

                r = pmu_read_word(directory, *s, &text);
                if (r < 0)
                        return r;
                if (pmu_format_parse(text, &f) < 0)
                        continue;
                f.name = strdup(*s);
                if (!f.name)
                        return -ENOMEM;
                p->formats[p->n_formats++] = f;
        }
        return 0;
}

/* Uncore PMUs have "cpumask", the core PMUs of a hybrid machine have "cpus". */
static int read_cpus(Pmu *p) {
        _cleanup_free_ char *text = NULL;
        int r = pmu_read_word(p->directory, "cpumask", &text);

        if (r == -ENOENT)
                r = pmu_read_word(p->directory, "cpus", &text);
        if (r == -ENOENT || (r >= 0 && !*text))
                return 0;
        if (r < 0)
                return r;
        return parse_cpu_list(text, &p->cpus, &p->n_cpus);
}

int pmu_open(const char *root, const char *name, Pmu **ret) {
        _cleanup_(pmu_freep) Pmu *p = NULL;
        _cleanup_free_ char *type = NULL;
        int r;

        if (!pmu_name_is_valid(name))
                return -ENOENT;
        p = calloc(1, sizeof(*p));
        if (!p)
                return -ENOMEM;
        p->name = strdup(name);
        p->directory = path_join(root ?: PMU_DEFAULT_ROOT, name);
        if (!p->name || !p->directory)
                return -ENOMEM;

        r = pmu_read_word(p->directory, "type", &type);
        if (r >= 0)
                r = parse_uint(type, &p->type);
        if (r >= 0)
                r = read_formats(p);
        if (r >= 0)
                r = read_cpus(p);
        if (r < 0)
                return r == -ENOTDIR ? -ENOENT : r;
        *ret = steal_ptr(p);
        return 0;
}

Pmu *pmu_free(Pmu *p) {
        if (!p)
                return NULL;
        for (size_t i = 0; i < p->n_formats; i++)
                free(p->formats[i].name);
        free(p->formats);
        free(p->cpus);
        free(p->directory);
        free(p->name);
        free(p);
        return NULL;
}

static const PmuFormat *pmu_find_format(const Pmu *p, const char *term) {
        for (size_t i = 0; i < p->n_formats; i++)
                if (streq(p->formats[i].name, term))
                        return &p->formats[i];
        return NULL;
}

uint64_t pmu_term_max(const Pmu *p, const char *term) {
        const PmuFormat *f = pmu_find_format(p, term);
        int n = f ? __builtin_popcountll(f->bits) : 0;

        return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

bool pmu_has_term(const Pmu *p, const char *term) {
        return pmu_find_format(p, term) != NULL;
}

int pmu_set_term(const Pmu *p, const char *term, uint64_t value, uint64_t words[static PMU_WORDS]) {
        const PmuFormat *f = pmu_find_format(p, term);

        if (!f)
                return -ENOENT;
        if (value > pmu_term_max(p, term))
                return -ERANGE;
        for (uint64_t left = f->bits; left; left &= left - 1, value >>= 1)
                if (value & 1)
                        words[f->word] |= left & -left; /* the lowest remaining bit */
        return 0;
}

char *pmu_list_terms(const Pmu *p) {
        _cleanup_strv_free_ char **names = NULL;

        for (size_t i = 0; i < p->n_formats; i++)
                if (strv_extend(&names, p->formats[i].name) < 0)
                        return NULL;
        return strv_join(names, ",");
}

static bool name_is_of_event(const char *name) {
        static const char *const suffixes[] = { ".unit", ".scale", ".per-pkg", ".snapshot" };

        const char *dot = strrchr(name, '.');

        for (size_t i = 0; dot && i < ELEMENTSOF(suffixes); i++)
                if (streq(dot, suffixes[i]))
                        return false;
        return true;
}

int pmu_list_aliases(const Pmu *p, char ***ret) {
        _cleanup_free_ char *directory = path_join(p->directory, "events");
        _cleanup_strv_free_ char **files = NULL, **names = NULL;
        int r;

        if (!directory)
                return -ENOMEM;
        r = list_directory(directory, PMU_EVENTS_MAX, &files);
        if (r == -ENOENT)
                r = 0;
        STRV_FOREACH(f, files)
                if (r >= 0 && name_is_of_event(*f))
                        r = strv_extend(&names, *f);
        if (r < 0)
                return r;
        *ret = steal_ptr(names);
        return 0;
}

/* Finds the name as the directory spells it. */
static int find_alias_name(const Pmu *p, const char *alias, char **ret) {
        _cleanup_strv_free_ char **names = NULL;
        int r = pmu_list_aliases(p, &names);

        if (r < 0)
                return r;
        STRV_FOREACH(name, names)
                if (strcasecmp(*name, alias) == 0)
                        return free_and_strdup(ret, *name);
        return -ENOENT;
}

/* The kernel writes a point in every locale. A file without a number counts as missing. */
static double read_scale(const char *directory, const char *file) {
        _cleanup_free_ char *text = NULL;
        locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t) 0);
        double scale = 1;
        char *end;

        if (c && pmu_read_word(directory, file, &text) >= 0) {
                double d = strtod_l(text, &end, c);

                if (end != text && d > 0 && d < 1e300)
                        scale = d;
        }
        if (c)
                freelocale(c);
        return scale;
}

void pmu_alias_done(PmuAlias *a) {
        free(a->terms);
        free(a->unit);
}

static int read_units(const char *directory, const char *name, PmuAlias *a) {
        _cleanup_free_ char *unit = format_text("%s.unit", name), *scale = format_text("%s.scale", name);

        if (!unit || !scale)
                return -ENOMEM;
        (void) pmu_read_word(directory, unit, &a->unit);
        a->scale = read_scale(directory, scale);
        return 0;
}

int pmu_read_alias(const Pmu *p, const char *alias, PmuAlias *ret) {
        _cleanup_free_ char *directory = NULL, *name = NULL;
        _cleanup_(pmu_alias_done) PmuAlias a = {};
        int r;

        if (!pmu_name_is_valid(alias))
                return -ENOENT;
        r = find_alias_name(p, alias, &name);
        if (r < 0)
                return r;
        directory = path_join(p->directory, "events");
        if (!directory)
                return -ENOMEM;
        r = pmu_read_word(directory, name, &a.terms);
        if (r >= 0)
                r = read_units(directory, name, &a);
        if (r < 0)
                return r;
        *ret = steal_value(a, (PmuAlias) {});
        return 0;
}

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
