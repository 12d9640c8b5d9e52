/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder hands over to a daemon, and another recorder takes over from it, with real events if allowed. */

#include <fcntl.h>
#include <stdalign.h>
#include <stdlib.h>

#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>

#include "descriptor-set.h"
#include "event-set.h"
#include "fd-file.h"
#include "grammar.h"
#include "handover.h"
#include "notify-listener.h"
#include "takeover.h"

static char *const command_line[] = { (char *) "worker", (char *) "-a", NULL };
static char *const other_line[] = { (char *) "worker", (char *) "-ab", NULL };
static Listener listener;
static Loop *loop;
static Handover *handover;
static EventSpecs specs;
static Target target = TARGET_EMPTY;
static Lendings lendings;
static EventSet *set;
static DescriptorSet kept;

static void setup(void) {
        static const GrammarSources sources = {};
        EventSetOptions options = EVENT_SET_OPTIONS_DEFAULT;

        listener = listener_new();
        ck_assert_int_eq(loop_new(&loop), 0);
        target.all_cpus = true;
        options.target = &target;
        options.pages = 1;
        options.attr.overwrite = true;
        ck_assert_int_eq(event_specs_parse(&specs, "cpu-clock,cs", &sources, NULL), 0);
        if (event_set_open(&specs, &options, &set, NULL) < 0)
                set = NULL;
        ck_assert_int_eq(setenv(PR_KEEP_ENV, "1", 1), 0);
        ck_assert_int_eq(handover_new(loop, &listener.notifier, command_line, &handover), 0);
        ck_assert_ptr_nonnull(handover);
        ck_assert_ptr_null(getenv(PR_KEEP_ENV));
}

static void teardown(void) {
        handover_free(handover);
        event_set_free(set);
        event_specs_done(&specs);
        target_done(&target);
        loop_free(loop);
        listener_done(&listener);
        descriptor_set_close(&kept);
}

