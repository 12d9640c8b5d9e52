/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words that say whose events are looked at while they happen: perf's, and units. */

#include "live-target.h"

#include <sys/stat.h>

#include "array.h"
#include "cgroup.h"
#include "ring.h"
#include "unit-path.h"

int live_target_take(void *field, const ViewOption *option, const char *value) {
        static int (*const take[])(Target *t, const char *value, Diagnosis *d) = {
                [LIVE_TARGET_CPUS] = target_set_cpus, [LIVE_TARGET_PIDS] = target_add_pids, [LIVE_TARGET_TIDS] = target_add_tids,
                [LIVE_TARGET_USER] = target_set_user,
        };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        int r = take[option->number](field, value, &d);

        if (r >= 0 || r == -ENOMEM)
                return r;
        sentence = diagnosis_format(&d);
        if (option->number == LIVE_TARGET_USER && strchr(value, '.'))
                return option_fail(option->name, value, "there is no such user; units of what happens now are those of --unit");
        return option_fail(option->name, value, sentence ?: strerror(-r));
}

int live_target_take_pages(void *field, const ViewOption *option, const char *value) {
        return ring_parse_pages(value, field) < 0 ? option_fail(option->name, value, "not a size") : 0;
}

/* Adds the groups of the units that match, of which there must be one. */
static int live_target_add_units(char ***groups, const char *name) {
        _cleanup_free_ char *whole = unit_path_complete(name);
        _cleanup_strv_free_ char **units = NULL;
        int r = whole ? cgroup_list_units(NULL, whole, &units, NULL) : -ENOMEM;

        if (r >= 0 && !units)
                return option_fail("unit", name, "no such unit runs");
        return r < 0 ? r : strv_extend_strv(groups, units);
}

int live_target_take_groups(void *field, const ViewOption *option, const char *value) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *list = strdup(value);
        char ***groups = field, *rest = list, *word;
        int r = list ? 0 : -ENOMEM;

        while (r >= 0 && (word = strv_next_of_list(&rest)))
                if (option->number == LIVE_TARGET_UNITS)
                        r = live_target_add_units(groups, word);
                else {
                        _cleanup_close_ int fd = cgroup_open(NULL, word, &d);

                        r = fd < 0 ? fd : strv_extend(groups, word);
                }
        if (d.sentence)
                (void) fprintf(stderr, "%s\n", d.sentence);
        return r;
}

/* A group within another one has its events, too. */
void live_target_drop_inner_groups(char **groups) {
        size_t kept = 0;

        strv_sort(groups);
        for (size_t i = 0; groups[i]; i++) {
                const char *rest = kept > 0 ? startswith(groups[i], groups[kept - 1]) : NULL;

                if (rest && (*rest == '/' || *rest == '\0'))
                        free(groups[i]);
                else
                        groups[kept++] = groups[i];
        }
        groups[kept] = NULL;
}

bool live_target_has_groups(const EventSet *set, char **groups) {
        STRV_FOREACH(group, groups) {
                _cleanup_close_ int fd = cgroup_open(NULL, *group, NULL);
                struct stat st;

                if (fd >= 0 && fstat(fd, &st) >= 0 && ANY_OF(set->n_members, i, set->members[i].cgroup == st.st_ino))
                        return true;
        }
        return false;
}
