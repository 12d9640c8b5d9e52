/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl top: executes perf-recorder-meter with all words behind the verb. If one of them names a session, the meter runs beside
 * this process, which has the bus, and asks it for one window of the session after the other (<perf-recorder/live-window.h>).
 *
 * The terminal's signals are the meter's, as it restores the screen; its end is that of this process. What the service refuses is
 * printed when the meter has ended, for the same reason. */

#include <fcntl.h>
#include <perf-recorder/live-window.h>
#include <signal.h>
#include <stdalign.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "bus-client.h"
#include "child-process.h"
#include "descriptor-set.h"
#include "exit-status.h"
#include "format-text.h"
#include "run-meter.h"
#include "strv.h"
#include "verbs.h"
#include "view-words.h"

/* Finds the word that is no option nor the value of one: *ret_at is its place, 0 if there is none. words[0] stands for the program.
 * -EEXIST: there are two. */
static int top_find_session(char **words, size_t *ret_at) {
        ViewTable table = VIEW_TABLE_EMPTY;
        int argc = (int) strv_length(words), r;
        const char *value;
        size_t n;
        const ViewWord *rows = view_words_find("top", &n), *word;

        r = view_table_add(&table, rows, n);
        opterr = optind = 0;
        *ret_at = 0;
        while (r >= 0 && (r = view_table_next(&table, argc, words, &word, &value)) > 0)
                for (size_t i = 1; !word && words[i]; i++)
                        if (words[i] == value && *ret_at > 0)
                                return -EEXIST;
                        else if (words[i] == value)
                                *ret_at = i;
        if (*ret_at == 0 && optind > 0 && optind < argc) /* behind "--" */
                *ret_at = (size_t) optind;
        return r == -EINVAL ? 0 : r; /* the meter says what is wrong */
}

static int top_call(BusClient *c, const char *session, const PrWindowRequest *request, BusCallFlags flags, PrWindowAnswer *ret,
                    BusDescriptors *ret_fds) {
        const BusClientCall call = {
                .method = "OpenWindow", .session = session, .number_type = 't', .number = request->since_nsec,
                .flags = flags | (request->whole ? BUS_CALL_TRUE : BUS_CALL_FALSE),
        };
        _cleanup_(json_object_putp) json_object *reply = NULL;
        int r = bus_client_call_for_descriptors(c, &call, &reply, ret_fds);

        if (r >= 0)
                ret->until_nsec = json_unsigned(json_at(reply, 1));
        return r;
}

/* Answers the meter until it asks no more, or the service refuses. Returns the error of that. */
static int top_serve(BusClient *c, const char *session, int fd) {
        for (;;) {
                alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
                _cleanup_(bus_descriptors_done) BusDescriptors fds = {};
                PrWindowRequest request;
                PrWindowAnswer answer = {};
                struct iovec iov = { .iov_base = &answer, .iov_len = sizeof(answer) };
                struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1 };
                int r;

                if (TEMP_FAILURE_RETRY(recv(fd, &request, sizeof(request), 0)) != (ssize_t) sizeof(request))
                        return 0;
                r = top_call(c, session, &request, BUS_CALL_NO_AUTO_START, &answer, &fds);
                if (r < 0)
                        return r;
                if (fds.n != 1)
                        return -EPROTO;
                descriptors_to_message(&mh, control, fds.fds, 1);
                if (sendmsg(fd, &mh, MSG_NOSIGNAL) < 0)
                        return 0;
        }
}

typedef struct TopChild {
        char **words;
        int fd;
} TopChild;

static void top_run_meter(void *userdata) {
        const TopChild *child = userdata;

        (void) prctl(PR_SET_PDEATHSIG, SIGTERM);
        (void) fcntl(child->fd, F_SETFD, 0);
        _exit(meter_execute(child->words));
}

/* Runs the meter with that word for the session. Returns the exit status. */
static int top_run(BusClient *c, const char *what, char **words, char **word) {
        int fds[2], status, number = 0, r;
        _cleanup_free_ char *name = NULL;
        pid_t pid;

        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
                return verb_fail("run the meter", -errno);
        name = *word;
        *word = format_text(PR_WINDOWS_WORD "%d:%s", fds[1], name);
        pid = *word ? child_start(top_run_meter, &(TopChild) { words, fds[1] }) : -ENOMEM;
        (void) close(fds[1]);
        if (pid < 0) {
                (void) close(fds[0]);
                return verb_fail("run the meter", pid);
        }
        (void) signal(SIGINT, SIG_IGN);
        (void) signal(SIGQUIT, SIG_IGN);
        r = top_serve(c, name, fds[0]);
        (void) close(fds[0]);
        status = child_wait(pid, &number);
        if (number > 0) { /* it ends as the meter did */
                (void) signal(number, SIG_DFL);
                (void) raise(number);
        }
        if (r < 0 && r != -EPROTO)
                (void) bus_client_fail(c, what);
        return r < 0 ? STATUS_FAILED : status < 0 ? verb_fail("run the meter", status) : status;
}

int verb_top(const ClientOptions *o, char **arguments) {
        static const PrWindowRequest none = { .since_nsec = UINT64_MAX };
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(bus_descriptors_done) BusDescriptors fds = {};
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *what = NULL;
        PrWindowAnswer now;
        size_t at = 0;
        int r = strv_extend(&words, "perfctl");

        if (r >= 0)
                r = strv_extend(&words, "top");
        if (r >= 0)
                r = strv_extend_strv(&words, arguments);
        if (r >= 0)
                r = top_find_session(words + 1, &at);
        if (r == -EEXIST) {
                (void) fprintf(stderr, "One session at a time can be looked at\n");
                return STATUS_FAILED;
        }
        if (r < 0)
                return verb_fail("run the meter", r);
        if (at == 0)
                return meter_execute(words);
        what = format_text("look at the session '%s'", words[1 + at]);
        if (!what)
                return verb_fail("run the meter", -ENOMEM);
        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        /* It is refused before the screen is taken, and only now somebody is asked for a password. */
        if (top_call(c, words[1 + at], &none, BUS_CALL_AUTHORIZE | BUS_CALL_NO_AUTO_START, &now, &fds) < 0)
                return bus_client_fail(c, what);
        return top_run(c, what, words, words + 1 + at);
}
