/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An open set: enabling by name, ids, printing, and a short recording of the test by the real kernel. */

#include "check-main.h"
#include "made-set.h"
#include "overwritten.h"
#include "record-counts.h"
#include "skip.h"

static int enabled(const char *name) {
        for (size_t i = 0; i < made.set->n_events; i++)
                if (streq(made.set->members[made.set->events[i].member].name, name))
                        return fake_find(&made.kernel, made.set->events[i].fd)->enabled;
        return -99;
}

START_TEST(test_enable) {
        made.target.all_cpus = true;
        make_specs("cpu-clock,{cs,faults}");
        ck_assert_int_eq(make_set(), 0);
        ck_assert(!event_set_is_enabled(made.set));

        ck_assert_int_eq(event_set_enable(made.set, NULL, true), 0);
        ck_assert(event_set_is_enabled(made.set));
        ck_assert_int_eq(enabled("cpu-clock"), 1);
        ck_assert_int_eq(enabled("cs"), 1);
        ck_assert_int_eq(enabled("faults"), 0); /* follows its leader */
        ck_assert_int_eq(event_set_enable(made.set, "cpu-clock", false), 0);
        ck_assert_int_eq(enabled("cpu-clock"), 0);
        ck_assert(event_set_is_enabled(made.set));
        ck_assert_int_eq(event_set_enable(made.set, NULL, false), 0);
        ck_assert(!event_set_is_enabled(made.set));
        ck_assert_int_eq(enabled("dummy:HG"), 1); /* the side band continues */
        ck_assert_int_eq(event_set_enable(made.set, "nosuch", true), -ENOENT);
        ck_assert_int_eq(event_set_enable(made.set, "dummy:HG", false), -ENOENT);
        made_done();
        assert_all_closed();
}
END_TEST

START_TEST(test_ids) {
        _cleanup_free_ uint64_t *ids = NULL;
        size_t n = 0;

        made.target.all_cpus = true;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_int_eq(event_set_ids(made.set, 1, &ids, &n), 0);
        ck_assert_uint_eq(n, online_cpus());
        for (size_t i = 0; i < n; i++)
                ck_assert_uint_eq(ids[i], 1000 + n + i); /* opened event by event, CPU by CPU */
        ck_assert_uint_eq(event_set_ring_bytes(made.set), online_cpus() * 4 * (size_t) sysconf(_SC_PAGESIZE));
        made_done();
}
END_TEST

START_TEST(test_describe) {
        _cleanup_free_ char *names = NULL, *groups = NULL, *rates = NULL, *verbose = NULL, *opening = NULL;
        char begin[64];

        made.target.all_cpus = true;
        make_specs("cpu-clock,{cs,faults},{cs}");
        ck_assert_int_eq(make_set(), 0);
        names = event_set_describe(made.set, 0);
        ck_assert_str_eq(names, "cpu-clock\ncs\nfaults\ncs\ndummy:HG\n");
        groups = event_set_describe(made.set, EVENT_SET_PRINT_GROUP);
        ck_assert_str_eq(groups, "cpu-clock\n{cs,faults}\ncs\ndummy:HG\n");
        rates = event_set_describe(made.set, EVENT_SET_PRINT_FREQUENCY);
        ck_assert_ptr_nonnull(strstr(rates, "faults: sample_freq=4000\n"));
        ck_assert_ptr_nonnull(strstr(rates, "dummy:HG: sample_period=1\n"));
        verbose = event_set_describe(made.set, EVENT_SET_PRINT_VERBOSE);
        (void) snprintf(begin, sizeof(begin), "cpu-clock: type: 1, size: %zu,", sizeof(struct perf_event_attr));
        ck_assert_ptr_nonnull(startswith(verbose, begin));
        opening = event_set_describe_opening(made.set);
        ck_assert_ptr_nonnull(strstr(opening, "perf_event_attr:\n  type                             1\n"));
        ck_assert_ptr_nonnull(strstr(opening, "sys_perf_event_open: pid -1  cpu 0  group_fd -1  flags 0x8 = "));
        made_done();
}
END_TEST

/* Whole CPUs have a dummy event for the side band; of tasks an event that samples carries it. */
START_TEST(test_tells_lost) {
        made.target.all_cpus = true;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert(event_set_tells_lost(made.set));
        made.set->members[0].attr.read_format &= ~(uint64_t) PERF_FORMAT_LOST; /* before Linux 6.0 */
        ck_assert(!event_set_tells_lost(made.set));
        made.set->rings[0].sideband = true;
        ck_assert(event_set_tells_lost(made.set));
        made.set->members[0].attr.context_switch = true;
        ck_assert(!event_set_tells_lost(made.set));
        made.set->members[0].attr.context_switch = false;
        made.set->members[0].tracking = true;
        ck_assert(!event_set_tells_lost(made.set));
        made_done();
}
END_TEST

static uint64_t read_samples(EventSet *s) {
        RecordCounts counts = {};

        for (size_t i = 0; i < s->n_rings; i++) {
                struct iovec v[2];
                unsigned n;
                size_t bytes;

                if (s->rings[i].overwrite) {
                        ck_assert_int_eq(event_set_pause(s, i, true), 0);
                        count_overwritten(&s->rings[i], &counts);
                        ck_assert_int_eq(event_set_pause(s, i, false), 0);
                } else {
                        bytes = ring_read_begin(&s->rings[i], v, &n);
                        record_counts_add_segments(&counts, v, n);
                        ring_consume(&s->rings[i], bytes);
                }
        }
        return counts.samples;
}

/* Runs until the clock has made samples. */
static void assert_records(bool overwrite, bool per_thread) {
        _cleanup_free_ char *self = NULL;
        _cleanup_(event_set_freep) EventSet *s = NULL;
        int r;

        make_specs("cpu-clock/period=100000/u");
        ck_assert_int_gt(asprintf(&self, "%d", getpid()), 0);
        ck_assert_int_eq(target_add_pids(&made.target, self, NULL), 0);
        made.target.per_thread = per_thread;
        made.options.target = &made.target;
        made.options.pages = 8;
        made.options.attr.overwrite = overwrite;
        r = event_set_open(&made.specs, &made.options, &s, &made.d);
        if (r < 0)
                SKIP("%s", made.d.sentence);
        ck_assert_int_eq(event_set_enable(s, NULL, true), 0);
        while (read_samples(s) == 0)
                ;
        ck_assert_int_eq(event_set_enable(s, NULL, false), 0);
        (void) read_samples(s);
        ck_assert_uint_eq(read_samples(s), 0); /* all of it has been read */
        s = event_set_free(s);
        made_done();
}

START_TEST(test_kernel) {
        assert_records(false, false);
}
END_TEST

START_TEST(test_kernel_per_thread) {
        assert_records(false, true);
}
END_TEST

START_TEST(test_kernel_overwrite) {
        assert_records(true, false);
}
END_TEST

CHECK_MAIN("event-set", test_enable, test_ids, test_describe, test_tells_lost, test_kernel, test_kernel_per_thread, test_kernel_overwrite);
