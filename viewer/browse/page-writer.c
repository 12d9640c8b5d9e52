/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The viewer, which reads what others wrote, may be made to ask for anything: so the process knows by itself in which folder files
 * are, what they are called and how many they may be, and takes nothing but a kind and bytes. It has no descriptor but the socket
 * and the folder's. Content is kept in memory until all of it is there: a viewer that ends before leaves no part of a file.
 *
 * Invariant: a file is created, and none is ever opened that was there. */

#include "page-writer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "fd-file.h"
#include "format-text.h"

#define NUMBER_MAX 9999u        /* of a name */
#define BASE_MAX 150            /* bytes of the recording's name in it */
#define MEMORY_MAX ((uint64_t) PAGE_SIZE_MAX + (1 << 20))

static const char *const extensions[_PAGE_KIND_MAX] = {
        [PAGE_TEXT] = "txt", [PAGE_SVG] = "svg", [PAGE_HTML] = "html", [PAGE_JSON] = "json",
};

/* Opens the first name that is free. Returns a descriptor or a negative errno. */
static int page_create(const char *base, uint32_t kind, char name[static NAME_MAX + 1]) {
        int fd = -1;

        errno = EEXIST;
        for (unsigned number = 0; fd < 0 && errno == EEXIST && number <= NUMBER_MAX; number++) {
                if (number == 0)
                        (void) snprintf(name, NAME_MAX + 1, "perf-%s.%s", base, extensions[kind]);
                else
                        (void) snprintf(name, NAME_MAX + 1, "perf-%s-%u.%s", base, number, extensions[kind]);
                fd = openat(FORKED_PROCESS_FILE, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        }
        return fd < 0 ? -errno : fd;
}

static int page_save(const char *base, const PageRequest *q, const char *data, char name[static NAME_MAX + 1]) {
        _cleanup_close_ int fd = page_create(base, q->kind, name);
        int r = fd < 0 ? fd : write_all(fd, data, q->size);

        if (fd >= 0 && r >= 0 && close(steal_fd(&fd)) < 0) /* network file systems report a full disk here */
                r = -errno;
        if (r < 0 && r != fd && *name)
                (void) unlinkat(FORKED_PROCESS_FILE, name, 0);
        return r;
}

/* Returns false if the viewer is gone, or does not keep to the protocol. */
static bool page_receive(const PageRequest *q, char *data) {
        ssize_t n = 1;

        for (size_t at = 0; n > 0 && at < q->size; at += (size_t) n) {
                n = TEMP_FAILURE_RETRY(recv(FORKED_PROCESS_SOCKET, data + at, q->size - at, MSG_TRUNC));
                if (n > 0 && (size_t) n > q->size - at)
                        n = 0;
        }
        return n > 0;
}

static void writer_serve(void *userdata) {
        static const int ignored[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGXFSZ };
        const char *base = userdata;
        unsigned written = 0;
        PageRequest q;

        for (size_t i = 0; i < ELEMENTSOF(ignored); i++) /* those of the terminal are for the viewer, whose end is waited for */
                (void) signal(ignored[i], SIG_IGN);
        (void) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        while (TEMP_FAILURE_RETRY(recv(FORKED_PROCESS_SOCKET, &q, sizeof(q), MSG_TRUNC)) == sizeof(q)) {
                _cleanup_free_ char *data = NULL;
                PageAnswer a = {};

                if (q.kind >= _PAGE_KIND_MAX || q.size > PAGE_SIZE_MAX)
                        return;
                data = malloc((size_t) q.size + 1);
                if (!data || !page_receive(&q, data))
                        return;
                a.error = written < PAGES_MAX ? page_save(base, &q, data, a.name) : -EDQUOT;
                written += a.error >= 0;
                if (send(FORKED_PROCESS_SOCKET, &a, sizeof(a), MSG_NOSIGNAL) < 0)
                        return;
        }
        _exit(EXIT_SUCCESS);
}

int page_writer_start(ForkedProcess *w, const char *path) {
        _cleanup_close_ int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        const char *slash = strrchr(path, '/');
        _cleanup_free_ char *base = format_text("%.*s", BASE_MAX, slash ? slash + 1 : path);
        const ForkedPlan plan = { .serve = writer_serve, .userdata = base, .socket_type = SOCK_SEQPACKET, .has_file = true,
                                  .file_fd = folder, .memory = MEMORY_MAX };

        if (folder < 0)
                return -errno;
        if (!base)
                return -ENOMEM;
        for (char *c = base; *c; c++)
                if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@", *c))
                        *c = '_';
        return forked_process_start(w, &plan);
}

int page_writer_write(const ForkedProcess *w, PageKind kind, const void *data, size_t size, char ret_name[static NAME_MAX + 1]) {
        const PageRequest q = { .kind = kind, .size = (uint32_t) size };
        const char *bytes = data;
        ssize_t n = sizeof(q);
        PageAnswer a;

        if (size > PAGE_SIZE_MAX || w->fd < 0)
                return w->fd < 0 ? -EPIPE : -EFBIG;
        if (send(w->fd, &q, sizeof(q), MSG_NOSIGNAL) < 0)
                return -errno;
        for (size_t at = 0; at < size; at += (size_t) n) {
                n = TEMP_FAILURE_RETRY(send(w->fd, bytes + at, MIN_OF(size - at, PAGE_PIECE), MSG_NOSIGNAL));
                if (n < 0)
                        return -errno;
        }
        if (TEMP_FAILURE_RETRY(recv(w->fd, &a, sizeof(a), 0)) != sizeof(a))
                return -EPIPE;
        a.name[NAME_MAX] = '\0';
        if (a.error >= 0)
                memcpy(ret_name, a.name, sizeof(a.name));
        return MIN_OF(a.error, 0);
}
