/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* When an incident has made a dump, the journal says what was unusual before it. The daemon reads no recording: perf-recorder-view
 * does, as a process that gives up its rights and restricts itself before it reads a byte. It has the lowest priority, is the first
 * to go when memory is short, and is killed when it takes too long; there is one at a time. Dumps that are too large for that, or
 * come while many wait, have no such message; nor has anything where the viewer is not installed.
 *
 * It begins some time after the dump is there, when the recorder has put the symbols beside it. */

#include <fcntl.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/resource.h>

#include "defer.h"
#include "fd-file.h"
#include "format-text.h"
#include "manager-parts.h"
#include "program.h"
#include "spawn.h"
#include "trigger-word.h"

#define DELAY_USEC (2 * USEC_PER_SEC)
#define LIMIT_USEC (2 * USEC_PER_MINUTE) /* on a machine that is overloaded, as it may be then */
#define LIMIT_CPU_SEC 30u
#define QUEUE_MAX 16u
#define DUMP_SIZE_MAX (UINT64_C(256) << 20)
#define ANSWER_MAX 8192u /* bytes that are read of what it writes */
#define FILE_MAX ((rlim_t) 64 << 20) /* of any file that it makes, all of which are in memory */

struct UnusualRun {
        Manager *manager;
        char **queue; /* ids of dumps */
        sd_event_source *timer, *limit, *exit;
        char *id;     /* of the dump that is read; NULL: none is */
        Program program;
};

/* Ends the process, if there is one, and forgets its dump. */
static void unusual_run_end(UnusualRun *u) {
        u->exit = sd_event_source_disable_unref(u->exit);
        u->limit = sd_event_source_disable_unref(u->limit);
        program_done(&u->program);
        free(u->id);
        u->id = NULL;
}

UnusualRun *unusual_run_free(UnusualRun *u) {
        if (!u)
                return NULL;
        unusual_run_end(u);
        sd_event_source_disable_unref(u->timer);
        strv_free(u->queue);
        free(u);
        return NULL;
}

static int unusual_on_timer(sd_event_source *source, uint64_t usec, void *userdata);

static void unusual_run_later(UnusualRun *u) {
        if (u->queue && *u->queue)
                defer_for(u->manager->host.event, &u->timer, DELAY_USEC, DELAY_USEC / 4, unusual_on_timer, u);
}

static int unusual_on_exit(sd_event_source *source, int fd, uint32_t revents, void *userdata) {
        UnusualRun *u = userdata;
        _cleanup_free_ char *text = NULL, *remarks = NULL;
        const ProgramRun run = { .output_max = ANSWER_MAX, .errors = &remarks };
        const Dump *d = dump_store_find(u->manager->host.dumps, u->id);
        int r = program_end(&u->program, &run, &text);
        size_t n;

        if (r == EXIT_SUCCESS && d && *text) {
                const Session *session = sessions_find(&u->manager->sessions, d->session);
                JournalSession j = session ? session_journal(session) : (JournalSession) { .name = d->session };

                n = strlen(text);
                text[n - (text[n - 1] == '\n')] = '\0';
                journal_log_unusual(&j, d, text);
        } else if (r != EXIT_SUCCESS)
                journal_log(LOG_DEBUG, "It is not known what was unusual before dump %s: %s", u->id,
                            r < 0 ? strerror(-r) : remarks ?: "");
        unusual_run_end(u);
        unusual_run_later(u);
        return 0;
}

/* The end of the process is reported after that. */
static int unusual_on_limit(sd_event_source *source, uint64_t usec, void *userdata) {
        const UnusualRun *u = userdata;

        (void) pidfd_send_signal(u->program.pidfd, SIGKILL, NULL, 0);
        return 0;
}

