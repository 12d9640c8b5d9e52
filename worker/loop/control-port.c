/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The control descriptor: bytes are read, split into lines, and acknowledged. FIFOs are opened for reading and
 * writing, as perf does, so that they never hang up when the other side comes and goes. A line that is longer than
 * PR_CONTROL_WORD_MAX is dropped up to its end. Words are handled and acknowledged one by one, in order. */

#include "control-port.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include "log.h"
#include "parse-number.h"

struct ControlPort {
        Loop *loop;
        int fd;
        int ack_fd;
        bool owned; /* both descriptors */
        ControlHandler handler;
        void *userdata;
        char line[PR_CONTROL_WORD_MAX + 1];
        size_t length;
        bool overlong;
        bool reading;
};

int control_port_new(int ack_fd, ControlHandler handler, void *userdata, ControlPort **ret) {
        ControlPort *c = calloc(1, sizeof(ControlPort));

        if (!c)
                return -ENOMEM;
        c->fd = -EBADF;
        c->ack_fd = ack_fd;
        c->handler = handler;
        c->userdata = userdata;
        *ret = c;
        return 0;
}

ControlPort *control_port_free(ControlPort *c) {
        if (!c)
                return NULL;
        if (c->loop)
                loop_remove(c->loop, c->fd);
        if (c->owned) {
                safe_close(c->fd);
                safe_close(c->ack_fd);
        }
        free(c);
        return NULL;
}

static const char *const control_words[_CONTROL_WORD_MAX] = {
        [CONTROL_ENABLE] = PR_CONTROL_ENABLE,
        [CONTROL_DISABLE] = PR_CONTROL_DISABLE,
        [CONTROL_EVLIST] = PR_CONTROL_EVLIST,
        [CONTROL_SNAPSHOT] = PR_CONTROL_SNAPSHOT,
        [CONTROL_WITHDRAW] = PR_CONTROL_WITHDRAW,
        [CONTROL_PING] = PR_CONTROL_PING,
        [CONTROL_STOP] = PR_CONTROL_STOP,
        [CONTROL_HAND_OVER] = PR_CONTROL_HAND_OVER,
        [CONTROL_LEND] = PR_CONTROL_LEND,
        [CONTROL_RETURN] = PR_CONTROL_RETURN,
        [CONTROL_REASON] = PR_CONTROL_REASON,
};

int control_line_parse(const char *line, ControlWord *ret_word, const char **ret_argument) {
        for (ControlWord w = 0; w < _CONTROL_WORD_MAX; w++) {
                const char *rest = startswith(line, control_words[w]);

                if (!rest || (*rest && *rest != ' '))
                        continue;
                rest += strspn(rest, " ");
                *ret_word = w;
                *ret_argument = *rest ? rest : NULL;
                return 0;
        }
        return -EINVAL;
}

static int control_port_handle_line(ControlPort *c) {
        const char *argument;
        ControlWord word;
        int r;

        c->line[c->length] = '\0';
        if (c->length == 0)
                return 0;
        if (control_line_parse(c->line, &word, &argument) < 0) {
                log_verbose(1, "control: unsupported %s", c->line);
                return 0;
        }
        r = c->handler(c->userdata, word, argument);
        /* perf sends the string with its NUL. Readers have to expect both, so the shorter form is enough. */
        if (c->ack_fd >= 0 && TEMP_FAILURE_RETRY(write(c->ack_fd, PR_CONTROL_ACK, strlen(PR_CONTROL_ACK))) < 0)
                log_verbose(1, "failed to write to ctl_ack_fd %d: %s", c->ack_fd, strerror(errno));
        return r;
}

int control_port_feed(ControlPort *c, const char *data, size_t size) {
        for (size_t i = 0; i < size; i++) {
                bool end = data[i] == '\n' || data[i] == '\0';
                int r = 0;

                if (!end && c->length == PR_CONTROL_WORD_MAX)
                        c->overlong = true;
                if (!end && !c->overlong)
                        c->line[c->length++] = data[i];
                if (!end)
                        continue;
                if (!c->overlong)
                        r = control_port_handle_line(c);
                c->length = 0;
                c->overlong = false;
                if (r < 0)
                        return r;
        }
        return 0;
}

