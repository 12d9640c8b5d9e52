/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A line is drawn after a second, so that what is quick prints nothing, and a few times a second afterwards. */

#include "progress.h"

#include <signal.h>
#include <stdio.h>

#define FIRST  USEC_PER_SEC
#define PERIOD (USEC_PER_SEC / 5)
#define SAME   (USEC_PER_SEC / 2)

static volatile sig_atomic_t interrupted;
static bool settled, caught;
static usec_t interrupted_at;

/* timeout(1) and others send one signal twice: to their child, and to its group. */
static void interrupt(int sig) {
        usec_t now = now_usec(CLOCK_MONOTONIC);

        if (!interrupted)
                interrupted_at = now;
        else if (now - interrupted_at >= SAME)
                _exit(128 + sig); /* the sandbox sends no signal, not to this process either */
        interrupted = 1;
}

void progress_catch_interrupt(void) {
        const struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESTART };
        struct sigaction before;

        if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
                caught = sigaction(SIGINT, &action, NULL) == 0;
}

void progress_release_interrupt(void) {
        if (caught)
                (void) signal(SIGINT, SIG_DFL);
        caught = false;
}

void progress_begin_anew(void) {
        interrupted = 0;
        settled = caught = false;
}

void progress_settle_interrupt(void) {
        settled = interrupted;
}

bool progress_was_interrupted(void) {
        return interrupted;
}

bool progress_is_interrupted(void) {
        return interrupted && !settled;
}

static bool progress_go_on(void *userdata) {
        Progress *p = userdata;
        usec_t now;

        if (progress_is_interrupted())
                return false;
        if (!p->terminal)
                return true;
        now = now_usec(CLOCK_MONOTONIC);
        if (now - p->begun >= FIRST && now - p->drawn >= PERIOD) {
                (void) fprintf(stderr, "\r%s %.60s, %" PRIu64 "s\033[K", p->what, p->name, (now - p->begun) / USEC_PER_SEC);
                p->drawn = now;
        }
        return true;
}

Watcher progress_begin(Progress *p, const char *what, const char *name) {
        *p = (Progress) { .what = what, .name = name, .begun = now_usec(CLOCK_MONOTONIC), .terminal = isatty(STDERR_FILENO) > 0 };
        return (Watcher) { .go_on = progress_go_on, .userdata = p };
}

void progress_end(Progress *p) {
        if (p->drawn > 0)
                (void) fputs("\r\033[K", stderr);
        p->drawn = 0;
        p->terminal = false;
}
