/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A set that another process takes over: with all its parts on the made-up kernel, and on the real one from a child
 * that dies. */

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "check-main.h"
#include "descriptor-set.h"
#include "event-set-groups.h"
#include "event-set-handover.h"
#include "made-set.h"
#include "overwritten.h"
#include "record-counts.h"
#include "skip.h"

static uint8_t *flat;
static size_t flat_size;
static Lendings lendings;
static int fds[FAKE_EVENTS_MAX];

/* Copies the descriptors, since the successor gets them with other numbers, and registers the copies with the made-up
 * kernel. */
static void hand_over(void) {
        ck_assert_int_eq(event_set_flatten(made.set, (void **) &flat, &flat_size), 0);
        for (size_t i = 0; i < made.set->n_events; i++) {
                fds[i] = fcntl(made.set->events[i].fd, F_DUPFD_CLOEXEC, 3);
                ck_assert_int_ge(fds[i], 0);
        }
}

static int take_id(void *userdata, int fd, unsigned long request, unsigned long argument) {
        const EventSet *s = userdata;

        if (request != PERF_EVENT_IOC_ID)
                return 0;
        for (size_t i = 0; i < s->n_events; i++)
                if (fds[i] == fd) {
                        *(uint64_t *) argument = s->events[i].id;
                        return 0;
                }
        return -ENOTTY;
}

/* The descriptors are those of the events that are open. */
static int take_open_id(void *userdata, int fd, unsigned long request, unsigned long argument) {
        const EventSet *s = userdata;

        for (size_t i = 0, n = 0; i < s->n_events; i++)
                if (s->events[i].fd >= 0 && fds[n++] == fd)
                        *(uint64_t *) argument = s->events[i].id;
        return 0;
}

static int take_over(EventSet **ret) {
        const EventOps ops = { .ioctl = take_id, .userdata = made.set };

        return event_set_take_over(&made.specs, flat, flat_size, fds, made.set->n_events, &ops, &lendings, ret, &made.d);
}

static void make_one(void) {
        made.target.all_cpus = true;
        made.options.attr.overwrite = true;
        make_specs("cpu-clock,{cs,faults}");
        ck_assert_int_eq(make_set(), 0);
        ck_assert_int_eq(event_set_enable(made.set, NULL, true), 0);
        ck_assert_int_eq(event_set_enable(made.set, "cpu-clock", false), 0);
        made.set->members[0].cgroup = UINT64_MAX - 7;
        hand_over();
}

static void end(void) {
        for (size_t i = 0; i < ELEMENTSOF(fds); i++)
                if (fds[i] > 0)
                        safe_close(fds[i]);
        free(flat);
        made_done();
}

START_TEST(test_all_of_it) {
        _cleanup_(event_set_freep) EventSet *s = NULL;

        make_one();
        ck_assert_msg(take_over(&s) == 0, "%s", made.d.sentence);
        ck_assert_uint_eq(s->n_members, made.set->n_members);
        ck_assert_uint_eq(s->n_events, made.set->n_events);
        ck_assert_uint_eq(s->n_rings, made.set->n_rings);
        for (size_t i = 0; i < s->n_members; i++) {
                const SetMember *a = &s->members[i], *b = &made.set->members[i];

                ck_assert_str_eq(a->name, b->name);
                ck_assert_mem_eq(&a->attr, &b->attr, sizeof(a->attr));
                ck_assert(a->only_sideband ? a->spec == &s->added_spec : a->spec == b->spec);
                ck_assert(a->tracking == b->tracking && a->only_sideband == b->only_sideband && a->immediate == b->immediate &&
                          a->enabled == b->enabled && a->group == b->group && a->leader == b->leader && a->cgroup == b->cgroup);
        }
        for (size_t i = 0; i < s->n_events; i++) {
                const Event *a = &s->events[i], *b = &made.set->events[i];

                ck_assert(a->cpu == b->cpu && a->tid == b->tid && a->id == b->id && a->member == b->member && a->ring == b->ring &&
                          a->watch_input == b->watch_input && a->watch_hangup == b->watch_hangup);
                ck_assert_int_lt(fds[i], 0);
        }
        for (size_t i = 0; i < s->n_rings; i++) {
                const Ring *a = &s->rings[i], *b = &made.set->rings[i];

                ck_assert(a->size == b->size && a->cpu == b->cpu && a->tid == b->tid && a->overwrite == b->overwrite);
                ck_assert_ptr_nonnull(a->page);
                ck_assert_int_ge(a->fd, 0);
        }
        ck_assert_uint_eq(s->n_cpus, made.set->n_cpus);
        ck_assert_mem_eq(s->cpus, made.set->cpus, s->n_cpus * sizeof(int));
        ck_assert_mem_eq(s->tids, made.set->tids, s->n_tids * sizeof(pid_t));
        end();
}
END_TEST

