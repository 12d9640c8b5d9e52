/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Datagrams that ask for dumps, and the receivers of the answers. */

#include <fcntl.h>
#include <stdalign.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "check-main.h"
#include "scratch.h"
#include "trigger-socket.h"

static char *dir, *path;
static sd_event *event;
static TriggerSocket *trigger;
static unsigned n_messages;
static char last_session[256], last_text[2048];
static pid_t last_pid;
static TriggerReply *last_reply;

static void on_trigger(const TriggerMessage *m, void *userdata) {
        n_messages++;
        last_pid = m->pid;
        (void) snprintf(last_session, sizeof(last_session), "%s", m->session);
        (void) snprintf(last_text, sizeof(last_text), "%s", m->text);
        trigger_reply_free(last_reply);
        last_reply = m->reply;
}

static int bind_socket(const char *p) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        if (p) {
                strcpy(address.sun_path, p);
                ck_assert_int_eq(bind(fd, (struct sockaddr *) &address, sizeof(address)), 0);
        } else /* autobind */
                ck_assert_int_eq(bind(fd, (struct sockaddr *) &address, sizeof(sa_family_t)), 0);
        return fd;
}

static void setup(void) {
        dir = scratch_new();
        path = path_join(dir, "trigger");
        n_messages = 0;
        ck_assert_int_ge(sd_event_new(&event), 0);
        ck_assert_int_eq(trigger_socket_new(event, bind_socket(path), on_trigger, NULL, &trigger), 0);
}

static void teardown(void) {
        last_reply = trigger_reply_free(last_reply);
        trigger = trigger_socket_free(trigger);
        sd_event_unref(event);
        free(path);
        scratch_done(&dir);
}

static void send_from(int fd, const char *text, size_t size) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };

        strcpy(address.sun_path, path);
        ck_assert_int_eq(sendto(fd, text, size, 0, (struct sockaddr *) &address, sizeof(address)), (ssize_t) size);
        while (sd_event_run(event, 0) > 0)
                ;
}

static void assert_answer(int fd, const char *begin) {
        char text[1024] = "";

        ck_assert_int_gt(recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT), 0);
        ck_assert_msg(strncmp(text, begin, strlen(begin)) == 0, "%s", text);
}

START_TEST(test_message) {
        _cleanup_close_ int fd = bind_socket(NULL);

        send_from(fd, "web  disk\tis slow\n", strlen("web  disk\tis slow\n"));
        ck_assert_uint_eq(n_messages, 1);
        ck_assert_str_eq(last_session, "web");
        ck_assert_str_eq(last_text, "disk is slow");
        ck_assert_int_eq(last_pid, getpid());
        trigger_reply_send(last_reply, "DUMP=web-1\n");
        assert_answer(fd, "DUMP=web-1\n");
}
END_TEST

START_TEST(test_no_address) {
        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        send_from(fd, "web", 3);
        ck_assert_str_eq(last_session, "web");
        ck_assert_str_eq(last_text, "");
        trigger_reply_send(last_reply, "DUMP=web-1\n"); /* goes nowhere */
}
END_TEST

/* The service may write to sockets that the sender may not. */
START_TEST(test_path_of_somebody_else) {
        _cleanup_free_ char *own = path_join(dir, "own"), *other = path_join(dir, "other");
        _cleanup_close_ int fd = bind_socket(own), victim = bind_socket(other);
        char text[64];

        send_from(fd, "web", 3);
        trigger_reply_send(last_reply, "DUMP=web-1\n");
        assert_answer(fd, "DUMP=web-1\n");
        ck_assert_int_eq(unlink(own), 0); /* the path can lead elsewhere by then */
        ck_assert_int_eq(symlink(other, own), 0);
        trigger_reply_send(last_reply, "DUMP=web-1\n");
        ck_assert_int_lt(recv(victim, text, sizeof(text), MSG_DONTWAIT), 0);
        ck_assert_int_eq(unlink(own), 0);
        ck_assert_int_eq(rename(other, own), 0);
        trigger_reply_send(last_reply, "DUMP=web-1\n"); /* another socket of its own */
        assert_answer(victim, "DUMP=web-1\n");
        if (geteuid() != 0)
                return;
        ck_assert_int_eq(chown(own, 65534, 65534), 0);
        trigger_reply_send(last_reply, "DUMP=web-1\n");
        ck_assert_int_lt(recv(victim, text, sizeof(text), MSG_DONTWAIT), 0);
}
END_TEST

START_TEST(test_wrong) {
        static const char zeros[4] = "web";
        _cleanup_close_ int fd = bind_socket(NULL);
        char large[2000];

        memset(large, 'a', sizeof(large));
        send_from(fd, "../web hello", strlen("../web hello"));
        assert_answer(fd, "ERROR=");
        send_from(fd, "\n", 1);
        assert_answer(fd, "ERROR=");
        send_from(fd, large, sizeof(large));
        assert_answer(fd, "ERROR=");
        send_from(fd, zeros, sizeof(zeros));
        assert_answer(fd, "ERROR=");
        ck_assert_uint_eq(n_messages, 0);
}
END_TEST

/* The service would have to close them, which a socket with SO_LINGER delays. */
START_TEST(test_descriptor) {
        alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        _cleanup_close_ int fd = bind_socket(NULL), probe = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        struct iovec iov = { .iov_base = (char *) "web", .iov_len = 3 };
        struct msghdr mh = {
                .msg_name = &address, .msg_namelen = sizeof(address), .msg_iov = &iov, .msg_iovlen = 1,
                .msg_control = control, .msg_controllen = sizeof(control),
        };
        int passes;

        strcpy(address.sun_path, path);
        *CMSG_FIRSTHDR(&mh) = (struct cmsghdr) {
                .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int)),
        };
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&mh)), &fd, sizeof(fd));
        if (getsockopt(probe, SOL_SOCKET, 83 /* SO_PASSRIGHTS */, &passes, &(socklen_t) { sizeof(passes) }) < 0)
                return; /* before Linux 6.16 */
        ck_assert_int_lt(sendmsg(fd, &mh, MSG_DONTWAIT), 0);
        ck_assert_int_eq(errno, EPERM);
        send_from(fd, "web", 3);
        ck_assert_uint_eq(n_messages, 1);
}
END_TEST

/* The socket does not exist any more when the answer is ready, or its receiver does not read. */
START_TEST(test_late_answer) {
        _cleanup_close_ int fd = bind_socket(NULL);

        send_from(fd, "web", 3);
        trigger = trigger_socket_free(trigger);
        for (int i = 0; i < 10000; i++)
                trigger_reply_send(last_reply, "DUMP=web-1\n");
        assert_answer(fd, "DUMP=web-1\n");
}
END_TEST

CHECK_MAIN_WITH("trigger-socket", setup, teardown, test_message, test_no_address, test_path_of_somebody_else, test_wrong, test_descriptor,
                test_late_answer);
