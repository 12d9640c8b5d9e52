/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A PMU is a directory of sysfs: "type" is the value for perf_event_attr.type, "format/TERM" has the bits of the
 * config word that a term fills ("config:0-7,21"), "events/NAME" is a list of terms, "cpumask" has the CPUs that stand
 * for the rest of their package. Terms of an unknown word (config4 of later kernels) are left out, so that they are
 * unknown rather than wrong. Only the files that one event needs are read: nothing is scanned in advance. */

#include "pmu-directory.h"

#include "fd-file.h"
#include "parse-number.h"
#include "strv.h"

#define PMU_FILE_MAX 4096 /* bytes: sysfs gives one page at most */

bool pmu_name_is_valid(const char *s) {
        return *s && *s != '.' && !strchr(s, '/') && strlen(s) <= 255;
}

int pmu_read_word(const char *directory, const char *file, char **ret) {
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
