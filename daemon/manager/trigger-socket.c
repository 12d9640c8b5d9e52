/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The socket belongs to the service manager (perf-recorderd.socket), which sets its mode and group, and keeps
 * datagrams that are sent while no daemon runs. Everybody who may write to it may request dumps; the kernel names the
 * sender.
 *
 * The kernel refuses descriptors in messages (SO_PASSRIGHTS, Linux 6.16): the service would have to close them, and
 * the sender can make a close block, for example that of a TCP socket with SO_LINGER and unsent data. Older kernels
 * deliver them, and all kernels those that were sent before the service first opened the socket; these are closed.
 *
 * Answers are sent to the address of the datagram without waiting: a sender that does not read loses answers, and
 * does not block the service. A path gets an answer only if the socket there is the sender's. A message that names
 * no session is answered too. */

#include "trigger-socket.h"

#include <fcntl.h>
#include <stdalign.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "descriptor-set.h"
#include "session-name.h"
#include "settings.h"
#include "strv.h"
#include "utf8.h"

#define MESSAGE_MAX 1024 /* bytes */
#define MESSAGES_PER_TURN 64

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

struct TriggerSocket {
        int fd;
        sd_event_source *source;
        TriggerHandler handler;
        void *userdata;
};

struct TriggerReply {
        int fd; /* a copy: the socket may be closed before the answer is sent */
        struct sockaddr_un address;
        socklen_t size; /* only the family: the sender has no address */
        uid_t uid;      /* of the sender */
};

TriggerReply *trigger_reply_free(TriggerReply *r) {
        if (!r)
                return NULL;
        safe_close(r->fd);
        free(r);
        return NULL;
}

static void send_to(const TriggerReply *r, const char *text, const struct sockaddr_un *address, socklen_t size) {
        (void) sendto(r->fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *) address, size);
}

/* The sender chose the path, and it may lead elsewhere by now. The service, as root, may write where the sender may
 * not, so the inode is opened first, must be the sender's, and is addressed by its descriptor. */
static void send_to_path(const TriggerReply *r, const char *text) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        _cleanup_close_ int fd = -EBADF;
        char path[sizeof(r->address.sun_path) + 1];
        struct stat st;
        int n;

        snprintf(path, sizeof(path), "%.*s", (int) sizeof(r->address.sun_path), r->address.sun_path);
        fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || fstat(fd, &st) < 0 || !S_ISSOCK(st.st_mode) || st.st_uid != r->uid)
                return;
        n = snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", fd);
        send_to(r, text, &address, (socklen_t) (offsetof(struct sockaddr_un, sun_path) + (size_t) n + 1));
}

void trigger_reply_send(const TriggerReply *r, const char *text) {
        if (r->fd < 0)
                return;
        if (r->address.sun_path[0] == '\0') /* abstract */
                send_to(r, text, &r->address, r->size);
        else
                send_to_path(r, text);
}

TriggerSocket *trigger_socket_free(TriggerSocket *s) {
        if (!s)
                return NULL;
        sd_event_source_disable_unref(s->source);
        safe_close(s->fd);
        free(s);
        return NULL;
}

static int new_reply(const TriggerSocket *s, const struct sockaddr_un *address, socklen_t size, uid_t uid, TriggerReply **ret) {
        TriggerReply *r = calloc(1, sizeof(TriggerReply));

        if (!r)
                return -ENOMEM;
        *r = (TriggerReply) { .fd = -EBADF, .address = *address, .size = size, .uid = uid };
        if (size > sizeof(sa_family_t))
                r->fd = fcntl(s->fd, F_DUPFD_CLOEXEC, 3);
        *ret = r;
        return 0;
}

static void handle(TriggerSocket *s, char *text, TriggerMessage *m) {
        _cleanup_free_ char *line = NULL;
        size_t length = strlen(text), name;

        while (length > 0 && strchr("\n\r ", text[length - 1]))
                text[--length] = '\0';
        line = utf8_line(text, length, SIZE_MAX);
        name = line ? strcspn(line, " ") : 0;
        if (line) {
                m->text = line + name + strspn(line + name, " ");
                line[name] = '\0';
                m->session = line;
        }
        if (line && session_name_is_valid(line)) {
                s->handler(m, s->userdata);
                return;
        }
        trigger_reply_send(m->reply, "ERROR=no name of a session; the message is its name, a blank and any text\n");
        trigger_reply_free(m->reply);
}

/* Returns false when nothing is left. */
static bool receive_one(TriggerSocket *s) {
        alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(16 * sizeof(int))];
        char text[MESSAGE_MAX + 1];
        struct sockaddr_un address = {};
        struct iovec iov = { .iov_base = text, .iov_len = MESSAGE_MAX };
        struct msghdr mh = {
                .msg_name = &address, .msg_namelen = sizeof(address), .msg_iov = &iov, .msg_iovlen = 1,
                .msg_control = control, .msg_controllen = sizeof(control),
        };
        struct ucred credentials;
        TriggerMessage m = {};
        ssize_t size = recvmsg(s->fd, &mh, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

        if (size < 0)
                return errno == EINTR;
        (void) descriptors_of_message(&mh, NULL, 0); /* descriptors are not expected */
        if (!credentials_of_message(&mh, &credentials) || new_reply(s, &address, mh.msg_namelen, credentials.uid, &m.reply) < 0)
                return true;
        m.pid = credentials.pid;
        m.uid = credentials.uid;
        text[size] = '\0';
        if (mh.msg_flags & MSG_TRUNC || memchr(text, '\0', (size_t) size)) {
                trigger_reply_send(m.reply, "ERROR=the message is too long or has a NUL byte in it\n");
                trigger_reply_free(m.reply);
                return true;
        }
        handle(s, text, &m);
        return true;
}

static int on_message(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        for (unsigned i = 0; i < MESSAGES_PER_TURN; i++)
                if (!receive_one(userdata))
                        break;
        return 0;
}

int trigger_socket_new(sd_event *event, int fd, TriggerHandler handler, void *userdata, TriggerSocket **ret) {
        _cleanup_(trigger_socket_freep) TriggerSocket *s = NULL;
        _cleanup_close_ int socket_fd = fd;
        static const int yes = 1, no = 0;
        int r;

        s = calloc(1, sizeof(TriggerSocket));
        if (!s)
                return -ENOMEM;
        *s = (TriggerSocket) { .fd = steal_fd(&socket_fd), .handler = handler, .userdata = userdata };
        if (setsockopt(s->fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) < 0)
                return -errno;
        (void) setsockopt(s->fd, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof(no));
        r = sd_event_add_io(event, &s->source, s->fd, EPOLLIN, on_message, s);
        if (r < 0)
                return r;
        *ret = steal_ptr(s);
        return 0;
}
