/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The number of groups is not believed: the array grows by those that are there, which are no more than events. */

#include "event-groups.h"

#include "array.h"
#include "feature-cursor.h"

int event_groups_read(const PerfDataReader *reader, EventGroup **ret, size_t *ret_n) {
        _cleanup_free_ EventGroup *groups = NULL;
        const PerfDataEvent *events;
        size_t n_events = perf_data_reader_events(reader, &events), next = 0, n_groups = 0;
        uint32_t n, leader, members;
        const char *name;
        FeatureCursor c;

        if (feature_cursor_init(&c, reader, PERF_FEATURE_GROUP_DESC) < 0 || !feature_cursor_u32(&c, &n))
                n = 0;
        for (; n > 0; n--) {
                if (!(name = feature_cursor_string(&c)) || !feature_cursor_u32(&c, &leader) || !feature_cursor_u32(&c, &members) ||
                    members == 0 || leader < next || leader >= n_events || members > n_events - leader)
                        break;
                if (ARRAY_RESERVE_NEXT(groups, n_groups) < 0)
                        return -ENOMEM;
                next = (size_t) leader + members;
                groups[n_groups++] = (EventGroup) {
                        .name = streq(name, "{anon_group}") ? NULL : name, .leader = leader, .n = members,
                };
        }
        *ret = steal_ptr(groups);
        *ret_n = n_groups;
        return 0;
}