/* The units are those that the previous process counted, also one that has ended. */
START_TEST(test_groups) {
        char *groups[] = { (char *) "a.service", (char *) "gone.service", NULL };
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_(event_set_freep) EventSet *s = NULL;
        EventOps ops = { .ioctl = take_open_id };
        size_t n = 0;

        scratch_write_text(root, "a.service/cgroup.procs", "");
        made.options.cgroup_root = root;
        made.options.groups = groups;
        made.options.attr.counting = made.target.all_cpus = true;
        make_specs("cs,faults");
        ck_assert_int_eq(make_set(), 0);
        ops.userdata = made.set;
        ck_assert_int_eq(event_set_flatten(made.set, (void **) &flat, &flat_size), 0);
        for (size_t i = 0; i < made.set->n_events; i++)
                if (made.set->events[i].fd >= 0)
                        fds[n++] = fcntl(made.set->events[i].fd, F_DUPFD_CLOEXEC, 3);
        ck_assert_uint_eq(n, made.set->n_events / 2);
        ck_assert_msg(event_set_take_over(&made.specs, flat, flat_size, fds, n, &ops, &lendings, &s, &made.d) == 0, "%s",
                      made.d.sentence);
        ck_assert_uint_eq(s->n_members, 4);
        ck_assert_uint_eq(s->n_events, made.set->n_events);
        ck_assert_str_eq(event_set_unit(s, 0), "a.service");
        ck_assert_str_eq(event_set_unit(s, 3), "gone.service");
        for (size_t i = 0; i < s->n_events; i++)
                ck_assert_int_eq(s->events[i].fd < 0, s->events[i].member >= 2);
        end();
}
END_TEST

START_TEST(test_enabled_is_written_in_place) {
        _cleanup_(event_set_freep) EventSet *s = NULL;
        uint8_t enabled[8];
        size_t n, offset;

        make_one();
        ck_assert(!made.set->members[0].enabled);
        made.set->members[0].enabled = true;
        n = event_set_flat_enabled(made.set, enabled, &offset);
        ck_assert_uint_eq(n, made.set->n_members);
        memcpy(flat + offset, enabled, n);
        ck_assert_int_eq(take_over(&s), 0);
        ck_assert(s->members[0].enabled);
        end();
}
END_TEST

/* A block with any wrong byte, or of any shorter size, is refused or taken over without harm. */
START_TEST(test_what_is_not_whole) {
        make_one();
        for (size_t size = 0; size < flat_size; size += size < 256 ? 1 : 97) {
                _cleanup_free_ uint8_t *copy = malloc(size + 1);
                const EventOps ops = { .ioctl = take_id, .userdata = made.set };
                EventSet *s = NULL;

                memcpy(copy, flat, size);
                ck_assert_int_eq(event_set_take_over(&made.specs, copy, size, fds, made.set->n_events, &ops, &lendings, &s, NULL), -EBADMSG);
        }
        for (size_t at = 0; at < flat_size; at++) {
                _cleanup_(event_set_freep) EventSet *s = NULL;
                uint8_t before = flat[at];

                flat[at] = (uint8_t) ~before;
                if (take_over(&s) >= 0)
                        for (size_t i = 0; i < s->n_events; i++)
                                fds[i] = steal_fd(&s->events[i].fd);
                flat[at] = before;
                diagnosis_reset(&made.d);
        }
        end();
}
END_TEST

START_TEST(test_other_events) {
        EventSet *s = NULL;

        make_one();
        event_specs_truncate(&made.specs, 2);
        ck_assert_int_eq(take_over(&s), -ESTALE);
        ck_assert_ptr_nonnull(made.d.sentence);
        ck_assert_int_ge(fds[0], 0);
        event_specs_truncate(&made.specs, 0);
        diagnosis_reset(&made.d);
        make_specs("cpu-clock,cs,migrations");
        ck_assert_int_eq(take_over(&s), -ESTALE);
        end();
}
END_TEST

