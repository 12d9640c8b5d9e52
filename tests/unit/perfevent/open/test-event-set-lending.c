/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Events that are closed while their counters are lent, and opened again, on the made-up kernel. */

#include "check-main.h"
#include "event-set-handover.h"
#include "event-set-lending.h"
#include "made-set.h"

static Lendings lendings;

static void make_lending(const char *events) {
        made.options.lendings = &lendings;
        made.options.attr.overwrite = true;
        made.options.sideband_pages = 4;
        make_specs(events);
        ck_assert_msg(make_set() == 0, "%s", made.d.sentence);
        ck_assert_int_eq(event_set_enable(made.set, NULL, true), 0);
}

static void end(void) {
        made_done();
        assert_all_closed();
        lendings_done(&lendings);
}

static void lend(CounterKind kind) {
        ck_assert_int_eq(lendings_begin(&lendings, kind, "gdb", 100), 0);
        (void) event_set_close_lent(made.set);
}

static int take_back(CounterKind kind) {
        int r = event_set_open_lent(made.set, kind, &made.d);

        lendings_end(&lendings, kind, 200);
        return r;
}

/* Returns how many events of a member are open. */
static size_t n_open(size_t member) {
        size_t n = 0;

        for (size_t i = 0; i < made.set->n_events; i++)
                n += made.set->events[i].member == member && made.set->events[i].fd >= 0;
        return n;
}

START_TEST(test_kinds) {
        static const struct {
                struct perf_event_attr attr;
                ProbeKind probe;
                const char *name;
                CounterKind kind;
        } cases[] = {
                { { .type = PERF_TYPE_HARDWARE }, PROBE_NONE, "cycles", COUNTER_HARDWARE },
                { { .type = PERF_TYPE_HW_CACHE }, PROBE_NONE, "L1-dcache-loads", COUNTER_HARDWARE },
                { { .type = PERF_TYPE_RAW }, PROBE_NONE, "r1a8", COUNTER_HARDWARE },
                { { .type = 4711 }, PROBE_NONE, "uncore_imc_0/cas_count_read/", COUNTER_HARDWARE },
                { { .type = PERF_TYPE_BREAKPOINT }, PROBE_NONE, "mem:0x1000:w", COUNTER_BREAKPOINT },
                { { .type = PERF_TYPE_SOFTWARE }, PROBE_NONE, "cpu-clock", _COUNTER_KIND_INVALID },
                { { .type = PERF_TYPE_TRACEPOINT }, PROBE_NONE, "sched:sched_switch", _COUNTER_KIND_INVALID },
                { { .type = 4711 }, PROBE_KERNEL, "kprobe/func=open/", _COUNTER_KIND_INVALID },
                { { .type = 4711 }, PROBE_NONE, "msr/tsc/", _COUNTER_KIND_INVALID },
                { { .type = 4711 }, PROBE_NONE, "power/energy-pkg/", _COUNTER_KIND_INVALID },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++)
                ck_assert_msg(event_counter_kind(&cases[i].attr, cases[i].probe, cases[i].name) == cases[i].kind, "%s", cases[i].name);
}
END_TEST

START_TEST(test_only_those) {
        size_t cpus = online_cpus(), n_ids;
        uint64_t *ids = NULL, first;

        made.target.all_cpus = true;
        make_lending("cpu-clock,cycles,mem:0x1000:w");
        ck_assert(event_set_lends(made.set, COUNTER_HARDWARE) && event_set_lends(made.set, COUNTER_BREAKPOINT));
        first = made.set->events[1].id;
        lend(COUNTER_HARDWARE);
        ck_assert(n_open(0) == cpus && n_open(1) == 0 && n_open(2) == cpus && n_open(3) == cpus);
        ck_assert(!event_set_is_lent(made.set) && event_set_is_enabled(made.set));
        ck_assert_int_eq(take_back(COUNTER_BREAKPOINT), 0);
        ck_assert_uint_eq(n_open(1), 0);
        ck_assert_int_eq(take_back(COUNTER_HARDWARE), 1);
        ck_assert_uint_eq(n_open(1), cpus);
        ck_assert_uint_ne(made.set->events[1].id, first);
        ck_assert_int_eq(fake_find(&made.kernel, made.set->events[1].fd)->enabled, 1);
        ck_assert_int_eq(fake_find(&made.kernel, made.set->events[1].fd)->output_fd, made.set->rings[made.set->events[1].ring].fd);
        ck_assert_int_eq(event_set_ids(made.set, 1, &ids, &n_ids), 0);
        ck_assert_uint_eq(n_ids, 2 * cpus);
        ck_assert_uint_eq(ids[cpus], first);
        free(ids);
        end();
}
END_TEST