static int control_port_read(ControlPort *c, int fd) {
        for (;;) {
                char buffer[512];
                ssize_t n = TEMP_FAILURE_RETRY(read(fd, buffer, sizeof(buffer)));
                int r;

                if (n < 0 && errno == EAGAIN)
                        return 0;
                if (n <= 0) { /* the other side of the descriptor is closed: no more words will come */
                        loop_remove(c->loop, fd);
                        return 0;
                }
                r = control_port_feed(c, buffer, (size_t) n);
                if (r < 0)
                        return r;
                if ((size_t) n < sizeof(buffer))
                        return 0;
        }
}

static int control_port_on_input(void *userdata, int fd, uint32_t events) {
        ControlPort *c = userdata;
        int r;

        c->reading = true;
        r = control_port_read(c, fd);
        c->reading = false;
        return r;
}

int control_port_look(ControlPort *c) {
        return !c || c->reading || !c->loop ? 0 : control_port_on_input(c, c->fd, 0);
}

static int open_control_fifo(const char *path, Diagnosis *d) {
        _cleanup_close_ int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        struct stat st;

        if (fd < 0)
                return diagnosis_set(d, -errno, "Failed to open '%s': %s", path, strerror(errno));
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISFIFO(st.st_mode))
                return diagnosis_set(d, -EINVAL, "'%s' is not a FIFO", path);
        return steal_fd(&fd);
}

/* Splits "A[,B]", which follows the colon. If B is missing, *ret_ack is NULL. */
static int control_split_address(const char *s, char **ret_control, char **ret_ack) {
        const char *comma = strchr(s, ',');
        char *control = comma ? strndup(s, (size_t) (comma - s)) : strdup(s);
        char *ack = comma && comma[1] ? strdup(comma + 1) : NULL;

        if (!control || (comma && comma[1] && !ack)) {
                free(control);
                free(ack);
                return -ENOMEM;
        }
        *ret_control = control;
        *ret_ack = ack;
        return 0;
}

static int control_port_open_fifos(ControlPort *c, const char *control, const char *ack, Diagnosis *d) {
        c->owned = true;
        c->fd = open_control_fifo(control, d);
        if (c->fd < 0)
                return c->fd;
        if (ack)
                c->ack_fd = open_control_fifo(ack, d);
        return ack && c->ack_fd < 0 ? c->ack_fd : 0;
}

static int control_port_take_descriptors(ControlPort *c, const char *control, const char *ack, Diagnosis *d) {
        int r = parse_int(control, &c->fd);

        if (r >= 0 && ack)
                r = parse_int(ack, &c->ack_fd);
        if (r < 0)
                return diagnosis_set(d, r, "descriptors of --control must be numbers");
        if (fcntl(c->fd, F_SETFL, fcntl(c->fd, F_GETFL) | O_NONBLOCK) < 0)
                return diagnosis_set(d, -errno, "descriptor %d of --control: %s", c->fd, strerror(errno));
        if (ack && fcntl(c->ack_fd, F_GETFD) < 0)
                return diagnosis_set(d, -errno, "descriptor %d of --control: %s", c->ack_fd, strerror(errno));
        return 0;
}

int control_port_check_address(const char *address, Diagnosis *d) {
        const char *s = startswith(address, "fifo:"), *n = startswith(address, "fd:");

        if (s && *s && *s != ',')
                return 0;
        if (n && *n >= '0' && *n <= '9' && strspn(n, "0123456789,") == strlen(n))
                return 0;
        return diagnosis_set(d, -EINVAL, "`%s' is neither fifo:CONTROL[,ACK] nor fd:CONTROL[,ACK]", address);
}

int control_port_open(const char *address, Loop *loop, ControlHandler handler, void *userdata, ControlPort **ret, Diagnosis *d) {
        _cleanup_(control_port_freep) ControlPort *c = NULL;
        _cleanup_free_ char *control = NULL, *ack = NULL;
        int r = control_port_check_address(address, d);

        if (r >= 0)
                r = control_split_address(strchr(address, ':') + 1, &control, &ack);
        if (r >= 0)
                r = control_port_new(-EBADF, handler, userdata, &c);
        if (r < 0)
                return r;
        if (startswith(address, "fifo:"))
                r = control_port_open_fifos(c, control, ack, d);
        else
                r = control_port_take_descriptors(c, control, ack, d);
        if (r < 0)
                return r;
        r = loop_add(loop, c->fd, EPOLLIN, control_port_on_input, c);
        if (r < 0)
                return diagnosis_set(d, r, "control descriptor: %s", strerror(-r));
        c->loop = loop;
        *ret = steal_ptr(c);
        return 0;
}