START_TEST(test_other_descriptors) {
        EventSet *s = NULL;
        int kept;

        make_one();
        kept = fds[0];
        fds[0] = fds[1];
        made.set->events[0].id ^= 1;
        ck_assert_int_eq(take_over(&s), -ESTALE);
        fds[0] = -EBADF;
        diagnosis_reset(&made.d);
        ck_assert_int_eq(take_over(&s), -EBADF);
        fds[0] = kept;
        end();
}
END_TEST

/* Opens the set in the child, sends it, and waits to be killed. */
_Noreturn static void record_and_wait(int socket_fd) {
        _cleanup_(descriptor_set_done) DescriptorSet out = {};
        EventSetOptions options = EVENT_SET_OPTIONS_DEFAULT;
        size_t sent = 0;

        options.target = &made.target;
        options.pages = 8;
        options.attr.overwrite = true;
        if (event_set_open(&made.specs, &options, &made.set, &made.d) < 0 || event_set_enable(made.set, NULL, true) < 0 ||
            event_set_flatten(made.set, (void **) &flat, &flat_size) < 0 ||
            descriptor_set_reserve(&out, 1, made.set->n_events + 1) < 0)
                _exit(77);
        out.fds[0] = open_memfd("set", 0);
        if (write_all(out.fds[0], flat, flat_size) < 0)
                _exit(77);
        for (size_t i = 0; i < made.set->n_events; i++)
                out.fds[i + 1] = made.set->events[i].fd;
        while (sent < out.n_fds) {
                ssize_t n = descriptor_set_send(&out, sent, NULL, socket_fd, NULL, 0);

                if (n < 0)
                        _exit(1);
                sent += (size_t) n;
        }
        (void) !write(socket_fd, "", 1);
        for (;;)
                (void) pause();
}

static uint64_t n_samples(EventSet *s) {
        RecordCounts counts = {};

        for (size_t i = 0; i < s->n_rings; i++) {
                ck_assert_int_eq(event_set_pause(s, i, true), 0);
                count_overwritten(&s->rings[i], &counts);
                ck_assert_int_eq(event_set_pause(s, i, false), 0);
        }
        return counts.samples;
}

static void burn(void) {
        for (volatile unsigned i = 0; i < 200 * 1000 * 1000; i++)
                ;
}

START_TEST(test_a_process_that_dies) {
        _cleanup_(descriptor_set_close) DescriptorSet in = {};
        _cleanup_(event_set_freep) EventSet *s = NULL;
        _cleanup_free_ char *more = NULL, *text = NULL;
        size_t size;
        int pair[2], status;
        char byte;
        pid_t pid;

        make_specs("cpu-clock/period=1000000/");
        made.target.all_cpus = true;
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
        pid = fork();
        if (pid == 0)
                record_and_wait(pair[1]);
        safe_close(pair[1]);
        if (recv(pair[0], &byte, 1, MSG_PEEK) <= 0) {
                ck_assert_int_eq(waitpid(pid, &status, 0), pid);
                SKIP("events on all CPUs are not allowed here");
        }
        burn();
        ck_assert_int_eq(descriptor_set_receive(&in, pair[0], &more), 0);
        ck_assert_int_eq(lseek(in.fds[0], 0, SEEK_SET), 0);
        ck_assert_int_eq(read_fd(in.fds[0], EVENT_SET_FLAT_MAX, &text, &size), 0);
        ck_assert_msg(event_set_take_over(&made.specs, text, size, in.fds + 1, in.n_fds - 1, NULL, &lendings, &s, &made.d) == 0, "%s",
                      made.d.sentence);
        ck_assert_int_eq(kill(pid, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(event_set_is_enabled(s));
        ck_assert_uint_gt(n_samples(s), 0); /* samples of the child */
        ck_assert_uint_gt((burn(), n_samples(s)), 0); /* and later ones */
        safe_close(pair[0]);
        made_done();
}
END_TEST

CHECK_MAIN("event-set-handover", test_all_of_it, test_groups, test_enabled_is_written_in_place, test_what_is_not_whole, test_other_events,
           test_other_descriptors, test_a_process_that_dies);
