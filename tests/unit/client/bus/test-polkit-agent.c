/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The agent is started for users at a terminal who are not root, and ended again. pkttyagent is a script here. */

#include <fcntl.h>
#include <pty.h>
#include <signal.h>

#include "check-main.h"
#include "polkit-agent.h"
#include "scratch.h"

#define NOBODY 65534

static void use_terminal(void) {
        int master, slave;

        ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
        ck_assert_int_ge(dup2(slave, STDIN_FILENO), 0);
}

/* Makes a directory with the script that the user nobody can read, and becomes that user. */
static void become_nobody(const char *dir, const char *script) {
        _cleanup_free_ char *path = path_join(dir, "pkttyagent"), *search = NULL;

        scratch_write_text(dir, "pkttyagent", script);
        ck_assert_int_eq(chmod(path, 0755), 0);
        ck_assert_int_eq(chmod(dir, 0777), 0);
        ck_assert_int_gt(asprintf(&search, "%s:%s", dir, getenv("PATH")), 0);
        (void) setenv("PATH", search, 1);
        (void) setenv("OUT", dir, 1);
        if (geteuid() == 0)
                ck_assert_int_eq(seteuid(NOBODY), 0);
}

START_TEST(test_not_needed) {
        _cleanup_close_ int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

        if (geteuid() == 0) {
                use_terminal();
                ck_assert_int_eq(polkit_agent_start(), 0);
                ck_assert_int_eq(seteuid(NOBODY), 0);
        }
        ck_assert_int_ge(dup2(null, STDIN_FILENO), 0);
        ck_assert_int_eq(polkit_agent_start(), 0);
        polkit_agent_stop(0);
        polkit_agent_stop(-ENOMEM);
        (void) seteuid(getuid()); /* the leak sanitizer reads its own process */
}
END_TEST

START_TEST(test_start_and_stop) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "words"), *words = NULL;
        pid_t agent;

        use_terminal();
        become_nobody(dir, "#!/bin/sh\necho \"$1 $3\" >$OUT/words\neval \"exec $2>&-\"\nexec sleep 100\n");
        agent = polkit_agent_start();
        ck_assert_int_gt(agent, 0);
        /* it was waited for */
        ck_assert_int_eq(read_file(path, 100, &words, NULL), 0);
        ck_assert_str_eq(words, "--notify-fd --fallback\n");
        polkit_agent_stop(agent);
        ck_assert_int_eq(kill(agent, 0), -1);
        ck_assert_int_eq(errno, ESRCH);
        (void) seteuid(getuid());
}
END_TEST

/* An agent that is not installed, or fails, causes no delay. */
START_TEST(test_broken) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        pid_t agent;

        use_terminal();
        become_nobody(dir, "#!/bin/sh\nexit 1\n");
        agent = polkit_agent_start();
        ck_assert_int_gt(agent, 0);
        polkit_agent_stop(agent);
        (void) seteuid(getuid());
}
END_TEST

CHECK_MAIN("polkit-agent", test_not_needed, test_start_and_stop, test_broken);
