/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The named events of a PMU: "events/NAME" in its directory is a list of terms, "events/NAME.unit" and
 * "events/NAME.scale" are the unit of its counts. ".per-pkg" and ".snapshot" are for counting only. */

#include "format-text.h"
#include "pmu-directory.h"

#include <locale.h>
#include "fd-file.h"
#include "strv.h"

#define PMU_EVENTS_MAX 65536

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