/* An event that was disabled stays so, and one that is enabled in the meantime comes back enabled. */
START_TEST(test_enabling) {
        made.target.all_cpus = true;
        make_lending("cycles,instructions");
        ck_assert_int_eq(event_set_enable(made.set, "cycles", false), 0);
        lend(COUNTER_HARDWARE);
        ck_assert(event_set_is_lent(made.set));
        ck_assert_int_eq(event_set_enable(made.set, "instructions", false), 0);
        ck_assert_int_eq(event_set_enable(made.set, "cycles", true), 0);
        ck_assert_int_eq(take_back(COUNTER_HARDWARE), 1);
        ck_assert_int_eq(fake_find(&made.kernel, made.set->events[0].fd)->enabled, 1);
        ck_assert_int_eq(fake_find(&made.kernel, made.set->events[1].fd)->enabled, 0);
        end();
}
END_TEST

/* A group goes as a whole, and its leader's new descriptor is the group's. */
START_TEST(test_groups) {
        made.target.all_cpus = true;
        make_lending("{cpu-clock,mem:0x1000:w},faults");
        lend(COUNTER_BREAKPOINT);
        ck_assert(n_open(0) == 0 && n_open(1) == 0 && n_open(2) == online_cpus());
        ck_assert_int_eq(take_back(COUNTER_BREAKPOINT), 1);
        ck_assert_int_eq(fake_find(&made.kernel, made.set->events[1].fd)->group_fd, made.set->events[0].fd);
        ck_assert_int_eq(fake_find(&made.kernel, made.set->events[0].fd)->attr.disabled, 1);
        ck_assert_int_eq(fake_find(&made.kernel, made.set->events[1].fd)->attr.disabled, 0);
        end();
}
END_TEST

/* Both kinds in one group: it comes when both are back. */
START_TEST(test_two_kinds) {
        made.target.all_cpus = true;
        make_lending("{cycles,mem:0x1000:w}");
        lend(COUNTER_HARDWARE);
        lend(COUNTER_BREAKPOINT);
        ck_assert_int_eq(take_back(COUNTER_HARDWARE), 0);
        ck_assert(event_set_is_lent(made.set));
        ck_assert_int_eq(take_back(COUNTER_BREAKPOINT), 1);
        ck_assert(!event_set_is_lent(made.set));
        end();
}
END_TEST

static int refuse_second(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return attr->type == PERF_TYPE_BREAKPOINT && attr->bp_addr == 0x2000 ? -ENOSPC : 0;
}

/* All or none. */
START_TEST(test_failure) {
        made.target.all_cpus = true;
        make_lending("mem:0x1000:w,mem:0x2000:w");
        lend(COUNTER_BREAKPOINT);
        made.kernel.refuse = refuse_second;
        ck_assert_int_eq(event_set_open_lent(made.set, COUNTER_BREAKPOINT, &made.d), -ENOSPC);
        ck_assert_ptr_nonnull(made.d.sentence);
        ck_assert(n_open(0) == 0 && n_open(1) == 0);
        made.kernel.refuse = NULL;
        ck_assert_int_eq(take_back(COUNTER_BREAKPOINT), 1);
        ck_assert(n_open(0) > 0 && n_open(1) > 0);
        end();
}
END_TEST

/* An event that is lent is not opened at all, but has its place and its ring. */
START_TEST(test_lent_at_opening) {
        size_t n_ids;
        uint64_t *ids = NULL;

        made.target.all_cpus = true;
        ck_assert_int_eq(lendings_begin(&lendings, COUNTER_BREAKPOINT, "gdb", 100), 0);
        make_lending("mem:0x1000:w");
        ck_assert_uint_eq(n_open(0), 0);
        ck_assert(event_set_is_lent(made.set));
        for (size_t i = 0; i < made.kernel.n_events; i++)
                ck_assert_uint_ne(made.kernel.events[i].attr.type, PERF_TYPE_BREAKPOINT);
        ck_assert_int_eq(event_set_ids(made.set, 0, &ids, &n_ids), 0);
        ck_assert_uint_eq(n_ids, 0);
        free(ids);
        ck_assert_int_eq(take_back(COUNTER_BREAKPOINT), 1);
        ck_assert_uint_eq(n_open(0), online_cpus());
        ck_assert_int_eq(fake_find(&made.kernel, made.set->events[0].fd)->enabled, 1);
        end();
}
END_TEST

