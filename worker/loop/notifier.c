/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* sd_notify's protocol without libsystemd: one datagram per message, to the path or the abstract name in
 * $NOTIFY_SOCKET. The socket stays unconnected, so that messages reach a restarted daemon as soon as it has bound the
 * same path again. A receiver that does not read delays the recorder by half a second, once. */

#include "notifier.h"

#include <stdalign.h>
#include <stdarg.h>
#include <sys/time.h>
#include "descriptor-set.h"

#define NOTIFY_LENGTH_MAX 8192 /* bytes of one message */
#define NOTIFY_TIMEOUT_USEC 500000

static int notifier_parse_address(const char *s, struct sockaddr_un *ret, socklen_t *ret_length) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        size_t n = strlen(s);

        if ((s[0] != '/' && s[0] != '@') || n < 2 || n >= sizeof(address.sun_path))
                return -EINVAL;
        memcpy(address.sun_path, s, n);
        if (s[0] == '@')
                address.sun_path[0] = '\0';
        *ret = address;
        *ret_length = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + n + (s[0] == '/'));
        return 0;
}

int notifier_open(Notifier *n) {
        const struct timeval timeout = { .tv_usec = NOTIFY_TIMEOUT_USEC };
        const char *s = getenv("NOTIFY_SOCKET");
        Notifier opened = NOTIFIER_EMPTY;
        int r;

        if (!s)
                return 0;
        r = notifier_parse_address(s, &opened.address, &opened.length);
        if (r < 0)
                return r;
        opened.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (opened.fd < 0)
                return -errno;
        (void) setsockopt(opened.fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
        (void) unsetenv("NOTIFY_SOCKET");
        *n = opened;
        return 0;
}

void notifier_done(Notifier *n) {
        n->fd = safe_close(n->fd);
}

void notifier_send(Notifier *n, const char *format, ...) {
        char message[NOTIFY_LENGTH_MAX];
        va_list ap;
        int length;

        if (n->fd < 0)
                return;
        va_start(ap, format);
        length = vsnprintf(message, sizeof(message), format, ap);
        va_end(ap);
        if (length >= 0)
                (void) notifier_send_descriptor(n, message, -EBADF);
}

int notifier_send_descriptor(Notifier *n, const char *message, int fd) {
        alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        struct iovec iov = { .iov_base = (char *) message, .iov_len = strlen(message) };
        struct msghdr mh = { .msg_name = &n->address, .msg_namelen = n->length, .msg_iov = &iov, .msg_iovlen = 1 };
        ssize_t sent;

        if (n->fd < 0)
                return -ENOTCONN;
        if (fd >= 0)
                descriptors_to_message(&mh, control, &fd, 1);
        sent = sendmsg(n->fd, &mh, MSG_NOSIGNAL | (n->stalled ? MSG_DONTWAIT : 0));
        n->stalled = sent < 0 && errno == EAGAIN;
        return sent < 0 ? -errno : 0;
}

int notifier_try(Notifier *n, const char *message) {
        if (n->fd < 0)
                return 0;
        if (sendto(n->fd, message, strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *) &n->address,
                   n->length) < 0)
                return errno == EWOULDBLOCK ? -EAGAIN : -errno;
        n->stalled = false;
        return 0;
}
