/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The control descriptor in the loop of a recorder. */

#include "control-port.h"

#include <sys/epoll.h>
#include "log.h"

struct ControlPort {
        ControlChannel channel;
        Loop *loop;
        ControlHandler handler;
        void *userdata;
        bool reading;
};

ControlPort *control_port_free(ControlPort *c) {
        if (!c)
                return NULL;
        if (c->loop)
                loop_remove(c->loop, c->channel.fd);
        control_channel_done(&c->channel);
        free(c);
        return NULL;
}

static int control_port_on_word(void *userdata, ControlWord word, const char *argument) {
        ControlPort *c = userdata;

        if (word >= 0)
                return c->handler(c->userdata, word, argument);
        log_verbose(1, "control: unsupported %s", argument);
        return 0;
}

static int control_port_on_input(void *userdata, int fd, uint32_t events) {
        ControlPort *c = userdata;
        int r;

        c->reading = true;
        r = control_channel_read(&c->channel);
        c->reading = false;
        if (c->channel.ack_error < 0)
                log_verbose(1, "failed to write to ctl_ack_fd %d: %s", c->channel.ack_fd, strerror(-c->channel.ack_error));
        c->channel.ack_error = 0;
        if (r > 0)
                loop_remove(c->loop, fd);
        return MIN_OF(r, 0);
}

int control_port_look(ControlPort *c) {
        return !c || c->reading || !c->loop ? 0 : control_port_on_input(c, c->channel.fd, 0);
}

int control_port_open(const char *address, Loop *loop, ControlHandler handler, void *userdata, ControlPort **ret, Diagnosis *d) {
        _cleanup_(control_port_freep) ControlPort *c = calloc(1, sizeof(*c));
        int r;

        if (!c)
                return -ENOMEM;
        *c = (ControlPort) { .channel = CONTROL_CHANNEL_EMPTY, .handler = handler, .userdata = userdata };
        c->channel.handler = control_port_on_word;
        c->channel.userdata = c;
        r = control_channel_open(&c->channel, address, d);
        if (r < 0)
                return r;
        r = loop_add(loop, c->channel.fd, EPOLLIN, control_port_on_input, c);
        if (r < 0)
                return diagnosis_set(d, r, "control descriptor: %s", strerror(-r));
        c->loop = loop;
        *ret = steal_ptr(c);
        return 0;
}
