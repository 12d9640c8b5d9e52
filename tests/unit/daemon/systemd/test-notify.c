/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "check-main.h"
#include "notify.h"
#include "scratch.h"

static char *dir, *path;
static sd_event *event;
static NotifySocket *notify;
static unsigned n_messages;
static pid_t last_sender;
static char last_text[8192];

static int taken = -EBADF;
static bool takes;

static void on_message(NotifyMessage *m, void *userdata) {
        n_messages++;
        last_sender = m->sender;
        snprintf(last_text, sizeof(last_text), "%s", m->text);
        if (takes && m->n_fds > 0)
                taken = steal_fd(&m->fds[0]);
}

static void setup(void) {
        dir = scratch_new();
        path = path_join(dir, "run/notify");
        n_messages = 0;
        ck_assert_int_ge(sd_event_new(&event), 0);
        ck_assert_int_eq(notify_socket_new(event, path, -EBADF, on_message, NULL, &notify), 0);
}

static void teardown(void) {
        notify = notify_socket_free(notify);
        sd_event_unref(event);
        free(path);
        scratch_done(&dir);
}

static void send_bytes(const void *data, size_t size, int fd_to_pass) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        char control[CMSG_SPACE(sizeof(int))] = "";
        struct iovec iov = { .iov_base = (void *) data, .iov_len = size };
        struct msghdr mh = { .msg_name = &address, .msg_namelen = sizeof(address), .msg_iov = &iov, .msg_iovlen = 1 };
        _cleanup_close_ int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        strcpy(address.sun_path, path);
        if (fd_to_pass >= 0) {
                mh.msg_control = control;
                mh.msg_controllen = sizeof(control);
                *CMSG_FIRSTHDR(&mh) = (struct cmsghdr) { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
                                                         .cmsg_len = CMSG_LEN(sizeof(int)) };
                memcpy(CMSG_DATA(CMSG_FIRSTHDR(&mh)), &fd_to_pass, sizeof(int));
        }
        ck_assert_int_eq(sendmsg(fd, &mh, 0), (ssize_t) size);
}

static void send_text(const char *text) {
        send_bytes(text, strlen(text), -EBADF);
}

static void run_all(void) {
        while (sd_event_run(event, 0) > 0)
                ;
}

START_TEST(test_message) {
        send_text("READY=1\nSTATUS=fine");
        run_all();
        ck_assert_uint_eq(n_messages, 1);
        ck_assert_int_eq(last_sender, getpid());
        ck_assert_str_eq(last_text, "READY=1\nSTATUS=fine");
}
END_TEST

START_TEST(test_sender_is_who_sent_it) {
        pid_t pid = fork();

        if (pid == 0) {
                send_text("READY=1");
                _exit(0);
        }
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        run_all();
        ck_assert_int_eq(last_sender, pid);
}
END_TEST

START_TEST(test_for_root_alone) {
        struct stat st;

        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_uint_eq(st.st_mode & 07777, 0600);
        ck_assert(S_ISSOCK(st.st_mode));
}
END_TEST

START_TEST(test_bad_messages_are_dropped) {
        static char large[16384];

        memset(large, 'x', sizeof(large));
        send_bytes(large, sizeof(large), -EBADF);
        send_bytes("READY=1\0STATUS=", 15, -EBADF);
        run_all();
        ck_assert_uint_eq(n_messages, 0);
        send_text("");
        run_all();
        ck_assert_uint_eq(n_messages, 1);
}
END_TEST

START_TEST(test_descriptors_are_closed) {
        int probe = open("/dev/null", O_RDONLY | O_CLOEXEC);

        for (unsigned i = 0; i < 10; i++)
                send_bytes("FDSTORE=1", 9, probe);
        run_all();
        ck_assert_uint_eq(n_messages, 10);
        safe_close(probe);
        ck_assert_int_eq(open("/dev/null", O_RDONLY | O_CLOEXEC), probe); /* the lowest free number is the same */
        safe_close(probe);
}
END_TEST

START_TEST(test_descriptors_are_handed_on) {
        int probe = open("/dev/null", O_RDONLY | O_CLOEXEC);
        struct stat sent, got;

        takes = true;
        send_bytes("FDSTORE=1", 9, probe);
        run_all();
        ck_assert_int_ge(taken, 0);
        ck_assert_int_eq(fstat(probe, &sent), 0);
        ck_assert_int_eq(fstat(taken, &got), 0);
        ck_assert_uint_eq(sent.st_rdev, got.st_rdev);
        safe_close(taken);
        safe_close(probe);
}
END_TEST

START_TEST(test_messages_wait_for_the_next_daemon) {
        int kept = fcntl(notify_socket_fd(notify), F_DUPFD_CLOEXEC, 3);

        notify = notify_socket_free(notify);
        send_text("READY=1");
        ck_assert_int_eq(notify_socket_new(event, path, kept, on_message, NULL, &notify), 0);
        ck_assert_int_eq(notify_socket_fd(notify), kept);
        run_all();
        ck_assert_uint_eq(n_messages, 1);
}
END_TEST

START_TEST(test_a_path_that_is_gone_is_made_anew) {
        int kept = fcntl(notify_socket_fd(notify), F_DUPFD_CLOEXEC, 3);

        notify = notify_socket_free(notify);
        ck_assert_int_eq(unlink(path), 0);
        ck_assert_int_eq(notify_socket_new(event, path, kept, on_message, NULL, &notify), 0);
        send_text("READY=1");
        run_all();
        ck_assert_uint_eq(n_messages, 1);
}
END_TEST

START_TEST(test_a_path_that_is_too_long) {
        _cleanup_free_ char *name = malloc(300), *full = NULL;
        NotifySocket *other = NULL;

        memset(name, 'n', 299);
        name[299] = '\0';
        full = path_join(dir, name);
        ck_assert_int_eq(notify_socket_new(event, full, -EBADF, on_message, NULL, &other), -ENAMETOOLONG);
        ck_assert_ptr_null(other);
}
END_TEST

CHECK_MAIN_WITH("notify", setup, teardown, test_message, test_sender_is_who_sent_it, test_for_root_alone,
                test_bad_messages_are_dropped, test_descriptors_are_closed, test_descriptors_are_handed_on,
                test_messages_wait_for_the_next_daemon,
                test_a_path_that_is_gone_is_made_anew, test_a_path_that_is_too_long);