/* The daemon's part; returns the result of descriptor_set_take(), -EAGAIN: there is no message. */
static int receive_one(void) {
        alignas(struct cmsghdr) char control[CMSG_SPACE(DESCRIPTOR_BATCH_MAX * sizeof(int))];
        char text[DESCRIPTOR_TEXT_MAX + 1];
        struct iovec iov = { .iov_base = text, .iov_len = DESCRIPTOR_TEXT_MAX };
        struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
        int fds[DESCRIPTOR_BATCH_MAX];
        DescriptorBatch batch;
        ssize_t size = recvmsg(listener.fd, &mh, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        size_t n;

        if (size < 0)
                return -errno;
        text[size] = '\0';
        n = descriptors_of_message(&mh, fds, DESCRIPTOR_BATCH_MAX);
        ck_assert_int_eq(descriptor_batch_parse(text, &batch), 0);
        return descriptor_set_take(&kept, &batch, fds, n);
}

static int pair[2] = { -EBADF, -EBADF };

/* Passes the kept descriptors to the next recorder. The daemon's end of the socket stays open if the daemon keeps them. */
static Takeover *take_over(char *const *line, bool keeps) {
        Takeover *t = NULL;
        char number[16];
        size_t sent = 0;

        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
        while (sent < kept.n_fds) {
                ssize_t n = descriptor_set_send(&kept, sent, sent == 0 ? PR_NOTIFY_KEEP_END "PID 7 ended: well" : NULL, pair[0], NULL, 0);

                ck_assert_int_gt(n, 0);
                sent += (size_t) n;
        }
        snprintf(number, sizeof(number), "%d", pair[1]);
        ck_assert_int_eq(setenv(PR_TAKEOVER_ENV, number, 1), 0);
        if (!keeps)
                pair[0] = safe_close(pair[0]);
        ck_assert_int_eq(takeover_new(&listener.notifier, line, &t), 0);
        ck_assert_ptr_null(getenv(PR_TAKEOVER_ENV));
        return t;
}

static const int no_files[] = HANDOVER_FILES_NONE;

START_TEST(test_there_and_back) {
        int files[] = HANDOVER_FILES_NONE;
        EventSet *s = NULL;
        Takeover *t;
        char byte;

        if (!set)
                return;
        files[HANDOVER_SIDEBAND] = open_memfd("sideband", 0);
        ck_assert_int_eq(write_all(files[HANDOVER_SIDEBAND], "s", 1), 0);
        ck_assert_int_eq(event_set_enable(set, NULL, true), 0);
        ck_assert_int_eq(handover_set(handover, set, files), 0);
        ck_assert_int_eq(receive_one(), 1);
        ck_assert_uint_eq(kept.n_fds, 2 + set->n_events);
        set->members[0].enabled = false; /* as announced, though the events are not enabled yet */
        handover_update_enabled(handover);

        t = take_over(command_line, true);
        ck_assert_ptr_nonnull(t);
        ck_assert_str_eq(takeover_ended(t), "PID 7 ended: well");
        ck_assert_int_lt(takeover_file(t, HANDOVER_FLIGHT), 0);
        ck_assert_int_eq(pread(takeover_file(t, HANDOVER_SIDEBAND), &byte, 1, 0), 1);
        ck_assert_int_eq(byte, 's');
        ck_assert_int_eq(takeover_events(t, &specs, &lendings, &s), 0);
        ck_assert_uint_eq(s->n_events, set->n_events);
        ck_assert_uint_eq(event_set_ring_bytes(s), event_set_ring_bytes(set));
        ck_assert(!s->members[0].enabled);
        ck_assert(s->members[1].enabled);
        takeover_free(t);
        event_set_free(s);
        pair[0] = safe_close(pair[0]);
        safe_close(files[HANDOVER_SIDEBAND]);
}
END_TEST

START_TEST(test_again) {
        uint64_t generation;

        if (!set)
                return;
        handover_again(handover); /* nothing was handed over */
        ck_assert_int_eq(receive_one(), -EAGAIN);
        ck_assert_int_eq(handover_set(handover, set, no_files), 0);
        ck_assert_int_eq(receive_one(), 1);
        generation = kept.generation;
        handover_again(handover);
        ck_assert_int_eq(receive_one(), 1);
        ck_assert_uint_ne(kept.generation, generation);
        handover_forget(handover);
        handover_again(handover);
        ck_assert_int_eq(receive_one(), -EAGAIN);
}
END_TEST

static int on_deadline(void *userdata, int fd, uint32_t events) {
        (void) receive_one();
        loop_stop(loop);
        return 0;
}

START_TEST(test_nobody_is_waited_for) {
        unsigned n = 0;
        int r;

        if (!set)
                return;
        for (; sendto(listener.notifier.fd, "x", 1, MSG_DONTWAIT, (struct sockaddr *) &listener.notifier.address,
                      listener.notifier.length) == 1; n++)
                ;
        ck_assert_int_eq(handover_set(handover, set, no_files), 0);
        for (; n > 0; n--)
                (void) listener_next(&listener);
        ck_assert_int_eq(receive_one(), -EAGAIN);
        ck_assert_int_ge(loop_add_timer(loop, 500 * USEC_PER_MSEC, false, on_deadline, NULL), 0);
        ck_assert_int_eq(loop_run(loop), 0);
        r = kept.n_there == kept.n_fds && kept.n_fds > 0;
        ck_assert(r);
}
END_TEST

START_TEST(test_what_does_not_fit_is_let_go) {
        EventSet *s = NULL;
        Takeover *t;

        if (!set)
                return;
        ck_assert_int_eq(handover_set(handover, set, no_files), 0);
        ck_assert_int_eq(receive_one(), 1);
        ck_assert_ptr_null(take_over(other_line, false));
        ck_assert_str_eq(listener_next(&listener), PR_NOTIFY_KEEP PR_NOTIFY_KEEP_NONE);

        event_specs_truncate(&specs, 1);
        t = take_over(command_line, true);
        ck_assert_ptr_nonnull(t);
        ck_assert_int_eq(takeover_events(t, &specs, &lendings, &s), -ESTALE);
        ck_assert_ptr_null(s);
        pair[0] = safe_close(pair[0]);
        ck_assert_str_eq(listener_next(&listener), PR_NOTIFY_KEEP PR_NOTIFY_KEEP_NONE);
        takeover_free(t);
}
END_TEST

/* It kept the rings' descriptors, but not what is in them. */
START_TEST(test_the_daemon_ended) {
        EventSet *s = NULL;
        Takeover *t;

        if (!set)
                return;
        ck_assert_int_eq(handover_set(handover, set, no_files), 0);
        ck_assert_int_eq(receive_one(), 1);
        t = take_over(command_line, false);
        ck_assert_ptr_nonnull(t);
        ck_assert_int_eq(takeover_events(t, &specs, &lendings, &s), -ESTALE);
        ck_assert_ptr_null(s);
        ck_assert_str_eq(listener_next(&listener), PR_NOTIFY_KEEP PR_NOTIFY_KEEP_NONE);
        takeover_free(t);
}
END_TEST

START_TEST(test_withdrawn) {
        if (!set)
                return;
        handover_withdraw(handover); /* nothing was handed over */
        ck_assert_str_eq(listener_next(&listener), "");
        ck_assert_int_eq(handover_set(handover, set, no_files), 0);
        ck_assert_int_eq(receive_one(), 1);
        handover_withdraw(handover);
        ck_assert_str_eq(listener_next(&listener), PR_NOTIFY_KEEP PR_NOTIFY_KEEP_NONE);
        handover_again(handover);
        ck_assert_str_eq(listener_next(&listener), "");
}
END_TEST

START_TEST(test_nothing_there) {
        Takeover *t = NULL;
        Handover *h = NULL;

        ck_assert_int_eq(takeover_new(&listener.notifier, command_line, &t), 0);
        ck_assert_ptr_null(t);
        ck_assert_int_eq(handover_new(loop, &listener.notifier, command_line, &h), 0);
        ck_assert_ptr_null(h);
        handover_again(NULL);
        handover_update_enabled(NULL);
        ck_assert_int_eq(handover_set(NULL, set, no_files), 0);
        handover_forget(NULL);
        handover_withdraw(NULL);
}
END_TEST

CHECK_MAIN_WITH("handover", setup, teardown, test_there_and_back, test_again, test_nobody_is_waited_for,
                test_what_does_not_fit_is_let_go, test_the_daemon_ended, test_withdrawn, test_nothing_there);