/* The new process is for itself as soon as it runs; what is refused here is no reason not to let it. */
static void unusual_limit_process(pid_t pid) {
        const struct rlimit time = { LIMIT_CPU_SEC, LIMIT_CPU_SEC }, files = { FILE_MAX, FILE_MAX }, none = {};
        _cleanup_free_ char *path = format_text("/proc/%d/oom_score_adj", (int) pid);
        _cleanup_close_ int fd = path ? open(path, O_WRONLY | O_CLOEXEC) : -EBADF;

        (void) setpriority(PRIO_PROCESS, (id_t) pid, 19);
        (void) prlimit(pid, RLIMIT_CPU, &time, NULL);
        (void) prlimit(pid, RLIMIT_FSIZE, &files, NULL);
        (void) prlimit(pid, RLIMIT_CORE, &none, NULL);
        if (fd >= 0)
                (void) write_all(fd, "1000", strlen("1000"));
}

static int unusual_words(const Dump *d, char ***ret) {
        int r = strv_extend(ret, secure_getenv("PERF_RECORDER_VIEW") ?: PR_LIBEXECDIR "/perf-recorder-view");

        if (r >= 0)
                r = strv_extend(ret, "diff");
        if (r >= 0)
                r = strv_extendf(ret, "--input-name=%s", d->id);
        if (r >= 0)
                r = strv_extend(ret, "--input=-");
        if (r >= 0 && *d->symbols.path)
                r = strv_extendf(ret, "--symfs=%s", d->symbols.path);
        if (r >= 0)
                r = strv_extend(ret, "--trigger");
        return r < 0 ? r : strv_extend(ret, "--summary");
}

/* Takes over the id. */
static int unusual_run_begin(UnusualRun *u, char *id) {
        const Dump *d = dump_store_find(u->manager->host.dumps, id);
        _cleanup_strv_free_ char **words = NULL, **environment = NULL;
        _cleanup_free_ char *remarks = NULL;
        _cleanup_close_ int dump_fd = -EBADF;
        sd_event *event = u->manager->host.event;
        ProgramRun run = { .output_max = ANSWER_MAX, .errors = &remarks };
        int r;

        u->id = id;
        if (!d)
                return -ENOENT;
        r = unusual_words(d, &words);
        if (r >= 0)
                r = spawn_environment(NULL, &environment);
        if (r >= 0)
                r = dump_store_open(u->manager->host.dumps, d, &dump_fd);
        if (r < 0)
                return r;
        run.argv = words;
        run.environment = environment;
        run.input_fd = dump_fd;
        r = program_begin(&run, &u->program);
        if (r < 0)
                return r;
        unusual_limit_process(u->program.pid);
        r = sd_event_add_io(event, &u->exit, u->program.pidfd, EPOLLIN, unusual_on_exit, u);
        return r < 0 ? r : sd_event_add_time_relative(event, &u->limit, CLOCK_MONOTONIC, LIMIT_USEC, USEC_PER_SEC,
                                                      unusual_on_limit, u);
}

static int unusual_on_timer(sd_event_source *source, uint64_t usec, void *userdata) {
        UnusualRun *u = userdata;
        char *id;

        if (u->id || !u->queue || !*u->queue)
                return 0;
        id = u->queue[0];
        for (char **next = u->queue; *next; next++)
                next[0] = next[1];
        if (unusual_run_begin(u, id) < 0) {
                unusual_run_end(u);
                unusual_run_later(u);
        }
        return 0;
}

void manager_look_at_dump(Manager *m, const Dump *d) {
        UnusualRun *u = m->followers.unusual;

        if (!trigger_is_incident(d->trigger) || d->size > DUMP_SIZE_MAX)
                return;
        if (!u) {
                u = m->followers.unusual = calloc(1, sizeof(*u));
                if (!u)
                        return;
                *u = (UnusualRun) { .manager = m, .program = PROGRAM_EMPTY };
        }
        if (strv_length(u->queue) < QUEUE_MAX && strv_extend(&u->queue, d->id) >= 0 && !u->id)
                unusual_run_later(u);
}
