/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The owner of a ring, the events that write into it, its size. */

#include "check-main.h"
#include "made-set.h"

static size_t page(void) {
        return (size_t) sysconf(_SC_PAGESIZE);
}

/* Checks that every event writes into the ring of its CPU, as the owner or through it, and that owners of rings that
 * fill are polled. */
static void assert_wired(void) {
        for (size_t i = 0; i < made.set->n_events; i++) {
                const Event *e = &made.set->events[i];
                const FakeEvent *f = fake_find(&made.kernel, e->fd);
                const Ring *r = &made.set->rings[e->ring];

                ck_assert_uint_lt(e->ring, made.set->n_rings);
                ck_assert_int_eq(r->cpu, e->cpu);
                ck_assert_int_eq(r->overwrite, f->attr.write_backward);
                ck_assert_int_eq(f->output_fd, r->fd == e->fd ? -1 : r->fd);
                ck_assert_int_eq(e->watch_input, r->fd == e->fd && !r->overwrite);
        }
}

START_TEST(test_one_per_cpu) {
        made.target.all_cpus = true;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_rings, online_cpus());
        ck_assert_uint_eq(made.set->rings[0].size, 4 * page());
        assert_wired();
        made_done();
}
END_TEST

START_TEST(test_one_per_thread) {
        make_process(2);
        made.target.per_thread = true;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_rings, 2);
        ck_assert(made.set->rings[0].tid == made.set->events[0].tid && made.set->rings[1].tid == made.set->events[2].tid);
        assert_wired();
        made_done();
}
END_TEST

START_TEST(test_threads_share_a_cpu) {
        make_process(2);
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_rings, online_cpus());
        ck_assert_int_eq(made.set->rings[0].tid, -1);
        assert_wired();
        made_done();
}
END_TEST

/* As with perf, the side band goes into the overwrite ring too. */
START_TEST(test_overwrite) {
        made.target.all_cpus = true;
        made.options.attr.overwrite = true;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_rings, online_cpus());
        ck_assert(made.set->rings[0].overwrite);
        assert_wired();
        ck_assert_int_eq(event_set_pause(made.set, 0, true), 0);
        ck_assert(fake_find(&made.kernel, made.set->rings[0].fd)->paused);
        ck_assert_int_eq(event_set_pause(made.set, 0, false), 0);
        ck_assert(!fake_find(&made.kernel, made.set->rings[0].fd)->paused);
        made_done();
}
END_TEST

START_TEST(test_sideband_apart) {
        made.target.all_cpus = true;
        made.options.attr.overwrite = true;
        made.options.sideband_pages = 1;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_rings, 2 * online_cpus());
        for (size_t i = 0; i < made.set->n_rings; i++)
                ck_assert_uint_eq(made.set->rings[i].size, (made.set->rings[i].overwrite ? 4 : 1) * page());
        assert_wired();
        made_done();
}
END_TEST

/* Other CPUs than the listed one have the side band's ring, which is as small as the others of that kind if it has its own. */
START_TEST(test_listed_cpus) {
        ck_assert_int_eq(target_set_cpus(&made.target, "0", NULL), 0);
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_rings, online_cpus());
        assert_wired();
        made_done();
        made.target = (Target) TARGET_EMPTY;
        made.options.attr.overwrite = true;
        made.options.sideband_pages = 1;
        ck_assert_int_eq(target_set_cpus(&made.target, "0", NULL), 0);
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_rings, 1 + online_cpus());
        for (size_t i = 0; i < made.set->n_rings; i++)
                ck_assert_uint_eq(made.set->rings[i].size, (made.set->rings[i].overwrite ? 4 : 1) * page());
        assert_wired();
        made_done();
}
END_TEST

/* The side band may have rings of its own beside normal ones for samples. */
START_TEST(test_sideband_beside_normal) {
        made.target.all_cpus = true;
        made.options.sideband_pages = 2;
        make_specs("cpu-clock,cs");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_rings, 2 * online_cpus());
        for (size_t i = 0; i < made.set->n_rings; i++) {
                ck_assert(!made.set->rings[i].overwrite);
                ck_assert_uint_eq(made.set->rings[i].size, (made.set->rings[i].sideband ? 2 : 4) * page());
        }
        for (size_t i = 0; i < made.set->n_events; i++)
                ck_assert_int_eq(made.set->rings[made.set->events[i].ring].sideband, made.set->members[made.set->events[i].member].only_sideband);
        assert_wired();
        made_done();
}
END_TEST

/* The target is a task, whose first event carries the side band otherwise. */
START_TEST(test_sideband_of_a_task) {
        make_process(1);
        made.options.sideband_pages = 1;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_members, 2);
        ck_assert(made.set->members[1].tracking && !made.set->members[0].tracking);
        ck_assert_uint_eq(made.set->n_rings, 2 * online_cpus());
        assert_wired();
        made_done();
}
END_TEST

/* The set has rings of all three kinds. */
START_TEST(test_mixed) {
        unsigned kinds[3] = {};

        made.target.all_cpus = true;
        made.options.attr.overwrite = true;
        made.options.sideband_pages = 1;
        make_specs("cpu-clock,cs/no-overwrite/");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_uint_eq(made.set->n_rings, 3 * online_cpus());
        for (size_t i = 0; i < made.set->n_rings; i++) {
                const Ring *r = &made.set->rings[i];

                kinds[r->sideband ? 2 : r->overwrite]++;
                ck_assert_uint_eq(r->size, (r->sideband ? 1 : 4) * page());
        }
        for (size_t i = 0; i < 3; i++)
                ck_assert_uint_eq(kinds[i], online_cpus());
        assert_wired();
        made_done();
}
END_TEST

START_TEST(test_bad_size) {
        made.target.all_cpus = true;
        made.options.pages = 3;
        make_specs("cpu-clock");
        ck_assert_int_eq(make_set(), -EINVAL);
        ck_assert_ptr_nonnull(strstr(made.d.sentence, "3 pages"));
        made_done();
        assert_all_closed();
}
END_TEST

CHECK_MAIN("opening-rings", test_listed_cpus, test_one_per_cpu, test_one_per_thread, test_threads_share_a_cpu, test_overwrite, test_sideband_apart,
           test_sideband_beside_normal, test_sideband_of_a_task, test_mixed, test_bad_size);
