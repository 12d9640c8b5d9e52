/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pager: a child that reads this program's output. Standard output becomes a pipe to it, so that children (journalctl)
 * are paged, too; terminal.c examines the terminal before that. The variables of systemctl(1) choose and configure it:
 * $SYSTEMD_PAGER, $PAGER, $SYSTEMD_LESS, $SYSTEMD_LESSCHARSET, $SYSTEMD_PAGERSECURE. If the pager fails, the verb does not:
 * the text then goes to the terminal. */

#include "pager.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include "child-process.h"
#include "parse-number.h"
#include "quote.h"
#include "strv.h"
#include "terminal.h"

static pid_t pager_pid;

/* In secure mode, less runs no commands: under sudo, where another user's settings could make it do so, or on request. */
static bool pager_is_secure(void) {
        const char *e = getenv("SYSTEMD_PAGERSECURE");

        if (e)
                return parse_boolean(e) != 0;
        return getenv("SUDO_UID") || geteuid() != getuid();
}

typedef struct PagerStart {
        char *const *words; /* NULL: the variables name none */
        PagerPlace place;
        int input_fd;
} PagerStart;

static void pager_exec(void *userdata) {
        const char *less = getenv("SYSTEMD_LESS"), *charset = getenv("SYSTEMD_LESSCHARSET");
        const PagerStart *start = userdata;
        bool secure = pager_is_secure();
        char options[256];

        (void) prctl(PR_SET_PDEATHSIG, SIGTERM);
        (void) dup2(start->input_fd, STDIN_FILENO);
        (void) snprintf(options, sizeof(options), "%s%s", less ?: "FRSXMK", start->place == PAGER_END ? " +G" : "");
        (void) setenv("LESS", options, 1);
        if (charset || terminal_get()->utf8)
                (void) setenv("LESSCHARSET", charset ? charset : "utf-8", 1);
        if (secure)
                (void) setenv("LESSSECURE", "1", 1);
        if (start->words && !(secure && !getenv("SYSTEMD_PAGERSECURE")))
                (void) execvp(start->words[0], start->words);
        if (!secure) /* it may be another program than less, which alone has a secure mode */
                (void) execlp("pager", "pager", (char *) NULL);
        (void) execlp("less", "less", (char *) NULL);
        if (!secure)
                (void) execlp("more", "more", (char *) NULL);
        (void) execlp("cat", "cat", (char *) NULL);
        _exit(EXIT_FAILURE);
}

/* False: the variables ask for no pager. */
static bool pager_choose(char ***ret) {
        const char *e = getenv("SYSTEMD_PAGER");

        if (!e)
                e = getenv("PAGER");
        if (!e)
                return true;
        if (split_words(e, 64, ret) < 0)
                return true;
        return *ret && **ret && !streq(**ret, "cat");
}

void pager_open(bool wanted) {
        pager_open_at(wanted, PAGER_BEGIN);
}

void pager_open_at(bool wanted, PagerPlace place) {
        _cleanup_strv_free_ char **chosen = NULL;
        int pipe_fds[2];

        if (!wanted || pager_pid > 0 || !terminal_get()->tty || !pager_choose(&chosen))
                return;
        if (fflush(stdout) != 0 || pipe2(pipe_fds, O_CLOEXEC) < 0)
                return;
        pager_pid = child_start(pager_exec, &(PagerStart) { .words = chosen, .place = place, .input_fd = pipe_fds[0] });
        if (pager_pid > 0)
                (void) dup2(pipe_fds[1], STDOUT_FILENO);
        (void) close(pipe_fds[0]);
        (void) close(pipe_fds[1]);
}

void pager_close(void) {
        if (pager_pid <= 0)
                return;
        (void) fflush(stdout);
        /* closes the descriptor itself, so that the reader sees the end even if something is printed later */
        (void) close(STDOUT_FILENO);
        (void) child_wait(pager_pid, NULL);
        pager_pid = 0;
}
