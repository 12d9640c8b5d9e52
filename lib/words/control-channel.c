/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Bytes are read, split into lines, and acknowledged. FIFOs are opened for reading and writing, as perf does, so that they never
 * hang up when the other side comes and goes. A line that is longer than PR_CONTROL_WORD_MAX is dropped up to its end. Words are
 * handled and acknowledged one by one, in order. */

#include "control-channel.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "parse-number.h"

void control_channel_done(ControlChannel *c) {
        if (!c->owned)
                return;
        c->fd = safe_close(c->fd);
        c->ack_fd = safe_close(c->ack_fd);
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
        [CONTROL_WINDOW] = PR_CONTROL_WINDOW,
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

static int control_channel_handle_line(ControlChannel *c) {
        const char *argument;
        ControlWord word;
        int r;

        c->line[c->length] = '\0';
        if (c->length == 0)
                return 0;
        if (control_line_parse(c->line, &word, &argument) < 0)
                return c->handler(c->userdata, _CONTROL_WORD_INVALID, c->line);
        r = c->handler(c->userdata, word, argument);
        /* perf sends the string with its NUL. Readers have to expect both, so the shorter form is enough. */
        if (c->ack_fd >= 0 && TEMP_FAILURE_RETRY(write(c->ack_fd, PR_CONTROL_ACK, strlen(PR_CONTROL_ACK))) < 0)
                c->ack_error = -errno;
        return r;
}

int control_channel_feed(ControlChannel *c, const char *data, size_t size) {
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
                        r = control_channel_handle_line(c);
                c->length = 0;
                c->overlong = false;
                if (r < 0)
                        return r;
        }
        return 0;
}

int control_channel_read(ControlChannel *c) {
        for (;;) {
                char buffer[512];
                ssize_t n = TEMP_FAILURE_RETRY(read(c->fd, buffer, sizeof(buffer)));
                int r;

                if (n < 0 && errno == EAGAIN)
                        return 0;
                if (n <= 0)
                        return 1;
                r = control_channel_feed(c, buffer, (size_t) n);
                if (r < 0)
                        return r;
                if ((size_t) n < sizeof(buffer))
                        return 0;
        }
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

static int control_channel_open_fifos(ControlChannel *c, const char *control, const char *ack, Diagnosis *d) {
        c->owned = true;
        c->fd = open_control_fifo(control, d);
        if (c->fd < 0)
                return c->fd;
        if (ack)
                c->ack_fd = open_control_fifo(ack, d);
        return ack && c->ack_fd < 0 ? c->ack_fd : 0;
}

static int control_channel_take_descriptors(ControlChannel *c, const char *control, const char *ack, Diagnosis *d) {
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

int control_channel_check_address(const char *address, Diagnosis *d) {
        const char *s = startswith(address, "fifo:"), *n = startswith(address, "fd:");

        if (s && *s && *s != ',')
                return 0;
        if (n && *n >= '0' && *n <= '9' && strspn(n, "0123456789,") == strlen(n))
                return 0;
        return diagnosis_set(d, -EINVAL, "`%s' is neither fifo:CONTROL[,ACK] nor fd:CONTROL[,ACK]", address);
}

int control_channel_open(ControlChannel *c, const char *address, Diagnosis *d) {
        _cleanup_free_ char *control = NULL, *ack = NULL;
        int r = control_channel_check_address(address, d);

        if (r >= 0)
                r = control_split_address(strchr(address, ':') + 1, &control, &ack);
        if (r < 0)
                return r;
        return startswith(address, "fifo:") ? control_channel_open_fifos(c, control, ack, d) :
                control_channel_take_descriptors(c, control, ack, d);
}