/* A ring whose first event may be closed has a holder, and others have none. */
START_TEST(test_holders) {
        made.target.all_cpus = true;
        make_lending("mem:0x1000:w,cpu-clock");
        for (size_t i = 0; i < made.set->n_rings; i++) {
                const Ring *r = &made.set->rings[i];
                const FakeEvent *owner = fake_find(&made.kernel, r->fd);

                ck_assert(r->held == !r->sideband);
                ck_assert(owner->cpu == r->cpu && owner->pid == -1);
                ck_assert_int_eq(owner->attr.write_backward, r->overwrite);
                ck_assert(!r->held || owner->attr.config == PERF_COUNT_SW_DUMMY);
        }
        end();
}
END_TEST

START_TEST(test_no_lendings) {
        made.target.all_cpus = true;
        make_specs("mem:0x1000:w");
        ck_assert_int_eq(make_set(), 0);
        ck_assert(!made.set->rings[0].held && !event_set_lends(made.set, COUNTER_BREAKPOINT));
        ck_assert(!event_set_close_lent(made.set));
        made_done();
        assert_all_closed();
}
END_TEST

/* The end of a thread is still seen, by an event that is open. */
START_TEST(test_watched_threads) {
        size_t n = 0;

        make_process(3);
        make_lending("mem:0x1000:w,cpu-clock");
        lend(COUNTER_BREAKPOINT);
        for (size_t i = 0; i < made.set->n_events; i++)
                n += made.set->events[i].watch_hangup && made.set->events[i].fd >= 0;
        ck_assert_uint_eq(n, 3);
        end();
}
END_TEST

static int copied[FAKE_EVENTS_MAX];

static int take_id(void *userdata, int fd, unsigned long request, unsigned long argument) {
        size_t n = 0;

        for (size_t i = 0; i < made.set->n_events; i++)
                if (made.set->events[i].fd >= 0 && copied[n++] == fd)
                        *(uint64_t *) argument = made.set->events[i].id;
        return 0;
}

/* The next recorder knows what is lent, which ids there were, and holds the rings. */
START_TEST(test_handed_over) {
        _cleanup_(event_set_freep) EventSet *s = NULL;
        _cleanup_(lendings_done) Lendings l = {};
        const EventOps ops = { .open = fake_open, .ioctl = take_id, .userdata = &made.kernel };
        uint64_t bytes[FAKE_EVENTS_MAX];
        size_t size, n, n_former;
        void *flat;

        made.target.all_cpus = true;
        make_lending("mem:0x1000:w,cpu-clock");
        lend(COUNTER_BREAKPOINT);
        ck_assert_int_eq(take_back(COUNTER_BREAKPOINT), 1);
        lend(COUNTER_BREAKPOINT);
        n_former = made.set->members[0].n_former_ids;
        ck_assert_uint_eq(n_former, online_cpus());
        n = event_set_descriptors(made.set, copied, bytes);
        ck_assert_uint_eq(n, 2 * online_cpus() + online_cpus()); /* the clock and the side band; the holders */
        for (size_t i = 0; i < n; i++)
                ck_assert_int_ge(copied[i] = fcntl(copied[i], F_DUPFD_CLOEXEC, 3), 0);
        ck_assert_int_eq(event_set_flatten(made.set, &flat, &size), 0);
        ck_assert_int_eq(event_set_take_over(&made.specs, flat, size, copied, n - 1, &ops, &l, &s, NULL), -EBADF);
        ck_assert_msg(event_set_take_over(&made.specs, flat, size, copied, n, &ops, &l, &s, &made.d) == 0, "%s", made.d.sentence);
        ck_assert(s->members[0].closed && !s->members[1].closed && s->lendings == &l);
        ck_assert_uint_eq(s->members[0].n_former_ids, n_former);
        ck_assert_mem_eq(s->members[0].former_ids, made.set->members[0].former_ids, n_former * sizeof(uint64_t));
        ck_assert_uint_eq(l.n, 2);
        ck_assert_str_eq(lendings_current(&l, COUNTER_BREAKPOINT)->who, "gdb");
        for (size_t i = 0; i < s->n_rings; i++)
                ck_assert(s->rings[i].held == made.set->rings[i].held && s->rings[i].fd >= 0);
        free(flat);
        made_done();
        lendings_done(&lendings);
}
END_TEST

CHECK_MAIN("event-set-lending", test_kinds, test_only_those, test_enabling, test_groups, test_two_kinds, test_failure,
           test_lent_at_opening, test_holders, test_no_lendings, test_watched_threads, test_handed_over);
