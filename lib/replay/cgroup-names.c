/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel gives a number to a group once, so the order of a group's record and its samples does not matter but for what is
 * selected. The first group of the kernel has the number 1, so another number of "/" reveals a namespace; that record is among
 * the first ones. */

#include "cgroup-names.h"

#include "array.h"
#include "unit-path.h"
#include "strv.h"
#include "utf8.h"

#define GROUP_ROOT_NUMBER 1u
#define PATH_MAX_SHOWN    ((size_t) 4096) /* bytes */

void cgroup_names_done(CgroupNames *c) {
        free(c->groups);
        hash_index_done(&c->by_id);
        byte_pool_done(&c->texts);
        *c = (CgroupNames) {};
}

void cgroup_names_begin(CgroupNames *c) {
        hash_index_done(&c->by_id);
        c->by_id = (HashIndex) {};
        c->in_container = false;
}

static uint64_t group_hash(const void *owner, uintptr_t number) {
        return hash_mix(((const CgroupNames *) owner)->groups[number - 1].id, 0);
}

int cgroup_names_get(CgroupNames *c, uint64_t id, uint32_t *ret) {
        uint64_t hash = hash_mix(id, 0);
        uintptr_t found = id > 0 ? HASH_INDEX_FIND(&c->by_id, hash, number, c->groups[number - 1].id == id) : 0;
        int r = 0;

        if (found == 0 && id > 0 && c->n < CGROUP_NAMES_MAX) {
                if (ARRAY_RESERVE(c->groups, c->allocated, c->n + 1) < 0)
                        return -ENOMEM;
                c->groups[c->n] = (CgroupName) { .id = id };
                r = hash_index_add(&c->by_id, hash, c->n + 1, group_hash, c);
                if (r >= 0)
                        found = ++c->n;
        }
        if (r >= 0)
                *ret = (uint32_t) found;
        return r;
}

static int intern(CgroupNames *c, const char *text, uint32_t *ret) {
        _cleanup_free_ char *line = utf8_line(text, SIZE_MAX, PATH_MAX_SHOWN);

        return line ? byte_pool_intern(&c->texts, line, strlen(line) + 1, ret) : -ENOMEM;
}

static int name_group(CgroupNames *c, CgroupName *group, const char *path) {
        UnitScope scope = { .in_container = c->in_container, .user_units = c->user_units };
        char name[UNIT_NAME_SIZE];
        int r = intern(c, path, &group->path);

        unit_path_name(path, scope, name);
        if (r >= 0)
                r = intern(c, name, &group->unit);
        if (r >= 0 && unit_path_container(path, name))
                r = intern(c, name, &group->container);
        STRV_FOREACH(unit, c->units)
                group->wanted = group->wanted || unit_path_matches(path, *unit, scope);
        return r;
}

int cgroup_names_take(CgroupNames *c, const PerfRecordCgroup *record) {
        uint32_t number;
        int r = cgroup_names_get(c, record->id, &number);

        c->in_container = c->in_container || (streq(record->path, "/") && (uint32_t) record->id != GROUP_ROOT_NUMBER);
        return r < 0 || number == 0 ? r : name_group(c, c->groups + number - 1, record->path);
}

bool cgroup_names_wants(const CgroupNames *c, uint32_t number) {
        return !c->units || (number > 0 && c->groups[number - 1].wanted);
}
