/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Receives datagrams from recorders. The socket is 0600 and the kernel names the sender of each message, so that only
 * a session's own process can speak for it: the handler looks the PID up. Messages that are malformed, too long, or
 * not from a recorder are dropped.
 *
 * The socket outlives the daemon in the descriptor store: messages that are sent while no daemon runs wait in it.
 * If its path is gone (the runtime directory was cleaned), a new one is bound. */

#include <fcntl.h>
#include <stdalign.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "fd-file.h"
#include "notify.h"

#define MESSAGE_MAX DESCRIPTOR_TEXT_MAX
#define MESSAGES_PER_TURN 64

struct NotifySocket {
        int fd;
        char *path;
        sd_event_source *source;
        NotifyHandler handler;
        void *userdata;
};

const char *notify_socket_path(const NotifySocket *n) {
        return n->path;
}

int notify_socket_fd(const NotifySocket *n) {
        return n->fd;
}

NotifySocket *notify_socket_free(NotifySocket *n) {
        if (!n)
                return NULL;
        sd_event_source_disable_unref(n->source);
        safe_close(n->fd);
        free(n->path);
        free(n);
        return NULL;
}

/* Calls the handler, and closes the descriptors that it did not take. */
static void hand_on(NotifySocket *n, struct msghdr *mh, char *text, ssize_t size) {
        NotifyMessage m = { .text = text };
        struct ucred credentials;

        m.n_fds = descriptors_of_message(mh, m.fds, ELEMENTSOF(m.fds));
        if (credentials_of_message(mh, &credentials))
                m.sender = credentials.pid;
        m.fds_lost = mh->msg_flags & MSG_CTRUNC;
        if (m.sender > 0 && !(mh->msg_flags & MSG_TRUNC) && !memchr(text, '\0', (size_t) size)) {
                text[size] = '\0';
                n->handler(&m, n->userdata);
        }
        for (size_t i = 0; i < m.n_fds; i++)
                safe_close(m.fds[i]);
}

/* Returns false when nothing is left. */
static bool receive_one(NotifySocket *n) {
        alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(DESCRIPTOR_BATCH_MAX * sizeof(int))];
        char text[MESSAGE_MAX + 1];
        struct iovec iov = { .iov_base = text, .iov_len = MESSAGE_MAX };
        struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control) };
        ssize_t size;

        size = recvmsg(n->fd, &mh, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (size < 0)
                return errno == EINTR;
        hand_on(n, &mh, text, size);
        return true;
}

static int on_message(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        for (unsigned i = 0; i < MESSAGES_PER_TURN; i++)
                if (!receive_one(userdata))
                        break;
        return 0;
}

static int make_parent(const char *path) {
        _cleanup_free_ char *parent = strdup(path);
        char *slash;

        if (!parent)
                return -ENOMEM;
        slash = strrchr(parent, '/');
        if (!slash || slash == parent)
                return 0;
        *slash = '\0';
        return make_directories(parent, 0755);
}

static int bind_socket(const char *path, int *ret) {
        _cleanup_close_ int fd = -EBADF;
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        mode_t mask;
        int r;

        if (strlen(path) >= sizeof(address.sun_path))
                return -ENAMETOOLONG;
        strcpy(address.sun_path, path);
        r = make_parent(path);
        if (r < 0)
                return r;
        fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
                return -errno;
        (void) unlink(path);
        mask = umask(0177);
        r = bind(fd, (struct sockaddr *) &address, sizeof(address)) < 0 ? -errno : 0;
        (void) umask(mask);
        if (r < 0)
                return r;
        *ret = steal_fd(&fd);
        return 0;
}

static int take_socket(NotifySocket *n, int *stored_fd) {
        static const int yes = 1;
        struct stat st;
        int r;

        if (*stored_fd >= 0 && lstat(n->path, &st) >= 0 && S_ISSOCK(st.st_mode))
                n->fd = steal_fd(stored_fd);
        else {
                r = bind_socket(n->path, &n->fd);
                if (r < 0)
                        return r;
        }
        return setsockopt(n->fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) < 0 ? -errno : 0;
}

int notify_socket_new(sd_event *event, const char *path, int stored_fd, NotifyHandler handler, void *userdata, NotifySocket **ret) {
        _cleanup_(notify_socket_freep) NotifySocket *n = NULL;
        _cleanup_close_ int stored = stored_fd;
        int r;

        n = calloc(1, sizeof(NotifySocket));
        if (!n)
                return -ENOMEM;
        *n = (NotifySocket){ .fd = -EBADF, .path = strdup(path), .handler = handler, .userdata = userdata };
        if (!n->path)
                return -ENOMEM;
        r = take_socket(n, &stored);
        if (r < 0)
                return r;
        r = sd_event_add_io(event, &n->source, n->fd, EPOLLIN, on_message, n);
        if (r < 0)
                return r;
        r = sd_event_source_set_priority(n->source, EVENT_PRIORITY_NOTIFY);
        if (r < 0)
                return r;
        *ret = steal_ptr(n);
        return 0;
}
